//go:build !linux

package knnindex

// toHugePages does nothing: huge pages are used on Linux only.
func toHugePages[T uint32 | float32]([]T) {}
