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

// Calibration holds the ranking weights that were learned for a model and how well they
// did: calibration.json. The zero value stands for a model that was not calibrated.
type Calibration struct {
	// Weights holds the weight of each ranking feature by the feature's name; nil if the model was not calibrated.
	Weights map[string]float64 `json:"weights"`
	// SenseWeights holds the weight of each feature of the senses of a short form; nil if none were learned.
	SenseWeights map[string]float64 `json:"sense_weights,omitempty"`
	Senses       *SenseCalibration  `json:"senses,omitempty"` // how well they do; nil without them
	// FitWeights holds the weight of each feature of the context of a mention of one word; nil if none were learned.
	FitWeights map[string]float64 `json:"fit_weights,omitempty"`
	// LongForms corrects the probability of NIL for long forms that are no names; nil if it was not learned.
	LongForms *LongFormCalibration `json:"long_forms,omitempty"`
	Source    string               `json:"source,omitempty"` // the kind of training set, e.g. "annotated mentions"
	Queries   int                  `json:"queries"`          // in the training set
	Found     int                  `json:"found"`            // queries whose gold concept is among the candidates
	Acc1      float64              `json:"acc1"`             // share of Found ranked first by Weights
	// Abstention is the trade-off between answering and abstaining; nil if there were no queries.
	Abstention *Abstention `json:"abstention,omitempty"`
	// MinProbability is the default threshold below which a linker answers NIL: Abstention's
	// [Abstention.BestThreshold]. 0, which rejects nothing, without Abstention.
	MinProbability float64 `json:"min_probability"`
	// WithoutEncoder is the calibration of [Model.WithoutEncoder]; nil for a model without an encoder.
	WithoutEncoder *Calibration `json:"without_encoder,omitempty"`
	// Cascade says which mentions need no encoder; nil if it was not learned.
	Cascade *CascadeCalibration `json:"cascade,omitempty"`
}

// CascadeCalibration says which mentions the model without its encoder answers as the whole
// model does: those whose first candidate has a probability without the encoder outside the
// bounds of a row. It counts how many of a sample of mentions in documents that are.
type CascadeCalibration struct {
	Mentions int          `json:"mentions"` // in the sample
	Rows     []CascadeRow `json:"rows"`     // by ascending Budget
}

// CascadeRow holds the bounds for one share of answers that may be lost.
type CascadeRow struct {
	// share of all answers that may be lost: NIL instead of a concept loses as much as the concept is probable
	Budget float64 `json:"budget"`
	// as low a probability, if the first candidate or NIL is right, settles that the answer is NIL
	Low     float64 `json:"low"`
	High    float64 `json:"high"`    // as high a probability settles that the answer is the first candidate
	Settled int     `json:"settled"` // mentions of the sample outside the bounds
	Changed int     `json:"changed"` // of Settled, those that the whole model answers otherwise
}

// Within returns the row with the largest budget that is at most budget. It reports false if there is none.
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

// LongFormCalibration corrects the probability p of NIL for a long form that is no name of the dictionary: the log-odds
// of NIL are Slope * ln(p / (1-p)) + Likeness * l + Intercept, where l is 10 times the mean cosine of the long form and
// the names of the dictionary by latent semantic analysis, see [Model.NameLikeness].
type LongFormCalibration struct {
	Slope     float64 `json:"slope"`
	Likeness  float64 `json:"likeness"`
	Intercept float64 `json:"intercept"`
	Queries   int     `json:"queries"` // long forms that it was learned from
}

// Correct returns the corrected probability of NIL. A nil calibration corrects nothing.
func (c *LongFormCalibration) Correct(p, likeness float64) float64 {
	if c == nil || p <= 0 || p >= 1 {
		return p
	}
	return dot.Sigmoid(c.Slope*math.Log(p/(1-p)) + c.Likeness*likeness + c.Intercept)
}

// SenseCalibration counts on how many of the contexts that sense weights are learned from
// they are right, with the definition hidden.
type SenseCalibration struct {
	Queries      int `json:"queries"`
	Correct      int `json:"right"`         // by the weights learned
	MostFrequent int `json:"most_frequent"` // right with the most frequent sense of each form
}

// Abstention counts, at each minimum probability, how many queries of a calibration are answered, how many of the
// answers are correct, and how many NIL queries are not answered. It is measured on a model from which a tenth of the
// concepts is held out, so some of the queries are NIL. Each query is ranked by weights that were learned without its
// cross-validation fold.
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
	Correct    int `json:"right"`       // of Answered, with a gold concept first
	NILCorrect int `json:"nil_correct"` // NIL queries that are not answered
}

// minAbstentionQueries is the number of queries below which no threshold is chosen: a
// query more or less would change it.
const minAbstentionQueries = 20

// maxLost is the share of the right answers that a threshold may cost on the queries of a calibration.
const maxLost = .01

// leastThreshold is the threshold that is not halved any more: what is less probable is hardly ever right.
const leastThreshold = .05

// BestThreshold returns half of the highest minimum probability at which at most 1 % of the answers are lost
// that are right without a threshold, or .05 if that is more and costs no more, so that a text whose concepts are
// all in the dictionary is linked nearly as well as without one. The other half is for mentions that are harder
// than held-out names: on three dev sets it costs 0 to .006 of all mentions, and the whole .011 to .024. The
// threshold that maximizes the correct results with a tenth of the concepts held out costs .05 to .07 there: how
// many concepts of a text the dictionary lacks is not known.
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

// CellThreshold returns the minimum probability of a first candidate for a mention that is its whole text, as the held-out
// names of the calibration are: the lowest at which right answers outnumber wrong ones by as many as at any other, to
// .5 % of the queries. Below it answers are more often wrong than right.
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

// Threshold returns the minimum probability of a first candidate for texts of whose mentions the dictionary has the
// concept of the given share, see [Abstention.thresholdFor]: the default threshold for the share 0, which says nothing
// of it. The error is that of a calibration that does not tell.
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

// thresholdFor returns the minimum probability with the most correct results on texts of whose mentions the dictionary
// has the concept of the given share, 0 to 1: correct links of these mentions, and NIL for the others. How often either
// is correct at a threshold is what was counted with a tenth of the concepts held out. Of equal thresholds it returns
// the lowest. It reports false for a nil Abstention and if the queries of either kind are fewer than 10.
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

// WriteCalibration replaces the calibration of the model in m.Dir, and the manifest with it: it replaces the folder in
// one step by one with the same other files. It refuses a folder with files that are not a model's, see [CheckTarget].
func (m *Model) WriteCalibration(c *Calibration) error {
	// The digests of the other files stay: a file that is damaged must not pass for whole.
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

// readCalibration reads calibration.json of the model in dir. It returns the zero
// Calibration if the manifest does not list that file.
func readCalibration(dir string, m *Manifest) (*Calibration, error) {
	c := new(Calibration)
	if _, listed := m.Files[CalibrationFile]; !listed {
		return c, nil
	}
	err := m.checkFile(dir, CalibrationFile)
	if err == nil {
		err = artifact.ReadJSON(pathIn(dir, CalibrationFile), c)
	}
	if err == nil {
		err = c.check(pathIn(dir, CalibrationFile))
	}
	if err != nil {
		return nil, err
	}
	if c.Weights == nil {
		c.Weights = map[string]float64{} // not nil, which stands for a model that was not calibrated
	}
	return c, nil
}

// check returns a [*files.DamagedError] for numbers that no calibration has. path is that of the file.
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
		counts := [][2]int{{a.Queries, a.NIL}} // each with one that is a part of it
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
