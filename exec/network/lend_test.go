package network

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// longTexts are texts in one buffer.
func longTexts(list ...string) *vector.Column {
	bytes, c := []byte(strings.Join(list, "")), &vector.Column{}
	v, at := make([]vector.View, len(list)), 0
	for i, s := range list {
		v[i] = kernel.MakeView(bytes, 0, at, len(s))
		at += len(s)
	}
	vector.SetViews(c, types.String(), v, bytes)
	return c
}

// lendingBatch has a coded column, one of texts that last and one of texts that do not.
func lendingBatch(d *vector.Dictionary, size int) *vector.Batch {
	lasting := longTexts("a text that lasts, the first", strings.Repeat("a text that lasts, the second ", size))
	lasting.Lasting = 1
	coded := &vector.Column{}
	coded.SetDict(types.String(), []int32{1, 0}, d)
	return &vector.Batch{Len: 2, Cols: []*vector.Column{coded, lasting, longTexts("a text of this batch alone", "short")}}
}

// TestLends: within a process the codes of a fixed dictionary and the views of texts that last go over an edge, and over
// another one behind it; a row too large for a segment, and connections, have the texts.
func TestLends(t *testing.T) {
	d := vector.FixedDictionary(longTexts("the first entry of a dictionary", "the second entry of a dictionary"))
	for name, size := range map[string]int{"local": 1, "local, large": 20, "tcp": 1} {
		transport, _, large := strings.Cut(name, ",")
		e := transports[transport](t, testOptions())
		ts := []types.Type{types.String(), types.String(), types.String()}
		w, err := e.out.Writer(WriterSpec{Partition: "p", Types: ts, Channels: 1, Partitioner: Forward()})
		if err != nil {
			t.Fatal(err)
		}
		c := newConsumer(t, e.in, GateSpec{Name: "g", Types: ts, Sources: []Source{{"p", 0, e.address}}, MaxRows: 10})
		want := lendingBatch(d, size)
		if large {
			want.Cols[2] = longTexts(strings.Repeat("large ", int(e.out.options.SegmentSize)), "short")
		}
		if err := w.Send(want); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for len(got) < 2 {
			x, err := c.next()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, lines(x.Batch)...)
			if transport == "local" && !large {
				lent := x.Batch.Cols[1]
				if x.Batch.Cols[0].Dict != d || lasts(x.Batch.Cols[2]) || !lasts(lent) || &lent.Bufs[1][0] != &want.Cols[1].Bufs[0][0] {
					t.Errorf("%s: the texts were copied: %+v", name, lent)
				}
			}
		}
		if !slices.Equal(got, lines(want)) {
			t.Errorf("%s: got %q\nwant %q", name, got, lines(want))
		}
		c.gate.Close()
		w.Close()
		e.close(t)
	}
}

// TestLendsLittle: a buffer lists no more memory than it may, and a column that has another dictionary each time
// goes over as values in the end.
func TestLendsLittle(t *testing.T) {
	e := transports["local"](t, testOptions())
	ts := []types.Type{types.String(), types.String(), types.String()}
	w, err := e.out.Writer(WriterSpec{Partition: "p", Types: ts, Channels: 1, Partitioner: Forward()})
	if err != nil {
		t.Fatal(err)
	}
	c := newConsumer(t, e.in, GateSpec{Name: "g", Types: ts, Sources: []Source{{"p", 0, ""}}, MaxRows: 10})
	var got, want []string
	for i := range 3 * manyDictionaries {
		b := lendingBatch(vector.FixedDictionary(longTexts(fmt.Sprint("an entry of dictionary ", i), "another entry")), 1)
		want = append(want, lines(b)...)
		if err := w.Send(b); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for len(got) < len(want) {
			x, err := c.next()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, lines(x.Batch)...)
			if n := len(x.Batch.Cols[1].Bufs); n > maxLent+1 {
				t.Errorf("%d buffers", n)
			}
			if coded := x.Batch.Cols[0].Enc == vector.Dict; coded != (i < manyDictionaries) {
				t.Errorf("dictionary %d: coded %v", i, coded)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	c.gate.Close()
	w.Close()
	e.close(t)
}

// TestConstantTexts: a constant text goes over within a process as a dictionary of its own, the same one while it stays, to
// the channel of its key; over a connection as values.
func TestConstantTexts(t *testing.T) {
	for transport, local := range map[string]bool{"local": true, "tcp": false} {
		e := transports[transport](t, testOptions())
		ts := []types.Type{types.String(), types.String()}
		w, err := e.out.Writer(WriterSpec{Partition: "p", Types: ts, Channels: 2, Partitioner: Hash([]int{0}, 128)})
		if err != nil {
			t.Fatal(err)
		}
		c := newConsumer(t, e.in, GateSpec{Name: "g", Types: ts, Sources: []Source{{"p", 0, e.address}, {"p", 1, e.address}}, MaxRows: 10})
		var last *vector.Dictionary
		for i := range 9 {
			day := []string{"a day, as a text of some length", "another day, as a text of some length"}[i/2%2]
			b := &vector.Batch{Len: 3, Cols: []*vector.Column{vector.ConstText(ts[0], day, 3), longTexts("a", "b", "another text of some length")}}
			if err := w.Send(b); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			var got []string
			for len(got) < 3 {
				x, err := c.next()
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, lines(x.Batch)...)
				d := x.Batch.Cols[0].Dict
				if (d != nil) != local || d != nil && (d.Values.Len != 1 || (d == last) != (i%2 == 1)) {
					t.Errorf("%s, batch %d: dictionary %v, the one before %v", transport, i, d, last)
				}
				last = d
			}
			if !slices.Equal(got, lines(b)) {
				t.Errorf("%s: got %q\nwant %q", transport, got, lines(b))
			}
		}
		c.gate.Close()
		w.Close()
		e.close(t)
	}
}

// TestNarrowRegions: a buffer whose texts go as codes has room for more rows, and none for texts as they are.
func TestNarrowRegions(t *testing.T) {
	l := newLayout([]types.Type{types.Of(types.BigInt), types.String()})
	l.lends = true
	wide, narrow := l.fit(4096, 0, 0), l.fit(4096, 0, 1<<1)
	if wide < 150 || narrow < wide*16/10 {
		t.Errorf("%d rows, %d with codes", wide, narrow)
	}
	b := &buffer{mem: make([]byte, 4096)}
	if !l.open(b, 0, 0, 1<<1) || b.place.rows < 300*9/10 || b.place.heap > len(b.mem) {
		t.Fatalf("opened for %d rows, texts at %d", b.place.rows, b.place.heap)
	}
	s := newSheet(l)
	for i := range s.leaves {
		s.leaves[i] = &vector.Column{}
	}
	if b.takesCodes(s) {
		t.Error("texts in regions for codes")
	}
	s.leaves[1].Dict = &vector.Dictionary{}
	if !b.takesCodes(s) {
		t.Error("no codes in regions for them")
	}
}
