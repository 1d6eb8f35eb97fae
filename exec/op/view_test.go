package op_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// seen are the rows of a view from the top-th on, as text.
func seen(v *op.View, top, n int) []string {
	var out []string
	b := v.Rows(top, n)
	for i := range b.Len {
		out = append(out, strings.TrimPrefix(string(text.AppendRow(nil, b, i)), "+I"))
	}
	return out
}

// numberChange is a change of a row of one number.
func numberChange(kind vector.RowKind, list ...int32) *vector.Batch {
	kinds := slices.Repeat([]vector.RowKind{kind}, len(list))
	return &vector.Batch{Len: len(list), Kinds: kinds, Cols: []*vector.Column{vector.OfSlice(types.Of(types.Int), list)}}
}

// TestViewPlaces: rows that change stay in their places, equal ones are told apart by their number.
func TestViewPlaces(t *testing.T) {
	v := op.NewView([]types.Type{types.Of(types.Int)}, nil, 1000, 0)
	for _, step := range []struct {
		kind vector.RowKind
		list []int32
		want string
	}{
		{vector.Insert, []int32{1, 2, 3, 2}, "[1][2][3][2]"},
		{vector.UpdateBefore, []int32{1, 3}, "[2][2]"},
		{vector.UpdateAfter, []int32{10, 30}, "[10][2][30][2]"},
		{vector.Delete, []int32{2}, "[10][2][30]"},
		{vector.Delete, []int32{2}, "[10][30]"},
		{vector.Insert, []int32{4, 5, 6}, "[10][5][30][4][6]"},
	} {
		if err := v.Take(numberChange(step.kind, step.list...)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(seen(v, 0, 100), ""); got != step.want || v.Len() != strings.Count(step.want, "[") {
			t.Errorf("%s %v: %d rows, %s, want %s", step.kind, step.list, v.Len(), got, step.want)
		}
	}
	if got := seen(v, 3, 1); !reflect.DeepEqual(got, []string{"[4]"}) {
		t.Errorf("from the third on: %q", got)
	}
	if err := v.Take(numberChange(vector.Delete, 99)); err == nil || !strings.Contains(err.Error(), "-D[99]") {
		t.Errorf("a row went that never was: %v", err)
	}
}

// TestViewAgainstLists: a view holds what a list holds to which the same changes were applied, with a key or without, of
// all kinds of columns, in any batches.
func TestViewAgainstLists(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt), types.String(), types.ArrayOf(types.Of(types.Int)), types.DecimalOf(30, 2)}
	for _, seed := range seeds(t, 6) {
		r := rand.New(rand.NewPCG(seed, 9))
		keyed := seed%2 == 0
		var log strings.Builder
		var have []string // rows as the log has them
		row := func(k int) string {
			return fmt.Sprintf("%d t%d [%d,NULL] %d.00", k, r.IntN(3), r.IntN(2), r.IntN(3))
		}
		key := func(row string) string { k, _, _ := strings.Cut(row, " "); return k }
		for range 400 {
			k, x := r.IntN(40), ""
			x = row(k)
			at := slices.IndexFunc(have, func(o string) bool { return key(o) == key(x) })
			switch {
			case keyed && at >= 0 && r.IntN(3) == 0, !keyed && at >= 0 && r.IntN(2) == 0:
				fmt.Fprintf(&log, "-D %s\n", have[at])
				have = slices.Delete(have, at, at+1)
			case keyed && at >= 0:
				fmt.Fprintf(&log, "+U %s\n", x)
				have[at] = x
			default:
				fmt.Fprintf(&log, "+I %s\n", x)
				have = append(have, x)
			}
		}
		for _, size := range []int{1, 3, 100} {
			var by []int
			if keyed {
				by = []int{0}
			}
			got, want := make([]string, 0), slices.Clone(have)
			for line := range strings.Lines(viewed(t, list, by, log.String(), size, optest.Encodings[int(seed)%len(optest.Encodings)])) {
				got = append(got, strings.TrimSpace(strings.TrimPrefix(line, "+I ")))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, batches of %d:\n%v\nwant\n%v", seed, size, got, want)
			}
		}
	}
}

// viewed are the rows of a changelog's table.
func viewed(t *testing.T, list []types.Type, by []int, log string, size int, enc optest.Encoding) string {
	out, err := optest.Replay(t, &looking{list, by}, optest.Parse(t, list, log), size, enc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// looking is an operator that gives its rows when no more come.
type looking struct {
	types []types.Type
	key   []int
}

func (l *looking) String() string { return "View" }

func (l *looking) New() op.Operator { return &looker{view: op.NewView(l.types, l.key, 1000, 0)} }

type looker struct{ view *op.View }

func (l *looker) Open(*op.Context) error                            { return nil }
func (l *looker) Process(_ int, b *vector.Batch, _ op.Output) error { return l.view.Take(b) }
func (l *looker) Close() error                                      { return nil }
func (l *looker) Advance(at types.EventTime, _ op.Output) (types.EventTime, error) {
	return at, nil
}

// Flush implements op.Holder.
func (l *looker) Flush(out op.Output) error {
	for i := range l.view.Len() {
		if err := out.Emit(l.view.Rows(i, 1)); err != nil {
			return err
		}
	}
	return nil
}

// TestViewIsFull: rows beyond those that are kept are left out, and go without a word.
func TestViewIsFull(t *testing.T) {
	for _, key := range [][]int{nil, {0}} {
		v := op.NewView([]types.Type{types.Of(types.Int)}, key, 3, 0)
		for _, b := range []*vector.Batch{numberChange(vector.Insert, 1, 2, 3), numberChange(vector.Insert, 4, 5),
			numberChange(vector.Delete, 4, 2)} {
			if err := v.Take(b); err != nil {
				t.Fatal(err)
			}
		}
		if got := seen(v, 0, 10); !v.Full() || !reflect.DeepEqual(got, []string{"[1]", "[3]"}) {
			t.Errorf("by %v: full: %t, %q", key, v.Full(), got)
		}
	}
	v := op.NewView([]types.Type{types.Of(types.Int)}, []int{}, 10, 0)
	if err := v.Take(numberChange(vector.UpdateAfter, 1, 2, 7)); err != nil || v.Len() != 1 || seen(v, 0, 5)[0] != "[7]" {
		t.Errorf("%d rows of one, %v", v.Len(), err)
	}
	v = op.NewView([]types.Type{types.Of(types.Int)}, nil, 1<<20, 1<<10)
	err := error(nil)
	for i := int32(0); i < 100_000 && err == nil; i++ {
		err = v.Take(numberChange(vector.Insert, i))
	}
	if err == nil || !strings.Contains(err.Error(), "the result exceeds 'state.memory-limit'") {
		t.Errorf("a view without end: %v", err)
	}
}

// TestViewOfAppends: rows that only come have their places whenever they are looked at, and go from them.
func TestViewOfAppends(t *testing.T) {
	v := op.NewView([]types.Type{types.Of(types.Int)}, nil, 1<<20, 0)
	const n = 5000
	for i := int32(0); i < n; i += 2 {
		if err := v.Take(numberChange(vector.Insert, i, i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if got := seen(v, 1, 2); v.Len() != n || !reflect.DeepEqual(got, []string{"[1]", "[2]"}) {
		t.Errorf("%d rows, %q", v.Len(), got)
	}
	at := int32(0)
	err := v.Each(700, func(b *vector.Batch) error {
		for _, x := range vector.Values[int32](b.Cols[0]) {
			if x != at {
				t.Fatalf("%d in the place of %d", x, at)
			}
			at++
		}
		return nil
	})
	if err != nil || at != n {
		t.Errorf("%d rows, %v", at, err)
	}
	if err := v.Take(numberChange(vector.Delete, 3, n-1)); err != nil {
		t.Fatal(err)
	}
	if err := v.Take(numberChange(vector.Insert, -1)); err != nil {
		t.Fatal(err)
	}
	if got := seen(v, 2, 2); v.Len() != n-1 || !reflect.DeepEqual(got, []string{"[2]", "[-1]"}) {
		t.Errorf("%d rows, %q", v.Len(), got)
	}
}

// BenchmarkViewOfAppends is what a row costs that only comes, of three columns and in a view without a key.
func BenchmarkViewOfAppends(b *testing.B) {
	const n = 1000
	number := types.Of(types.BigInt)
	list := make([]int64, n)
	col := vector.OfSlice(number, list)
	batch := &vector.Batch{Len: n, Cols: []*vector.Column{col, col, col}}
	v, at := op.NewView([]types.Type{number, number, number}, nil, 1<<30, 0), 0
	for b.Loop() {
		if at == 1000 {
			b.StopTimer()
			v, at = op.NewView([]types.Type{number, number, number}, nil, 1<<30, 0), 0
			b.StartTimer()
		}
		for i := range list {
			list[i] = int64(at*n + i)
		}
		if err := v.Take(batch); err != nil {
			b.Fatal(err)
		}
		at++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
}

// BenchmarkView is what a change costs somebody who looks at the result: of counts by key, each of which changes in every
// batch, and without the key, where each gives a -U too.
func BenchmarkView(b *testing.B) {
	const n, keys = 1000, 100_000
	number := types.Of(types.BigInt)
	key, count, kinds := make([]int64, n), make([]int64, n), make([]vector.RowKind, n)
	batch := &vector.Batch{Len: n, Kinds: kinds, Cols: []*vector.Column{vector.OfSlice(number, key), vector.OfSlice(number, count)}}
	for name, by := range map[string][]int{"key": {0}, "values": nil} {
		b.Run(name, func(b *testing.B) {
			v, at, turn := op.NewView([]types.Type{number, number}, by, 1<<20, 0), 0, int64(0)
			step := 1
			if by == nil {
				step = 2
			}
			for b.Loop() {
				for i := 0; i < n; i += step {
					key[i], count[i], kinds[i] = int64(at), turn, vector.UpdateAfter
					if step == 2 {
						key[i+1], count[i+1], kinds[i+1] = int64(at), turn, vector.UpdateAfter
						if count[i], kinds[i] = turn-1, vector.UpdateBefore; turn == 0 {
							count[i], kinds[i] = -1, vector.Insert
						}
					}
					if at++; at == keys {
						at = 0
						turn++
					}
				}
				if err := v.Take(batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/change")
		})
	}
}
