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

// spans are rows with a key and a time from and to which they hold, instants rows with a key and a time.
var spans, instants = []types.Type{types.Of(types.BigInt), types.TimestampOf(3), types.TimestampOf(3)},
	[]types.Type{types.Of(types.BigInt), types.TimestampOf(3), types.String()}

// spanJoin joins instants with the spans that they are in, and says when either finds no partner any more.
func spanJoin(kind op.JoinKind) *op.Join {
	spec := equiJoin(kind, spans, instants)
	all := columnsOf(append(append([]types.Type{}, spans...), instants...))
	atMost := func(a, b expr.Expr) expr.Expr {
		return &expr.Call{Fn: function.Must("<="), List: []expr.Expr{a, b}, T: types.Of(types.Boolean), Pos: -1}
	}
	spec.Residual = []expr.Expr{atMost(all[1], all[4]), atMost(all[4], all[2])}
	spec.Until = [2][]op.Until{{{Time: all[2]}}, {{Time: columnsOf(instants)[1]}}}
	return spec
}

// TestJoinExpires: of rows that are not late joins give the same whether they forget those that the watermark passed or
// not.
func TestJoinExpires(t *testing.T) {
	lists := [][]types.Type{spans, instants}
	for _, seed := range seeds(t, 4) {
		r := rand.New(rand.NewPCG(seed, 7))
		var log strings.Builder
		now := int64(0)
		for range atMost(300, 120) {
			now += int64(r.IntN(60))
			at := func() string {
				if r.IntN(12) == 0 {
					return `\N`
				}
				return fmt.Sprint(now + int64(r.IntN(100)))
			}
			switch r.IntN(5) {
			case 0:
				to := fmt.Sprint(now + int64(r.IntN(900)))
				fmt.Fprintf(&log, "0: %d %s %s\n", r.IntN(4), at(), to)
			case 1:
				fmt.Fprintf(&log, "^%d\n", now-1)
			default:
				fmt.Fprintf(&log, "1: %d %s x\n", r.IntN(4), at())
			}
		}
		for _, kind := range joinKinds {
			kept, expires := spanJoin(kind), spanJoin(kind)
			kept.Until = [2][]op.Until{}
			for _, size := range []int{1, 1024} {
				want, err := optest.Replay(t, kept, optest.ParseInputs(t, lists, log.String()), size, optest.Mixed)
				must(t, err)
				got, err := optest.Replay(t, expires, optest.ParseInputs(t, lists, log.String()), size, optest.Mixed)
				must(t, err)
				if got, want = optest.Fold(t, got), optest.Fold(t, want); got != want {
					t.Errorf("seed %d, %s, batches of %d: got\n%s\nwant\n%s", seed, kind, size, got, want)
				}
				got, err = optest.Restarted(t, expires, optest.ParseInputs(t, lists, log.String()), size)
				if got = optest.Fold(t, got); err != nil || got != want {
					t.Errorf("seed %d, %s, batches of %d, started anew: got\n%s%v\nwant\n%s", seed, kind, size, got, err, want)
				}
			}
		}
	}
}

// TestJoinExpiresState: a row goes when the watermark is behind its time, with its key when no other row has it, and one
// that has no time goes at once.
func TestJoinExpiresState(t *testing.T) {
	spec := spanJoin(op.LeftJoin)
	spec.Until[1][0].Delay = time.Second
	o := spec.New()
	x := &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
	must(t, o.Open(x))
	out := &kinds{}
	row := func(side int, key int64, times ...int64) {
		cols := []*vector.Column{vector.OfSlice(types.Of(types.BigInt), []int64{key})}
		for _, at := range times {
			cols = append(cols, vector.OfSlice(types.TimestampOf(3), []int64{at}))
		}
		if side == 1 {
			none := &vector.Column{}
			none.SetConstNull(types.String(), 1)
			cols = append(cols, none)
		}
		must(t, o.Process(side, &vector.Batch{Len: 1, Cols: cols}, out))
	}
	state := func(when string, keys, left, right int64) {
		t.Helper()
		want := map[string]int64{"keys": keys, "left rows": left, "right rows": right}
		for _, u := range x.State.Usage() {
			if u.Keys != want[u.Table] {
				t.Errorf("%s: %d of %s, want %d", when, u.Keys, u.Table, want[u.Table])
			}
		}
	}
	advance := func(at types.EventTime) {
		_, err := o.Advance(at, out)
		must(t, err)
	}
	row(0, 1, 0, 5000)
	row(1, 1, 100)
	row(1, 2, 200)
	none := []*vector.Column{vector.OfSlice(types.Of(types.BigInt), []int64{3}), {}, {}}
	none[1].SetConstNull(types.TimestampOf(3), 1)
	none[2].SetConstNull(types.TimestampOf(3), 1)
	must(t, o.Process(0, &vector.Batch{Len: 1, Cols: none}, out))
	state("at first", 3, 2, 2)
	advance(1000)
	state("without a time", 2, 1, 2)
	advance(2000)
	state("behind the instants", 1, 1, 0)
	row(1, 1, 5000)
	advance(5000)
	state("at the end of the span", 1, 1, 1)
	advance(5200)
	state("behind the span", 1, 0, 1)
}
