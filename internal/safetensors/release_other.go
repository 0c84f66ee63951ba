//go:build !linux

package safetensors

// Release does nothing: it only works on Linux.
func (f *File) Release() {}
