package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Documents of a long run, and how many of them are linked together.
const (
	longRunDocuments = 4000
	longRunBatch     = 16
)

// longRunCases kill a link of many documents again and again. Each kill loses at most the
// batch at hand, and the same command goes on and ends with the output of a run that was
// left alone.
func longRunCases(l *lab) []hostileCase {
	models := []string{stringModel}
	if l.encoder {
		models = append(models, trainedModel)
	}
	var all []hostileCase
	for _, model := range models {
		for i := range l.settings.Kills {
			name := fmt.Sprintf("link by the model %s, %d", model, i+1)
			all = append(all, hostileCase{class: "long run", name: name, run: func(l *lab, dir string) error {
				return l.killLongRun(dir, model, l.settings.random("long run"+name))
			}})
		}
	}
	return all
}

func (l *lab) killLongRun(dir, model string, r *rand.Rand) error {
	names, err := l.names()
	if err != nil {
		return err
	}
	texts, output, alone := filepath.Join(dir, "texts.jsonl"), filepath.Join(dir, "linked.jsonl"), filepath.Join(dir, "alone.jsonl")
	if err := writeLines(texts, longRunDocuments, func(i int) any { return markedDocument(r, names, i) }); err != nil {
		return err
	}
	link := func(to string) []string {
		return l.ctxnorm("link", "--model", l.fixture(model), "--input", texts, "--batch", fmt.Sprint(longRunBatch), "--output", to)
	}
	start := time.Now()
	if err := l.must(link(alone)); err != nil {
		return err
	}
	elapsed := time.Since(start)
	kept := 0 // documents that the journal holds
	for range 1 + r.IntN(8) {
		moment := time.Duration(r.Float64() * .5 * float64(elapsed))
		o, err := l.run(command{args: link(output), dir: dir, kill: moment + 1})
		if err != nil {
			return err
		}
		if _, err := os.Stat(output); o.signal == 0 || err == nil { // it was done before, or had only to exit
			break
		}
		documents, err := journalDocuments(output)
		if err != nil {
			return err
		}
		if documents < kept {
			return fmt.Errorf("%d documents are left of a run that was killed after %v, %d were linked before", documents, moment, kept)
		}
		kept = documents
	}
	_, err = os.Stat(output)
	done := err == nil
	o, err := l.run(command{args: link(output), dir: dir})
	if err == nil {
		err = o.allow(0)
	}
	if err != nil {
		return fmt.Errorf("the same command again: %w", err)
	}
	if want := fmt.Sprintf("linked by an earlier run: %d of %d documents", kept, longRunDocuments); !done && kept > 0 && !bytes.Contains(o.stderr, []byte(want)) {
		return fmt.Errorf("the same command does not say that %s: %s", want, o.message())
	}
	if err := sameTree(output, alone); err != nil {
		return fmt.Errorf("a run that was killed, and went on, makes other bytes: %w", err)
	}
	return noteError(fmt.Sprintf("%d of %d documents were linked before the last run", kept, longRunDocuments))
}

// journalDocuments returns the number of documents whose results are kept beside an output
// that is not complete. A line that has no end is of the batch at hand.
func journalDocuments(output string) (int, error) {
	data, err := os.ReadFile(output + ".partial")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	documents := 0
	for line := range lines(data) {
		var batch struct {
			Mentions []json.RawMessage `json:"mentions"` // of each document
		}
		if err := json.Unmarshal(line, &batch); err != nil {
			return 0, fmt.Errorf("%s.partial: %w", output, err)
		}
		documents += len(batch.Mentions)
	}
	return documents, err
}

// markedDocument returns a document of four marked mentions.
func markedDocument(r *rand.Rand, names []string, id int) any {
	var text strings.Builder
	for range 4 {
		fmt.Fprintf(&text, "%s [ENT] %s %s [/ENT] ", sentence(r, 5), names[r.IntN(len(names))], filler[r.IntN(len(filler))])
	}
	return map[string]any{"id": fmt.Sprint(id), "text": text.String()}
}
