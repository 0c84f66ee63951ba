package corpus

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"ctxnorm"
	"ctxnorm/segment"
)

// wordTagger finds single words, whatever their case.
type wordTagger map[string][]ctxnorm.ConceptID

func (t wordTagger) Fingerprint() string { return "words" }

func (t wordTagger) Tag(dst []ctxnorm.Mention, text string) []ctxnorm.Mention {
	for start := 0; start < len(text); {
		end := start + strings.IndexFunc(text[start:]+" ", func(r rune) bool { return !unicode.IsLetter(r) })
		name := strings.ToLower(text[start:end])
		if ids := t[name]; ids != nil {
			dst = append(dst, ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: end}, Name: name, Concepts: ids})
		}
		start = end + 1
	}
	return dst
}

// wordMiner pairs every mention with what follows it up to the next space.
type wordMiner struct{}

func (wordMiner) Fingerprint() string { return "next word" }

func (wordMiner) Mine(dst []Pair, text string, mentions []ctxnorm.Mention) []Pair {
	for _, m := range mentions {
		word, _, _ := strings.Cut(strings.TrimPrefix(text[m.End:], " "), " ")
		dst = append(dst, Pair{Kind: string(m.Concepts[0]), Left: m.Of(text), Right: word})
	}
	return dst
}

var testTagger = wordTagger{
	"flu": {"D:1"}, "influenza": {"D:1"}, "cancer": {"D:2"}, "tumour": {"D:2", "D:3"}, "gout": {"D:4"},
	"糖尿病": {"D:5"}, "ménière": {"D:6"}, "cold": {"D:7", "D:8"}, "ague": {"D:9"},
}

func testDictionary() *ctxnorm.Dictionary {
	var concepts []ctxnorm.Concept
	for name, ids := range testTagger {
		for _, id := range ids {
			concepts = append(concepts, ctxnorm.Concept{ID: id, Synonyms: []string{name}})
		}
	}
	// The order of synonyms counts for the dictionary's hash.
	slices.SortFunc(concepts, func(a, b ctxnorm.Concept) int { return cmp.Compare(a.Synonyms[0], b.Synonyms[0]) })
	return ctxnorm.NewDictionary(concepts)
}

// testRecord is a PubMed record before it is XML.
type testRecord struct {
	pmid     string
	version  int
	title    string
	sections [][2]string // label and text
}

// testFile is an input file before it is XML.
type testFile struct {
	name    string
	records []testRecord
	deleted []string
}

func (f *testFile) xml() []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<PubmedArticleSet>\n")
	for _, r := range f.records {
		fmt.Fprintf(&b, "<PubmedArticle><MedlineCitation><PMID Version=\"%d\">%s</PMID><Article><ArticleTitle>%s</ArticleTitle>\n",
			r.version, r.pmid, html.EscapeString(r.title))
		if len(r.sections) > 0 {
			b.WriteString("<Abstract>\n")
			for _, s := range r.sections {
				label := ""
				if s[0] != "" {
					label = fmt.Sprintf(" Label=%q", s[0])
				}
				fmt.Fprintf(&b, "<AbstractText%s>%s</AbstractText>\n", label, html.EscapeString(s[1]))
			}
			b.WriteString("</Abstract>")
		}
		b.WriteString("</Article></MedlineCitation></PubmedArticle>\n")
	}
	if len(f.deleted) > 0 {
		b.WriteString("<DeleteCitation>")
		for _, pmid := range f.deleted {
			fmt.Fprintf(&b, "<PMID Version=\"1\">%s</PMID>", pmid)
		}
		b.WriteString("</DeleteCitation>\n")
	}
	b.WriteString("</PubmedArticleSet>\n")
	return b.Bytes()
}

// writeFiles writes the files, those called .gz packed, and gives their paths.
func writeFiles(t testing.TB, files []testFile) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i := range files {
		data := files[i].xml()
		if strings.HasSuffix(files[i].name, ".gz") {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write(data)
			z.Close()
			data = packed.Bytes()
		}
		path := filepath.Join(dir, files[i].name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// world is how random input is made.
type world struct {
	files, records int
	pmids          int     // to choose from: fewer than files*records make conflicts
	deletions      float64 // for each file, of its records
}

func (w world) make(random *rand.Rand) []testFile {
	names := slices.Sorted(maps.Keys(testTagger))
	fillers := []string{"Patients", "with", "had", "the", "(12%)", "α-blockers", "e.g.", "was", "3.5", "症", "in", "S.", "and"}
	sentence := func() string {
		var words []string
		for range 2 + random.IntN(7) {
			if random.IntN(4) == 0 {
				// Squared, so that some names are rare.
				pick := random.Float64()
				words = append(words, names[int(pick*pick*float64(len(names)))])
			} else {
				words = append(words, fillers[random.IntN(len(fillers))])
			}
		}
		return strings.Join(words, " ") + ". "
	}
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most + 1) {
			b.WriteString(sentence())
		}
		return strings.TrimSpace(b.String())
	}
	fresh := 0
	pmid := func() string {
		if w.pmids == 0 {
			fresh++
			return fmt.Sprint(fresh)
		}
		return fmt.Sprint(1 + random.IntN(w.pmids))
	}
	files := make([]testFile, w.files)
	for i := range files {
		f := &files[i]
		f.name = fmt.Sprintf("pubmed%04d.xml", i+1)
		if random.IntN(2) == 0 {
			f.name += ".gz"
		}
		for range w.records {
			r := testRecord{pmid: pmid(), version: 1 + random.IntN(2), title: text(1)}
			for range random.IntN(3) {
				label := []string{"", "METHODS", "RESULTS"}[random.IntN(3)]
				if text := text(4); text != "" {
					r.sections = append(r.sections, [2]string{label, text})
				}
			}
			f.records = append(f.records, r)
			if random.Float64() < w.deletions {
				f.deleted = append(f.deleted, pmid())
			}
		}
	}
	return files
}

// reference is what the corpus of files is by its definition: everything in
// memory, sorted and cut.
func reference(files []testFile, o *Options) ([]*Sentence, []PairCount, Totals, Dropped) {
	type candidate struct {
		testRecord
		file, number int
	}
	var totals Totals
	var dropped Dropped
	var all []candidate
	deleted := make(map[string]bool)
	for i, f := range files {
		for j, r := range f.records {
			if o.Exclude[r.pmid] {
				dropped.Excluded++
				continue
			}
			all = append(all, candidate{r, i, j})
		}
		for _, pmid := range f.deleted {
			deleted[pmid] = true
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(a.version-b.version, cmp.Compare(files[a.file].name, files[b.file].name), a.number-b.number)
	})
	winners := make(map[string]candidate)
	for _, c := range all {
		winners[c.pmid] = c
	}
	var sentences []*Sentence
	records := make(map[Pair]map[string]bool)
	for _, c := range all {
		if deleted[c.pmid] {
			dropped.Deleted++
			continue
		}
		if w := winners[c.pmid]; w.file != c.file || w.number != c.number {
			dropped.Superseded++
			continue
		}
		totals.Records++
		index := 0
		for _, s := range append([][2]string{{TitleSection, c.title}}, c.sections...) {
			for _, p := range (wordMiner{}).Mine(nil, s[1], testTagger.Tag(nil, s[1])) {
				if records[p] == nil {
					records[p] = make(map[string]bool)
				}
				records[p][c.pmid] = true
			}
			for _, span := range segment.Sentences(s[1]) {
				sentence := &Sentence{Section: cmp.Or(s[0], AbstractSection), Index: index}
				sentence.ID, sentence.Text = c.pmid, span.Of(s[1])
				sentence.Mentions = testTagger.Tag(nil, sentence.Text)
				index++
				totals.Sentences++
				if len(sentence.Mentions) > 0 {
					totals.Tagged++
					totals.Mentions += len(sentence.Mentions)
					sentences = append(sentences, sentence)
				}
			}
		}
	}
	kept := make(map[*Sentence]bool)
	for name := range testTagger {
		var holding []*Sentence
		for _, s := range sentences {
			if slices.ContainsFunc(s.Mentions, func(m ctxnorm.Mention) bool { return m.Name == name }) {
				holding = append(holding, s)
			}
		}
		hash := func(s *Sentence) uint64 { return ctxnorm.Hash(o.Seed, s.ID, fmt.Sprint(s.Index), name) }
		slices.SortFunc(holding, func(a, b *Sentence) int { return cmp.Compare(hash(a), hash(b)) })
		for _, s := range holding[:min(o.PerName, len(holding))] {
			kept[s] = true
		}
	}
	names, concepts := make(map[string]bool), make(map[ctxnorm.ConceptID]bool)
	sentences = slices.DeleteFunc(sentences, func(s *Sentence) bool { return !kept[s] })
	for _, s := range sentences {
		totals.SampledMentions += len(s.Mentions)
		for _, m := range s.Mentions {
			names[m.Name] = true
			for _, id := range m.Concepts {
				concepts[id] = true
			}
		}
	}
	slices.SortFunc(sentences, func(a, b *Sentence) int {
		return cmp.Or(len(a.ID)-len(b.ID), cmp.Compare(a.ID, b.ID), a.Index-b.Index)
	})
	totals.Sampled, totals.Names, totals.Concepts = len(sentences), len(names), len(concepts)
	dropped.Untagged = totals.Sentences - totals.Tagged
	dropped.Unsampled = totals.Tagged - totals.Sampled
	var pairs []PairCount
	for p, pmids := range records {
		pairs = append(pairs, PairCount{p, len(pmids)})
	}
	slices.SortFunc(pairs, func(a, b PairCount) int { return comparePairs(&a.Pair, &b.Pair) })
	totals.Pairs = len(pairs)
	return sentences, pairs, totals, dropped
}

// readAll gives the sentences of the corpus in dir.
func readAll(t testing.TB, dir string) []*Sentence {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Sentence
	for s, err := range c.Sentences() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// readPairs gives the pairs of the corpus in dir.
func readPairs(t testing.TB, dir string) []PairCount {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []PairCount
	for p, err := range c.Pairs() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// folder gives the files of a corpus, and fails if there are others.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, []string{manifestName, pairsName, recordsName, sentencesName}) {
		t.Fatalf("%s holds %q", dir, names)
	}
	return files
}

// sameFolders fails unless the corpora in the two folders are equal to the byte.
func sameFolders(t testing.TB, want, got string) {
	t.Helper()
	a, b := folder(t, want), folder(t, got)
	if a[manifestName] != b[manifestName] {
		t.Errorf("manifests differ:\n%s\n%s", a[manifestName], b[manifestName])
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs: %d and %d bytes", name, len(a[name]), len(b[name]))
		}
	}
}
