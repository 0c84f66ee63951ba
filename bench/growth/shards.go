package main

import (
	"fmt"
	"path/filepath"

	"ctxnorm/bench/measure"
)

// shards are the files of PubMed XML, dealt to as many shards as the largest size
// has: so every size has files of all of the text, whatever its order is.
type shards struct {
	inputs []*measure.Input // that make them; none where they are the user's
	each   [][]string       // files by shard
}

func (s *settings) shards() *shards {
	count := s.times[len(s.times)-1]
	var in shards
	files := s.pubmed
	if len(files) == 0 {
		made := s.madeXML("xml", s.records*count, s.files*count)
		in.inputs = []*measure.Input{made}
		files = filesOf(made, s.files*count)
	}
	in.each = deal(files[:count*s.files], count)
	return &in
}

// deal gives every count-th file to one shard.
func deal(files []string, count int) [][]string {
	each := make([][]string, count)
	for i, file := range files {
		each[i%count] = append(each[i%count], file)
	}
	return each
}

// first are the files of the first n shards.
func (in *shards) first(n int) []string {
	var files []string
	for _, shard := range in.each[:n] {
		files = append(files, shard...)
	}
	return files
}

// madeXML is XML made of the raw text.
func (s *settings) madeXML(prefix string, records, files int) *measure.Input {
	in := measure.NewInput(s.work, prefix, "", func(out string) []string {
		return []string{s.python, filepath.Join(s.peers, "make_pubmed_xml.py"),
			"--docs", fmt.Sprint(records), "--files", fmt.Sprint(files), "--out", out}
	})
	if s.data == "" {
		in.Lacks = "there is no text to read: give -pubmed, or set CTXNORM_DATA"
	}
	return in
}

func filesOf(in *measure.Input, files int) []string {
	paths := make([]string, files)
	for i := range paths {
		paths[i] = filepath.Join(in.Path, fmt.Sprintf("pubmed00n%04d.xml.gz", i+1))
	}
	return paths
}
