//go:build !linux

package knnindex

// toHugePages does nothing: it is for Linux.
func toHugePages[T uint32 | float32]([]T) {}
