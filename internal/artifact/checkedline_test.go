package artifact

import (
	"bytes"
	"testing"
)

func TestCheckedLine(t *testing.T) {
	line, err := AppendCheckedLine([]byte("before\n"), map[string]any{"a": 1, "b": "ü"})
	if err != nil {
		t.Fatal(err)
	}
	line = bytes.TrimPrefix(line, []byte("before\n"))
	if object, ok := CheckLine(line); !ok || string(object) != `{"a":1,"b":"ü"}` {
		t.Errorf("%q is %q, %v", line, object, ok)
	}
	for i := range line {
		damaged := bytes.Clone(line)
		damaged[i] ^= 1
		if object, ok := CheckLine(damaged); ok {
			t.Errorf("%q, damaged at %d, is %q", damaged, i, object)
		}
		if object, ok := CheckLine(line[:i]); ok {
			t.Errorf("%q, cut at %d, is %q", line[:i], i, object)
		}
	}
}
