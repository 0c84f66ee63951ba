package knnindex

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a huge page of most processors. Where it is another the
// kernel rounds.
const hugePage = 2 << 20

// toHugePages asks the kernel to move numbers into huge pages. A walk reads rows
// that lie anywhere, and with pages of 4 KiB waits for the address of most: building a
// graph over 60,000 vectors of 384 numbers was measured to take 61 s so, and 47 s with
// huge pages. A kernel that has none leaves all as it is.
func toHugePages[T uint32 | float32](numbers []T) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(numbers)))
	first := -start & (hugePage - 1) / 4 // bytes up to the first boundary, as numbers
	if len(numbers) < int(first)+hugePage/4 {
		return
	}
	whole := numbers[first:]
	whole = whole[:len(whole)&^(hugePage/4-1)]
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(whole))), 4*len(whole))
	if unix.Madvise(bytes, unix.MADV_HUGEPAGE) == nil { // for what is not in memory yet
		_ = unix.Madvise(bytes, unix.MADV_COLLAPSE) // Linux 6.1
	}
}
