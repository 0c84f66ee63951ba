package safetensors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"unsafe"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// dtypes maps the element types that can be written, and read without conversion, to their names in a file.
var dtypes = map[reflect.Kind]string{
	reflect.Uint8: "U8", reflect.Int32: "I32", reflect.Uint32: "U32", reflect.Uint64: "U64", reflect.Float32: "F32",
	reflect.Float64: "F64",
}

// Field is a field of a structure stored in a file. Data is a pointer to a slice of numbers, or to a structure with a
// method Fields, such as [Lists] and [Strings]. The names of its fields are prefixed with Name.
type Field struct {
	Name string
	Data any
}

type structure interface{ Fields() []Field }

// Arrays returns the tensors of fields, with prefix before their names.
func Arrays(prefix string, fields []Field) (arrays []Array) {
	for _, field := range fields {
		if s, ok := field.Data.(structure); ok {
			arrays = append(arrays, Arrays(prefix+field.Name, s.Fields())...)
			continue
		}
		arrays = append(arrays, Array{Name: prefix + field.Name, Data: reflect.ValueOf(field.Data).Elem().Interface()})
	}
	return arrays
}

// ViewFields sets fields to the data that [Arrays] wrote. The elements are in the mapped file: they must not be
// modified, nor used after [File.Close]. They are copies if this machine represents numbers differently. ViewFields
// returns a [*files.DamagedError] if a tensor is missing or has another type, or if the method Check of a structure
// returns an error.
func ViewFields(f *File, prefix string, fields []Field) error {
	for _, field := range fields {
		name := prefix + field.Name
		s, ok := field.Data.(structure)
		if !ok {
			if err := f.view(name, reflect.ValueOf(field.Data).Elem()); err != nil {
				return err
			}
			continue
		}
		if err := ViewFields(f, name, s.Fields()); err != nil {
			return err
		}
		if checked, ok := s.(interface{ Check() error }); ok {
			if err := checked.Check(); err != nil {
				return artifact.Damaged(f.path, "%s: %v", name, err)
			}
		}
	}
	return nil
}

// view sets a slice to the elements of a tensor.
func (f *File) view(name string, slice reflect.Value) error {
	t, ok := f.tensors[name]
	if !ok {
		return artifact.Damaged(f.path, "tensor %q is missing", name)
	}
	element := slice.Type().Elem()
	if want := dtypes[element.Kind()]; t.dtype != want {
		return artifact.Damaged(f.path, "tensor %q has the type %s, want %s", name, t.dtype, want)
	}
	data, size := f.data[t.start:t.end], int(element.Size())
	first := unsafe.Pointer(unsafe.SliceData(data))
	if littleEndian := binary.NativeEndian.Uint16([]byte{1, 0}) == 1; littleEndian && uintptr(first)%uintptr(size) == 0 {
		slice.Set(reflect.SliceAt(element, first, len(data)/size))
		return nil
	}
	slice.Set(reflect.MakeSlice(slice.Type(), len(data)/size, len(data)/size))
	_, err := binary.Decode(data, binary.LittleEndian, slice.Interface())
	return err
}

// View returns the elements of a tensor: see [ViewFields].
func View[T any](f *File, name string) (elements []T, err error) {
	err = f.view(name, reflect.ValueOf(&elements).Elem())
	return elements, err
}

// ragged is a list of lists of elements: the elements of all lists, and the end of each list among them.
type ragged[T any] struct {
	values []T
	ends   []uint32
}

// Len returns the number of lists.
func (r *ragged[T]) Len() int { return len(r.ends) }

// startOf returns the start of list i, given the ends of all lists.
func startOf(ends []uint32, i int) uint32 {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// end ends the list whose elements have been appended.
func (r *ragged[T]) end() {
	if len(r.values) > math.MaxUint32 {
		panic("strings or lists of more elements than a uint32 counts")
	}
	r.ends = append(r.ends, uint32(len(r.values)))
}

// Check returns an error if the ends do not ascend or lie beyond the elements.
func (r *ragged[T]) Check() error {
	for i, end := range r.ends {
		if int(end) > len(r.values) || end < startOf(r.ends, i) {
			return fmt.Errorf("element %d ends at %d of %d", i, end, len(r.values))
		}
	}
	return nil
}

// Strings is a list of strings. The zero value is empty.
type Strings struct{ ragged[byte] }

// Fields returns the fields of the two tensors in a file.
func (s *Strings) Fields() []Field { return []Field{{".ends", &s.ends}, {".text", &s.values}} }

// Append adds a string. It panics if all strings together exceed 4 GB.
func (s *Strings) Append(value string) {
	s.values = append(s.values, value...)
	s.end()
}

// Bytes returns the bytes of a string. They may be part of a file: see [ViewFields].
func (s *Strings) Bytes(i int) []byte { return s.values[startOf(s.ends, i):s.ends[i]] }

// At returns a copy of a string.
func (s *Strings) At(i int) string { return string(s.Bytes(i)) }

// Slice returns copies of the strings from one index up to another, which share memory; nil if there are none.
func (s *Strings) Slice(from, end int) []string {
	if from == end {
		return nil
	}
	all, values := string(s.values[startOf(s.ends, from):s.ends[end-1]]), make([]string, end-from)
	for i := range values {
		length := len(s.Bytes(from + i))
		values[i], all = all[:length], all[length:]
	}
	return values
}

// Find returns the index of a value. The strings must be sorted.
func (s *Strings) Find(value string) (at int, found bool) {
	key := unsafe.Slice(unsafe.StringData(value), len(value))
	return sort.Find(len(s.ends), func(i int) int { return bytes.Compare(key, s.Bytes(i)) })
}

// Lists is a list of lists of numbers. The zero value is empty.
type Lists struct{ ragged[int32] }

// Fields returns the fields of the two tensors in a file.
func (l *Lists) Fields() []Field { return []Field{{".ends", &l.ends}, {"", &l.values}} }

// Append adds a list. It panics if all lists together exceed 4,294,967,295 numbers, 16 GB.
func (l *Lists) Append(values ...int32) {
	l.values = append(l.values, values...)
	l.end()
}

// Values returns the numbers of all lists, one list after the other.
func (l *Lists) Values() []int32 { return l.values }

// Range returns the start and the end of list i among the numbers of all lists.
func (l *Lists) Range(i int32) (start, end uint32) { return startOf(l.ends, int(i)), l.ends[i] }

// At returns list i, which must not be modified.
func (l *Lists) At(i int32) []int32 {
	start, end := l.Range(i)
	return l.values[start:end:end]
}

// Clip returns a copy of the lists. Appending to it does not affect l.
func (l *Lists) Clip() Lists { return Lists{ragged[int32]{slices.Clip(l.values), slices.Clip(l.ends)}} }

// Inverted returns, for each number from 0 to n - 1, the lists that contain it, ascending.
func (l *Lists) Inverted(n int) (of Lists) {
	of.values, of.ends = make([]int32, len(l.values)), make([]uint32, n)
	for _, value := range l.values {
		of.ends[value]++
	}
	start := uint32(0)
	for value, count := range of.ends {
		of.ends[value], start = start, start+count // moved to the end by the loop below
	}
	for i := range l.ends {
		for _, value := range l.At(int32(i)) {
			of.values[of.ends[value]] = int32(i)
			of.ends[value]++
		}
	}
	return of
}
