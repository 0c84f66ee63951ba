package model

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// BuildOptions holds the data and settings that a model is built from.
type BuildOptions struct {
	Dir            string         // the model folder to write; an existing model is replaced
	Dictionary     *kb.Dictionary // the concepts to link to
	DictionaryInfo DictionaryInfo // set Source, Fraction and Seed; the build fills in the rest
	Corpus         CorpusInfo
	Tagger         *matcher.Tagger
	Space          *lsa.Space // vectors of words by latent semantic analysis of texts; nil for none
	// all contexts of the corpus, including those of senses outside the dictionary (NIL)
	Contexts   []text.Exemplar
	Recognizer *recognize.Recognizer // finds mentions that are not names; nil for none
	NoMentions []string              // names that are no mentions in texts
	// HiddenDefinitions are occurrences of short forms in documents that define them, each with its long form but with
	// the definition hidden. The weights of senses are learned from them.
	HiddenDefinitions []text.Exemplar
	Abbreviations     mine.AbbreviationTable // long forms of the short forms in the corpus; nil for none
	// synonyms mined from the corpus, stored apart from the dictionary's; empty for none
	CorpusSynonyms []mine.Synonym
	// maximum number of contexts kept for a concept, and for a sense outside the dictionary; 25 in the paper
	PerConcept int
	Index      knnindex.Kind

	// Encoder encodes the rows; nil for a model that only links by strings. EncoderDir is its folder in the Hugging
	// Face layout, which is copied into the model; empty for an encoder without a folder, which the caller opens.
	Encoder    text.Encoder
	EncoderDir string
	// Earlier is the folder of a model whose name and context vectors are reused if its encoder has the same
	// fingerprint; empty for none. It may be Dir.
	Earlier string
	// BaseEncoder reads sentences with the base model as it was before training, without markers; nil for none.
	// BaseEncoderDir is its folder.
	BaseEncoder    text.Encoder
	BaseEncoderDir string
	BaseModel      string          // the base model that the encoder was trained from
	Training       json.RawMessage // copied unchanged into the manifest
	TrainingLog    string          // a file that is copied into training/; empty for none

	// Calibrate learns the ranking weights, for example calibrate.Learn of package link/calibrate. The model passed to
	// it is complete except for its calibration and tagger. If Calibrate is nil, no calibration.json is written.
	Calibrate func(context.Context, *Model) (*Calibration, error)

	Workers int // goroutines that build a graph; 0 for one per core
	// called with 0 rows before the first batch is encoded and again after each batch; may be nil
	Progress func(done, total int)
	// called for "names" and for "contexts" with the kind of index that was chosen and the reason; may be nil
	Report func(rows, why string)
	// called with the number of vectors reused from Earlier and the total; may be nil
	Recalled func(recalled, total int)
}

// building is the state of a model folder that is being written.
type building struct {
	*BuildOptions
	dir      string
	manifest *Manifest

	senses           *sense.Names
	contexts, hidden []text.Exemplar // the ones that are kept
	contextRows      ExemplarIndex
	names            []text.Exemplar // to encode
	base             *baseEncoder    // nil for none
}

// Build writes the model folder o.Dir and returns its manifest. It writes to a temporary folder next to o.Dir that
// replaces o.Dir in one step at the end, so a build that fails or is killed leaves an existing model unchanged. It
// refuses a folder that holds files of others, see [CheckTarget].
func Build(ctx context.Context, o BuildOptions) (*Manifest, error) {
	b := &building{BuildOptions: &o, manifest: &Manifest{
		Format: FormatVersion, Dictionary: o.DictionaryInfo, Corpus: o.Corpus, NoMentions: o.NoMentions,
		Training: o.Training,
	}}
	err := artifact.ReplaceFolder(o.Dir, CheckTarget, func(dir string) (err error) {
		b.dir = dir
		for _, write := range []func(context.Context) error{
			b.writeDictionary, b.writeTexts, b.writeNames, b.writeVectors, b.writeRecognizer, b.writeBaseEncoder, b.calibrate,
			b.writeLog,
		} {
			if err := cmp.Or(write(ctx), ctx.Err()); err != nil { // a step stops early if ctx is done
				return err
			}
		}
		if b.manifest.Files, err = artifact.DigestFolder(dir, manifestFile); err != nil {
			return err
		}
		return artifact.WriteCheckedJSON(b.in(manifestFile), b.manifest)
	})
	return b.manifest, err
}

// in returns the path of a file of the folder. name is separated by slashes.
func (b *building) in(name string) string { return pathIn(b.dir, name) }

// writeDictionary writes the concepts and the tagger of their names.
func (b *building) writeDictionary(ctx context.Context) error {
	d := &b.manifest.Dictionary
	d.Hash, d.Concepts, d.Names = b.Dictionary.Hash(), b.Dictionary.Len(), b.Dictionary.CountNames()
	for _, folder := range []string{"dictionary", "index"} {
		if err := artifact.MkdirAll(b.in(folder)); err != nil {
			return err
		}
	}
	if err := withShownNames(b.Dictionary, b.Contexts).Write(b.in(conceptsFile)); err != nil {
		return err
	}
	b.senses = sense.NewNames(ctx, b.Dictionary)
	return b.Tagger.Write(b.in(taggerFile))
}

// writeTexts writes everything that comes from texts: contexts, corpus synonyms, abbreviations, and contexts of
// ambiguous short forms with their definitions hidden.
func (b *building) writeTexts(context.Context) (err error) {
	seed := b.DictionaryInfo.Seed
	b.contexts = samplePerSense(b.rivals(), b.PerConcept, seed)
	b.hidden = SampleContexts(b.HiddenDefinitions, maxHiddenDefinitions, seed)
	if b.contextRows, err = newExemplarIndex(b.Dictionary, b.contexts); err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	if err := writeContexts(b.in(contextExemplars), b.contexts, true); err != nil {
		return err
	}
	if err := writeMined(b.in(minedFile), b.CorpusSynonyms); err != nil {
		return err
	}
	if err := writeMined(b.in(abbreviationsFile), b.Abbreviations); err != nil {
		return err
	}
	if len(b.hidden) == 0 {
		return nil
	}
	return writeContexts(b.in(hiddenFile), b.hidden, false)
}

// rivals returns the useful contexts: those of concepts, and those of senses outside the dictionary if their form also
// has a sense in the dictionary.
func (b *building) rivals() []text.Exemplar {
	if b.Abbreviations == nil {
		return WithConcepts(b.Contexts)
	}
	inventory := b.senses.Inventory(b.Abbreviations, b.CorpusSynonyms)
	var kept []text.Exemplar
	for i := range b.Contexts {
		ex := &b.Contexts[i]
		if len(ex.Mention.Concepts) > 0 || inventory.IsRival(ex.Surface(), ex.Mention.LongForm) {
			kept = append(kept, *ex)
		}
	}
	return kept
}

// writeNames writes the rows of names, the concepts of contexts, everything derived from the names, and the vectors of
// words if there are any.
func (b *building) writeNames(ctx context.Context) error {
	rows := newNames(b.Dictionary, b.CorpusSynonyms)
	arrays, err := nameArrays(ctx, &rows, &b.contextRows, b.senses)
	if err != nil {
		return fmt.Errorf("names: %w", err)
	}
	if err := safetensors.WriteArrays(b.in(namesFile), arrays); err != nil {
		return err
	}
	b.manifest.Index = IndexInfo{Names: rows.Len(), Mined: rows.Len() - rows.names.sorted, Contexts: len(b.contexts),
		PerConcept: b.PerConcept, ContextWords: normalize.ContentWordsVersion, NameForms: nameForms}
	if b.Encoder != nil || b.BaseEncoder != nil {
		if b.names, err = rows.Exemplars(); err != nil {
			return err
		}
	}
	if b.Space == nil {
		return nil
	}
	b.manifest.Index.Words = b.Space.Len()
	return b.Space.Write(b.in(latentWords), b.in(latentVectors))
}

// writeRecognizer writes the recognizer, if there is one.
func (b *building) writeRecognizer(context.Context) error {
	if b.Recognizer == nil {
		return nil
	}
	words, completeness, bias := b.Recognizer.Learned()
	b.manifest.Recognizer = &RecognizerInfo{Words: words, Completeness: completeness, Bias: bias}
	folder := b.in(recognizerFolder)
	if err := artifact.MkdirAll(folder); err != nil {
		return err
	}
	return b.Recognizer.Write(folder)
}

// writeVectors copies the encoder, if there is one, and writes the vectors and indexes of names and contexts and the
// vectors of the contexts' sentences.
func (b *building) writeVectors(ctx context.Context) (err error) {
	if b.Encoder == nil {
		return nil
	}
	if b.EncoderDir != "" {
		if err := artifact.CopyFolder(b.in(encoderFolder), b.EncoderDir); err != nil {
			return err
		}
	}
	m := b.manifest
	m.Encoder = &EncoderInfo{Base: b.BaseModel, Fingerprint: b.Encoder.Fingerprint(), Dim: b.Encoder.Dim()}
	sentences := sentencesOf(b.contexts)
	encoder, closeEarlier, err := b.recallingEncoder(b.names, b.contexts, sentences)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeEarlier()) }()
	total := len(b.names) + len(b.contexts) + len(sentences)
	done := 0
	progress := func(n int) {
		if done += n; b.Progress != nil {
			b.Progress(done, total)
		}
	}
	progress(0)
	unread, err := b.countTokens(ctx)
	if err != nil {
		return err
	}
	m.Index.NameIndex, err = b.writeIndex(ctx, encoder, "names", b.names, unread, nameVectors, nameGraph, progress)
	if err != nil {
		return err
	}
	m.Index.ContextIndex, err = b.writeIndex(ctx, encoder, "contexts", b.contexts, nil, contextVectors, contextGraph, progress)
	if err != nil {
		return err
	}
	vectors, err := encodeExemplars(ctx, encoder, sentences, progress)
	if err != nil {
		return fmt.Errorf("encoding sentences: %w", err)
	}
	return vectors.WriteNPY(b.in(sentenceVectors))
}

// sentencesOf returns the sentence of each context without its mention.
func sentencesOf(contexts []text.Exemplar) []text.Exemplar {
	sentences := make([]text.Exemplar, len(contexts))
	for i := range contexts {
		sentences[i].Query = contexts[i].SentenceWithoutMention()
	}
	return sentences
}

// recallingEncoder returns the encoder, with the vectors of the earlier model if there is one. Call closeEarlier.
func (b *building) recallingEncoder(rows ...[]text.Exemplar) (_ text.Encoder, closeEarlier func() error, err error) {
	if b.Earlier == "" {
		return b.Encoder, func() error { return nil }, nil
	}
	earlier, err := OpenVectors(b.Earlier)
	if err != nil {
		return nil, nil, err
	}
	encoder, recalled, err := earlier.remembered(b.Encoder, rows...)
	if err != nil {
		return nil, nil, errors.Join(err, earlier.Close())
	}
	if b.Recalled != nil {
		b.Recalled(recalled, len(slices.Concat(rows...)))
	}
	return encoder, earlier.Close, nil
}

// writeIndex encodes exemplars into a vector file. If the chosen kind of index is HNSW, it also builds and writes their
// graph. It returns the kind of index. what is "names" or "contexts"; unread lists rows without a vector.
func (b *building) writeIndex(ctx context.Context, encoder text.Encoder, what string, rows []text.Exemplar,
	unread []int, vectorFile, graphFile string, progress func(int)) (knnindex.Kind, error) {
	vectors, err := encodeExemplars(ctx, encoder, rows, progress)
	if err != nil {
		return "", fmt.Errorf("encoding %s: %w", what, err)
	}
	clearRows(vectors, unread)
	if err := vectors.WriteNPY(b.in(vectorFile)); err != nil {
		return "", err
	}
	kind, why := knnindex.Choose(b.Index, vectors.Len(), vectors.Dim)
	if b.Report != nil {
		b.Report(what, why)
	}
	if kind != knnindex.KindHNSW {
		return kind, nil
	}
	graph, err := knnindex.BuildHNSW(ctx, vectors, knnindex.HNSWOptions{Seed: b.DictionaryInfo.Seed, Workers: b.Workers})
	if err != nil {
		return "", err
	}
	return kind, graph.WriteFile(b.in(graphFile))
}

// maxHiddenDefinitions is the largest number of hidden definitions that a model keeps.
const maxHiddenDefinitions = 3000

// rowsPerEncode is the number of rows passed to one call of the encoder: enough for it to sort them by length and fill
// its batches, and few enough for frequent progress reports.
const rowsPerEncode = 4096

// encodeExemplars returns the vectors of exemplars, len(rows) x the encoder's dimension. It calls progress with the
// number of rows after each batch.
func encodeExemplars(ctx context.Context, encoder text.Encoder, rows []text.Exemplar,
	progress func(int)) (*knnindex.Vectors, error) {
	dim := encoder.Dim()
	vectors := &knnindex.Vectors{Dim: dim, Data: make([]float32, len(rows)*dim)}
	for start := 0; start < len(rows); start += rowsPerEncode {
		end := min(start+rowsPerEncode, len(rows))
		queries := make([]text.Query, end-start)
		for i := range queries {
			queries[i] = rows[start+i].Query
		}
		if err := encoder.Encode(ctx, vectors.Data[start*dim:end*dim], queries); err != nil {
			return nil, err
		}
		progress(end - start)
	}
	return vectors, nil
}

// calibrate opens the rows just written and passes the model to Calibrate.
func (b *building) calibrate(ctx context.Context) (err error) {
	if b.Calibrate == nil {
		return nil
	}
	m := &Model{
		Dir: b.dir, Manifest: b.manifest, Dictionary: b.Dictionary, Contexts: b.contextRows, Space: b.Space,
		Abbreviations:     b.Abbreviations,
		hidden:            func() ([]text.Exemplar, error) { return b.hidden, nil },
		tagger:            func() (*matcher.Tagger, error) { return b.Tagger, nil },
		dictionaryIndexes: NewDictionaryIndexes(b.Dictionary),
	}
	m.deriveSenses()
	defer func() { err = errors.Join(err, m.Close()) }()
	if err := m.openNames(); err != nil {
		return err
	}
	if b.Encoder != nil {
		m.Vectors = &Vectors{Encoder: b.Encoder, base: func() (*baseEncoder, error) { return b.base, nil }}
		if err := m.openIndexes(m.Vectors); err != nil {
			return err
		}
	}
	calibration, err := b.Calibrate(ctx, m)
	if err != nil {
		return err
	}
	return calibration.write(b.dir)
}

// writeLog copies the training log.
func (b *building) writeLog(context.Context) error {
	if b.TrainingLog == "" {
		return nil
	}
	if err := artifact.MkdirAll(b.in(trainingFolder)); err != nil {
		return err
	}
	return artifact.CopyFile(b.in(trainingFolder+"/"+filepath.Base(b.TrainingLog)), b.TrainingLog)
}

// CheckTarget returns an error if [Build] may not replace dir. Build may replace it if dir does not exist, is empty, or
// holds only files that the manifest of a model lists. Otherwise the error is a [*files.ForeignError].
func CheckTarget(dir string) error {
	return artifact.CheckListed(dir, manifestFile, func(dir string) ([]string, error) {
		m, err := ReadManifest(dir)
		if err != nil {
			return nil, err
		}
		return m.owned(), nil
	})
}

// owned returns the names of the files that belong to the model.
func (m *Manifest) owned() []string {
	return append(slices.Collect(maps.Keys(m.Files)), manifestFile, CalibrationFile)
}
