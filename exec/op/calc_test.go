package op

import (
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// counter counts the rows that are emitted.
type counter struct{ rows int }

func (c *counter) Emit(b *vector.Batch) error {
	c.rows += b.Len
	return nil
}

func (c *counter) Advance(types.EventTime) error { return nil }

// TestCalcSecondRoundDropsAll: a batch of which the first round keeps some rows and the second none gives
// nothing, the first batch too.
func TestCalcSecondRoundDropsAll(t *testing.T) {
	i, s := types.Of(types.Int), types.String()
	equal := func(a, b expr.Expr) expr.Expr {
		return &expr.Call{Fn: function.Must("="), List: []expr.Expr{a, b}, T: types.Of(types.Boolean), Pos: -1}
	}
	one := expr.NewConst(vector.ConstOf[int32](i, 1, 1), "1")
	word := expr.NewConst(vector.ConstText(s, "none", 1), "'none'")
	number, text := &expr.Column{Index: 0, Name: "n", T: i}, &expr.Column{Index: 1, Name: "s", T: s}
	spec := &Calc{Where: []expr.Expr{expr.And(equal(number, one), equal(text, word))}, Exprs: []expr.Expr{number}, Names: []string{"n"}}
	o := spec.New()
	if err := o.Open(&Context{MaxRows: 1024, Env: &function.Env{Zone: time.UTC}}); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{{"a", "b", "c"}, {"none", "none", "b"}, {"none", "b", "none"}} {
		c := &vector.Column{}
		c.Reset(s, 3)
		w := vector.NewText(c)
		for k, x := range words {
			w.PutString(k, x)
		}
		w.Finish()
		want := 0
		for k, n := range []int32{1, 2, 1} {
			if n == 1 && words[k] == "none" {
				want++
			}
		}
		got := &counter{}
		b := &vector.Batch{Len: 3, Cols: []*vector.Column{vector.OfSlice(i, []int32{1, 2, 1}), c}}
		if err := o.Process(0, b, got); err != nil {
			t.Fatal(err)
		}
		if got.rows != want {
			t.Errorf("%v: %d rows, want %d", words, got.rows, want)
		}
	}
}
