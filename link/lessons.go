package link

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"ctxnorm"
	"ctxnorm/matcher"
)

const (
	// pseudoQueries is how many held-out mentions the weights are learnt from;
	// 1,200 were found to be enough, 300 nearly, 150 too few.
	pseudoQueries = 1500
	// perHeldOutName is how many mentions of one name are asked about, so that
	// frequent names do not decide.
	perHeldOutName = 2
)

// Where lessons come from.
const (
	FromHeldOutNames = "names held out of the dictionary"
	FromGold         = "annotated mentions"
)

// trainingSet are queries with known answers, which weights are learnt from.
type trainingSet struct {
	source       string
	queries      []ctxnorm.Query // with the right concepts in their mentions
	heldOutNames map[string]bool // normal forms of names that are not seen when these are answered
}

// silverSet are lessons without a label: names that stand in contexts are held out
// of the dictionary, drawn by hash, and their mentions are queries of unknown wording
// whose concept is known.
func silverSet(m *Model, seed uint64) (*trainingSet, error) {
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	hash := func(row int) uint64 {
		ex := &contexts[row]
		return ctxnorm.Hash(seed, "query", ex.ID, ex.Text, strconv.Itoa(ex.Mention.Start))
	}
	byName := make(map[string][]int)
	for row := range contexts {
		name := contexts[row].Mention.Name
		byName[name] = append(byName[name], row)
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(ctxnorm.Hash(seed, "held out", a), ctxnorm.Hash(seed, "held out", b)), cmp.Compare(a, b))
	})
	names = names[:len(names)/2] // at most half, so that enough is left to answer with
	l := &trainingSet{source: FromHeldOutNames, heldOutNames: make(map[string]bool)}
	for _, name := range names {
		if len(l.queries) >= pseudoQueries {
			break
		}
		l.heldOutNames[name] = true
		rows := byName[name]
		slices.SortFunc(rows, func(a, b int) int {
			return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b))
		})
		for _, row := range rows[:min(perHeldOutName, len(rows))] {
			l.queries = append(l.queries, contexts[row].Query)
		}
	}
	return l, nil
}

// goldSet are annotated mentions, read as they are when they are linked. Composite
// mentions are left out: they are linked by their parts, and which part is which
// concept is not said.
func goldSet(m *Model, gold []ctxnorm.Exemplar) *trainingSet {
	l := &trainingSet{source: FromGold}
	for i := range gold {
		if !gold[i].Mention.Composite {
			l.queries = append(l.queries, gold[i].Query)
		}
	}
	var table *corpusAbbreviations
	if m.Abbreviations != nil {
		table = newCorpusAbbreviations(m.Abbreviations, m.Dictionary)
	}
	l.queries = expandAbbreviations(l.queries, true, table)
	return l
}

// heldOutNameRows hides the rows of held-out names, and of all names that texts gave the
// concepts of held-out names: they may have been given by way of these.
func heldOutNameRows(m *Model, names []ctxnorm.Exemplar, hiddenNames map[string]bool) []bool {
	hidden := make([]bool, len(names))
	if len(hiddenNames) == 0 {
		return hidden
	}
	touched := make(map[int32]bool) // concepts of held-out names
	for row := range names {
		if hidden[row] = hiddenNames[matcher.Normal(names[row].Text)]; hidden[row] {
			for _, owner := range m.Names.concepts.of(int32(row)) {
				touched[owner] = true
			}
		}
	}
	for row := range names {
		if names[row].Source != "" && slices.ContainsFunc(m.Names.concepts.of(int32(row)), func(owner int32) bool { return touched[owner] }) {
			hidden[row] = true
		}
	}
	return hidden
}

// heldOutContextRows hides the rows of contexts in which held-out names stand.
func heldOutContextRows(m *Model, hiddenNames map[string]bool) ([]bool, error) {
	hidden := make([]bool, m.Contexts.Len())
	if len(hiddenNames) == 0 {
		return hidden, nil // and contexts need not be read
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	for row := range contexts {
		hidden[row] = hiddenNames[contexts[row].Mention.Name]
	}
	return hidden, nil
}

// generate finds the candidates of the lessons' queries with the parts of a model.
func (l *trainingSet) generate(ctx context.Context, m *Model, parts Parts) ([][]rawCandidate, error) {
	s, err := newCandidateGenerator(m, parts, l.heldOutNames)
	if err != nil {
		return nil, err
	}
	return s.generate(ctx, l.queries)
}

// goldPositions are the right concepts of query i, of those that the model has.
func (l *trainingSet) goldPositions(m *Model, i int) []int32 {
	return conceptPositions(m.Dictionary, l.queries[i].Mention.Concepts)
}

// examples are the queries that something can be learnt from: a right candidate is
// found, and a wrong one.
func (l *trainingSet) examples(m *Model, proposals [][]rawCandidate) []listwiseExample {
	var choices []listwiseExample
	for i := range proposals {
		if c, ok := newListwiseExample(proposals[i], l.goldPositions(m, i)); ok {
			c.cvFold = l.cvFold(i)
			choices = append(choices, c)
		}
	}
	return choices
}

// cvFolds is the number of parts that lessons are cross-validated in.
const cvFolds = 10

// cvFold is the part that query i falls into: mentions of equal wording into one, so
// that what is learnt is never tried on wordings that it was learnt from.
func (l *trainingSet) cvFold(i int) int {
	return int(ctxnorm.Hash(0, "fold", matcher.Normal(l.queries[i].Surface())) % cvFolds)
}

// fitWeights learns the weights of what a sight sees from the lessons, whose names it hides.
func (l *trainingSet) fitWeights(ctx context.Context, s *candidateGenerator) (Weights, error) {
	proposals, err := s.generate(ctx, l.queries)
	if err != nil {
		return Weights{}, err
	}
	return fitWeights(l.examples(s.model, proposals), prior(s.model, s.components))
}
