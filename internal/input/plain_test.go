package input

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainValue is a value with all that PlainJSON reads.
type plainValue struct {
	S string   `json:"s"`
	L []string `json:"l"`
	N int      `json:"n"`
	F float64  `json:"f"`
}

func readPlain(text string) (v plainValue, ok bool) {
	p := PlainJSON(text)
	ok = p.Object(func(name string) (ok bool) {
		switch name {
		case "s":
			v.S, ok = p.String()
		case "l":
			v.L, ok = p.Strings()
		case "n":
			v.N, ok = p.Int()
		case "f":
			v.F, ok = p.Float()
		}
		return ok
	})
	return v, ok && p.End()
}

// plainLines are lines and whether PlainJSON reads them.
var plainLines = []struct {
	text string
	ok   bool
}{
	{`{"s":"gut","l":["a","b"],"n":12,"f":0.25}`, true},
	{` { "s" : "症状" , "l" : [ ] } ` + "\n", true},
	{`{}`, true},
	{`{"f":1}`, true},
	{`{"f":0.5e-7,"n":0}`, true},
	{`{"f":3.5E+2}`, true},
	{`{"n":999999999}`, true},
	{`{"s":"a\u0062 \"c\" \\","l":["\ud83d\ude00","\ud83d"]}`, true},
	{`{"n":-1}`, false}, // encoding/json reads this one and those up to the next remark
	{`{"n":1000000000}`, false},
	{`{"f":10.5}`, false},
	{`{"f":-0.5}`, false},
	{`{"f":1e3}`, false},
	{`{"s":null}`, false},
	{`{"other":"a"}`, false},
	{"{\"s\":\"\xff\"}", false},
	{"{\"s\":\"a\tb\"}", false}, // is no JSON, as are the others
	{`{"s":"a\x"}`, false},
	{`{"s":"a\"`, false},
	{`{"s":"a\`, false},
	{`{"f":1.}`, false},
	{`{"f":1.5e}`, false},
	{`{"f":.5}`, false},
	{`{"f":0.5.5}`, false},
	{`{"f":0.5-3}`, false},
	{`{"n":01}`, false},
	{`{"n":1.}`, false},
	{`{"n":}`, false},
	{`{"s":"a"`, false},
	{`{"s":"a",}`, false},
	{`{"s":"a"} x`, false},
	{`{"l":["a",]}`, false},
	{`{"l":["a"`, false},
	{`{"s" "a"}`, false},
	{`{"s`, false},
	{``, false},
}

func TestPlainJSON(t *testing.T) {
	for _, test := range plainLines {
		if ok := checkPlain(t, test.text); ok != test.ok {
			t.Errorf("%s: read is %t, want %t", test.text, ok, test.ok)
		}
	}
}

// checkPlain compares what PlainJSON reads with encoding/json.
func checkPlain(t *testing.T, text string) bool {
	t.Helper()
	got, ok := readPlain(text)
	if !ok {
		return false
	}
	var want plainValue
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatalf("%q is read; encoding/json: %v", text, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%q (-json +plain):\n%s", text, diff)
	}
	return true
}

func FuzzPlainJSON(f *testing.F) {
	for _, test := range plainLines {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPlain(t, text) })
}

func TestPlainRecord(t *testing.T) {
	many := func(n int) string {
		members := make([]string, n)
		for i := range members {
			members[i] = fmt.Sprintf(`"m%d":1`, i)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	for _, test := range []struct {
		json string
		want bool
	}{{`{"a":1,"b":1}`, true}, {`{"a":1,"a":1}`, false}, {many(maxRecord), true}, {many(maxRecord + 1), false}} {
		p := PlainJSON(test.json)
		read := p.Record(func(string) bool { _, ok := p.Int(); return ok })
		if read = read && p.End(); read != test.want {
			t.Errorf("%s: read is %t, want %t", test.json, read, test.want)
		}
	}
}
