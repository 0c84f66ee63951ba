package bne

import (
	"math"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

func TestTargets(t *testing.T) {
	const dim = 4
	v := wordVectors(t, dim,
		[]string{"after", wordvec.NameToken("heart attack"), wordvec.ConceptToken("D1"), "heart", "attack", "died"})
	heart, attack, died := v.Vector("heart"), v.Vector("attack"), v.Vector("died")
	known := &kb.Concept{ID: "D1", Name: "Heart-Attack", Synonyms: []string{"died", "unheard of"}}
	unknown := &kb.Concept{ID: "D2", Name: "unheard of"}

	averaged, pretrained := targetVectors{v, false}, targetVectors{v, true}
	for i := range dim {
		mean := (heart[i] + attack[i]) / 2
		for what, numbers := range map[string][2]float32{
			"option 2, context":                 {averaged.Context("Heart-Attack")[i], mean},
			"option 2, concept":                 {averaged.Concept(known)[i], (mean + died[i]) / 2},
			"option 1, context":                 {pretrained.Context("Heart-Attack")[i], v.Vector("name:heart attack")[i]},
			"option 1, context without a token": {pretrained.Context("attack died")[i], (attack[i] + died[i]) / 2},
			"option 1, concept":                 {pretrained.Concept(known)[i], v.Vector("concept:D1")[i]},
		} {
			if math.Abs(float64(numbers[0]-numbers[1])) > 1e-6 {
				t.Errorf("%s: number %d is %v, want %v", what, i, numbers[0], numbers[1])
			}
		}
	}
	if averaged.Concept(unknown) != nil || pretrained.Concept(unknown) != nil || averaged.Context("unheard of") != nil {
		t.Error("there is a vector for a name without a known word")
	}
}
