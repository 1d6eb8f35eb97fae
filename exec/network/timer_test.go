package network

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestTimeoutIsAnAge: the first row after a flush leaves at the timeout, not before and not after, and the rows behind it
// leave with it (N5). Without rows the timer sleeps.
func TestTimeoutIsAnAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := testOptions()
		o.BufferTimeout = 100 * time.Millisecond
		e := environment(t, Setup{Options: o})
		w, err := e.Writer(WriterSpec{Partition: "p", Types: longType, Channels: 1, Partitioner: Forward()})
		if err != nil {
			t.Fatal(err)
		}
		c := newConsumer(t, e, GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", 0, ""}}})
		for range 3 {
			for i := range int64(2) {
				if err := w.Send(longs(i)); err != nil {
					t.Fatal(err)
				}
				time.Sleep(49 * time.Millisecond)
			}
			time.Sleep(time.Millisecond)
			synctest.Wait()
			if x, _ := c.gate.Next(); x.Kind != None {
				t.Fatal("rows left before the timeout")
			}
			time.Sleep(2 * time.Millisecond)
			synctest.Wait()
			x, err := c.gate.Next()
			if err != nil || x.Kind != Rows || x.Batch.Len != 2 {
				t.Fatalf("after the timeout: %v, %v", x.Kind, err)
			}
			time.Sleep(time.Hour)
		}
		c.gate.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}
