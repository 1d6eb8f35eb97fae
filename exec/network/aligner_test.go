package network

import (
	"fmt"
	"testing"
)

// TestAlignerOfTwoInputs joins the barriers of two gates: nothing behind a barrier is delivered before all channels of
// both brought it or ended; a newer barrier subsumes one that is still being aligned; an aborted one is given up.
func TestAlignerOfTwoInputs(t *testing.T) {
	e := transports["local"](t, testOptions())
	defer e.close(t)
	a := NewAligner()
	var w []*Writer
	var c []*consumer
	for i := range 2 {
		writer, err := e.out.Writer(WriterSpec{Partition: fmt.Sprint(i), Types: longType, Channels: 1, Partitioner: Forward()})
		if err != nil {
			t.Fatal(err)
		}
		w = append(w, writer)
		c = append(c, newConsumer(t, e.in, GateSpec{Name: fmt.Sprint(i), Types: longType, Sources: []Source{{fmt.Sprint(i), 0, ""}},
			MaxRows: 10, Aligner: a}))
		defer c[i].gate.Close()
	}
	send := func(i int, v int64) {
		if err := w[i].Send(longs(v)); err != nil {
			t.Fatal(err)
		}
		if err := w[i].Flush(); err != nil {
			t.Fatal(err)
		}
	}
	barrier := func(i int, id uint64) {
		if err := w[i].Barrier(id, 0); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(i int, want string) {
		t.Helper()
		x, err := c[i].gate.Next()
		if err != nil {
			t.Fatal(err)
		}
		got := x.Kind.String()
		switch x.Kind {
		case Rows:
			got = fmt.Sprint(rowValue(x.Batch, 0))
		case Barrier:
			got = fmt.Sprint("barrier ", x.Barrier)
		}
		if got != want {
			t.Fatalf("gate %d delivers %s, want %s", i, got, want)
		}
	}
	send(0, 1)
	barrier(0, 1)
	send(0, 2)
	expect(0, "1")
	expect(0, "none")
	send(1, 10)
	expect(1, "10")
	barrier(1, 1)
	expect(1, "barrier 1")
	expect(0, "2")

	barrier(0, 2) // never comes on the other
	send(0, 3)
	expect(0, "none")
	barrier(1, 3)
	send(1, 11)
	expect(1, "none")
	expect(0, "3") // 2 was subsumed
	barrier(0, 3)
	expect(0, "barrier 3")
	expect(1, "11")

	barrier(0, 4)
	send(0, 5)
	expect(0, "none")
	a.GiveUp(4)
	expect(0, "5")
	barrier(1, 4) // obsolete
	send(1, 12)
	expect(1, "12")

	barrier(0, 5)
	expect(0, "none")
	if err := w[1].End(); err != nil {
		t.Fatal(err)
	}
	expect(1, "barrier 5") // the other has ended
	expect(1, "end")
	if err := w[0].End(); err != nil {
		t.Fatal(err)
	}
	expect(0, "end")
}
