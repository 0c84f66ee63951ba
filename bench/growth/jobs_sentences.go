package main

import (
	"fmt"

	"ctxnorm/bench/measure"
)

// bySentences are the jobs by what is read: sentences of the corpus, whose tagged
// names are mentions to link and the gold at once. One sentence alone is the start.
func (s *settings) bySentences(t *text) []*job {
	tag := &job{name: tagTexts, by: "sentences", same: "the dictionary"}
	link := &job{name: linkTexts, by: "sentences", same: fmt.Sprintf("the model of index at %dx", s.times[len(s.times)-1])}
	eval := &job{name: evalTexts, by: "sentences", same: link.same}
	for _, times := range append([]int{0}, s.times...) {
		texts := s.sentencesOf(t, max(1, times*s.texts))
		tag.runs = append(tag.runs, texts.read(s.program("", "tag", "--dict", s.dict, "--input", texts.path)))

		few := s.sentencesOf(t, max(1, times*s.sentences))
		linked := few.read(s.program("", "link", "--model", t.folder.model, "--input", few.path))
		linked.needs = append(linked.needs, t.model)
		link.runs = append(link.runs, linked)

		evaluated := few.read(s.program("", "eval", "--model", t.folder.model, "--gold", few.path))
		evaluated.needs = append(evaluated.needs, t.model)
		eval.runs = append(eval.runs, evaluated)
	}
	return []*job{tag, link, eval}
}

// sentences are a file of so many of them, and the run that makes it.
type sentences struct {
	path  string
	count int
	made  *oneRun
}

// sentencesOf are the first sentences of the largest corpus, over and over where it
// has fewer.
func (s *settings) sentencesOf(t *text, count int) sentences {
	path := s.path("sentences-%d.jsonl", count)
	command := measure.Command{
		Args: []string{s.self, "lines", "--out", path, "--count", fmt.Sprint(count), "--",
			s.ctxnorm, "corpus", "show", "--json", "--corpus", t.folder.corpus, "--limit", fmt.Sprint(count)},
		Threads: s.threads, Fresh: path,
	}
	return sentences{path, count, &oneRun{command: command, needs: []*oneRun{t.corpus}}}
}

// read is a run of a command that reads them.
func (in sentences) read(command measure.Command) *oneRun {
	return &oneRun{n: float64(in.count), command: command, needs: []*oneRun{in.made}}
}
