//go:build unix

package network

import "syscall"

// newSlab maps memory outside the Go heap: a big slab on it would hold off the garbage collector.
func newSlab(size int) (slab []byte, free func()) {
	slab, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size), func() {}
	}
	widen(slab)
	return slab, func() {
		if err := syscall.Munmap(slab); err != nil {
			panic("network: unmapping segments: " + err.Error())
		}
	}
}
