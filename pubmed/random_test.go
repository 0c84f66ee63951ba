package pubmed

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// xmlGenerator generates random XML with the structure of PubMed's, using the various
// ways in which XML can represent the same content.
type xmlGenerator struct {
	*rand.Rand
	strings.Builder
}

func (w *xmlGenerator) pick(of ...string) string { return of[w.IntN(len(of))] }

func (w *xmlGenerator) chance(of float64) bool { return w.Float64() < of }

// space writes white space, comments and instructions, which are ignored between
// elements.
func (w *xmlGenerator) space() {
	for range w.IntN(3) {
		w.WriteString(w.pick("\n", "\r\n", "  ", "\t", "\r", "<!-- <PubmedArticle> -->", "<!---->", "<?target <PMID>?>"))
	}
}

// content writes mixed content: text in all its forms, and inline elements.
func (w *xmlGenerator) content(depth int) {
	for range w.IntN(6) {
		switch w.IntN(8) {
		case 0:
			w.WriteString(w.pick("&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#60;", "&#x3C;", "&#x1d6fd;", "&#00176;",
				"&#32;", "&#10;", "&#xD;", "&#x9;", "&#xA0;"))
		case 1:
			w.WriteString("<![CDATA[" + w.pick("", "a<b>&c;", "]]", "\r\n  x", "</AbstractText>") + "]]>")
		case 2:
			w.space()
		case 3:
			if depth < 5 {
				name := w.pick("i", "sup", "mml:math", "PMID", "AbstractText", "b.x-y_1")
				w.element(name, w.pick("", ` a="1"`, ` a='x>y' b = "&lt;"`), func() { w.content(depth + 1) })
			}
		default:
			w.WriteString(w.pick("tumour ", "α-synuclein", "\u2009", "]", "]]", ">", "a  b", "\r\n", "𝛽", "\u00a0", "x", "'\"", "fever", "3,4"))
		}
	}
}

func (w *xmlGenerator) element(name, attrs string, body func()) {
	if w.chance(.05) {
		w.WriteString("<" + name + attrs + w.pick("", " ") + "/>")
		return
	}
	w.WriteString("<" + name + attrs + w.pick("", "", "\n") + ">")
	body()
	w.WriteString("</" + name + w.pick("", "", " ") + ">")
}

func (w *xmlGenerator) id() { w.WriteString(w.pick("1", "23", " 456\n", "<i>7</i>8", "&#57;0")) }

func (w *xmlGenerator) text(name, attrs string) func() {
	return func() { w.element(name, attrs, func() { w.content(0) }) }
}

func (w *xmlGenerator) pmid() func() {
	return func() { w.element("PMID", w.pick("", ` Version="1"`, ` x="y" Version='2'`), w.id) }
}

func (w *xmlGenerator) abstract(name string) func() {
	return func() {
		w.element(name, w.pick("", "", ` Type="PIP" Language="eng"`, ` Language='spa'`), func() {
			for range w.IntN(4) {
				w.space()
				w.text("AbstractText", w.pick("", ` Label="A &amp; B" NlmCategory="METHODS"`, ` Label=""`, " Label='a\n b'"))()
			}
			if w.chance(.3) {
				w.text("CopyrightInformation", "")()
			}
		})
	}
}

// some writes each part with a probability of .8, in random order.
func (w *xmlGenerator) some(parts ...func()) {
	w.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	for _, part := range parts {
		w.space()
		if w.chance(.8) {
			part()
		}
	}
}

func (w *xmlGenerator) citation() {
	w.element("MedlineCitation", ` Status="MEDLINE"`, func() {
		w.pmid()() // most records have one
		w.some(func() {
			w.element("Article", "", func() {
				w.some(w.text("ArticleTitle", ""), w.abstract("Abstract"), w.text("VernacularTitle", ""), w.journal)
			})
		}, w.abstract("OtherAbstract"), w.abstract("OtherAbstract"), func() {
			w.element("CommentsCorrectionsList", "", w.pmid())
		})
	})
}

func (w *xmlGenerator) journal() {
	w.element("Journal", "", func() {
		w.some(func() { w.element("JournalIssue", "", func() { w.some(w.date, w.date) }) }, w.text("Title", ""))
	})
}

func (w *xmlGenerator) date() {
	w.element("PubDate", "", func() {
		w.element(w.pick("Year", "MedlineDate", "Month"), "", func() {
			w.WriteString(w.pick("1998", " 1998 Dec-1999 Jan", "Fall <i>20</i>05", "199", "12345", "0000 02001", "", "&#50;007"))
		})
	})
}

func (w *xmlGenerator) bookDocument() {
	w.element("BookDocument", "", func() {
		w.pmid()()
		w.some(w.text("ArticleTitle", ` book="x"`), w.abstract("Abstract"), func() {
			w.element("Book", "", func() { w.some(w.text("BookTitle", ""), w.text("ArticleTitle", ""), w.date) })
		})
	})
}

func (w *xmlGenerator) file() []byte {
	w.WriteString(w.pick("", "\uFEFF", "<?xml version=\"1.0\" encoding='utf-8'?>\n",
		"<!DOCTYPE PubmedArticleSet PUBLIC \"-//>\" '<' [<!ENTITY x \"]>\"><!-- ' > -->]>"))
	w.element("PubmedArticleSet", "", func() {
		for range w.IntN(4) {
			w.space()
			switch w.IntN(4) {
			case 0:
				w.element("PubmedBookArticle", "", w.bookDocument)
			case 1:
				w.citation()
			default:
				w.element("PubmedArticle", "", func() { w.some(w.citation, w.text("PubmedData", "")) })
			}
		}
		w.space()
		if w.chance(.5) {
			w.element("DeleteCitation", "", func() { w.some(w.pmid(), w.pmid()) })
		}
	})
	w.space()
	return []byte(w.String())
}

// corrupted returns the input with a few random changes.
func corrupted(rng *rand.Rand, input []byte) []byte {
	fragments := []string{"<", ">", "&", "]]>", "/", "\"", "'", "-->", "<!--", "<![CDATA[", "\x00", "\xff", "\xed\xa0\x80",
		"&nbsp;", "&#xD800;", "&#0;", "</PubmedArticle>", "<PubmedArticle>", "</i>", "<i>", "<i/", "=", " ", "?>", "<?", "<!"}
	out := bytes.Clone(input)
	for range 1 + rng.IntN(3) {
		at := rng.IntN(len(out) + 1)
		cut := min(len(out), at+rng.IntN(3))
		tail := bytes.Clone(out[cut:])
		out = append(out[:at], fragments[rng.IntN(len(fragments))]...)
		out = append(out, tail...)
	}
	if rng.IntN(4) == 0 {
		out = out[:rng.IntN(len(out)+1)]
	}
	return out
}

// randomReader returns 0 to 16 bytes a call.
type randomReader struct {
	io.Reader
	*rand.Rand
}

func (r randomReader) Read(p []byte) (int, error) {
	return r.Reader.Read(p[:min(len(p), r.IntN(17))])
}

// TestRandom reads random files, well-formed and malformed, in chunks of various sizes.
func TestRandom(t *testing.T) {
	t.Parallel()
	const cases = 1000
	wellFormed, withErrors := 0, 0
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := &xmlGenerator{Rand: rng}
		input := w.file()
		if seed%2 == 1 {
			input = corrupted(rng, input)
		}
		want := read(t, input)
		checkAgainstOracle(t, input, want)
		if len(want.errors) == 0 {
			wellFormed++
		} else {
			withErrors++
		}
		for name, r := range map[string]io.Reader{
			"one byte":  iotest.OneByteReader(bytes.NewReader(input)),
			"half":      iotest.HalfReader(bytes.NewReader(input)),
			"data, EOF": iotest.DataErrReader(bytes.NewReader(input)),
			"random":    randomReader{bytes.NewReader(input), rng},
		} {
			got := readAll(t, NewReader(r, "test.xml"))
			if !sameResult(got, want) {
				t.Fatalf("seed %d, read by %s (-at once +in chunks):\n%s\n%q", seed, name, cmp.Diff(want, got, cmp.AllowUnexported(readResult{})), input)
			}
		}
	}
	if wellFormed < cases/4 || withErrors < cases/4 {
		t.Errorf("%d well-formed files and %d with errors of %d, want at least a quarter of each", wellFormed, withErrors, cases)
	}
}

// FuzzReader compares the Reader with the oracle on arbitrary input.
func FuzzReader(f *testing.F) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := &xmlGenerator{Rand: rng}
		input := w.file()
		f.Add(input)
		f.Add(corrupted(rng, input))
	}
	for _, b := range malformed {
		f.Add([]byte(b.input))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			t.Skip("longer than the longest name")
		}
		if input.CompressionOf(data) != "" {
			readAll(t, NewReader(&failingReader{data: data}, "test.xml")) // may fail but must not panic
			return
		}
		checkAgainstOracle(t, data, read(t, data))
	})
}
