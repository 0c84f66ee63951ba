package safetensors

import "golang.org/x/sys/unix"

// Release gives back the memory of the pages read so far. Further reads come from the file or from the system's cache
// of it.
func (f *File) Release() {
	_ = unix.Madvise(f.data, unix.MADV_DONTNEED) // if this fails, the pages stay
}
