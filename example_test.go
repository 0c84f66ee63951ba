package ctxnorm_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/memory"
)

// Link a sentence whose mentions are marked.
func Example() {
	ctx := context.Background()
	m, err := ctxnorm.Open(ctx, exampleModel, ctxnorm.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	linked, err := m.LinkText(ctx, "Insulin was started for her [ENT] adult onset diabetes [/ENT].", ctxnorm.LinkOptions{})
	if err != nil {
		log.Fatal(err)
	}
	best := linked.Mentions[0].Candidates[0]
	fmt.Println(best.Concept, best.Name)
	// Output: EX:009 type 2 diabetes mellitus
}

// Link to a dictionary without a model: nothing is built or trained.
func ExampleNewDictionaryModel() {
	ctx := context.Background()
	dict, _, err := ctxnorm.ReadDictionary("examples/dictionary.tsv", ctxnorm.DictionaryOptions{})
	if err != nil {
		log.Fatal(err)
	}
	m := ctxnorm.NewDictionaryModel(dict, "dictionary.tsv")
	linked, err := m.LinkText(ctx, "She has had [ENT] diabetes of type 2 [/ENT] for years.", ctxnorm.LinkOptions{})
	if err != nil {
		log.Fatal(err)
	}
	best := linked.Mentions[0].Candidates[0]
	fmt.Println(best.Concept, best.Name)
	// Output: EX:009 type 2 diabetes mellitus
}

// Link documents with mentions of your own. Offsets are in bytes. The abbreviation is linked by its definition in the
// document.
func ExampleModel_Link() {
	ctx := context.Background()
	m, err := ctxnorm.Open(ctx, exampleModel, ctxnorm.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	text := "Chronic kidney failure (CKF) is treated by dialysis. CKF also calls for iron."
	at := strings.LastIndex(text, "CKF")
	doc := &ctxnorm.Document{ID: "1", Text: text, Mentions: []ctxnorm.Mention{{Span: ctxnorm.Span{Start: at, End: at + 3}}}}
	linked, err := m.Link(ctx, []*ctxnorm.Document{doc}, ctxnorm.LinkOptions{TopK: 1})
	if err != nil {
		log.Fatal(err)
	}
	r := linked[0].Mentions[0]
	fmt.Printf("%s: %s, %s\n", r.ResolvedText, r.Candidates[0].Concept, r.Candidates[0].Name)
	// Output: Chronic kidney failure: EX:012, chronic kidney failure
}

// Find the dictionary's names in a text, and link them.
func ExampleModel_Annotate() {
	ctx := context.Background()
	m, err := ctxnorm.Open(ctx, exampleModel, ctxnorm.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	linked, err := m.Annotate(ctx, "Gout and high blood pressure often come together.", ctxnorm.LinkOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, mention := range linked.Mentions {
		fmt.Println(mention.Text, "=", mention.Candidates[0].Concept)
	}
	// Output:
	// Gout = EX:034
	// high blood pressure = EX:013
}

// Build a corpus from PubMed XML and train a model on it. In a build that can train an encoder, omit EncoderKind.
func ExampleTrain() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "ctxnorm-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	dict, _, err := ctxnorm.ReadDictionary("examples/dictionary.tsv", ctxnorm.DictionaryOptions{})
	if err != nil {
		log.Fatal(err)
	}
	files, err := filepath.Glob("examples/pubmed/*.xml")
	if err != nil {
		log.Fatal(err)
	}
	_, err = ctxnorm.BuildCorpus(ctx, corpus.Options{Dir: filepath.Join(dir, "corpus"), Inputs: files, Dictionary: dict}, ctxnorm.Observer{})
	if err != nil {
		log.Fatal(err)
	}
	o := ctxnorm.DefaultTrainOptions()
	o.Dictionary, o.Corpus, o.Model = dict, filepath.Join(dir, "corpus"), filepath.Join(dir, "model")
	o.DictionaryFraction = .5
	o.EncoderKind, o.NoRecognizer = ctxnorm.NoEncoder, true
	if err := ctxnorm.Train(ctx, o); err != nil {
		log.Fatal(err)
	}
	m, err := ctxnorm.Open(ctx, o.Model, ctxnorm.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	fmt.Println(m.Dictionary().Len(), "concepts,", m.Dictionary().CountNames(), "names")
	// Output: 66 concepts, 119 names
}

// letters is a custom encoder: a vector of hashed character trigrams.
type letters struct{}

func (letters) Dim() int            { return 64 }
func (letters) Fingerprint() string { return "trigrams, version 1" }

func (l letters) Encode(_ context.Context, dst []float32, queries []ctxnorm.Query) error {
	clear(dst)
	for i := range queries {
		row := dst[i*l.Dim() : (i+1)*l.Dim()]
		s := "  " + strings.ToLower(queries[i].Surface()) + " "
		for at := range len(s) - 2 {
			h := fnv.New32a()
			h.Write([]byte(s[at : at+3]))
			row[h.Sum32()%uint32(l.Dim())]++
		}
		length := 0.
		for _, x := range row {
			length += float64(x * x)
		}
		for j := range row {
			row[j] /= float32(math.Sqrt(length)) // vectors have unit length
		}
	}
	return nil
}

// Index the corpus with an encoder of your own, and link with it.
func ExampleTrain_ownEncoder() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "ctxnorm-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	o := exampleOptions(dir)
	o.OwnEncoder = letters{}
	if err := ctxnorm.Train(ctx, o); err != nil {
		log.Fatal(err)
	}
	m, err := ctxnorm.Open(ctx, o.Model, ctxnorm.OpenOptions{
		OpenEncoder: func(string) (ctxnorm.Encoder, error) { return letters{}, nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	linked, err := m.LinkText(ctx, "He had [ENT] bronchial asthmas [/ENT] as a child.", ctxnorm.LinkOptions{Method: "weighted"})
	if err != nil {
		log.Fatal(err)
	}
	best := linked.Mentions[0].Candidates[0]
	fmt.Println(best.Concept, best.Name)
	// Output: EX:021 asthma
}

// Correct a model: a name takes effect without training, and can be undone.
func ExampleMemory() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "ctxnorm-example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	dir := filepath.Join(folder, "model") // the memory is beside it, in model.memory
	if err := os.CopyFS(dir, os.DirFS(exampleModel)); err != nil {
		log.Fatal(err)
	}
	m, err := ctxnorm.Open(ctx, dir, ctxnorm.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	corrections, err := m.Memory("")
	if err != nil {
		log.Fatal(err)
	}
	entry, err := corrections.Add(ctx, memory.Entry{Kind: memory.KindName, Concept: "EX:034", Name: "big toe trouble", By: "ann"}, false)
	if err != nil {
		log.Fatal(err)
	}
	corrected, err := corrections.Model(ctx)
	if err != nil {
		log.Fatal(err)
	}
	linked, err := corrected.LinkText(ctx, "His [ENT] big toe trouble [/ENT] is back.", ctxnorm.LinkOptions{})
	if err != nil {
		log.Fatal(err)
	}
	best := linked.Mentions[0].Candidates[0]
	fmt.Println(best.Concept, corrected.Name(best.Concept))
	if _, err := corrections.Undo(ctx, entry.Number, "ann"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(corrections.State().Active()), "entries in force")
	// Output:
	// EX:034 gout
	// 0 entries in force
}
