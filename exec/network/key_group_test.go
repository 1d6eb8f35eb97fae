package network

import (
	"math/rand/v2"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func TestKeyGroupRanges(t *testing.T) {
	for _, c := range [][2]int{{128, 1}, {128, 3}, {128, 128}, {4096, 1000}, {32768, 7}} {
		m, p := c[0], c[1]
		next := 0
		for s := range p {
			first, last := GroupRange(s, m, p)
			if first != next {
				t.Fatalf("%d of %d: subtask %d begins at group %d, want %d", p, m, s, first, next)
			}
			next = last + 1
			for g := first; g <= last; g++ {
				if SubtaskOf(g, m, p) != s {
					t.Fatalf("%d of %d: group %d belongs to subtask %d, not %d", p, m, g, SubtaskOf(g, m, p), s)
				}
			}
		}
		if next != m {
			t.Fatalf("%d of %d: groups end at %d", p, m, next)
		}
	}
	for p, want := range map[int]int{1: 128, 85: 128, 86: 256, 1000: 2048, 30000: 32768} {
		if got := DefaultMaxParallelism(p); got != want {
			t.Errorf("parallelism %d: %d groups, want %d", p, got, want)
		}
	}
}

// TestMurmur: Flink's MathUtils.murmurHash of small numbers.
func TestMurmur(t *testing.T) {
	for in := range uint32(100000) {
		if murmur(in*2654435761) > 1<<31-1 {
			t.Fatal("negative")
		}
	}
}

// TestKeyGroupOfValue: the group depends on the value alone, in every encoding, and keys spread.
func TestKeyGroupOfValue(t *testing.T) {
	for k, typ := range allTypes() {
		r := rand.New(rand.NewPCG(uint64(k), 3))
		var h KeyHasher
		flat := make([]int32, 50)
		c := randomColumn(typ, r, 50)
		var f vector.Column
		vector.Flatten(&f, c)
		h.Groups(flat, []*vector.Column{&f}, []int{0}, 128)
		other := make([]int32, 50)
		h.Groups(other, []*vector.Column{c}, []int{0}, 128)
		text := lines(&vector.Batch{Len: 50, Cols: []*vector.Column{c}})
		byText := map[string]int32{}
		for i := range flat {
			if flat[i] != other[i] || flat[i] < 0 || flat[i] >= 128 {
				t.Fatalf("%v row %d: group %d flat, %d encoded", typ, i, flat[i], other[i])
			}
			if g, ok := byText[text[i]]; ok && g != flat[i] {
				t.Fatalf("%v: %s in groups %d and %d", typ, text[i], g, flat[i])
			}
			byText[text[i]] = flat[i]
		}
	}
	narrow := vector.OfSlice(types.DecimalOf(18, 2), []int64{5, -7})
	wide := vector.OfSlice(types.DecimalOf(38, 2), []vector.Int128{{Lo: 5}, {Lo: ^uint64(6), Hi: -1}})
	a, b := make([]int32, 2), make([]int32, 2)
	var h KeyHasher
	h.Groups(a, []*vector.Column{narrow}, []int{0}, 128)
	h.Groups(b, []*vector.Column{wide}, []int{0}, 128)
	if a[0] != b[0] || a[1] != b[1] {
		t.Errorf("narrow decimals in groups %v, wide ones in %v", a, b)
	}
	v := make([]int64, 128000)
	for i := range v {
		v[i] = int64(i)
	}
	groups, count := make([]int32, len(v)), make([]int, 128)
	h.Groups(groups, longs(v...).Cols, []int{0}, 128)
	for _, g := range groups {
		count[g]++
	}
	for g, n := range count {
		if n < 800 || n > 1200 {
			t.Errorf("group %d has %d of 128000 keys", g, n)
		}
	}
}

func TestRescale(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {2, 4}, {4, 2}, {3, 5}, {5, 3}, {1, 7}} {
		fed := make([]int, c[1])
		for s := range c[0] {
			first, n := RescaleTargets(s, c[0], c[1])
			for i := first; i < first+n; i++ {
				fed[i]++
			}
		}
		for i, n := range fed {
			if n == 0 || c[1] >= c[0] && n != 1 {
				t.Errorf("%d to %d: subtask %d is fed by %d", c[0], c[1], i, n)
			}
		}
	}
}
