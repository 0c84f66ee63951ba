package contrastive

import (
	"fmt"
	"io"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// bioCoM is the task of the BioCoM paper: concept-balanced batches of contexts, and Multi-Similarity within a batch.
// Batches of bare names and synonyms in place of mentions are our additions. Its settings are in [Config].
type bioCoM struct {
	Plan
	contexts, names             []text.Exemplar
	contextSampler, nameSampler *Sampler // nil if no batches are made of them
	synonyms                    synonymAugmenter
}

// BioCoMRecipe returns the recipe of [NewBioCoM] with [DefaultConfig]. It has no settings of its own. It links by the
// learned ranking; the paper by "count" (section 3.1).
func BioCoMRecipe() *Recipe {
	return &Recipe{
		Name: BioCoMName, Summary: "contexts and names", Linker: "ranked", Config: DefaultConfig(),
		Needs: Needs{
			Contexts: true, Labels: LabelsAllowed, LabelsAreNames: true, Validation: true,
			ConfigFields: []string{"concepts_per_batch", "synonym_replace_prob", "name_batch_ratio"},
		},
		New: func(c Config, d Data) (Task, error) {
			return NewBioCoM(c, d.Contexts, append(slices.Clip(d.Names), d.LabeledNames...))
		},
	}
}

// NewBioCoM returns the task on the exemplars of a corpus and the names of a dictionary. Either may be empty if the
// configuration has no batches of it.
func NewBioCoM(c Config, contexts, names []text.Exemplar) (Task, error) {
	plan := Plan{Recipe: BioCoMName, Config: c, Steps: c.stepsFor(len(contexts), len(names))}
	m := &bioCoM{Plan: plan, contexts: contexts, names: names, synonyms: newSynonymAugmenter(names)}
	var err error
	if c.NameBatchRatio < 1 {
		if m.contextSampler, err = NewSampler(contexts, c.ConceptsPerBatch, c.Seed); err != nil {
			return nil, fmt.Errorf("contexts: %w", err)
		}
	}
	if c.NameBatchRatio > 0 {
		if m.nameSampler, err = NewSampler(names, c.ConceptsPerBatch, c.Seed); err != nil {
			return nil, fmt.Errorf("names: %w", err)
		}
	}
	return m, nil
}

// WriteData implements [Task].
func (m *bioCoM) WriteData(w io.Writer) { WriteExemplars(w, m.contexts, m.names) }

// Batch implements [Task].
func (m *bioCoM) Batch(step int) (*Batch, error) {
	names, number := m.Config.batchAt(step)
	exemplars, sampler, loss := m.contexts, m.contextSampler, m.Config.ContextLoss
	if names {
		exemplars, sampler, loss = m.names, m.nameSampler, m.Config.NameLoss
	}
	b := &Batch{Names: names, Loss: loss}
	for i, item := range sampler.Batch(number) {
		exemplar := &exemplars[item.Exemplar]
		row := RowOf(exemplar, item.Concept)
		if query := m.augmented(exemplar, item.Concept, step, i); query != nil {
			row.Query = query
		}
		b.Rows = append(b.Rows, row)
	}
	return b, nil
}

// augmented returns a context with its mention replaced by a synonym, for a row of a step's batch, or nil if the
// mention is not replaced.
func (m *bioCoM) augmented(exemplar *text.Exemplar, concept kb.ConceptID, step, row int) *text.Query {
	number, replace := m.Config.replacesMention(step, row)
	if exemplar.Bare || !replace {
		return nil
	}
	name, ok := m.synonyms.synonymOf(concept, exemplar.Mention.Name, number)
	if !ok {
		return nil
	}
	query := exemplar.WithSurface(name)
	return &query
}

// synonymAugmenter chooses synonyms to replace mentions. It holds the names of each concept, in the given order.
type synonymAugmenter map[kb.ConceptID][]synonym

type synonym struct{ name, normal string } // normal is the normal form of the name

func newSynonymAugmenter(names []text.Exemplar) synonymAugmenter {
	a := make(synonymAugmenter)
	for i := range names {
		name := names[i].Surface()
		for _, concept := range names[i].Mention.Concepts {
			a[concept] = append(a[concept], synonym{name, normalize.Normal(name)})
		}
	}
	return a
}

// synonymOf returns a name of the concept with a normal form other than the given one, chosen by a random number, or
// false if there is none.
func (a synonymAugmenter) synonymOf(concept kb.ConceptID, normal string, number uint64) (string, bool) {
	var others []string
	for _, s := range a[concept] {
		if s.normal != normal {
			others = append(others, s.name)
		}
	}
	if len(others) == 0 {
		return "", false
	}
	return others[number%uint64(len(others))], true
}

// WriteExemplars writes, for [Task.WriteData], everything that training reads of the exemplars, except the IDs of their
// documents and the names they matched.
func WriteExemplars(w io.Writer, sets ...[]text.Exemplar) {
	for _, set := range sets {
		fmt.Fprintf(w, "%d\n", len(set))
		for i := range set {
			e := &set[i]
			fmt.Fprintf(w, "%q %d %d %q\n", e.Sentence.Of(e.Text), e.Mention.Start-e.Sentence.Start,
				e.Mention.End-e.Sentence.Start, e.Mention.Concepts)
			for _, m := range e.Mentions {
				if e.Sentence.Contains(m.Span) {
					fmt.Fprintf(w, "%d %d %q\n", m.Start-e.Sentence.Start, m.End-e.Sentence.Start, m.Concepts)
				}
			}
		}
	}
}
