package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestOverCounted compares places over rows that come and go anywhere with those of the rows that are left.
func TestOverCounted(t *testing.T) {
	big := types.Of(types.BigInt)
	for _, seed := range seeds(t, 8) {
		r := rand.New(rand.NewPCG(seed, 5))
		list := sold[:3]
		spec := overOf(t, list, bounds(false, op.UnboundedPreceding, op.CurrentRow, 0, 0))
		spec.Calls, spec.Names = nil, namesOf(3)
		calls := [][]string{{"RANK"}, {"DENSE_RANK"}, {"DENSE_RANK", "RANK"}, {"ROW_NUMBER", "RANK", "DENSE_RANK"}}[seed%4]
		for _, name := range calls {
			placed(spec, name, big)
		}
		type row struct {
			key  string
			time int
			n    int
		}
		text := func(x row) string { return fmt.Sprintf(`%s 1970-01-01\s00:00:00.%03d %d`, x.key, x.time, x.n) }
		var rows []row
		var in strings.Builder
		for i := range 120 {
			if len(rows) > 0 && r.IntN(3) == 0 {
				k := r.IntN(len(rows))
				in.WriteString("-D " + text(rows[k]) + "\n")
				rows = slices.Delete(rows, k, k+1)
				continue
			}
			x := row{string(rune('a' + r.IntN(2))), r.IntN(9), i}
			if seed%4 == 3 {
				x.time = i * 76 % 121 // no two are equal
			}
			rows = append(rows, x)
			in.WriteString(text(x) + "\n")
		}
		var want strings.Builder
		for _, x := range rows {
			before, keys := 0, map[int]bool{}
			for _, y := range rows {
				if y.key == x.key && y.time < x.time {
					before++
					keys[y.time] = true
				}
			}
			want.WriteString(text(x))
			for _, name := range calls {
				place := before + 1
				if name == "DENSE_RANK" {
					place = len(keys) + 1
				}
				fmt.Fprintf(&want, " %d", place)
			}
			want.WriteString("\n")
		}
		input := optest.Parse(t, list, in.String())
		for _, size := range []int{1, 3, 1024} {
			got, err := optest.Replay(t, spec, input, size, optest.Flat)
			must(t, err)
			again, err := optest.Restarted(t, spec, input, size)
			must(t, err)
			for _, got := range []string{got, again} {
				if got, want := optest.Fold(t, got), optest.Fold(t, want.String()); got != want {
					t.Fatalf("seed %d, %v, batches of %d: got\n%swant\n%s", seed, calls, size, got, want)
				}
			}
		}
	}
}
