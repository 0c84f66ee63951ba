package ctxnorm

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/papers"
)

// TestRecipeLinkers: the linker of every method of training is a method of linking.
func TestRecipeLinkers(t *testing.T) {
	for _, recipe := range papers.Recipes() {
		if !slices.Contains(Methods(), Method(recipe.Linker())) {
			t.Errorf("%s links with %q, want one of %q", recipe.Name(), recipe.Linker(), Methods())
		}
	}
}

// TestUseRecipe: options have the configuration of the method, and contexts in the index where it
// trains on them.
func TestUseRecipe(t *testing.T) {
	o := DefaultTrainOptions()
	for _, recipe := range papers.Recipes() {
		o.UseRecipe(recipe)
		if o.Config != recipe.Config() || (o.ExemplarsPerConcept > 0) != recipe.Needs().Contexts {
			t.Errorf("%s: %d exemplars, configuration %+v", recipe.Name(), o.ExemplarsPerConcept, o.Config)
		}
	}
}
