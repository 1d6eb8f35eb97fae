package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// rankOf ranks rows of columns key, price, name by the price.
func rankOf(list []types.Type, to int64) *op.Rank {
	c := columnsOf(list)
	return &op.Rank{Partition: c[:1], Order: []op.SortKey{{Expr: c[1], Desc: true, NullsLast: true}}, From: 1, To: to,
		Function: "ROW_NUMBER", Number: true, Types: list, Names: namesOf(len(list) + 1), Time: -1}
}

var ranked = []types.Type{types.String(), types.Of(types.BigInt), types.String()}

const offers = `
	a 10 one
	b 5 two
	a 30 three
	a 20 four_of_more_than_twelve_bytes
	b 5 five
	a 30 six
	\N 1 seven
	b \N eight
	a 40 nine
	b 7 ten`

func TestRank(t *testing.T) {
	spec := rankOf(ranked, 2)
	optest.Run(t, optest.Case{Spec: spec, Types: ranked, In: offers, Folds: true, Out: `
		\N 1 seven 1
		a 30 three 2
		a 40 nine 1
		b 5 two 2
		b 7 ten 1`})
	plain := *spec
	plain.Number = false
	optest.Run(t, optest.Case{Spec: &plain, Types: ranked, In: offers, Folds: true, Out: `
		\N 1 seven
		a 30 three
		a 40 nine
		b 5 two
		b 7 ten`})
	second := *spec
	second.From, second.Number = 2, false
	optest.Run(t, optest.Case{Spec: &second, Types: ranked, In: offers, Folds: true, Out: "a 30 three\nb 5 two"})
	newest := *spec
	newest.To, newest.Newest = 1, true
	optest.Run(t, optest.Case{Spec: &newest, Types: ranked, In: "a 1 x\na 1 y\na 0 z", Folds: true, Out: "a 1 y 1"})
}

// TestRankChanges: a batch of one row changes the places from its own on.
func TestRankChanges(t *testing.T) {
	rows := optest.Parse(t, ranked, "a 1 x\na 3 y\na 2 z\na 0 w")
	for _, c := range []struct {
		number, before bool
		want           string
	}{
		{true, true, "a 1 x 1\n-U a 1 x 1\n+U a 3 y 1\na 1 x 2\n-U a 1 x 2\n+U a 2 z 2\n"},
		{true, false, "a 1 x 1\n+U a 3 y 1\na 1 x 2\n+U a 2 z 2\n"},
		{false, true, "a 1 x\na 3 y\n-D a 1 x\na 2 z\n"},
	} {
		spec := rankOf(ranked, 2)
		spec.Number, spec.NoUpdateBefore = c.number, !c.before
		got, err := optest.Replay(t, spec, rows, 1, optest.Flat)
		if must(t, err); got != c.want {
			t.Errorf("number %v, -U %v: got\n%swant\n%s", c.number, c.before, got, c.want)
		}
	}
	got, err := optest.Replay(t, rankOf(ranked, 2), rows, 4, optest.Flat)
	if must(t, err); got != "a 3 y 1\na 2 z 2\n" {
		t.Errorf("in one batch: got\n%s", got)
	}
}

func TestRankWithoutPartitions(t *testing.T) {
	spec := rankOf(ranked, 3)
	spec.Partition, spec.Number = nil, false
	optest.Run(t, optest.Case{Spec: spec, Types: ranked, In: offers, Folds: true, Out: "a 30 six\na 30 three\na 40 nine"})
	spec.Order = nil
	optest.Run(t, optest.Case{Spec: spec, Types: ranked, In: offers, Out: `
		a 10 one
		b 5 two
		a 30 three`})
	later := *spec
	later.From, later.To, later.Number = 3, 5, true
	optest.Run(t, optest.Case{Spec: &later, Types: ranked, In: offers, Out: `
		a 30 three 3
		a 20 four_of_more_than_twelve_bytes 4
		b 5 five 5`})
	later.To = math.MaxInt64
	optest.Run(t, optest.Case{Spec: &later, Types: ranked, In: "a 1 x\na 1 y\na 1 x\na 0 z", Out: "a 1 x 3\na 0 z 4"})
	spec.To = 0
	optest.Run(t, optest.Case{Spec: spec, Types: ranked, In: offers})
}

func TestRankAtEnd(t *testing.T) {
	spec := rankOf(ranked, math.MaxInt64)
	spec.Partition, spec.AtEnd = nil, true
	in := "a 2 x\na 3 y\na 2 z\na \\N v\na 1 w\n^9223372036854775807"
	for f, places := range map[string]string{"ROW_NUMBER": "12345", "RANK": "12245", "DENSE_RANK": "12234"} {
		spec.Function = f
		rows := []string{"a 3 y", "a 2 x", "a 2 z", "a 1 w", "a \\N v"}
		for i := range rows {
			rows[i] += " " + places[i:i+1] + "\n"
		}
		optest.Run(t, optest.Case{Spec: spec, Types: ranked, In: in, Out: strings.Join(rows, "") + "^9223372036854775807"})
	}
}

// TestWindowRank: rows of a window are given when it is over, and later ones of it are dropped.
func TestWindowRank(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt).WithNull(false), types.Of(types.BigInt), types.String()}
	spec := rankOf(list, 2)
	spec.Windowed, spec.Time = true, 0
	optest.Run(t, optest.Case{Spec: spec, Types: list, In: `
		9 1 a
		9 2 b
		19 5 c
		9 3 a_text_of_more_than_twelve_bytes
		^9
		9 9 late
		19 6 d
		19 4 e
		^9223372036854775807`, Out: `
		9 3 a_text_of_more_than_twelve_bytes 1
		9 2 b 2
		^9
		19 6 d 1
		19 5 c 2
		^9223372036854775807`})
}

// TestRankAgainstSort: what a changelog leaves is what sorting the rows that are left gives.
func TestRankAgainstSort(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.Of(types.Double), types.DecimalOf(20, 2), types.String(),
		types.ArrayOf(types.Of(types.Int))}
	c := columnsOf(list)
	texts := []string{`\N`, `\e`, "x", "x_text_of_more_than_twelve_bytes", "xy"}
	numbers := []string{`\N`, "-1.5", "0.0", "2.5", "1.0E10"}
	orders := [][]op.SortKey{
		{{Expr: c[1]}},
		{{Expr: c[1], Desc: true, NullsLast: true}, {Expr: c[3]}},
		{{Expr: c[3], Desc: true}, {Expr: c[1], NullsLast: true}},
		{{Expr: c[2], Desc: true, NullsLast: true}},
	}
	for _, seed := range seeds(t, 12) {
		r := rand.New(rand.NewPCG(seed, 7))
		order := orders[seed%uint64(len(orders))]
		retracts, number := seed%2 == 1, seed%3 == 0
		from, to := 1+r.Int64N(2), 2+r.Int64N(6)
		if seed >= 8 { // more than a chain holds
			to += 33
		}
		// Numbers make rows different, so that ties are in the order in which they come.
		var left [][]string
		var log strings.Builder
		for i := range 300 {
			if retracts && len(left) > 0 && r.IntN(5) < 2 {
				k := r.IntN(len(left))
				log.WriteString("-D " + strings.Join(left[k], " ") + "\n")
				left = slices.Delete(left, k, k+1)
				continue
			}
			wide := fmt.Sprintf("%d.25", r.IntN(5))
			if r.IntN(4) == 0 {
				wide = "123456789012345678.25"
			}
			cells := []string{fmt.Sprint(r.IntN(4)), numbers[r.IntN(5)], wide, texts[r.IntN(5)], fmt.Sprintf("[%d]", i)}
			left = append(left, cells)
			log.WriteString(strings.Join(cells, " ") + "\n")
		}
		want := topOf(left, order, from, to, number, numbers, texts)
		spec := &op.Rank{Partition: c[:1], Order: order, From: from, To: to, Function: "ROW_NUMBER", Number: number, Types: list,
			Names: namesOf(6), Retracts: retracts, Time: -1}
		for _, size := range []int{1, 7, 64, 1024} {
			got, err := optest.Replay(t, spec, optest.Parse(t, list, log.String()), size, optest.Mixed)
			if got = optest.Fold(t, got); err != nil || got != want {
				t.Fatalf("seed %d, batches of %d, %s: got\n%s%v\nwant\n%s", seed, size, spec, got, err, want)
			}
		}
	}
}

// topOf is what ranks give of rows, sorted by text.
func topOf(rows [][]string, order []op.SortKey, from, to int64, number bool, numbers, texts []string) string {
	parts := map[string][][]string{}
	for _, r := range rows {
		parts[r[0]] = append(parts[r[0]], r)
	}
	var out []string
	for _, p := range parts {
		slices.SortStableFunc(p, func(a, b []string) int {
			for _, k := range order {
				at := k.Expr.(*expr.Column).Index
				if n := compareCells(a[at], b[at], k, at, numbers, texts); n != 0 {
					return n
				}
			}
			return 0
		})
		for i := from - 1; i < min(to, int64(len(p))); i++ {
			line := strings.Join(p[i], " ")
			if number {
				line += fmt.Sprint(" ", i+1)
			}
			out = append(out, line+"\n")
		}
	}
	slices.Sort(out)
	return strings.Join(out, "")
}

func compareCells(a, b string, k op.SortKey, at int, numbers, texts []string) int {
	if a == b {
		return 0
	}
	if a == `\N` || b == `\N` {
		if (a == `\N`) != k.NullsLast {
			return -1
		}
		return 1
	}
	rank := func(s string) int {
		switch at {
		case 1:
			return slices.Index(numbers, s)
		case 3:
			return slices.Index(texts, s)
		}
		if len(s) > 10 {
			return 100
		}
		return int(s[0])
	}
	n := rank(a) - rank(b)
	if k.Desc {
		n = -n
	}
	return n
}

// TestRankCountsUnmatched: what was never there is not taken back.
func TestRankCountsUnmatched(t *testing.T) {
	spec := rankOf(ranked, 2)
	spec.Retracts = true
	optest.Run(t, optest.Case{Spec: spec, Types: ranked, Folds: true, In: `
		a 1 x
		a 2 y
		a 2 y
		-D a 9 never
		-D a 2 y
		-U a 1 x
		+U a 3 x`, Out: "a 2 y 2\na 3 x 1"})
}
