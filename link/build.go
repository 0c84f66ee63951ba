package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"

	"ctxnorm"
	"ctxnorm/corpus/dictionary"
	"ctxnorm/knnindex"
	"ctxnorm/matcher"
	"ctxnorm/mine"
)

// BuildOptions say what a model is made of.
type BuildOptions struct {
	Dir           string              // the model folder to write; a model that is there is replaced
	Dictionary    *ctxnorm.Dictionary // what is linked to
	Facts         DictionaryFacts     // Source, Fraction and Seed; the rest is filled in
	Corpus        CorpusFacts
	Tagger        *matcher.Tagger
	Contexts      []ctxnorm.Exemplar      // every context there is
	Abbreviations *mine.AbbreviationTable // what short forms stand for in the corpus; nil to do without
	Mined         []mine.Synonym          // names that texts give, kept apart from the dictionary's; none to do without
	PerConcept    int                     // how many of them are kept for a concept; 25 in the paper
	Index         knnindex.Kind

	// Encoder, where there is one, encodes the rows; EncoderDir is where it lies,
	// in the Hugging Face layout. Without it the model links by strings.
	Encoder    ctxnorm.Encoder
	EncoderDir string
	Base       string          // what the encoder was trained from
	Training   json.RawMessage // into the manifest as it is
	Curve      []string        // files of the training curve, copied into training/

	Workers  int                    // parallel index building; 0 for all cores
	Progress func(done, total int)  // rows encoded
	Report   func(rows, why string) // which index was picked for "names" and "contexts", and why
}

// Build writes a model folder. It is written beside its place and renamed, so a
// build that fails leaves what was there before.
func Build(ctx context.Context, o BuildOptions) (*Manifest, error) {
	if err := CheckTarget(o.Dir); err != nil {
		return nil, err
	}
	dir := fmt.Sprintf("%s.tmp-%d", filepath.Clean(o.Dir), os.Getpid())
	defer os.RemoveAll(dir)
	for _, sub := range []string{"dictionary", "index"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return nil, err
		}
	}
	m := &Manifest{Format: FormatVersion, Dictionary: o.Facts, Corpus: o.Corpus, Training: o.Training}
	if err := o.writeDictionary(dir, m); err != nil {
		return nil, err
	}
	contexts := Sample(o.Contexts, o.PerConcept, o.Facts.Seed)
	contextRows, err := newExemplarIndex(o.Dictionary, contexts)
	if err != nil {
		return nil, fmt.Errorf("contexts: %w", err)
	}
	if err := writeContexts(filepath.Join(dir, contextExemplars), contexts); err != nil {
		return nil, err
	}
	mined := MinedNames(o.Mined, o.Dictionary)
	if err := writeJSONLines(filepath.Join(dir, minedFile), o.Mined); err != nil {
		return nil, err
	}
	if o.Abbreviations != nil {
		if err := writeJSONLines(filepath.Join(dir, abbreviationsFile), o.Abbreviations.Entries()); err != nil {
			return nil, err
		}
	}
	names := append(Names(o.Dictionary), mined...)
	nameRows, err := newExemplarIndex(o.Dictionary, names)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	m.Index = IndexFacts{Names: len(names), Mined: len(mined), Contexts: len(contexts), PerConcept: o.PerConcept}
	if o.Encoder != nil {
		if err := o.writeVectors(ctx, dir, m, names, contexts); err != nil {
			return nil, err
		}
	}
	if err := o.calibrate(ctx, dir, m, nameRows, contextRows); err != nil {
		return nil, err
	}
	if err := copyInto(filepath.Join(dir, trainingFolder), o.Curve); err != nil {
		return nil, err
	}
	if err := m.seal(dir); err != nil {
		return nil, err
	}
	return m, replaceFolder(o.Dir, dir)
}

func (o *BuildOptions) writeDictionary(dir string, m *Manifest) error {
	m.Dictionary.Hash = o.Dictionary.Hash()
	m.Dictionary.Concepts = o.Dictionary.Len()
	m.Dictionary.Names = o.Dictionary.CountNames()
	if err := dictionary.Write(filepath.Join(dir, conceptsFile), o.Dictionary); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, taggerFile))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = o.Tagger.WriteTo(f)
	return errors.Join(err, f.Close())
}

func (o *BuildOptions) writeVectors(ctx context.Context, dir string, m *Manifest, names, contexts []ctxnorm.Exemplar) error {
	if err := os.CopyFS(filepath.Join(dir, encoderFolder), os.DirFS(o.EncoderDir)); err != nil {
		return err
	}
	m.Encoder = &EncoderFacts{Base: o.Base, Fingerprint: o.Encoder.Fingerprint(), Dim: o.Encoder.Dim()}
	total := len(names) + len(contexts)
	done := 0
	progress := func(n int) {
		if done += n; o.Progress != nil {
			o.Progress(done, total)
		}
	}
	var err error
	m.Index.NameIndex, err = o.writeRows(ctx, "names", names, filepath.Join(dir, nameVectors), filepath.Join(dir, nameGraph), progress)
	if err != nil {
		return err
	}
	m.Index.ContextIndex, err = o.writeRows(ctx, "contexts", contexts, filepath.Join(dir, contextVectors), filepath.Join(dir, contextGraph), progress)
	return err
}

// writeRows encodes exemplars into a vector file, builds their graph where one
// pays, and says which kind of index it is.
func (o *BuildOptions) writeRows(ctx context.Context, what string, rows []ctxnorm.Exemplar, vectorFile, graphFile string, progress func(int)) (knnindex.Kind, error) {
	vectors, err := encode(ctx, o.Encoder, rows, progress)
	if err != nil {
		return "", fmt.Errorf("encoding %s: %w", what, err)
	}
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
	graph, err := knnindex.BuildHNSW(ctx, vectors, knnindex.HNSWOptions{Seed: o.Facts.Seed, Workers: o.Workers})
	if err != nil {
		return "", err
	}
	return kind, graph.WriteFile(graphFile)
}

// rowsPerEncode is how many rows go to the encoder at a time: enough to sort by
// length and fill batches, few enough for progress to move.
const rowsPerEncode = 4096

func encode(ctx context.Context, encoder ctxnorm.Encoder, rows []ctxnorm.Exemplar, progress func(int)) (*knnindex.Vectors, error) {
	dim := encoder.Dim()
	vectors := &knnindex.Vectors{Dim: dim, Data: make([]float32, len(rows)*dim)}
	for start := 0; start < len(rows); start += rowsPerEncode {
		end := min(start+rowsPerEncode, len(rows))
		queries := make([]ctxnorm.Query, end-start)
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

// calibrate learns the weights of ranking from the rows just written.
func (o *BuildOptions) calibrate(ctx context.Context, dir string, m *Manifest, names, contexts Rows) (err error) {
	model := &Model{Manifest: m, Dictionary: o.Dictionary, Encoder: o.Encoder, Names: names, Contexts: contexts}
	defer func() { err = errors.Join(err, model.Close()) }()
	if err := model.openIndexes(dir); err != nil {
		return err
	}
	calibration, err := calibrateBy(ctx, model, nil)
	if err != nil {
		return err
	}
	return calibration.write(filepath.Join(dir, calibrationFile))
}

// copyInto copies files into a folder that it makes, where there are any.
func copyInto(dir string, files []string) error {
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// seal lists every other file with its digest and writes the manifest.
func (m *Manifest) seal(dir string) error {
	names, err := listFiles(dir)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == manifestFile })
	m.Files = make(map[string]FileDigest, len(names))
	for _, name := range names {
		if m.Files[name], err = digestOf(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, manifestFile), append(data, '\n'), 0o666)
}

// replaceFolder puts the folder made at made into the place of dir.
func replaceFolder(dir, made string) error {
	old := made + ".old"
	switch err := os.Rename(dir, old); {
	case errors.Is(err, os.ErrNotExist):
		return os.Rename(made, dir)
	case err != nil:
		return err
	}
	if err := os.Rename(made, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

// CheckTarget says whether dir may be written: it is not there, is empty, or
// holds a model that will be replaced.
func CheckTarget(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := ReadManifest(dir); err != nil {
		return &FileError{dir, "is a folder that is no model, and is not overwritten"}
	}
	return nil
}
