package state_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// pairModel is a set of pairs beside a map of what should be in it: marks by key of the parent and value. What
// the set does not take is in rest.
type pairModel struct {
	t     *testing.T
	s     *state.Store
	keys  *state.Keyed
	pairs *state.Pairs
	want  map[[2]int64]uint8
	rest  map[[2]int64]uint8
}

func newPairModel(t *testing.T, s *state.Store) *pairModel {
	m := &pairModel{t: t, s: s, want: map[[2]int64]uint8{}, rest: map[[2]int64]uint8{}}
	m.keys = s.Keyed("keys", nil, []types.Type{types.Of(types.BigInt)})
	m.pairs = state.NewPairs("pairs", m.keys)
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	for _, p := range m.pairs.Lost() {
		m.rest[[2]int64{int64(m.keys.Word(0, p.Group)), p.Value}] |= p.Marks
		m.pairs.Shut()
	}
	return m
}

// pairSource makes a key and a value out of a row's number.
type pairSource func(r *rand.Rand, i int) (key, value int64)

var pairSources = map[string]pairSource{
	"front": func(r *rand.Rand, i int) (int64, int64) {
		return r.Int64N(40) * r.Int64N(100), int64(i/10) - r.Int64N(100) - 500
	},
	"few":     func(r *rand.Rand, i int) (int64, int64) { return r.Int64N(3000), r.Int64N(60) - 7 },
	"random":  func(r *rand.Rand, i int) (int64, int64) { return r.Int64N(50), r.Int64() - 1<<62 },
	"far":     func(r *rand.Rand, i int) (int64, int64) { return r.Int64N(9), r.Int64N(2)*(1<<40) + int64(i/9) },
	"sparse":  func(r *rand.Rand, i int) (int64, int64) { return r.Int64N(5), r.Int64N(100_000) * 40 },
	"falling": func(r *rand.Rand, i int) (int64, int64) { return r.Int64N(5), -20*int64(i) + r.Int64N(300) },
}

func (m *pairModel) add(r *rand.Rand, src pairSource, from, n int) {
	m.t.Helper()
	keys, values, nulls := make([]int64, n), make([]uint64, n), make([]uint64, n)
	want, fresh := make([]uint8, n), make([]uint8, n)
	for i := range keys {
		k, v := src(r, from+i)
		keys[i], values[i], want[i] = k, uint64(v), uint8(r.IntN(16)&r.IntN(16))
		if r.IntN(20) == 0 {
			nulls[i] = 1
		}
	}
	groups := m.keys.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), keys)}, n)
	left := map[int32]bool{}
	for _, i := range m.pairs.Meet(groups, values, nulls, want, fresh, nil) {
		left[i] = true
	}
	for i := range keys {
		at := [2]int64{keys[i], int64(values[i])}
		switch {
		case want[i] == 0:
			if left[int32(i)] || fresh[i] != 0 {
				m.t.Fatalf("row %d without marks is not passed over", i)
			}
		case nulls[i] != 0:
			if !left[int32(i)] {
				m.t.Fatalf("row %d is NULL and not left", i)
			}
		case left[int32(i)]:
			m.rest[at] |= want[i]
			if m.pairs.Has(groups[i], at[1]) || m.want[at] != 0 {
				m.t.Fatalf("row %d, %v, has a cell and is left", i, at)
			}
		default:
			if is := want[i] &^ m.want[at]; fresh[i] != is || m.rest[at] != 0 {
				m.t.Fatalf("row %d, %v: fresh %b, want %b, elsewhere %b", i, at, fresh[i], is, m.rest[at])
			}
			m.want[at] |= want[i]
		}
	}
	if m.pairs.Len() != len(m.want) {
		m.t.Fatalf("%d pairs, want %d", m.pairs.Len(), len(m.want))
	}
}

// same tells that a restored set holds what another did.
func (m *pairModel) same(want, rest map[[2]int64]uint8) {
	m.t.Helper()
	all := map[[2]int64]uint8{}
	for k, v := range want {
		all[k] = v
	}
	for k, v := range m.rest { // lost
		if all[k] != v {
			m.t.Fatalf("%v is lost with marks %b, want %b", k, v, all[k])
		}
		delete(all, k)
	}
	if m.pairs.Len() != len(all) {
		m.t.Fatalf("%d pairs restored, want %d", m.pairs.Len(), len(all))
	}
	fresh := make([]uint8, 1)
	for k, v := range all {
		g := m.keys.Find([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), []int64{k[0]})}, 1)
		if rest := m.pairs.Meet(g, []uint64{uint64(k[1])}, nil, []uint8{v}, fresh, nil); len(rest) > 0 || fresh[0] != 0 {
			m.t.Fatalf("%v: marks %b of %b are gone", k, fresh[0], v)
		}
	}
	m.want = all
	for k, v := range rest {
		m.rest[k] |= v
	}
	if len(rest) > 0 {
		m.pairs.Shut()
	}
}

// TestPairs fills sets in several ways, with a snapshot of changes each round, and restores each.
func TestPairs(t *testing.T) {
	for name, src := range pairSources {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, uint64(len(name))))
			m := newPairModel(t, state.NewStore(state.Options{}))
			written := map[uint64][]byte{}
			at := 0
			for round := range 5 {
				for range 4 {
					m.add(r, src, at, 3000)
					at += 3000
				}
				snapshot := m.s.Freeze(round == 3)
				want, rest := copied(m.want), copied(m.rest)
				done := make(chan []byte)
				go func() {
					var b bytes.Buffer
					if err := snapshot.Write(&b); err != nil {
						t.Error(err)
					}
					done <- b.Bytes()
				}()
				m.add(r, src, at, 4000)
				at += 4000
				written[snapshot.Number()] = <-done
				var chain [][]byte
				for _, number := range append(snapshot.Base(), snapshot.Number()) {
					chain = append(chain, written[number])
				}
				s := state.NewStore(state.Options{})
				if err := s.Load(state.KeyGroups{}, readers(chain)...); err != nil {
					t.Fatal(err)
				}
				back := newPairModel(t, s)
				back.same(want, rest)
				back.add(r, src, at, 4000)
			}
		})
	}
}

func copied(m map[[2]int64]uint8) map[[2]int64]uint8 {
	out := make(map[[2]int64]uint8, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// TestPairsRescale divides a set by the keys of its parent, and joins it.
func TestPairsRescale(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	m := newPairModel(t, state.NewStore(state.Options{}))
	for i := range 30 {
		m.add(r, pairSources["front"], 2000*i, 2000)
	}
	chains := [][]byte{write(t, m.s.Freeze(true))}
	const groups = 128
	for _, n := range []int{3, 2, 1} {
		var next [][]byte
		total := 0
		for i := range n {
			s := state.NewStore(state.Options{})
			keep := state.KeyGroups{From: (i*groups + n - 1) / n, To: ((i+1)*groups + n - 1) / n, Of: groupOf(groups)}
			for _, c := range chains {
				if err := s.Load(keep, bytes.NewReader(c)); err != nil {
					t.Fatal(err)
				}
			}
			part := newPairModel(t, s)
			total += part.pairs.Len()
			next = append(next, write(t, s.Freeze(false)))
			if n == 1 {
				part.same(m.want, nil)
			}
		}
		if total != len(m.want) {
			t.Fatalf("%d pairs at parallelism %d, want %d", total, n, len(m.want))
		}
		chains = next
	}
}

// TestPairsAreSmall: ids at a moving front take about five bytes, all pages included.
func TestPairsAreSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	m := newPairModel(t, state.NewStore(state.Options{}))
	for i := range 60 {
		m.add(r, func(r *rand.Rand, i int) (int64, int64) { return r.Int64N(400), int64(i/10) - r.Int64N(100) }, 5000*i, 5000)
	}
	for _, u := range m.s.Usage() {
		if u.Table == "pairs" && u.Bytes > 8*int64(m.pairs.Len()) {
			t.Errorf("%d pairs take %d bytes", m.pairs.Len(), u.Bytes)
		}
	}
}

// BenchmarkPairs is a row at a time of ids at a moving front, of 10,000 groups that half of the rows have four of.
func BenchmarkPairs(b *testing.B) {
	const n, batches = 1840, 500
	r := rand.New(rand.NewPCG(1, 2))
	groups, values, want, fresh := make([]int32, n*batches), make([]uint64, n*batches), make([]uint8, n), make([]uint8, n)
	for i := range groups {
		groups[i], values[i] = r.Int32N(10_000), uint64(1000+i*6/92-r.IntN(100))
		if r.IntN(2) == 0 {
			groups[i] = r.Int32N(4)
		}
	}
	for i := range want {
		want[i] = 1 | 2<<r.IntN(3)
	}
	b.ReportAllocs()
	for range b.N {
		s := state.NewStore(state.Options{})
		t := s.Keyed("keys", nil, []types.Type{types.Of(types.BigInt)})
		p := state.NewPairs("pairs", t)
		for k := range batches {
			p.Meet(groups[k*n:(k+1)*n], values[k*n:(k+1)*n], nil, want, fresh, nil)
		}
		b.ReportMetric(float64(s.Bytes())/float64(p.Len()), "B/pair")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*batches), "ns/row")
}
