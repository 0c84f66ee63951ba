package link

import (
	"math"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// hivesModel returns a model with the names hives and gastric ulcer and two contexts of each.
func hivesModel(t *testing.T, encoder *linktest.BagOfWords) *model.Model {
	t.Helper()
	dict := kb.NewDictionary([]kb.Concept{{ID: "H", Name: "hives"}, {ID: "U", Name: "gastric ulcer"}})
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	if err != nil {
		t.Fatal(err)
	}
	dir := modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary, o.Tagger, o.Contexts = dict, tagger, nil
		for i, sentence := range []string{"itching skin with hives", "hives of the skin", "gastric ulcer after aspirin", "aspirin and gastric ulcer"} {
			doc := &text.Document{ID: string(rune('1' + i)), Text: sentence, Mentions: tagger.Tag(nil, sentence)}
			q := text.Query{Document: doc, Mention: doc.Mentions[0], Sentence: text.Span{Start: 0, End: len(sentence)}}
			o.Contexts = append(o.Contexts, text.Exemplar{Query: q})
		}
	})
	return modeltest.Open(t, dir, encoder)
}

// A mention of one word is less probable in the context of another concept than in its own,
// and without a context its probability is that of the ranking alone.
func TestContextOfAWord(t *testing.T) {
	for _, encoder := range []*linktest.BagOfWords{nil, {Name: "hives", Vocabulary: strings.Fields("hives itching skin gastric ulcer aspirin")}} {
		m := hivesModel(t, encoder)
		ranker, err := NewRanker(m, RankOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rank := func(marked string) Ranking {
			t.Helper()
			rankings, err := ranker.Rank(t.Context(), []text.Query{linktest.Query(t, marked)}, 5)
			if err != nil {
				t.Fatal(err)
			}
			sum := rankings[0].NIL
			for _, c := range rankings[0].Candidates {
				sum += c.Probability
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s: probabilities add up to %g, want 1", marked, sum)
			}
			if rankings[0].Candidates[0].Concept != "H" {
				t.Errorf("%s: first is %s, want H", marked, rankings[0].Candidates[0].Concept)
			}
			return rankings[0]
		}
		own, other, alone := rank("itching skin and <hives>"), rank("aspirin and <hives>"), rank("<hives>")
		if own.Candidates[0].Probability <= other.Candidates[0].Probability {
			t.Errorf("encoder %v: %g in its own context, %g in another", encoder != nil, own.Candidates[0].Probability, other.Candidates[0].Probability)
		}
		if alone.Candidates[0].Probability <= own.Candidates[0].Probability {
			t.Errorf("encoder %v: %g without a context, %g in its own", encoder != nil, alone.Candidates[0].Probability, own.Candidates[0].Probability)
		}
	}
}

func TestMayBeOrdinary(t *testing.T) {
	for surface, want := range map[string]bool{"hives": true, "boils": true, "hepatitis": false, "anaemia": false, "all": true, "breast cancer": false, "": false} {
		if got := mayBeOrdinary(surface); got != want {
			t.Errorf("mayBeOrdinary(%q) = %v, want %v", surface, got, want)
		}
	}
}

// A short form in small letters is an ordinary word, though the dictionary has it so.
func TestSmallLetters(t *testing.T) {
	m := skinModel(t, nil)
	ranker, err := NewRanker(m, RankOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rankings, err := ranker.Rank(t.Context(), []text.Query{linktest.Query(t, "commercials and <ad> campaigns"), linktest.Query(t, "memory and <AD>")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	small, capitals := rankings[0].Candidates[0], rankings[1].Candidates[0]
	if small.Concept != "A" || capitals.Concept != "A" || small.Probability > capitals.Probability/5 {
		t.Errorf("ad: %s at %g; AD: %s at %g; want A, and ad at most a fifth as probable", small.Concept, small.Probability, capitals.Concept, capitals.Probability)
	}
}

func TestFitProbability(t *testing.T) {
	w := FitWeights{1, 2, 3, 4}
	if got, want := w.Probability(&ContextFit{1, -1, .5, .25}), 1/(1+math.Exp(-(1-2+1.5+1))); math.Abs(got-want) > 1e-12 {
		t.Errorf("probability is %g, want %g", got, want)
	}
}
