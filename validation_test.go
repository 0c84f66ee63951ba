package ctxnorm

import (
	"fmt"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestHoldOutNames(t *testing.T) {
	var names []text.Exemplar
	for concept := range 1000 {
		for name := range 3 {
			names = append(names, text.NameExemplar(fmt.Sprint(concept, " ", name), kb.ConceptID(fmt.Sprint(concept))))
		}
	}
	training, validation := splitNames(names, 1)
	if len(training)+len(validation) != len(names) {
		t.Errorf("%d and %d of %d names", len(training), len(validation), len(names))
	}
	// Of 1,000 concepts .02 are 20, with a standard deviation of sqrt(1000 * .02 * .98) = 4.4.
	if n := len(validation); n%3 != 0 || n < 3*7 || n > 3*33 {
		t.Errorf("%d names are held out, want all 3 of about 20 concepts", n)
	}
	trained := make(map[kb.ConceptID]bool)
	for _, ex := range training {
		trained[ex.Mention.Concepts[0]] = true
	}
	for _, ex := range validation {
		if trained[ex.Mention.Concepts[0]] {
			t.Errorf("%s is in both training and validation", ex.Text)
		}
	}
}

// One concept with two names and another with one cannot be told apart: nothing is
// held out.
func TestHoldOutTooFew(t *testing.T) {
	names := []text.Exemplar{
		text.NameExemplar("a", "A"), text.NameExemplar("b", "A"), text.NameExemplar("c", "C"),
	}
	for seed := range uint64(200) { // some seeds hold out A, some C, some both
		if training, validation := splitNames(names, seed); len(training) != 3 || validation != nil {
			t.Fatalf("seed %d: %d and %d names, want 3 and none", seed, len(training), len(validation))
		}
	}
}

func TestHoldOutContexts(t *testing.T) {
	var contexts []text.Exemplar
	for pmid := range 2000 {
		for _, name := range []string{"gout", "rickets"} {
			ex := text.NameExemplar(name, kb.ConceptID(name))
			ex.ID = fmt.Sprint(pmid)
			contexts = append(contexts, ex)
		}
	}
	training, validation := splitContexts(contexts, 1)
	seen := make(map[string]bool)
	for _, ex := range training {
		seen[ex.ID] = true
	}
	for _, ex := range validation {
		if seen[ex.ID] {
			t.Errorf("document %s is in both training and validation", ex.ID)
		}
	}
	if len(validation) == 0 || len(validation)%2 != 0 {
		t.Errorf("%d contexts are held out, want both of some documents", len(validation))
	}
}
