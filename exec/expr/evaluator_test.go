package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	bigint  = types.Of(types.BigInt)
	boolean = types.Of(types.Boolean)
	env     = &function.Env{Zone: time.UTC}
	calls   int // rows that upper computed
)

// div fails at zero; less and upper are the usual ones.
var div = &function.Scalar{Name: "/", Fails: true, Bind: func(function.Binding) (function.Kernel, error) {
	return func(c *function.Call) {
		out, a, b := vector.Alloc[int64](c.Out), vector.Values[int64](c.Args[0]), vector.Values[int64](c.Args[1])
		sa, sb := c.Args[0].Step(), c.Args[1].Step()
		for i := range out {
			if b[i*sb] == 0 {
				c.Fail(i, errors.New("division by zero"))
				continue
			}
			out[i] = a[i*sa] / b[i*sb]
		}
	}, nil
}}

var less = &function.Scalar{Name: "<", Bind: func(function.Binding) (function.Kernel, error) {
	return func(c *function.Call) {
		a, b := vector.Values[int64](c.Args[0]), vector.Values[int64](c.Args[1])
		sa, sb := c.Args[0].Step(), c.Args[1].Step()
		w := vector.AllocBits(c.Out)
		clear(w)
		for i := range c.Out.Len {
			if a[i*sa] < b[i*sb] {
				kernel.SetBit(w, i)
			}
		}
	}, nil
}}

// less2 compares texts.
var less2 = &function.Scalar{Name: "<", Bind: func(function.Binding) (function.Kernel, error) {
	return func(c *function.Call) {
		w := vector.AllocBits(c.Out)
		clear(w)
		for i := range c.Out.Len {
			if string(vector.Text(c.Args[0], i)) < string(vector.Text(c.Args[1], i)) {
				kernel.SetBit(w, i)
			}
		}
	}, nil
}}

var upper = &function.Scalar{Name: "UPPER", Bind: func(function.Binding) (function.Kernel, error) {
	return func(c *function.Call) {
		calls += c.Out.Len
		w := vector.NewText(c.Out)
		for i := range c.Out.Len {
			w.PutString(i, strings.ToUpper(string(vector.Text(c.Args[0], i))))
		}
		w.Finish()
	}, nil
}}

func call(f *function.Scalar, t types.Type, args ...Expr) Expr { return &Call{f, args, t, -1} }
func col(i int, t types.Type) Expr                             { return &Column{i, fmt.Sprint("c", i), t} }
func lit(v int64) Expr                                         { return NewConst(vector.ConstOf(bigint, v, 1), fmt.Sprint(v)) }

func ints(v ...any) *vector.Column {
	c := &vector.Column{}
	c.Reset(bigint, len(v))
	out := vector.Alloc[int64](c)
	for i, x := range v {
		if n, ok := x.(int); ok {
			out[i] = int64(n)
		} else {
			c.SetNull(i)
		}
	}
	return c
}

func show(c *vector.Column) string {
	var parts []string
	for i := range c.Len {
		switch {
		case c.Null(i):
			parts = append(parts, "NULL")
		case c.Type.Kind == types.Boolean:
			parts = append(parts, fmt.Sprint(vector.Bool(c, i)))
		case c.Type.Kind == types.BigInt:
			parts = append(parts, fmt.Sprint(vector.Value[int64](c, i)))
		default:
			parts = append(parts, string(vector.Text(c, i)))
		}
	}
	return strings.Join(parts, " ")
}

// evaluate runs e over the columns as they are and, when whole, as private dictionaries read backwards.
func evaluate(t *testing.T, e Expr, cols ...*vector.Column) string {
	t.Helper()
	n := cols[0].Len
	ev, err := New([]Expr{e}, env)
	if err != nil {
		t.Fatal(err)
	}
	out, err := ev.Eval(cols, n)
	flat := ""
	if err != nil {
		flat = fmt.Sprintf("%v at row %d", err, err.(*Error).Row)
	} else {
		flat = show(out[0])
	}
	dicts := make([]*vector.Column, len(cols))
	for i, c := range cols {
		values, codes := &vector.Column{}, make([]int32, n)
		back := make([]int32, n)
		for k := range n {
			codes[k], back[k] = int32(n-1-k), int32(n-1-k)
		}
		vector.Take(values, c, back)
		dicts[i] = &vector.Column{}
		dicts[i].SetDict(c.Type, codes, &vector.Dictionary{Values: values})
	}
	out, err = ev.Eval(dicts, n)
	dict := ""
	if err != nil {
		dict = fmt.Sprintf("%v at row %d", err, err.(*Error).Row)
	} else {
		dict = show(out[0])
	}
	if flat != dict {
		t.Errorf("%s: flat gives %q, dictionaries %q", e, flat, dict)
	}
	return flat
}

func TestErrorsCountOnReachedLanes(t *testing.T) {
	a, b := col(0, bigint), col(1, bigint)
	quotient := call(div, bigint, a, b)
	positive := call(less, boolean, lit(0), b)
	cases := []struct {
		e    Expr
		want string
	}{
		{quotient, "division by zero in c0 / c1, in the row c0 = 7, c1 = 0 at row 1"},
		{&Case{Whens: []When{{positive, quotient}}, Else: Null(bigint), T: bigint}, "5 NULL NULL 2"},
		{And(positive, call(less, boolean, lit(3), quotient)), "true false NULL false"},
		{And(call(less, boolean, lit(3), quotient), positive), "division by zero in c0 / c1, in the row c0 = 7, c1 = 0 at row 1"},
		{Or(call(less, boolean, b, lit(1)), call(less, boolean, quotient, lit(4))), "false true NULL true"},
	}
	for _, c := range cases {
		if got := evaluate(t, c.e, ints(10, 7, 8, 9), ints(2, 0, nil, 4)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.e, got, c.want)
		}
	}
}

func TestNullLaneDoesNotFail(t *testing.T) {
	e := call(div, bigint, col(0, bigint), col(1, bigint))
	if got := evaluate(t, e, ints(nil, 6), ints(0, 3)); got != "NULL 2" {
		t.Error(got)
	}
}

func TestConstantsFailOnlyWhenReached(t *testing.T) {
	zero := call(div, bigint, lit(1), lit(0))
	e := &Case{Whens: []When{{call(less, boolean, col(0, bigint), lit(0)), zero}}, Else: lit(7), T: bigint}
	if got := evaluate(t, e, ints(1, 2)); got != "7 7" {
		t.Error(got)
	}
	if got := evaluate(t, e, ints(1, -2)); !strings.Contains(got, "division by zero in 1 / 0, in the row c0 = -2 at row 1") {
		t.Error(got)
	}
}

func TestThreeValuedLogic(t *testing.T) {
	p, q := call(less, boolean, lit(0), col(0, bigint)), call(less, boolean, lit(0), col(1, bigint))
	x, y := ints(1, 1, 1, -1, -1, -1, nil, nil, nil), ints(1, -1, nil, 1, -1, nil, 1, -1, nil)
	if got := evaluate(t, And(p, q), x, y); got != "true false NULL false false false NULL false NULL" {
		t.Error("AND: " + got)
	}
	if got := evaluate(t, Or(p, q), x, y); got != "true true true true false NULL true NULL NULL" {
		t.Error("OR: " + got)
	}
}

func texts(v ...string) *vector.Column {
	c := &vector.Column{}
	c.Reset(types.String(), len(v))
	w := vector.NewText(c)
	for i, s := range v {
		w.PutString(i, s)
	}
	w.Finish()
	return c
}

func TestCaseMergesTexts(t *testing.T) {
	s := types.String()
	long := NewConst(vector.ConstText(s, "a text that is not inlined", 1), "'…'")
	e := &Case{T: s, Else: call(upper, s, col(1, s)), Whens: []When{
		{call(less, boolean, col(0, bigint), lit(1)), long},
		{call(less, boolean, col(0, bigint), lit(2)), col(1, s)},
	}}
	got := evaluate(t, e, ints(0, 1, 2, nil), texts("x", "a piece of more than twelve", "and another one, long", "z"))
	if want := "a text that is not inlined a piece of more than twelve AND ANOTHER ONE, LONG Z"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestSharedDictionaryIsComputedOncePerEntry(t *testing.T) {
	s := types.String()
	d := vector.FixedDictionary(texts("ab", "a longer text than twelve", "never used", "ef", "x", "y", "z"))
	e := call(upper, s, col(0, s))
	ev, err := New([]Expr{e}, env)
	if err != nil {
		t.Fatal(err)
	}
	calls = 0
	for _, batch := range []struct {
		codes []int32
		want  string
	}{{[]int32{0, 1, 0}, "AB A LONGER TEXT THAN TWELVE AB"}, {[]int32{1, 3, 3, 0}, "A LONGER TEXT THAN TWELVE EF EF AB"}} {
		c := &vector.Column{}
		c.SetDict(s, batch.codes, d)
		out, err := ev.Eval([]*vector.Column{c}, len(batch.codes))
		if err != nil {
			t.Fatal(err)
		}
		if got := show(out[0]); got != batch.want {
			t.Errorf("got %s, want %s", got, batch.want)
		}
		if out[0].Enc != vector.Dict {
			t.Error("the result is no dictionary")
		}
	}
	if calls != 3 {
		t.Errorf("%d entries computed, want 3", calls)
	}
	// With the fourth of seven entries most have occurred, and the rest is computed too.
	for range 2 {
		c := &vector.Column{}
		c.SetDict(s, []int32{4}, d)
		if _, err := ev.Eval([]*vector.Column{c}, 1); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 7 {
		t.Errorf("%d entries computed, want 7", calls)
	}
	// Of a dictionary that is not fixed the rest may not be there yet.
	growing := vector.NewDictionary(texts("a", "b", "c", "not there yet"))
	for _, code := range []int32{0, 1, 2, 3} {
		if code == 3 {
			growing.Values = texts("a", "b", "c", "d")
		}
		c := &vector.Column{}
		c.SetDict(s, []int32{code}, growing)
		out, err := ev.Eval([]*vector.Column{c}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := show(out[0]), string(rune('A'+code)); got != want {
			t.Errorf("entry %d: got %s, want %s", code, got, want)
		}
	}
}

func TestFieldsOfOneDictionaryShareTheirCodes(t *testing.T) {
	s := types.String()
	row := types.RowOf(types.Field{Name: "a", Type: s}, types.Field{Name: "b", Type: s})
	vals, codes := &vector.Column{}, []int32{1, 0, 1}
	vals.Reset(row, 3)
	for _, words := range [][]string{{"p", "q"}, {"r", "s"}} {
		child := &vector.Column{}
		child.SetDict(s, codes, vector.NewDictionary(texts(words...)))
		vals.Children = append(vals.Children, child)
	}
	c := &vector.Column{}
	c.SetDict(row, []int32{2, 0, 1}, &vector.Dictionary{Values: vals})
	both := &Case{T: s, Whens: []When{{&Call{less2, []Expr{NewField(col(0, row), 0), NewField(col(0, row), 1)}, boolean, -1},
		NewField(col(0, row), 1)}}, Else: Null(s)}
	ev, err := New([]Expr{both}, env)
	if err != nil {
		t.Fatal(err)
	}
	out, err := ev.Eval([]*vector.Column{c}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := show(out[0]); got != "s s r" || out[0].Enc != vector.Dict {
		t.Errorf("got %s, encoding %d", got, out[0].Enc)
	}
}

func TestFieldOfDictionaryRows(t *testing.T) {
	row := types.RowOf(types.Field{Name: "a", Type: bigint}, types.Field{Name: "b", Type: types.String()})
	vals := &vector.Column{}
	vals.Reset(row, 2)
	inner := &vector.Column{}
	inner.SetDict(types.String(), []int32{1, 0}, vector.NewDictionary(texts("p", "q")))
	vals.Children = append(vals.Children, ints(5, 6), inner)
	c := &vector.Column{}
	c.SetDict(row, []int32{0, 0, 1}, &vector.Dictionary{Values: vals})
	c.Valid = []uint64{0b101}
	ev, err := New([]Expr{NewField(col(0, row), 0), NewField(col(0, row), 1)}, env)
	if err != nil {
		t.Fatal(err)
	}
	out, err := ev.Eval([]*vector.Column{c}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := show(out[0]) + "|" + show(out[1]); got != "5 NULL 6|q NULL p" {
		t.Error(got)
	}
}

func TestFilterSelects(t *testing.T) {
	f, err := NewFilter([]Expr{call(less, boolean, lit(2), col(0, bigint)), call(less, boolean, col(0, bigint), lit(9))}, env)
	if err != nil {
		t.Fatal(err)
	}
	sel, all, err := f.Select([]*vector.Column{ints(1, 3, nil, 8, 9)}, 5)
	if fmt.Sprint(sel, all, err) != "[1 3] false <nil>" {
		t.Error(sel, all, err)
	}
	if _, all, _ := f.Select([]*vector.Column{ints(3, 4)}, 2); !all {
		t.Error("all rows pass, but not all are kept")
	}
}

// BenchmarkEvaluator is `CASE WHEN c0 < 500 THEN c1 ELSE c0 END` over 1,024 rows.
func BenchmarkEvaluator(b *testing.B) {
	x, y := make([]int64, 1024), make([]int64, 1024)
	for i := range x {
		x[i], y[i] = int64(i), int64(i*7)
	}
	e := &Case{Whens: []When{{call(less, boolean, col(0, bigint), lit(500)), col(1, bigint)}}, Else: col(0, bigint), T: bigint}
	ev, err := New([]Expr{e}, env)
	if err != nil {
		b.Fatal(err)
	}
	cols := []*vector.Column{vector.OfSlice(bigint, x), vector.OfSlice(bigint, y)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ev.Eval(cols, 1024); err != nil {
			b.Fatal(err)
		}
	}
}

// A deep tree compiles in time about linear in its nodes: cubic, this one took minutes.
func TestDeepTree(t *testing.T) {
	e := col(0, types.String())
	for range 1500 {
		e = call(upper, types.String(), e)
	}
	done := make(chan error, 1)
	go func() {
		_, err := New([]Expr{e}, env)
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("1,500 nested calls take more than 5 s to compile")
	}
}

// A keyring tells apart exactly what keys tell apart.
func TestKeyring(t *testing.T) {
	list := []Expr{col(0, bigint), col(1, bigint), lit(1), lit(2)}
	for _, a := range slices.Clone(list) {
		for _, b := range slices.Clone(list) {
			list = append(list, call(div, bigint, a, b), call(less, boolean, a, b))
		}
	}
	list = append(list, call(div, bigint, list[4], list[5]), call(div, bigint, call(div, bigint, list[0], list[0]), list[5]))
	r := newKeyring()
	for _, a := range list {
		for _, b := range list {
			if (r.number(a) == r.number(b)) != Equal(a, b) {
				t.Errorf("%s and %s", Key(a), Key(b))
			}
		}
	}
}
