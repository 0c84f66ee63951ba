package eval

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"ctxnorm"
	"ctxnorm/matcher"
)

// Leak is what a model may have seen of the gold while it was made.
type Leak struct {
	Documents       int      `json:"documents"`        // of the gold, with a mention
	SharedDocuments []string `json:"shared_documents"` // IDs of those that the model's text holds as well, sorted
	Sentences       int      `json:"sentences"`        // distinct ones of the gold with a mention, of 8 words or more
	SharedSentences int      `json:"shared_sentences"` // of those, found word for word in the model's text
	Mentions        int      `json:"mentions"`
	SeenMentions    int      `json:"seen_mentions"` // that are names of the dictionary: no fault, the slice "seen wording"
	Wordings        int      `json:"wordings"`      // distinct mentions in normal form
	SeenWordings    int      `json:"seen_wordings"` // of those, names of the dictionary
}

// sharedWords is how many words a sentence needs for its being found elsewhere to
// mean anything: "Diagnosis of breast cancer." is many authors' sentence.
const sharedWords = 8

// FindLeak looks for the documents and sentences of the gold in the text that a
// model was made from: documents with an ID (PMID) and a text, whole or a
// sentence of it.
func FindLeak(items []Item, k *Known, text iter.Seq2[*ctxnorm.Document, error]) (*Leak, error) {
	leak := &Leak{Mentions: len(items), SharedDocuments: []string{}}
	documents := make(map[string]bool) // ID or normal form, and whether it was met in the text
	sentences := make(map[string]bool)
	wordings := make(map[string]bool)
	for i := range items {
		q := &items[i].Query
		if q.ID != "" {
			documents[q.ID] = false
		}
		if sentence := matcher.Normal(q.Sentence.Of(q.Text)); strings.Count(sentence, " ")+1 >= sharedWords {
			sentences[sentence] = false
		}
		seen := len(k.Owners(q.Surface())) > 0
		wordings[matcher.Normal(q.Surface())] = seen
		if seen {
			leak.SeenMentions++
		}
	}
	for doc, err := range text {
		if err != nil {
			return nil, err
		}
		meet(documents, doc.ID)
		meet(sentences, matcher.Normal(doc.Text))
	}
	leak.Documents, leak.Sentences, leak.Wordings = len(documents), len(sentences), len(wordings)
	leak.SharedSentences, leak.SeenWordings = countTrue(sentences), countTrue(wordings)
	for _, id := range slices.Sorted(maps.Keys(documents)) {
		if documents[id] {
			leak.SharedDocuments = append(leak.SharedDocuments, id)
		}
	}
	return leak, nil
}

func meet(wanted map[string]bool, key string) {
	if _, ok := wanted[key]; ok {
		wanted[key] = true
	}
}

func countTrue(set map[string]bool) int {
	n := 0
	for _, yes := range set {
		if yes {
			n++
		}
	}
	return n
}
