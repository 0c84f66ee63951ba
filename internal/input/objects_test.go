package input

import (
	"io"
	"slices"
	"strings"
	"testing"
)

func TestObjects(t *testing.T) {
	for _, c := range []struct {
		name, content, want, skipped string
		err                          error
	}{
		{"one after the other", `{"a":1} {"a":2}` + "\n", `{"a":1}|{"a":2}`, "", io.EOF},
		{"a list", `[{"a":1},"b",3]`, `{"a":1}|"b"|3`, "", io.EOF},
		{"an empty list", `[]`, ``, "", io.EOF},
		{"a member", `{"n":2,"of":["x"],"items":[{"a":1},{"a":2}],"next":null}`, `{"a":1}|{"a":2}`, "n,of,next", io.EOF},
		{"the first of two lists", `{"items":[{"a":1}],"others":[{"b":1}]}`, `{"a":1}`, "others", io.EOF},
		{"a list in objects", `{"n":2,"of":{"x":{"y":1},"items":[{"a":1}, {"a":2}],"z":0},"next":null}`, `{"a":1}|{"a":2}`, "n,x,z,next", io.EOF},
		{"the list that fits", `{"others":[{"b":1}],"of":{"items":[{"a":1}]}}`, `{"a":1}`, "others", io.EOF},
		{"too deep", `{"a":{"a":{"a":{"a":{"a":[{"a":1}]}}}}}`, `{"a":{"a":{"a":{"a":{"a":[{"a":1}]}}}}}`, "", io.EOF},
		{"no list of objects", `{"items":[[1]],"others":[1]}`, `{"items":[[1]],"others":[1]}`, "", io.EOF},
		{"nothing", ` `, ``, "", io.EOF},
		{"a cut list", `[{"a":1}`, `{"a":1}`, "", io.ErrUnexpectedEOF},
		{"a cut member", `{"items":[{"a":1}`, `{"a":1}`, "", io.ErrUnexpectedEOF},
		{"a cut object", `{"items":[{"a":1}]`, `{"a":1}`, "", io.ErrUnexpectedEOF},
	} {
		var values, skipped []string
		path := WrappedList([]byte(c.content), func(_ string, list []byte) bool { return strings.HasPrefix(string(list), `[{"a"`) })
		o := NewObjects(strings.NewReader(c.content), []byte(c.content), path, func(name string) { skipped = append(skipped, name) })
		var err error
		for err == nil {
			var value []byte
			if value, err = o.Next(); err == nil {
				values = append(values, string(value))
			}
		}
		if got := strings.Join(values, "|"); got != c.want || err != c.err || !slices.Equal(skipped, strings.FieldsFunc(c.skipped, func(r rune) bool { return r == ',' })) {
			t.Errorf("%s: %s, skipped %q, %v; want %s, %s, %v", c.name, got, skipped, err, c.want, c.skipped, c.err)
		}
	}
}
