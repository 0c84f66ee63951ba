package encoder

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// backend computes a network with fixed weights. It is safe for concurrent use.
type backend interface {
	// Batches splits inputs into batches for the workers and returns the positions of each batch's inputs.
	Batches(inputs []tokenizer.Input, workers int) [][]int
	// Vectors returns a vector of unit length for each span of a batch, row-major.
	Vectors(inputs []*tokenizer.Input, spans []bert.PooledSpan) ([]float32, error)
	Close() error
}

// Check returns an error if this build or this machine does not support o.
func (o Options) Check() error {
	_, err := parseBackend(o)
	return err
}

// Validate returns a [*files.OptionError] for the first field with an impossible value. Unlike Check it ignores what
// this machine and this build support.
func (o Options) Validate() error {
	precisions := []contrastive.Precision{"", contrastive.PrecisionAuto, contrastive.PrecisionFloat32,
		contrastive.PrecisionBFloat16, contrastive.PrecisionInt8}
	return cmp.Or(
		files.CheckOption(o.Device == "" || o.Device == "cpu" || o.Device == "cuda", "Device", o.Device, "cpu or cuda"),
		files.CheckOption(slices.Contains(precisions, o.Precision), "Precision", o.Precision,
			"auto, float32, bfloat16 or int8"),
		files.CheckOption(o.Workers >= 0, "Workers", o.Workers, "0 (all cores) or more"),
	)
}

// computation tells how an encoder computes.
type computation struct {
	workers int
	// open sets the backend of e, whose tokenizer is open.
	open func(e *Encoder, dir string) error
}

// parsePrecision returns how to compute on a CPU in Go with the precision of o. It returns an error if the processor
// does not support the precision.
func parsePrecision(o Options) (none computation, err error) {
	set := kernels.Best()
	switch o.Precision {
	case "", contrastive.PrecisionAuto:
		if rounding := kernels.BFloat16(); rounding != nil {
			set = rounding
		}
	case contrastive.PrecisionFloat32:
	case contrastive.PrecisionBFloat16:
		if set = kernels.BFloat16(); set == nil {
			return none, errors.New("precision bfloat16: this processor has no AVX512-BF16; want float32, or auto")
		}
	case contrastive.PrecisionInt8:
		if set = kernels.Int8(); set == nil {
			return none, errors.New("precision int8: this processor has no AVX-512 VNNI, AVX-VNNI or Arm dot products; " +
				"want float32, or auto")
		}
	default:
		return none, fmt.Errorf(`precision %q, want "auto", "float32", "bfloat16" or "int8"`, string(o.Precision))
	}
	return computation{o.Workers, func(e *Encoder, dir string) error {
		return e.openInGo(dir, set, o.Precision == contrastive.PrecisionInt8)
	}}, nil
}

// openInGo opens a backend that computes in Go with the given set of kernels.
func (e *Encoder) openInGo(dir string, set *kernels.Set, int8 bool) error {
	c, err := bert.ReadCheckpoint(dir, e.tokenizer.Size(), untrainedSeed)
	if err != nil {
		return err
	}
	if !int8 {
		e.backend = bert.NewPacked(c, set)
		return nil
	}
	samples := make([]tokenizer.Input, len(sampleSentences))
	maxTokens := max(tokenizer.MinTokens, int(c.Config.Positions))
	for i, sentence := range sampleSentences {
		query := text.NameExemplar(sentence).Query
		if samples[i], err = e.tokenizer.EncodeUnmarked(&query, maxTokens); err != nil {
			return errors.Join(err, c.Close())
		}
	}
	network, err := bert.NewPackedInt8(c, set, samples)
	if err == nil {
		e.backend = network
	}
	return err
}

// sampleSentences show the magnitudes of a network's hidden states: see [bert.NewPackedInt8].
var sampleSentences = []string{
	"Patients with type 2 diabetes mellitus and chronic kidney disease were randomized to receive 10 mg of the drug " +
		"or placebo.",
	"We report a 54-year-old woman who presented with fever, dyspnea and bilateral pulmonary infiltrates after " +
		"chemotherapy.",
	"Mutations in BRCA1 and TP53 were associated with an increased risk of breast and ovarian cancer (OR 2.3, " +
		"95% CI 1.4-3.8).",
	"In conclusion, early treatment reduced mortality, but adverse events such as nausea and headache were more " +
		"frequent.",
}
