package link

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestGoldLessonsAreReadAsLinked(t *testing.T) {
	m := open(t, buildGut(t, nil), nil)
	label := func(q ctxnorm.Query, concepts ...ctxnorm.ConceptID) ctxnorm.Exemplar {
		q.Mention.Concepts = concepts
		q.Mention.Composite = len(concepts) > 1
		return ctxnorm.Exemplar{Query: q}
	}
	l := goldSet(m, []ctxnorm.Exemplar{
		label(query(t, "coeliac disease (CD), and <CD> again"), "G1"),
		label(query(t, "<gastric and coeliac disease>"), "G1", "G2"),
		label(query(t, "<rickets>"), "G9"), // not in the model
	})
	var got []string
	for i := range l.queries {
		got = append(got, l.queries[i].Surface())
	}
	if diff := cmp.Diff([]string{"coeliac disease", "rickets"}, got); diff != "" {
		t.Errorf("wordings (-want +got):\n%s", diff)
	}
	if right := l.goldPositions(m, 0); len(right) != 1 || m.Dictionary.At(int(right[0])).ID != "G1" || len(l.goldPositions(m, 1)) != 0 {
		t.Errorf("right are %v and %v, want G1 and none", right, l.goldPositions(m, 1))
	}
}

// Mentions of equal wording are in one fold, whatever their case and text.
func TestFoldsAreByWording(t *testing.T) {
	l := &trainingSet{}
	used := make(map[int]bool)
	for _, word := range []string{"ulcer", "rickets", "gout", "scurvy", "asthma", "eczema", "mumps", "rabies", "sprue", "lupus", "yaws", "croup"} {
		l.queries = append(l.queries, query(t, "a case of <"+word+">"), query(t, "<"+string(word[0]-'a'+'A')+word[1:]+"> again"))
	}
	for i := 0; i < len(l.queries); i += 2 {
		if a, b := l.cvFold(i), l.cvFold(i+1); a != b || a < 0 || a >= cvFolds {
			t.Errorf("%q is in fold %d, %q in fold %d", l.queries[i].Surface(), a, l.queries[i+1].Surface(), b)
		}
		used[l.cvFold(i)] = true
	}
	if len(used) < 2 {
		t.Error("all are in one fold")
	}
}

// TestFitFolds: the weights of a fold do not know its choices.
func TestFitFolds(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var planted Weights
	planted[lexical] = 2
	choices := randomChoices(random, &planted, 200)
	for i := range choices {
		choices[i].cvFold = i % cvFolds
	}
	before, err := fitCVFolds(choices, Weights{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range choices { // the choices of fold 3 are turned round
		if choices[i].cvFold == 3 {
			slices.Reverse(choices[i].right)
		}
	}
	after, err := fitCVFolds(choices, Weights{})
	if err != nil {
		t.Fatal(err)
	}
	for fold := range before {
		if same := before[fold] == after[fold]; same != (fold == 3) {
			t.Errorf("the weights of fold %d are the same: %v", fold, same)
		}
	}
}
