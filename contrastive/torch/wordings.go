//go:build torch

package torch

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// wordings are the names of each concept, in the order in which they were given.
type wordings map[ctxnorm.ConceptID][]wording

type wording struct{ name, normal string }

func newWordings(names []ctxnorm.Exemplar) wordings {
	w := make(wordings)
	for i := range names {
		name := names[i].Surface()
		for _, concept := range names[i].Mention.Concepts {
			w[concept] = append(w[concept], wording{name, matcher.Normal(name)})
		}
	}
	return w
}

// other is a name of the concept that has another normal form than the one given,
// chosen by a number; false where there is none.
func (w wordings) other(concept ctxnorm.ConceptID, normal string, number uint64) (string, bool) {
	var others []string
	for _, one := range w[concept] {
		if one.normal != normal {
			others = append(others, one.name)
		}
	}
	if len(others) == 0 {
		return "", false
	}
	return others[number%uint64(len(others))], true
}
