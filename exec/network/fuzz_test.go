package network

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"streamsql/exec/types"
)

// FuzzWire reads anybody's bytes as the content of a buffer: an error or rows, never a crash, and rows that can be
// read and sent on.
func FuzzWire(f *testing.F) {
	ts := append([]types.Type{types.Of(types.Int)}, allTypes()...)
	l := newLayout(ts)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range 10 {
		s := newSheet(l)
		s.load(randomBatch(ts, r, 1+i*5), nil)
		b := &buffer{mem: make([]byte, 64<<10)}
		l.open(b, s.text(0), 200, 0)
		n := l.room(b, s, 0, s.rows)
		l.fill(b, s, 0, n)
		b.marks = append(b.marks, mark{row: n, at: 5})
		f.Add(l.appendWire(nil, b, &placing{}))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, in []byte) {
		rd := newReader(l)
		if err := rd.showWire(append([]byte(nil), in...)); err != nil || rd.batch.Len == 0 || rd.batch.Len > 10000 {
			return
		}
		first := lines(&rd.batch)
		s := newSheet(l)
		s.load(&rd.batch, nil)
		b := &buffer{mem: make([]byte, l.size(s.rows)+l.head+1<<20)}
		l.openRows(b, s.rows, 0)
		if l.room(b, s, 0, s.rows) < s.rows {
			return
		}
		l.fill(b, s, 0, s.rows)
		again := newReader(l)
		if err := again.showWire(l.appendWire(nil, b, &placing{})); err != nil {
			t.Fatal(err)
		}
		for i, line := range lines(&again.batch) {
			if line != first[i] {
				t.Fatalf("row %d: %q, then %q", i, first[i], line)
			}
		}
	})
}

// FuzzFrames reads anybody's bytes as frames.
func FuzzFrames(f *testing.F) {
	f.Add(hello(4096))
	f.Add(appendFrame(nil, header{kind: eventFrame, channel: 3}, (&event{kind: barrierEvent, barrier: 9}).encode()))
	f.Add(tallied(creditFrame, 3, 1, 9, 4))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bytes.NewReader(in)
		var head [headSize]byte
		for {
			h, err := readHeader(r, &head, 4096)
			if err != nil {
				return
			}
			b := make([]byte, h.length)
			if n, _ := r.Read(b); n < len(b) {
				return
			}
			_ = parseTally(h, b, func(_ uint32, n int) error {
				if n < 0 {
					t.Fatalf("a tally of %d", n)
				}
				return nil
			})
			if e, err := decodeEvent(b); err == nil && !bytes.Equal(e.encode()[:1], b[:1]) {
				t.Fatalf("%v becomes %v", b, e.encode())
			}
		}
	})
}
