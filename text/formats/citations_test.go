package formats

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCitationsByExtension reads citations behind lines about their origin, where the name of the file says what they
// are.
func TestCitationsByExtension(t *testing.T) {
	const content = "Provider: A library\nDatabase: B\n\nTY  - JOUR\nTI  - River fever\nER  - \n"
	for name, want := range map[string]string{"a.ris": "River fever", "a.RIS.gz": "River fever", "a.txt": "Provider: A library"} {
		docs, problems := readAll(t, NewReader(strings.NewReader(content), name, Options{}))
		if len(problems) > 0 || len(docs) == 0 || docs[0].Text != want {
			t.Errorf("%s: problems %q, documents %+v, want %q", name, problems, docs, want)
		}
	}
}

func TestCitations(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          []string // "id: text"
		problems      []string
	}{
		{"medline", "\nPMID- 41\nOWN - NLM\nTI  - River fever\n      in towns\nAB  - The stone\n      fever was seen.\nCI  - (c) 2020\n      Fever Ltd.\nOAB - Another.\n\nPMID- 42\nTI  - Flood\n\n" +
			"PMID- 43\nBTI - A book\nOAB - Other abstract.\n", []string{"41: River fever in towns The stone fever was seen.", "42: Flood", "43: A book Other abstract."}, nil},
		{"medline, CRLF", "PMID- 41\r\nTI  - A\r\n      B\r\n", []string{"41: A B"}, nil},
		{"medline, a value like a tag", "PMID- 41\nAB  - One\n      IL-2 - two\n", []string{"41: One IL-2 - two"}, nil},
		{"medline, no text", "PMID- 41\nOWN - NLM\n\nPMID- 42\nTI  - A\n", []string{"42: A"},
			[]string{`file:1: want a citation with a title or an abstract, got neither in "41"`}},
		{"ris", "TY  - JOUR\nID  - 7\nT1  - River fever\nN2  - In towns.\nand floods.\nKW  - x\nER  - \n\nTY  - JOUR\nTI  - B\nDO  - 10.1/b\nER  -\n\nTY  - BOOK\nTI  - C\n",
			[]string{"7: River fever In towns. and floods.", "10.1/b: B", "3: C"}, nil},
		{"ris, one space", "TY - JOUR\nTI - River fever\nAB - In towns - \nand floods.\nER -\n", []string{"1: River fever In towns - and floods."}, nil},
		{"ris, no end", "TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\n", []string{"1: A", "2: B"}, nil},
		{"endnote", "%0 Journal Article\n%T River fever\n%X In towns,\n50 % of them.\n%M 7\n\n%0 Book\n%T B\n", []string{"7: River fever In towns, 50 % of them.", "2: B"}, nil},
		{"wos", "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU A, B\nTI River fever\n   in towns\nAB One.\nUT WOS:1\nER\n\nPT J\nTI B\nER\n\nEF", []string{"WOS:1: River fever in towns One.", "2: B"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, problems := readAll(t, NewReader(strings.NewReader(c.content), "file", Options{}))
			var got []string
			for _, doc := range docs {
				got = append(got, doc.ID+": "+doc.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || !slices.Equal(problems, c.problems) {
				t.Errorf("(-want +got):\n%s\nproblems %q, want %q", diff, problems, c.problems)
			}
		})
	}
}
