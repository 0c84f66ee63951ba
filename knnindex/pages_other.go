//go:build !linux

package knnindex

func toHugePages[T uint32 | float32]([]T) {}
