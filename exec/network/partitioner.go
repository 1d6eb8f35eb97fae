package network

import (
	"math/rand/v2"

	"streamsql/exec/vector"
)

// Partitioner chooses the channel of each row. A value belongs to one writer.
type Partitioner interface {
	// String is the name that EXPLAIN prints.
	String() string
	// assign writes the channel of each row of b. Partitioners with one answer for all rows are not asked.
	assign(to []int32, b *vector.Batch, channels int)
}

// Forward sends all rows to the only channel.
func Forward() Partitioner { return single{"FORWARD"} }

// Global sends all rows to the first channel.
func Global() Partitioner { return single{"GLOBAL"} }

// Broadcast sends every row to every channel.
func Broadcast() Partitioner { return everywhere{} }

// Rebalance sends rows round the channels, from a random one on.
func Rebalance() Partitioner { return &round{name: "REBALANCE", next: -1} }

// Rescale sends rows round the channels of the writer, which are the subtasks that RescaleTargets names.
func Rescale() Partitioner { return &round{name: "RESCALE", next: -1} }

// RoundFrom is Rebalance from a given channel on.
func RoundFrom(channel int) Partitioner { return &round{name: "REBALANCE", next: channel} }

// Hash sends rows with equal keys to one channel, by key group.
func Hash(keys []int, maxParallelism int) Partitioner {
	return &hashed{keys: keys, groups: maxParallelism}
}

type single struct{ name string }

func (s single) String() string                       { return s.name }
func (s single) assign([]int32, *vector.Batch, int)   {}
func (everywhere) assign([]int32, *vector.Batch, int) {}

type everywhere struct{}

func (everywhere) String() string { return "BROADCAST" }

type round struct {
	name string
	next int
}

func (r *round) String() string { return r.name }

func (r *round) assign(to []int32, _ *vector.Batch, channels int) {
	if r.next < 0 {
		r.next = rand.IntN(channels)
	}
	next, n := int32(r.next%channels), int32(channels)
	for i := range to {
		to[i] = next
		if next++; next == n {
			next = 0
		}
	}
	r.next = int(next)
}

type hashed struct {
	keys   []int
	groups int
	of     []int32 // the subtask of each group
	hasher KeyHasher
}

func (h *hashed) String() string { return "HASH" }

func (h *hashed) assign(to []int32, b *vector.Batch, channels int) {
	for g := len(h.of); g < h.groups; g++ {
		h.of = append(h.of, int32(SubtaskOf(g, h.groups, channels)))
	}
	h.hasher.subtasks(to, b.Cols, h.keys, h.of)
}

// RescaleTargets are the subtasks of the next stage that one subtask feeds: a group of its own when there are
// more of them, one shared with neighbours when there are fewer.
func RescaleTargets(subtask, parallelism, next int) (first, n int) {
	if next >= parallelism {
		first = subtask * next / parallelism
		return first, (subtask+1)*next/parallelism - first
	}
	return subtask * next / parallelism, 1
}
