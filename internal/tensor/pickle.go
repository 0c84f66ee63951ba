//go:build torch

package tensor

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/sugarme/gotch/half"
	"github.com/sugarme/gotch/pickle"
)

// Pickle is a file of weights that torch.save wrote, such as pytorch_model.bin: a
// pickled dictionary of tensors, in the zip file that PyTorch has written since 1.6
// or in the plain file that it wrote before. All of it is held in memory.
type Pickle struct {
	path    string
	tensors map[string]*pickle.StorageTensor
}

// OpenPickle reads the file at path.
func OpenPickle(path string) (_ *Pickle, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	if err := checkPickleFile(path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	// gotch's pickle package panics on pickles that it does not know, damaged ones
	// included.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: cannot be read as PyTorch weights: %v", path, r)
		}
	}()
	value, err := pickle.LoadWithUnpickler(path, func(r io.Reader) pickle.Unpickler { return pickle.NewUnpickler(r) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &Pickle{path: path, tensors: map[string]*pickle.StorageTensor{}}
	switch dict := value.(type) {
	case *pickle.OrderedDict:
		for key, entry := range dict.Map {
			p.add(key, entry.Value)
		}
	case *pickle.Dict:
		for _, entry := range *dict {
			p.add(entry.Key, entry.Value)
		}
	default:
		return nil, fmt.Errorf("%s: holds a %T, want a dictionary of tensors", path, value)
	}
	return p, nil
}

// add adds an entry of the dictionary, if it is a named tensor.
func (p *Pickle) add(key, value any) {
	name, isName := key.(string)
	t, isTensor := value.(*pickle.StorageTensor)
	if isName && isTensor {
		p.tensors[name] = t
	}
}

// Path returns the path of the file.
func (p *Pickle) Path() string { return p.path }

// Names returns the names of the tensors, sorted.
func (p *Pickle) Names() []string {
	var names []string
	for name := range p.tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Shape returns the shape of a tensor, or nil if the file has no tensor of the name.
func (p *Pickle) Shape(name string) []int64 {
	if t, ok := p.tensors[name]; ok {
		return t.Size
	}
	return nil
}

// Float32 copies a tensor of the file, of float32 or float16 elements, to dst, whose
// length is that of the tensor.
func (p *Pickle) Float32(dst []float32, name string) error {
	t := p.tensors[name]
	if !isRowMajor(t.Size, t.Stride) {
		return fmt.Errorf("%s: tensor %q has strides %v for shape %v, want it row-major", p.path, name, t.Stride,
			t.Size)
	}
	start, end := t.StorageOffset, t.StorageOffset+int64(len(dst))
	var stored int
	switch data := t.Source.GetData().(type) {
	case []float32:
		if stored = len(data); start >= 0 && end <= int64(stored) {
			copy(dst, data[start:end])
			return nil
		}
	case []half.Float16:
		if stored = len(data); start >= 0 && end <= int64(stored) {
			for i, v := range data[start:end] {
				dst[i] = v.Float32()
			}
			return nil
		}
	default:
		return fmt.Errorf("%s: tensor %q has elements of type %v, want float32 or float16", p.path, name,
			t.Source.DType())
	}
	return fmt.Errorf("%s: tensor %q is elements %d to %d of a storage of %d", p.path, name, start, end, stored)
}

// Close does nothing: the file was read by [OpenPickle].
func (p *Pickle) Close() error { return nil }

// isRowMajor reports whether strides are those of a dense row-major tensor. The
// stride of a dimension of size 1 does not matter.
func isRowMajor(shape, stride []int64) bool {
	if len(shape) != len(stride) {
		return false
	}
	want := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		if shape[i] != 1 && stride[i] != want {
			return false
		}
		want *= shape[i]
	}
	return true
}
