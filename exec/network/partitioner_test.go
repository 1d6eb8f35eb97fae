package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/types"
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

// TestGroupRows: rows of a channel stay in their order, whichever way they are grouped.
func TestGroupRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for channels := 2; channels <= 2*fewChannels; channels++ {
		w := &Writer{channels: make([]*outChannel, channels), ends: make([]int32, channels+1), to: make([]int32, 100)}
		for i := range w.to {
			w.to[i] = int32(r.IntN(channels))
		}
		w.group(len(w.to))
		from := int32(0)
		for c, to := range w.ends[:channels] {
			last := int32(-1)
			for _, row := range w.order[from:to] {
				if w.to[row] != int32(c) || row <= last {
					t.Fatalf("%d channels: row %d behind %d in channel %d", channels, row, last, c)
				}
				last = row
			}
			from = to
		}
		if len(w.order) != 100 || from != 100 {
			t.Fatalf("%d channels: %d of 100 rows", channels, from)
		}
	}
}

// TestKeyGroup: the group of a key is the same for good, since state is kept by it.
func TestKeyGroup(t *testing.T) {
	numbers := longs(0, 1, 2, 7, -1, 1<<40, math.MaxInt64, math.MinInt64)
	texts, nulls := vector.NewBuilder(types.Of(types.Varchar)), vector.NewBuilder(types.Of(types.BigInt))
	for i := range numbers.Len {
		texts.AppendBytes([]byte(strings.Repeat("ab", i*i)))
		if i%2 == 0 {
			nulls.AppendNull()
		} else {
			nulls.AppendInt(int64(i))
		}
	}
	cols := []*vector.Column{numbers.Cols[0], {}, {}}
	texts.Finish(cols[1])
	nulls.Finish(cols[2])
	for _, c := range []struct {
		keys []int
		want string
	}{
		{[]int{0}, "[0 105 58 20 49 71 37 11]"},
		{[]int{1}, "[26 67 83 110 11 100 40 102]"},
		{[]int{2}, "[10 105 10 78 10 89 10 20]"},
		{[]int{0, 2}, "[115 13 15 90 54 105 1 6]"},
		{[]int{2, 1, 0}, "[2 84 79 31 48 54 18 29]"},
	} {
		var h KeyHasher
		out := make([]int32, numbers.Len)
		if h.Groups(out, cols, c.keys, 128); fmt.Sprint(out) != c.want {
			t.Errorf("groups by %v: %v, want %s", c.keys, out, c.want)
		}
	}
}
