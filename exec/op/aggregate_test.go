package op_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// columnsOf are the columns of an input.
func columnsOf(list []types.Type) []expr.Expr {
	out := make([]expr.Expr, len(list))
	for i, t := range list {
		out[i] = &expr.Column{Index: i, Name: string(rune('a' + i)), T: t}
	}
	return out
}

// aggregateOf is a call of an aggregate.
func aggregateOf(t testing.TB, name string, args ...expr.Expr) op.AggregateCall {
	t.Helper()
	fn := function.MustAggregate(name)
	var list []function.Arg
	for _, a := range args {
		arg := function.Arg{Type: a.Type()}
		if c, ok := a.(*expr.Const); ok {
			arg.Const = c.Value
		}
		list = append(list, arg)
	}
	sig, err := fn.Type(list)
	if err != nil {
		t.Fatal(err)
	}
	return op.AggregateCall{Fn: fn, Args: args, T: sig.Result.WithNull(fn.Nullable(sig, true, false))}
}

func namesOf(n int) []string { return make([]string, n) }

func lessThan(a expr.Expr, v int64) expr.Expr {
	c := expr.NewConst(vector.ConstOf(types.Of(types.BigInt), v, 1), strconv.FormatInt(v, 10))
	return &expr.Call{Fn: function.Must("<"), List: []expr.Expr{a, c}, T: types.Of(types.Boolean), Pos: -1}
}

var grouped = []types.Type{types.String(), types.Of(types.BigInt), types.DecimalOf(10, 2), types.String()}

const groupedRows = `
a 1 1.10 x
b 5 5.55 y
a 2 2.20 x
a \N \N \N
\N 7 7.00 n
c \N \N \N
b 6 -0.55 \e
a 2 0.01 a_longer_text_than_fits
\N 7 0.00 n`

func TestGroupAggregate(t *testing.T) {
	c := columnsOf(grouped)
	distinct := aggregateOf(t, "COUNT", c[1])
	distinct.Distinct = true
	filtered := aggregateOf(t, "SUM", c[1])
	filtered.Filter = lessThan(c[1], 6)
	both := distinct
	both.Filter = lessThan(c[1], 2)
	for name, x := range map[string]struct {
		keys []expr.Expr
		aggs []op.AggregateCall
		out  string
	}{
		"by key": {c[:1], []op.AggregateCall{aggregateOf(t, "COUNT"), aggregateOf(t, "COUNT", c[1]), aggregateOf(t, "SUM", c[1]),
			aggregateOf(t, "AVG", c[1]), aggregateOf(t, "MIN", c[1]), aggregateOf(t, "MAX", c[1])}, `
			a 4 3 5 1 1 2
			b 2 2 11 5 5 6
			\N 2 2 14 7 7 7
			c 1 0 \N \N \N \N`},
		"decimals and texts": {c[:1], []op.AggregateCall{aggregateOf(t, "SUM", c[2]), aggregateOf(t, "AVG", c[2]),
			aggregateOf(t, "MAX", c[2]), aggregateOf(t, "MIN", c[3]), aggregateOf(t, "MAX", c[3])}, `
			a 3.31 1.103333 2.20 a_longer_text_than_fits x
			b 5.00 2.500000 5.55 \e y
			\N 7.00 3.500000 7.00 n n
			c \N \N \N \N \N`},
		"distinct and filter": {c[:1], []op.AggregateCall{distinct, filtered, both}, `
			a 2 5 1
			b 2 5 0
			\N 1 \N 0
			c 0 \N 0`},
		"values kept": {c[:1], []op.AggregateCall{aggregateOf(t, "LISTAGG", c[3]), aggregateOf(t, "FIRST_VALUE", c[1]),
			aggregateOf(t, "LAST_VALUE", c[3]), aggregateOf(t, "ARRAY_AGG", c[1]), aggregateOf(t, "COLLECT", c[1]), aggregateOf(t, "VAR_POP", c[1])}, `
			a x,x,a_longer_text_than_fits 1 a_longer_text_than_fits [1,2,NULL,2] {1=1,2=2} 0
			b y, 5 \e [5,6] {5=1,6=1} 0
			\N n,n 7 n [7,7] {7=2} 0
			c \N \N \N [NULL] {} \N`},
		"without keys": {nil, []op.AggregateCall{aggregateOf(t, "COUNT"), distinct, aggregateOf(t, "MAX", c[3])}, `9 5 y`},
		"two keys":     {[]expr.Expr{c[0], c[1]}, []op.AggregateCall{aggregateOf(t, "COUNT")}, `a 1 1` + "\n" + `a 2 2` + "\n" + `a \N 1` + "\n" + `b 5 1` + "\n" + `b 6 1` + "\n" + `\N 7 2` + "\n" + `c \N 1`},
		"no aggregate": {c[:1], nil, "a\nb\n\\N\nc"},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &op.GroupAggregate{Keys: x.keys, Aggs: x.aggs, Names: namesOf(len(x.keys) + len(x.aggs))}
			optest.Run(t, optest.Case{Spec: spec, Types: grouped, In: groupedRows, Out: x.out, Folds: true})
			spec.Retracts = true
			optest.Run(t, optest.Case{Spec: spec, Types: grouped, In: groupedRows, Out: x.out, Folds: true})
			if op.Splits(x.aggs, false) {
				local := &op.LocalAggregate{Keys: x.keys, Aggs: x.aggs}
				optest.Run(t, optest.Case{Spec: phased{local, spec}, Types: grouped, In: groupedRows, Out: x.out, Folds: true})
			}
		})
	}
}

func TestGroupAggregateRetracts(t *testing.T) {
	list := []types.Type{types.String(), types.Of(types.BigInt), types.String()}
	c := columnsOf(list)
	distinct := aggregateOf(t, "COUNT", c[1])
	distinct.Distinct = true
	spec := &op.GroupAggregate{Keys: c[:1], Retracts: true, Names: namesOf(9), Aggs: []op.AggregateCall{aggregateOf(t, "COUNT"),
		aggregateOf(t, "SUM", c[1]), distinct, aggregateOf(t, "MIN", c[1]), aggregateOf(t, "MAX", c[1]),
		aggregateOf(t, "MAX", c[2])}}
	// NULLs put in would take back what was not there.
	rows := optest.Parse(t, list, `
		a 1 x
		a 5 y
		b 7 n
		-U a 5 y
		+U a 3 z
		c 1 c
		-D b 7 n
		-D c 1 c
		a 3 q
		-D a 1 x
		c 2 a_longer_text_than_fits
		+I c 1 b
		-U c 1 b
		+U c 9 a_longer_text_than_fits
		a \N \N
		-D a 3 z
		-D a 3 q`)
	want := "a 1 \\N 0 \\N \\N \\N\nc 2 11 2 2 9 a_longer_text_than_fits\n"
	for _, size := range []int{1, 2, 3, 5, 1024} {
		for _, enc := range optest.Encodings {
			got, err := optest.Replay(t, spec, rows, size, enc)
			if got = optest.Fold(t, got); err != nil || got != want {
				t.Errorf("batches of %d, %s: got\n%s%v\nwant\n%s", size, enc, got, err, want)
			}
		}
	}
}

// TestGroupAggregateChangelog: one change per key and batch, and none where nothing changed.
func TestGroupAggregateChangelog(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.Of(types.Int)}
	c := columnsOf(list)
	spec := &op.GroupAggregate{Keys: c[:1], Retracts: true, Names: namesOf(2), Aggs: []op.AggregateCall{aggregateOf(t, "MAX", c[1])}}
	rows := optest.Parse(t, list, `
		1 5
		2 5
		1 3

		1 6
		1 7
		2 4

		-D 2 5
		-D 2 4
		3 1

		-D 4 1
		-U 1 7
		+U 1 7`)
	got, err := optest.Replay(t, spec, rows, 3, optest.Flat)
	want := "1 5\n2 5\n-U 1 5\n+U 1 7\n-D 2 5\n3 1\n"
	if err != nil || got != want {
		t.Errorf("got\n%s%v\nwant\n%s", got, err, want)
	}
}

// phased is an aggregation in two phases, as one operator.
type phased struct {
	local *op.LocalAggregate
	final *op.GroupAggregate
}

func (p phased) String() string { return p.local.String() + p.final.String() }

func (p phased) New() op.Operator {
	final := *p.final
	final.Phase, final.Retracts = op.Final, p.local.Retracts
	final.Keys = columnsOf(p.local.Types()[:len(final.Keys)])
	return &phases{local: p.local.New(), final: final.New()}
}

type phases struct{ local, final op.Operator }

// exchange brings what one operator emits to another.
type exchange struct {
	to  op.Operator
	out op.Output
}

func (e exchange) Emit(b *vector.Batch) error { return e.to.Process(0, b, e.out) }

func (e exchange) Advance(types.EventTime) error { return nil }

func (p *phases) Open(c *op.Context) error {
	if err := p.local.Open(c); err != nil {
		return err
	}
	return p.final.Open(c)
}

func (p *phases) Process(_ int, b *vector.Batch, out op.Output) error {
	return p.local.Process(0, b, exchange{p.final, out})
}

func (p *phases) Advance(t types.EventTime, out op.Output) (types.EventTime, error) {
	return p.local.Advance(t, exchange{p.final, out})
}

func (p *phases) Flush(out op.Output) error {
	return p.local.(op.Holder).Flush(exchange{p.final, out})
}

func (p *phases) Close() error { return nil }

// TestGroupAggregateWithoutUpdateBefore: the last row of each key is its result.
func TestGroupAggregateWithoutUpdateBefore(t *testing.T) {
	c := columnsOf(grouped)
	count := aggregateOf(t, "COUNT")
	filtered := count
	filtered.Filter = lessThan(c[1], 6)
	for name, aggs := range map[string][]op.AggregateCall{
		"counted":     {count, aggregateOf(t, "MAX", c[1]), aggregateOf(t, "MAX", c[3])},
		"not counted": {filtered, aggregateOf(t, "MAX", c[1]), aggregateOf(t, "MAX", c[3])},
	} {
		want := map[string]string{"a": "4 2 x", "b": "2 6 y", `\N`: "2 7 n", "c": `1 \N \N`}
		if name == "not counted" {
			want = map[string]string{"a": "3 2 x", "b": "1 6 y", `\N`: "0 7 n", "c": `0 \N \N`}
		}
		for _, size := range []int{1, 2, 4, 1024} {
			spec := &op.GroupAggregate{Keys: c[:1], Aggs: aggs, Names: namesOf(4), NoUpdateBefore: true}
			out, err := optest.Replay(t, spec, optest.Parse(t, grouped, groupedRows), size, optest.Mixed)
			if err != nil || strings.Contains(out, "-U") {
				t.Fatalf("%s: %v in\n%s", name, err, out)
			}
			got := map[string]string{}
			for line := range strings.Lines(out) {
				key, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "+U "), " ")
				got[key] = rest
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s, batches of %d: %v, want %v", name, size, got, want)
			}
		}
	}
}

// TestReplacedTexts: texts that a newer one replaced do not pile up.
func TestReplacedTexts(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.String()}
	c := columnsOf(list)
	spec := &op.GroupAggregate{Keys: c[:1], Aggs: []op.AggregateCall{aggregateOf(t, "LAST_VALUE", c[1])}, Names: namesOf(2)}
	o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
	must(t, o.Open(x))
	text := &vector.Column{}
	for i := range 4000 {
		text.Reset(list[1], 10)
		w := vector.NewText(text)
		for k := range 10 {
			w.PutString(k, strings.Repeat("long ", 20)+strconv.Itoa(i*10+k))
		}
		w.Finish()
		b := &vector.Batch{Len: 10, Cols: []*vector.Column{vector.ConstOf(list[0], int32(i%3), 10), text}}
		must(t, o.Process(0, b, &sink{}))
	}
	if n := x.Store(spec).Bytes(); n > 3<<20 {
		t.Errorf("%s: %d bytes for three keys", spec, n)
	}
}
