package contrastive

import (
	"context"
	"io"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// BioCoMName is the name of the recipe of [NewBioCoM].
const BioCoMName = "biocom"

// Task is a recipe with its data: it determines which texts a step encodes and the loss of their vectors. [Recipe].New
// makes it. The trainer is the same for every task: optimizer, checkpoints, validation and log.
//
// All samples of a task are a function of its settings, its data, the number of the step and, with Resample, the
// encoder at the start of the epoch, so a training that was stopped resumes with the same weights. Batch is called by
// one goroutine at a time, never while Resample runs.
type Task interface {
	// Describe returns the plan of the task, which is known before it starts.
	Describe() *Plan

	// WriteData writes all data that the task reads in training. Training resumes only with equal data, compared by a
	// hash of the output.
	WriteData(w io.Writer)

	// Resample draws the samples of an epoch, counted from 0, with the current encoder.
	Resample(ctx context.Context, epoch int, encode Encode) error

	// Batch returns the batch of a step, counted from 0 over all epochs.
	Batch(step int) (*Batch, error)
}

// Plan describes a [Task] before it starts. A task embeds it.
type Plan struct {
	Recipe string // the name of the recipe: "biocom"
	Config Config // of the training

	// Settings are the settings apart from Config, or nil. They are written as JSON into checkpoints and the manifest
	// of the model. Training resumes only with equal settings.
	Settings any

	// Steps is the number of steps of the whole training, above 0, and EpochSteps that of an epoch. Resample is called
	// before the first step of each epoch; never if EpochSteps is 0.
	Steps, EpochSteps int

	// Parameters are the trained numbers outside the encoder, such as a weight in the loss. Checkpoints contain them,
	// and the summary contains their values after training.
	Parameters []Parameter

	// RawVectors makes the loss and Resample use the vectors as the encoder pools them. Otherwise vectors are scaled to
	// unit length, as in the index.
	RawVectors bool
}

// Describe implements [Task].
func (p *Plan) Describe() *Plan { return p }

// Resample implements [Task] for tasks with samples that do not depend on the encoder.
func (*Plan) Resample(context.Context, int, Encode) error { return nil }

// Encode returns the vectors of queries, row-major, and their length. It uses the weights of the current step, before
// any interpolation with the base model.
type Encode func(queries []*text.Query) (vectors []float32, dim int, err error)

// Batch holds the rows that a step encodes, and the loss of their vectors.
type Batch struct {
	Names bool // bare names, not contexts
	Rows  []Row
	Loss  Loss
}

// Row is a mention, possibly a bare name, to encode. Equal texts are encoded once.
type Row struct {
	Query *text.Query
	Label Label
}

// RowOf returns the row of an exemplar that was sampled for a concept. If concept is "", its label is [LabelOf] its
// concepts.
func RowOf(e *text.Exemplar, concept kb.ConceptID) Row {
	label := LabelOf(e.Mention.Concepts)
	if concept != "" {
		label.Concept = concept
	}
	return Row{&e.Query, label}
}

// Loss is the loss of a batch.
//
// The other marked mentions of the rows' sentences, if their concepts are known, are encoded as further rows, in the
// order of the sentences. A loss may ignore them.
type Loss interface {
	Evaluate(v Vectors) (LossValue, error)
}

// Vectors are the encoded rows of a batch.
type Vectors struct {
	Rows       []float64 // len(Labels)*Dim, row-major
	Dim        int
	Labels     []Label   // for each row
	Parameters []float64 // the current values of [Plan].Parameters
}

// Row returns the vector of a row.
func (v *Vectors) Row(i int) []float64 { return v.Rows[i*v.Dim : (i+1)*v.Dim] }

// Convert returns the numbers in another precision, or nil for nil.
func Convert[To, From float32 | float64](x []From) (y []To) {
	for _, v := range x {
		y = append(y, To(v))
	}
	return y
}

// LossValue is the value of a loss, with its gradients.
type LossValue struct {
	Loss       float64
	Rows       []float64 // the gradient with respect to Vectors.Rows
	Parameters []float64 // the gradient with respect to Vectors.Parameters; nil if there are none
}

// Parameter is a trained number outside the encoder. AdamW trains it without weight decay.
type Parameter struct {
	Name    string  `json:"name"`
	Initial float64 `json:"initial"`
	// LearningRate is the same at every step, while the learning rate of the encoder changes.
	LearningRate float64 `json:"learning_rate"`
}
