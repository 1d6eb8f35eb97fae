package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// peaks are the first of rows of a window's time, a part of the window, a value and a text.
func peaks(order op.SortKey) (*op.RankTies, []types.Type) {
	list := []types.Type{types.Of(types.BigInt).WithNull(false), types.String(), types.Of(types.BigInt), types.String()}
	c := columnsOf(list)
	order.Expr = c[2]
	return &op.RankTies{Partition: c[:2], Order: order, Time: 0, Types: list, Names: namesOf(4)}, list
}

func TestRankTies(t *testing.T) {
	const in = `
		9 a 5 one
		9 a \N none
		9 b 3 two
		19 a 7 three
		9 a 5 four_of_more_than_twelve_bytes
		9 a 4 five
		9 b 8 six
		9 \N 1 seven
		9 c \N eight
		^8
		9 b 8 nine
		19 a 6 ten
		^9
		9 a 99 late
		19 a 7 eleven
		29 a -9223372036854775808 twelve
		29 a -9223372036854775807 thirteen
		39 a 9223372036854775807 fourteen
		39 a 9223372036854775806 fifteen
		^max`
	most, list := peaks(op.SortKey{Desc: true, NullsLast: true})
	optest.Run(t, optest.Case{Spec: most, Types: list, In: in, Folds: true, Out: `
		19 a 7 eleven
		19 a 7 three
		29 a -9223372036854775807 thirteen
		39 a 9223372036854775807 fourteen
		9 \N 1 seven
		9 a 5 four_of_more_than_twelve_bytes
		9 a 5 one
		9 b 8 nine
		9 b 8 six
		9 c \N eight`})
	least, _ := peaks(op.SortKey{})
	optest.Run(t, optest.Case{Spec: least, Types: list, In: in, Folds: true, Out: `
		19 a 6 ten
		29 a -9223372036854775808 twelve
		39 a 9223372036854775806 fifteen
		9 \N 1 seven
		9 a \N none
		9 b 3 two
		9 c \N eight`})
	whole, _ := peaks(op.SortKey{NullsLast: true})
	whole.Partition = whole.Partition[:1]
	optest.Run(t, optest.Case{Spec: whole, Types: list, In: in, Out: `
		^8
		9 \N 1 seven
		^9
		19 a 6 ten
		29 a -9223372036854775808 twelve
		39 a 9223372036854775806 fifteen
		^9223372036854775807`})
}

// TestLocalRankTies: what goes through the local operator first has the same rows in the end, and few of them.
func TestLocalRankTies(t *testing.T) {
	for _, seed := range seeds(t, 10) {
		spec, list := peaks(op.SortKey{Desc: seed%2 == 0, NullsLast: seed%3 == 0})
		r := rand.New(rand.NewPCG(seed, 5))
		var in strings.Builder
		mark := int64(math.MinInt64)
		for i := range int64(400) {
			value := fmt.Sprint(r.IntN(50))
			if r.IntN(20) == 0 {
				value = `\N`
			}
			fmt.Fprintf(&in, "%d %c %s x%d\n", (i/80+r.Int64N(2))*10+9, 'a'+rune(r.IntN(2)), value, i)
			if m := i/8 - 8; r.IntN(10) == 0 && m > mark {
				mark = m
				fmt.Fprintf(&in, "^%d\n", m)
			}
		}
		in.WriteString("^9223372036854775807\n")
		rows := optest.Parse(t, list, in.String())
		want, err := optest.Replay(t, spec, rows, 1024, optest.Flat)
		must(t, err)
		for _, size := range optest.Sizes {
			less, err := optest.Replay(t, &op.LocalRankTies{RankTies: *spec}, rows, size, optest.Mixed)
			must(t, err)
			got, err := optest.Replay(t, spec, optest.Parse(t, list, less), size, optest.Mixed)
			if must(t, err); optest.Fold(t, got) != optest.Fold(t, want) {
				t.Errorf("seed %d, batches of %d: got\n%s\nwant\n%s", seed, size, got, want)
			}
			if n := strings.Count(less, "x"); n > 200 {
				t.Errorf("seed %d, batches of %d: %d rows of 400 are left", seed, size, n)
			}
		}
	}
}
