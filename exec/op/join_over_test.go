package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
)

// lateJoin says row by row what an interval join gives where rows come behind the watermark: each meets the rows that are not
// over, however long they stay in state, and is kept unless it is over itself; an outer join gives one that is not kept
// alone at once.
type lateJoin struct {
	kind      op.JoinKind
	low, high int64
	mark      int64
	kept      [2][]*lateRow
	out       []string
}

type lateRow struct {
	timedRow
	met bool
}

func (j *lateJoin) text(r *lateRow) string {
	if r == nil {
		return `\N \N \N \N`
	}
	return fmt.Sprintf("%s %d %d %d", r.key, r.t, r.t+j.low, r.t+j.high)
}

// until is when a row is over.
func (j *lateJoin) until(side int, r *lateRow) int64 {
	if side == 0 {
		return r.t - j.low
	}
	return r.t + j.high
}

func (j *lateJoin) add(side int, r *lateRow) {
	for _, p := range j.kept[1-side] {
		pair := [2]*lateRow{r, p}
		if side == 1 {
			pair = [2]*lateRow{p, r}
		}
		if d := pair[0].t - pair[1].t; p.key != r.key || d < j.low || d > j.high {
			continue
		}
		switch {
		case j.kind == op.SemiJoin && !pair[0].met:
			j.out = append(j.out, j.text(pair[0])+"\n")
		case !j.kind.Halves():
			j.out = append(j.out, j.text(pair[0])+" "+j.text(pair[1])+"\n")
		}
		r.met, p.met = true, true
	}
	if j.until(side, r) > j.mark {
		j.kept[side] = append(j.kept[side], r)
		return
	}
	j.alone(side, r)
}

// alone gives a row that found no partner.
func (j *lateJoin) alone(side int, r *lateRow) {
	switch {
	case r.met || !j.kind.GivesAlone(side):
	case j.kind == op.AntiJoin:
		j.out = append(j.out, j.text(r)+"\n")
	case side == 0:
		j.out = append(j.out, j.text(r)+" "+j.text(nil)+"\n")
	default:
		j.out = append(j.out, j.text(nil)+" "+j.text(r)+"\n")
	}
}

// advance forgets what the watermark has passed.
func (j *lateJoin) advance(t int64) {
	j.mark = t
	for side := range j.kept {
		j.kept[side] = slices.DeleteFunc(j.kept[side], func(r *lateRow) bool {
			over := j.until(side, r) <= t
			if over {
				j.alone(side, r)
			}
			return over
		})
	}
}

// TestIntervalJoinLate: a row that is over when it comes meets the rows that are not, and no later one, whichever watermark comes
// between the two, in every kind of join.
func TestIntervalJoinLate(t *testing.T) {
	for _, seed := range seeds(t, 12) {
		r := rand.New(rand.NewPCG(seed, 2))
		low := r.Int64N(900) - 600
		j := lateJoin{kind: joinKinds[seed%6], low: low, high: low + r.Int64N(700), mark: -1 << 40}
		spec, list := intervalJoin(j.kind, j.low, j.high)
		var in strings.Builder
		for i := range atMost(300, 120) {
			side := r.IntN(2)
			row := &lateRow{timedRow: timedRow{string(rune('a' + r.IntN(2))), max(j.mark, 0) + r.Int64N(2000) - 1000}}
			fmt.Fprintf(&in, "%d: %s\n", side, j.text(row))
			j.add(side, row)
			if m := int64(i) * 20; r.IntN(6) == 0 && m > j.mark {
				j.advance(m)
				fmt.Fprintf(&in, "^%d\n", m)
			}
		}
		in.WriteString("^max")
		j.advance(1 << 40)
		slices.Sort(j.out)
		input := optest.ParseInputs(t, list, in.String())
		for _, size := range []int{1, 4, 1024} {
			got, err := optest.Replay(t, spec, input, size, optest.Flat)
			again, err2 := optest.Restarted(t, spec, input, size)
			for _, got := range []string{got, again} {
				if got = optest.Fold(t, got); err != nil || err2 != nil || got != strings.Join(j.out, "") {
					t.Fatalf("seed %d, %s, batches of %d: got\n%s%v\nwant\n%s", seed, spec, size, got, err, j.out)
				}
			}
		}
	}
}
