package input

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type innerJSON struct {
	Start *int `json:"start"`
	Note  string
}

type outerJSON struct {
	ID    json.RawMessage   `json:"id"`
	Text  *string           `json:"text"`
	Long  string            `json:"long_form,omitempty"`
	Items []innerJSON       `json:"items"`
	Deep  [][]*innerJSON    `json:"deep"`
	Named map[string]string `json:"named"`
	Skip  string            `json:"-"`
	innerJSON
}

func TestDecodeJSON(t *testing.T) {
	text, seven := "a", 7
	for _, c := range []struct {
		name, data string
		want       outerJSON
		unknown    []string
		err        string
	}{
		{name: "exact", data: `{"id": 5, "text": "a", "start": 7}`,
			want: outerJSON{ID: json.RawMessage("5"), Text: &text, innerJSON: innerJSON{Start: &seven}}},
		{name: "another case before", data: `{"TEXT": "b", "text": "a"}`, want: outerJSON{Text: &text}, unknown: []string{"TEXT"}},
		{name: "another case after", data: `{"text": "a", "Text": "b", "tEXT": null}`, want: outerJSON{Text: &text}, unknown: []string{"Text", "tEXT"}},
		{name: "another case alone", data: `{"Id": 1}`, unknown: []string{"Id"}},
		{name: "letters that fold to ASCII", data: `{"ſtart": 3, "start": 7}`, want: outerJSON{innerJSON: innerJSON{Start: &seven}}, unknown: []string{"ſtart"}},
		{name: "escaped", data: `{"\u0054EXT": "b", "te\u0078t": "a"}`, want: outerJSON{Text: &text}, unknown: []string{"TEXT"}},
		{name: "a field without a tag", data: `{"note": "b", "Note": "a"}`, want: outerJSON{innerJSON: innerJSON{Note: "a"}}, unknown: []string{"note"}},
		{name: "in a list", data: `{"items": [{}, {"START": 1, "start": 7}]}`, want: outerJSON{Items: []innerJSON{{}, {Start: &seven}}}, unknown: []string{"START"}},
		{name: "in a list of lists", data: `{"deep": [[], [{"Start": 1}, null]], "text": "a"}`,
			want: outerJSON{Deep: [][]*innerJSON{{}, {{}, nil}}, Text: &text}, unknown: []string{"Start"}},
		{name: "names of a map are its own", data: `{"named": {"a": "1", "A": "2"}}`, want: outerJSON{Named: map[string]string{"a": "1", "A": "2"}}},
		{name: "unknown values are skipped", data: `{"x": [{"a": "}]\""}, 1e5, true], "text": "a"}`, want: outerJSON{Text: &text}, unknown: []string{"x"}},
		{name: "a tag that is none", data: `{"Skip": "b", "-": "c"}`, unknown: []string{"Skip", "-"}},
		{name: "twice", data: `{"text": "a", "id": 1, "text": "a"}`, err: `want each member of an object once, got another "text"`},
		{name: "twice, escaped", data: `{"text": "a", "\u0074ext": "b"}`, err: `want each member of an object once, got another "text"`},
		{name: "twice, unknown", data: `{"x": 1, "x": 1}`, err: `want each member of an object once, got another "x"`},
		{name: "twice in a list", data: `{"items": [{"start": 1, "start": 1}]}`, err: `want each member of an object once, got another "start"`},
		{name: "twice in a map", data: `{"named": {"a": "1", "a": "2"}}`, err: `want each member of an object once, got another "a"`},
		{name: "malformed", data: `{"text": "a", "text": }`, err: `want JSON, got invalid character '}' looking for beginning of value (byte 23)`},
		{name: "unfinished", data: `{"text": "a", "TEXT": "b`, err: `want JSON, got unexpected end of JSON input (byte 24)`},
		{name: "wrong type", data: `{"TEXT": "b", "text": 5}`, err: "want a string in text, got number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got outerJSON
			var unknown []string
			err := DecodeJSONMembers([]byte(c.data), &got, func(name string) { unknown = append(unknown, name) })
			if c.err != "" {
				if err == nil || JSONError(err).Error() != c.err {
					t.Fatalf("error %v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(outerJSON{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !slices.Equal(unknown, c.unknown) {
				t.Errorf("unknown members %q, want %q", unknown, c.unknown)
			}
		})
	}
}

func TestLookAlike(t *testing.T) {
	known := []string{"id", "text", "ids", "mentions"}
	for unknown, want := range map[string]string{
		"mentons": "mentions", "mention": "mentions", "mentionss": "mentions", "mentoins": "mentions", "Mentions": "mentions", "mantions": "mentions",
		"TEXT": "text", "ID": "id", "Ids": "ids", // of a short name, case alone
		"idx": "", "i": "", "note": "", "": "", "menton": "", "candidates": "",
	} {
		if got := LookAlike(unknown, known); got != want {
			t.Errorf("%q looks like %q, want %q", unknown, got, want)
		}
	}
}

// FuzzDecodeJSON compares with encoding/json: JSON whose names are exact is decoded alike, and the cursor
// finds the end of every valid value.
func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"text":"\\\"","items":[{"start":1}],"deep":[[{}]],"named":{"a":"b"}}`, `[1,{"x":[]}]`, `"a"`, ` {} `, `{"TEXT":1}`, `null`, `{"a":`, `-1.5e3`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want outerJSON
		folded := false
		err := DecodeJSONMembers(data, &got, func(name string) {
			for _, known := range []string{"id", "text", "long_form", "items", "deep", "named", "start", "Note"} {
				folded = folded || strings.EqualFold(known, name)
			}
		})
		plain := json.Unmarshal(data, &want)
		if _, again := errors.AsType[*LineError](err); again || folded {
			return
		}
		if (err == nil) != (plain == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v, %v", got, err, want, plain)
		}
		_ = EachMember(data, func(string, []byte) error { return nil })
	})
}

// TestEscapesAreLinear: sixteen times as many escapes in a string take about sixteen times as long.
func TestEscapesAreLinear(t *testing.T) {
	took := func(n int) time.Duration {
		data := []byte(`{"a": "` + strings.Repeat(`\n`, n) + `\""}`)
		least := time.Hour
		for range 3 {
			start := time.Now()
			var v struct{ A string }
			if err := DecodeJSON(data, &v); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	if few, many := max(took(20_000), time.Millisecond), took(320_000); many > 100*few {
		t.Errorf("20,000 escapes take %v and 320,000 %v, want less than 100 times as long", few, many)
	}
}
