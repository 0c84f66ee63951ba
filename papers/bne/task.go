package bne

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// Name is the name of the recipe.
const Name = "bne"

// Values of [Settings].Targets.
const (
	WordTargets  = "words"  // means of the vectors of words
	TokenTargets = "tokens" // vectors of tokens of names and concepts
)

// Task trains the name encoder: a name is drawn to the other names of its concept, to the vector of
// the concept and to that of its contexts. It needs word vectors, and neither sentences nor labels.
type Task struct {
	contrastive.Static
	config   contrastive.Config
	settings Settings
	vectors  *wordvec.Vectors
	names    []text.Exemplar
	items    []conceptName // each name of each concept
	contexts [][]float32
	concepts map[kb.ConceptID][]float32
	members  map[kb.ConceptID][]int // positions among names

	order *contrastive.EpochOrder // of items
}

// conceptName is a name of a concept, given as a position.
type conceptName struct {
	concept kb.ConceptID
	name    int
}

// Settings are the settings of [Task] beside [Config]. Sections are those of the BNE paper.
type Settings struct {
	// NamesPerBatch is the number of names in a batch, at least 2, each with another name of its
	// concept if it has one. Default 64 (section 4).
	NamesPerBatch int `json:"names_per_batch"`

	// Epochs is the number of passes over all names, at least 1. Default 20: the paper stops
	// when a validation set gets no better, as the weights of the best validation are
	// kept here. [contrastive.Config.Steps] takes precedence.
	Epochs int `json:"epochs"`

	// CharacterDim is the length of a character's vector. Default 50 (section 4).
	CharacterDim int `json:"character_dim"`

	// HiddenDim is the number of states of each direction of both BiLSTMs. Default 200
	// (section 4).
	HiddenDim int `json:"hidden_dim"`

	// Dropout is the share of the inputs of the word BiLSTM that are left out in training, 0 to below 1.
	// Default .5 (section 4, which does not say of which layers; "the program" of the authors,
	// github.com/minhcp/BNE, has it there).
	Dropout float64 `json:"dropout"`

	// Tanh makes a vector tanh(W h_s + b), as the program does, and not W h_s + b, as section 3.2 says.
	// Default true: names of other concepts are told apart better.
	Tanh bool `json:"tanh"`

	// Targets are the vectors of contexts and concepts (section 3.2, "Choices of g(c) and q(x)"):
	// "words", option 2, the default, which needs vectors of words alone, or "tokens", option 1, of
	// vectors that were trained with tokens of names and concepts.
	Targets string `json:"targets"`

	// HardestNegatives takes, for each objective, the vector of the batch with the greatest dot product as the
	// negative of a name. Otherwise a random name of the batch is its negative. Default true: the paper samples
	// negatives "similar to" Wieting, Bansal, Gimpel & Livescu, TACL 2015, who take the most similar one.
	HardestNegatives bool `json:"hardest_negatives"`
}

// DefaultSettings returns the defaults that the comments of the fields state.
func DefaultSettings() Settings {
	return Settings{
		NamesPerBatch: 64, Epochs: 20, CharacterDim: 50, HiddenDim: 200, Dropout: .5, Tanh: true,
		Targets: WordTargets, HardestNegatives: true,
	}
}

// Config returns the configuration of BNE (section 4). The learning rate falls to 0 as for every
// recipe; the paper states none but that of Adam.
func Config() contrastive.Config {
	c := contrastive.NamesAloneConfig()
	c.LearningRate = .001
	c.WeightDecay = 0 // Adam, not AdamW
	c.ClipNorm = 5
	c.Pooling = contrastive.PoolMean           // a name is read without a sentence
	c.Precision = contrastive.PrecisionFloat32 // the BiLSTM has no other
	return c
}

// Validate returns a [*contrastive.FieldError] for the first field with an invalid value.
func (s Settings) Validate() error {
	switch {
	case s.NamesPerBatch < 2:
		return &contrastive.FieldError{Field: "names_per_batch", Value: s.NamesPerBatch, Want: "2 or more"}
	case s.Epochs < 1:
		return &contrastive.FieldError{Field: "epochs", Value: s.Epochs, Want: "1 or more"}
	case s.CharacterDim < 1:
		return &contrastive.FieldError{Field: "character_dim", Value: s.CharacterDim, Want: "1 or more"}
	case s.HiddenDim < 1:
		return &contrastive.FieldError{Field: "hidden_dim", Value: s.HiddenDim, Want: "1 or more"}
	case !(s.Dropout >= 0 && s.Dropout < 1): // true for NaN
		return &contrastive.FieldError{Field: "dropout", Value: s.Dropout, Want: "0 to below 1"}
	case s.Targets != WordTargets && s.Targets != TokenTargets:
		return &contrastive.FieldError{Field: "targets", Value: s.Targets, Want: `"words" or "tokens"`}
	}
	return nil
}

// Name implements [contrastive.Recipe].
func (*Settings) Name() string { return Name }

// Summary implements [contrastive.Recipe].
func (*Settings) Summary() string { return "names alone, by a BiLSTM on word vectors" }

// Config implements [contrastive.Recipe].
func (*Settings) Config() contrastive.Config { return Config() }

// Needs implements [contrastive.Recipe].
func (*Settings) Needs() contrastive.Needs {
	return contrastive.Needs{
		WordVectors: true, Validation: true,
		UnusedFields: []string{"max_tokens", "pooling", "mark_all", "freeze_embeddings", "precision"},
	}
}

// Linker implements [contrastive.Recipe]: the concept of the most similar name (section 4.3).
func (*Settings) Linker() string { return "nearest" }

// Settings implements [contrastive.Recipe].
func (s *Settings) Settings() []contrastive.Setting {
	return []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		{
			Flag: "names-per-batch", Field: "names_per_batch", Value: &s.NamesPerBatch,
			Usage: "number of names in a batch, at least 2, each with another name of its concept",
		},
		{
			Flag: "character-dim", Field: "character_dim", Value: &s.CharacterDim,
			Usage: "length of a character's vector",
		},
		{
			Flag: "hidden-dim", Field: "hidden_dim", Value: &s.HiddenDim,
			Usage: "number of states of each direction of a BiLSTM",
		},
		{
			Flag: "dropout", Field: "dropout", Value: &s.Dropout,
			Usage: "share of inputs that are left out in training, 0 to below 1",
		},
		{
			Flag: "tanh", Field: "tanh", Value: &s.Tanh,
			Usage: "bound the numbers of a vector by tanh",
		},
		{
			Flag: "targets", Field: "targets", Value: &s.Targets,
			Usage: "vectors of contexts and concepts: words (means of words), " +
				"or tokens (of word vectors with tokens of names and concepts)",
		},
		{
			Flag: "hardest-negatives", Field: "hardest_negatives", Value: &s.HardestNegatives,
			Usage: "take the most similar name of the batch as negative, and not a random one",
		},
	}
}

// New implements [contrastive.Recipe].
func (s *Settings) New(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
	if d.WordVectors == "" {
		return nil, &contrastive.FieldError{Field: "word_vectors", Value: "empty", Want: "a folder of word vectors"}
	}
	vectors, err := wordvec.Open(d.WordVectors)
	if err != nil {
		return nil, err
	}
	return New(c, *s, d.Names, d.Dictionary, vectors)
}

// New returns the task on the names of a dictionary. It returns an error if there are fewer than
// two concepts with names.
func New(c contrastive.Config, s Settings, names []text.Exemplar, dict *kb.Dictionary, vectors *wordvec.Vectors) (
	*Task, error,
) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	m := &Task{
		config: c, settings: s, vectors: vectors, names: names, concepts: make(map[kb.ConceptID][]float32),
	}
	m.members = contrastive.GroupByConcept(contrastive.Examples(names))
	if len(m.members) < 2 {
		return nil, fmt.Errorf("bne: names of %d concepts, want of at least 2", len(m.members))
	}
	targets := averagedTargets(vectors)
	if s.Targets == TokenTargets {
		targets = pretrainedTargets(vectors)
	}
	for i := range names {
		m.contexts = append(m.contexts, targets.Context(names[i].Surface()))
	}
	for _, id := range slices.Sorted(maps.Keys(m.members)) {
		for _, name := range m.members[id] {
			m.items = append(m.items, conceptName{id, name})
		}
		concept := dict.Lookup(id)
		if concept == nil {
			return nil, fmt.Errorf("bne: the names have concept %s, which is not in the dictionary", id)
		}
		m.concepts[id] = targets.Concept(concept)
	}
	m.order = contrastive.NewEpochOrder(c.Seed, "names", len(m.items), min(s.NamesPerBatch, len(m.items)), false)
	return m, nil
}

// Name implements [contrastive.Task].
func (*Task) Name() string { return Name }

// Config implements [contrastive.Task].
func (m *Task) Config() contrastive.Config { return m.config }

// Settings implements [contrastive.Task].
func (m *Task) Settings() any { return m.settings }

// RawVectors implements [contrastive.Task]: the loss is of dot products.
func (*Task) RawVectors() bool { return true }

// WriteData implements [contrastive.Task]. The word vectors are what training starts from, and are not written.
func (m *Task) WriteData(w io.Writer) { contrastive.WriteExemplars(w, m.names) }

// EncoderTask is a [contrastive.Task] that trains the name encoder of this package, and not a BERT.
type EncoderTask interface {
	contrastive.Task

	// NameEncoder returns the form of the encoder and the word vectors that it starts from.
	NameEncoder() (Architecture, *wordvec.Vectors)
}

// NameEncoder implements [EncoderTask].
func (m *Task) NameEncoder() (Architecture, *wordvec.Vectors) {
	surfaces := make([]string, len(m.names))
	for i := range m.names {
		surfaces[i] = m.names[i].Surface()
	}
	return Architecture{
		CharacterDim: m.settings.CharacterDim, Hidden: m.settings.HiddenDim,
		Dropout: m.settings.Dropout, Tanh: m.settings.Tanh,
		Characters: CharactersOf(surfaces),
	}, m.vectors
}

// Steps implements [contrastive.Task]. Names that do not fill the last batch of an epoch are left out of it.
func (m *Task) Steps() (total, epoch int) {
	return m.config.TotalSteps(m.settings.Epochs, m.order.BatchesPerEpoch()), 0
}

// Batch implements [contrastive.Task]. The names come first, then the other names of their concepts, for those
// that have one. Every epoch has its own order of names.
func (m *Task) Batch(step int) (*contrastive.Batch, error) {
	r := contrastive.NewRand(m.config.Seed, "bne", strconv.Itoa(step))
	loss := &nameLoss{hardest: m.settings.HardestNegatives}
	b := &contrastive.Batch{Names: true, Loss: loss}
	chosen := m.order.Batch(step)
	add := func(name int, concept kb.ConceptID) {
		exemplar := &m.names[name]
		b.Rows = append(b.Rows, contrastive.Row{
			Query: &exemplar.Query, Label: contrastive.Label{Concept: concept, Concepts: exemplar.Mention.Concepts},
		})
	}
	for _, i := range chosen {
		item := m.items[i]
		add(item.name, item.concept)
		loss.targets = append(loss.targets, nameTargets{
			synonym: none, context: widen(m.contexts[item.name]), concept: widen(m.concepts[item.concept]),
		})
	}
	for i, of := range chosen {
		item, t := m.items[of], &loss.targets[i]
		if others := m.members[item.concept]; len(others) > 1 {
			other := others[r.IntN(len(others)-1)]
			if other == item.name {
				other = others[len(others)-1]
			}
			t.synonym = len(b.Rows)
			add(other, item.concept)
		}
		for offset, start := 0, r.IntN(len(chosen)); offset < len(chosen); offset++ {
			j := (start + offset) % len(chosen)
			if _, negative := contrastive.ClassifyPair(b.Rows[i].Label, b.Rows[j].Label); negative {
				t.negatives = append(t.negatives, j)
			}
		}
	}
	return b, nil
}

// none is the position of a row that there is not.
const none = -1

// nameTargets are the positives of a name, a row of a batch, and the rows that its negatives are of.
type nameTargets struct {
	synonym   int       // row of another name of its concept, or none
	negatives []int     // rows of names that may not mean its concept, from a random one on
	context   []float64 // q(s); nil for none
	concept   []float64 // g(c); nil for none
}

// nameLoss is the loss of [logisticLoss] for the three objectives, summed (equation 6), as the mean over
// the names of a batch, which are its first rows. A name without a negative, a synonym or a vector of
// its context or concept has no part in the objectives that need it.
type nameLoss struct {
	targets []nameTargets
	hardest bool // the negative is the one with the greatest dot product, else the first
}

// negative returns the row of the negative of a name for an objective, in which a row has the vector
// vectorOf(row), or none.
func (l *nameLoss) negative(name int, vector []float64, vectorOf func(row int) []float64) int {
	chosen, greatest := none, math.Inf(-1)
	for _, row := range l.targets[name].negatives {
		other := vectorOf(row)
		if other == nil {
			continue
		}
		if !l.hardest {
			return row
		}
		if product := floats.Dot(vector, other); chosen == none || product > greatest {
			chosen, greatest = row, product
		}
	}
	return chosen
}

// Evaluate implements [contrastive.Loss].
func (l *nameLoss) Evaluate(v contrastive.Vectors) (contrastive.LossValue, error) {
	value := contrastive.LossValue{Rows: make([]float64, len(v.Rows))}
	if len(l.targets) == 0 {
		return value, nil
	}
	weight := 1 / float64(len(l.targets))
	add := func(row int, gradient []float64) {
		for k, g := range gradient {
			value.Rows[row*v.Dim+k] += weight * g
		}
	}
	// objective adds the loss of the names that have a positive and a negative, and the gradients by their
	// vectors. It returns those names, their negatives and all gradients.
	objective := func(positive, vectorOf func(row int) []float64) (
		names, negatives []int, gradients []gradient, err error,
	) {
		var examples []example
		for i := range l.targets {
			p, n := positive(i), l.negative(i, v.Row(i), vectorOf)
			if p == nil || n == none {
				continue
			}
			names, negatives = append(names, i), append(negatives, n)
			examples = append(examples, example{Vector: v.Row(i), Positive: p, Negative: vectorOf(n)})
		}
		loss, gradients, err := logisticLoss(examples)
		if err != nil {
			return nil, nil, nil, err
		}
		value.Loss += weight * loss
		for i, row := range names {
			add(row, gradients[i].Vector)
		}
		return names, negatives, gradients, nil
	}
	for _, vectorOf := range []func(int) []float64{
		func(row int) []float64 { return l.targets[row].context },
		func(row int) []float64 { return l.targets[row].concept },
	} {
		if _, _, _, err := objective(vectorOf, vectorOf); err != nil {
			return contrastive.LossValue{}, err
		}
	}
	synonym := func(row int) []float64 {
		if l.targets[row].synonym == none {
			return nil
		}
		return v.Row(l.targets[row].synonym)
	}
	names, negatives, gradients, err := objective(synonym, v.Row)
	if err != nil {
		return contrastive.LossValue{}, err
	}
	for i, row := range names {
		add(l.targets[row].synonym, gradients[i].Positive)
		add(negatives[i], gradients[i].Negative)
	}
	return value, nil
}

// widen returns the numbers of x, nil for nil.
func widen(x []float32) []float64 {
	if x == nil {
		return nil
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}
