package eval

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Contamination counts the parts of the gold documents that a model may have seen when it was built.
type Contamination struct {
	Documents       int      `json:"documents"`        // gold documents with a mention
	SharedDocuments []string `json:"shared_documents"` // IDs of those also in the model's corpus, sorted
	Sentences       int      `json:"sentences"`        // distinct gold sentences of 8 words or more with a mention
	SharedSentences int      `json:"shared_sentences"` // those found word for word in the model's corpus
	Mentions        int      `json:"mentions"`         // gold mentions
	// mentions that are names of the dictionary (the slice "seen surface form"); this is legitimate
	SeenMentions     int `json:"seen_mentions"`
	SurfaceForms     int `json:"surface_forms"`      // distinct gold mentions in normal form
	SeenSurfaceForms int `json:"seen_surface_forms"` // those that are names of the dictionary
}

// minSharedWords is the number of words that a sentence needs to count as shared. Many authors write short sentences
// such as "Diagnosis of breast cancer."
const minSharedWords = 8

// FindContamination looks for the gold documents and their sentences in the corpus from which a model was built. A
// document of the corpus has an ID (PMID) and a text, which may be a single sentence. It returns the first error of the
// sequence.
func FindContamination(mentions []GoldMention, v *DictionaryView,
	corpus iter.Seq2[*text.Document, error]) (*Contamination, error) {
	found := &Contamination{Mentions: len(mentions)}
	documents := make(map[string]bool) // by ID; true if found in the corpus
	sentences := make(map[string]bool) // by normal form; true if found in the corpus
	surfaces := make(map[string]bool)  // by normal form; true if a name of the dictionary
	for i := range mentions {
		q := &mentions[i].Query
		if q.ID != "" {
			documents[q.ID] = false
		}
		if sentence := normalize.Normal(q.Sentence.Of(q.Text)); strings.Count(sentence, " ")+1 >= minSharedWords {
			sentences[sentence] = false
		}
		seen := len(v.conceptsNamed(q.Surface())) > 0
		surfaces[normalize.Normal(q.Surface())] = seen
		if seen {
			found.SeenMentions++
		}
	}
	for doc, err := range corpus {
		if err != nil {
			return nil, err
		}
		markFound(documents, doc.ID)
		markFound(sentences, normalize.Normal(doc.Text))
	}
	found.Documents, found.Sentences, found.SurfaceForms = len(documents), len(sentences), len(surfaces)
	found.SharedDocuments = trueKeys(documents)
	found.SharedSentences, found.SeenSurfaceForms = len(trueKeys(sentences)), len(trueKeys(surfaces))
	return found, nil
}

// markFound sets the value of key to true if wanted has the key.
func markFound(wanted map[string]bool, key string) {
	if _, ok := wanted[key]; ok {
		wanted[key] = true
	}
}

// trueKeys returns the keys with the value true, sorted; the list is not nil. It drops the others from the map.
func trueKeys(set map[string]bool) []string {
	maps.DeleteFunc(set, func(_ string, yes bool) bool { return !yes })
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(set))))
}
