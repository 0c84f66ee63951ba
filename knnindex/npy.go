package knnindex

// The .npy header is read and written here and not by sbinet/npyio, because v0.6.0 of that panics on a malformed
// header, copies the data into slices, does not align it, and writes no matrices of float32.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/blevesearch/mmap-go"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// The .npy format, version 1.0: the magic, two bytes of version, the length of the header in two bytes, the header (a
// Python dictionary, padded with spaces and ended by a line feed so that the data starts at a multiple of 64 bytes),
// the data.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
const (
	npyMagic     = "\x93NUMPY"
	npyPreamble  = len(npyMagic) + 2 + 2 // bytes before the header
	npyAlignment = 64                    // bytes
)

// WriteNPY atomically writes the vectors to the .npy file at path: shape (Len, Dim), type '<f4', C order.
func (v *Vectors) WriteNPY(path string) error {
	if err := v.checkShape(); err != nil {
		return err
	}
	return artifact.Write(path, v.writeNPY)
}

func (v *Vectors) writeNPY(w io.Writer) error {
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", v.Len(), v.Dim)
	padding := npyAlignment - (npyPreamble+len(header)+1)%npyAlignment
	header += strings.Repeat(" ", padding) + "\n"
	start := append([]byte(npyMagic), 1, 0)
	start = binary.LittleEndian.AppendUint16(start, uint16(len(header)))
	if _, err := w.Write(append(start, header...)); err != nil {
		return err
	}
	for chunk := range slices.Chunk(v.Data, 1<<14) {
		if err := binary.Write(w, binary.LittleEndian, chunk); err != nil {
			return err
		}
	}
	return nil
}

// OpenNPY maps a .npy file written by [Vectors.WriteNPY] into memory: data is read when it is used, and processes share
// it. [Vectors.Close] unmaps it. The file must not be written to while it is mapped; replacing it is safe. For a file
// of another format, type or shape it returns a [*files.DamagedError].
func OpenNPY(path string) (*Vectors, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the mapping remains
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(npyPreamble) { // an empty file cannot be mapped
		return nil, artifact.Damaged(path, "has %d bytes, want at least %d", info.Size(), npyPreamble)
	}
	mapped, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: memory map: %w", path, err)
	}
	v, err := parseNPY(mapped)
	if err != nil {
		_ = mapped.Unmap() // report the error of the file, not this one
		return nil, artifact.WithPath(path, err)
	}
	v.mapped = mapped
	return v, nil
}

// Close unmaps the file of v, if there is one. Data, and every index over it, must not be used afterwards.
func (v *Vectors) Close() error {
	if v.mapped == nil {
		return nil
	}
	mapped := v.mapped
	v.mapped, v.Data = nil, nil
	return mapped.Unmap()
}

// npyHeader matches the header of NumPy and [Vectors.WriteNPY]. Its digits keep 4 x rows x dim within an int.
var npyHeader = regexp.MustCompile(`^\{'descr': '<f4', 'fortran_order': False, 'shape': \((\d{1,10}), ([1-9]\d{0,6})\), \}\s*$`)

// parseNPY returns the vectors in the bytes of a .npy file, or an error without a path.
func parseNPY(file []byte) (*Vectors, error) {
	if len(file) < npyPreamble || string(file[:len(npyMagic)]) != npyMagic {
		return nil, artifact.DamagedAt("", 0, "magic is %q, want %q", file[:min(len(file), len(npyMagic))], npyMagic)
	}
	if major, minor := file[6], file[7]; major != 1 || minor != 0 {
		return nil, damaged("version is %d.%d, want 1.0", major, minor)
	}
	length := int(binary.LittleEndian.Uint16(file[8:]))
	if length > len(file)-npyPreamble {
		return nil, damaged("header has %d bytes, want %d", len(file)-npyPreamble, length)
	}
	header, data := file[npyPreamble:npyPreamble+length], file[npyPreamble+length:]
	shape := npyHeader.FindSubmatch(header)
	if shape == nil {
		return nil, damaged("header is %q, want descr '<f4', fortran_order False and shape (rows, dim)", bytes.TrimSpace(header))
	}
	rows, _ := strconv.Atoi(string(shape[1]))
	dim, _ := strconv.Atoi(string(shape[2]))
	if want := 4 * rows * dim; want != len(data) || rows > math.MaxInt32 {
		return nil, damaged("data has %d bytes, want %d x %d x 4 = %d", len(data), rows, dim, want)
	}
	return &Vectors{Dim: dim, Data: asFloats(data)}, nil
}

// asFloats returns little-endian data as numbers. It shares the memory if this machine is little-endian and the data is
// aligned to four bytes, and copies it otherwise.
func asFloats(data []byte) []float32 {
	start := unsafe.Pointer(unsafe.SliceData(data))
	if littleEndian := binary.NativeEndian.Uint16([]byte{1, 0}) == 1; littleEndian && uintptr(start)%4 == 0 {
		return unsafe.Slice((*float32)(start), len(data)/4)
	}
	numbers := make([]float32, len(data)/4)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return numbers
}
