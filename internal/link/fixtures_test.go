package link

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// exemplarsOf returns the exemplars of rows.
func exemplarsOf(t testing.TB, rows *model.ExemplarIndex) []text.Exemplar {
	t.Helper()
	all, err := rows.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// conceptIDs returns the concepts of a ranking in their order.
func conceptIDs(r Ranking) []kb.ConceptID {
	var ids []kb.ConceptID
	for _, c := range r.Candidates {
		ids = append(ids, c.Concept)
	}
	return ids
}

// ulcerModel returns a model of [modeltest.Ulcer] with an encoder.
func ulcerModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := linktest.GutEncoder()
	return modeltest.Open(t, modeltest.Build(t, encoder, modeltest.Ulcer), encoder)
}
