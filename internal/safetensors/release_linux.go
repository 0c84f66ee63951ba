package safetensors

import "golang.org/x/sys/unix"

// Release gives back the memory of the pages that were read so far. What is read again comes from the file again, or
// from the system's cache of it.
func (f *File) Release() {
	_ = unix.Madvise(f.data, unix.MADV_DONTNEED) // without it they stay
}
