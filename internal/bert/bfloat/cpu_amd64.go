package bfloat

import "golang.org/x/sys/cpu"

// Supported reports whether this machine can run the functions of the package.
func Supported() bool { return cpu.X86.HasAVX512F && cpu.X86.HasBMI2 }
