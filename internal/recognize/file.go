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
	"github.com/ctxnorm/ctxnorm/internal/bert/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/parquetfile"
)

// The files of a recognizer, in its folder.
const (
	WordsFile   = "words.parquet"       // a row for each word, the most frequent first
	NetworkFile = "network.safetensors" // the weights of the network, and the bias
)

// wordRow is a row of WordsFile. The counts are those of wordCounts, the probabilities those of
// wordStatistics.
type wordRow struct {
	Word           string   `parquet:"word,zstd"`
	Count          int64    `parquet:"count,zstd"`
	Heads          int32    `parquet:"heads,zstd"`
	Modifiers      int32    `parquet:"modifiers,zstd"`
	Alone          bool     `parquet:"alone"`
	Classed        int32    `parquet:"classed,zstd"`
	SameTop        float32  `parquet:"same_top,zstd"`
	Ends           int32    `parquet:"ends,zstd"`
	Inside         int32    `parquet:"inside,zstd"`
	Taken          int32    `parquet:"taken,zstd"`
	Before         int32    `parquet:"before,zstd"`
	Head           float32  `parquet:"p_head,zstd"`
	Modifier       float32  `parquet:"p_modifier,zstd"`
	Single         float32  `parquet:"p_single,zstd"`
	SingleByVector float32  `parquet:"p_single_by_vector,zstd"`
	Tails          []string `parquet:"tails,list,zstd"`      // words behind it in names: "2" behind "diabetes"
	Next           []int32  `parquet:"next,list,zstd"`       // rows of words that stand behind it in texts
	NextCount      []int32  `parquet:"next_count,list,zstd"` // how often
	Vector         []byte   `parquet:"vector,zstd"`          // vectorDim signed bytes
	Scale          float32  `parquet:"vector_scale,zstd"`    // of a step of the vector
}

// tensor names a part of the network.
type tensor struct {
	name   string
	shape  []int64
	values []float32
}

// tensors returns the weights of a network, which share their memory, but for the transitions.
func (n *network) tensors(prefix string) []tensor {
	var transition []float32
	for a := range labelCount {
		transition = append(transition, n.transition[a][:]...)
	}
	list := []tensor{{prefix + "letters", []int64{letterBuckets, letterDim}, n.letters}}
	for _, l := range []struct {
		name string
		*layer
	}{{"first", &n.first}, {"second", &n.second}, {"output", &n.output}} {
		list = append(list, tensor{prefix + l.name + ".weight", []int64{int64(l.out), int64(l.in)}, l.weights},
			tensor{prefix + l.name + ".bias", []int64{int64(l.out)}, l.bias})
	}
	return append(list, tensor{prefix + "transition", []int64{int64(labelCount), int64(labelCount)}, transition})
}

// prefixOf begins the names of the tensors of a network.
func prefixOf(network int) string { return fmt.Sprintf("network.%d.", network) }

// Write writes the files of the recognizer into a folder.
func (r *Recognizer) Write(dir string) error {
	if err := artifact.Write(filepath.Join(dir, WordsFile), r.writeWords); err != nil {
		return err
	}
	named := []safetensors.Named{{Name: "bias", Shape: []int64{1}, Data: []float32{float32(r.bias)}}}
	for i, n := range r.networks {
		for _, t := range n.tensors(prefixOf(i)) {
			named = append(named, safetensors.Named{Name: t.name, Shape: t.shape, Data: t.values})
		}
	}
	return safetensors.Write(filepath.Join(dir, NetworkFile), named)
}

func (r *Recognizer) writeWords(file io.Writer) error {
	tails, next := make(map[string][]string), make(map[int32][]int32)
	for pair := range r.tails {
		tails[pair[0]] = append(tails[pair[0]], pair[1])
	}
	for pair := range r.pairs {
		next[pair[0]] = append(next[pair[0]], pair[1])
	}
	w := parquet.NewGenericWriter[wordRow](file)
	c := &r.counts
	for i, word := range r.words {
		row := wordRow{
			Word: word, Count: int64(r.vocabulary.counts[i]),
			Heads: c.heads[i], Modifiers: c.modifiers[i], Alone: c.alone[i], Classed: c.classed[i], SameTop: c.sameTop[i],
			Ends: c.ends[i], Inside: c.inside[i], Taken: c.taken[i], Before: c.before[i],
			Head: r.head[i], Modifier: r.modifier[i], Single: r.single[i], SingleByVector: r.singleByVector[i],
			Tails: tails[word], Next: next[int32(i)], Scale: r.vectors.scales[i],
		}
		slices.Sort(row.Tails)
		slices.Sort(row.Next)
		for _, next := range row.Next {
			row.NextCount = append(row.NextCount, r.pairs[[2]int32{int32(i), next}])
		}
		for _, x := range r.vectors.steps[i*vectorDim : (i+1)*vectorDim] {
			row.Vector = append(row.Vector, byte(x))
		}
		if _, err := w.Write([]wordRow{row}); err != nil {
			return err
		}
	}
	return w.Close()
}

// Open reads a recognizer from its folder. It returns a [*files.DamagedError] if a file is not what
// [Recognizer.Write] wrote.
func Open(dir string) (*Recognizer, error) {
	r := &Recognizer{}
	path := filepath.Join(dir, WordsFile)
	rows, err := readWords(path)
	if err != nil {
		return nil, err
	}
	if err := r.setWords(rows); err != nil {
		return nil, artifact.WithPath(path, err)
	}
	r.decide()
	r.adjectives = r.derivedAdjectives()
	return r, r.readNetworks(filepath.Join(dir, NetworkFile))
}

func readWords(path string) (rows []wordRow, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	opened, err := parquetfile.Open(file, info.Size())
	if err == nil {
		err = parquetfile.NoPanic(func() error {
			reader := parquet.NewGenericReader[wordRow](opened)
			defer reader.Close()
			if reader.NumRows() > maxVocabulary {
				return fmt.Errorf("has %d words, want at most %d", reader.NumRows(), maxVocabulary)
			}
			rows = make([]wordRow, reader.NumRows())
			for read := 0; read < len(rows); {
				n, err := reader.Read(rows[read:])
				if read += n; err != nil && !(errors.Is(err, io.EOF) && read == len(rows)) {
					return fmt.Errorf("row %d: %w", read, err)
				}
			}
			return nil
		})
	}
	if err != nil {
		return nil, artifact.Damaged(path, "%v", err)
	}
	return rows, nil
}

// setWords fills in what the rows say.
func (r *Recognizer) setWords(rows []wordRow) error {
	v := &vocabulary{}
	s := &wordStatistics{vocabulary: v, vectors: &wordVectors{}, counts: newWordCounts(len(rows)),
		tails: make(map[[2]string]bool), pairs: make(map[[2]int32]int32)}
	for i, row := range rows {
		if row.Count < minCount || len(row.Vector) != vectorDim || row.Word == "" {
			return artifact.Damaged(WordsFile, "row %d: %q has the count %d and a vector of %d numbers, want at least "+
				"%d and %d",
				i+1, row.Word, row.Count, len(row.Vector), minCount, vectorDim)
		}
		v.words, v.counts = append(v.words, row.Word), append(v.counts, int(row.Count))
		c := &s.counts
		c.heads[i], c.modifiers[i], c.alone[i], c.classed[i], c.sameTop[i] = row.Heads, row.Modifiers, row.Alone,
			row.Classed, row.SameTop
		c.ends[i], c.inside[i], c.taken[i], c.before[i] = row.Ends, row.Inside, row.Taken, row.Before
		s.head, s.modifier = append(s.head, row.Head), append(s.modifier, row.Modifier)
		s.single, s.singleByVector = append(s.single, row.Single), append(s.singleByVector, row.SingleByVector)
		for _, tail := range row.Tails {
			s.tails[[2]string{row.Word, tail}] = true
		}
		if len(row.NextCount) != len(row.Next) {
			return artifact.Damaged(WordsFile, "row %d: %q has %d words behind it and %d counts of them", i+1, row.Word,
				len(row.Next), len(row.NextCount))
		}
		for k, next := range row.Next {
			s.pairs[[2]int32{int32(i), next}] = row.NextCount[k]
		}
		for _, x := range row.Vector {
			s.vectors.steps = append(s.vectors.steps, int8(x))
		}
		s.vectors.scales = append(s.vectors.scales, row.Scale)
	}
	v.index()
	r.wordStatistics = s
	return nil
}

// readNetworks reads the weights.
func (r *Recognizer) readNetworks(path string) (err error) {
	file, err := safetensors.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	read := func(t tensor) error {
		if shape := file.Shape(t.name); !slices.Equal(shape, t.shape) {
			return artifact.Damaged(path, "the tensor %s has the shape %v, want %v", t.name, shape, t.shape)
		}
		return file.Float32(t.values, t.name)
	}
	bias := []float32{0}
	if err := read(tensor{"bias", []int64{1}, bias}); err != nil {
		return err
	}
	r.bias = float64(bias[0])
	var networks []*network
	for i := range networkCount {
		n := &network{
			wordStatistics: r.wordStatistics, kernel: dot.Best(), letters: make([]float32, letterBuckets*letterDim),
			first: emptyLayer(firstWidth*inputDim, hidden), second: emptyLayer(secondWidth*hidden, hidden),
			output: emptyLayer(hidden, int(labelCount)),
		}
		tensors := n.tensors(prefixOf(i))
		for _, t := range tensors {
			if err := read(t); err != nil {
				return err
			}
		}
		transition := tensors[len(tensors)-1].values
		for a := range labelCount {
			copy(n.transition[a][:], transition[int(a)*int(labelCount):])
		}
		networks = append(networks, n)
	}
	r.ensemble = newEnsemble(networks)
	return nil
}
