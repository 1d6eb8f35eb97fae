//go:build !linux

package state

func askHuge(from, size uintptr) {}
