package biosyn

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// task trains an encoder to rank the names of a dictionary for labeled mentions. At the start of every epoch it
// retrieves candidates for each mention, by strings and with the current encoder. The loss is that of
// [Settings].Objective. Without sparse scores it is BERT ranking.
//
// Names and mentions are compared in normal form, see [normalize.Normal]. Like the paper, this lowers the case and
// removes punctuation; it also ignores accents, which the paper keeps. Names with the same normal form are one name,
// with all their concepts. With sparse scores, typing errors in mentions are corrected by the words of the names; the
// paper only does so for NCBI Disease. The caller expands abbreviations and splits composite mentions.
type task struct {
	contrastive.Plan
	settings        Settings
	mentions, names []text.Exemplar
	sampler         *contrastive.EpochOrder
	grams           *lexical.GramIndex // nil if no strings are compared
	forms           []string           // the normal form of each mention
	candidates      []mentionCandidates
}

// mentionCandidates are the candidates of a mention in an epoch.
type mentionCandidates struct {
	rows   []int32   // rows of names
	scores []float32 // S_sparse of each row; nil without sparse scores
}

// newTask returns the task on labeled mentions and the names of a dictionary; a name may have several concepts. It does
// not read the contexts of mentions. A mention must not be one of the names, or it would be its own candidate; equal
// strings do not matter.
func newTask(recipe string, c contrastive.Config, s Settings, mentions, names []text.Exemplar) (*task, error) {
	if len(mentions) == 0 || len(names) < 2 {
		return nil, fmt.Errorf("%d mentions and %d names to train on, want at least one mention and two names",
			len(mentions), len(names))
	}
	sampler := contrastive.NewEpochOrder(c.Seed, "mentions", len(mentions), s.MentionsPerBatch, true)
	m := &task{settings: s, mentions: mentions, sampler: sampler}
	epoch := sampler.BatchesPerEpoch()
	m.Plan = contrastive.Plan{
		Recipe: recipe, Config: c, Settings: s, Steps: c.TotalSteps(s.Epochs, epoch), EpochSteps: epoch,
	}
	var nameForms []string
	m.names, nameForms = distinctNames(names)
	if !s.Sparse {
		return m, nil
	}
	m.Parameters = []contrastive.Parameter{{ // lambda of equation 5
		Name: "sparse_weight", Initial: s.InitialSparseWeight, LearningRate: s.SparseLearningRate,
	}}
	spelling := normalize.NewSpellingCorrector(nameForms)
	m.mentions = make([]text.Exemplar, len(mentions))
	for i := range mentions {
		m.mentions[i] = text.NameExemplar(spelling.Mention(mentions[i].Surface()), mentions[i].Mention.Concepts...)
	}
	m.forms = normalForms(m.mentions)
	m.grams = lexical.NewGramIndex(nameForms) // section 4.1: uni- and bi-grams of characters
	return m, nil
}

// distinctNames merges the names that have the same normal form. It returns the first name of each form with the
// concepts of all of them, and the forms. A name without letters or digits has an empty form and is not merged.
func distinctNames(names []text.Exemplar) (distinct []text.Exemplar, forms []string) {
	at := make(map[string]int) // positions among the distinct names
	for i, form := range normalForms(names) {
		first, known := at[form]
		if !known || form == "" {
			at[form] = len(distinct)
			distinct, forms = append(distinct, names[i]), append(forms, form)
			continue
		}
		concepts := slices.Clone(distinct[first].Mention.Concepts)
		for _, id := range names[i].Mention.Concepts {
			if !slices.Contains(concepts, id) {
				concepts = append(concepts, id)
			}
		}
		distinct[first] = text.NameExemplar(distinct[first].Surface(), concepts...)
	}
	return distinct, forms
}

func normalForms(exemplars []text.Exemplar) []string {
	forms := make([]string, len(exemplars))
	for i := range exemplars {
		forms[i] = normalize.Normal(exemplars[i].Surface())
	}
	return forms
}

// WriteData implements [contrastive.Task].
func (m *task) WriteData(w io.Writer) { contrastive.WriteExemplars(w, m.mentions, m.names) }

// Resample implements [contrastive.Task]: it retrieves the candidates of all mentions.
func (m *task) Resample(ctx context.Context, _ int, encode contrastive.Encode) error {
	k := m.settings.Candidates.PerMention
	dense := make([][]int32, len(m.mentions))
	if m.settings.sparseCandidates() < k {
		var err error
		if dense, err = m.nearest(ctx, k, encode); err != nil {
			return err
		}
	}
	m.candidates = make([]mentionCandidates, len(m.mentions))
	for i := range m.candidates {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &m.candidates[i]
		if m.grams == nil {
			c.rows = m.settings.merge(nil, dense[i])
		} else {
			all := m.grams.Scores(m.forms[i])
			c.rows = m.settings.merge(lexical.Highest(all, k), dense[i])
			for _, row := range c.rows {
				c.scores = append(c.scores, all[row])
			}
		}
	}
	return nil
}

// sparseCandidates returns the number of candidates retrieved by strings, k - floor(alpha k).
func (s *Settings) sparseCandidates() int {
	const rounding = 1e-9 // 0.29 * 100 is 28.999999999999996
	k := s.Candidates.PerMention
	return k - int(math.Floor(s.Candidates.DenseRatio*float64(k)+rounding))
}

// merge returns the candidates of a mention as rows of the dictionary's names: the first sparseCandidates of sparse,
// then those of dense that are not among them, up to PerMention in all. Both lists are in descending order of score and
// have PerMention rows, or all rows of a smaller dictionary, so there are always enough.
func (s *Settings) merge(sparse, dense []int32) []int32 {
	rows := slices.Clone(sparse[:min(s.sparseCandidates(), len(sparse))])
	for _, row := range dense {
		if len(rows) == s.Candidates.PerMention {
			break
		}
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// nearest returns the rows of the k names nearest to each mention by the encoder.
func (m *task) nearest(ctx context.Context, k int, encode contrastive.Encode) ([][]int32, error) {
	names, dim, err := encode(queriesOf(m.names))
	if err != nil {
		return nil, err
	}
	mentions, _, err := encode(queriesOf(m.mentions))
	if err != nil {
		return nil, err
	}
	hits, err := knnindex.NewFlat(&knnindex.Vectors{Dim: dim, Data: names}).SearchBatch(ctx, mentions, k, 0)
	rows := make([][]int32, len(hits))
	for i := range hits {
		for _, hit := range hits[i] {
			rows[i] = append(rows[i], hit.Row)
		}
	}
	return rows, err
}

func queriesOf(exemplars []text.Exemplar) []*text.Query {
	queries := make([]*text.Query, len(exemplars))
	for i := range exemplars {
		queries[i] = &exemplars[i].Query
	}
	return queries
}

// Batch implements [contrastive.Task]. The rows are each mention followed by its candidates.
func (m *task) Batch(step int) (*contrastive.Batch, error) {
	if m.candidates == nil {
		return nil, fmt.Errorf("%s: no candidates were retrieved", m.Recipe)
	}
	k := len(m.candidates[0].rows) // PerMention, or all names of a small dictionary
	b := &contrastive.Batch{Names: true}
	loss := &rankingLoss{objective: m.settings.Objective, scale: m.settings.DenseScale, k: k}
	for _, i := range m.sampler.Batch(step) {
		b.Rows = append(b.Rows, contrastive.RowOf(&m.mentions[i], ""))
		c := &m.candidates[i]
		for j, row := range c.rows {
			b.Rows = append(b.Rows, contrastive.RowOf(&m.names[row], ""))
			// EQUAL of equation 7: a name with several concepts is right for each of them.
			loss.right = append(loss.right, slices.ContainsFunc(m.mentions[i].Mention.Concepts, func(id kb.ConceptID) bool {
				return slices.Contains(m.names[row].Mention.Concepts, id)
			}))
			sparse := 0.
			if c.scores != nil {
				sparse = float64(c.scores[j])
			}
			loss.sparse = append(loss.sparse, sparse)
		}
	}
	b.Loss = loss
	return b, nil
}

// distinctMentions returns the labeled mentions to train on, as bare names: those of one concept, with each normal form
// of a concept once. Like the authors' code, it skips mentions of several concepts, including composite ones.
func distinctMentions(labeled []text.Exemplar) []text.Exemplar {
	type key struct {
		form    string
		concept kb.ConceptID
	}
	seen := make(map[key]bool)
	var mentions []text.Exemplar
	for i, form := range normalForms(labeled) {
		concepts := labeled[i].Mention.Concepts
		if len(concepts) != 1 || form == "" || seen[key{form, concepts[0]}] {
			continue
		}
		seen[key{form, concepts[0]}] = true
		mentions = append(mentions, text.NameExemplar(labeled[i].Surface(), concepts...))
	}
	return mentions
}

// holdOutNames takes names out of a dictionary to serve as mentions if there are no labeled ones: about the given share
// of them, sampled by hash, but never the last name of a concept. Both results keep the order of names.
func holdOutNames(names []text.Exemplar, share float64, seed uint64) (mentions, rest []text.Exemplar) {
	left := make(map[kb.ConceptID]int)
	order := make([]int, len(names))
	hashes := make([]float64, len(names))
	for i := range names {
		order[i], hashes[i] = i, sampling.Unit(seed, "held-out name", names[i].Surface())
		for _, id := range names[i].Mention.Concepts {
			left[id]++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(hashes[a], hashes[b]) })
	heldOut := make([]bool, len(names))
	for _, i := range order {
		concepts := names[i].Mention.Concepts
		isLast := func(id kb.ConceptID) bool { return left[id] < 2 }
		if hashes[i] >= share || len(concepts) == 0 || slices.ContainsFunc(concepts, isLast) {
			continue
		}
		heldOut[i] = true
		for _, id := range concepts {
			left[id]--
		}
	}
	for i := range names {
		if heldOut[i] {
			mentions = append(mentions, names[i])
		} else {
			rest = append(rest, names[i])
		}
	}
	return mentions, rest
}
