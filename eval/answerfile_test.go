package eval

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestAnswersRoundTrip(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	answers := smallAnswers(t, smallLinker(), gold.Items, ids)
	var file bytes.Buffer
	if err := WriteAnswers(&file, answers); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(file.String(), "\n"), "\n")
	if want := `{"document":"102","start":55,"end":66,"text":"sideropenia","type":"Disease","gold":["M4"],"rank":0,` +
		`"candidates":[{"id":"M3","score":3,"probability":0.5},{"id":"M1","score":2,"probability":0.25}]}` + "\n"; lines[6] != want {
		t.Errorf("line 7 is\n%swant\n%s", lines[6], want)
	}

	// In another order and with blank lines, as sort and cat leave them.
	lines[0], lines[9] = lines[9]+"\n\n", lines[0]
	read, err := ReadAnswers(strings.NewReader(strings.Join(lines, "")), "other.jsonl", gold.Items, ids)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answers, read); diff != "" {
		t.Errorf("answers (-written +read):\n%s", diff)
	}
}

// TestAnswersCountCodePoints has a mention behind two characters of five bytes.
func TestAnswersCountCodePoints(t *testing.T) {
	path := writeGold(t, `{"id":"1","text":"é😀 AD","mentions":[{"start":3,"end":5,"ids":["M5"]}]}`)
	ids := smallIDs()
	gold, err := ReadGold([]string{path}, nil, ids)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := WriteAnswers(&file, smallAnswers(t, smallLinker(), gold.Items, ids)); err != nil {
		t.Fatal(err)
	}
	if want := `"start":3,"end":5,`; !strings.Contains(file.String(), want) {
		t.Errorf("%swant %s", file.String(), want)
	}
}

// TestAnswersToASpanTwice has one span annotated twice: the answers go to the two
// items in turn.
func TestAnswersToASpanTwice(t *testing.T) {
	path := writeGold(t, `{"id":"1","text":"AD","mentions":[{"start":0,"end":2,"ids":["M5"]},{"start":0,"end":2,"ids":["M6"]}]}`)
	ids := smallIDs()
	gold, err := ReadGold([]string{path}, nil, ids)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"document":"1","start":0,"end":2,"text":"AD","candidates":[]}` + "\n"
	if _, err := ReadAnswers(strings.NewReader(line+line), "x", gold.Items, ids); err != nil {
		t.Error(err)
	}
	if _, err := ReadAnswers(strings.NewReader(line+line+line), "x", gold.Items, ids); err == nil || !strings.Contains(err.Error(), "x:3: ") {
		t.Errorf("a third answer to two items: %v", err)
	}
}

func TestReadAnswersErrors(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	first := `{"document":"101","start":0,"end":13,"text":"Breast cancer","type":"Disease","candidates":[]}` + "\n"
	for _, tc := range []struct{ what, file, want string }{
		{"other JSON", first + "[1]\n", "other.jsonl:2: want an answer as --answers writes it: "},
		{"cut short", first + `{"document":"101","sta`, "other.jsonl:2: want an answer as --answers writes it: "},
		{"no candidates", `{"document":"101"}`, `other.jsonl:1: want a list of "candidates", which may be empty`},
		{"candidate without ID", `{"candidates":[{"id":"A"},{}]}`, "other.jsonl:1: candidate 2 has no id"},
		{"probability out of range", `{"candidates":[{"id":"A","probability":1},{"id":"B","probability":-0.5}]}`, "other.jsonl:1: candidate 2 has the probability -0.5, want 0 to 1"},
		{"another mention", `{"document":"9","start":1,"end":4,"text":"flu","candidates":[]}`, `other.jsonl:1: answers "flu" at 1 to 4 of document 9, which the gold does not ask, or not as often`},
		{"twice", first + first, `other.jsonl:2: answers "Breast cancer" at 0 to 13 of document 101, which the gold does not ask, or not as often`},
		{"missing", first, `other.jsonl: has no answer for 9 of the 10 mentions of the gold, the first of them "ovarian cancer" at 18 to 32 of document 101`},
		{"empty", "", "other.jsonl: has no answer for 10 of the 10 mentions"},
	} {
		answers, err := ReadAnswers(strings.NewReader(tc.file), "other.jsonl", gold.Items, ids)
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) || answers != nil {
			t.Errorf("%s: %v, %d answers; want the error %s", tc.what, err, len(answers), tc.want)
		}
	}
}

// FuzzReadAnswers reads any file without fault, and what can be read comes back
// the same once it is written.
func FuzzReadAnswers(f *testing.F) {
	doc := &ctxnorm.Document{ID: "1", Text: "é AD", Mentions: []ctxnorm.Mention{{Span: ctxnorm.Span{Start: 3, End: 5}}}}
	items := []Item{{Query: ctxnorm.Query{Document: doc, Mention: doc.Mentions[0], Sentence: ctxnorm.Span{Start: 0, End: 5}}, Gold: []ctxnorm.ConceptID{"M5"}}}
	for _, seed := range []string{
		`{"document":"1","start":2,"end":4,"text":"AD","candidates":[{"id":"M5","score":1e-7,"probability":0.5}]}`,
		`{"document":"1","start":2,"end":4,"text":"AD","candidates":[]}`,
		`{"document":"1","candidates":null}`,
		"{}\n\n[", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		ids := smallIDs()
		answers, err := ReadAnswers(bytes.NewReader(file), "file", items, ids)
		if err != nil {
			if answers != nil {
				t.Fatal("an error and answers")
			}
			return
		}
		var again bytes.Buffer
		if err := WriteAnswers(&again, answers); err != nil {
			t.Fatal(err)
		}
		read, err := ReadAnswers(&again, "again", items, ids)
		if err != nil {
			t.Fatalf("%v in %s", err, again.String())
		}
		if diff := cmp.Diff(answers, read); diff != "" {
			t.Errorf("(-first +again):\n%s", diff)
		}
	})
}
