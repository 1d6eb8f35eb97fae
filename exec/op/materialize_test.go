package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func materializer(list []types.Type, key ...int) *op.SinkMaterializer {
	return &op.SinkMaterializer{Key: key, Names: namesOf(len(list)), Types: list, UpdateBefore: true}
}

// TestSinkMaterializer: the last row of a key that is left is the key's row.
func TestSinkMaterializer(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.String(), types.ArrayOf(types.Of(types.Int))}
	optest.Run(t, optest.Case{Spec: materializer(list, 0), Types: list, Folds: true,
		In: `
			1 a [1]
			1 b [2]
			2 a_text_that_is_not_short [1,NULL]
			-U 1 a [1]
			+U 3 a [1]
			1 c \N
			-D 1 c \N
			2 x []
			-D 2 x []
			-D 3 a [1]
			4 q [7]`,
		Out: `
			1 b [2]
			2 a_text_that_is_not_short [1,NULL]
			4 q [7]`})
	// Row by row.
	in := "1 a [1]\n1 b [1]\n-D 1 a [1]\n1 b [1]\n-D 1 b [1]\n1 c [2]\n-D 1 c [2]\n-D 1 b [1]\n-D 1 b [1]\n"
	spec := materializer(list, 0)
	spec.UpdateBefore = false
	got, err := optest.Replay(t, spec, optest.Parse(t, list, in), 1, optest.Flat)
	if want := "1 a [1]\n+U 1 b [1]\n+U 1 c [2]\n+U 1 b [1]\n-D 1 b [1]\n"; err != nil || strings.ReplaceAll(got, "+I ", "") != want {
		t.Errorf("got\n%s%v\nwant\n%s", got, err, want)
	}
}

// TestSinkMaterializerAgainstLists: the last of the rows that are left of each key, whatever the batches.
func TestSinkMaterializerAgainstLists(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt), types.String(), types.Of(types.Int)}
	for _, seed := range seeds(t, 4) {
		r := rand.New(rand.NewPCG(seed, 2))
		left := map[int][]string{}
		var log strings.Builder
		for range 500 {
			k := r.IntN(6)
			if n := len(left[k]); n > 0 && r.IntN(5) < 2 {
				row := left[k][r.IntN(n)]
				// Of equal rows the one that came first goes.
				i := slices.Index(left[k], row)
				left[k] = slices.Delete(left[k], i, i+1)
				log.WriteString("-D " + row)
				continue
			}
			row := fmt.Sprintf("%d %s %d\n", k, []string{"a", `\N`, "a_text_of_more_than_twelve_bytes"}[r.IntN(3)], r.IntN(3))
			left[k] = append(left[k], row)
			log.WriteString(row)
		}
		var want []string
		for _, rows := range left {
			if n := len(rows); n > 0 {
				want = append(want, rows[n-1])
			}
		}
		slices.Sort(want)
		rows := optest.Parse(t, list, log.String())
		for _, size := range []int{1, 3, 64, 1024} {
			got, err := optest.Replay(t, materializer(list, 0), rows, size, optest.Mixed)
			if got = optest.Fold(t, got); err != nil || got != strings.Join(want, "") {
				t.Fatalf("seed %d, batches of %d: got\n%s%v\nwant\n%s", seed, size, got, err, strings.Join(want, ""))
			}
		}
		optest.Run(t, optest.Case{Spec: materializer(list, 0), Types: list, Folds: true, In: log.String(), Out: strings.Join(want, "")})
	}
}

// TestSinkMaterializerForgets: keys live as long as something comes of them, and what was never there is counted.
func TestSinkMaterializerForgets(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.Of(types.BigInt)}
	spec := materializer(list, 0)
	spec.TTL = time.Second
	now := time.UnixMilli(1_700_000_000_000)
	o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}
	must(t, o.Open(x))
	out := &kinds{}
	row := func(k int32, v int64, kind vector.RowKind) {
		must(t, o.Process(0, &vector.Batch{Len: 1, Kinds: []vector.RowKind{kind},
			Cols: []*vector.Column{vector.OfSlice(list[0], []int32{k}), vector.OfSlice(list[1], []int64{v})}}, out))
	}
	row(1, 1, vector.Insert)
	row(1, 2, vector.Insert)
	now = now.Add(900 * time.Millisecond)
	row(1, 3, vector.Insert)
	now = now.Add(1100 * time.Millisecond)
	row(1, 4, vector.Insert)
	row(1, 3, vector.Delete)
	row(1, 4, vector.Delete)
	if got, want := out.b.String(), "+I1 -U1 +U2 -U2 +U3 +I4 -D4 "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := o.(op.Counted).Counters()[0].Value; n != 1 {
		t.Errorf("%d unmatched retractions", n)
	}
	for _, u := range x.State.Usage() {
		if u.Keys != 0 {
			t.Errorf("%d keys are left in %s", u.Keys, u.Table)
		}
	}
}
