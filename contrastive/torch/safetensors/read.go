package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	mmap "github.com/blevesearch/mmap-go"
)

// maxHeader bounds the header of a file, 100 MB, as the reference
// implementation does: a damaged length must not become an allocation.
const maxHeader = 100 << 20

// Tensor is one entry of a file's header.
type Tensor struct {
	Name  string
	DType string // as the file writes it: "F32", "F16", "BF16", "I64", …
	Shape []int64
	start int64 // of its bytes in the file
	end   int64
}

// Len is the number of elements.
func (t *Tensor) Len() int {
	n := 1
	for _, size := range t.Shape {
		n *= int(size)
	}
	return n
}

// File is an open file. Its tensors are read straight from the mapped file, so
// opening one costs the header only.
type File struct {
	path     string
	data     mmap.MMap
	tensors  map[string]*Tensor
	metadata map[string]string
}

// Open maps the file at path and checks its header.
func Open(path string) (*File, error) {
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
		return nil, fmt.Errorf("%s: %d bytes, want at least the 8 of a safetensors header", path, info.Size())
	}
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: mapping %d bytes: %w", path, info.Size(), err)
	}
	s := &File{path: path, data: data}
	if err := s.parse(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), s.Close())
	}
	return s, nil
}

// Close unmaps the file. No slice taken from it may be used any more.
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
	f.tensors = make(map[string]*Tensor, len(header))
	for name, raw := range header {
		if name == "__metadata__" {
			if err := json.Unmarshal(raw, &f.metadata); err != nil {
				return fmt.Errorf("header: __metadata__: %w", err)
			}
			continue
		}
		t, err := f.entry(name, raw, base)
		if err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		f.tensors[name] = t
	}
	return nil
}

func (f *File) entry(name string, raw json.RawMessage, base int64) (*Tensor, error) {
	var e struct {
		DType   string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, err
	}
	width, ok := widths[e.DType]
	if !ok {
		return nil, fmt.Errorf("dtype %q is not known", e.DType)
	}
	if len(e.Offsets) != 2 {
		return nil, fmt.Errorf("data_offsets %v, want two numbers", e.Offsets)
	}
	start, end, room := e.Offsets[0], e.Offsets[1], int64(len(f.data))-base
	if start < 0 || end < start || end > room {
		return nil, fmt.Errorf("data_offsets %v do not lie within the file's %d bytes of data", e.Offsets, room)
	}
	want := width
	for _, size := range e.Shape {
		if size < 0 || (size > 0 && want > math.MaxInt64/size) {
			return nil, fmt.Errorf("shape %v", e.Shape)
		}
		want *= size
	}
	if end-start != want {
		return nil, fmt.Errorf("%d bytes of data, want %d for %s of shape %v", end-start, want, e.DType, e.Shape)
	}
	return &Tensor{Name: name, DType: e.DType, Shape: e.Shape, start: base + start, end: base + end}, nil
}

// widths gives the bytes of one element of each type of the format.
var widths = map[string]int64{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1,
	"I16": 2, "U16": 2, "F16": 2, "BF16": 2,
	"I32": 4, "U32": 4, "F32": 4,
	"I64": 8, "U64": 8, "F64": 8,
}

// Tensors lists the file's tensors by name.
func (f *File) Tensors() []*Tensor {
	list := make([]*Tensor, 0, len(f.tensors))
	for _, t := range f.tensors {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *Tensor) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Tensor is the entry of that name, or nil.
func (f *File) Tensor(name string) *Tensor { return f.tensors[name] }

// Metadata is the value under a key of the header's "__metadata__".
func (f *File) Metadata(key string) string { return f.metadata[key] }

// Float32 writes the elements of t to dst, which has room for t.Len(). F32,
// F64, F16 and BF16 are read; other types are an error.
func (f *File) Float32(dst []float32, t *Tensor) error {
	if len(dst) != t.Len() {
		return fmt.Errorf("%s: tensor %q: %d elements, want %d", f.path, t.Name, t.Len(), len(dst))
	}
	data := f.data[t.start:t.end]
	switch t.DType {
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
		return fmt.Errorf("%s: tensor %q: dtype %s is not a floating-point type", f.path, t.Name, t.DType)
	}
	return nil
}

// halfToFloat widens an IEEE 754 binary16: 1 bit of sign, 5 of exponent with
// bias 15, 10 of fraction.
func halfToFloat(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // zero and the subnormal: fraction * 2^-24
		value := float32(fraction) * (1.0 / (1 << 24))
		return math.Float32frombits(sign | math.Float32bits(value))
	case 0x1f: // infinity and NaN
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent-15+127)<<23 | fraction<<13)
}
