//go:build !linux

package safetensors

// Release does nothing: it is for Linux.
func (f *File) Release() {}
