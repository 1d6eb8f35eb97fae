package network

import "syscall"

// widen asks for large pages. Writers of many channels go round more segments than a processor remembers small
// pages of, so that nearly every copy begins with a walk through the page table. Memory is then touched 2 MB at a
// time; where the system has none to give, nothing changes.
func widen(slab []byte) { _ = syscall.Madvise(slab, syscall.MADV_HUGEPAGE) }
