package safetensors

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// Named is a tensor to write as F32.
type Named struct {
	Name  string
	Shape []int64
	Data  []float32 // row-major
}

// Write atomically writes the tensors, in the given order, to the file at path. The metadata is "format": "pt", which
// transformers in Python requires.
func Write(path string, tensors []Named) error {
	arrays := make([]Array, len(tensors))
	for i, t := range tensors {
		arrays[i] = Array{t.Name, t.Shape, t.Data}
	}
	return WriteArrays(path, arrays)
}

// Array is a tensor to write.
type Array struct {
	Name  string
	Shape []int64 // nil for one dimension
	Data  any     // row-major: a slice of uint8, int32, uint32, uint64, float32 or float64
}

// WriteArrays is like [Write] for tensors of any type. Tensors with wider elements come first, so all are aligned.
func WriteArrays(path string, tensors []Array) error {
	tensors = slices.Clone(tensors)
	slices.SortStableFunc(tensors, func(a, b Array) int { return cmp.Compare(b.width(), a.width()) })
	header, err := header(tensors)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return artifact.Write(path, func(file io.Writer) error {
		w := bufio.NewWriterSize(file, 1<<20)
		var length [8]byte
		binary.LittleEndian.PutUint64(length[:], uint64(len(header)))
		w.Write(length[:]) // bufio returns the first error from Flush
		w.Write(header)
		for _, t := range tensors {
			data := reflect.ValueOf(t.Data)
			const chunk = 1 << 16 // elements; binary.Write copies its argument
			for start := 0; start < data.Len(); start += chunk {
				part := data.Slice(start, min(start+chunk, data.Len()))
				if err := binary.Write(w, binary.LittleEndian, part.Interface()); err != nil {
					return err
				}
			}
		}
		return w.Flush()
	})
}

// dtype returns the format's name of the element type.
func (a *Array) dtype() string { return dtypes[reflect.TypeOf(a.Data).Elem().Kind()] }

func (a *Array) width() int64 { return widths[a.dtype()] }

// header returns the JSON header, padded with spaces to a multiple of 8 bytes so that the data is aligned.
func header(tensors []Array) ([]byte, error) {
	type entry struct {
		DType   string   `json:"dtype"`
		Shape   []int64  `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	entries := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	offset := int64(0)
	for i := range tensors {
		t := &tensors[i]
		if _, taken := entries[t.Name]; taken {
			return nil, fmt.Errorf("tensor %q is given twice", t.Name)
		}
		length := reflect.ValueOf(t.Data).Len()
		shape, elements := t.Shape, int64(1)
		if shape == nil {
			shape = []int64{int64(length)}
		}
		for _, size := range shape {
			elements *= size
		}
		if elements != int64(length) {
			return nil, fmt.Errorf("tensor %q has %d elements, want %d for shape %v", t.Name, length, elements, shape)
		}
		size := elements * t.width()
		entries[t.Name] = entry{DType: t.dtype(), Shape: shape, Offsets: [2]int64{offset, offset + size}}
		offset += size
	}
	data, err := json.Marshal(entries)
	if err != nil {
		return nil, err
	}
	for len(data)%8 != 0 {
		data = append(data, ' ')
	}
	return data, nil
}
