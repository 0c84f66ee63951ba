package matcher

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestTagAsAhoCorasick compares the tagger with pyahocorasick, see testdata/make_ahocorasick.py.
func TestTagAsAhoCorasick(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/ahocorasick.json"))
	var want struct {
		Names []string
		Texts []struct {
			Text  string
			Found [][2]int
		}
	}
	must.Succeed(t, json.Unmarshal(data, &want))
	var concepts []kb.Concept
	for _, name := range want.Names {
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(name), Name: name})
	}
	tagger := newTestTagger(t, kb.NewDictionary(concepts), NameFilter{})
	for _, test := range want.Texts {
		var found [][2]int
		for _, m := range tagger.Tag(nil, test.Text) {
			found = append(found, [2]int{m.Start, m.End})
		}
		must.Equal(t, found, test.Found, test.Text, "pyahocorasick and ctxnorm")
	}
}
