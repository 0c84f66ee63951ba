package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// input is a file or folder that both sides read, made by a command and kept in
// the work folder: it has the hash of that command in its name.
type input struct {
	path    string
	from    []*input
	command func(out string) []string // that writes out
	lacks   string                    // what is needed to make it and is not there
}

// newInput is an input called prefix-HASHsuffix. What is in from is made first.
func newInput(work, prefix, suffix string, command func(out string) []string, from ...*input) *input {
	sum := sha256.Sum256([]byte(strings.Join(command(""), "\x00")))
	return &input{
		path: filepath.Join(work, prefix+"-"+hex.EncodeToString(sum[:4])+suffix),
		from: from, command: command,
	}
}

// missing says what is needed to make it and is not there.
func (in *input) missing() string {
	for _, from := range in.from {
		if missing := from.missing(); missing != "" {
			return missing
		}
	}
	return in.lacks
}

// ensure makes the input unless it is there.
func (in *input) ensure(ctx context.Context) error {
	if _, err := os.Stat(in.path); err == nil {
		return nil
	}
	for _, from := range in.from {
		if err := from.ensure(ctx); err != nil {
			return err
		}
	}
	part := filepath.Join(filepath.Dir(in.path), "part-"+filepath.Base(in.path))
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	say("making %s", in.path)
	command := in.command(part)
	if output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, lastLine(string(output)))
	}
	return os.Rename(part, in.path)
}

// inputs are those that the comparisons share.
type inputs struct {
	xml       *xmlInput
	whole     *xmlInput // for build-corpus: more of it
	single    *xmlInput // the records of xml in one file
	texts     *input
	names     *input
	wide      *input // more names
	anyCase   *input // the names that build-corpus looks for in any case
	sentences *input
	batches   *input
	vectors   *input
}

func (s *settings) inputs() *inputs {
	in := &inputs{xml: s.madeXML(1, s.files), whole: s.madeXML(s.rounds, s.files), single: s.madeXML(1, 1)}
	if len(s.pubmed) > 0 {
		in.xml = &xmlInput{files: s.pubmed}
		in.whole = in.xml
		in.single = &xmlInput{files: s.pubmed[:1]}
	}
	in.texts = newInput(s.work, "texts", ".jsonl.gz", func(out string) []string {
		return append([]string{s.ours, "xml", "--out", out}, in.xml.files...)
	}, in.xml.made()...)
	dictionary := func(prefix string, more ...string) *input {
		made := newInput(s.work, prefix, ".jsonl", func(out string) []string {
			return append([]string{s.ours, "dictionary", "--from", s.dict, "--out", out}, more...)
		})
		if s.dict == "" {
			made.lacks = "there is no dictionary: give -dict, or set CTXNORM_DATA"
		}
		return made
	}
	in.names = dictionary("names")
	in.wide = dictionary("names-wide", "--names", fmt.Sprint(s.names))
	in.anyCase = dictionary("names-any-case", "--any-case")
	in.sentences = newInput(s.work, "sentences", ".jsonl", func(out string) []string {
		return []string{s.ours, "sentences", "--dict", in.anyCase.path, "--text", in.texts.path, "--out", out}
	}, in.anyCase, in.texts)
	in.batches = newInput(s.work, "batches", ".jsonl", func(out string) []string {
		return []string{s.ours, "batches", "--data", in.sentences.path, "--pairs", fmt.Sprint(s.pairs),
			"--steps", fmt.Sprint(s.warmup + s.steps), "--out", out}
	}, in.sentences)
	in.vectors = newInput(s.work, "vectors", "", func(out string) []string {
		return []string{s.python, s.script("peer_knn.py"), "--dir", out, "--make", "--engine", "flat",
			"--vectors", fmt.Sprint(s.vectors), "--dim", fmt.Sprint(s.dim), "--queries", fmt.Sprint(s.queries)}
	})
	return in
}

// xmlInput is files of PubMed XML.
type xmlInput struct {
	*input          // that makes them; nil where they are the user's
	files  []string // as they will be
}

// madeXML is XML that is made, its records so many times over.
func (s *settings) madeXML(rounds, files int) *xmlInput {
	in := &xmlInput{input: newInput(s.work, "xml", "", func(out string) []string {
		return []string{s.python, s.script("make_pubmed_xml.py"), "--docs", fmt.Sprint(s.docs),
			"--repeat", fmt.Sprint(rounds), "--files", fmt.Sprint(files), "--out", out}
	})}
	if s.data == "" {
		in.lacks = "there is no text to read: give -pubmed, or set CTXNORM_DATA"
	}
	for i := range files {
		in.files = append(in.files, filepath.Join(in.path, fmt.Sprintf("pubmed00n%04d.xml.gz", i+1)))
	}
	return in
}

// made is the input that makes the files, if there is one.
func (in *xmlInput) made() []*input {
	if in.input == nil {
		return nil
	}
	return []*input{in.input}
}

func (s *settings) script(name string) string { return filepath.Join(s.peers, name) }
