package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/knnindex"
)

// Tolerances in float32. Sums of 384 numbers in another order differ by 1e-6 of their size; twelve layers and the
// squares of the softmax make that 1e-5 in a vector. Training multiplies it: a batch's hard pairs are those beyond a
// bound, and a pair at the bound may be on either side.
const (
	firstLossLimit = 1e-4 // relative, before any update
	lossLimit      = .05  // relative, of the mean of all steps
	encodedLimit   = 1e-5 // 1 - cosine, of the worst of all names
	trainedLimit   = .01  // 1 - cosine, mean of all names
	answersLimit   = .005 // share of the mentions with another first candidate
	probLimit      = .01  // mean difference of their probabilities
)

// check is a difference and the largest that passes.
type check struct {
	what       string
	got, limit float64
}

// ok is false for NaN.
func (c check) ok() bool { return c.got <= c.limit }

// compare returns the differences of two runs. What has another number of steps, names or mentions is as far apart as
// can be.
func compare(a, b *run) []check {
	first, all := lossDifference(a.losses, b.losses)
	worst, _ := distances(a.encodedNames, b.encodedNames)
	_, mean := distances(a.vectors, b.vectors)
	other, probability := answerDifference(a.answers, b.answers)
	return []check{
		{"loss of the first step, relative", first, firstLossLimit},
		{"mean loss of training, relative", all, lossLimit},
		{"names by the base model: largest 1 - cosine", worst, encodedLimit},
		{"names by the trained encoder: mean 1 - cosine", mean, trainedLimit},
		{"mentions with another first candidate, share", other, answersLimit},
		{"probability of the first candidate, mean", probability, probLimit},
	}
}

// lossDifference returns the relative difference of the first losses and of the means.
func lossDifference(a, b []float64) (first, mean float64) {
	if len(a) == 0 || len(a) != len(b) {
		return math.Inf(1), math.Inf(1)
	}
	relative := func(x, y float64) float64 { return math.Abs(x-y) / max(math.Abs(x), 1e-12) }
	var sums [2]float64
	for i := range a {
		sums[0] += a[i]
		sums[1] += b[i]
	}
	return relative(a[0], b[0]), relative(sums[0], sums[1])
}

// matrix holds vectors, one a row.
type matrix struct {
	rows, dim int
	data      []float32
}

// distances returns the largest and the mean 1 - cosine of the rows of two matrices. Rows of zeros, which stand for
// what the encoder cannot read, are equal to each other and orthogonal to others.
func distances(a, b *matrix) (worst, mean float64) {
	if a.rows == 0 || a.rows != b.rows || a.dim != b.dim {
		return math.Inf(1), math.Inf(1)
	}
	var sum float64
	for i := range a.rows {
		var ab, aa, bb float64
		for j := i * a.dim; j < (i+1)*a.dim; j++ {
			x, y := float64(a.data[j]), float64(b.data[j])
			ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
		}
		d := 1 - ab/math.Sqrt(aa*bb)
		switch {
		case aa == 0 && bb == 0:
			d = 0
		case aa == 0 || bb == 0:
			d = 1
		}
		if math.IsNaN(d) {
			return d, d
		}
		worst, sum = max(worst, d), sum+d
	}
	return worst, sum / float64(a.rows)
}

// answer is the first candidate of a mention; the zero ID is NIL.
type answer struct {
	mention     string // its document and span
	id          string
	probability float64
}

// answerDifference returns the share of the mentions whose first candidates differ, and the mean difference of the
// probabilities.
func answerDifference(a, b []answer) (other, probability float64) {
	if len(a) == 0 || len(a) != len(b) {
		return math.Inf(1), math.Inf(1)
	}
	for i := range a {
		if a[i].mention != b[i].mention || a[i].id != b[i].id {
			other++
		}
		probability += math.Abs(a[i].probability - b[i].probability)
	}
	return other / float64(len(a)), probability / float64(len(a))
}

// readLosses returns the loss of each step, and the median rate of the steps after the first five, in sentences a
// second.
func readLosses(path string) (losses []float64, rate float64, err error) {
	entries, err := contrastive.ReadTrainingLog(path)
	if err != nil {
		return nil, 0, err
	}
	var rates []float64
	for i, e := range entries {
		losses = append(losses, e.Loss)
		if i >= min(5, len(entries)-1) {
			rates = append(rates, e.SentencesPerSecond)
		}
	}
	if len(rates) == 0 {
		return nil, 0, fmt.Errorf("%s: has no steps", path)
	}
	slices.Sort(rates)
	return losses, rates[len(rates)/2], nil
}

// readMatrix reads a .npy file of vectors.
func readMatrix(path string) (*matrix, error) {
	v, err := knnindex.OpenNPY(path)
	if err != nil {
		return nil, err
	}
	return &matrix{v.Len(), v.Dim, slices.Clone(v.Data)}, v.Close()
}

// readAnswers reads the output of link.
func readAnswers(path string) ([]answer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var answers []answer
	for line := range strings.Lines(string(data)) {
		var record struct {
			ID       string
			Mentions []struct {
				Start, End int
				Candidates []struct {
					ID          string
					Probability float64
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, m := range record.Mentions {
			a := answer{mention: fmt.Sprintf("%s %d-%d", record.ID, m.Start, m.End)}
			if len(m.Candidates) > 0 {
				a.id, a.probability = m.Candidates[0].ID, m.Candidates[0].Probability
			}
			answers = append(answers, a)
		}
	}
	if len(answers) == 0 {
		return nil, fmt.Errorf("%s: has no mentions", path)
	}
	return answers, nil
}

// writeNames writes a dictionary of n names, each of a concept of its own: pairs of names of another dictionary, in
// its order.
func writeNames(from, to string, n int) (err error) {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var names []string
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if cells := strings.Split(line, "\t"); i > 0 && len(cells) > 1 {
			names = append(names, cells[1])
		}
	}
	if len(names)*len(names) < n || n < 1 {
		return fmt.Errorf("%s: %d names make %d pairs, want 1 to %d", filepath.Base(from), len(names), len(names)*len(names), n)
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriter(file)
	fmt.Fprintf(w, "id\tname\n")
	for i := range n {
		fmt.Fprintf(w, "N:%d\t%s with %s\n", i, names[i%len(names)], names[i/len(names)])
	}
	return w.Flush()
}
