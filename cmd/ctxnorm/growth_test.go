package main

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// growing lists inputs of n parts that an attacker could choose, with the command that reads them as FILE or as DICT.
var growing = []struct {
	name          string
	n             int
	command, file string
	content       func(n int) string
}{
	{"definitions", 1000, "link --dict DICT --tag", "in.jsonl", textOf("Alpha# beta syndrome (AB#S). ", "")},
	{"a definition again", 200, "link --dict DICT --tag", "in.jsonl", textOf("coeliac disease (CD) and CD. ", "")},
	{"a short form", 1000, "link --dict DICT --tag", "in.jsonl", textOf("CD was here. ", "coeliac disease (CD). ")},
	{"list of short forms", 1000, "link --dict DICT --tag", "in.jsonl", textOf("A#S, alpha syndrome #; ", "Abbreviations: ")},
	{"open brackets", 1000, "link --dict DICT --tag", "in.jsonl", textOf("(CD ", "gout ")},
	{"combining marks", 4000, "link --dict DICT --tag", "in.jsonl", textOf("\u0301\u0323", "gout a")},
	{"soft hyphens", 8000, "link --dict DICT --tag", "in.jsonl", textOf("\u00ad", "go")},
	{"hyphens at line ends", 1000, "link --dict DICT --tag", "in.jsonl", textOf("hyper-\\ntension ", "")},
	{"e.g. i.e.", 1000, "link --dict DICT --tag --assertion", "in.jsonl", textOf("e.g. i.e. Dr. gout ", "")},
	{"boxes in lines", 500, "link --dict DICT --tag --assertion", "in.jsonl", textOf("[ ] asthma\\n[x] gout\\n", "")},
	{"boxes in a line", 500, "link --dict DICT --tag --assertion", "in.jsonl", textOf("[ ] asthma [x] gout (+)gout ", "")},
	{"if and then", 1000, "link --dict DICT --tag --assertion", "in.jsonl", textOf("if asthma develops ", "")},
	{"mother had", 1000, "link --dict DICT --tag --assertion", "in.jsonl", textOf("her mother and gout ", "had ")},
	{"Japanese", 2000, "link --dict DICT --tag", "in.jsonl", textOf("患者は喘息と高血圧を有する", "")},
	{"fragments", 4000, "link --dict DICT", "in.jsonl", func(n int) string {
		return fmt.Sprintf(`{"text": %q, "mentions": [{"start": 0, "end": %d, "fragments": [%s]}]}`, strings.Repeat("gout ", n),
			5*n-1, strings.TrimSuffix(spans(n, 5, `{"start": %d, "end": %d}, `), ", "))
	}},
	{"members", 4000, "link --dict DICT", "in.jsonl", func(n int) string {
		return `{"text": "gout", "mentions": [{"start": 0, "end": 4` + parts(n, `, "k#": #`) + "}]}"
	}},
	{"locations of BioC", 4000, "link --dict DICT", "in.xml", func(n int) string {
		return bioc(strings.Repeat("gout ", n), `<annotation id="1">`+spans(n, 5, `<location offset="%d" length="4"/>%.0d`)+
			"<text>"+strings.TrimSpace(strings.Repeat("gout ", n))+"</text></annotation>")
	}},
	{"annotations of BioC", 1000, "link --dict DICT", "in.xml", func(n int) string {
		return bioc(strings.Repeat("gout ", n), spans(n, 5,
			`<annotation id="%d"><location offset="%[1]d" length="4"/><text>gout</text></annotation>%.0[2]d`))
	}},
	{"rows of PubTator", 1000, "link --dict DICT", "in.pubtator", func(n int) string {
		return "1|t|" + strings.Repeat("gout ", n) + "\n1|a|\n" + spans(n, 5, "1\t%d\t%d\tgout\tDisease\tD1\n") + "\n"
	}},
	{"words of CoNLL", 1000, "link --dict DICT", "in.conll", around("-DOCSTART- O\n\n", "asthma\tB-D\ngout\tO\n", "\n")},
	{"lines of MEDLINE", 4000, "link --dict DICT --tag", "in.nbib", around("PMID- 1\nTI  - gout\nAB  - gout\n", "      gout again\n", "\n")},
	{"lines of RIS", 1000, "link --dict DICT --tag", "in.ris", around("TY  - JOUR\nTI  - gout\n", "AB  - gout\n", "ER  - \n")},
	{"columns of one name", 1000, "link --dict DICT --tag", "in.csv", around("text", ",x", "\ngout\n")},
	{"columns without a name", 1000, "link --dict DICT --tag", "in.csv", around("text", ",", "\ngout\n")},
	{"columns", 1000, "link --dict DICT --tag --format csv", "in.csv", around("text", ",c#", "\ngout\n")},
	{"rows of one text", 1000, "link --dict DICT", "in.csv", around("text,mention\n", "asthma and gout,gout\n", "")},
	{"a name of words", 4000, "dict check FILE", "in.tsv", around("id\tname\nX:1\t", "ab#osis ", "\n")},
	{"words of a mention", 100, "link --dict DICT --columns mention=text", "in.csv", around("text\n", "word# ", "asthma\n")},
	{"synonyms of a cell", 2000, "dict check FILE", "in.tsv", around("id\tname\tsynonyms\nX:1\tgout\t", "syn#osis|", "\n")},
	{"columns of synonyms", 500, "dict check FILE", "in.csv", around("id,name", ",synonym #", "\nX:1,gout\n")},
	{"columns of languages", 500, "dict check FILE", "in.csv", around("id,name", ",label_x#", "\nX:1,gout\n")},
	{"synonyms of OBO", 2000, "dict check FILE", "in.obo", around("[Term]\nid: X:1\nname: gout\n", "synonym: \"syn#osis\" EXACT []\n", "")},
	{"chain of OBO", 1000, "dict check FILE", "in.obo", around("", "[Term]\nid: X:#\nname: n#osis\nis_a: X:1#\n\n", "")},
	{"concepts of one name", 1000, "dict check FILE", "in.tsv", around("id\tname\n", "X:#\tgout\n", "")},
	{"names that share words", 500, "dict check FILE", "in.tsv", around("id\tname\n", "X:#\tgout type # disease\n", "")},
}

// parts returns n copies of s, each with its number for "#".
func parts(n int, s string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(s, "#", strconv.Itoa(i)))
	}
	return b.String()
}

// around returns a function that makes content with n parts.
func around(before, part, after string) func(int) string {
	return func(n int) string { return before + parts(n, part) + after }
}

// textOf is around for the text of a JSONL document.
func textOf(part, before string) func(int) string {
	return around(`{"text": "`+before, part, `asthma", "mentions": []}`)
}

// spans formats the offsets of n words of the given length that are followed by a space.
func spans(n, length int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i*length, (i+1)*length-1)
	}
	return b.String()
}

func bioc(content, annotations string) string {
	return "<collection><source/><date/><key/><document><id>1</id><passage><offset>0</offset><text>" + content + "</text>" +
		annotations + "</passage></document></collection>"
}

// TestGrowth checks that work grows linearly from an input to one of twice the size. It measures work by bytes
// allocated, which do not depend on the load of the machine; anything copied, formatted, joined or listed again for
// each part allocates.
func TestGrowth(t *testing.T) {
	must.SkipShort(t)
	const most = 3. // a list that grows while it is filled takes more bytes at some sizes
	dir := t.TempDir()
	dict := filepath.Join(dir, "dict.tsv")
	writeFile(t, dict, "id\tname\tsynonyms\nEX:1\tasthma\nEX:2\tgout\nEX:3\tcoeliac disease\tCD\nEX:4\thypertension\n")
	for _, kind := range growing {
		t.Run(kind.name, func(t *testing.T) {
			path := filepath.Join(dir, kind.file)
			work := func(n int) float64 {
				writeFile(t, path, kind.content(n))
				args := append([]string{"--config", "/dev/null"}, strings.Fields(strings.NewReplacer("FILE", path, "DICT", dict).Replace(kind.command))...)
				if args[2] == "link" && !strings.Contains(kind.command, "FILE") {
					args = append(args, "--input", path)
				}
				before := allocated()
				var stderr strings.Builder
				if code := run(t.Context(), args, strings.NewReader(""), io.Discard, &stderr); code != 0 {
					t.Fatalf("exit %d: %s", code, stderr.String())
				}
				return allocated() - before
			}
			work(1) // allocations made only once
			least := work(1)
			if one, two := work(kind.n)-least, work(2*kind.n)-least; two > most*max(one, 1<<22) {
				t.Errorf("%d parts take %.0f bytes and twice as many %.0f, want at most %v times that", kind.n, one, two, most)
			}
		})
	}
}

// allocated returns the number of bytes that the process has allocated so far.
func allocated() float64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64())
}
