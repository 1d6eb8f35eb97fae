package state

import "syscall"

// askHuge asks the system to have a part of the memory in huge pages. That it has none is no error.
func askHuge(from, size uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, size, syscall.MADV_HUGEPAGE)
}
