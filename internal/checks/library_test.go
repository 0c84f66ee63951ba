package checks

import (
	"errors"
	"io"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Folders of examples/ in the current formats, see TestFolders.
const (
	exampleCorpus = "testdata/v0.1.0/corpus"
	exampleModel  = "testdata/v0.1.0/model"
)

const exampleDictionaryFile = "examples/dictionary.tsv"

func exampleDictionary(t *testing.T) *ctxnorm.Dictionary {
	t.Helper()
	dict, _, err := ctxnorm.ReadDictionary(exampleDictionaryFile, ctxnorm.DictionaryOptions{Options: kbfile.Options{Strict: true}})
	must.Succeed(t, err)
	return dict
}

// exampleOptions returns options to train on the corpus of examples/ into dir/model, without an encoder and a
// recognizer.
func exampleOptions(t *testing.T, dir string) ctxnorm.TrainOptions {
	t.Helper()
	o := ctxnorm.DefaultTrainOptions()
	o.Dictionary, o.DictionaryPath = exampleDictionary(t), exampleDictionaryFile
	o.Corpus, o.Model = exampleCorpus, filepath.Join(dir, "model")
	o.EncoderKind, o.NoRecognizer = ctxnorm.NoEncoder, true
	return o
}

func readDocuments(t *testing.T, path string) (docs []*ctxnorm.Document) {
	t.Helper()
	for _, record := range readRecords(t, path) {
		docs = append(docs, record.Document)
	}
	return docs
}

func readRecords(t *testing.T, path string) (records []*formats.Record) {
	t.Helper()
	reader := must.Get(formats.Open(path, formats.Options{}))
	defer reader.Close()
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return records
		}
		must.Succeed(t, err)
		records = append(records, record)
	}
}

func openModel(t *testing.T, dir string) *ctxnorm.Model {
	t.Helper()
	m := must.Get(ctxnorm.Open(t.Context(), dir, ctxnorm.OpenOptions{}))
	t.Cleanup(func() { m.Close() })
	return m
}

func linkAll(t *testing.T, m *ctxnorm.Model, docs []*ctxnorm.Document, o ctxnorm.LinkOptions) []*linked.Document {
	t.Helper()
	return must.Get(m.Link(t.Context(), docs, o))
}

func linkOne(t *testing.T, m *ctxnorm.Model, o ctxnorm.LinkOptions, doc *ctxnorm.Document) *ctxnorm.LinkedDocument {
	t.Helper()
	return linkAll(t, m, []*ctxnorm.Document{doc}, o)[0]
}
