package op_test

import (
	"fmt"
	"math/rand/v2"
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

// randomUnique are rows of both sides: those of a side that is unique have a key each, or none.
func randomUnique(seed uint64, unique [2]bool) string {
	r := rand.New(rand.NewPCG(seed, 21))
	keys := [2][]int{r.Perm(60), r.Perm(60)}
	var log strings.Builder
	for range 120 {
		side := r.IntN(2)
		key := fmt.Sprint(r.IntN(60))
		if unique[side] {
			if len(keys[side]) == 0 {
				continue
			}
			key, keys[side] = fmt.Sprint(keys[side][0]), keys[side][1:]
		}
		if r.IntN(12) == 0 {
			key = `\N`
		}
		fmt.Fprintf(&log, "%d: %s %d", side, key, r.IntN(100))
		if side == 1 {
			log.WriteString([]string{" x", ` \N`, " a_text_of_more_than_twelve_bytes"}[r.IntN(3)])
		}
		log.WriteByte('\n')
	}
	return log.String()
}

// TestJoinUntilMet: a join gives the same whether it keeps rows that met the one partner that they can have or not, be it
// that the residual condition held or not.
func TestJoinUntilMet(t *testing.T) {
	big := types.Of(types.BigInt)
	list := [][]types.Type{{big, big}, {big, big, types.String()}}
	all := columnsOf(append(append([]types.Type{}, list[0]...), list[1]...))
	for _, seed := range seeds(t, 3) {
		for _, unique := range [][2]bool{{true, false}, {false, true}, {true, true}} {
			log := randomUnique(seed, unique)
			for _, kind := range joinKinds {
				kept := equiJoin(kind, list[0], list[1])
				if seed > 0 {
					kept.Residual = append(kept.Residual, less(all[1], all[3]))
				}
				met := *kept
				met.Unique = unique
				for _, size := range []int{1, 7} {
					want, err := optest.Replay(t, kept, optest.ParseInputs(t, list, log), size, optest.Mixed)
					must(t, err)
					got, err := optest.Replay(t, &met, optest.ParseInputs(t, list, log), size, optest.Mixed)
					must(t, err)
					if got, want = optest.Fold(t, got), optest.Fold(t, want); got != want {
						t.Errorf("seed %d, %s, batches of %d: got\n%s\nwant\n%s", seed, kind, size, got, want)
					}
					got, err = optest.Restarted(t, &met, optest.ParseInputs(t, list, log), size)
					if got = optest.Fold(t, got); err != nil || got != want {
						t.Errorf("seed %d, %s, batches of %d, started anew: got\n%s%v\nwant\n%s", seed, kind, size, got, err, want)
					}
				}
			}
		}
	}
}

// TestJoinClosesKeys: a join gives the same whether the conditions on one side are tested when its rows come, which then
// close their keys, or with those of the other side.
func TestJoinClosesKeys(t *testing.T) {
	big := types.Of(types.BigInt)
	list := [][]types.Type{{big, big}, {big, big, types.String()}}
	all := columnsOf(append(append([]types.Type{}, list[0]...), list[1]...))
	fifty := expr.NewConst(vector.ConstOf(big, int64(50), 1), "50")
	for _, seed := range seeds(t, 3) {
		for _, unique := range [][2]bool{{true, false}, {false, true}, {true, true}} {
			log := randomUnique(seed, unique)
			for _, kind := range joinKinds {
				kept := equiJoin(kind, list[0], list[1])
				kept.Residual = []expr.Expr{less(all[1], fifty), less(fifty, all[3])}
				if seed > 0 {
					ninety := expr.NewConst(vector.ConstOf(big, int64(90), 1), "90")
					kept.Residual = append(kept.Residual, less(all[3], ninety), less(all[1], all[3]))
				}
				kept.Output = []int{0, 3}
				if kept.Names = namesOf(2); kind.Halves() {
					kept.Output, kept.Names = []int{0}, namesOf(1)
				}
				closes := *kept
				closes.Unique = unique
				for _, size := range []int{1, 7} {
					want, err := optest.Replay(t, kept, optest.ParseInputs(t, list, log), size, optest.Mixed)
					must(t, err)
					got, err := optest.Replay(t, &closes, optest.ParseInputs(t, list, log), size, optest.Mixed)
					must(t, err)
					if got, want = optest.Fold(t, got), optest.Fold(t, want); got != want {
						t.Errorf("seed %d, %s, %v, batches of %d: got\n%s\nwant\n%s", seed, kind, unique, size, got, want)
					}
					got, err = optest.Restarted(t, &closes, optest.ParseInputs(t, list, log), size)
					if got = optest.Fold(t, got); err != nil || got != want {
						t.Errorf("seed %d, %s, %v, batches of %d, started anew: got\n%s%v\nwant\n%s",
							seed, kind, unique, size, got, err, want)
					}
				}
			}
		}
	}
}

// TestJoinClosesKeysState: of a row that fails the key alone is kept, and of those that wait for it nothing.
func TestJoinClosesKeysState(t *testing.T) {
	big := types.Of(types.BigInt)
	list := []types.Type{big, big}
	spec := equiJoin(op.LeftJoin, list, list)
	spec.Unique = [2]bool{false, true}
	spec.Residual = []expr.Expr{less(columnsOf(append(list, list...))[3], expr.NewConst(vector.ConstOf(big, int64(5), 1), "5"))}
	o := spec.New()
	x := &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
	must(t, o.Open(x))
	for _, step := range []struct{ side, key, value, keys, left, right int64 }{
		{0, 1, 7, 1, 1, 0}, {1, 1, 9, 1, 0, 0}, {0, 1, 7, 1, 0, 0}, {1, 2, 9, 2, 0, 0}, {0, 2, 7, 2, 0, 0},
		{1, 3, 1, 3, 0, 1}, {0, 4, 7, 4, 1, 1},
	} {
		cols := []*vector.Column{vector.OfSlice(big, []int64{step.key}), vector.OfSlice(big, []int64{step.value})}
		must(t, o.Process(int(step.side), &vector.Batch{Len: 1, Cols: cols}, &kinds{}))
		want := map[string]int64{"keys": step.keys, "left rows": step.left, "right rows": step.right}
		for _, u := range x.State.Usage() {
			if u.Keys != want[u.Table] {
				t.Errorf("%v: %d of %s, want %d", step, u.Keys, u.Table, want[u.Table])
			}
		}
	}
}

// TestJoinUntilMetExpires: rows that wait still go by the watermark.
func TestJoinUntilMetExpires(t *testing.T) {
	lists := [][]types.Type{spans, instants}
	for _, seed := range seeds(t, 2) {
		r := rand.New(rand.NewPCG(seed, 8))
		var log strings.Builder
		now, next := int64(0), 0
		for range atMost(300, 120) {
			now += int64(r.IntN(60))
			switch r.IntN(5) {
			case 0:
				fmt.Fprintf(&log, "0: %d %d %d\n", next, now+int64(r.IntN(100)), now+int64(r.IntN(900)))
				next++
			case 1:
				fmt.Fprintf(&log, "^%d\n", now-1)
			default:
				fmt.Fprintf(&log, "1: %d %d x\n", max(next-2, 0)+r.IntN(4), now+int64(r.IntN(100)))
			}
		}
		for _, kind := range joinKinds {
			for _, once := range []bool{false, true} {
				kept, met := spanJoin(kind), spanJoin(kind)
				kept.Once, met.Once, met.Unique = once, once, [2]bool{true, false}
				for _, size := range []int{1, 1024} {
					want, err := optest.Replay(t, kept, optest.ParseInputs(t, lists, log.String()+"^max\n"), size, optest.Mixed)
					must(t, err)
					got, err := optest.Restarted(t, met, optest.ParseInputs(t, lists, log.String()+"^max\n"), size)
					if got, want = optest.Fold(t, got), optest.Fold(t, want); err != nil || got != want {
						t.Errorf("seed %d, %s, once %v, batches of %d: got\n%s%v\nwant\n%s", seed, kind, once, size, got, err, want)
					}
				}
			}
		}
	}
}

// TestJoinUntilMetState: rows wait for their partner and go with it; a key stays while one side has rows.
func TestJoinUntilMetState(t *testing.T) {
	big := types.Of(types.BigInt)
	list := []types.Type{big, big}
	for _, c := range []struct {
		unique            [2]bool
		keys, left, right int64
	}{{[2]bool{true, false}, 3, 2, 1}, {[2]bool{false, true}, 3, 1, 2}, {[2]bool{true, true}, 2, 1, 1}, {[2]bool{}, 3, 2, 2}} {
		spec := equiJoin(op.InnerJoin, list, list)
		spec.Unique = c.unique
		o := spec.New()
		x := &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
		must(t, o.Open(x))
		for _, row := range [][2]int64{{0, 1}, {1, 1}, {1, 2}, {0, 3}} {
			cols := []*vector.Column{vector.OfSlice(big, []int64{row[1]}), vector.OfSlice(big, []int64{7})}
			must(t, o.Process(int(row[0]), &vector.Batch{Len: 1, Cols: cols}, &kinds{}))
		}
		want := map[string]int64{"keys": c.keys, "left rows": c.left, "right rows": c.right}
		for _, u := range x.State.Usage() {
			if u.Keys != want[u.Table] {
				t.Errorf("unique %v: %d of %s, want %d", c.unique, u.Keys, u.Table, want[u.Table])
			}
		}
	}
}
