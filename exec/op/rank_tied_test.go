package op_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// tiedOf ranks the offers by a function whose places are shared.
func tiedOf(function string, from, to int64, number bool) *op.Rank {
	spec := rankOf(ranked, to)
	spec.Function, spec.From, spec.Number = function, from, number
	return spec
}

func TestRankTied(t *testing.T) {
	for _, c := range []struct {
		function string
		from, to int64
		number   bool
		want     string
	}{
		{"RANK", 1, 2, true, `
			\N 1 seven 1
			a 30 six 2
			a 30 three 2
			a 40 nine 1
			b 5 five 2
			b 5 two 2
			b 7 ten 1`},
		{"RANK", 3, 4, true, "a 20 four_of_more_than_twelve_bytes 4\nb \\N eight 4"},
		{"DENSE_RANK", 1, 2, false, `
			\N 1 seven
			a 30 six
			a 30 three
			a 40 nine
			b 5 five
			b 5 two
			b 7 ten`},
		{"DENSE_RANK", 3, 3, false, "a 20 four_of_more_than_twelve_bytes\nb \\N eight"},
	} {
		spec := tiedOf(c.function, c.from, c.to, c.number)
		optest.Run(t, optest.Case{Spec: spec, Types: ranked, In: offers, Folds: true, Out: c.want})
		spec.Retracts = true
		optest.Run(t, optest.Case{Spec: spec, Types: ranked, In: offers, Folds: true, Out: c.want})
	}
}

// TestRankTiedChanges: rows that keep their place are not given again, and a tie moves none.
func TestRankTiedChanges(t *testing.T) {
	rows := optest.Parse(t, ranked, "a 1 x\na 3 y\na 3 z\na 4 w\na 4 v")
	for _, c := range []struct {
		function       string
		number, before bool
		want           string
	}{
		{"RANK", true, true, "a 1 x 1\n-U a 1 x 1\n+U a 1 x 2\na 3 y 1\n-D a 1 x 2\na 3 z 1\n" +
			"-U a 3 y 1\n+U a 3 y 2\n-U a 3 z 1\n+U a 3 z 2\na 4 w 1\n-D a 3 y 2\n-D a 3 z 2\na 4 v 1\n"},
		{"DENSE_RANK", true, false, "a 1 x 1\n+U a 1 x 2\na 3 y 1\na 3 z 1\n" +
			"-D a 1 x 2\n+U a 3 y 2\n+U a 3 z 2\na 4 w 1\na 4 v 1\n"},
		{"RANK", false, true, "a 1 x\na 3 y\n-D a 1 x\na 3 z\na 4 w\n-D a 3 z\n-D a 3 y\na 4 v\n"},
		{"DENSE_RANK", false, true, "a 1 x\na 3 y\na 3 z\n-D a 1 x\na 4 w\na 4 v\n"},
	} {
		spec := tiedOf(c.function, 1, 2, c.number)
		spec.NoUpdateBefore = !c.before
		got, err := optest.Replay(t, spec, rows, 1, optest.Flat)
		if must(t, err); got != c.want {
			t.Errorf("%s, number %v, -U %v: got\n%swant\n%s", c.function, c.number, c.before, got, c.want)
		}
	}
}

func TestWindowRankTied(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt).WithNull(false), types.Of(types.BigInt), types.String()}
	spec := rankOf(list, 2)
	spec.Windowed, spec.Time, spec.Function = true, 0, "DENSE_RANK"
	optest.Run(t, optest.Case{Spec: spec, Types: list, Folds: true, In: `
		9 1 a
		9 2 b
		9 2 c
		9 3 a_text_of_more_than_twelve_bytes
		^9
		9 9 late
		19 6 d
		^9223372036854775807`, Out: "19 6 d 1\n9 2 b 2\n9 2 c 2\n9 3 a_text_of_more_than_twelve_bytes 1"})
}

// TestRankTiedAgainstLoop: what random changelogs leave is what a plain loop over the rows that are left says, whatever the
// batches, and with a new operator at each of them; a row is taken back before one with its number comes.
func TestRankTiedAgainstLoop(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.Of(types.BigInt), types.String(), types.Of(types.Int)}
	c := columnsOf(list)
	for _, seed := range seeds(t, 24) {
		r := rand.New(rand.NewPCG(seed, 11))
		spec := &op.Rank{Partition: c[:1], Order: []op.SortKey{{Expr: c[1], Desc: seed%2 == 0, NullsLast: true}}, Types: list,
			Names: namesOf(5), Time: -1, Function: []string{"RANK", "DENSE_RANK"}[seed/2%2], Number: seed/4%2 == 0,
			Retracts: seed/8%3 > 0, From: 1 + max(r.Int64N(4)-1, 0)}
		spec.To = spec.From + r.Int64N(4)
		if seed/4%3 == 0 { // whose words are not all there is to keys
			spec.Order = append(spec.Order, op.SortKey{Expr: c[2]})
		}
		copies := seed/8%3 == 2
		var left []tiedOffer
		var log strings.Builder
		for i := range atMost(400, 100) {
			x := tiedOffer{r.IntN(3), r.IntN(7) - 1, []string{"x", "a_text_of_twelve_bytes", "a_text_of_twelve_bytes_too"}[r.IntN(3)], i}
			if copies {
				x.number = r.IntN(2)
			}
			if k := len(left); spec.Retracts && k > 0 && r.IntN(2) == 0 {
				k = r.IntN(k)
				log.WriteString("-U " + left[k].String() + "\n")
				if x.number = left[k].number; r.IntN(3) == 0 {
					left = slices.Delete(left, k, k+1)
					continue
				}
				left = slices.Delete(left, k, k+1)
				log.WriteString("+U ")
			}
			left = append(left, x)
			log.WriteString(x.String() + "\n")
		}
		want := topTied(left, spec)
		rows := optest.Parse(t, list, log.String())
		for _, size := range []int{1, 2, 7, 64, 1024} {
			got, err := optest.Replay(t, spec, rows, size, optest.Mixed)
			if table := optest.Fold(t, got); err != nil || table != want {
				t.Fatalf("seed %d, batches of %d, %s: got\n%s%v\nwant\n%s", seed, size, spec, table, err, want)
			}
			if !copies {
				inKeyOrder(t, got, 3)
			}
			if got, err = optest.Restarted(t, spec, rows, size); err != nil || optest.Fold(t, got) != want {
				t.Fatalf("seed %d, restarted at batches of %d, %s: got\n%s%v\nwant\n%s", seed, size, spec, optest.Fold(t, got), err, want)
			}
		}
	}
}

// tiedOffer is a row: of a partition, with a price, or NULL where it is negative.
type tiedOffer struct {
	key, price int
	name       string
	number     int
}

func (x tiedOffer) String() string {
	price := fmt.Sprint(x.price)
	if x.price < 0 {
		price = `\N`
	}
	return fmt.Sprintf("%d %s %s %d", x.key, price, x.name, x.number)
}

// topTied are the rows that a rank over offers gives, as a loop over all pairs counts places.
func topTied(rows []tiedOffer, spec *op.Rank) string {
	order := func(a, b tiedOffer) int {
		n := cmp.Compare(a.price, b.price)
		switch {
		case n == 0 && len(spec.Order) > 1:
			return strings.Compare(a.name, b.name)
		case (a.price < 0) != (b.price < 0): // NULLs are last
			return -n
		case spec.Order[0].Desc:
			return -n
		}
		return n
	}
	var out []string
	for _, x := range rows {
		before, keys := 0, map[string]bool{}
		for _, y := range rows {
			if y.key == x.key && order(y, x) < 0 {
				before++
				keys[fmt.Sprint(y.price, " ", len(spec.Order) > 1 && y.name != "", y.name[:len(y.name)*(len(spec.Order)-1)])] = true
			}
		}
		place := int64(before) + 1
		if spec.Function == "DENSE_RANK" {
			place = int64(len(keys)) + 1
		}
		if place < spec.From || place > spec.To {
			continue
		}
		line := x.String()
		if spec.Number {
			line += fmt.Sprint(" ", place)
		}
		out = append(out, line+"\n")
	}
	slices.Sort(out)
	return strings.Join(out, "")
}

// inKeyOrder checks that a row with a key comes when there is none with it.
func inKeyOrder(t *testing.T, changelog string, column int) {
	t.Helper()
	there := map[string]bool{}
	for line := range strings.Lines(changelog) {
		cells := strings.Fields(line)
		adds := true
		if kind := cells[0]; kind[0] == '-' || kind[0] == '+' {
			cells, adds = cells[1:], kind[0] == '+'
		}
		if key := cells[column]; there[key] == adds {
			t.Fatalf("number %s: %s", key, line)
		} else {
			there[key] = adds
		}
	}
}

// TestOverRanksTied: ranks in the order of an event time go on where earlier rows are no longer kept.
func TestOverRanksTied(t *testing.T) {
	spec := overOf(t, sold, bounds(true, op.Preceding, op.CurrentRow, 1, 0))
	spec.Time, spec.Calls = op.OverRowtime, spec.Calls[1:2]
	big := types.Of(types.BigInt)
	placed(spec, "RANK", big)
	placed(spec, "DENSE_RANK", big)
	placed(spec, "ROW_NUMBER", big)
	in := sales + "\n^20\na 30 4 8\na 40 1 9\n^35\nb 40 1 10\n^9223372036854775807"
	want := `
		\N 1970-01-01\s00:00:00.001 1 7 1 1 1 1
		a 1970-01-01\s00:00:00.010 1 1 1 1 1 1
		a 1970-01-01\s00:00:00.020 7 5 2 2 2 3
		a 1970-01-01\s00:00:00.020 \N 4 2 2 2 2
		a 1970-01-01\s00:00:00.030 3 3 2 4 3 4
		a 1970-01-01\s00:00:00.030 4 8 2 4 3 5
		a 1970-01-01\s00:00:00.040 1 9 2 6 4 6
		b 1970-01-01\s00:00:00.010 5 2 1 1 1 1
		b 1970-01-01\s00:00:00.015 2 6 2 2 2 2
		b 1970-01-01\s00:00:00.040 1 10 2 3 3 3`
	optest.Run(t, optest.Case{Spec: spec, Types: sold, Folds: true, In: in, Out: want})
	whole := *spec
	whole.Frame = bounds(false, op.UnboundedPreceding, op.CurrentRow, 0, 0)
	whole.Calls = spec.Calls[1:]
	whole.Names = namesOf(7)
	var cut strings.Builder
	for line := range strings.Lines(strings.TrimSpace(want)) {
		cells := strings.Fields(line)
		cut.WriteString(strings.Join(slices.Delete(cells, 4, 5), " ") + "\n")
	}
	optest.Run(t, optest.Case{Spec: &whole, Types: sold, Folds: true, In: in, Out: cut.String()})
	whole.Time = op.NoOverTime // and over rows in any order
	optest.Run(t, optest.Case{Spec: &whole, Types: sold, Folds: true, In: in, Out: cut.String()})
}

// TestOverRanksByTheClock: rows that come by the clock have no equals.
func TestOverRanksByTheClock(t *testing.T) {
	spec := overOf(t, sold, bounds(true, op.Preceding, op.CurrentRow, 1, 0))
	spec.Time, spec.Calls = op.OverProctime, spec.Calls[1:2]
	placed(spec, "RANK", types.Of(types.BigInt))
	placed(spec, "DENSE_RANK", types.Of(types.BigInt))
	want := `
		a 1970-01-01\s00:00:00.010 1 1 1 1 1
		b 1970-01-01\s00:00:00.010 5 2 1 1 1
		a 1970-01-01\s00:00:00.030 3 3 2 2 2
		a 1970-01-01\s00:00:00.020 \N 4 2 3 3
		a 1970-01-01\s00:00:00.020 7 5 2 4 4
		b 1970-01-01\s00:00:00.015 2 6 2 2 2
		\N 1970-01-01\s00:00:00.001 1 7 1 1 1`
	optest.Run(t, optest.Case{Spec: spec, Types: sold, In: sales, Out: want})
}
