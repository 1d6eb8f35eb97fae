//go:build !race

package function

// mostAllocations is how often a batch may allocate, of some 60 rows that are computed.
const mostAllocations = 3
