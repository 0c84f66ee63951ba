package main

import (
	"fmt"
	"path/filepath"

	"ctxnorm/bench/measure"
)

// The names of the jobs, by which the projection finds them.
const (
	buildCorpus  = "build-corpus"
	mergeCorpora = "corpus merge"
	indexRecords = "index"
	trainRecords = "train"
	tagTexts     = "tag"
	linkTexts    = "link"
	evalTexts    = "eval"
	buildStart   = "build-corpus, start"
	buildWide    = "build-corpus, text"
	trainStrings = "train --encoder none"
	linkStart    = "link by strings, start"
	linkStrings  = "link by strings"
	indexNames   = "index, names alone"
	searchExact  = "search, exact"
	searchGraph  = "search, HNSW"
)

// jobs are all that is measured.
func (s *settings) jobs() []*job {
	t := s.byRecords()
	all := append(t.jobs, s.bySentences(t)...)
	all = append(all, s.byNames(t)...)
	return append(all, s.byVectors()...)
}

// path is one in the folder of what runs write.
func (s *settings) path(format string, args ...any) string {
	return filepath.Join(s.work, "runs", fmt.Sprintf(format, args...))
}

// program is ctxnorm with arguments; what it writes to is removed before.
func (s *settings) program(to string, args ...string) measure.Command {
	return measure.Command{Args: append([]string{s.ctxnorm}, args...), Threads: s.threads, Fresh: to}
}

// build is a run of build-corpus.
func (s *settings) build(to, dict string, files []string, inputs ...*measure.Input) *oneRun {
	return &oneRun{
		command: s.program(to, append([]string{"build-corpus", "--dict", dict, "--corpus", to}, files...)...),
		inputs:  inputs, size: "records",
		read: func([]byte) (measure.Line, error) { return corpusLine(to) },
	}
}

// model is a run of index or train, by the records of the corpus.
func (s *settings) model(to, dict, corpus string, command string, args ...string) *oneRun {
	args = append([]string{command, "--dict", dict, "--corpus", corpus, "--model", to}, args...)
	return &oneRun{
		command: s.program(to, args...), size: "records",
		read: func([]byte) (measure.Line, error) { return modelLine(to, corpus) },
	}
}

// encoder are the flags of a model with an encoder, of some of the names.
func (s *settings) encoder(fraction float64) []string {
	return []string{"--base-model", s.base, "--dict-fraction", fmt.Sprint(fraction)}
}
