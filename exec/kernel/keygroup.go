package kernel

import "math/bits"

// KeyGroup is the key group of a key by its hash, as Flink computes it: murmur of the hash code, modulo
// the largest parallelism.
func KeyGroup(hash uint64, maxParallelism int) int {
	return int(murmur(uint32(hash^hash>>32)) % uint32(maxParallelism))
}

// KeyGroupSubtask is the subtask that works on a key group.
func KeyGroupSubtask(group, parallelism, maxParallelism int) int {
	return group * parallelism / maxParallelism
}

// KeyGroupRange is the first key group of a subtask and the one after its last.
func KeyGroupRange(subtask, parallelism, maxParallelism int) (from, to int) {
	from = (subtask*maxParallelism + parallelism - 1) / parallelism
	return from, ((subtask+1)*maxParallelism + parallelism - 1) / parallelism
}

// murmur is murmur3's mix of one 32-bit word, made non-negative.
func murmur(code uint32) uint32 {
	code *= 0xcc9e2d51
	code = bits.RotateLeft32(code, 15) * 0x1b873593
	code = bits.RotateLeft32(code, 13)*5 + 0xe6546b64
	code ^= 4
	code ^= code >> 16
	code *= 0x85ebca6b
	code ^= code >> 13
	code *= 0xc2b2ae35
	code ^= code >> 16
	if s := int32(code); s < 0 {
		if code = uint32(-s); code == 1<<31 {
			return 0
		}
	}
	return code
}
