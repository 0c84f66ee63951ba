package checks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/server"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestAnswersStay changes things that must not matter, and checks that the answers stay the same to the last bit of the
// probabilities (Chen et al., Metamorphic testing: a review of challenges and opportunities, ACM Computing Surveys
// 2018). The mentions are the names in the abstracts of examples/, linked by a model that lacks half of them.
func TestAnswersStay(t *testing.T) {
	must.SkipShort(t)
	dir := t.TempDir()
	o := exampleOptions(t, dir)
	o.DictionaryFraction, o.NoRecognizer = .5, false
	must.Succeed(t, ctxnorm.Train(t.Context(), o))
	m := openModel(t, o.Model)
	docs := exampleDocuments(t)
	plain := ctxnorm.LinkOptions{Evidence: true}
	want := answersOf(t, m, docs, plain)
	if n := strings.Count(strings.Join(want, "\n"), "NIL"); len(docs) < 100 || n == 0 || n > len(want)/2 {
		t.Fatalf("%d documents with %d mentions, %d of them NIL, show too little", len(docs), len(want), n)
	}
	same := func(t *testing.T, got []string) {
		t.Helper()
		must.Equal(t, got, want, "answers differ, before and after")
	}

	bare := make([]*ctxnorm.Document, len(docs))
	for i, doc := range docs {
		bare[i] = &ctxnorm.Document{ID: doc.ID, Text: doc.Text}
	}
	t.Run("company", func(t *testing.T) { testCompany(t, m, docs, plain, want) })
	for name, linked := range map[string]struct {
		docs []*ctxnorm.Document
		o    ctxnorm.LinkOptions
	}{
		"company, by coverage": {docs, ctxnorm.LinkOptions{Coverage: .6, Evidence: true}},
		"company, recognized":  {bare, ctxnorm.LinkOptions{Recognize: true, Assertion: true}},
	} {
		t.Run(name, func(t *testing.T) {
			other := answersOf(t, m, linked.docs, linked.o)
			if slices.Equal(other, want) {
				t.Fatal("the options change nothing")
			}
			testCompany(t, m, linked.docs, linked.o, other)
		})
	}
	t.Run("a mention less", func(t *testing.T) { // other mentions to link are not part of a mention's context
		var first, alone []*ctxnorm.Document
		for _, doc := range docs {
			if len(doc.Mentions) > 0 {
				first = append(first, doc)
				alone = append(alone, &ctxnorm.Document{ID: doc.ID, Text: doc.Text, Mentions: doc.Mentions[:1]})
			}
		}
		all, one := linkAll(t, m, first, plain), linkAll(t, m, alone, plain)
		for i := range all {
			all[i].Mentions = all[i].Mentions[:1]
		}
		must.Equal(t, describe(one), describe(all), "answers differ, with others and alone")
	})
	for name, rewrite := range map[string]func(string) string{
		"form D":          norm.NFD.String,
		"no-break spaces": strings.NewReplacer(" ", "\u00a0").Replace,
		"other spaces":    strings.NewReplacer(" a", "\u2009a", " o", "\u3000o", " ", "\u2003").Replace,
		"soft hyphens":    strings.NewReplacer("t", "\u00adt", "e", "e\u200b").Replace,
	} {
		t.Run(name, func(t *testing.T) { same(t, answersOf(t, m, rewritten(docs, rewrite), plain)) })
	}
	t.Run("line ends", func(t *testing.T) {
		lines := answersOf(t, m, rewritten(docs, strings.NewReplacer(". ", ".\n\n").Replace), plain)
		for _, end := range []string{"\r\n", "\r", "\u2028", "\u0085"} {
			ended := rewritten(docs, strings.NewReplacer(". ", "."+end+end).Replace)
			must.Equal(t, answersOf(t, m, ended, plain), lines, end, "answers differ, line feed and this")
		}
	})
	t.Run("white space around the text", func(t *testing.T) {
		var padded []*ctxnorm.Document
		for _, doc := range docs {
			copied := &ctxnorm.Document{ID: doc.ID, Text: "\n " + doc.Text + " \n\n"}
			for _, mention := range doc.Mentions {
				mention.Start, mention.End = mention.Start+2, mention.End+2
				copied.Mentions = append(copied.Mentions, mention)
			}
			padded = append(padded, copied)
		}
		same(t, answersOf(t, m, padded, plain))
	})
	t.Run("formats", func(t *testing.T) { testFormatsAgree(t, m, docs, plain, want) })
	t.Run("server", func(t *testing.T) { testServerAgrees(t, o.Model, m, docs) })

	retrained := func(t *testing.T, change func(*ctxnorm.TrainOptions)) []string {
		again := exampleOptions(t, t.TempDir())
		again.DictionaryFraction = .5
		change(&again)
		must.Succeed(t, ctxnorm.Train(t.Context(), again))
		return answersOf(t, openModel(t, again.Model), docs, plain)
	}
	t.Run("order of the dictionary", func(t *testing.T) {
		concepts := concepts(exampleDictionary(t))
		rand.New(rand.NewPCG(11, 12)).Shuffle(len(concepts), func(i, j int) { concepts[i], concepts[j] = concepts[j], concepts[i] })
		same(t, retrained(t, func(o *ctxnorm.TrainOptions) { o.Dictionary = kb.NewDictionary(concepts) }))
	})
}

// testCompany links documents in another order, one by one, twice and together with others, and with one processor.
func testCompany(t *testing.T, m *ctxnorm.Model, docs []*ctxnorm.Document, o ctxnorm.LinkOptions, want []string) {
	same := func(what string, got []*linked.Document) {
		t.Helper()
		must.Equal(t, describe(got), want, what, "answers differ, before and after")
	}
	r := rand.New(rand.NewPCG(11, 12))
	var shuffled, more []*ctxnorm.Document
	order := r.Perm(len(docs))
	for i, at := range order {
		shuffled = append(shuffled, docs[at])
		other := &ctxnorm.Document{ID: fmt.Sprint("other", i), Text: "Gout and " + strings.Repeat("hypertension, ", i%5) + "gout."}
		more = append(more, docs[i], other, docs[i])
	}
	back, beside, twice, single := make([]*linked.Document, len(docs)), linkAll(t, m, more, o), []*linked.Document{}, []*linked.Document{}
	for i, doc := range linkAll(t, m, shuffled, o) {
		back[order[i]] = doc
		beside[i], twice = beside[3*i], append(twice, beside[3*i+2])
		single = append(single, linkAll(t, m, docs[i:i+1], o)...)
	}
	same("order", back)
	same("beside others", beside[:len(docs)])
	same("twice", twice)
	same("one by one", single)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	same("one processor", linkAll(t, m, docs, o))
}

// seen normalizes a character to what a reader sees: a single kind of space, and no soft hyphens.
func seen(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// rewritten returns documents with rewritten mentions and text between them.
func rewritten(docs []*ctxnorm.Document, rewrite func(string) string) []*ctxnorm.Document {
	var all []*ctxnorm.Document
	for _, doc := range docs {
		copied := &ctxnorm.Document{ID: doc.ID}
		at := 0
		for _, mention := range doc.Mentions {
			copied.Text += rewrite(doc.Text[at:mention.Start])
			start := len(copied.Text)
			copied.Text += rewrite(mention.Of(doc.Text))
			copied.Mentions = append(copied.Mentions, ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: len(copied.Text)}})
			at = mention.End
		}
		copied.Text += rewrite(doc.Text[at:])
		all = append(all, copied)
	}
	return all
}

// exampleDocuments returns the abstracts of examples/, with the names in them as mentions.
func exampleDocuments(t *testing.T) []*ctxnorm.Document {
	m := openModel(t, exampleModel)
	files := must.Get(filepath.Glob("examples/pubmed/*.xml"))
	var docs []*ctxnorm.Document
	for _, file := range files {
		for _, doc := range readDocuments(t, file) {
			found := must.Get(m.Find(doc, ctxnorm.LinkOptions{Tag: true}))
			copied := &ctxnorm.Document{ID: doc.ID, Text: doc.Text}
			for _, mention := range found.Mentions { // only the spans
				copied.Mentions = append(copied.Mentions, ctxnorm.Mention{Span: mention.Span})
			}
			docs = append(docs, copied)
		}
	}
	return docs
}

func answersOf(t *testing.T, m *ctxnorm.Model, docs []*ctxnorm.Document, o ctxnorm.LinkOptions) []string {
	t.Helper()
	return describe(linkAll(t, m, docs, o))
}

// describe returns a line for each mention: its text as read, and the candidates with every bit of their numbers.
func describe(docs []*linked.Document) (lines []string) {
	for _, doc := range docs {
		for i := range doc.Mentions {
			mention := &doc.Mentions[i]
			line := fmt.Sprintf("%s %q %q %x %v", doc.ID, strings.Map(seen, norm.NFC.String(mention.Text)), mention.ResolvedText,
				mention.RecognitionScore, mention.Attributes())
			for _, c := range mention.Candidates {
				line += fmt.Sprintf(" %s %x %x %d", c.Concept, c.Probability, c.Score, c.Votes)
				for _, e := range c.Evidence {
					line += fmt.Sprintf(" %s:%s", e.PMID, e.Span.Of(e.Text))
				}
			}
			if len(mention.Candidates) == 0 {
				line += " NIL"
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// testFormatsAgree writes the linked documents in each format that can also be read, and links what it reads back.
func testFormatsAgree(t *testing.T, m *ctxnorm.Model, docs []*ctxnorm.Document, o ctxnorm.LinkOptions, want []string) {
	results := linkAll(t, m, docs, o)
	for format, extension := range map[formats.Format]string{
		formats.JSONL: ".jsonl", formats.PubTator: ".pubtator", formats.BioC: ".xml", formats.BioCJSON: ".json",
	} {
		var written bytes.Buffer
		w := must.Get(formats.Outputs().NewWriter(&written, format, formats.WriterOptions{}))
		for i, doc := range docs {
			must.Succeed(t, w.Write(formats.NewRecord(doc), results[i]))
		}
		must.Succeed(t, w.Close())
		path := filepath.Join(t.TempDir(), "linked"+extension)
		must.Succeed(t, os.WriteFile(path, written.Bytes(), 0o666))
		again := must.Get(m.LinkRecords(t.Context(), readRecords(t, path), o))
		must.Equal(t, describe(again), want, format, "answers differ, before and after")
	}
}

// testServerAgrees compares the answers of the HTTP server with the JSON of the library.
func testServerAgrees(t *testing.T, dir string, m *ctxnorm.Model, docs []*ctxnorm.Document) {
	s := must.Get(server.New(t.Context(), server.Config{Model: dir}))
	defer s.Close()
	type documents struct {
		Documents []*linked.Document `json:"documents"`
	}
	var request, want, got documents
	for _, doc := range docs {
		unlinked := &linked.Document{ID: doc.ID, Text: doc.Text}
		for _, mention := range doc.Mentions {
			unlinked.Mentions = append(unlinked.Mentions, linked.Mention{Span: mention.Span, Text: mention.Of(doc.Text)})
		}
		request.Documents = append(request.Documents, unlinked)
	}
	body := must.Get(json.Marshal(&request))
	answer := httptest.NewRecorder()
	post := httptest.NewRequest(http.MethodPost, "/v1/link", bytes.NewReader(body))
	post.Header.Set("Content-Type", "application/json")
	s.ServeHTTP(answer, post)
	if answer.Code != http.StatusOK {
		t.Fatalf("%d: %s", answer.Code, answer.Body)
	}
	written := must.Get(json.Marshal(&documents{linkAll(t, m, docs, ctxnorm.LinkOptions{})}))
	for data, to := range map[string]*documents{string(written): &want, answer.Body.String(): &got} {
		must.Succeed(t, json.Unmarshal([]byte(data), to))
	}
	must.Equal(t, describe(got.Documents), describe(want.Documents), "answers differ, library and server")
}

// concepts returns copies of the concepts of a dictionary, in order.
func concepts(d *ctxnorm.Dictionary) []kb.Concept {
	all := make([]kb.Concept, d.Len())
	for i := range all {
		all[i] = *d.At(i)
	}
	return all
}
