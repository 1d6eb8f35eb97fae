package checkpoint

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestStreams writes a full stream and two that build on it per task, in pieces of odd lengths, and reads
// them back at other parallelisms.
func TestStreams(t *testing.T) {
	dir := t.TempDir()
	d := open(t, Disk{}, dir, testPlan)
	chains := make([][]Block, 2)
	want := make([][]string, 2)
	for epoch, size := range []int{3<<20 + 17, 0, 5} {
		e := begin(t, d)
		for task := range chains {
			f := e.Data(0, task)
			s := f.Stream(Block{Place: Place{0, 1, task}, Table: "state", Groups: []Span{SpanOf(task, 2, 128)}})
			text := strings.Repeat(string(rune('a'+epoch*2+task)), size)
			for p := []byte(text); len(p) > 0; {
				n := min(len(p), 99_999)
				if _, err := s.Write(p[:n]); err != nil {
					t.Fatal(err)
				}
				p = p[n:]
			}
			blocks, err := s.Blocks()
			other, err2 := f.Append(Block{Place: Place{0, 2, task}, Table: "state"}, []byte("other"))
			if err := errors.Join(err, err2, f.Close()); err != nil {
				t.Fatal(err)
			}
			chains[task] = append(chains[task], blocks...)
			if epoch == 2 {
				chains[task] = append(chains[task], other)
			}
			want[task] = append(want[task], text)
		}
		m := &Metadata{Plan: testPlan.Plan, MaxParallelism: 128, Blocks: slices.Concat(chains...)}
		if err := errors.Join(e.Commit(m), d.Retire()); err != nil {
			t.Fatal(err)
		}
	}
	_ = d.Close()
	d = open(t, Disk{}, dir, testPlan)
	for _, n := range []int{1, 2, 4} {
		for sub := range n {
			got := d.Chains(0, 1, "state", sub, n)
			tasks := want[sub*2/n : (sub*2/n)+1]
			if n == 1 {
				tasks = want
			}
			if len(got) != len(tasks) {
				t.Fatalf("subtask %d of %d has %d chains", sub, n, len(got))
			}
			for i, chain := range got {
				if len(chain) != 3 {
					t.Fatalf("subtask %d of %d has a chain of %d", sub, n, len(chain))
				}
				for k, r := range chain {
					if b, err := io.ReadAll(r); err != nil || !bytes.Equal(b, []byte(tasks[i][k])) {
						t.Errorf("subtask %d of %d: chain %d, stream %d: %d bytes, %v", sub, n, i, k, len(b), err)
					}
				}
			}
		}
	}
	if got := d.Chains(0, 2, "state", 0, 2); len(got) != 1 || len(got[0]) != 1 {
		t.Errorf("another node: %v", got)
	}
	if got := d.Chains(0, 1, "timers", 0, 2); got != nil {
		t.Errorf("another table: %v", got)
	}
	if err := d.EndRestore(); err != nil {
		t.Error(err)
	}
}
