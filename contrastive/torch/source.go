//go:build torch

package torch

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/sugarme/gotch/half"
	"github.com/sugarme/gotch/pickle"

	"ctxnorm/contrastive/torch/safetensors"
)

// source is a file of weights.
type source interface {
	path() string
	names() []string
	shape(name string) []int64             // nil where there is no such tensor
	read(dst []float32, name string) error // dst has room for the whole tensor
	close() error
}

// safetensorsSource is a model.safetensors.
type safetensorsSource struct {
	file *safetensors.File
	name string
}

func openSafetensors(path string) (source, error) {
	file, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	return safetensorsSource{file, path}, nil
}

func (s safetensorsSource) path() string { return s.name }

func (s safetensorsSource) names() []string {
	var names []string
	for _, t := range s.file.Tensors() {
		names = append(names, t.Name)
	}
	return names
}

func (s safetensorsSource) shape(name string) []int64 {
	if t := s.file.Tensor(name); t != nil {
		return t.Shape
	}
	return nil
}

func (s safetensorsSource) read(dst []float32, name string) error {
	return s.file.Float32(dst, s.file.Tensor(name))
}

func (s safetensorsSource) close() error { return s.file.Close() }

// pickleSource is a pytorch_model.bin, read by gotch's pickle package: a
// pickled dictionary of tensors, in the zip file that torch.save has written
// since 1.6 or the plain file of before.
type pickleSource struct {
	name    string
	tensors map[string]*pickle.StorageTensor
}

func openPickle(path string) (_ source, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	// The package panics on pickles that it does not know, damaged ones included.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: not a file of weights that can be read: %v", path, r)
		}
	}()
	value, err := pickle.LoadWithUnpickler(path, func(r io.Reader) pickle.Unpickler { return pickle.NewUnpickler(r) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := pickleSource{name: path, tensors: map[string]*pickle.StorageTensor{}}
	switch dict := value.(type) {
	case *pickle.OrderedDict:
		for key, entry := range dict.Map {
			s.keep(key, entry.Value)
		}
	case *pickle.Dict:
		for _, entry := range *dict {
			s.keep(entry.Key, entry.Value)
		}
	default:
		return nil, fmt.Errorf("%s: holds a %T, want a dictionary of tensors", path, value)
	}
	return s, nil
}

func (s pickleSource) keep(key, value any) {
	name, isName := key.(string)
	tensor, isTensor := value.(*pickle.StorageTensor)
	if isName && isTensor {
		s.tensors[name] = tensor
	}
}

func (s pickleSource) path() string { return s.name }

func (s pickleSource) names() []string {
	var names []string
	for name := range s.tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s pickleSource) shape(name string) []int64 {
	if t, ok := s.tensors[name]; ok {
		return t.Size
	}
	return nil
}

func (s pickleSource) read(dst []float32, name string) error {
	t := s.tensors[name]
	if !rowMajor(t.Size, t.Stride) {
		return fmt.Errorf("%s: tensor %q has strides %v for shape %v, want it row-major", s.name, name, t.Stride, t.Size)
	}
	start, end := t.StorageOffset, t.StorageOffset+int64(len(dst))
	var have int
	switch data := t.Source.GetData().(type) {
	case []float32:
		if have = len(data); start >= 0 && end <= int64(have) {
			copy(dst, data[start:end])
			return nil
		}
	case []half.Float16:
		if have = len(data); start >= 0 && end <= int64(have) {
			for i, v := range data[start:end] {
				dst[i] = v.Float32()
			}
			return nil
		}
	default:
		return fmt.Errorf("%s: tensor %q: elements of type %v, want float32 or float16", s.name, name, t.Source.DType())
	}
	return fmt.Errorf("%s: tensor %q: elements %d to %d of a storage of %d", s.name, name, start, end, have)
}

func (s pickleSource) close() error { return nil }

// rowMajor reports whether strides are those of a dense row-major tensor. The
// stride of a dimension of size 1 does not matter.
func rowMajor(shape, stride []int64) bool {
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
