// Command terms measures vectors of terms as the BNE paper does (Phan, Sun & Tay, "Robust Representation Learning of
// Biomedical Names", ACL 2019), and writes a table in Markdown: how the cosines of pairs of terms agree with the
// judgments of people, for files of two terms and a score, separated by tabs, such as UMNSRS and MayoSRS; and with
// -gold how well the names of a mention's concept are retrieved (section 4.2).
//
//	terms -encoder FOLDER | -word-vectors FOLDER [-dict FILE -gold FILE,…] [PAIRS…]
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// options are the flags.
type options struct {
	Words   string `flag:"word-vectors" usage:"folder of word vectors: a term has the mean of those of its words"`
	Encoder string `flag:"encoder" usage:"folder of an encoder"`
	Dict    string `flag:"dict" usage:"dictionary file, for the retrieval of synonyms"`
	Gold    string `flag:"gold" usage:"annotated files, joined by commas, for the retrieval of synonyms"`
	Types   string `flag:"gold-types" usage:"entity types of the gold, joined by commas (default: all)"`

	Pairs []string `args:"files of pairs"`
}

func main() {
	var o options
	harness.Main("terms", &o, func(ctx context.Context) { o.run(ctx, os.Stdout) })
}

func (o *options) run(ctx context.Context, w io.Writer) {
	harness.Require((o.Words == "") != (o.Encoder == ""), "want -word-vectors or -encoder, one of them")
	var terms []string
	pairs := make([][]pair, len(o.Pairs))
	for i, path := range o.Pairs {
		pairs[i] = readPairs(path)
		for _, p := range pairs[i] {
			terms = append(terms, p.a, p.b)
		}
	}
	vector := o.vectors(ctx, terms)
	var rows [][]string
	for i, path := range o.Pairs {
		rho, compared := similarity(pairs[i], vector)
		rows = append(rows, []string{"Spearman, " + filepath.Base(path), fmt.Sprintf("%.3f", rho), fmt.Sprintf("%d/%d pairs", compared, len(pairs[i])), ""})
	}
	if o.Gold != "" {
		m := o.synonyms(ctx)
		rows = append(rows, []string{m.Name, eval.Decimals(m.Value), m.Fraction(), m.Interval()})
	}
	harness.Get(io.WriteString(w, harness.Table([]string{o.Words + o.Encoder, "value", "of", "95 % interval"}, 1, rows)))
}

// synonyms measures the retrieval of the names of a dictionary.
func (o *options) synonyms(ctx context.Context) eval.Metric {
	dict, _, err := ctxnorm.ReadDictionary(o.Dict, ctxnorm.DictionaryOptions{})
	harness.Check(err)
	types := strings.FieldsFunc(o.Types, func(r rune) bool { return r == ',' })
	gold := harness.Get(eval.ReadGold(strings.Split(o.Gold, ","), types, eval.DictionaryConceptSet(dict), ctxnorm.Limits{}))
	retrieved := newCandidates(model.NameExemplars(dict), 20) // as in the paper, section 4.2
	return meanAveragePrecision(gold, retrieved, o.vectors(ctx, retrieved.terms(gold)))
}

// vectorOf returns the vector of a term, or nil if it has none. All vectors are of one length.
type vectorOf func(term string) []float32

// vectors returns the vectors of terms.
func (o *options) vectors(ctx context.Context, terms []string) vectorOf {
	if o.Words != "" {
		v := harness.Get(wordvec.Open(o.Words))
		return func(term string) []float32 { return v.Mean(wordvec.Words(term)) }
	}
	encoder := harness.Get(ctxnorm.OpenEncoder(o.Encoder, ctxnorm.EncoderOptions{}))
	if closer, ok := encoder.(io.Closer); ok {
		defer closer.Close()
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	known := make(map[string][]float32, len(terms))
	queries := make([]text.Query, len(terms))
	for i, term := range terms {
		queries[i] = text.NameExemplar(term).Query
	}
	vectors := harness.Get(model.Encode(ctx, encoder, queries))
	for i, term := range terms {
		known[term] = vectors[i]
	}
	return func(term string) []float32 { return known[term] }
}
