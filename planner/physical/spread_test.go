package physical

import (
	"slices"
	"strings"
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
)

var (
	bigint = types.Of(types.BigInt)
	bid    = &expr.Column{Index: 1, Name: "bid", T: types.RowOf(types.Field{Name: "price", Type: bigint},
		types.Field{Name: "url", Type: types.String()}, types.Field{Name: "time", Type: types.TimestampOf(3)})}
	kind  = &expr.Column{Index: 0, Name: "kind", T: bigint}
	price = expr.NewField(bid, 0)
	url   = expr.NewField(bid, 1)
	at    = expr.NewField(bid, 2)
	two   = expr.NewConst(vector.ConstOf(bigint, int64(2), 1), "2")
)

func call(t types.Type, name string, list ...expr.Expr) expr.Expr {
	return &expr.Call{Fn: function.Must(name), List: list, T: t, Pos: -1}
}

// TestDivide: the halves of a calculation do what it does; what costs little goes below the edge with the event
// time, and nothing crosses twice.
func TestDivide(t *testing.T) {
	truth := types.Of(types.Boolean)
	isBid := call(truth, "=", kind, two)
	like := call(truth, "=", call(types.String(), "UPPER", url), url)
	cheap := call(truth, ">", price, two)
	late := &expr.Case{Whens: []expr.When{{Cond: isBid, Then: at}}, Else: expr.Null(types.TimestampOf(3)), T: types.TimestampOf(3)}
	c := &op.Calc{
		Where: []expr.Expr{expr.And(isBid, cheap), like, call(truth, "<", price, two)},
		Exprs: []expr.Expr{price, call(types.String(), "UPPER", url), call(bigint, "*", price, price), two, late, late},
		Names: []string{"price", "url", "square", "two", "at", "again"},
	}
	out := make(logical.Schema, len(c.Exprs))
	out[4].Time, out[5].Time = logical.Rowtime, logical.Rowtime
	d := divide(c, out)
	text := func(list []expr.Expr) string {
		var s []string
		for _, x := range list {
			s = append(s, x.String())
		}
		return strings.Join(s, "; ")
	}
	if got, want := text(d.low.Where), "kind = 2; bid.price > 2"; got != want {
		t.Errorf("filters below: %s, want %s", got, want)
	}
	if got, want := text(d.low.Exprs), "bid.url; bid.price; "+late.String(); got != want {
		t.Errorf("crossing: %s, want %s", got, want)
	}
	if !slices.Equal(d.rowtimes, []int{2}) || !slices.Equal(d.high.Names, c.Names) {
		t.Errorf("event times %v, names %v", d.rowtimes, d.high.Names)
	}
	for i, x := range d.high.Exprs {
		if whole := expr.Inline(x, d.low.Exprs); !expr.Equal(whole, c.Exprs[i]) {
			t.Errorf("column %d: %s, want %s", i, whole, c.Exprs[i])
		}
	}
	var above []expr.Expr
	for _, x := range d.high.Where {
		above = append(above, expr.Inline(x, d.low.Exprs))
	}
	if got, want := text(append(d.low.Where, above...)), text(expr.Conjuncts(c.Where...)); got != want {
		t.Errorf("filters: %s, want %s", got, want)
	}
}

// TestDivideRowsAlone: rows cross even where nothing of them is read.
func TestDivideRowsAlone(t *testing.T) {
	d := divide(&op.Calc{Exprs: []expr.Expr{two}, Names: []string{"two"}}, make(logical.Schema, 1))
	if len(d.low.Exprs) != 1 || len(d.low.Names) != 1 || !expr.Equal(d.high.Exprs[0], two) {
		t.Errorf("%v, %v", d.low, d.high)
	}
}
