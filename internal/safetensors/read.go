// Package safetensors reads and writes the file format in which Hugging Face stores weights. To read, use [Open] and
// [File.Float32]; to write, [Write].
//
// A file is
//
//	8 bytes   N, the length of the header, little-endian
//	N bytes   JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …,
//	                "__metadata__": {"format": "pt"}}
//	the rest  the tensors' bytes, row-major and little-endian; offsets count from here
//
// as described in https://github.com/huggingface/safetensors#format. Opening a file checks every offset against the
// shape and against the file, so a damaged header gives an error that names the tensor, never a wrong number.
//
// The package is our own: nlpodyssey/safetensors and maruel/safetensors convert nothing to float32, the latter refuses
// files like ours with a header not sorted by offset, and gomlx/go-huggingface reads into tensors of gomlx only.
package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"

	mmap "github.com/blevesearch/mmap-go"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// maxHeader is the maximum length of a header, in bytes: 100 MB, as in the reference implementation. A damaged length
// must not cause a huge allocation.
const maxHeader = 100 << 20

// entry is one tensor of a file's header.
type entry struct {
	dtype string // as spelled in the file: "F32", "F16", "BF16", "I64", …
	shape []int64
	start int64 // of its bytes in the file
	end   int64
}

// File is an open file. Tensors are read from the mapped file, so opening it only reads the header.
type File struct {
	path    string
	data    mmap.MMap
	tensors map[string]entry
}

// Open maps the file at path and checks its header.
func Open(path string) (*File, error) { return open(path, (*File).parse) }

// open maps a file and calls parse to list its tensors.
func open(path string, parse func(*File) error) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < 8 {
		return nil, artifact.Damaged(path, "has %d bytes, want at least 8", info.Size())
	}
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: mapping %d bytes: %w", path, info.Size(), err)
	}
	s := &File{path: path, data: data, tensors: make(map[string]entry)}
	if err := parse(s); err != nil {
		return nil, errors.Join(artifact.Damaged(path, "%v", err), s.Close())
	}
	return s, nil
}

// Close unmaps the file.
func (f *File) Close() error {
	if f.data == nil {
		return nil
	}
	data := f.data
	f.data = nil
	return data.Unmap()
}

// parse reads the header: see the package comment for the layout.
func (f *File) parse() error {
	length := binary.LittleEndian.Uint64(f.data)
	if length > maxHeader || length > uint64(len(f.data)-8) {
		return fmt.Errorf("header of %d bytes does not fit a file of %d", length, len(f.data))
	}
	base := int64(8 + length)
	var header map[string]json.RawMessage
	if err := json.Unmarshal(f.data[8:base], &header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	for name, raw := range header {
		if name == "__metadata__" {
			var metadata map[string]string
			if err := json.Unmarshal(raw, &metadata); err != nil {
				return fmt.Errorf("header: __metadata__: %w", err)
			}
			continue
		}
		t, err := f.parseEntry(raw, base)
		if err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		f.tensors[name] = t
	}
	return nil
}

// parseEntry checks the header's entry of one tensor. base is the position of the data in the file.
func (f *File) parseEntry(raw json.RawMessage, base int64) (none entry, err error) {
	var e struct {
		DType   string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return none, err
	}
	width, ok := widths[e.DType]
	if !ok {
		return none, fmt.Errorf("dtype %q is not known", e.DType)
	}
	if len(e.Offsets) != 2 {
		return none, fmt.Errorf("data_offsets %v, want two numbers", e.Offsets)
	}
	start, end, room := e.Offsets[0], e.Offsets[1], int64(len(f.data))-base
	if start < 0 || end < start || end > room {
		return none, fmt.Errorf("data_offsets %v do not lie within the file's %d bytes of data", e.Offsets, room)
	}
	want := width
	for _, size := range e.Shape {
		if size < 0 || (size > 0 && want > math.MaxInt64/size) {
			return none, fmt.Errorf("shape %v", e.Shape)
		}
		want *= size
	}
	if end-start != want {
		return none, fmt.Errorf("%d bytes of data, want %d for %s of shape %v", end-start, want, e.DType, e.Shape)
	}
	shape := append([]int64{}, e.Shape...) // not nil
	return entry{dtype: e.DType, shape: shape, start: base + start, end: base + end}, nil
}

// widths maps each type of the format to the number of bytes of an element.
var widths = map[string]int64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1,
	"I16": 2, "U16": 2, "F16": 2, "BF16": 2,
	"I32": 4, "U32": 4, "F32": 4,
	"I64": 8, "U64": 8, "F64": 8,
}

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// Names returns the names of the tensors, sorted.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.tensors)) }

// Shape returns the shape of a tensor, or nil if the file has no tensor with this name.
func (f *File) Shape(name string) []int64 {
	return f.tensors[name].shape
}

// Float32 converts the elements of a tensor of the file to float32. dst must have their number. It converts F32, F64,
// F16 and BF16 and returns an error for other types.
func (f *File) Float32(dst []float32, name string) error {
	t, ok := f.tensors[name]
	if !ok {
		return artifact.Damaged(f.path, "tensor %q is missing", name)
	}
	data := f.data[t.start:t.end]
	if n := len(data) / int(widths[t.dtype]); len(dst) != n {
		return artifact.Damaged(f.path, "tensor %q has %d elements, want %d", name, n, len(dst))
	}
	switch t.dtype {
	case "F32":
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case "F64":
		for i := range dst {
			dst[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])))
		}
	case "BF16":
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*i:])) << 16)
		}
	case "F16":
		for i := range dst {
			dst[i] = halfToFloat(binary.LittleEndian.Uint16(data[2*i:]))
		}
	default:
		return artifact.Damaged(f.path, "tensor %q: dtype %s is not a floating-point type", name, t.dtype)
	}
	return nil
}

// halfToFloat converts an IEEE 754 binary16: 1 sign bit, 5 bits of exponent with bias 15, 10 bits of fraction.
func halfToFloat(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // zero and subnormals: fraction * 2^-24
		value := float32(fraction) * (1.0 / (1 << 24))
		return math.Float32frombits(sign | math.Float32bits(value))
	case 0x1f: // infinity and NaN
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent-15+127)<<23 | fraction<<13)
}
