package main

import (
	"fmt"

	"ctxnorm/bench/measure"
)

// text is the jobs by records, and what of theirs others start from.
type text struct {
	jobs   []*job
	corpus *oneRun // of the largest size
	model  *oneRun // the same, with an encoder
	folder struct{ corpus, model string }
}

// byRecords are the jobs whose text grows: the corpus, joining corpora of its parts,
// and models of it.
func (s *settings) byRecords() *text {
	in := s.shards()
	same := fmt.Sprintf("the dictionary, of which %g is encoded", s.fraction)
	build := &job{name: buildCorpus, by: "records", same: "the dictionary", extra: []figure{
		{Name: "sentences kept", Field: "sampled"},
		{Name: "sentences.parquet", Field: "sentences_bytes", Unit: "bytes"},
		{Name: "pairs.parquet", Field: "pairs_bytes", Unit: "bytes"},
		{Name: "records.parquet", Field: "records_bytes", Unit: "bytes"},
		{Name: "packed XML", Field: "input_bytes", Unit: "bytes"},
	}}
	merge := &job{name: mergeCorpora, by: "records", same: "the dictionary, the records of each corpus"}
	contexts := figure{Name: "contexts encoded", Field: "contexts"}
	index := &job{name: indexRecords, by: "records", same: same, extra: []figure{contexts}}
	train := &job{name: trainRecords, by: "records", same: fmt.Sprintf("%s; %d steps of 32 rows", same, s.steps),
		extra: []figure{{Name: "a step", Field: "step_ms", Unit: "ms"}, contexts}}

	var parts []*oneRun
	var folders []string
	for i, files := range in.each {
		to := s.path("shard-%d", i+1)
		folders = append(folders, to)
		parts = append(parts, s.build(to, s.dict, files, in.inputs...))
	}
	t := &text{}
	for _, times := range s.times {
		corpus, merged := s.path("corpus-%d", times), s.path("merged-%d", times)
		built := s.build(corpus, s.dict, in.first(times), in.inputs...)
		build.runs = append(build.runs, built)

		joined := max(2, times) // one cannot be merged
		merge.runs = append(merge.runs, &oneRun{
			command: s.program(merged, append([]string{"corpus", "merge", "--corpus", merged}, folders[:joined]...)...),
			needs:   parts[:joined], size: "records",
			read: func([]byte) (measure.Line, error) { return corpusLine(merged) },
		})
		model := s.path("index-%d", times)
		indexed := s.model(model, s.dict, corpus, "index", s.encoder(s.fraction)...)
		indexed.needs = []*oneRun{built}
		index.runs = append(index.runs, indexed)

		trained := s.path("train-%d", times)
		run := s.model(trained, s.dict, corpus, "train", append(s.encoder(s.fraction), "--steps", fmt.Sprint(s.steps),
			"--pairs", "16", "--validate-every", "-1", "--checkpoint-every", "-1")...)
		run.needs = []*oneRun{built}
		run.read = func([]byte) (measure.Line, error) { return trainedLine(trained, corpus) }
		train.runs = append(train.runs, run)

		t.corpus, t.folder.corpus, t.model, t.folder.model = built, corpus, indexed, model
	}
	t.jobs = []*job{build, merge, index, train}
	return t
}
