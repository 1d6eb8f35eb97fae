package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

var priced = []types.Type{types.Of(types.BigInt), types.TimestampOf(3)}

// bests are those of windows of 10 ms that end up to 10 ms after a row: its own, and the one that ends when it comes.
func bests(least bool) *op.MaximumFilter {
	return &op.MaximumFilter{Value: 0, Time: 1, Names: []string{"price", "ts"}, Window: op.Window{Kind: op.Tumble, Size: 10},
		After: 10 * time.Millisecond, Least: least}
}

func TestMaximumFilter(t *testing.T) {
	row := func(v, ms int64) string { return fmt.Sprintf("%d %s\n", v, at(ms)) }
	for name, c := range map[string]struct {
		least   bool
		in, out string
	}{
		"lower ones go, ties stay": {in: "5 1\n3 2\n5 3\n7 4\n5 5\n", out: row(5, 1) + row(5, 3) + row(7, 4)},
		"the least":                {least: true, in: "5 1\n3 2\n5 3\n3 4\n", out: row(5, 1) + row(3, 2) + row(3, 4)},
		"each window has its own":  {in: "5 1\n3 11\n2 9\n1 12\n", out: row(5, 1) + row(3, 11)},
		// At 10 the first window, of at most 4, is asked about too, and after it is over.
		"the end of the window": {in: "4 1\n9 11\n4 10\n3 10\n^9\n4 10\n3 10\n", out: row(4, 1) + row(9, 11) + row(4, 10) + "^9\n" + row(4, 10)},
		"a late row":            {in: "4 1\n^30\n3 1\n2 31\n1 31\n", out: row(4, 1) + "^30\n" + row(3, 1) + row(2, 31)},
		"NULL":                  {in: "4 1\n\\N 2\n1 \\N\n2 3\n", out: row(4, 1) + "\\N " + at(2) + "\n1 \\N\n"},
	} {
		got, err := optest.Replay(t, bests(c.least), optest.Parse(t, priced, c.in), 1024, optest.Mixed)
		if err != nil || got != c.out {
			t.Errorf("%s: got\n%s%v\nwant\n%s", name, got, err, c.out)
		}
	}
}

// TestMaximumFilterKeeps: of random rows none goes that is the maximum of a window that it is asked about, where rows that
// are late for a window do not count in it.
func TestMaximumFilterKeeps(t *testing.T) {
	for _, seed := range seeds(t, 20) {
		r := rand.New(rand.NewPCG(seed, 3))
		var log strings.Builder
		best := map[int64]int64{}
		var rows [][2]int64
		now, mark := int64(0), int64(-1)
		for range 400 {
			now += int64(r.IntN(3))
			v, ms := int64(r.IntN(30)), now-int64(r.IntN(15))
			end := ms - ((ms%10)+10)%10 + 10
			if mark < end-1 {
				if b, ok := best[end]; !ok || v > b {
					best[end] = v
				}
			}
			rows = append(rows, [2]int64{v, ms})
			fmt.Fprintf(&log, "%d %d\n", v, ms)
			if r.IntN(9) == 0 && now-8 > mark {
				mark = now - 8
				fmt.Fprintf(&log, "^%d\n", mark)
			}
		}
		for _, size := range []int{1, 3, 1024} {
			got, err := optest.Replay(t, bests(false), optest.Parse(t, priced, log.String()), size, optest.Mixed)
			must(t, err)
			passed := map[string]int{}
			for line := range strings.Lines(got) {
				passed[strings.TrimSpace(line)]++
			}
			for _, row := range rows {
				v, ms := row[0], row[1]
				end := ms - ((ms%10)+10)%10 + 10
				mine, ok := best[end]
				other, also := best[end-10]
				if ok && v == mine || also && end-10 == ms && v == other {
					line := fmt.Sprintf("%d %s", v, at(ms))
					if passed[line]--; passed[line] < 0 {
						t.Fatalf("seed %d, batches of %d: %s was dropped", seed, size, line)
					}
				}
			}
		}
	}
}
