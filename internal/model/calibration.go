package model

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/dot"
)

// Calibration holds the ranking weights learned for a model and how well they performed. It is the content of
// calibration.json. The zero value stands for a model that was not calibrated.
type Calibration struct {
	// Weights holds the weight of each ranking feature by the feature's name; nil if the model was not calibrated.
	Weights map[string]float64 `json:"weights"`
	// SenseWeights holds the weight of each feature that ranks the senses of a short form; nil if none were learned.
	SenseWeights map[string]float64 `json:"sense_weights,omitempty"`
	Senses       *SenseCalibration  `json:"senses,omitempty"` // how well SenseWeights performed; nil without them
	// FitWeights holds the weight of each feature of the context of a one-word mention; nil if none were learned.
	FitWeights map[string]float64 `json:"fit_weights,omitempty"`
	// LongForms corrects the probability of NIL for long forms that are not names; nil if it was not learned.
	LongForms *LongFormCalibration `json:"long_forms,omitempty"`
	Source    string               `json:"source,omitempty"` // the kind of training set, e.g. "annotated mentions"
	Queries   int                  `json:"queries"`          // in the training set
	Found     int                  `json:"found"`            // queries that have their gold concept among the candidates
	Acc1      float64              `json:"acc1"`             // share of Found ranked first by Weights
	// Abstention is the trade-off between answering and abstaining; nil if there were no queries.
	Abstention *Abstention `json:"abstention,omitempty"`
	// MinProbability is the default threshold below which a linker answers NIL: Abstention's
	// [Abstention.BestThreshold]. Without Abstention it is 0, which rejects nothing.
	MinProbability float64 `json:"min_probability"`
	// WithoutEncoder is the calibration of [Model.WithoutEncoder]; nil for a model without an encoder.
	WithoutEncoder *Calibration `json:"without_encoder,omitempty"`
	// Cascade decides which mentions need no encoder; nil if it was not learned.
	Cascade *CascadeCalibration `json:"cascade,omitempty"`
}

// CascadeCalibration decides for which mentions the model without its encoder gives the same answer as the whole model:
// those for which the probability of the first candidate without the encoder lies outside the bounds of a row. Its rows
// count how many mentions in a sample of documents do.
type CascadeCalibration struct {
	Mentions int          `json:"mentions"` // in the sample
	Rows     []CascadeRow `json:"rows"`     // by ascending Budget
}

// CascadeRow holds the bounds for one share of answers that may be lost.
type CascadeRow struct {
	// share of all answers that may be lost; NIL in place of a concept loses the probability of the concept
	Budget float64 `json:"budget"`
	// at or below this probability that the first candidate or NIL is right, the answer is settled as NIL
	Low     float64 `json:"low"`
	High    float64 `json:"high"`    // at or above this probability, the answer is settled as the first candidate
	Settled int     `json:"settled"` // mentions of the sample outside the bounds
	Changed int     `json:"changed"` // the ones among Settled that the whole model answers differently
}

// Within returns the row with the largest budget that is at most budget, and false if there is none.
func (c *CascadeCalibration) Within(budget float64) (row CascadeRow, ok bool) {
	if c == nil {
		return row, false
	}
	for _, next := range c.Rows {
		if next.Budget <= budget {
			row, ok = next, true
		}
	}
	return row, ok
}

// LongFormCalibration corrects the probability p of NIL for a long form that is not a name in the dictionary. The
// log-odds of NIL become Slope * ln(p / (1-p)) + Likeness * l + Intercept, where l is 10 times the mean cosine of the
// long form and the names of the dictionary by latent semantic analysis, see [Model.NameLikeness].
type LongFormCalibration struct {
	Slope     float64 `json:"slope"`
	Likeness  float64 `json:"likeness"`
	Intercept float64 `json:"intercept"`
	Queries   int     `json:"queries"` // long forms that it was learned from
}

// Correct returns the corrected probability of NIL. A nil calibration leaves it unchanged.
func (c *LongFormCalibration) Correct(p, likeness float64) float64 {
	if c == nil || p <= 0 || p >= 1 {
		return p
	}
	return dot.Sigmoid(c.Slope*math.Log(p/(1-p)) + c.Likeness*likeness + c.Intercept)
}

// SenseCalibration counts the contexts, with their definitions hidden, that sense weights are learned from, and how
// many of them the weights get right.
type SenseCalibration struct {
	Queries      int `json:"queries"`
	Correct      int `json:"right"`         // by the weights learned
	MostFrequent int `json:"most_frequent"` // correct if each form always has its most frequent sense
}

// Abstention counts, at each minimum probability, how many queries of a calibration are answered, how many of the
// answers are correct, and how many NIL queries are not answered. It is measured on a model with a tenth of the
// concepts held out, so some of the queries are NIL.
type Abstention struct {
	Queries int            `json:"queries"`
	NIL     int            `json:"nil"`  // queries whose gold concepts are held out
	Rows    []ThresholdRow `json:"rows"` // by ascending MinProbability
}

// ThresholdRow counts the queries that are answered at one minimum probability.
type ThresholdRow struct {
	MinProbability float64 `json:"min_probability"`
	// queries whose first candidate has at least this probability
	Answered   int `json:"answered"`
	Correct    int `json:"right"`       // answers with a gold concept first
	NILCorrect int `json:"nil_correct"` // NIL queries that are not answered
}

// minAbstentionQueries is the smallest number of queries from which a threshold is chosen. With fewer, a single query
// could change it.
const minAbstentionQueries = 20

// maxLost is the share of the right answers that a threshold may lose on the queries of a calibration.
const maxLost = .01

// leastThreshold is the threshold that is not halved further, because less probable candidates are hardly ever right.
const leastThreshold = .05

// BestThreshold returns half of the highest minimum probability that loses at most 1 % of the answers that are right
// without a threshold, or .05 if that is more and within the same limit. So a text whose concepts are all in the
// dictionary is linked nearly as well as without a threshold. It is halved because real mentions are harder than
// held-out names: on three dev sets half of it costs 0 to .006 of all mentions, and all of it .011 to .024. The
// threshold that maximizes the correct results with a tenth of the concepts held out costs .05 to .07 there, and nobody
// knows in advance how many concepts of a text the dictionary lacks.
//
// It returns 0 for a nil Abstention, for fewer than 20 queries, and for rows without NILCorrect,
// since Correct does not rise with the threshold.
func (a *Abstention) BestThreshold() float64 {
	if a == nil || a.Queries < minAbstentionQueries || len(a.Rows) == 0 {
		return 0
	}
	best := a.Rows[0]
	for _, row := range a.Rows[1:] {
		if float64(row.Correct) >= (1-maxLost)*float64(a.Rows[0].Correct) && row.NILCorrect > best.NILCorrect {
			best = row
		}
	}
	return min(best.MinProbability, max(best.MinProbability/2, leastThreshold))
}

// likelyThreshold is the threshold of cells where the calibration has too few queries to choose one.
const likelyThreshold = .5

// CellThreshold returns the minimum probability of a first candidate for a mention that is a whole text, as the
// held-out names of the calibration are. It is the lowest threshold at which the number of right answers minus wrong
// ones is within .5 % of the queries of its maximum. Below it answers are more often wrong than right.
func (c *Calibration) CellThreshold() float64 {
	a := c.Abstention
	if a == nil || a.Queries < minAbstentionQueries || len(a.Rows) == 0 {
		return likelyThreshold
	}
	gain := func(row ThresholdRow) int { return 2*row.Correct - row.Answered }
	most := gain(slices.MaxFunc(a.Rows, func(x, y ThresholdRow) int { return gain(x) - gain(y) }))
	i := slices.IndexFunc(a.Rows, func(row ThresholdRow) bool { return float64(most-gain(row)) <= .005*float64(a.Queries) })
	return a.Rows[i].MinProbability
}

// Threshold returns the minimum probability of a first candidate for texts in which the dictionary has the concepts of
// the given share of mentions, see [Abstention.thresholdFor]. For a coverage of 0, which means unknown, it returns the
// default threshold. It returns an error if the calibration has too few queries to choose one.
func (c *Calibration) Threshold(coverage float64) (minProbability float64, err error) {
	if coverage == 0 {
		return c.MinProbability, nil
	}
	minProbability, ok := c.Abstention.thresholdFor(coverage)
	if !ok {
		return 0, errors.New("the model was calibrated on too few mentions to choose a threshold")
	}
	return minProbability, nil
}

// thresholdFor returns the minimum probability with the most correct results on texts in which the dictionary has the
// concepts of the given share of mentions, 0 to 1. Correct results are correct links of these mentions and NIL for the
// others, at the rates counted with a tenth of the concepts held out. If several thresholds are equal, it returns the
// lowest. It reports false for a nil Abstention and if there are fewer than 10 queries of either kind.
func (a *Abstention) thresholdFor(coverage float64) (minProbability float64, ok bool) {
	if a == nil || len(a.Rows) == 0 || min(a.NIL, a.Queries-a.NIL) < minAbstentionQueries/2 {
		return 0, false
	}
	best := -1.
	for _, row := range a.Rows {
		linked, left := float64(row.Correct)/float64(a.Queries-a.NIL), float64(row.NILCorrect)/float64(a.NIL)
		if correct := coverage*linked + (1-coverage)*left; correct > best {
			best, minProbability = correct, row.MinProbability
		}
	}
	return minProbability, true
}

// At returns the row of the highest threshold that is at most minProbability, or the first row if there is none.
func (a *Abstention) At(minProbability float64) ThresholdRow {
	row := a.Rows[0]
	for _, next := range a.Rows[1:] {
		if next.MinProbability <= minProbability {
			row = next
		}
	}
	return row
}

// WriteCalibration replaces the calibration of the model in m.Dir and updates the manifest. It replaces the folder in
// one step by one with the same other files. It refuses a folder that holds files of others, see [CheckTarget].
func (m *Model) WriteCalibration(c *Calibration) error {
	// Keep the digests of the other files: a damaged file must not pass for intact.
	manifest := *m.Manifest
	manifest.Files = maps.Clone(manifest.Files)
	check := func(dir string) error { return artifact.CheckReplaceable(dir, m.Manifest.owned()) }
	err := artifact.ReplaceFolder(m.Dir, check, func(dir string) (err error) {
		for name := range m.Manifest.Files {
			if name == CalibrationFile {
				continue
			}
			if err := artifact.LinkFile(pathIn(dir, name), m.path(name)); err != nil {
				return err
			}
		}
		if err := c.write(dir); err != nil {
			return err
		}
		if manifest.Files[CalibrationFile], err = artifact.DigestFile(pathIn(dir, CalibrationFile)); err != nil {
			return err
		}
		return artifact.WriteCheckedJSON(pathIn(dir, manifestFile), &manifest)
	})
	if err == nil {
		m.Calibration, m.Manifest = c, &manifest
	}
	return err
}

// write writes calibration.json into the model folder dir.
func (c *Calibration) write(dir string) error {
	return artifact.WriteJSON(filepath.Join(dir, CalibrationFile), c)
}

// readCalibration reads calibration.json. It returns the zero Calibration if the manifest does not list that file.
func readCalibration(m *Model) (*Calibration, error) {
	c, err := openListed(m, CalibrationFile, func(path string) (*Calibration, error) {
		c := new(Calibration)
		err := cmp.Or(artifact.ReadJSON(path, c), c.check(path))
		if c.Weights == nil {
			c.Weights = map[string]float64{} // nil would stand for a model that was not calibrated
		}
		return c, err
	})
	return cmp.Or(c, new(Calibration)), err
}

// check returns a [*files.DamagedError] for impossible numbers. path is the file's.
func (c *Calibration) check(path string) error {
	if c.MinProbability < 0 || c.MinProbability > 1 {
		return artifact.Damaged(path, "min_probability is %g, want 0 to 1", c.MinProbability)
	}
	if a := c.Abstention; a != nil {
		if len(a.Rows) == 0 {
			return artifact.Damaged(path, "abstention has no rows")
		}
		if !slices.IsSortedFunc(a.Rows, func(a, b ThresholdRow) int {
			return cmp.Compare(a.MinProbability, b.MinProbability)
		}) {
			return artifact.Damaged(path, "the rows of abstention do not ascend by min_probability")
		}
		counts := [][2]int{{a.Queries, a.NIL}} // pairs of a count and a count of a subset
		for _, row := range a.Rows {
			counts = append(counts, [2]int{a.Queries, row.Answered}, [2]int{row.Answered, row.Correct},
				[2]int{a.NIL, row.NILCorrect})
		}
		if slices.ContainsFunc(counts, func(c [2]int) bool { return c[1] < 0 || c[1] > c[0] }) {
			return artifact.Damaged(path, "abstention counts more queries than there are")
		}
	}
	if c.WithoutEncoder != nil {
		return c.WithoutEncoder.check(path)
	}
	return nil
}
