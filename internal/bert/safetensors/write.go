package safetensors

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// Named is a tensor to write, as F32.
type Named struct {
	Name  string
	Shape []int64
	Data  []float32 // row-major
}

// Write atomically writes the tensors, in the order given, to the file at path. The
// metadata is "format": "pt", which transformers in Python asks for.
func Write(path string, tensors []Named) error {
	header, err := header(tensors)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return artifact.Write(path, func(file io.Writer) error {
		w := bufio.NewWriterSize(file, 1<<20)
		var length [8]byte
		binary.LittleEndian.PutUint64(length[:], uint64(len(header)))
		w.Write(length[:]) // bufio keeps the first error for Flush
		w.Write(header)
		var word [4]byte
		for _, t := range tensors {
			for _, v := range t.Data {
				binary.LittleEndian.PutUint32(word[:], math.Float32bits(v))
				w.Write(word[:])
			}
		}
		return w.Flush()
	})
}

// header returns the JSON header, padded with spaces to a multiple of 8 bytes so that
// the data is aligned.
func header(tensors []Named) ([]byte, error) {
	type entry struct {
		DType   string   `json:"dtype"`
		Shape   []int64  `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	entries := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	offset := int64(0)
	for _, t := range tensors {
		if _, taken := entries[t.Name]; taken {
			return nil, fmt.Errorf("tensor %q is given twice", t.Name)
		}
		elements := int64(1)
		for _, size := range t.Shape {
			elements *= size
		}
		if elements != int64(len(t.Data)) {
			return nil, fmt.Errorf("tensor %q has %d elements, want %d for shape %v", t.Name, len(t.Data), elements,
				t.Shape)
		}
		entries[t.Name] = entry{DType: "F32", Shape: t.Shape, Offsets: [2]int64{offset, offset + 4*elements}}
		offset += 4 * elements
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
