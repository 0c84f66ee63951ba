package corpus

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"html"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordTagger finds single words and ignores case.
type wordTagger map[string][]kb.ConceptID

func (t wordTagger) Fingerprint() string { return "words" }

func (t wordTagger) Tag(dst []text.Mention, s string) []text.Mention {
	for start := 0; start < len(s); {
		end := start + strings.IndexFunc(s[start:]+" ", func(r rune) bool { return !unicode.IsLetter(r) })
		name := strings.ToLower(s[start:end])
		if ids := t[name]; ids != nil {
			dst = append(dst, text.Mention{Span: text.Span{Start: start, End: end}, Name: name, Concepts: ids})
		}
		start = end + 1
	}
	return dst
}

func (t wordTagger) LookupLongForm(long string) (string, []kb.ConceptID) {
	name := strings.ToLower(long)
	return name, t[name]
}

func (t wordTagger) MayStandFor(short string) bool {
	return len(t.Tag(nil, short)) > 0 || strings.HasPrefix(short, "GM")
}

// nextWordExtractor pairs every mention with the text after it up to the next space.
type nextWordExtractor struct{}

func (nextWordExtractor) Fingerprint() string { return "next word" }

func (nextWordExtractor) Extract(dst []SynonymPair, s string, _ []abbrev.Definition, mentions []text.Mention) []SynonymPair {
	for _, m := range mentions {
		word, _, _ := strings.Cut(strings.TrimPrefix(s[m.End:], " "), " ")
		dst = append(dst, SynonymPair{Kind: string(m.Concepts[0]), Left: m.Of(s), Right: word})
	}
	return dst
}

var testTagger = wordTagger{
	"flu": {"D:1"}, "influenza": {"D:1"}, "cancer": {"D:2"}, "tumour": {"D:2", "D:3"}, "gout": {"D:4"},
	"糖尿病": {"D:5"}, "ménière": {"D:6"}, "cold": {"D:7", "D:8"}, "ague": {"D:9"},
}

func testDictionary() *kb.Dictionary {
	var concepts []kb.Concept
	for name, ids := range testTagger {
		for _, id := range ids {
			concepts = append(concepts, kb.Concept{ID: id, Synonyms: []string{name}})
		}
	}
	// The hash of the dictionary depends on the order.
	slices.SortFunc(concepts, func(a, b kb.Concept) int { return cmp.Compare(a.Synonyms[0], b.Synonyms[0]) })
	return kb.NewDictionary(concepts)
}

// testRecord is a PubMed record to be written as XML.
type testRecord struct {
	pmid     string
	version  int
	title    string
	sections [][2]string // label and text
}

// year returns the year of publication, which is derived from the PMID and the version.
func (r *testRecord) year() int { return 1900 + len(r.pmid) + 10*r.version }

// testFile is an input file to be written as XML.
type testFile struct {
	name    string
	records []testRecord
	deleted []string
}

func (f *testFile) xml() []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<PubmedArticleSet>\n")
	for _, r := range f.records {
		fmt.Fprintf(&b, "<PubmedArticle><MedlineCitation><PMID Version=\"%d\">%s</PMID><Article><Journal><JournalIssue>"+
			"<PubDate><Year>%d</Year></PubDate></JournalIssue></Journal><ArticleTitle>%s</ArticleTitle>\n",
			r.version, r.pmid, r.year(), html.EscapeString(r.title))
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

// writeFiles writes the files, those named .gz compressed, and returns their paths.
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
		must.Succeed(t, os.WriteFile(path, data, 0o644))
		paths = append(paths, path)
	}
	return paths
}

// world has the parameters of random input files.
type world struct {
	files, records int
	pmids          int     // number of distinct PMIDs: fewer than files*records cause conflicts; 0: all PMIDs are distinct
	deletions      float64 // ratio of PMIDs deleted per record
}

func (w world) make(random *rand.Rand) []testFile {
	names := slices.Sorted(maps.Keys(testTagger))
	fillers := []string{"Patients", "with", "had", "the", "(12%)", "α-blockers", "e.g.", "was", "3.5", "症", "in", "S.", "and",
		"flat lung unit (FLU)", "FLU", "influenza (INZ)", "INZ", "grey mount (GMs)", "GMs", "GM-FLU", "gold mine (GM)", "great scale (GS)", "GS"}
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
	sentences := func(most int) string {
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
			r := testRecord{pmid: pmid(), version: 1 + random.IntN(2), title: sentences(1)}
			for range random.IntN(3) {
				label := []string{"", "METHODS", "RESULTS"}[random.IntN(3)]
				if body := sentences(4); body != "" {
					r.sections = append(r.sections, [2]string{label, body})
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

// reference computes the corpus of files directly from its definition: it holds everything in memory, sorts it and
// takes the first sentences of each name.
func reference(files []testFile, o *Options) ([]*Sentence, []SynonymPairCount, Totals, Dropped) {
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
	latest := make(map[string]candidate)
	for _, c := range all {
		latest[c.pmid] = c
	}
	var sentences []*Sentence
	longForms := make(map[string]bool) // names, in normal form
	records := make(map[SynonymPair]map[string]bool)
	for _, c := range all {
		if deleted[c.pmid] {
			dropped.Deleted++
			continue
		}
		if l := latest[c.pmid]; l.file != c.file || l.number != c.number {
			dropped.Superseded++
			continue
		}
		totals.Records++
		index := 0
		sections := append([][2]string{{titleSection, c.title}}, c.sections...)
		definitions := definitionsIn(sections)
		for _, s := range sections {
			var named []text.Mention // with offsets in the section
			for _, span := range sentence.Split(s[1]) {
				sent := &Sentence{Section: cmp.Or(s[0], abstractSection), Index: index}
				sent.ID, sent.Text = c.pmid, span.Of(s[1])
				sent.Mentions = tagByDefinition(sent.Text, definitions)
				index++
				for _, m := range sent.Mentions {
					if m.LongForm == "" {
						m.Start, m.End = m.Start+span.Start, m.End+span.Start
						named = append(named, m)
						continue
					}
					totals.Defined++
					longForms[m.Name] = true
					if len(m.Concepts) == 0 {
						totals.NIL++
					}
				}
				totals.Sentences++
				if len(sent.Mentions) > 0 {
					totals.Tagged++
					totals.Mentions += len(sent.Mentions)
					sentences = append(sentences, sent)
				}
			}
			for _, p := range (nextWordExtractor{}).Extract(nil, s[1], nil, named) {
				if records[p] == nil {
					records[p] = make(map[string]bool)
				}
				records[p][c.pmid] = true
			}
		}
	}
	kept := make(map[*Sentence]bool)
	for name := range testTagger {
		longForms[name] = true
	}
	for name := range longForms { // those of the dictionary and those of definitions
		var withName []*Sentence
		for _, s := range sentences {
			if slices.ContainsFunc(s.Mentions, func(m text.Mention) bool { return m.Name == name }) {
				withName = append(withName, s)
			}
		}
		hash := func(s *Sentence) uint64 { return sampling.Hash(o.Seed, s.ID, fmt.Sprint(s.Index), name) }
		slices.SortFunc(withName, func(a, b *Sentence) int { return cmp.Compare(hash(a), hash(b)) })
		for _, s := range withName[:min(o.SentencesPerName, len(withName))] {
			kept[s] = true
		}
	}
	names, concepts := make(map[string]bool), make(map[kb.ConceptID]bool)
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
	var pairs []SynonymPairCount
	for p, pmids := range records {
		pairs = append(pairs, SynonymPairCount{p, len(pmids)})
	}
	slices.SortFunc(pairs, func(a, b SynonymPairCount) int { return comparePairs(&a.SynonymPair, &b.SynonymPair) })
	totals.Pairs = len(pairs)
	return sentences, pairs, totals, dropped
}

// definitionsIn returns the long form of every short form that the sections of a record define, with and without its
// plural s.
func definitionsIn(sections [][2]string) map[string]string {
	definitions := make(map[string]string)
	for _, trim := range []string{"", "s"} { // a definition of AP comes before one of APs
		for _, s := range sections {
			for _, d := range abbrev.Find(s[1]) {
				short, ok := strings.CutSuffix(d.Short.Of(s[1]), trim)
				if _, known := definitions[short]; ok && !known {
					definitions[short] = d.Long.Of(s[1])
				}
			}
		}
	}
	return definitions
}

// tagByDefinition tags a sentence: first the names, then any defined short form or its plural. The names in the test
// are words, so none is longer than a short form.
func tagByDefinition(s string, definitions map[string]string) []text.Mention {
	mentions := testTagger.Tag(nil, s)
	isWord := func(r byte) bool { return r < 0x80 && (unicode.IsLetter(rune(r)) || unicode.IsDigit(rune(r))) }
	for start := range s {
		for end := start + 1; end <= len(s); end++ {
			if start > 0 && isWord(s[start-1]) || end < len(s) && isWord(s[end]) {
				continue
			}
			long, ok := definitions[s[start:end]]
			if !ok {
				long, ok = definitions[strings.TrimSuffix(s[start:end], "s")]
			}
			name := strings.ToLower(long)
			if !ok || testTagger[name] == nil && !testTagger.MayStandFor(s[start:end]) {
				continue
			}
			span := text.Span{Start: start, End: end}
			mentions = slices.DeleteFunc(mentions, func(m text.Mention) bool { return m.Start < end && start < m.End })
			mentions = append(mentions, text.Mention{Span: span, Name: name, LongForm: long, Concepts: testTagger[name]})
		}
	}
	slices.SortFunc(mentions, func(a, b text.Mention) int { return a.Start - b.Start })
	return mentions
}

// collect returns the values of a sequence without an error.
func collect[T any](values iter.Seq2[T, error]) (all []T) {
	for value, err := range values {
		all = append(all, must.Get(value, err))
	}
	return all
}

// readAll returns the sentences of the corpus in dir.
func readAll(dir string) []*Sentence {
	return collect(must.Get(Open(dir)).Sentences(context.Background()))
}

// readPairs returns the pairs of the corpus in dir.
func readPairs(dir string) []SynonymPairCount {
	return collect(must.Get(Open(dir)).Pairs(context.Background()))
}

// folder returns the content of the files of a corpus with pairs. It fails if the set of files is wrong.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))
	files := make(map[string]string)
	for _, e := range entries {
		data := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))
		files[e.Name()] = string(data)
	}
	if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, []string{manifestName, pairsName, recordsName, sentencesName}) {
		t.Fatalf("%s holds %q", dir, names)
	}
	return files
}

// sameFolders fails if the corpora in the two folders are not byte-identical.
func sameFolders(t testing.TB, want, got string) {
	t.Helper()
	a, b := folder(t, want), folder(t, got)
	must.Equal(t, a[manifestName], b[manifestName], "manifests differ")
	for name := range a {
		must.Equal(t, a[name], b[name], name)
	}
}
