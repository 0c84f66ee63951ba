package ctxnorm

import (
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	// validationShare is the share of the concepts, or of the documents, that is held
	// out to validate training.
	validationShare = .02
	// maxValidationContexts bounds the contexts that are encoded at each of the twenty
	// validations: 20 x 512 is a tenth of what 2,000 steps encode.
	maxValidationContexts = 512
	// maxValidationNames bounds the names: they are a fourth as long.
	maxValidationNames = 1024
)

// trainingSet is what an encoder is trained and validated on.
type trainingSet struct {
	dict                        *Dictionary // with the names that are used
	contexts, names, validation []text.Exemplar
	labeled                     []mine.Synonym // names that labeled mentions give
}

// splitValidation holds out exemplars for validation. When batches of names are trained
// on, it holds out all names of some concepts: whether those find each other shows what
// was learned for unseen wordings, where in contexts the words of a mention give it away.
// Otherwise it holds out contexts by document, so that no sentence of a training document
// validates.
func splitValidation(in *trainingInputs, config *contrastive.Config) trainingSet {
	set := trainingSet{dict: in.dict, contexts: model.WithConcepts(in.contexts), names: model.NameExemplars(in.dict),
		labeled: in.labeled}
	if config.NameBatchRatio > 0 {
		set.names, set.validation = splitNames(set.names, config.Seed)
	} else {
		set.contexts, set.validation = splitContexts(set.contexts, config.Seed)
	}
	return set
}

func splitNames(names []text.Exemplar, seed uint64) (training, validation []text.Exemplar) {
	return split(names, maxValidationNames, seed, func(ex *text.Exemplar) string {
		return string(ex.Mention.Concepts[0])
	})
}

func splitContexts(contexts []text.Exemplar, seed uint64) (training, validation []text.Exemplar) {
	return split(contexts, maxValidationContexts, seed, func(ex *text.Exemplar) string { return ex.ID })
}

// split holds out the exemplars of validationShare of the groups, at most limit of them.
// It holds out none when those are too few to tell concepts apart.
func split(exemplars []text.Exemplar, limit int, seed uint64,
	group func(*text.Exemplar) string) (training, validation []text.Exemplar) {
	for i := range exemplars {
		if sampling.Unit(seed, "validation", group(&exemplars[i])) < validationShare {
			validation = append(validation, exemplars[i])
		} else {
			training = append(training, exemplars[i])
		}
	}
	if len(validation) > limit {
		validation = model.SampleContexts(validation, limit, seed)
	}
	if !haveNegatives(validation) {
		return exemplars, nil
	}
	return training, validation
}

// haveNegatives reports whether at least two concepts have at least two exemplars each.
func haveNegatives(exemplars []text.Exemplar) bool {
	count := make(map[ConceptID]int)
	pairs := 0
	for i := range exemplars {
		for _, id := range exemplars[i].Mention.Concepts {
			if count[id]++; count[id] == 2 {
				pairs++
			}
		}
	}
	return pairs >= 2
}
