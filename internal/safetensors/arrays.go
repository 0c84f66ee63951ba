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

// Slice returns copies of the strings from start up to end, which share their memory; nil for none.
func (s *Strings) Slice(start, end int) []string {
	if start == end {
		return nil
	}
	from := uint32(0)
	if start > 0 {
		from = s.ends[start-1]
	}
	all, values := string(s.text[from:s.ends[end-1]]), make([]string, end-start)
	for i := range values {
		length := len(s.Bytes(start + i))
		values[i], all = all[:length], all[length:]
	}
	return values
}

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
	return s, checkEnds(f, name, s.ends, len(s.text))
}

// Lists is a list of lists of numbers, as two tensors: the numbers of all, and where each list ends. The zero value is
// empty.
type Lists struct {
	values []int32
	ends   []uint32
}

// Append adds a list. It panics if all of them have more than 4,294,967,295 numbers, 16 GB.
func (l *Lists) Append(values ...int32) {
	if l.values = append(l.values, values...); len(l.values) > math.MaxUint32 {
		panic("lists of more numbers than a uint32 counts")
	}
	l.ends = append(l.ends, uint32(len(l.values)))
}

// Len returns the number of lists.
func (l *Lists) Len() int { return len(l.ends) }

// Values returns the numbers of all lists, one list behind the other.
func (l *Lists) Values() []int32 { return l.values }

// Range returns where the list i starts and ends among the numbers of all.
func (l *Lists) Range(i int32) (start, end uint32) {
	if i > 0 {
		start = l.ends[i-1]
	}
	return start, l.ends[i]
}

// End returns where the list i ends among the numbers of all.
func (l *Lists) End(i int32) uint32 { return l.ends[i] }

// At returns the list i, which must not be changed.
func (l *Lists) At(i int32) []int32 {
	start, end := l.Range(i)
	return l.values[start:end:end]
}

// Inverted returns for each of the numbers 0 to n - 1 the lists that contain it, ascending.
func (l *Lists) Inverted(n int) Lists {
	of := Lists{values: make([]int32, len(l.values)), ends: make([]uint32, n)}
	for _, value := range l.values {
		of.ends[value]++
	}
	start := uint32(0)
	for value, count := range of.ends {
		of.ends[value], start = start, start+count // moves to the end below
	}
	for i := range l.ends {
		for _, value := range l.At(int32(i)) {
			of.values[of.ends[value]] = int32(i)
			of.ends[value]++
		}
	}
	return of
}

// Tensors returns the two tensors to write.
func (l *Lists) Tensors(name string) []Array {
	return []Array{{Name: name + ".ends", Data: l.ends}, {Name: name, Data: l.values}}
}

// ViewLists returns the lists that [Lists.Tensors] wrote under a name. See [View].
func ViewLists(f *File, name string) (l Lists, err error) {
	if l.ends, err = View[uint32](f, name+".ends"); err != nil {
		return l, err
	}
	if l.values, err = View[int32](f, name); err != nil {
		return l, err
	}
	return l, checkEnds(f, name, l.ends, len(l.values))
}

// checkEnds returns an error if the ends of lists or strings do not ascend, or are behind all values.
func checkEnds(f *File, name string, ends []uint32, values int) error {
	for i, end := range ends {
		if int(end) > values || i > 0 && end < ends[i-1] {
			return artifact.Damaged(f.path, "tensor %q: element %d ends at %d of %d", name, i, end, values)
		}
	}
	return nil
}

// Field is a field of a structure that a file keeps: a pointer to a slice of numbers, [Lists] or [Strings].
type Field struct {
	Name string
	Data any
}

// Arrays returns the tensors of fields, under names that begin with prefix.
func Arrays(prefix string, fields []Field) []Array {
	var arrays []Array
	for _, field := range fields {
		switch data := field.Data.(type) {
		case *Lists:
			arrays = append(arrays, data.Tensors(prefix+field.Name)...)
		case *Strings:
			arrays = append(arrays, data.Tensors(prefix+field.Name)...)
		default:
			arrays = append(arrays, Array{Name: prefix + field.Name, Data: reflect.ValueOf(data).Elem().Interface()})
		}
	}
	return arrays
}

// ViewFields sets fields to what [Arrays] wrote. See [View].
func ViewFields(f *File, prefix string, fields []Field) (err error) {
	for _, field := range fields {
		name := prefix + field.Name
		switch data := field.Data.(type) {
		case *Lists:
			*data, err = ViewLists(f, name)
		case *Strings:
			*data, err = ViewStrings(f, name)
		case *[]uint8:
			*data, err = View[uint8](f, name)
		case *[]int32:
			*data, err = View[int32](f, name)
		case *[]uint32:
			*data, err = View[uint32](f, name)
		case *[]uint64:
			*data, err = View[uint64](f, name)
		case *[]float32:
			*data, err = View[float32](f, name)
		case *[]float64:
			*data, err = View[float64](f, name)
		default:
			err = fmt.Errorf("field %s has the type %T, which cannot be mapped", name, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
