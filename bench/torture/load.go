package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What a command under load may take.
const (
	loadLimit  = 30 * time.Minute
	loadMemory = 8 << 10 // MiB
)

// loadCases measure large inputs and odd dictionaries. Their notes are the figures of
// docs/reliability.md.
func loadCases(l *lab) []hostileCase {
	if l.settings.Short {
		return nil
	}
	all := []hostileCase{
		{name: "a million mentions in 250,000 documents", run: func(l *lab, dir string) error { return l.loadMany(dir, stringModel, 250_000) }},
		{name: "a million mentions in 250,000 documents, by the method exact", run: func(l *lab, dir string) error {
			return l.loadMany(dir, stringModel, 250_000, "--method", "exact")
		}},
		{name: "20,000 mentions in 5,000 documents, with the encoder", run: func(l *lab, dir string) error {
			if err := l.needEncoder(); err != nil {
				return err
			}
			return l.loadMany(dir, trainedModel, 5_000)
		}},
		{name: "a document of 5 MB with 10,000 mentions", run: func(l *lab, dir string) error { return l.loadDocument(dir, ". ") }},
		{name: "a sentence of 5 MB with 10,000 mentions", run: func(l *lab, dir string) error { return l.loadDocument(dir, ", ") }},
		{name: "60,000 open brackets in a text", run: func(l *lab, dir string) error {
			return l.loadText(dir, "[ENT] asthma [/ENT] "+strings.Repeat("Alpha beta gamma (", 60_000)+"\n")
		}},
		{name: "100,000 marked mentions in a line", run: func(l *lab, dir string) error { // --max-mentions
			return l.loadText(dir, strings.Repeat("[ENT] a [/ENT] ", 100_000)+"\n")
		}},
		{name: "a million dictionary rows", run: (*lab).loadRows},
	}
	const characters = 100_000
	repeat := func(text string) string { return strings.Repeat(text, characters/len(text)) }
	for name, mention := range map[string]string{
		"letters": repeat("x"), "words": repeat("breast cancer "), "conjunctions": repeat("breast and ovarian and "), "commas": repeat("a, b, c, "),
		"hyphens": repeat("a-b/c-"), "brackets": repeat("(") + repeat(")"), "ideograms": strings.Repeat("病", characters),
		"accents": "e" + strings.Repeat("\u0301", characters), "digits": repeat("1"), "capitals": repeat("ABC DEF "),
	} {
		all = append(all, hostileCase{name: "a mention of 100,000 characters: " + name, run: func(l *lab, dir string) error {
			mention := strings.TrimSpace(mention)
			return l.loadMention(dir, mention)
		}})
	}
	var letters, identical strings.Builder
	for c := 'a'; c <= 'z'; c++ {
		fmt.Fprintf(&letters, "C%d\t%c\n", c, c)
	}
	for i := range 3000 {
		fmt.Fprintf(&identical, "C%d\thypertension\n", i)
	}
	for name, rows := range map[string]string{
		"one concept": "C1\tasthma\n", "one concept that no text has": "C1\tzzzqqq\n", "no concept": "",
		"3,000 concepts of one name": identical.String(), "names of one letter": letters.String(),
		"a name of 1 MB":                 "C1\tasthma\nC2\t" + strings.Repeat("breast cancer ", 75_000) + "\nC3\thypertension\n",
		"a name of 1 MB without a blank": "C1\tasthma\nC2\t" + strings.Repeat("x", 1_000_000) + "\nC3\thypertension\n",
		"names without a letter":         "C1\t---\nC2\t...\nC3\t\u00ad\n",
	} {
		all = append(all, hostileCase{name: "dictionary: " + name, run: func(l *lab, dir string) error {
			return l.loadDictionary(dir, "id\tname\n"+rows)
		}})
	}
	for i := range all {
		all[i].class, all[i].alone = "load", true // for the sake of the times
	}
	sortCases(all)
	return all
}

// filler are words of running text.
var filler = strings.Fields("the of patients with and a in severe treatment was after chronic acute study therapy observed during")

// sentence returns n words.
func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = filler[r.IntN(len(filler))]
	}
	return strings.Join(words, " ")
}

// names returns the names of the example dictionary.
func (l *lab) names() ([]string, error) {
	data, err := os.ReadFile(l.fixture(dictionaryFile))
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) > 2 && fields[0] != "id" {
			names = append(names, fields[1])
			names = append(names, strings.Split(fields[2], "|")...)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("the example dictionary has no names")
	}
	return names, nil
}

// measured runs a command under load and returns its time and memory as a note.
func (l *lab) measured(c command, want ...int) (outcome, string, error) {
	c.wait, c.memory = loadLimit, loadMemory
	o, err := l.run(c)
	if err == nil {
		err = o.allow(want...)
	}
	return o, fmt.Sprintf("%.1f s, %.1f s of the processor, %.0f MiB", o.seconds, o.cpu.Seconds(), o.peakMB), err
}

// loadMany links documents of four mentions each. The memory of the second half must not
// exceed that of the first by more than a tenth.
func (l *lab) loadMany(dir, model string, documents int, more ...string) error {
	names, err := l.names()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "texts.jsonl")
	r := l.settings.random("million")
	if err := writeLines(path, documents, func(i int) any { return markedDocument(r, names, i) }); err != nil {
		return err
	}
	start := time.Now()
	type sample struct {
		at time.Duration
		mb float64
	}
	var samples []sample
	o, note, err := l.measured(command{
		args:    append(l.ctxnorm("link", "--model", l.fixture(model), "--input", path, "--output", "/dev/null"), more...),
		stopped: func(pid int) { samples = append(samples, sample{time.Since(start), memoryMB(pid, "VmRSS")}) },
	}, 0)
	if err != nil {
		return err
	}
	var most [2]float64
	for _, s := range samples {
		half := 0
		if s.at.Seconds() > o.seconds/2 {
			half = 1
		}
		most[half] = max(most[half], s.mb)
	}
	if most[1] > 1.1*most[0] {
		return fmt.Errorf("memory grows: %.0f MiB in the first half of the time, %.0f MiB in the second", most[0], most[1])
	}
	return noteError(fmt.Sprintf("%s; %.0f MiB in the first half of the time, %.0f MiB in the second", note, most[0], most[1]))
}

// writeLines writes n values as lines of JSON.
func writeLines(path string, n int, value func(i int) any) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(file)
	encoder := json.NewEncoder(b)
	for i := range n {
		if err := encoder.Encode(value(i)); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(b.Flush(), file.Close())
}

// loadDocument links 10,000 mentions of one document, whose sentences end with end.
func (l *lab) loadDocument(dir, end string) error {
	names, err := l.names()
	if err != nil {
		return err
	}
	r := l.settings.random("document")
	var text strings.Builder
	type span struct {
		Start int `json:"start"`
		End   int `json:"end"`
	}
	var mentions []span
	for range 10_000 {
		text.WriteString(sentence(r, 65) + " ")
		name := names[r.IntN(len(names))]
		mentions = append(mentions, span{text.Len(), text.Len() + len(name)})
		text.WriteString(name + end)
	}
	path := filepath.Join(dir, "document.jsonl")
	if err := writeLines(path, 1, func(int) any {
		return map[string]any{"id": "1", "text": text.String(), "mentions": mentions}
	}); err != nil {
		return err
	}
	note, err := l.linkBoth(path, 1)
	if err != nil {
		return err
	}
	return noteError(fmt.Sprintf("%.1f MB: %s", float64(text.Len())/1e6, note))
}

// linkBoth links a file with each model there is and checks the number of lines.
func (l *lab) linkBoth(path string, lines int) (string, error) {
	models := []string{stringModel}
	if l.encoder {
		models = append(models, trainedModel)
	}
	var notes []string
	for _, model := range models {
		o, note, err := l.measured(command{args: l.ctxnorm("link", "--model", l.fixture(model), "--input", path)}, 0)
		if err != nil {
			return "", fmt.Errorf("the model %s: %w", model, err)
		}
		if got := strings.Count(string(o.stdout), "\n"); got != lines {
			return "", fmt.Errorf("the model %s: %d lines, want %d", model, got, lines)
		}
		notes = append(notes, model+" "+note)
	}
	return strings.Join(notes, "; "), nil
}

// loadText links marked text.
func (l *lab) loadText(dir, text string) error {
	path := filepath.Join(dir, "text.txt")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	note, err := l.linkBoth(path, strings.Count(text, "\n"))
	if err != nil {
		return err
	}
	return noteError(note)
}

// loadMention links one long mention.
func (l *lab) loadMention(dir, mention string) error {
	const before = "He had "
	path := filepath.Join(dir, "mention.jsonl")
	if err := writeLines(path, 1, func(int) any {
		return map[string]any{"id": "1", "text": before + mention + " (BC) and more.",
			"mentions": []map[string]int{{"start": len(before), "end": len(before) + len([]rune(mention))}}}
	}); err != nil {
		return err
	}
	note, err := l.linkBoth(path, 1)
	if err != nil {
		return err
	}
	return noteError(note)
}

// loadRows goes through all commands with a dictionary of a million rows, of which texts have the
// first few.
func (l *lab) loadRows(dir string) error {
	names, err := l.names()
	if err != nil {
		return err
	}
	var rows strings.Builder
	rows.WriteString("id\tname\n")
	r := l.settings.random("rows")
	for i, name := range names {
		fmt.Fprintf(&rows, "E%d\t%s\n", i, name)
	}
	for i := range 1_000_000 - len(names) {
		fmt.Fprintf(&rows, "C%d\t%s type %d\n", i/3, names[r.IntN(len(names))], i)
	}
	return l.loadDictionary(dir, rows.String())
}

// loadDictionary makes a corpus and a model of a dictionary and links with it. A
// dictionary that has nothing to look for may be refused, with exit status 2.
func (l *lab) loadDictionary(dir, rows string) error {
	dict := filepath.Join(dir, "dictionary.tsv")
	if err := os.WriteFile(dict, []byte(rows), 0o644); err != nil {
		return err
	}
	steps := []struct {
		name  string
		args  []string
		stdin string
	}{
		{"tag", []string{"tag"}, "He had asthma.\n"},
		{"build-corpus", []string{"build-corpus", l.fixture("pubmed/example01.xml")}, ""},
		{"train", []string{"train", "--encoder", "none"}, ""},
		{"link", []string{"link", "--explain"}, "He had [ENT] asthma type 7 [/ENT].\n"},
		{"link lexical", []string{"link", "--method", "lexical"}, "He had [ENT] asthma type 7 [/ENT].\n"},
		{"link tfidf", []string{"link", "--method", "tfidf"}, "He had [ENT] asthma type 7 [/ENT].\n"},
		{"calibrate", []string{"calibrate"}, ""},
	}
	var notes []string
	for _, step := range steps {
		o, note, err := l.measured(command{args: l.ctxnorm(step.args...), stdin: step.stdin, dir: dir}, 0, 2)
		if err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		if o.exit != 0 {
			note = "refused: " + o.message()
		}
		notes = append(notes, step.name+" "+note)
		if strings.HasPrefix(step.name, "link") && o.exit == 0 {
			if err := checkJSON(o.stdout); err != nil {
				return fmt.Errorf("%s: %w", step.name, err)
			}
		}
	}
	return noteError(strings.Join(notes, "; "))
}
