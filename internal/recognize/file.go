package recognize

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parquetfile"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// The files of a recognizer, in its folder.
const (
	WordsFile   = "words.parquet"       // a row for each word, most frequent first
	NetworkFile = "network.safetensors" // the weights of the network, and the bias
)

// tensors returns the weights of the network with the given number. The tensors share memory with the network.
func (n *network) tensors(number int) []safetensors.Named {
	var list []safetensors.Named
	add := func(name string, data []float32, shape ...int64) {
		list = append(list, safetensors.Named{Name: fmt.Sprintf("network.%d.%s", number, name), Shape: shape, Data: data})
	}
	add("letters", n.letters, letterBuckets, letterDim)
	addLayer := func(name string, l *layer) {
		add(name+".weight", l.weights, int64(l.out), int64(l.in))
		add(name+".bias", l.bias, int64(l.out))
	}
	addLayer("first", &n.first)
	addLayer("second", &n.second)
	addLayer("output", &n.output)
	add("transition", n.transition, int64(labelCount), int64(labelCount))
	return list
}

// Write writes the files of the recognizer into a folder.
func (r *Recognizer) Write(dir string) error {
	if err := artifact.Write(filepath.Join(dir, WordsFile), r.writeWords); err != nil {
		return err
	}
	named := []safetensors.Named{{Name: "bias", Shape: []int64{1}, Data: []float32{float32(r.bias)}}}
	for i, n := range r.ensemble {
		named = append(named, n.tensors(i)...)
	}
	return safetensors.Write(filepath.Join(dir, NetworkFile), named)
}

func (r *Recognizer) writeWords(file io.Writer) error {
	w := parquet.NewGenericWriter[wordRow](file)
	if _, err := w.Write(r.words); err != nil {
		return err
	}
	return w.Close()
}

// Open reads a recognizer from its folder. It returns a [*files.DamagedError] if a file differs from the output of
// [Recognizer.Write].
func Open(dir string) (*Recognizer, error) {
	path := filepath.Join(dir, WordsFile)
	rows, err := readWords(path)
	if err != nil {
		return nil, err
	}
	r := &Recognizer{wordStatistics: &wordStatistics{words: rows}}
	if err := r.checkWords(); err != nil {
		return nil, artifact.WithPath(path, err)
	}
	r.index()
	r.decide()
	return r, r.readNetworks(filepath.Join(dir, NetworkFile))
}

func readWords(path string) (rows []wordRow, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for row, err := range parquetfile.Rows[wordRow](file, 0, -1) {
		if err != nil {
			return nil, err
		}
		if len(rows) == maxVocabulary {
			return nil, artifact.Damaged(path, "has more than %d words", maxVocabulary)
		}
		rows = append(rows, *row)
	}
	return rows, nil
}

// checkWords returns an error if a row could not have been written by [Recognizer.Write].
func (s *wordStatistics) checkWords() error {
	for i, row := range s.words {
		switch {
		case row.Count < minCount || len(row.Vector) != vectorDim || row.Word == "":
			return artifact.Damaged(WordsFile, "row %d: %q has the count %d and a vector of %d numbers, want at least "+
				"%d and %d", i+1, row.Word, row.Count, len(row.Vector), minCount, vectorDim)
		case len(row.NextCount) != len(row.Next) || !slices.IsSorted(row.Next):
			return artifact.Damaged(WordsFile, "row %d: %q has %d following words and %d counts of them, want equal numbers, "+
				"in order", i+1, row.Word, len(row.Next), len(row.NextCount))
		}
	}
	return nil
}

// readNetworks reads the weights.
func (r *Recognizer) readNetworks(path string) (err error) {
	file, err := safetensors.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	read := func(t safetensors.Named) error {
		if shape := file.Shape(t.Name); !slices.Equal(shape, t.Shape) {
			return artifact.Damaged(path, "the tensor %s has the shape %v, want %v", t.Name, shape, t.Shape)
		}
		return file.Float32(t.Data, t.Name)
	}
	bias := []float32{0}
	if err := read(safetensors.Named{Name: "bias", Shape: []int64{1}, Data: bias}); err != nil {
		return err
	}
	r.bias = float64(bias[0])
	for i := range networkCount {
		n := emptyNetwork(r.wordStatistics)
		for _, t := range n.tensors(i) {
			if err := read(t); err != nil {
				return err
			}
		}
		n.setByPlace()
		r.ensemble = append(r.ensemble, n)
	}
	return nil
}
