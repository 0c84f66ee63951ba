package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
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
	// all contexts of the corpus, those of senses outside the dictionary (NIL) included
	Contexts   []text.Exemplar
	Recognizer *recognize.Recognizer // finds mentions that are no names; nil for none
	// HiddenDefinitions are short forms in documents that define them, with the long form; the
	// definition is hidden. Their senses are what the weights of senses are learned from.
	HiddenDefinitions []text.Exemplar
	Abbreviations     *mine.AbbreviationTable // long forms of short forms in the corpus; nil for none
	// synonyms mined from the corpus, stored apart from the dictionary's; empty for none
	CorpusSynonyms []mine.Synonym
	// maximum number of contexts kept for a concept, and for a sense outside the dictionary; 25 in the paper
	PerConcept int
	Index      knnindex.Kind

	// Encoder encodes the rows; nil for a model that links by strings only. EncoderDir is its folder in the Hugging Face
	// layout, which is copied into the model; empty for an encoder that has no folder, which the caller opens by itself.
	Encoder    text.Encoder
	EncoderDir string
	// Earlier is the folder of a model. The vectors of its names and contexts are taken from it if its
	// encoder has the same fingerprint; empty for none. It may be Dir.
	Earlier string
	// BaseEncoder reads sentences with the base model as it was before training, without
	// markers; nil for none. BaseEncoderDir is its folder.
	BaseEncoder    text.Encoder
	BaseEncoderDir string
	BaseModel      string          // the base model that the encoder was trained from
	Training       json.RawMessage // copied unchanged into the manifest
	TrainingLog    []string        // files of the training log, copied into training/

	// Calibrate learns the ranking weights; calibrate.Learn of package link/calibrate is one. The model that it is given
	// is complete except for its calibration and tagger. If it is nil, no calibration.json is written.
	Calibrate func(context.Context, *Model) (*Calibration, error)

	Workers int // goroutines that build a graph; 0 for one per core
	// called with 0 rows before the first batch is encoded and after each batch; may be nil
	Progress func(done, total int)
	// called for the "names" and the "contexts" with the kind of index chosen and the reason; may be nil
	Report func(rows, why string)
	// called with the number of vectors, and how many of them are those of Earlier; may be nil
	Recalled func(recalled, total int)
}

// Build writes the model folder o.Dir and returns its manifest. It writes to a temporary folder next to o.Dir that
// replaces o.Dir in one step at the end, so a build that fails or is killed leaves an existing model unchanged. It
// refuses a folder with files that are not a model's, see [CheckTarget].
func Build(ctx context.Context, o BuildOptions) (*Manifest, error) {
	if err := CheckTarget(o.Dir); err != nil {
		return nil, err
	}
	folder, err := artifact.CreateFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	defer folder.Discard()
	dir := folder.Path()
	for _, sub := range []string{"dictionary", "index"} {
		if err := artifact.MkdirAll(filepath.Join(dir, sub)); err != nil {
			return nil, err
		}
	}
	m := &Manifest{Format: FormatVersion, Dictionary: o.DictionaryInfo, Corpus: o.Corpus, Training: o.Training}
	if err := o.writeDictionary(dir, m); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // writing and indexing many names takes long
		return nil, err
	}
	senses := sense.NewNames(ctx, o.Dictionary)
	contexts := samplePerSense(o.rivals(senses), o.PerConcept, o.DictionaryInfo.Seed)
	contextRows, err := newExemplarIndex(o.Dictionary, contexts)
	if err != nil {
		return nil, fmt.Errorf("contexts: %w", err)
	}
	hidden := SampleContexts(o.HiddenDefinitions, maxHiddenDefinitions, o.DictionaryInfo.Seed)
	if err := o.writeTexts(dir, contexts, hidden); err != nil {
		return nil, err
	}
	nameRows, err := o.writeNames(ctx, dir, &contextRows, senses)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	m.Index = IndexInfo{Names: nameRows.Len(), Mined: nameRows.Len() - nameRows.names.sorted, Contexts: len(contexts),
		PerConcept: o.PerConcept, ContextWords: normalize.ContentWordsVersion, NameForms: nameForms}
	var names []text.Exemplar // to encode
	if o.Encoder != nil || o.BaseEncoder != nil {
		if names, err = nameRows.Exemplars(); err != nil {
			return nil, err
		}
	}
	if o.Space != nil {
		m.Index.Words = o.Space.Len()
		if err := o.Space.Write(filepath.Join(dir, latentWords), filepath.Join(dir, latentVectors)); err != nil {
			return nil, err
		}
	}
	if o.Encoder != nil {
		if err := o.writeVectors(ctx, dir, m, names, contexts); err != nil {
			return nil, err
		}
	}
	if err := o.writeRecognizer(dir, m); err != nil {
		return nil, err
	}
	base, err := o.writeBaseEncoder(ctx, dir, m, names)
	if err != nil {
		return nil, err
	}
	if err := o.calibrate(ctx, dir, m, contextRows, hidden, base); err != nil {
		return nil, err
	}
	if err := copyInto(filepath.Join(dir, trainingFolder), o.TrainingLog); err != nil {
		return nil, err
	}
	if err := writeManifest(dir, m); err != nil {
		return nil, err
	}
	if err := CheckTarget(o.Dir); err != nil { // again: the user may have put something there meanwhile
		return nil, err
	}
	return m, folder.Commit()
}

// writeTexts writes what the model has from texts: contexts, corpus synonyms, abbreviations, and contexts of
// ambiguous short forms whose definitions are hidden.
func (o *BuildOptions) writeTexts(dir string, contexts, hidden []text.Exemplar) error {
	if err := writeContexts(filepath.Join(dir, contextExemplars), contexts, true); err != nil {
		return err
	}
	if err := writeMined(filepath.Join(dir, minedFile), o.CorpusSynonyms); err != nil {
		return err
	}
	if o.Abbreviations != nil {
		if err := writeMined(filepath.Join(dir, abbreviationsFile), o.Abbreviations.Entries()); err != nil {
			return err
		}
	}
	if len(hidden) == 0 {
		return nil
	}
	return writeContexts(filepath.Join(dir, hiddenFile), hidden, false)
}

// rivals returns the contexts that are of use: those of concepts, and those of senses outside
// the dictionary of forms that have a sense in the dictionary too.
func (o *BuildOptions) rivals(names *sense.Names) []text.Exemplar {
	if o.Abbreviations == nil {
		return WithConcepts(o.Contexts)
	}
	inventory := names.Inventory(o.Abbreviations, o.CorpusSynonyms)
	var kept []text.Exemplar
	for i := range o.Contexts {
		ex := &o.Contexts[i]
		if len(ex.Mention.Concepts) > 0 || inventory.IsRival(ex.Surface(), ex.Mention.LongForm) {
			kept = append(kept, *ex)
		}
	}
	return kept
}

func (o *BuildOptions) writeDictionary(dir string, m *Manifest) error {
	m.Dictionary.Hash = o.Dictionary.Hash()
	m.Dictionary.Concepts = o.Dictionary.Len()
	m.Dictionary.Names = o.Dictionary.CountNames()
	if err := withShownNames(o.Dictionary, o.Contexts).Write(filepath.Join(dir, conceptsFile)); err != nil {
		return err
	}
	return o.Tagger.Write(filepath.Join(dir, taggerFile))
}

// writeNames writes the rows of names, the concepts of contexts, and what is made of the names.
func (o *BuildOptions) writeNames(ctx context.Context, dir string, contexts *ExemplarIndex,
	senses *sense.Names) (names ExemplarIndex, err error) {
	names = newNames(o.Dictionary, o.CorpusSynonyms)
	if err := ctx.Err(); err != nil {
		return names, err
	}
	arrays, err := nameArrays(ctx, &names, contexts, senses)
	if err != nil {
		return names, err
	}
	return names, safetensors.WriteArrays(filepath.Join(dir, namesFile), arrays)
}

// writeRecognizer writes the recognizer, if there is one.
func (o *BuildOptions) writeRecognizer(dir string, m *Manifest) error {
	if o.Recognizer == nil {
		return nil
	}
	words, completeness, bias := o.Recognizer.Learned()
	m.Recognizer = &RecognizerInfo{Words: words, Completeness: completeness, Bias: bias}
	folder := filepath.Join(dir, recognizerFolder)
	if err := artifact.MkdirAll(folder); err != nil {
		return err
	}
	return o.Recognizer.Write(folder)
}

// writeVectors copies the encoder, and writes the vectors and indexes of names and
// contexts, and the vectors of the contexts' sentences.
func (o *BuildOptions) writeVectors(ctx context.Context, dir string, m *Manifest,
	names, contexts []text.Exemplar) (err error) {
	if o.EncoderDir != "" {
		if err := artifact.CopyFolder(filepath.Join(dir, encoderFolder), o.EncoderDir); err != nil {
			return err
		}
	}
	m.Encoder = &EncoderInfo{Base: o.BaseModel, Fingerprint: o.Encoder.Fingerprint(), Dim: o.Encoder.Dim()}
	sentences := sentencesOf(contexts)
	encoder, closeEarlier, err := o.recallingEncoder(ctx, names, contexts, sentences)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeEarlier()) }()
	total := len(names) + len(contexts) + len(sentences)
	done := 0
	progress := func(n int) {
		if done += n; o.Progress != nil {
			o.Progress(done, total)
		}
	}
	progress(0)
	unread, err := o.countTokens(ctx, m, names, contexts)
	if err != nil {
		return err
	}
	m.Index.NameIndex, err = o.writeIndex(ctx, encoder, "names", names, unread, filepath.Join(dir, nameVectors),
		filepath.Join(dir, nameGraph), progress)
	if err != nil {
		return err
	}
	m.Index.ContextIndex, err = o.writeIndex(ctx, encoder, "contexts", contexts, nil,
		filepath.Join(dir, contextVectors), filepath.Join(dir, contextGraph), progress)
	if err != nil {
		return err
	}
	vectors, err := encodeExemplars(ctx, encoder, sentences, progress)
	if err != nil {
		return fmt.Errorf("encoding sentences: %w", err)
	}
	return vectors.WriteNPY(filepath.Join(dir, sentenceVectors))
}

// sentencesOf returns the sentence of each context, without its mention.
func sentencesOf(contexts []text.Exemplar) []text.Exemplar {
	sentences := make([]text.Exemplar, len(contexts))
	for i := range contexts {
		sentences[i].Query = contexts[i].SentenceWithoutMention()
	}
	return sentences
}

// recallingEncoder returns the encoder with the vectors of the earlier model, if there is one, which must be closed.
func (o *BuildOptions) recallingEncoder(ctx context.Context, rows ...[]text.Exemplar) (_ text.Encoder,
	closeEarlier func() error, err error) {
	if o.Earlier == "" {
		return o.Encoder, func() error { return nil }, nil
	}
	earlier, err := OpenVectors(o.Earlier)
	if err != nil {
		return nil, nil, err
	}
	encoder, recalled, err := earlier.remembered(o.Encoder, rows...)
	if err != nil {
		return nil, nil, errors.Join(err, earlier.Close())
	}
	if o.Recalled != nil {
		all := 0
		for _, exemplars := range rows {
			all += len(exemplars)
		}
		o.Recalled(recalled, all)
	}
	return encoder, earlier.Close, nil
}

// writeIndex encodes exemplars into a vector file and, if the chosen kind of index is HNSW, builds and writes their
// graph. It returns the kind of index. what is "names" or "contexts"; unread lists rows without a vector.
func (o *BuildOptions) writeIndex(ctx context.Context, encoder text.Encoder, what string, rows []text.Exemplar,
	unread []int, vectorFile, graphFile string, progress func(int)) (knnindex.Kind, error) {
	vectors, err := encodeExemplars(ctx, encoder, rows, progress)
	if err != nil {
		return "", fmt.Errorf("encoding %s: %w", what, err)
	}
	clearRows(vectors, unread)
	if err := vectors.WriteNPY(vectorFile); err != nil {
		return "", err
	}
	kind, why := knnindex.Choose(o.Index, vectors.Len(), vectors.Dim)
	if o.Report != nil {
		o.Report(what, why)
	}
	if kind != knnindex.KindHNSW {
		return kind, nil
	}
	graph, err := knnindex.BuildHNSW(ctx, vectors, knnindex.HNSWOptions{Seed: o.DictionaryInfo.Seed,
		Workers: o.Workers})
	if err != nil {
		return "", err
	}
	return kind, graph.WriteFile(graphFile)
}

// maxHiddenDefinitions is the most hidden definitions that a model keeps.
const maxHiddenDefinitions = 3000

// rowsPerEncode is the number of rows in one call of the encoder: enough for it to sort
// them by length and fill its batches, few enough for frequent progress reports.
const rowsPerEncode = 4096

// encodeExemplars returns the vectors of exemplars, len(rows) x the encoder's dimension.
// It calls progress with the number of rows after each batch.
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

// calibrate opens the rows just written and lets o.Calibrate learn from them.
func (o *BuildOptions) calibrate(ctx context.Context, dir string, manifest *Manifest, contexts ExemplarIndex,
	hidden []text.Exemplar, base *baseEncoder) (err error) {
	if o.Calibrate == nil {
		return nil
	}
	m := &Model{
		Dir: dir, Manifest: manifest, Dictionary: o.Dictionary, Contexts: contexts, Space: o.Space,
		Abbreviations:     o.Abbreviations,
		hidden:            func() ([]text.Exemplar, error) { return hidden, nil },
		tagger:            func() (*matcher.Tagger, error) { return o.Tagger, nil },
		dictionaryIndexes: NewDictionaryIndexes(o.Dictionary),
	}
	m.deriveSenses()
	defer func() { err = errors.Join(err, m.Close()) }()
	if err := m.openNames(); err != nil {
		return err
	}
	if o.Encoder != nil {
		m.Vectors = &Vectors{Encoder: o.Encoder, base: func() (*baseEncoder, error) { return base, nil }}
		if err := m.openIndexes(m.Vectors); err != nil {
			return err
		}
	}
	calibration, err := o.Calibrate(ctx, m)
	if err != nil {
		return err
	}
	return calibration.write(dir)
}

// copyInto copies files into dir, which it creates if there are any files.
func copyInto(dir string, files []string) error {
	for _, file := range files {
		if err := artifact.MkdirAll(dir); err != nil {
			return err
		}
		if err := artifact.CopyFile(filepath.Join(dir, filepath.Base(file)), file); err != nil {
			return err
		}
	}
	return nil
}

// CheckTarget returns an error if [Build] may not replace dir. It may if dir does not exist or is empty, or holds
// nothing but the files that the manifest of a model lists; anything else is an [*files.ForeignError].
func CheckTarget(dir string) error {
	manifest := filepath.Join(dir, manifestFile)
	if _, err := os.Lstat(manifest); err != nil { // no model: what there is, is not ctxnorm's
		return artifact.CheckReplaceable(dir, nil)
	}
	m, err := ReadManifest(dir)
	if err != nil {
		return artifact.ForeignManifest(manifest, dir, err)
	}
	return m.checkReplaceable(dir)
}

// checkReplaceable returns an error unless the folder dir holds nothing but the files of the model.
func (m *Manifest) checkReplaceable(dir string) error {
	return artifact.CheckReplaceable(dir, append(slices.Collect(maps.Keys(m.Files)), manifestFile, CalibrationFile))
}
