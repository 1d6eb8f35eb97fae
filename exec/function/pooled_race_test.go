//go:build race

package function

// mostAllocations is more than without the race detector, which drops pooled memory at random.
const mostAllocations = 15
