package network

import (
	"math/rand/v2"
	"testing"

	"streamsql/exec/vector"
)

func TestDefaultMaxParallelism(t *testing.T) {
	for p, want := range map[int]int{1: 128, 85: 128, 86: 256, 1000: 2048, 30000: 32768} {
		if got := DefaultMaxParallelism(p); got != want {
			t.Errorf("parallelism %d: %d groups, want %d", p, got, want)
		}
	}
}

// assigned are the channels that a partitioner chooses.
func assigned(p Partitioner, b *vector.Batch, channels int) []int32 {
	to := make([]int32, b.Len)
	p.assign(to, b, channels)
	return to
}

// TestHash: the channel depends on the value alone, in every encoding, and keys spread.
func TestHash(t *testing.T) {
	for k, typ := range allTypes() {
		r := rand.New(rand.NewPCG(uint64(k), 3))
		c, f := randomColumn(typ, r, 50), &vector.Column{}
		vector.Flatten(f, c)
		b := &vector.Batch{Len: 50, Cols: []*vector.Column{c}}
		flat := assigned(Hash([]int{0}, 128), &vector.Batch{Len: 50, Cols: []*vector.Column{f}}, 7)
		coded := assigned(Hash([]int{0}, 128), b, 7)
		byText := map[string]int32{}
		for i, text := range lines(b) {
			if flat[i] != coded[i] || flat[i] < 0 || flat[i] >= 7 {
				t.Fatalf("%v row %d: channel %d flat, %d encoded", typ, i, flat[i], coded[i])
			}
			if c, ok := byText[text]; ok && c != flat[i] {
				t.Fatalf("%v: %s in channels %d and %d", typ, text, c, flat[i])
			}
			byText[text] = flat[i]
		}
	}
	v := make([]int64, 128000)
	for i := range v {
		v[i] = int64(i)
	}
	count := make([]int, 128)
	for _, c := range assigned(Hash([]int{0}, 128), longs(v...), 128) {
		count[c]++
	}
	for c, n := range count {
		if n < 800 || n > 1200 {
			t.Errorf("channel %d has %d of 128000 keys", c, n)
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
