package safetensors

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// file returns the bytes of a file with a header and data.
func file(header string, data ...byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), data...)
}

func write(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.safetensors")
	must.Succeed(t, os.WriteFile(path, content, 0o644))
	return path
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	want := []Named{
		{Name: "b", Shape: []int64{2, 3}, Data: []float32{1, -2, 3.5, 0, float32(math.Inf(1)), 1e-40}},
		{Name: "a", Shape: []int64{}, Data: []float32{7}},
		{Name: "none", Shape: []int64{0, 4}, Data: []float32{}},
	}
	must.Succeed(t, Write(path, want))
	f := must.Get(Open(path))
	defer f.Close()
	const metadata = `"__metadata__":{"format":"pt"}`
	if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), metadata) {
		t.Errorf("error %v, or no metadata %s in the file", err, metadata)
	}
	must.Equal(t, f.Names(), []string{"a", "b", "none"}, "names")
	for _, w := range want {
		got := make([]float32, len(w.Data))
		must.Succeed(t, f.Float32(got, w.Name))
		must.Equal(t, Named{w.Name, f.Shape(w.Name), got}, w, w.Name)
	}
}

// TestTypes reads 1, -2 and 0.5 in each floating-point type.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		dtype string
		data  []byte
	}{
		{"F64", []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f}},
		{"F32", []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f}},
		{"BF16", []byte{0x80, 0x3f, 0, 0xc0, 0, 0x3f}},
		{"F16", []byte{0, 0x3c, 0, 0xc0, 0, 0x38}},
	} {
		header := fmt.Sprintf(`{"x":{"dtype":%q,"shape":[3],"data_offsets":[0,%d]}}`, c.dtype, len(c.data))
		f := must.Get(Open(write(t, file(header, c.data...))))
		got := make([]float32, 3)
		must.Succeed(t, f.Float32(got, "x"))
		must.Equal(t, got, []float32{1, -2, 0.5}, c.dtype)
		f.Close()
	}
}

// TestHalf converts every binary16 by its definition: (-1)^s 2^(e-15) (1 + f/1024), and (-1)^s 2^-14 f/1024 if e is 0.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		sign := 1.0
		if h>>15 == 1 {
			sign = -1
		}
		e, f := h>>10&0x1f, float64(h&0x3ff)
		got := float64(halfToFloat(uint16(h)))
		var want float64
		switch {
		case e == 31 && f != 0:
			if !math.IsNaN(got) {
				t.Errorf("%#04x is %v, want NaN", h, got)
			}
			continue
		case e == 31:
			want = math.Inf(int(sign))
		case e == 0:
			want = sign * math.Ldexp(f/1024, -14)
		default:
			want = sign * math.Ldexp(1+f/1024, e-15)
		}
		if got != want || math.Signbit(got) != (sign < 0) {
			t.Errorf("%#04x is %v, want %v", h, got, want)
		}
	}
}

func TestDamaged(t *testing.T) {
	four := []byte{0, 0, 0, 0}
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"empty", nil, "0 bytes, want at least 8"},
		{"header too long", file(`{}`)[:9], "header of 2 bytes does not fit a file of 9"},
		{"no header's length", binary.LittleEndian.AppendUint64(nil, 1<<60), "does not fit"},
		{"not JSON", file(`{"x":`), "header: "},
		{"a number", file(`{"x":3}`), `tensor "x"`},
		{"metadata", file(`{"__metadata__":[1,2]}`), "header: __metadata__: json: cannot unmarshal array"},
		{"type", file(`{"x":{"dtype":"F7","shape":[1],"data_offsets":[0,4]}}`, four...), `tensor "x": dtype "F7" is not known`},
		{"offsets", file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0]}}`, four...), `tensor "x": data_offsets [0], want two numbers`},
		{"beyond the end", file(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, four...), "do not lie within the file's 4 bytes"},
		{"before the start", file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`, four...), "do not lie within"},
		{"shape", file(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, four...), "4 bytes of data, want 8 for F32 of shape [2]"},
		{"negative shape", file(`{"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, four...), "shape [-1]"},
		{"shape beyond int64", file(`{"x":{"dtype":"F32","shape":[9223372036854775807,2],"data_offsets":[0,4]}}`, four...), "shape ["},
	} {
		path := write(t, c.content)
		_, err := Open(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: error %v, want one naming the file with %q", c.name, err, c.want)
		}
	}
	_, err := Open(filepath.Join(t.TempDir(), "none"))
	must.FailWith(t, err, fs.ErrNotExist)
}

func TestWrongUse(t *testing.T) {
	f := must.Get(Open(write(t, file(`{"x":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}`, 0, 0, 0, 0))))
	defer f.Close()
	for _, c := range []struct {
		room int
		want string
	}{{1, "dtype I32 is not a floating-point type"}, {2, `tensor "x" has 1 elements, want 2`}} {
		must.Fail(t, f.Float32(make([]float32, c.room), "x"), c.want)
	}
	path := filepath.Join(t.TempDir(), "x")
	for _, c := range []struct {
		tensors []Named
		want    string
	}{
		{[]Named{{"x", []int64{2}, []float32{1}}}, `tensor "x" has 1 elements, want 2`},
		{[]Named{{"x", []int64{1}, []float32{1}}, {"x", []int64{1}, []float32{1}}}, `tensor "x" is given twice`},
	} {
		must.Fail(t, Write(path, c.tensors), c.want)
	}
	_, err := os.Stat(path)
	must.FailWith(t, err, fs.ErrNotExist, "a write that failed left a file")
}

// FuzzOpen opens damaged files: either Open returns an error, or all tensors can be read without a fault.
func FuzzOpen(f *testing.F) {
	f.Add(file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 1, 2, 3, 4))
	f.Add(file(`{"__metadata__":{"format":"pt"},"x":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]}}`, 1, 2, 3, 4))
	f.Add(file(`{}`))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := Open(write(t, content))
		if err != nil {
			return
		}
		defer s.Close()
		for _, name := range s.Names() {
			elements := int64(1)
			for _, size := range s.Shape(name) {
				elements *= size
			}
			_ = s.Float32(make([]float32, elements), name) // an error for other types
		}
	})
}

// TestView: the elements of a tensor are those of the file, even if they do not begin at a multiple of their size. A
// missing tensor, or one of another type, is an error.
func TestView(t *testing.T) {
	header := `{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[2],"data_offsets":[8,10]},` +
		`"c":{"dtype":"F32","shape":[1],"data_offsets":[10,14]}}`
	header += strings.Repeat(" ", (4-len(header)%4)%4)
	f := must.Get(Open(write(t, file(header, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0, 7, 8, 0, 0, 0xc0, 0x3f))))
	defer f.Close()
	for name, want := range map[string][]float32{"a": {1.5, -2}, "c": {1.5}} {
		must.Equal(t, must.Get(View[float32](f, name)), want, "View", name)
	}
	must.Equal(t, must.Get(View[byte](f, "b")), []byte{7, 8}, "View of b")
	for _, name := range []string{"b", "missing"} {
		if got, err := View[float32](f, name); err == nil {
			t.Errorf("View of %s is %v, want an error", name, got)
		}
	}
}

// TestArrays writes arrays of each width, strings and lists, and reads them.
func TestArrays(t *testing.T) {
	type kept struct {
		names   Strings
		lists   Lists
		bytes   []byte
		numbers []int32
		weights []float64
	}
	fields := func(k *kept) []Field {
		return []Field{{"names", &k.names}, {"lists", &k.lists}, {"b", &k.bytes}, {"n", &k.numbers}, {"w", &k.weights}}
	}
	want := kept{bytes: []byte{1, 2, 3}, numbers: []int32{-1, 5}, weights: []float64{.5, -2}}
	for _, name := range []string{"", "a", "ab", "z", "é"} {
		want.names.Append(name)
	}
	for _, list := range [][]int32{{2, 0}, nil, {1, 2}} {
		want.lists.Append(list...)
	}
	path := filepath.Join(t.TempDir(), "arrays")
	must.Succeed(t, WriteArrays(path, Arrays("x/", fields(&want))))
	f := must.Get(Open(path))
	defer f.Close()
	var got kept
	if err := ViewFields(f, "x/", fields(&got)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for i := range got.names.Len() {
		if at, found := got.names.Find(want.names.At(i)); !found || at != i {
			t.Errorf("string %d is found at %d", i, at)
		}
	}
	if at, found := got.names.Find("b"); found || at != 3 {
		t.Errorf(`"b" would be at %d, want 3`, at)
	}
	inverted := got.lists.Inverted(3)
	for value, want := range [][]int32{{0}, {2}, {0, 2}} {
		must.Equal(t, inverted.At(int32(value)), want, "the lists", value)
	}
}
