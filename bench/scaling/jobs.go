package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// Fields of a corpus and of a model, the numbers in their manifests.
const (
	records     = "totals.records"
	corpusNames = "settings.dictionary.names"
	modelNames  = "dictionary.names"
)

const (
	stringLinks = 300 // sentences linked by strings after the start-up
	efSearch    = 100 // width of the search in a graph
)

var (
	contexts  = figure{name: "contexts encoded", field: "index.contexts", limited: true}
	modelSize = figure{name: "model", field: "bytes", unit: "bytes"}
)

// jobs returns all that is measured.
func (s *settings) jobs() []*job {
	t := s.newTexts()
	byRecords := s.byRecords(t) // which sets the corpus and the model
	return slices.Concat(byRecords, s.bySentences(t), s.byNames(t), s.byVectors())
}

// path returns one in the folder that the runs write to.
func (s *settings) path(format string, args ...any) string {
	return filepath.Join(s.Work, "runs", fmt.Sprintf(format, args...))
}

// program returns a run of ctxnorm. Fresh is what it writes, removed first.
func (s *settings) program(fresh string, args ...string) *process {
	return &process{Process: harness.Process{Args: append([]string{s.Ctxnorm}, args...), Threads: s.Threads, Fresh: fresh}}
}

// build returns a run of build-corpus.
func (s *settings) build(to, dict, size string, files []string, inputs ...*harness.Input) *process {
	p := s.program(to, append([]string{"build-corpus", "--dict", dict, "--corpus", to}, files...)...)
	p.inputs, p.size, p.Read = inputs, size, func([]byte) (harness.Line, error) { return readFolder(to) }
	return p
}

// model returns a run of index or train on a corpus.
func (s *settings) model(to, dict, size, corpus string, built *process, args ...string) *process {
	p := s.program(to, append([]string{"train", "--dict", dict, "--corpus", corpus, "--model", to}, args...)...)
	p.size, p.needs, p.Read = size, []*process{built}, func([]byte) (harness.Line, error) { return readFolder(to, corpus) }
	return p
}

// encoder returns the flags of a model that encodes a share of the names.
func (s *settings) encoder(fraction float64, more ...string) []string {
	return append([]string{"--base-model", s.Model, "--dict-fraction", fmt.Sprintf("%.4g", fraction)}, more...)
}

// texts are what several jobs read.
type texts struct {
	inputs        []*harness.Input // that make the files
	shards        [][]string       // the files, split so that every size has files from all of the text
	tiny          harness.XML      // 10 records
	corpus, model *process         // of the largest size; the model has an encoder
}

func (s *settings) newTexts() *texts {
	n := s.largest()
	xml := harness.XML{Files: s.PubMed}
	if len(xml.Files) == 0 {
		xml = s.MadeXML("xml", s.Records*n, s.Files*n, 1)
	}
	return &texts{inputs: xml.Made, shards: splitRoundRobin(xml.Files[:n*s.Files], n), tiny: s.MadeXML("tiny", 10, 1, 1)}
}

// splitRoundRobin puts every n-th file into one shard.
func splitRoundRobin(files []string, n int) [][]string {
	shards := make([][]string, n)
	for i, file := range files {
		shards[i%n] = append(shards[i%n], file)
	}
	return shards
}

// first returns the files of the first n shards.
func (t *texts) first(n int) []string {
	var files []string
	for _, shard := range t.shards[:n] {
		files = append(files, shard...)
	}
	return files
}

// byRecords returns the jobs whose text grows: the corpus, merging corpora of its
// shards, and models of it.
func (s *settings) byRecords(t *texts) []*job {
	same := fmt.Sprintf("the dictionary, of which %g is encoded", s.Fraction)
	build := &job{name: "build-corpus", by: "records", same: "the dictionary", extra: []figure{
		{name: "sentences kept", field: "totals.sampled", limited: true},
		{name: "sentences.parquet", field: "sentences.parquet", unit: "bytes", limited: true},
		{name: "pairs.parquet", field: "pairs.parquet", unit: "bytes", limited: true},
		{name: "records.parquet", field: "records.parquet", unit: "bytes"},
	}}
	merge := &job{name: "corpus merge", by: "records", same: "the dictionary, the records of each corpus"}
	index := &job{name: "train --untrained", by: "records", same: same, extra: []figure{contexts}}
	train := &job{name: "train", by: "records", same: fmt.Sprintf("%s; %d steps of 32 rows", same, s.Steps),
		extra: []figure{{name: "a step", field: "step_ms", unit: "ms"}, contexts}}
	var shards []*process
	var folders []string
	for i, files := range t.shards {
		folders = append(folders, s.path("shard-%d", i+1))
		shards = append(shards, s.build(folders[i], s.Dict, records, files, t.inputs...))
	}
	for _, times := range s.times {
		corpus, merged := s.path("corpus-%d", times), s.path("merged-%d", times)
		t.corpus = s.build(corpus, s.Dict, records, t.first(times), t.inputs...)
		build.runs = append(build.runs, t.corpus)

		joined := max(2, times) // one corpus cannot be merged
		merging := s.program(merged, append([]string{"corpus", "merge", "--corpus", merged}, folders[:joined]...)...)
		merging.needs, merging.size = shards[:joined], records
		merging.Read = func([]byte) (harness.Line, error) { return readFolder(merged) }
		merge.runs = append(merge.runs, merging)

		t.model = s.model(s.path("index-%d", times), s.Dict, records, corpus, t.corpus, s.encoder(s.Fraction, "--untrained")...)
		index.runs = append(index.runs, t.model)
		train.runs = append(train.runs, s.model(s.path("train-%d", times), s.Dict, records, corpus, t.corpus, s.encoder(s.Fraction,
			"--set", fmt.Sprintf("steps=%d,concepts-per-batch=16,validate-every=-1,checkpoint-every=-1", s.Steps))...))
	}
	return []*job{build, merge, index, train}
}

// bySentences returns the jobs that read sentences of the corpus, whose tagged names
// are both mentions to link and their gold. One sentence alone is the start-up.
func (s *settings) bySentences(t *texts) []*job {
	same := fmt.Sprintf("the model of index at %dx", s.largest())
	tag, link, eval := &job{name: "tag", same: "the dictionary"}, &job{name: "link", same: same}, &job{name: "eval", same: same}
	model := t.model.Fresh
	for _, times := range append([]int{0}, s.times...) {
		many, few := max(1, times*s.Texts), max(1, times*s.Sentences)
		for _, v := range []struct {
			*job
			n    int
			args []string
		}{
			{tag, many, []string{"tag", "--dict", s.Dict, "--input"}},
			{link, few, []string{"link", "--model", model, "--input"}},
			{eval, few, []string{"eval", "--model", model, "--gold"}},
		} {
			made := s.sentencesOf(t, v.n)
			p := s.program("", append(v.args, made.Fresh)...)
			p.n, p.needs = float64(v.n), []*process{made}
			if v.job != tag {
				p.needs = append(p.needs, t.model)
			}
			v.by, v.runs = "sentences", append(v.runs, p)
		}
	}
	return []*job{tag, link, eval}
}

// repeatScript writes n lines of a command's output to the file $0, starting over as
// often as necessary: sh -c repeatScript FILE n COMMAND…
const repeatScript = `n=$1; shift; "$@" >"$0.once" && [ -s "$0.once" ] && { while cat "$0.once" 2>/dev/null; do :; done; } | head -n "$n" >"$0"`

// sentencesOf returns the run that writes the first n sentences of the largest corpus,
// repeated if it has fewer.
func (s *settings) sentencesOf(t *texts, n int) *process {
	path := s.path("sentences-%d.jsonl", n)
	return &process{needs: []*process{t.corpus}, Process: harness.Process{Threads: s.Threads, Fresh: path,
		Args: []string{"/bin/sh", "-c", repeatScript, path, fmt.Sprint(n),
			s.Ctxnorm, "corpus", "show", "--json", "--corpus", t.corpus.Fresh, "--limit", fmt.Sprint(n)}}}
}

// byNames returns the jobs whose dictionary grows, concepts with it, and those that
// encode a growing share of its names.
func (s *settings) byNames(t *texts) []*job {
	start := &job{name: "build-corpus, start", same: "10 records"}
	build := &job{name: "build-corpus, text", same: "the records of build-corpus at 1x"}
	train := &job{name: "train --encoder none", same: "the text", extra: []figure{{name: "contexts kept", field: "index.contexts"}, modelSize}}
	first := &job{name: "link by strings, start", same: "a sentence to link"}
	link := &job{name: "link by strings", same: fmt.Sprintf("%d sentences to link", stringLinks)}
	encode := &job{name: "train --untrained, names alone", same: "10 records", extra: []figure{modelSize}}
	for _, times := range s.widths {
		wide := s.NameDictionary("wide", "--times", fmt.Sprint(times))
		start.runs = append(start.runs, s.build(s.path("start-%d", times), wide.Path, corpusNames, t.tiny.Files, append(t.tiny.Made, wide)...))

		corpus, model := s.path("wide-%d", times), s.path("strings-%d", times)
		built := s.build(corpus, wide.Path, corpusNames, t.shards[0], append(t.inputs, wide)...)
		trained := s.model(model, wide.Path, modelNames, corpus, built, "--encoder", "none")
		build.runs, train.runs = append(build.runs, built), append(train.runs, trained)
		for n, j := range map[int]*job{1: first, stringLinks: link} {
			sentences := s.sentencesOf(t, n)
			p := s.program("", "link", "--model", model, "--input", sentences.Fresh)
			p.size, p.needs = modelNames, []*process{sentences, trained}
			p.Read = func([]byte) (harness.Line, error) { return readFolder(model) }
			j.runs = append(j.runs, p)
		}
	}
	corpus := s.path("tiny")
	built := s.build(corpus, s.Dict, records, t.tiny.Files, t.tiny.Made...)
	for _, times := range s.times {
		share := 3 * s.Fraction * float64(times) / float64(s.largest())
		encode.runs = append(encode.runs, s.model(s.path("names-%d", times), s.Dict, "index.names", corpus, built, s.encoder(share, "--untrained")...))
	}
	all := []*job{start, build, train, first, link, encode}
	for _, j := range all {
		j.by = "names"
	}
	return all
}

// byVectors returns searches of made vectors, exact and in a graph.
func (s *settings) byVectors() []*job {
	same := fmt.Sprintf("%d dimensions", s.Dim)
	query := figure{name: "one query", field: "single_ms_median", unit: "ms"}
	exact := &job{name: "search, exact", by: "vectors", same: same, inner: true,
		extra: []figure{query, {name: "in a batch", field: "batched_ms_per_query", unit: "ms"}}}
	graph := &job{name: "search, HNSW", by: "vectors", same: same, inner: true,
		extra: []figure{query, {name: "build", field: "build_seconds", unit: "s"},
			{name: "memory over the vectors", field: "overhead_mb", unit: "MiB"}, {name: "recall@15", field: "recall"}}}
	for _, times := range s.times {
		exact.runs = append(exact.runs, s.search(times*s.Vectors, "flat"))
		graph.runs = append(graph.runs, s.search(times*s.Graph, "hnsw", "--ef", fmt.Sprint(efSearch)))
	}
	return []*job{exact, graph}
}

// search returns a run of bench/subject knn.
func (s *settings) search(vectors int, engine string, args ...string) *process {
	in := s.NewInput("vectors", "", nil, func(out string) []string {
		return []string{s.Subject, "vectors", "--out", out, "--vectors", fmt.Sprint(vectors),
			"--queries", fmt.Sprint(s.Queries), "--dim", fmt.Sprint(s.Dim)}
	})
	args = append([]string{s.Subject, "knn", "--dir", in.Path, "--engine", engine}, args...)
	return &process{n: float64(vectors), inputs: []*harness.Input{in},
		Process: harness.Process{Args: args, Threads: s.Threads, Read: harness.FirstLine}}
}
