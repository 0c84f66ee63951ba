package safetensors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"sort"
	"unsafe"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// Element is a type of the elements of a tensor that can be written, and read as it is in the file.
type Element interface {
	~uint8 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// dtypes are the names of these types in a file.
var dtypes = map[reflect.Kind]string{
	reflect.Uint8: "U8", reflect.Uint16: "U16", reflect.Int32: "I32", reflect.Uint32: "U32", reflect.Int64: "I64",
	reflect.Uint64: "U64", reflect.Float32: "F32", reflect.Float64: "F64",
}

// View returns the elements of a tensor in the mapped file, which must not be changed and not be used after
// [File.Close]; a copy where this machine keeps numbers otherwise. A tensor that is missing or has another type is an
// [*files.DamagedError].
func View[T Element](f *File, name string) ([]T, error) {
	t, ok := f.tensors[name]
	if !ok {
		return nil, artifact.Damaged(f.path, "tensor %q is missing", name)
	}
	var zero T
	if want := dtypes[reflect.TypeOf(zero).Kind()]; t.dtype != want {
		return nil, artifact.Damaged(f.path, "tensor %q has the type %s, want %s", name, t.dtype, want)
	}
	data, size := f.data[t.start:t.end], int(unsafe.Sizeof(zero))
	start := unsafe.Pointer(unsafe.SliceData(data))
	if littleEndian := binary.NativeEndian.Uint16([]byte{1, 0}) == 1; littleEndian && uintptr(start)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(start), len(data)/size), nil
	}
	elements := make([]T, len(data)/size)
	_, err := binary.Decode(data, binary.LittleEndian, elements)
	return elements, err
}

// Strings is a list of strings, as two tensors: the bytes of all, and where each ends. The zero value is empty.
type Strings struct {
	text []byte
	ends []uint32
}

// Append adds a string. All of them take at most 4 GB.
func (s *Strings) Append(value string) error {
	if len(s.text)+len(value) > math.MaxUint32 {
		return fmt.Errorf("texts of more than 4 GB: %d strings, the next is %.40q", len(s.ends), value)
	}
	s.text = append(s.text, value...)
	s.ends = append(s.ends, uint32(len(s.text)))
	return nil
}

// Len returns the number of strings.
func (s *Strings) Len() int { return len(s.ends) }

// Bytes returns the bytes of a string. They may be part of a file: see [View].
func (s *Strings) Bytes(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.text[start:s.ends[i]]
}

// At returns a copy of a string.
func (s *Strings) At(i int) string { return string(s.Bytes(i)) }

// Find returns the index of a value among strings that ascend.
func (s *Strings) Find(value string) (at int, found bool) {
	key := unsafe.Slice(unsafe.StringData(value), len(value))
	return sort.Find(len(s.ends), func(i int) int { return bytes.Compare(key, s.Bytes(i)) })
}

// Tensors returns the two tensors to write.
func (s *Strings) Tensors(name string) []Array {
	return []Array{{Name: name + ".ends", Data: s.ends}, {Name: name + ".text", Data: s.text}}
}

// ViewStrings returns the strings that [Strings.Tensors] wrote under a name. See [View].
func ViewStrings(f *File, name string) (s Strings, err error) {
	if s.ends, err = View[uint32](f, name+".ends"); err != nil {
		return s, err
	}
	if s.text, err = View[uint8](f, name+".text"); err != nil {
		return s, err
	}
	for i, end := range s.ends {
		if int(end) > len(s.text) || i > 0 && end < s.ends[i-1] {
			return s, artifact.Damaged(f.path, "tensor %q: string %d ends at %d of %d bytes", name+".ends", i, end, len(s.text))
		}
	}
	return s, nil
}
