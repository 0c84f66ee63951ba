package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"unsafe"
)

// readNumbers reads a file of raw little-endian numbers of four bytes, straight to
// where they stay, so that memory is theirs alone.
func readNumbers[T float32 | int32](path string) ([]T, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size()%4 != 0 {
		return nil, fmt.Errorf("%s: %d bytes are no numbers of 4", path, info.Size())
	}
	numbers := make([]T, info.Size()/4)
	if len(numbers) == 0 {
		return numbers, nil
	}
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, fmt.Errorf("%s: is little-endian, this machine is not", path)
	}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), info.Size())
	if _, err := io.ReadFull(file, raw); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return numbers, nil
}
