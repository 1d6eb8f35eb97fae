package network

import (
	"fmt"
	"strings"
	"testing"
)

// TestLateRows: a watermark cut in before late rows reaches their channels alone, in front of the row and behind what was
// sent before, on the path of few channels and of many with a stage.
func TestLateRows(t *testing.T) {
	for _, channels := range []int{2, 40} {
		e := transports["local"](t, testOptions())
		w, err := e.out.Writer(WriterSpec{Partition: "p", Types: longType, Channels: channels, Partitioner: RoundFrom(0)})
		if err != nil {
			t.Fatal(err)
		}
		var c []*consumer
		for i := range 2 {
			c = append(c, newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", i, ""}}, MaxRows: 10}))
		}
		v := make([]int64, channels)
		for round := range int64(4) {
			for i := range v {
				v[i] = round*100 + int64(i)
			}
			if round == 2 {
				w.Cut(77, 1)
			}
			if round == 3 {
				w.Cut(99)
			}
			if err := w.Send(longs(v...)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		want := []string{"[0 100 200] w99 [300]", "[1 101] w77 [201] w99 [301]"}
		for i := range c {
			var got []string
			for {
				x, err := c[i].gate.Next()
				if err != nil {
					t.Fatal(err)
				}
				if x.Kind == None {
					break
				}
				if x.Kind == Watermark {
					got = append(got, fmt.Sprint("w", x.Watermark))
					continue
				}
				var rows []int64
				for k := range x.Batch.Len {
					rows = append(rows, rowValue(x.Batch, k))
				}
				got = append(got, fmt.Sprint(rows))
			}
			if s := strings.Join(got, " "); s != want[i] {
				t.Errorf("%d channels, channel %d: %s, want %s", channels, i, s, want[i])
			}
		}
		for i := range c {
			c[i].gate.Close()
		}
		e.close(t)
	}
}
