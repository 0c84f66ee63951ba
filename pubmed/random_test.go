package pubmed

import (
	"bytes"
	"io"
	"math/rand/v2"
	"regexp"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// grammar are the rules by which random XML with the structure of PubMed's is generated, in the various ways in which XML
// can represent the same content: the texts of which each {name} may stand for one.
var grammar = map[string][]string{
	"file": {"{start}<PubmedArticleSet{>}{sp}{records}{sp}{deleted}</PubmedArticleSet{>}{sp}"},
	"start": {"", "\uFEFF", "<?xml version=\"1.0\" encoding='utf-8'?>\n",
		"<!DOCTYPE PubmedArticleSet PUBLIC \"-//>\" '<' [<!ENTITY x \"]>\"><!-- ' > -->]>"},
	">":       {">", ">", "\n>"},
	"sp":      {"", "", "\n", "\r\n", "  ", "\t", "\r", "<!-- <PubmedArticle> -->", "<!---->", "<?target <PMID>?>"}, // ignored between elements
	"records": {"", "{record}", "{record}{sp}{record}", "{record}{records}"},
	"record": {"<PubmedArticle{>}{citation}{sp}<PubmedData>{text}</PubmedData></PubmedArticle{>}", "<PubmedArticle>{sp}{citation}</PubmedArticle>",
		"<PubmedBookArticle><BookDocument{>}{id}{bookParts}</BookDocument></PubmedBookArticle>", "{citation}", "<PubmedArticle/>"},
	"citation": {"<MedlineCitation Status=\"MEDLINE\"{>}{id}{parts}</MedlineCitation{>}", "<MedlineCitation>{parts}{id}{id}</MedlineCitation>"},
	"parts":    {"", "{sp}{part}{parts}", "{sp}{part}{parts}", "{sp}{part}{parts}"},
	"part": {"<Article>{articleParts}</Article{>}", "<Article>{articleParts}</Article{>}", "<OtherAbstract{abstract}</OtherAbstract>",
		"<CommentsCorrectionsList>{id}</CommentsCorrectionsList>"},
	"articleParts": {"", "{sp}{articlePart}{articleParts}", "{articlePart}{sp}{articlePart}{articleParts}"},
	"articlePart": {"<ArticleTitle{>}{text}</ArticleTitle{>}", "<Abstract{abstract}</Abstract>", "<VernacularTitle>{text}</VernacularTitle>",
		"<Journal>{sp}<JournalIssue>{date}{date}</JournalIssue>{sp}<Title>{text}</Title></Journal>", "<ArticleTitle/>"},
	"bookParts": {"", "{sp}{bookPart}{bookParts}", "{bookPart}{bookParts}"},
	"bookPart": {"<ArticleTitle book=\"x\">{text}</ArticleTitle>", "<Abstract{abstract}</Abstract>",
		"<Book>{date}<BookTitle{>}{text}</BookTitle>{sp}<ArticleTitle>{text}</ArticleTitle></Book>"},
	"abstract": {"{>}{sections}", " Type=\"PIP\" Language=\"eng\"{>}{sections}", " Language='spa'>{sections}", ">{sections}<CopyrightInformation>{text}</CopyrightInformation>"},
	"sections": {"", "{sp}<AbstractText{label}{>}{text}</AbstractText{>}{sections}", "<AbstractText>{text}</AbstractText>", "<AbstractText {label}/>{sections}"},
	"label":    {"", " Label=\"A &amp; B\" NlmCategory=\"METHODS\"", " Label=\"\"", " Label='a\n b'"},
	"date": {"", "<PubDate><Year>{year}</Year></PubDate>", "<PubDate><MedlineDate{>}{year}</MedlineDate></PubDate>",
		"<PubDate><Month>{year}</Month></PubDate>"},
	"year":    {"1998", " 1998 Dec-1999 Jan", "Fall <i>20</i>05", "199", "12345", "0000 02001", "", "&#50;007"},
	"id":      {"<PMID>{number}</PMID{>}", "<PMID Version=\"1\"{>}{number}</PMID>", "<PMID x=\"y\" Version='2'>{number}</PMID>"},
	"number":  {"1", "23", " 456\n", "<i>7</i>8", "&#57;0"},
	"deleted": {"", "<DeleteCitation{>}{sp}{id}{id}</DeleteCitation>", "<DeleteCitation/>"},
	"text":    {"", "{words}", "{words}{mark}{text}", "{mark}{words}{text}", "{words}{words}{text}"},
	"words": {"tumour ", "α-synuclein", "\u2009", "]", "]]", ">", "a  b", "\r\n", "𝛽", "\u00a0", "x", "'\"", "fever", "3,4", "&lt;", "&gt;",
		"&amp;", "&quot;", "&apos;", "&#60;", "&#x3C;", "&#x1d6fd;", "&#00176;", "&#32;", "&#10;", "&#xD;", "&#x9;", "&#xA0;"},
	"mark": {"{sp}", "<![CDATA[a<b>&c;]]>", "<![CDATA[]]]]>", "<![CDATA[\r\n  x]]>", "<![CDATA[</AbstractText>]]>", "<i{attrs}{>}{text}</i{>}",
		"<sup{>}{text}</sup>", "<mml:math{attrs}>{text}</mml:math>", "<PMID>{text}</PMID>", "<AbstractText>{text}</AbstractText>", "<b.x-y_1 />"},
	"attrs": {"", " a=\"1\"", " a='x>y' b = \"&lt;\""},
}

var symbol = regexp.MustCompile(`\{[^{}]+\}`)

// randomFile returns a file by the grammar, whose rules are replaced until none is left.
func randomFile(rng *rand.Rand) []byte {
	file := "{file}"
	for round := 0; symbol.MatchString(file); round++ {
		file = symbol.ReplaceAllStringFunc(file, func(name string) string {
			texts := grammar[name[1:len(name)-1]]
			if round > 30 { // the first text of a rule goes on with no other
				return texts[0]
			}
			return texts[rng.IntN(len(texts))]
		})
	}
	return []byte(file)
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
		input := randomFile(rng)
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
		input := randomFile(rng)
		f.Add(input)
		f.Add(corrupted(rng, input))
	}
	for _, b := range malformed(f) {
		f.Add([]byte(b.input))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			t.Skip("longer than the longest name")
		}
		if input.CompressionOf(data) != "" {
			readAll(t, NewReader(bytes.NewReader(data), "test.xml")) // may fail but must not panic
			return
		}
		checkAgainstOracle(t, data, read(t, data))
	})
}
