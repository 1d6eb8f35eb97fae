package state_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func readers(chain [][]byte) []io.Reader {
	out := make([]io.Reader, len(chain))
	for i, c := range chain {
		out[i] = bytes.NewReader(c)
	}
	return out
}

// chainOf are the snapshots that restore one.
func chainOf(p *state.Snapshot, written map[uint64][]byte) (chain [][]byte) {
	for _, number := range append(slices.Clone(p.Base()), p.Number()) {
		chain = append(chain, written[number])
	}
	return chain
}

func write(t *testing.T, p *state.Snapshot) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSnapshots takes incremental snapshots while the table changes, and restores each.
func TestSnapshots(t *testing.T) {
	for name, src := range sources() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, uint64(len(name))))
			m := newModel(t, state.NewStore(state.Options{}), src.types)
			written := map[uint64][]byte{}
			for round := range 8 {
				for range 3 {
					m.add(r, src.batch(r, 700), 700)
				}
				m.s.SetTime("mark", int64(round))
				snapshot := m.s.Freeze(round == 5)
				frozen := maps.Clone(m.want)
				done := make(chan []byte)
				go func() {
					var b bytes.Buffer
					if err := snapshot.Write(&b); err != nil {
						t.Error(err)
					}
					done <- b.Bytes()
				}()
				m.add(r, src.batch(r, 700), 700)
				m.remove(r)
				m.add(r, src.batch(r, 100), 100)
				written[snapshot.Number()] = <-done
				m.check("while a snapshot is written")

				s := state.NewStore(state.Options{})
				if err := s.Load(state.KeyGroups{}, readers(chainOf(snapshot, written))...); err != nil {
					t.Fatal(err)
				}
				back := newModel(t, s, src.types)
				back.want = frozen
				back.check("restored")
				if s.Time("mark", -1) != int64(round) {
					t.Errorf("time %d", s.Time("mark", -1))
				}
				back.add(r, src.batch(r, 300), 300)
				back.check("restored and changed")
			}
		})
	}
}

// groupOf spreads keys over groups by what they are.
func groupOf(groups int) func(out []int32, keys []*vector.Column) {
	return func(out []int32, keys []*vector.Column) {
		for i := range out {
			h := fnv.New32a()
			h.Write([]byte(keyOf(keys, i)))
			out[i] = int32(h.Sum32() % uint32(groups))
		}
	}
}

// TestRescale goes from one store to three by key groups, to two, and back to one.
func TestRescale(t *testing.T) {
	src := sources()["nulls"]
	r := rand.New(rand.NewPCG(7, 8))
	m := newModel(t, state.NewStore(state.Options{}), src.types)
	for range 10 {
		m.add(r, src.batch(r, 1000), 1000)
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
			part := newModel(t, s, src.types)
			total += part.tab.Len()
			if n > 1 && part.tab.Len() == 0 {
				t.Error("a subtask without keys")
			}
			next = append(next, write(t, s.Freeze(false)))
			if n == 1 {
				part.want = m.want
				part.check("joined")
			}
		}
		if total != len(m.want) {
			t.Fatalf("%d keys at parallelism %d, want %d", total, n, len(m.want))
		}
		chains = next
	}
}

// TestSubtables: rows of a subtable follow the rows that they belong to.
func TestSubtables(t *testing.T) {
	text, number := []types.Type{types.String()}, types.Of(types.Int).WithNull(false)
	tables := func(s *state.Store) (parent, child *state.Keyed) {
		parent = s.Keyed("parent", nil, text)
		child = s.Keyed("child", parent, []types.Type{number, types.Of(types.BigInt)})
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		return parent, child
	}
	s := state.NewStore(state.Options{})
	parent, child := tables(s)
	names := &vector.Column{}
	names.Reset(text[0], 3)
	w := vector.NewText(names)
	for i, x := range []string{"gone", "a key of more than twelve bytes", "b"} {
		w.PutString(i, x)
	}
	w.Finish()
	groups := append([]int32{}, parent.Lookup([]*vector.Column{names}, 3)...)
	child.Lookup([]*vector.Column{vector.OfSlice(number, []int32{groups[2], groups[1], groups[2]}),
		vector.OfSlice(types.Of(types.BigInt), []int64{20, 10, 21})}, 3)
	parent.Remove(groups[:1])
	snapshot := write(t, s.Freeze(false))

	s = state.NewStore(state.Options{})
	if err := s.Load(state.KeyGroups{}, bytes.NewReader(snapshot)); err != nil {
		t.Fatal(err)
	}
	parent, child = tables(s)
	got := map[uint64]string{}
	for _, g := range child.Groups(nil) {
		got[child.Word(1, g)] = string(parent.Text(0, int32(child.Word(0, g))))
	}
	want := map[uint64]string{20: "b", 10: "a key of more than twelve bytes", 21: "b"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestDamagedSnapshots: no damage is restored, and none crashes.
func TestDamagedSnapshots(t *testing.T) {
	src := sources()["nulls"]
	r := rand.New(rand.NewPCG(9, 10))
	m := newModel(t, state.NewStore(state.Options{}), src.types)
	m.add(r, src.batch(r, 300), 300)
	whole := write(t, m.s.Freeze(true))
	load := func(b []byte) error {
		return state.NewStore(state.Options{}).Load(state.KeyGroups{}, bytes.NewReader(b))
	}
	if err := load(whole); err != nil {
		t.Fatal(err)
	}
	var damage *state.Damage
	for i := 0; i < len(whole); i += 1 + i/40 {
		bad := append([]byte{}, whole...)
		bad[i] ^= 1 << r.IntN(8)
		if err := load(bad); !errors.As(err, &damage) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if err := load(whole[:i]); !errors.As(err, &damage) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	m = newModel(t, state.NewStore(state.Options{}), sources()["random"].types)
	for range 5 {
		m.add(r, sources()["random"].batch(r, 1000), 1000)
		write(t, m.s.Freeze(false))
		m.add(r, sources()["random"].batch(r, 1), 1)
	}
	if err := load(write(t, m.s.Freeze(false))); err == nil || !strings.Contains(err.Error(), "without the ones before it") {
		t.Errorf("changes alone: %v", err)
	}
}

func TestOtherPlan(t *testing.T) {
	m := newModel(t, state.NewStore(state.Options{}), []types.Type{types.Of(types.Int)})
	m.add(rand.New(rand.NewPCG(1, 1)), []*vector.Column{vector.OfSlice(types.Of(types.Int), []int32{1})}, 1)
	snapshot := write(t, m.s.Freeze(false))
	for name, x := range map[string]struct {
		table string
		key   types.Type
		want  string
	}{
		"other key":   {"rows", types.String(), "was written for other columns"},
		"other table": {"groups", types.Of(types.Int), "which the query does not have"},
	} {
		s := state.NewStore(state.Options{Operator: "GroupAggregate(x)"})
		if err := s.Load(state.KeyGroups{}, bytes.NewReader(snapshot)); err != nil {
			t.Fatal(err)
		}
		state.NewPages[int64](s.Keyed(x.table, nil, []types.Type{x.key}))
		if err := s.Open(); err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), "GroupAggregate(x)") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzReadSnapshot reads anybody's bytes as a snapshot, with right checksums: an error or a table that can be read and
// written on, never a crash.
func FuzzReadSnapshot(f *testing.F) {
	names := slices.Sorted(maps.Keys(sources()))
	r := rand.New(rand.NewPCG(3, 3))
	for i, name := range names {
		src := sources()[name]
		m := newModel(f, state.NewStore(state.Options{}), src.types)
		m.add(r, src.batch(r, 300), 300)
		m.remove(r)
		var b bytes.Buffer
		if err := m.s.Freeze(true).Write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(byte(i), b.Bytes())
	}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		src := sources()[names[int(which)%len(names)]]
		s := state.NewStore(state.Options{})
		if s.Load(state.KeyGroups{}, bytes.NewReader(mended(data))) != nil {
			return
		}
		m := &model{t: t, s: s, tab: s.Keyed("rows", nil, src.types), want: map[string]int64{}}
		m.sum = state.NewPages[int64](m.tab)
		if s.Open() != nil {
			return
		}
		m.keys(m.tab.Groups(nil))
		m.add(r, src.batch(r, 50), 50)
		if err := s.Freeze(true).Write(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}

// mended is a snapshot with the checksums that its blocks should have.
func mended(data []byte) []byte {
	const head, kind, sums = 20, 5, 9
	data = slices.Clone(data)
	table := crc32.MakeTable(crc32.Castagnoli)
	for at := head; at+sums <= len(data); {
		n := int64(binary.LittleEndian.Uint32(data[at+1:]))
		if n > int64(len(data)-at-sums) {
			break
		}
		end := at + sums + int(n)
		sum := crc32.Update(crc32.Checksum(data[at:at+kind], table), table, data[at+sums:end])
		binary.LittleEndian.PutUint32(data[at+kind:], sum)
		at = end
	}
	return data
}
