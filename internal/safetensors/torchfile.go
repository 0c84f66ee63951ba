package safetensors

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
)

// legacyMagic is the start of files that torch.save wrote before PyTorch 1.6: the pickle of its magic number.
const legacyMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."

// OpenTorch maps a file written by torch.save, such as pytorch_model.bin: a pickled dictionary of tensors, in the zip
// file that PyTorch has written since 1.6 or in the plain file that it wrote before. It ignores everything except
// tensors with a name in the dictionary.
func OpenTorch(name string) (*File, error) {
	return open(name, func(f *File) (err error) {
		u := &unpickler{rest: f.data, most: int64(len(f.data)), storages: make(map[string]*storage)}
		switch {
		case bytes.HasPrefix(f.data, []byte("PK\x03\x04")):
			err = u.readZip(f.data)
		case bytes.HasPrefix(f.data, []byte(legacyMagic)):
			err = u.readLegacy()
		default:
			err = fmt.Errorf("starts with %q, want a file that torch.save wrote", f.data[:8])
		}
		for key, value := range u.weights {
			t, isTensor := value.(stored)
			if !isTensor || err != nil {
				continue
			}
			if f.tensors[key], err = t.entry(); err != nil {
				err = fmt.Errorf("tensor %q: %w", key, err)
			}
		}
		return err
	})
}

// readZip reads the dictionary of a zip file and finds the positions of its storages.
func (u *unpickler) readZip(data []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	spans := make(map[string][2]int64) // of the files
	folder := ""
	for _, file := range archive.File {
		start, err := file.DataOffset()
		if err != nil {
			return err
		}
		size := file.UncompressedSize64
		if total := uint64(len(data)); file.Method != zip.Store || size > total || uint64(start) > total-size {
			return fmt.Errorf("%s is compressed, which torch.save does not do, or longer than the file", file.Name)
		}
		spans[file.Name] = [2]int64{start, start + int64(size)}
		if path.Base(file.Name) == "data.pkl" {
			folder = path.Dir(file.Name)
		}
	}
	pickle, ok := spans[path.Join(folder, "data.pkl")]
	if !ok {
		return errors.New("has no data.pkl")
	}
	u.rest = data[pickle[0]:pickle[1]]
	if u.weights, err = u.readDict(); err != nil {
		return err
	}
	for key, s := range u.storages {
		span, ok := spans[path.Join(folder, "data", key)]
		if !ok {
			return fmt.Errorf("the storage %q is missing", key)
		}
		s.start, s.end = span[0], span[1]
	}
	return nil
}

// readLegacy reads the pickles of a file after its magic number: its version, the system, the dictionary and the keys
// of the storages. The storages follow in the order of the keys, each as the number of elements and their bytes.
func (u *unpickler) readLegacy() (err error) {
	u.take(int64(len(legacyMagic)))
	u.read()
	u.read()
	if u.weights, err = u.readDict(); err != nil {
		return err
	}
	keys, ok := u.read().(*[]any)
	if !ok {
		return cmp.Or(u.err, errors.New("has no list of the keys of storages"))
	}
	for _, key := range *keys {
		name, _ := key.(string)
		s := u.storages[name]
		if s == nil {
			return fmt.Errorf("the storage %q is not in the dictionary", name)
		}
		if n := u.number(8); n != s.elements {
			return fmt.Errorf("the storage %q has %d elements, want %d", name, n, s.elements)
		}
		s.start = u.most - int64(len(u.rest))
		s.end = s.start + int64(len(u.take(s.elements*widths[s.dtype])))
		if u.err != nil {
			return fmt.Errorf("the storage %q: %w", name, u.err)
		}
	}
	return nil
}

// unpickler runs the opcodes of pickles that torch.save needs for weights, and refuses all others:
// https://github.com/python/cpython/blob/main/Lib/pickletools.py. It never executes anything in a pickle, and never
// allocates memory by a size stated in it.
type unpickler struct {
	rest     []byte // not yet read
	most     int64  // bytes of the file
	err      error  // the first error
	stack    []any  // string, int64, []any, *[]any, dict, global, mark, *storage, stored, or nil for others
	memo     map[int64]any
	storages map[string]*storage
	weights  dict
}

type (
	dict   map[string]any // the entries with string keys
	global string         // a class or function
	mark   struct{}

	// storage holds the numbers of tensors.
	storage struct {
		dtype      string
		elements   int64
		start, end int64 // of its bytes in the file
	}

	// stored is a tensor.
	stored struct {
		*storage
		offset        int64 // of its first element
		shape, stride []int64
	}
)

// storageTypes maps the classes of storages to the types of their elements.
var storageTypes = map[global]string{
	"torch.HalfStorage": "F16", "torch.BFloat16Storage": "BF16", "torch.FloatStorage": "F32", "torch.DoubleStorage": "F64",
	"torch.CharStorage": "I8", "torch.ShortStorage": "I16", "torch.IntStorage": "I32", "torch.LongStorage": "I64",
	"torch.ByteStorage": "U8", "torch.BoolStorage": "BOOL",
}

func (u *unpickler) fail(format string, args ...any) {
	if u.err == nil {
		u.err = fmt.Errorf(format, args...)
	}
}

// take returns the next n bytes, or nil after an error.
func (u *unpickler) take(n int64) []byte {
	if n < 0 || n > int64(len(u.rest)) {
		u.fail("ends within %d bytes", n)
	}
	if u.err != nil {
		return nil
	}
	taken := u.rest[:n]
	u.rest = u.rest[n:]
	return taken
}

// number reads a little-endian number of n bytes. It is signed if it has 8 bytes.
func (u *unpickler) number(n int64) int64 {
	var b [8]byte
	copy(b[:], u.take(n))
	return int64(binary.LittleEndian.Uint64(b[:]))
}

func (u *unpickler) line() string {
	end := bytes.IndexByte(u.rest, '\n')
	if end < 0 {
		u.fail("ends within a line")
	}
	return strings.TrimSuffix(string(u.take(int64(end)+1)), "\n")
}

func (u *unpickler) push(value any) { u.stack = append(u.stack, value) }

// pop removes and returns the top of the stack.
func (u *unpickler) pop() any {
	return u.popped(1)[0]
}

// popped removes and returns the last n values of the stack. After an error it returns n nils.
func (u *unpickler) popped(n int) []any {
	if n > len(u.stack) {
		u.fail("takes a value from an empty stack")
		return make([]any, n)
	}
	values := slices.Clone(u.stack[len(u.stack)-n:])
	u.stack = u.stack[:len(u.stack)-n]
	return values
}

// sinceMark removes the last mark and the values after it, and returns these values.
func (u *unpickler) sinceMark() []any {
	for i, value := range slices.Backward(u.stack) {
		if value == (mark{}) {
			return u.popped(len(u.stack) - i)[1:]
		}
	}
	u.fail("has no mark")
	return nil
}

// readDict reads a pickle of a dictionary.
func (u *unpickler) readDict() (dict, error) {
	value := u.read()
	d, ok := value.(dict)
	if !ok {
		u.fail("holds a %T, want a dictionary of tensors", value)
	}
	return d, u.err
}

// read reads a pickle to its end. The error names the opcode.
func (u *unpickler) read() any {
	u.stack, u.memo = nil, make(map[int64]any)
	for u.err == nil {
		opcode := u.number(1)
		if opcode == '.' {
			return u.pop()
		}
		u.run(byte(opcode))
		if u.err != nil {
			u.err = fmt.Errorf("opcode 0x%02x of a pickle: %w", opcode, u.err)
		}
	}
	return nil
}

func (u *unpickler) run(opcode byte) {
	switch opcode {
	case 0x80: // the protocol
		u.take(1)
	case '(':
		u.push(mark{})
	case 'N', 0x88, 0x89: // None, true, false
		u.push(nil)
	case 'G': // a float
		u.take(8)
		u.push(nil)
	case 'K':
		u.push(u.number(1))
	case 'M':
		u.push(u.number(2))
	case 'J':
		u.push(int64(int32(u.number(4))))
	case 0x8a: // an integer of as many bytes
		n := u.number(1)
		shift := 64 - 8*min(8, n)
		u.push(u.number(min(8, n)) << shift >> shift)
		u.take(max(0, n-8))
	case 'X':
		u.push(string(u.take(u.number(4))))
	case 'U':
		u.push(string(u.take(u.number(1))))
	case 'c':
		module := u.line()
		u.push(global(module + "." + u.line()))
	case '}':
		u.push(dict{})
	case ']':
		u.push(new([]any))
	case ')':
		u.push([]any{})
	case 't':
		u.push(u.sinceMark())
	case 0x85, 0x86, 0x87: // a tuple of one to three
		u.push(u.popped(int(opcode) - 0x84))
	case 'q':
		u.remember(u.number(1))
	case 'r':
		u.remember(u.number(4))
	case 'h':
		u.push(u.memo[u.number(1)])
	case 'j':
		u.push(u.memo[u.number(4)])
	case 's':
		u.set(u.popped(2))
	case 'u':
		u.set(u.sinceMark())
	case 'a':
		u.extend(u.popped(1))
	case 'e':
		u.extend(u.sinceMark())
	case 'b': // the state of an object
		u.pop()
	case 'Q':
		u.push(u.storage(u.pop()))
	case 'R':
		args, _ := u.pop().([]any)
		u.push(u.call(u.pop(), args))
	default:
		u.fail("does not occur in files of weights")
	}
}

func (u *unpickler) remember(key int64) {
	top := u.pop()
	u.push(top)
	u.memo[key] = top
}

// set adds keys and values to the dictionary on the stack.
func (u *unpickler) set(pairs []any) {
	d, ok := u.pop().(dict)
	if !ok || len(pairs)%2 != 0 {
		u.fail("sets values outside a dictionary")
		return
	}
	for i := 0; i < len(pairs); i += 2 {
		if key, ok := pairs[i].(string); ok {
			d[key] = pairs[i+1]
		}
	}
	u.push(d)
}

// extend appends values to the list on the stack.
func (u *unpickler) extend(values []any) {
	list, ok := u.pop().(*[]any)
	if !ok {
		u.fail("appends to something other than a list")
		return
	}
	*list = append(*list, values...)
	u.push(list)
}

// storage returns the storage of a reference: a tuple of the word storage, a class, a key, a device and the number of
// elements.
func (u *unpickler) storage(reference any) *storage {
	items, _ := reference.([]any)
	if len(items) < 5 || items[0] != "storage" {
		u.fail("is not a reference to a storage")
		return nil
	}
	kind, _ := items[1].(global)
	key, isString := items[2].(string)
	elements, isNumber := items[4].(int64)
	dtype, known := storageTypes[kind]
	if !known || !isString || !isNumber || elements < 0 || elements > u.most {
		u.fail("the storage is %.99q of the class %.99q with %d elements, want one of the file", key, kind, elements)
		return nil
	}
	s := u.storages[key]
	if s == nil {
		s = &storage{dtype: dtype, elements: elements}
		u.storages[key] = s
	} else if s.dtype != dtype || s.elements != elements {
		u.fail("the storage %q is once %d %s and once %d %s", key, s.elements, s.dtype, elements, dtype)
	}
	return s
}

// call returns the result of calling a function that occurs in weights.
func (u *unpickler) call(function any, args []any) any {
	switch {
	case function == global("collections.OrderedDict"):
		return dict{}
	case function == global("torch._utils._rebuild_parameter") && len(args) > 0:
		return args[0]
	case (function == global("torch._utils._rebuild_tensor_v2") || function == global("torch._utils._rebuild_tensor")) &&
		len(args) >= 4:
		s, isStorage := args[0].(*storage)
		offset, isNumber := args[1].(int64)
		shape, isShape := integers(args[2])
		stride, isStride := integers(args[3])
		if isStorage && isNumber && isShape && isStride {
			return stored{s, offset, shape, stride}
		}
	}
	name, _ := function.(global) // other values may contain themselves, which makes them impossible to print
	u.fail("calls %.200q, want a function of weights", name)
	return nil
}

func integers(tuple any) ([]int64, bool) {
	items, ok := tuple.([]any)
	numbers := make([]int64, len(items))
	for i, item := range items {
		n, isNumber := item.(int64)
		numbers[i], ok = n, ok && isNumber && n >= 0
	}
	return numbers, ok
}

// entry returns the position of the tensor's numbers in the file.
func (t stored) entry() (none entry, err error) {
	width := widths[t.dtype]
	size := int64(1)
	for i, n := range slices.Backward(t.shape) {
		if len(t.stride) != len(t.shape) || n != 1 && t.stride[i] != size {
			return none, fmt.Errorf("strides %v for shape %v, want it row-major", t.stride, t.shape)
		}
		if n > 0 && size > math.MaxInt64/n {
			return none, fmt.Errorf("shape %v", t.shape)
		}
		size *= n
	}
	if elements := (t.end - t.start) / width; t.offset < 0 || t.offset > elements || size > elements-t.offset {
		return none, fmt.Errorf("is %d elements from %d on of a storage of %d", size, t.offset, elements)
	}
	start := t.start + t.offset*width
	return entry{dtype: t.dtype, shape: t.shape, start: start, end: start + size*width}, nil
}
