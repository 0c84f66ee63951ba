package formats

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCoNLLU(t *testing.T) {
	word := func(number, form, misc string) string {
		return number + "\t" + form + "\t_\tX\t_\t_\t0\troot\t_\t" + misc + "\n"
	}
	for _, c := range []struct {
		name, content string
		ids, texts    []string
		problems      []string
	}{
		{"sentences", "# sent_id = s1\n# text = He fell.\n" + word("1", "He", "_") + word("2", "fell", "SpaceAfter=No") + word("3", ".", "_") + "\n" +
			word("1", "A", "_") + word("2", "flood", "Gloss=x|SpaceAfter=No") + word("3", ".", "_"),
			[]string{"s1", "2"}, []string{"He fell.", "A flood."}, nil},
		{"documents", "# newdoc id = d1\n# sent_id = s1\n" + word("1", "One", "_") + "\n" + word("1", "Two", "_") + "\n# newdoc\n# sent_id = s3\n" + word("1", "Three", "_") + "\n",
			[]string{"d1", "2"}, []string{"One\nTwo", "Three"}, nil},
		{"tokens of several words and empty nodes", word("1-2", "zum", "_") + word("1", "zu", "_") + word("2", "dem", "_") + word("2.1", "leer", "_") + word("3", "Arzt", "_"),
			[]string{"1"}, []string{"zum Arzt"}, nil},
		{"forms with spaces, CRLF", strings.ReplaceAll(word("1", "New York", "_")+word("2", "naïve", "_"), "\n", "\r\n"), []string{"1"}, []string{"New York naïve"}, nil},
		{"comments alone", "# nothing\n\n" + word("1", "A", "_"), []string{"1"}, []string{"A"}, nil},
		{"a malformed word", word("1", "A", "_") + "2\tshort\n\n" + word("1", "B", "_"), []string{"1"}, []string{"B"},
			[]string{`file:2: want a word of CoNLL-U, ten cells separated by tabs, got "2\tshort"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, problems := readAll(t, NewReader(strings.NewReader(c.content), "file", Options{}))
			var ids, texts []string
			for _, doc := range docs {
				ids, texts = append(ids, doc.ID), append(texts, doc.Text)
			}
			if diff := cmp.Diff([][]string{c.ids, c.texts}, [][]string{ids, texts}); diff != "" || !slices.Equal(problems, c.problems) {
				t.Errorf("(-want +got):\n%s\nproblems %q, want %q", diff, problems, c.problems)
			}
		})
	}
}
