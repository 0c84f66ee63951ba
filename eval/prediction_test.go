package eval

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestPredictionsRoundTrip(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	predictions := smallPredictions(t, smallLinker(), gold.Mentions, set)
	var file bytes.Buffer
	must.Succeed(t, WritePredictions(&file, predictions))
	lines := strings.SplitAfter(strings.TrimSuffix(file.String(), "\n"), "\n")
	must.Equal(t, lines[6], `{"document":"102","start":55,"end":66,"text":"sideropenia","type":"Disease","gold":["M4"],"rank":0,`+
		`"candidates":[{"id":"M3","score":3,"probability":0.5},{"id":"M1","score":2,"probability":0.25}]}`+"\n", "line 7")

	// Lines may be reordered and mixed with blank lines, as by sort and cat.
	lines[0], lines[9] = lines[9]+"\n\n", lines[0]
	read := must.Get(ReadPredictions(strings.NewReader(strings.Join(lines, "")), "other.jsonl", gold.Mentions, set, files.Limits{}))
	must.Equal(t, read, predictions, "predictions, written and read")
}

// TestPredictionsCountCodePoints has a mention after two characters that take six bytes: offsets count code points.
func TestPredictionsCountCodePoints(t *testing.T) {
	path := writeGold(t, `{"id":"1","text":"é😀 AD","mentions":[{"start":3,"end":5,"ids":["M5"]}]}`)
	set := smallSet()
	gold := readGold(t, set, nil, path)
	var file bytes.Buffer
	must.Succeed(t, WritePredictions(&file, smallPredictions(t, smallLinker(), gold.Mentions, set)))
	must.Contain(t, file.String(), `"start":3,"end":5,`)
}

// TestPredictionsForASpanAnnotatedTwice assigns two lines for one span to the two mentions in turn.
func TestPredictionsForASpanAnnotatedTwice(t *testing.T) {
	path := writeGold(t, `{"id":"1","text":"AD","mentions":[{"start":0,"end":2,"ids":["M5"]},{"start":0,"end":2,"ids":["M6"]}]}`)
	set := smallSet()
	gold := readGold(t, set, nil, path)
	line := `{"document":"1","start":0,"end":2,"text":"AD","candidates":[]}` + "\n"
	must.Get(ReadPredictions(strings.NewReader(line+line), "x", gold.Mentions, set, files.Limits{}))
	_, err := ReadPredictions(strings.NewReader(line+line+line), "x", gold.Mentions, set, files.Limits{})
	must.Fail(t, err, "x: line 3: ", "third line for two mentions")
}

func TestReadPredictionsErrors(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	first := `{"document":"101","start":0,"end":13,"text":"Breast cancer","type":"Disease","candidates":[]}` + "\n"
	for _, tc := range []struct{ name, file, want string }{
		{"JSON of another kind", first + "[1]\n", "other.jsonl: line 2: want a prediction as a JSON object: "},
		{"truncated", first + `{"document":"101","sta`, "other.jsonl: line 2: want a prediction as a JSON object: "},
		{"no candidates", `{"document":"101"}`, `other.jsonl: line 1: "candidates" is missing, want a list, which may be empty`},
		{"candidate without ID", `{"candidates":[{"id":"A"},{}]}`, "other.jsonl: line 1: candidate 2 has no id"},
		{"probability out of range", `{"candidates":[{"id":"A","probability":1},{"id":"B","probability":-0.5}]}`, "other.jsonl: line 1: candidate 2: probability is -0.5, want 0 to 1"},
		{"another mention", `{"document":"9","start":1,"end":4,"text":"flu","candidates":[]}`, `other.jsonl: line 1: "flu" at 1-4 of document 9 is not a gold mention, or has a prediction already`},
		{"two lines for one mention", first + first, `other.jsonl: line 2: "Breast cancer" at 0-13 of document 101 is not a gold mention, or has a prediction already`},
		{"missing lines", first, `other.jsonl: 9 of 10 gold mentions have no prediction; the first is "ovarian cancer" at 18-32 of document 101`},
		{"empty file", "", "other.jsonl: 10 of 10 gold mentions have no prediction"},
	} {
		predictions, err := ReadPredictions(strings.NewReader(tc.file), "other.jsonl", gold.Mentions, set, files.Limits{})
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) || predictions != nil {
			t.Errorf("%s: %v, %d predictions; want the error %s", tc.name, err, len(predictions), tc.want)
		}
	}
}

// FuzzReadPredictions checks that no file makes ReadPredictions panic, and that its result survives a round trip.
func FuzzReadPredictions(f *testing.F) {
	doc := &text.Document{ID: "1", Text: "é AD", Mentions: []text.Mention{{Span: text.Span{Start: 3, End: 5}}}}
	mentions := []GoldMention{{Query: text.Query{Document: doc, Mention: doc.Mentions[0], Sentence: text.Span{Start: 0, End: 5}}, Gold: []kb.ConceptID{"M5"}}}
	for _, seed := range []string{
		`{"document":"1","start":2,"end":4,"text":"AD","candidates":[{"id":"M5","score":1e-7,"probability":0.5}]}`,
		`{"document":"1","start":2,"end":4,"text":"AD","candidates":[]}`,
		`{"document":"1","candidates":null}`,
		"{}\n\n[", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		set := smallSet()
		predictions, err := ReadPredictions(bytes.NewReader(file), "file", mentions, set, files.Limits{})
		if err != nil {
			if predictions != nil {
				t.Fatal("ReadAnswers returned predictions with an error")
			}
			return
		}
		var again bytes.Buffer
		must.Succeed(t, WritePredictions(&again, predictions))
		read, err := ReadPredictions(&again, "again", mentions, set, files.Limits{})
		must.Succeed(t, err, again.String())
		must.Equal(t, read, predictions, "first and again")
	})
}

var errLinker = errors.New("the linker failed")

type failingLinker struct{}

func (failingLinker) Name() string { return "failing" }

func (failingLinker) Link(context.Context, []text.Query, int) ([]link.Ranking, error) {
	return nil, errLinker
}

func TestPredict(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	_, err := Predict(t.Context(), failingLinker{}, gold.Mentions, set, nil)
	must.FailWith(t, err, errLinker)
	// More mentions than fit into one call.
	many := make([]GoldMention, mentionsPerCall+1)
	for i := range many {
		many[i] = gold.Mentions[i%10]
	}
	var calls []int
	predictions := must.Get(Predict(t.Context(), smallLinker(), many, set, func(done, total int) { calls = append(calls, done, total) }))
	must.Equal(t, calls, []int{mentionsPerCall, mentionsPerCall + 1, mentionsPerCall + 1, mentionsPerCall + 1}, "progress")
	for i := range predictions {
		if predictions[i].Mention != &many[i] {
			t.Fatalf("prediction %d is for another mention", i)
		}
	}
	// More candidates than depth.
	deep := newPrediction(&many[0], make([]Candidate, depth+5), set)
	if len(deep.Candidates) != depth || len(deep.Ranked) != 1 {
		t.Errorf("%d candidates, %d ranked; want %d and 1", len(deep.Candidates), len(deep.Ranked), depth)
	}
}
