package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// garbagePercent is how much garbage may gather, in percent of what is in use, before it is collected. State has no
// pointers and is not garbage until it is dropped: there is little to collect and little to scan, but what a collection
// costs at least, stopping all tasks for one thing, it costs each time.
const garbagePercent = 400

// memoryShare of the memory that there is may be taken before garbage is collected all the time.
const memoryShare = 7.0 / 8

// tuneMemory says when garbage is collected, unless GOGC and GOMEMLIMIT say it.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if n := memory(); os.Getenv("GOMEMLIMIT") == "" && n < math.MaxInt64 {
		debug.SetMemoryLimit(int64(float64(n) * memoryShare))
	}
}

// memory is the bytes that the machine or its control group gives to the process, as far as the system tells.
func memory() int64 {
	n := int64(math.MaxInt64)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		n = min(n, totalOf(string(text)))
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		if limit, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil && limit > 0 {
			n = min(n, limit)
		}
	}
	return n
}

// totalOf is the line "MemTotal: 16316412 kB" of /proc/meminfo in bytes.
func totalOf(text string) int64 {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil && kb > 0 {
				return kb << 10
			}
		}
	}
	return math.MaxInt64
}
