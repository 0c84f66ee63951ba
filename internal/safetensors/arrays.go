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

// dtypes are the names in a file of the types of elements that can be written, and read as they are in the file.
var dtypes = map[reflect.Kind]string{
	reflect.Uint8: "U8", reflect.Int32: "I32", reflect.Uint32: "U32", reflect.Uint64: "U64", reflect.Float32: "F32",
	reflect.Float64: "F64",
}

// Field is a field of a structure that a file keeps: a pointer to a slice of numbers, or to a structure with a method
// Fields, such as [Lists] and [Strings], whose names begin with that of the field.
type Field struct {
	Name string
	Data any
}

type structure interface{ Fields() []Field }

// Arrays returns the tensors of fields, under names that begin with prefix.
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

// ViewFields sets fields to what [Arrays] wrote: elements in the mapped file, which must not be changed and not be used
// after [File.Close]; copies where this machine keeps numbers otherwise. A tensor that is missing or has another type is an
// [*files.DamagedError], and so is the error of the method Check of a structure.
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

// ragged is a list of lists of elements: those of all lists, and where each list ends among them.
type ragged[T any] struct {
	values []T
	ends   []uint32
}

// Len returns the number of lists.
func (r *ragged[T]) Len() int { return len(r.ends) }

// startOf returns where the list i begins, given where each ends.
func startOf(ends []uint32, i int) uint32 {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// end ends the list that is appended.
func (r *ragged[T]) end() {
	if len(r.values) > math.MaxUint32 {
		panic("strings or lists of more elements than a uint32 counts")
	}
	r.ends = append(r.ends, uint32(len(r.values)))
}

// Check returns an error if the ends do not ascend, or are behind all elements.
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

// Fields returns the two tensors of a file.
func (s *Strings) Fields() []Field { return []Field{{".ends", &s.ends}, {".text", &s.values}} }

// Append adds a string. It panics if all of them take more than 4 GB.
func (s *Strings) Append(value string) {
	s.values = append(s.values, value...)
	s.end()
}

// Bytes returns the bytes of a string. They may be part of a file: see [ViewFields].
func (s *Strings) Bytes(i int) []byte { return s.values[startOf(s.ends, i):s.ends[i]] }

// At returns a copy of a string.
func (s *Strings) At(i int) string { return string(s.Bytes(i)) }

// Slice returns copies of the strings from one up to another, which share their memory; nil for none.
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

// Find returns the index of a value among strings that ascend.
func (s *Strings) Find(value string) (at int, found bool) {
	key := unsafe.Slice(unsafe.StringData(value), len(value))
	return sort.Find(len(s.ends), func(i int) int { return bytes.Compare(key, s.Bytes(i)) })
}

// Lists is a list of lists of numbers. The zero value is empty.
type Lists struct{ ragged[int32] }

// Fields returns the two tensors of a file.
func (l *Lists) Fields() []Field { return []Field{{".ends", &l.ends}, {"", &l.values}} }

// Append adds a list. It panics if all of them have more than 4,294,967,295 numbers, 16 GB.
func (l *Lists) Append(values ...int32) {
	l.values = append(l.values, values...)
	l.end()
}

// Values returns the numbers of all lists, one list behind the other.
func (l *Lists) Values() []int32 { return l.values }

// Range returns where the list i starts and ends among the numbers of all.
func (l *Lists) Range(i int32) (start, end uint32) { return startOf(l.ends, int(i)), l.ends[i] }

// At returns the list i, which must not be changed.
func (l *Lists) At(i int32) []int32 {
	start, end := l.Range(i)
	return l.values[start:end:end]
}

// Clip returns the lists, to which more can be appended apart from those of l.
func (l *Lists) Clip() Lists { return Lists{ragged[int32]{slices.Clip(l.values), slices.Clip(l.ends)}} }

// Inverted returns for each of the numbers 0 to n - 1 the lists that contain it, ascending.
func (l *Lists) Inverted(n int) (of Lists) {
	of.values, of.ends = make([]int32, len(l.values)), make([]uint32, n)
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
