package main

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// nameQuery is a phrase to look up among the names of a dictionary. Its kind is typing_errors, order or held_out.
type nameQuery struct {
	Text string         `json:"text"`
	Kind string         `json:"kind"`
	Gold []kb.ConceptID `json:"gold"`
}

// makeQueries writes --queries phrases, a third of each kind: names with one or two typing errors, names with their
// words in another order, and held-out names, which --whole has for the concepts of --from and --from lacks.
func makeQueries(o *options) {
	dict := readAll(o.From)
	own, other := distinctNames(dict), distinctNames(readAll(o.Whole))
	var long, several, heldOut []string
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if len(name) > 6 {
			long = append(long, name)
			if strings.Contains(name, " ") {
				several = append(several, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(other)) {
		_, known := own[name]
		lacks := func(id kb.ConceptID) bool { return dict.Lookup(id) == nil }
		if other[name] = slices.DeleteFunc(other[name], lacks); !known && len(name) > 4 && len(other[name]) > 0 {
			heldOut = append(heldOut, name)
		}
	}
	harness.Require(len(several) > 0 && len(heldOut) > 0, "want a name of several words, and one of -whole that -from lacks")
	r := rand.New(rand.NewPCG(9, 9))
	queries := make([]nameQuery, o.Queries)
	for i := range queries {
		switch i % 3 {
		case 0:
			name := pick(r, long)
			queries[i] = nameQuery{mistype(r, name), "typing_errors", own[name]}
		case 1:
			name := pick(r, several)
			words := strings.Fields(strings.ReplaceAll(name, ",", ""))
			r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			queries[i] = nameQuery{strings.Join(words, " "), "order", own[name]}
		case 2:
			name := pick(r, heldOut)
			queries[i] = nameQuery{name, "held_out", other[name]}
		}
	}
	harness.Check(artifact.WriteJSONLines(o.Out, queries))
}

// mistype makes one typing error or, in two of five names, two: it inserts, deletes or replaces a letter, or swaps two.
func mistype(r *rand.Rand, name string) string {
	s := []rune(name)
	for range 1 + r.IntN(5)/3 {
		at, letter := r.IntN(len(s)-1), 'a'+rune(r.IntN(26))
		switch r.IntN(4) {
		case 0:
			s = slices.Insert(s, at, letter)
		case 1:
			s = slices.Delete(s, at, at+1)
		case 2:
			s[at] = letter
		case 3:
			s[at], s[at+1] = s[at+1], s[at]
		}
	}
	return string(s)
}

// lookUp is the job of peer_names.py: it looks up phrases, one at a time, and returns the concepts of the most similar
// names.
func lookUp(o *options) {
	queries := harness.Get(artifact.ReadJSONLines[nameQuery](o.Data))
	ctx := context.Background()
	opening := start()
	model := harness.Get(ctxnorm.Open(ctx, o.Model, ctxnorm.OpenOptions{}))
	defer model.Close()
	options := ctxnorm.LinkOptions{Method: ctxnorm.Method(o.Engine), MinProbability: ctxnorm.AlwaysAnswer}
	l := line{"queries": len(queries), "typing_errors": 0, "order": 0, "held_out": 0}
	var spent []float64
	for i, q := range slices.Concat([]nameQuery{{Text: "fever"}}, queries) { // the first query counts as opening
		watch := start()
		doc := &text.Document{Text: q.Text, Mentions: []text.Mention{{Span: text.Span{End: len(q.Text)}}}}
		linked := harness.Get(model.Link(ctx, []*text.Document{doc}, options))
		if i == 0 {
			l["open_ms"] = 1000 * opening.seconds()
			continue
		}
		spent = append(spent, 1000*watch.cpuSeconds())
		if found := linked[0].Mentions[0].Candidates; len(found) > 0 && slices.Contains(q.Gold, found[0].Concept) {
			l[q.Kind] = l[q.Kind].(int) + 1
		}
	}
	slices.Sort(spent)
	l["query_ms"], l["query_ms_p99"] = stat.Mean(spent, nil), stat.Quantile(.99, stat.Empirical, spent, nil)
	l.print()
}
