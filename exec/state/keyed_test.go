package state_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// source makes random rows of key columns.
type source struct {
	types []types.Type
	row   func(r *rand.Rand, b []*vector.Builder)
}

func sources() map[string]source {
	bigint, text := types.Of(types.BigInt), types.String()
	number := func(n func(r *rand.Rand) int64) func(r *rand.Rand, b []*vector.Builder) {
		return func(r *rand.Rand, b []*vector.Builder) { b[0].AppendInt(n(r)) }
	}
	word := func(b *vector.Builder, n int) {
		if n%3 == 0 {
			b.AppendString(fmt.Sprint(n))
		} else {
			b.AppendString(fmt.Sprintf("a text of more than twelve bytes, number %d", n))
		}
	}
	clock := int64(1_000)
	return map[string]source{
		"clustered": {[]types.Type{bigint}, number(func(r *rand.Rand) int64 { clock++; return clock/4 + r.Int64N(50) })},
		"random":    {[]types.Type{bigint}, number(func(r *rand.Rand) int64 { return int64(r.Uint64() % 5000 * 0x123456789ABCD) })},
		"negative":  {[]types.Type{types.Of(types.Int)}, number(func(r *rand.Rand) int64 { return r.Int64N(6000) - 3000 })},
		"few":       {[]types.Type{types.Of(types.TinyInt)}, number(func(r *rand.Rand) int64 { return r.Int64N(5) })},
		"text":      {[]types.Type{text}, func(r *rand.Rand, b []*vector.Builder) { word(b[0], r.IntN(4000)) }},
		"composite": {[]types.Type{text, bigint, types.DecimalOf(30, 2)}, func(r *rand.Rand, b []*vector.Builder) {
			word(b[0], r.IntN(3))
			b[1].AppendInt(r.Int64N(300))
			b[2].AppendInt(r.Int64N(3))
		}},
		"nulls": {[]types.Type{bigint, text, types.Of(types.Boolean)}, func(r *rand.Rand, b []*vector.Builder) {
			if b[0].AppendInt(r.Int64N(20)); r.IntN(2) == 0 {
				b[0].Truncate(b[0].Len() - 1)
				b[0].AppendNull()
			}
			if r.IntN(3) == 0 {
				b[1].AppendNull()
			} else {
				word(b[1], r.IntN(10))
			}
			if r.IntN(3) == 0 {
				b[2].AppendNull()
			} else {
				b[2].AppendBool(r.IntN(2) == 0)
			}
		}},
		"doubles": {[]types.Type{types.Of(types.Double)}, func(r *rand.Rand, b []*vector.Builder) { b[0].AppendFloat(float64(r.IntN(900)) / 7) }},
		"none":    {nil, func(*rand.Rand, []*vector.Builder) {}},
	}
}

func (s source) batch(r *rand.Rand, n int) []*vector.Column {
	builders := make([]*vector.Builder, len(s.types))
	for i, t := range s.types {
		builders[i] = vector.NewBuilder(t)
	}
	for range n {
		s.row(r, builders)
	}
	out := make([]*vector.Column, len(builders))
	for i, b := range builders {
		out[i] = &vector.Column{}
		b.Finish(out[i])
	}
	return out
}

func keyOf(cols []*vector.Column, i int) string {
	k := ""
	for _, c := range cols {
		if c.Null(i) {
			k += "NULL;"
			continue
		}
		k += valueOf(c, i) + ";"
	}
	return k
}

func valueOf(c *vector.Column, i int) string {
	switch c.Type.Physical() {
	case types.PhysView:
		return string(vector.Text(c, i))
	case types.PhysBool:
		return fmt.Sprint(vector.Bool(c, i))
	case types.PhysFloat64:
		return fmt.Sprint(vector.Value[float64](c, i))
	case types.PhysInt8:
		return fmt.Sprint(vector.Value[int8](c, i))
	case types.PhysInt32:
		return fmt.Sprint(vector.Value[int32](c, i))
	}
	if c.Type.Kind == types.Decimal {
		return fmt.Sprint(vector.DecimalAt(c, i))
	}
	return fmt.Sprint(vector.Value[int64](c, i))
}

// model is a table and what it must hold: the sum of each key's values.
type model struct {
	t    testing.TB
	s    *state.Store
	tab  *state.Keyed
	sum  *state.Pages[int64]
	want map[string]int64
}

func newModel(t testing.TB, s *state.Store, list []types.Type) *model {
	m := &model{t: t, s: s, tab: s.Keyed("rows", nil, list), want: map[string]int64{}}
	m.sum = state.NewPages[int64](m.tab)
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *model) add(r *rand.Rand, cols []*vector.Column, n int) {
	groups := m.tab.Lookup(cols, n)
	m.tab.Own(groups)
	pages := m.sum.All()
	for i, g := range groups {
		v := r.Int64N(100)
		pages[g>>state.PageShift][g&state.PageMask] += v
		m.want[keyOf(cols, i)] += v
	}
}

// remove forgets a part of the keys.
func (m *model) remove(r *rand.Rand) {
	var gone []int32
	for _, g := range m.tab.Groups(nil) {
		if r.IntN(4) == 0 {
			gone = append(gone, g)
		}
	}
	cols := m.keys(gone)
	for i := range gone {
		delete(m.want, keyOf(cols, i))
	}
	m.tab.Remove(gone)
	m.tab.Compact()
}

func (m *model) keys(groups []int32) []*vector.Column {
	cols := make([]*vector.Column, len(m.tab.KeyTypes()))
	for i := range cols {
		cols[i] = &vector.Column{}
		m.tab.Key(cols[i], i, groups)
	}
	return cols
}

func (m *model) check(what string) {
	m.t.Helper()
	groups := m.tab.Groups(nil)
	if len(groups) != len(m.want) || m.tab.Len() != len(m.want) {
		m.t.Fatalf("%s: %d keys, want %d", what, len(groups), len(m.want))
	}
	cols := m.keys(groups)
	for i, g := range groups {
		if k := keyOf(cols, i); m.sum.At(g) != m.want[k] {
			m.t.Fatalf("%s: key %s has %d, want %d", what, k, m.sum.At(g), m.want[k])
		}
	}
	if len(groups) == 0 {
		return
	}
	for i, g := range m.tab.Find(cols, len(groups)) {
		if g != groups[i] {
			m.t.Fatalf("%s: key %s found as %d, is %d", what, keyOf(cols, i), g, groups[i])
		}
	}
}

func TestKeyedAgainstMap(t *testing.T) {
	for name, src := range sources() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			m := newModel(t, state.NewStore(state.Options{}), src.types)
			for round := range 60 {
				n := []int{1, 7, 1024}[round%3]
				m.add(r, src.batch(r, n), n)
				if round%10 == 9 {
					m.check(fmt.Sprint("round ", round))
					m.remove(r)
					m.check(fmt.Sprint("after removal in round ", round))
				}
			}
		})
	}
}

// TestKeyedDictionaries looks up by shared dictionaries that grow, while groups come and go.
func TestKeyedDictionaries(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	list := []types.Type{types.String(), types.Of(types.Int)}
	m := newModel(t, state.NewStore(state.Options{}), list)
	entries := vector.NewBuilder(list[0])
	values := &vector.Column{}
	dict := vector.NewDictionary(values)
	for round := range 50 {
		for range 5 {
			entries.AppendString(fmt.Sprintf("channel %d, which is long enough", r.IntN(100)))
		}
		entries.Finish(values)
		codes, numbers := make([]int32, 200), make([]int32, 200)
		for i := range codes {
			codes[i], numbers[i] = int32(r.IntN(values.Len)), int32(r.IntN(2+round%2))
		}
		c := &vector.Column{}
		c.SetDict(list[0], codes, dict)
		if round%3 == 0 {
			c.SetNull(r.IntN(200))
		}
		m.add(r, []*vector.Column{c, vector.OfSlice(list[1], numbers)}, 200)
		if round%7 == 6 {
			m.check("before removal")
			m.remove(r)
		}
	}
	m.check("at the end")
}

// TestKeyedConstants: a batch of one key, whether new or known, has one group in all rows, as flat columns have; a value that
// all rows share beside another key, as a dictionary of its own, is not what is guessed by.
func TestKeyedConstants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	list := []types.Type{types.String(), types.Of(types.Int).WithNull(true)}
	m := newModel(t, state.NewStore(state.Options{}), list)
	null := vector.ConstNull(list[1], 100)
	for round := range 40 {
		day := vector.ConstText(list[0], fmt.Sprintf("a day of many, number %d", round%7), 100)
		m.add(r, []*vector.Column{day, vector.ConstOf(list[1], int32(round%5), 100)}, 100)
		m.add(r, []*vector.Column{day, null}, 100)
		numbers := make([]int32, 100)
		for i := range numbers {
			numbers[i] = int32(r.IntN(9))
		}
		alone := &vector.Column{}
		alone.SetDict(list[0], make([]int32, 100), vector.FixedDictionary(vector.ConstText(list[0], string(vector.Text(day, 0)), 1)))
		m.add(r, []*vector.Column{alone, vector.OfSlice(list[1], numbers)}, 100)
		m.add(r, []*vector.Column{alone, vector.ConstOf(list[1], int32(round%5), 100)}, 100)
		some := *alone
		some.Valid = []uint64{uint64(round), 1}
		m.add(r, []*vector.Column{&some, null}, 100)
		none := &vector.Column{}
		none.SetDict(list[1], make([]int32, 100), vector.NewDictionary(vector.ConstNull(list[1], 1)))
		m.add(r, []*vector.Column{alone, none}, 100)
		one := []*vector.Column{day, vector.ConstOf(list[1], int32(-1), 100)}
		for _, g := range m.tab.Find(one, 100) {
			if g != -1 {
				t.Fatalf("a key that is not there is found as %d", g)
			}
		}
		m.check(fmt.Sprint("round ", round))
	}
}

// TestKeyedGrows: a table of many keys of every kind of order.
func TestKeyedGrows(t *testing.T) {
	for name, key := range map[string]func(i int) int64{
		"sequence": func(i int) int64 { return int64(i) },
		"down":     func(i int) int64 { return int64(-i) },
		"sparse":   func(i int) int64 { return int64(i) * 0x9E3779B97F4A7C1 },
		"stride":   func(i int) int64 { return int64(i) << 20 },
	} {
		const n = 200_000
		s := state.NewStore(state.Options{})
		tab := s.Keyed("rows", nil, []types.Type{types.Of(types.BigInt)})
		for pass := range 2 {
			keys := make([]int64, 1000)
			for from := 0; from < n; from += len(keys) {
				for i := range keys {
					keys[i] = key(from + i)
				}
				groups := tab.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), keys)}, len(keys))
				for i, g := range groups {
					if g != int32(from+i) {
						t.Fatalf("%s: key %d of pass %d is group %d", name, from+i, pass, g)
					}
				}
			}
		}
		if per := float64(s.Bytes()) / n; per > 48 {
			t.Errorf("%s: %.1f bytes per key", name, per)
		}
	}
}

func TestLimit(t *testing.T) {
	s := state.NewStore(state.Options{Operator: "GroupAggregate(x)", Limit: 100_000})
	tab := s.Keyed("groups", nil, []types.Type{types.Of(types.BigInt)})
	keys := make([]int64, 20_000)
	for i := range keys {
		keys[i] = int64(i)
	}
	tab.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), keys)}, len(keys))
	err := s.Err()
	if err == nil {
		t.Fatal("no error")
	}
	var limit *state.LimitError
	if l, ok := err.(*state.LimitError); ok {
		limit = l
	}
	if limit == nil || limit.Operator != "GroupAggregate(x)" || limit.Table != "groups" || limit.Keys == 0 || limit.Bytes < 100_000 ||
		limit.Total < limit.Bytes {
		t.Errorf("%v", err)
	}
}
