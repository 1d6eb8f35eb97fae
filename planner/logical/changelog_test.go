package logical

import (
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// TestChangelog: what a plan is declared to give, and whether rows may really go.
func TestChangelog(t *testing.T) {
	one := &Values{Columns: Schema{{Name: "a", Type: types.Of(types.Int)}, {Name: "ts", Type: types.TimestampOf(3), Time: Rowtime}}}
	a := []expr.Expr{&expr.Column{Index: 0, Name: "a", T: types.Of(types.Int)}}
	count := []op.AggregateCall{{Fn: function.MustAggregate("COUNT"), T: types.Of(types.BigInt).WithNull(false)}}
	counted := NewAggregate(one, a, count)
	final := NewAggregate(one, a, count)
	final.AtEnd = true
	again := NewAggregate(counted, a, nil)
	for name, c := range map[string]struct {
		plan     Plan
		kind     Changelog
		retracts bool
	}{
		"rows":              {one, InsertOnly, false},
		"counts":            {counted, Updating, true},
		"a filter of them":  {&Filter{Input: counted, Cond: expr.Bool(true)}, Updating, true},
		"distinct":          {NewAggregate(one, a, nil), Updating, false},
		"distinct counts":   {again, Updating, true},
		"counts at the end": {final, InsertOnly, false},
		"a union with them": {NewUnion([]Plan{NewAggregate(one, a, nil), NewAggregate(counted, a, nil)}), Updating, true},
		"windows":           {NewWindowAggregate(one, op.Window{Kind: op.Tumble, Size: 1000}, 1, a, count, nil), InsertOnly, false},
	} {
		if k, r := ChangelogOf(c.plan), Retracts(c.plan); k != c.kind || r != c.retracts {
			t.Errorf("%s: %s, retracts %v", name, k, r)
		}
	}
}

// TestWindowOf follows window columns through projections, and finds their time again.
func TestWindowOf(t *testing.T) {
	in := &Values{Columns: Schema{{Name: "a", Type: types.Of(types.Int)}, {Name: "ts", Type: types.TimestampOf(3), Time: Rowtime}}}
	hop := op.Window{Kind: op.Hop, Size: 6000, Step: 2000, Offset: 3000}
	w := NewWindow(in, hop, 1)
	if w.Columns[1].Time != NoTime || w.Columns[4].Time != Rowtime {
		t.Error("the time attribute does not move to window_time")
	}
	end := &expr.Column{Index: 3, Name: "window_end", T: w.Columns[3].Type}
	p := NewProject(&Filter{Input: w, Cond: expr.Bool(true)}, []expr.Expr{end, expr.Bool(true)}, []string{"e", "x"})
	if s, ok := WindowOf(p, 0); !ok || s.Column != op.WindowEnd || s.Window != hop || s.At.Name != "ts" {
		t.Errorf("got %v %v", s, ok)
	}
	if _, ok := WindowOf(p, 1); ok {
		t.Error("a literal is no window column")
	}
	q, at := ExposeTime(p, 0)
	if s, ok := WindowOf(q, at); !ok || s.Column != op.WindowTime || q.Schema()[at].Time != Rowtime || len(q.Schema()) != 3 {
		t.Errorf("got %v", q)
	}
	if got := Slices(hop); got != (op.Window{Kind: op.Tumble, Size: 2000, Offset: 1000}) {
		t.Errorf("got %v", got)
	}
}
