package link

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/knnindex"
	"ctxnorm/matcher"
	"ctxnorm/mine"
)

// gutDictionary has a concept with contexts and a name, one with contexts only in
// other words, and one without a name.
func gutDictionary() *ctxnorm.Dictionary {
	return ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "G1", Name: "coeliac disease", Synonyms: []string{"gluten enteropathy"}},
		{ID: "G2", Name: "gastric ulcer"},
		{ID: "G3", Parents: []ctxnorm.ConceptID{"G2"}},
	})
}

func gutContexts(t *testing.T, tagger *matcher.Tagger) []ctxnorm.Exemplar {
	t.Helper()
	texts := []string{
		"wheat avoidance heals gluten enteropathy in children",
		"bleeding from a gastric ulcer after aspirin",
		"aspirin and gastric ulcer",
		"wheat and coeliac disease",
	}
	var all []ctxnorm.Exemplar
	for i, text := range texts {
		doc := &ctxnorm.Document{ID: string(rune('1' + i)), Text: text}
		tagged := Tagged(doc, tagger)
		for _, q := range Queries(tagged) {
			all = append(all, ctxnorm.Exemplar{Query: q})
		}
	}
	if len(all) != len(texts) {
		t.Fatalf("%d contexts, want %d", len(all), len(texts))
	}
	return all
}

func gutEncoder() *bagOfWords {
	return &bagOfWords{name: "gut", vocabulary: strings.Fields("wheat aspirin gluten enteropathy gastric ulcer coeliac disease children")}
}

// buildGut builds a model of three concepts in a new folder.
func buildGut(t *testing.T, encoder *bagOfWords, mined ...mine.Synonym) string {
	t.Helper()
	return buildGutWith(t, encoder, func(o *BuildOptions) { o.Mined = mined })
}

// buildGutWith builds the model with other options.
func buildGutWith(t *testing.T, encoder *bagOfWords, change func(*BuildOptions)) string {
	t.Helper()
	dict := gutDictionary()
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultClean())
	if err != nil {
		t.Fatal(err)
	}
	o := BuildOptions{
		Dir: filepath.Join(t.TempDir(), "model"), Dictionary: dict, Tagger: tagger,
		Facts:    DictionaryFacts{Source: "gut.tsv", Fraction: 1, Seed: 1},
		Contexts: gutContexts(t, tagger), PerConcept: 25, Index: "flat",
	}
	if encoder != nil {
		o.Encoder = encoder
		o.EncoderDir = t.TempDir()
		if err := os.WriteFile(filepath.Join(o.EncoderDir, "config.json"), []byte("{}"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	change(&o)
	if _, err := Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o.Dir
}

func open(t *testing.T, dir string, encoder ctxnorm.Encoder) *Model {
	t.Helper()
	m, err := Open(dir, func(string) (ctxnorm.Encoder, error) { return encoder, nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// query asks for the mention between the marks of a text.
func query(t *testing.T, text string) ctxnorm.Query {
	t.Helper()
	before, rest, _ := strings.Cut(text, "<")
	surface, after, ok := strings.Cut(rest, ">")
	if !ok {
		t.Fatalf("no mention in %q", text)
	}
	m := ctxnorm.Mention{Span: ctxnorm.Span{Start: len(before), End: len(before) + len(surface)}}
	doc := &ctxnorm.Document{ID: "q", Text: before + surface + after, Mentions: []ctxnorm.Mention{m}}
	return Queries(doc)[0]
}

// exemplars are those of rows.
func exemplars(t testing.TB, rows *Rows) []ctxnorm.Exemplar {
	t.Helper()
	all, err := rows.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func concepts(candidates []ctxnorm.Candidate) []ctxnorm.ConceptID {
	var ids []ctxnorm.ConceptID
	for _, c := range candidates {
		ids = append(ids, c.Concept)
	}
	return ids
}

func TestModelLinksAsItWasBuilt(t *testing.T) {
	encoder := gutEncoder()
	m := open(t, buildGut(t, encoder), encoder)
	if got, want := m.Contexts.Len(), 4; got != want {
		t.Errorf("%d contexts, want %d", got, want)
	}
	if diff := cmp.Diff(gutDictionary().Hash(), m.Dictionary.Hash()); diff != "" {
		t.Errorf("dictionary: %s", diff)
	}
	paper := PaperVote()
	paper.K, paper.Evidence = 2, true
	voter, err := NewVoter(m, paper)
	if err != nil {
		t.Fatal(err)
	}
	// "sprue" is in no vocabulary: only "wheat" speaks, and both wheat contexts are of G1.
	results, err := voter.Link(t.Context(), []ctxnorm.Query{query(t, "wheat causes <sprue> here"), query(t, "<ulcer> by aspirin")}, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []ctxnorm.ConceptID{"G1", "G2"} {
		if diff := cmp.Diff([]ctxnorm.ConceptID{want}, concepts(results[i])); diff != "" {
			t.Errorf("query %d (-want +got):\n%s", i, diff)
			continue
		}
		best := results[i][0]
		if best.Votes != 2 || best.Probability != 1 || len(best.Evidence) != 2 {
			t.Errorf("query %d: %d votes, probability %g, %d exemplars, want 2, 1, 2", i, best.Votes, best.Probability, len(best.Evidence))
		}
	}
}

func TestNamesAnswerWhereContextsDoNot(t *testing.T) {
	encoder := gutEncoder()
	m := open(t, buildGut(t, encoder), encoder)
	names := DefaultVote()
	names.NameShare, names.Evidence = 1, true
	voter, err := NewVoter(m, names)
	if err != nil {
		t.Fatal(err)
	}
	results, err := voter.Link(t.Context(), []ctxnorm.Query{query(t, "aspirin and <enteropathy>")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ctxnorm.ConceptID{"G1"}, concepts(results[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if ex := results[0][0].Evidence[0].Exemplar; !ex.Bare || ex.Text != "gluten enteropathy" {
		t.Errorf("evidence is %q, want the name gluten enteropathy", ex.Text)
	}
}

func TestMinedNamesStandApart(t *testing.T) {
	mined := []mine.Synonym{
		{Concept: "G1", Text: "Coeliac Disease", Count: 9, Source: "gloss"}, // the dictionary has it
		{Concept: "G2", Text: "children belly", Count: 2, Source: "also known as"},
	}
	encoder := gutEncoder()
	dir := buildGut(t, encoder, mined...)
	got, err := ReadMined(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mined, got); diff != "" {
		t.Errorf("mined names (-want +got):\n%s", diff)
	}
	m := open(t, dir, encoder)
	if names, whole := m.Dictionary.CountNames(), m.Names.Len(); names != 3 || whole != 4 {
		t.Errorf("%d names in the dictionary and %d rows, want 3 and 4", names, whole)
	}
	options := DefaultVote()
	options.NameShare, options.Evidence = 1, true
	voter, err := NewVoter(m, options)
	if err != nil {
		t.Fatal(err)
	}
	results, err := voter.Link(t.Context(), []ctxnorm.Query{query(t, "<children>")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ctxnorm.ConceptID{"G2"}, concepts(results[0])); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if source := results[0][0].Evidence[0].Exemplar.Source; source != "also known as" {
		t.Errorf("the source of the evidence is %q, want also known as", source)
	}
	// A held-out name takes the mined names of its concept with it.
	hidden := heldOutNameRows(m, exemplars(t, &m.Names), map[string]bool{"gastric ulcer": true})
	if !hidden[len(hidden)-1] {
		t.Error("a mined name of a held-out name's concept is seen")
	}
}

func TestJoinVotes(t *testing.T) {
	vote := func(concept ctxnorm.ConceptID, share float64, votes int, voices ...supportingHit) rankedCandidate {
		return rankedCandidate{ctxnorm.Candidate{Concept: concept, Score: share, Probability: share, Votes: votes}, voices}
	}
	name := supportingHit{new(Rows), knnindex.Hit{Row: 1, Similarity: .8}}
	context := supportingHit{new(Rows), knnindex.Hit{Row: 2, Similarity: .9}}
	names := []rankedCandidate{vote("A", .75, 3, name), vote("B", .25, 1)}
	contexts := []rankedCandidate{vote("C", .5, 2), vote("A", .25, 1, context), vote("B", .25, 1)}
	// .5*.75 + .5*.25 = .5, .5*.25 + .5*.25 = .25, .5*.5 = .25: B before C by ID.
	want := []rankedCandidate{vote("A", .5, 4, context, name), vote("B", .25, 2), vote("C", .25, 2)}
	if got := joinVotes(names, contexts, .5); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAbbreviationIsWrittenOut(t *testing.T) {
	text := "We saw coeliac disease (CD). Both CD and rickets followed."
	second := strings.LastIndex(text, "CD")
	rickets := strings.Index(text, "rickets")
	doc := &ctxnorm.Document{ID: "1", Text: text, Mentions: []ctxnorm.Mention{
		{Span: ctxnorm.Span{Start: 7, End: 22}},
		{Span: ctxnorm.Span{Start: second, End: second + 2}},
		{Span: ctxnorm.Span{Start: rickets, End: rickets + 7}},
	}}
	expanded := expandAbbreviations(Queries(doc), true, nil)
	q := expanded[1]
	if got, want := q.Text, "We saw coeliac disease (CD). Both coeliac disease and rickets followed."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got, want := q.Sentence.Of(q.Text), "Both coeliac disease and rickets followed."; got != want {
		t.Errorf("sentence %q, want %q", got, want)
	}
	var marks []string
	for _, m := range q.Mentions {
		marks = append(marks, m.Of(q.Text))
	}
	if diff := cmp.Diff([]string{"coeliac disease", "coeliac disease", "rickets"}, marks); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
	if expanded[0].Document != doc || expanded[2].Document != doc {
		t.Error("a mention that is no abbreviation was changed")
	}
}

func TestModelWithoutEncoder(t *testing.T) {
	m := open(t, buildGut(t, nil), nil)
	if _, err := NewVoter(m, DefaultVote()); !errors.Is(err, ErrNoVectors) {
		t.Errorf("a vote without an encoder: %v", err)
	}
	lexical, err := NewLexical(m.Dictionary, matcher.DefaultLexical())
	if err != nil {
		t.Fatal(err)
	}
	results, err := lexical.Link(t.Context(), []ctxnorm.Query{query(t, "<gastric ulcers>")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ctxnorm.ConceptID{"G2"}, concepts(results[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDamagedModelIsRefusedByFile(t *testing.T) {
	encoder := gutEncoder()
	for _, tc := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		file   string // named in the error
		opens  bool   // only Verify sees it
	}{
		{"missing vectors", func(t *testing.T, dir string) { remove(t, dir, nameVectors) }, "names.npy", false},
		{"cut contexts", func(t *testing.T, dir string) { truncate(t, dir, contextExemplars) }, "contexts.parquet", false},
		{"changed tagger", func(t *testing.T, dir string) { flip(t, dir, taggerFile) }, "tagger.fst", true}, // see TestTaggerOfModel
		{"changed vectors", func(t *testing.T, dir string) { flip(t, dir, contextVectors) }, "contexts.npy", true},
		{"no manifest", func(t *testing.T, dir string) { remove(t, dir, manifestFile) }, "manifest.json", false},
		{"a file too many", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "index", "extra"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}, "extra", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := buildGut(t, encoder)
			if _, err := Verify(dir); err != nil {
				t.Fatalf("before the damage: %v", err)
			}
			tc.damage(t, dir)
			if _, err := Verify(dir); err == nil || !strings.Contains(err.Error(), tc.file) {
				t.Errorf("Verify: %v, want an error that names %s", err, tc.file)
			}
			m, err := Open(dir, func(string) (ctxnorm.Encoder, error) { return encoder, nil })
			if tc.opens {
				if err != nil {
					t.Fatalf("Open: %v", err)
				}
				if err := m.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.file) {
				t.Errorf("Open: %v, want an error that names %s", err, tc.file)
			}
		})
	}
}

func TestTaggerOfModel(t *testing.T) {
	dir := buildGut(t, nil)
	tagger, err := open(t, dir, nil).Tagger()
	if err != nil {
		t.Fatal(err)
	}
	doc := Tagged(&ctxnorm.Document{Text: "a gastric ulcer"}, tagger)
	if len(doc.Mentions) != 1 || doc.Mentions[0].Of(doc.Text) != "gastric ulcer" {
		t.Errorf("mentions are %v, want gastric ulcer", doc.Mentions)
	}
	flip(t, dir, taggerFile)
	m := open(t, dir, nil) // without reading it
	var fault *FileError
	if _, err := m.Tagger(); !errors.As(err, &fault) || !strings.HasSuffix(fault.Path, taggerFile) {
		t.Errorf("damaged: %v, want an error about %s", err, taggerFile)
	}
}

func TestAnotherEncoderIsRefused(t *testing.T) {
	dir := buildGut(t, gutEncoder())
	other := gutEncoder()
	other.name = "other"
	_, err := Open(dir, func(string) (ctxnorm.Encoder, error) { return other, nil })
	var fault *FileError
	if !errors.As(err, &fault) || !strings.HasSuffix(fault.Path, encoderFolder) {
		t.Errorf("Open: %v, want an error about %s", err, encoderFolder)
	}
}

func TestBuildLeavesOtherFoldersAlone(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "thesis.tex")
	if err := os.WriteFile(precious, []byte("years"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), BuildOptions{Dir: dir}); err == nil {
		t.Fatal("a folder that is no model was overwritten")
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/2); err != nil {
		t.Fatal(err)
	}
}

// flip changes the last byte of a file.
func flip(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
