package main

import (
	"fmt"
	"path/filepath"

	"ctxnorm/bench/measure"
)

// inputs are those that the comparisons share.
type inputs struct {
	xml       *xmlInput
	whole     *xmlInput // for build-corpus: more of it
	single    *xmlInput // the records of whole in one file
	texts     *measure.Input
	names     *measure.Input
	wide      *measure.Input // more names
	anyCase   *measure.Input // the names that build-corpus looks for in any case
	sentences *measure.Input
	batches   *measure.Input
	vectors   *measure.Input
}

func (s *settings) inputs() *inputs {
	in := &inputs{xml: s.madeXML(1, s.files), whole: s.madeXML(s.rounds, s.files), single: s.madeXML(s.rounds, 1)}
	if len(s.pubmed) > 0 {
		in.xml = &xmlInput{files: s.pubmed}
		in.whole = in.xml
		in.single = &xmlInput{files: s.pubmed[:1]}
	}
	in.texts = measure.NewInput(s.work, "texts", ".jsonl.gz", func(out string) []string {
		return append([]string{s.ours, "xml", "--out", out}, in.xml.files...)
	}, in.xml.made()...)
	dictionary := func(prefix string, more ...string) *measure.Input {
		made := measure.NewInput(s.work, prefix, ".jsonl", func(out string) []string {
			return append([]string{s.ours, "dictionary", "--from", s.dict, "--out", out}, more...)
		})
		if s.dict == "" {
			made.Lacks = "there is no dictionary: give -dict, or set CTXNORM_DATA"
		}
		return made
	}
	in.names = dictionary("names")
	in.wide = dictionary("names-wide", "--names", fmt.Sprint(s.names))
	in.anyCase = dictionary("names-any-case", "--any-case")
	in.sentences = measure.NewInput(s.work, "sentences", ".jsonl", func(out string) []string {
		return []string{s.ours, "sentences", "--dict", in.anyCase.Path, "--text", in.texts.Path, "--out", out}
	}, in.anyCase, in.texts)
	in.batches = measure.NewInput(s.work, "batches", ".jsonl", func(out string) []string {
		return []string{s.ours, "batches", "--data", in.sentences.Path, "--pairs", fmt.Sprint(s.pairs),
			"--steps", fmt.Sprint(s.warmup + s.steps), "--out", out}
	}, in.sentences)
	in.vectors = measure.NewInput(s.work, "vectors", "", func(out string) []string {
		return []string{s.python, s.script("peer_knn.py"), "--dir", out, "--make", "--engine", "flat",
			"--vectors", fmt.Sprint(s.vectors), "--dim", fmt.Sprint(s.dim), "--queries", fmt.Sprint(s.queries)}
	})
	return in
}

// xmlInput is files of PubMed XML.
type xmlInput struct {
	*measure.Input          // that makes them; nil where they are the user's
	files          []string // as they will be
}

// madeXML is XML that is made, its records so many times over.
func (s *settings) madeXML(rounds, files int) *xmlInput {
	in := &xmlInput{Input: measure.NewInput(s.work, "xml", "", func(out string) []string {
		return []string{s.python, s.script("make_pubmed_xml.py"), "--docs", fmt.Sprint(s.docs),
			"--repeat", fmt.Sprint(rounds), "--files", fmt.Sprint(files), "--out", out}
	})}
	if s.data == "" {
		in.Lacks = "there is no text to read: give -pubmed, or set CTXNORM_DATA"
	}
	for i := range files {
		in.files = append(in.files, filepath.Join(in.Path, fmt.Sprintf("pubmed00n%04d.xml.gz", i+1)))
	}
	return in
}

// made is the input that makes the files, if there is one.
func (in *xmlInput) made() []*measure.Input {
	if in.Input == nil {
		return nil
	}
	return []*measure.Input{in.Input}
}

func (s *settings) script(name string) string { return filepath.Join(s.peers, name) }
