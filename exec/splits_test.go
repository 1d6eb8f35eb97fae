package exec_test

import (
	"fmt"
	"slices"
	"testing"

	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var timestamp = types.TimestampOf(3)

// dealt is a source of some splits on one subtask, whose reads are written down.
type dealt struct {
	splits int
	reads  []dealtRead
}

// dealtRead is a row of a split, which is its watermark too, or the end of the split.
type dealtRead struct {
	split int
	at    int64
	done  bool
}

func (s dealt) Push(connector.Request) connector.Accepted { return connector.Accepted{} }

func (s dealt) Bounded() bool { return true }

func (s dealt) Splits(int) ([]connector.Split, error) {
	var out []connector.Split
	for i := range s.splits {
		out = append(out, connector.Split{ID: fmt.Sprint(i)})
	}
	return out, nil
}

func (s dealt) Open(*connector.Context, []connector.Split) (connector.Reader, error) {
	return &dealtReader{s.reads}, nil
}

type dealtReader struct{ left []dealtRead }

func (r *dealtReader) Next() (connector.Read, error) {
	if len(r.left) == 0 {
		return connector.Read{Status: connector.End}, nil
	}
	x := r.left[0]
	r.left = r.left[1:]
	if x.done {
		return connector.Read{Status: connector.Done, Split: x.split}, nil
	}
	var c vector.Column
	vector.SetSlice(&c, timestamp, []int64{x.at})
	b := &vector.Batch{Len: 1, Cols: []*vector.Column{&c}}
	return connector.Read{Batch: b, Split: x.split, Watermark: types.EventTime(x.at)}, nil
}

func (r *dealtReader) Position(int) ([]byte, error) { return nil, nil }

func (r *dealtReader) Close() error { return nil }

// TestSplitTimes: the least watermark of a reader's splits counts. Those not yet read hold it, those that are done
// do not; whether the source makes it or an operator behind it.
func TestSplitTimes(t *testing.T) {
	row := func(split int, at int64) dealtRead { return dealtRead{split: split, at: at} }
	done := func(split int) dealtRead { return dealtRead{split: split, done: true} }
	for name, c := range map[string]struct {
		splits int
		reads  []dealtRead
		want   []types.EventTime
	}{
		"one":      {1, []dealtRead{row(0, 5), row(0, 3), row(0, 9), done(0)}, []types.EventTime{5, 9}},
		"two":      {2, []dealtRead{row(0, 5), row(0, 6), row(1, 2), row(1, 8), row(0, 7)}, []types.EventTime{2, 6, 7}},
		"done":     {2, []dealtRead{row(0, 5), row(1, 2), done(1), row(0, 7), done(0)}, []types.EventTime{2, 5, 7}},
		"unopened": {3, []dealtRead{row(0, 5), row(1, 6), done(0), row(1, 7), done(1), row(2, 1), row(2, 9), done(2)}, []types.EventTime{1, 9}},
		"empty":    {2, []dealtRead{row(0, 5), done(1), row(0, 6)}, []types.EventTime{5, 6}},
	} {
		mark := &op.Watermark{Name: "a", Expr: &expr.Column{Name: "a", T: timestamp}}
		keep := &op.Calc{Exprs: []expr.Expr{&expr.Column{Name: "a", T: timestamp}}, Names: []string{"a"}}
		for _, marked := range []bool{true, false} {
			var out collector
			s := &graph.Stage{Parallelism: 1, Nodes: []graph.Node{
				{Source: &graph.Source{Table: "t", Source: dealt{c.splits, c.reads}, Watermark: marked}},
				{Op: keep, Inputs: []int{0}}, {Op: mark, Inputs: []int{1}}, {Sink: &graph.Sink{Table: "out", Sink: &out}, Inputs: []int{2}}}}
			if marked {
				s.Nodes[2].Op = keep
			}
			if _, err := exec.Run(t.Context(), &graph.Graph{Stages: []*graph.Stage{s}}, exec.Options{}); err != nil {
				t.Fatal(err)
			}
			if want := append(slices.Clone(c.want), types.MaxTime); !slices.Equal(out.marks, want) {
				t.Errorf("%s, marked %t: watermarks %v, want %v", name, marked, out.marks, want)
			}
		}
	}
}
