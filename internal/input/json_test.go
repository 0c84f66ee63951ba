package input

import (
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

type innerJSON struct {
	Start *int `json:"start"`
	Note  string
}

type outerJSON struct {
	ID    json.RawMessage   `json:"id"`
	Text  *string           `json:"text"`
	Items []innerJSON       `json:"items"`
	Named map[string]string `json:"named"`
	innerJSON
}

// TestDecodeJSON checks that member names are compared exactly, and checks the errors for values of the wrong type.
func TestDecodeJSON(t *testing.T) {
	text, seven := "a", 7
	for data, want := range map[string]any{
		`{"id": 5, "TEXT": "b", "text": "a", "start": 7}`: outerJSON{ID: json.RawMessage("5"), Text: &text, innerJSON: innerJSON{Start: &seven}},
		`{"Id": 1}`: outerJSON{},
		`{"ſtart": 3, "te\u0078t": "a", "note": "b"}`: outerJSON{Text: &text},
		`{"items": [{}, {"START": 1, "start": 7}]}`:   outerJSON{Items: []innerJSON{{}, {Start: &seven}}},
		`{"named": {"a": "1", "A": "2"}}`:             outerJSON{Named: map[string]string{"a": "1", "A": "2"}},
		`{"text": "a", "\u0074ext": "b"}`:             `want each member of an object once, got another "text"`,
		`{"items": [{"start": 1, "start": 1}]}`:       `want each member of an object once, got another "start"`,
		`{"x": {"y": 1, "y": 1}}`:                     `want each member of an object once, got another "y"`,
		`{"text": "a", "id": }`:                       "want JSON, got invalid character '}' at start of value (byte 20)",
		`{"text": "a", "TEXT": "b`:                    "want JSON, got an unfinished value",
		`{"text": 5}`:                                 "want a string in text, got number",
		`{"items": [{"start": 1.5}]}`:                 "want a whole number in items.start, got number 1.5",
		`{"items": {}}`:                               "want a list in items, got object",
		`[]`:                                          "want an object, got array",
	} {
		var got outerJSON
		err := DecodeJSON([]byte(data), &got)
		if message, ok := want.(string); ok {
			if err == nil || JSONError(err).Error() != message {
				t.Errorf("%s: error %v, want %s", data, err, message)
			}
		} else if diff := cmp.Diff(want, got, cmp.AllowUnexported(outerJSON{})); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", data, err, diff)
		}
	}
}

func TestLookAlike(t *testing.T) {
	known := []string{"id", "text", "ids", "mentions"}
	for unknown, want := range map[string]string{
		"mentons": "mentions", "mention": "mentions", "mentionss": "mentions", "mentoins": "mentions", "Mentions": "mentions", "mantions": "mentions",
		"TEXT": "text", "ID": "id", "Ids": "ids", // short names may differ only in case
		"idx": "", "i": "", "note": "", "": "", "menton": "", "candidates": "",
	} {
		must.Equal(t, LookAlike(unknown, known), want, unknown, "like")
	}
}

// FuzzDecodeJSON compares EachMember with encoding/json, which accepts duplicate members.
func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{`{"id":1,"text":"\\\"","items":[{"start":1}]}`, `[1,{"x":[]}]`, `"a"`, ` {} `, `null`, `{"a":`, `{"a":1}{`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, want := make(map[string]json.RawMessage), make(map[string]json.RawMessage)
		err := EachMember(data, func(name string, value []byte) error {
			got[name] = value
			return nil
		})
		if plain := json.Unmarshal(data, &want); err == nil && (plain != nil || !reflect.DeepEqual(got, want)) {
			t.Errorf("%s, want %s, %v", got, want, plain)
		}
	})
}

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
