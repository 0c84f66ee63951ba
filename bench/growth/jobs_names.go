package main

import (
	"fmt"

	"ctxnorm/bench/measure"
)

// stringLinks is how many sentences are linked by strings after the start.
const stringLinks = 300

// byNames are the jobs whose dictionary grows, concepts with it.
func (s *settings) byNames(t *text) []*job {
	shard := s.shards()
	tiny := s.madeXML("tiny", 10, 1)
	plain := measure.NewInput(s.work, "names", ".jsonl", func(out string) []string {
		return []string{s.ours, "dictionary", "--from", s.dict, "--out", out}
	})

	start := &job{name: buildStart, by: "names", same: "10 records"}
	build := &job{name: buildWide, by: "names", same: "the records of build-corpus at 1x", start: buildStart, count: "records", unit: "records"}
	train := &job{name: trainStrings, by: "names", same: "the text", extra: []figure{
		{Name: "contexts kept", Field: "contexts"}, {Name: "model", Field: "model_bytes", Unit: "bytes"}}}
	first := &job{name: linkStart, by: "names", same: "a sentence to link"}
	link := &job{name: linkStrings, by: "names", same: fmt.Sprintf("%d sentences to link", stringLinks), start: linkStart, count: "linked", unit: "sentences"}
	one, few := s.sentencesOf(t, 1), s.sentencesOf(t, stringLinks)
	for _, times := range s.widths {
		wide := measure.NewInput(s.work, "wide", ".jsonl", func(out string) []string {
			return []string{s.self, "widen", "--from", plain.Path, "--times", fmt.Sprint(times), "--out", out}
		}, plain)
		began := s.build(s.path("start-%d", times), wide.Path, filesOf(tiny, 1), tiny, wide)
		began.size = "names_of_dictionary"
		start.runs = append(start.runs, began)

		corpus := s.path("wide-%d", times)
		built := s.build(corpus, wide.Path, shard.first(1), append(shard.inputs, wide)...)
		built.size = "names_of_dictionary"
		build.runs = append(build.runs, built)

		model := s.path("strings-%d", times)
		trained := s.model(model, wide.Path, corpus, "train", "--encoder", "none")
		trained.size, trained.needs, trained.inputs = "names_of_dictionary", []*oneRun{built}, []*measure.Input{wide}
		train.runs = append(train.runs, trained)

		linking := func(in sentences) *oneRun {
			run := in.read(s.program("", "link", "--model", model, "--input", in.path))
			run.needs = append(run.needs, trained)
			run.n, run.size = 0, "names_of_dictionary"
			run.read = func([]byte) (measure.Line, error) {
				line, err := modelLine(model, corpus)
				if err == nil {
					line["linked"] = float64(in.count)
				}
				return line, err
			}
			return run
		}
		first.runs, link.runs = append(first.runs, linking(one)), append(link.runs, linking(few))
	}
	return []*job{start, build, train, first, link, s.encodingNames(tiny)}
}

// encodingNames are indexes of names and next to no contexts: more and more of the
// dictionary's.
func (s *settings) encodingNames(tiny *measure.Input) *job {
	j := &job{name: indexNames, by: "names", same: "10 records", extra: []figure{{Name: "model", Field: "model_bytes", Unit: "bytes"}}}
	corpus := s.path("tiny")
	built := s.build(corpus, s.dict, filesOf(tiny, 1), tiny)
	most := float64(s.times[len(s.times)-1])
	for _, times := range s.times {
		run := s.model(s.path("names-%d", times), s.dict, corpus, "index", s.encoder(3*s.fraction*float64(times)/most)...)
		run.size, run.needs = "names", []*oneRun{built}
		j.runs = append(j.runs, run)
	}
	return j
}
