package logical

import (
	"slices"
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
	for name, c := range map[string]struct {
		plan     Plan
		kinds    string
		retracts bool
		keys     []Key
	}{
		"rows":              {one, "[I]", false, []Key{{}}},
		"counts":            {counted, "[I,UB,UA]", true, []Key{{0}}},
		"a filter of them":  {&Filter{Input: counted, Cond: expr.Bool(true)}, "[I,UB,UA]", true, []Key{{0}}},
		"their counts":      {NewProject(counted, []expr.Expr{columnOf(counted, 1)}, []string{"n"}), "[I,UB,UA]", true, nil},
		"turned round":      {NewProject(counted, []expr.Expr{columnOf(counted, 1), columnOf(counted, 0)}, []string{"n", "a"}), "[I,UB,UA]", true, []Key{{1}}},
		"distinct":          {NewAggregate(one, a, nil), "[I,UB,UA]", false, []Key{{0}}},
		"distinct counts":   {NewAggregate(counted, a, nil), "[I,UB,UA,D]", true, []Key{{0}}},
		"one count":         {NewAggregate(one, nil, count), "[I,UB,UA]", true, []Key{{}}},
		"counts at the end": {final, "[I]", false, []Key{{0}}},
		"a union with them": {NewUnion([]Plan{NewAggregate(one, a, nil), NewAggregate(counted, a, nil)}), "[I,UB,UA,D]", true, nil},
		"windows": {NewWindowAggregate(one, op.Window{Kind: op.Tumble, Size: 1000}, 1, a, count, []op.WindowColumn{op.WindowStart, op.WindowEnd}),
			"[I]", false, []Key{{0, 3}}},
		"a node of no idea": {opaque{counted}, "[I,UB,UA]", true, nil},
	} {
		x := ChangesOf(c.plan)
		if x.Kinds.String() != c.kinds || x.Stays == c.retracts || !slices.EqualFunc(x.Keys, c.keys, slices.Equal[Key]) {
			t.Errorf("%s: %s, stays %v, keys %v", name, x.Kinds, x.Stays, x.Keys)
		}
	}
}

// opaque is a node that says nothing of its changes.
type opaque struct{ in Plan }

func (o opaque) Schema() Schema      { return o.in.Schema() }
func (o opaque) Inputs() []Plan      { return []Plan{o.in} }
func (o opaque) With(in []Plan) Plan { return opaque{in[0]} }
func (o opaque) String() string      { return "Opaque" }

func columnOf(p Plan, i int) expr.Expr {
	c := p.Schema()[i]
	return &expr.Column{Index: i, Name: c.Name, T: c.Type}
}

// TestNeeds: -U is left out where no reader needs it, and comes where one does.
func TestNeeds(t *testing.T) {
	one := &Values{Columns: Schema{{Name: "a", Type: types.Of(types.Int)}}}
	count := []op.AggregateCall{{Fn: function.MustAggregate("COUNT"), T: types.Of(types.BigInt).WithNull(false)}}
	counted := NewAggregate(one, []expr.Expr{columnOf(one, 0)}, count)
	isNull := func(i int) expr.Expr {
		return &expr.Call{Fn: function.Must("IS NULL"), List: []expr.Expr{columnOf(counted, i)}, T: types.Of(types.Boolean)}
	}
	byKey, byCount := &Filter{Input: counted, Cond: isNull(0)}, &Filter{Input: counted, Cond: isNull(1)}
	shown := NewProject(counted, []expr.Expr{columnOf(counted, 1)}, []string{"n"})
	for name, c := range map[string]struct {
		plans []Plan
		want  string
	}{
		"by itself":                     {[]Plan{counted}, "[I,UA]"},
		"behind a projection":           {[]Plan{shown}, "[I,UA]"},
		"behind a filter of the key":    {[]Plan{byKey}, "[I,UA]"},
		"behind a filter of the count":  {[]Plan{byCount}, "[I,UB,UA]"},
		"behind both":                   {[]Plan{byKey, byCount}, "[I,UB,UA]"},
		"behind a union":                {[]Plan{NewUnion([]Plan{counted, counted})}, "[I,UA]"},
		"behind another GROUP BY":       {[]Plan{NewAggregate(shown, nil, count)}, "[I,UB,UA]"},
		"behind a node of its own kind": {[]Plan{opaque{counted}}, "[I,UB,UA]"},
	} {
		x := NewChangelog(c.plans, make([]Need, len(c.plans)))
		if got := x.Of(counted).Kinds.String(); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if n := UpdatingNode(NewAggregate(shown, nil, count)); n.(*Aggregate).Input != shown {
		t.Errorf("got %v", n)
	}
	if n := UpdatingNode(byCount); n != counted {
		t.Errorf("got %v", n)
	}
}

// TestWindowOf follows window columns through projections, and finds their time again.
func TestWindowOf(t *testing.T) {
	in := &Values{Columns: Schema{{Name: "a", Type: types.Of(types.Int)}, {Name: "ts", Type: types.TimestampOf(3), Time: Rowtime}}}
	hop := op.Window{Kind: op.Hop, Size: 6000, Step: 2000, Offset: 3000}
	w := NewWindow(in, hop, 1, nil)
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
