package knnindex

import (
	"bufio"
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
	"github.com/google/renameio/v2"
)

// The .npy format, version 1.0: the magic, two bytes of version, the length of
// the header in two bytes, the header (a Python dictionary padded with spaces
// and closed by a line feed so that the data starts at a multiple of 64 bytes),
// the data. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
const (
	npyMagic     = "\x93NUMPY"
	npyPreamble  = len(npyMagic) + 2 + 2 // bytes before the header
	npyAlignment = 64                    // bytes
	npyType      = "<f4"                 // float32, little-endian
)

// WriteNPY writes the vectors to a .npy file of shape (Len, Dim) and type '<f4',
// in C order. The file is written beside path and renamed.
func (v *Vectors) WriteNPY(path string) error {
	if err := v.checkShape(); err != nil {
		return err
	}
	return replaceFile(path, v.writeNPY)
}

func (v *Vectors) writeNPY(w io.Writer) error {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", npyType, v.Len(), v.Dim)
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

// replaceFile writes a file beside path, through a buffer, and renames it to
// path when all is written.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer func() {
		if cleanup := file.Cleanup(); err == nil {
			err = cleanup
		}
	}()
	buffer := bufio.NewWriterSize(file, 1<<16)
	if err := write(buffer); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	return file.CloseAtomicallyReplace()
}

// OpenNPY maps a file as [Vectors.WriteNPY] writes it into memory: nothing is
// read before it is used, and processes share it. [Vectors.Close] gives it
// back. The file must not be written to meanwhile (replacing it is safe). A
// [*FormatError] says what is wrong with a file that is not such a one.
func OpenNPY(path string) (*Vectors, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the mapping stays
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(npyPreamble) { // nor can an empty file be mapped
		return nil, &FormatError{path, "size", fmt.Sprintf("at least %d bytes", npyPreamble), fmt.Sprintf("%d bytes", info.Size())}
	}
	mapped, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: memory map: %w", path, err)
	}
	v, wrong := parseNPY(mapped)
	if wrong != nil {
		wrong.File = path
		_ = mapped.Unmap() // what is wrong with the file is worth more telling
		return nil, wrong
	}
	v.mapped = mapped
	return v, nil
}

// Close gives the mapping back, if there is one. Data, and every index over it,
// is not to be used after.
func (v *Vectors) Close() error {
	if v.mapped == nil {
		return nil
	}
	mapped := v.mapped
	v.mapped, v.Data = nil, nil
	return mapped.Unmap()
}

var (
	npyDescr = regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	npyOrder = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(\w+)`)
	npyShape = regexp.MustCompile(`['"]shape['"]\s*:\s*\(([^)]*)\)`)
)

// parseNPY gives the vectors in the bytes of a .npy file.
func parseNPY(file []byte) (*Vectors, *FormatError) {
	if len(file) < npyPreamble || string(file[:len(npyMagic)]) != npyMagic {
		return nil, &FormatError{Part: "magic", Want: strconv.Quote(npyMagic), Got: strconv.Quote(string(file[:min(len(file), len(npyMagic))]))}
	}
	if major, minor := file[6], file[7]; major != 1 || minor != 0 {
		return nil, &FormatError{Part: "version", Want: "1.0", Got: fmt.Sprintf("%d.%d", major, minor)}
	}
	length := int(binary.LittleEndian.Uint16(file[8:]))
	if length > len(file)-npyPreamble {
		return nil, &FormatError{Part: "header", Want: fmt.Sprintf("%d bytes", length), Got: fmt.Sprintf("%d bytes", len(file)-npyPreamble)}
	}
	header, data := string(file[npyPreamble:npyPreamble+length]), file[npyPreamble+length:]
	for _, field := range []struct {
		name, want string
		pattern    *regexp.Regexp
	}{{"descr", npyType, npyDescr}, {"fortran_order", "False", npyOrder}} {
		if got := submatch(field.pattern, header); got != field.want {
			return nil, &FormatError{Part: field.name, Want: strconv.Quote(field.want), Got: strconv.Quote(got)}
		}
	}
	shape := submatch(npyShape, header)
	rows, dim, ok := parseShape(shape)
	if !ok {
		return nil, &FormatError{Part: "shape", Want: "(rows, dim)", Got: "(" + shape + ")"}
	}
	if want := 4 * rows * dim; want != len(data) {
		return nil, &FormatError{Part: "data", Want: fmt.Sprintf("%d x %d x 4 = %d bytes", rows, dim, want), Got: fmt.Sprintf("%d bytes", len(data))}
	}
	return &Vectors{Dim: dim, Data: asFloats(data)}, nil
}

func submatch(pattern *regexp.Regexp, s string) string {
	if m := pattern.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// parseShape reads "rows, dim". The limits keep 4 x rows x dim within an int.
func parseShape(s string) (rows, dim int, ok bool) {
	const maxDim = 1 << 20
	first, second, _ := strings.Cut(s, ",")
	rows, err1 := strconv.Atoi(strings.TrimSpace(first))
	dim, err2 := strconv.Atoi(strings.TrimRight(strings.TrimSpace(second), ", "))
	ok = err1 == nil && err2 == nil && rows >= 0 && rows <= math.MaxInt32 && dim >= 1 && dim <= maxDim
	return rows, dim, ok
}

// asFloats is little-endian data as numbers: the same memory where this machine
// is little-endian and the data lies on a boundary of four bytes, else a copy.
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
