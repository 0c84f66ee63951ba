package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/renameio/v2"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// writeTable writes the table of what is there into README.md of the output folder.
func (s *settings) writeTable() error {
	text := "# Systems of the papers\n\n" +
		"Written by `make results`. Trained on train, where a system takes labels, and measured on dev. Acc@1 has a 95 % interval, by bootstrap over documents. " +
		"The lead of ctxnorm over a system has its interval and the p values of the paired bootstrap and of McNemar's exact test. The figures of the papers are on " +
		"the test sets unless they say dev. Their encoders are larger, and BioSyn and DILBERT were trained on the labels of dev, too. Seed " + strconv.Itoa(s.Seed) + "; " + harness.DescribeMachine().String() + ".\n"
	for _, e := range experiments {
		section, err := s.section(e)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		text += section
	}
	return renameio.WriteFile(filepath.Join(s.Out, "README.md"), []byte(text), 0o666)
}

// show returns a command without the folders of this machine.
func (s *settings) show(args []string) string {
	folders := []struct{ path, name string }{{s.Data, "$CTXNORM_DATA"}, {s.Out, "$CTXNORM_RESULTS"}, {s.Base, "$CTXNORM_BASE_MODEL"}, {s.Corpus, "$CORPUS"}, {s.Vectors, "$WORD_VECTORS"}, {s.Model, "$MODEL"}}
	shown := []string{"ctxnorm"}
	for _, arg := range args {
		for _, folder := range folders {
			if rest, ok := strings.CutPrefix(arg, folder.path); ok && folder.path != "" && (rest == "" || rest[0] == filepath.Separator) {
				arg = folder.name + rest
				break
			}
		}
		shown = append(shown, arg)
	}
	return strings.Join(shown, " ")
}

// paperCount heads the column of Acc@1 by the paperPolicy of an experiment.
const paperCount = "as the papers count"

// section returns the tables of an experiment.
func (s *settings) section(e *experiment) (string, error) {
	text := "\n## " + e.title + "\n\n"
	if e.note != "" {
		text += e.note + " "
	}
	text += "Policy `" + e.policy + "`"
	if e.paperPolicy != "" {
		text += ", and beside it `" + e.paperPolicy + "`, by which the papers count"
	}
	text += "."
	gold, err := s.openGold(e)
	if err != nil {
		return "", err
	}
	all, err := gold.measured(s, e)
	if err != nil {
		return "", err
	}
	reference := referenceOf(all)
	if reference != nil {
		text += " The lead is that of *" + reference.title + "*."
	}
	text += "\n\n"
	if outside := gold.outside(); outside > 0 {
		text += fmt.Sprintf("%d of %d mentions are outside the dictionary, and %s.\n\n", outside, len(gold.all.Mentions), map[eval.NILScoring]string{eval.NILExclude: "do not count", eval.NILCorrect: "are right if the answer is NIL"}[gold.policy.NIL])
	}
	refined := 0
	results := [][]string{}
	costs, commands := [][]string{}, ""
	var onRefined [][]string
	for _, y := range e.systems() {
		i := slices.IndexFunc(all, func(m measured) bool { return m.name == y.name })
		if i < 0 {
			results = append(results, []string{y.title, "not run", "", "", "", "", "", y.paper, y.differs})
			continue
		}
		m := &all[i]
		differs, err := s.differs(e, &m.system)
		if err != nil {
			return "", err
		}
		line, err := gold.cells(s, e, m, reference, gold.all)
		if err != nil {
			return "", err
		}
		results = append(results, append(line, y.paper, differs))
		if gold.refined != nil {
			refined = len(gold.refined.Mentions)
			if line, err = gold.cells(s, e, m, reference, gold.refined); err != nil {
				return "", err
			}
			onRefined = append(onRefined, append(line, y.refined, differs))
		}
		cost, err := s.cost(e, &m.system, m.row)
		if err != nil {
			return "", err
		}
		costs = append(costs, cost)
		if m.row.Train != nil {
			commands += "    " + m.row.Train.Shown + "\n"
		}
		commands += "    " + m.row.Eval.Shown + "\n"
	}
	header := []string{"system", "Acc@1", "right", "95 %", "lead over it", "p: bootstrap, McNemar", paperCount, "paper", "differs from the paper"}
	if e.paperPolicy == "" {
		at := slices.Index(header, paperCount)
		header = slices.Delete(header, at, at+1)
		for _, rows := range [][][]string{results, onRefined} {
			for i := range rows {
				rows[i] = slices.Delete(rows[i], at, at+1)
			}
		}
	}
	text += harness.Table(header, len(header), results)
	if len(onRefined) > 0 {
		text += fmt.Sprintf("\nRefined dev set: %d mentions, without those that also stand in train, and without duplicates.\n\n", refined) + harness.Table(header, len(header), onRefined)
	}
	if len(costs) > 0 {
		text += "\n" + harness.Table([]string{"system", "training, min", "CPU, min", "peak, MB", "steps", "sentences/s", "eval, min", "commit"}, 1, costs) + "\n" + commands
	}
	return text, nil
}

// openedGold is the gold of an experiment.
type openedGold struct {
	set          *eval.ConceptSet
	all, refined *eval.Gold // refined is nil without a training set
	policy       eval.Policy
	paperPolicy  eval.Policy // that of the experiment, if it has one
}

func (s *settings) openGold(e *experiment) (*openedGold, error) {
	g := new(openedGold)
	var err error
	if g.policy, err = eval.PolicyByName(e.policy); err != nil {
		return nil, err
	}
	if e.paperPolicy != "" {
		if g.paperPolicy, err = eval.PolicyByName(e.paperPolicy); err != nil {
			return nil, err
		}
	}
	if g.set, err = s.conceptSet(e); err != nil {
		return nil, err
	}
	var types []string
	if e.types != "" {
		types = []string{e.types}
	}
	read := func(file string) (*eval.Gold, error) {
		return eval.ReadGold([]string{filepath.Join(s.Data, file)}, types, g.set, ctxnorm.Limits{})
	}
	if g.all, err = read(e.dev); err != nil || e.train == "" {
		return g, err
	}
	train, err := read(e.train)
	if err != nil {
		return nil, err
	}
	if g.refined, err = read(e.dev); err != nil {
		return nil, err
	}
	g.refined.Refine(train)
	return g, nil
}

// outside returns the number of mentions that name no concept of the dictionary.
func (g *openedGold) outside() int {
	n := 0
	for i := range g.all.Mentions {
		if !g.all.Mentions[i].InSet() {
			n++
		}
	}
	return n
}

// conceptSet returns the concepts that gold is read with: those of the experiment's file of ids, or
// of the dictionary of its first model, which is a fraction of the dictionary if the experiment is.
func (s *settings) conceptSet(e *experiment) (*eval.ConceptSet, error) {
	if e.ids != "" {
		concepts, err := kbfile.ReadConceptMap(filepath.Join(s.Data, e.ids), ctxnorm.Limits{})
		if err != nil {
			return nil, err
		}
		return eval.NewConceptSet(concepts), nil
	}
	dict, _, err := ctxnorm.ReadDictionary(filepath.Join(s.Data, e.dict[0]), ctxnorm.DictionaryOptions{})
	if err != nil {
		return nil, err
	}
	if e.dictFraction != "" {
		fraction, err := strconv.ParseFloat(e.dictFraction, 64)
		if err != nil {
			return nil, err
		}
		dict = dict.Fraction(fraction, uint64(s.Seed))
	}
	return eval.DictionaryConceptSet(dict), nil
}

// measured is a system that was run, with its answers and Acc@1 on all gold.
type measured struct {
	system
	row     row
	answers []eval.Prediction
	acc     eval.Metric
}

// measured returns the systems of an experiment that were run, in their order.
func (g *openedGold) measured(s *settings, e *experiment) ([]measured, error) {
	var all []measured
	for _, y := range e.systems() {
		r, err := s.readRow(e, y.name)
		if err != nil {
			return nil, err
		}
		if r.Eval == nil {
			continue
		}
		answers, err := g.answers(s, e, y.name)
		if err != nil {
			return nil, err
		}
		all = append(all, measured{y, r, answers, g.acc(s, y.name, answers)})
	}
	return all, nil
}

// acc returns Acc@1 of answers by the policy of the experiment.
func (g *openedGold) acc(s *settings, name string, answers []eval.Prediction) eval.Metric {
	return eval.NewResult(name, answers, g.policy, nil, uint64(s.Seed)).Metrics[0]
}

// cells returns a system's results, on all gold or on refined gold, beside those of the reference, which may be
// nil.
func (g *openedGold) cells(s *settings, e *experiment, m, reference *measured, gold *eval.Gold) ([]string, error) {
	acc, answers := m.acc, m.answers
	if gold != g.all {
		answers = answersOn(gold, answers)
		acc = g.acc(s, m.name, answers)
	}
	cells := []string{m.title, eval.Decimals(acc.Value), acc.Fraction(), acc.Interval(), "", "", ""}
	if e.paperPolicy != "" {
		counted := eval.NewResult(m.name, answers, g.paperPolicy, nil, uint64(s.Seed)).Metrics[0]
		cells[6] = eval.Decimals(counted.Value) + ", " + counted.Fraction()
	}
	if reference == nil || m.name == reference.name {
		return cells, nil
	}
	own := reference.answers
	if gold != g.all {
		own = answersOn(gold, own)
	}
	c, err := eval.Compare(own, answers, g.policy, eval.AllMentions(), uint64(s.Seed))
	if err != nil {
		return nil, err
	}
	cells[4] = fmt.Sprintf("%s (%s)", eval.Decimals(c.Difference.Value), c.Difference.Interval())
	cells[5] = pValue(c.Bootstrap) + ", " + pValue(c.McNemar)
	return cells, nil
}

// referenceOf returns the system that the others are compared with: the last one of ctxnorm's that was run,
// or nil if none was.
func referenceOf(all []measured) *measured {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].own {
			return &all[i]
		}
	}
	return nil
}

// differs returns what differs from the paper, with the number of steps that ended the training of the
// system's encoder.
func (s *settings) differs(e *experiment, y *system) (string, error) {
	of, trained := owner(e, y)
	r, err := s.readRow(of, trained.name)
	if err != nil || !trained.encoder || r.Train == nil {
		return y.differs, err
	}
	said := y.differs
	for _, arg := range r.Train.Args {
		if steps, ok := strings.CutPrefix(arg, "steps="); ok { // of --set
			steps, _, _ = strings.Cut(steps, ",")
			said = strings.TrimPrefix(y.differs+"; "+steps+" steps", "; ")
		}
	}
	return said, nil
}

func pValue(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return eval.Decimals(p)
}

// answers returns the answers of a system on all gold.
func (g *openedGold) answers(s *settings, e *experiment, name string) ([]eval.Prediction, error) {
	path := filepath.Join(s.folder(e, name), answerFile)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return eval.ReadPredictions(f, path, g.all.Mentions, g.set, ctxnorm.Limits{})
}

// answersOn returns the answers on a part of the gold that they are on.
func answersOn(gold *eval.Gold, all []eval.Prediction) []eval.Prediction {
	type place struct {
		document   string
		start, end int
	}
	of := make(map[place]*eval.Prediction, len(all))
	at := func(m *eval.GoldMention) place {
		return place{m.Query.ID, m.Query.Mention.Start, m.Query.Mention.End}
	}
	for i := range all {
		of[at(all[i].Mention)] = &all[i]
	}
	part := make([]eval.Prediction, len(gold.Mentions))
	for i := range gold.Mentions {
		part[i] = *of[at(&gold.Mentions[i])]
		part[i].Mention = &gold.Mentions[i]
	}
	return part
}

// cost returns what a system took. A model that is used twice is counted once.
func (s *settings) cost(e *experiment, y *system, r row) ([]string, error) {
	line := []string{y.title, "", "", "", "", "", harness.Format(r.Eval.Minutes, ""), r.Eval.Version}
	if r.Train == nil {
		of, trained := owner(e, y)
		switch {
		case y.given:
			line[1] = "that of $MODEL"
		case of != e:
			line[1] = "as " + of.name + "/" + trained.name
		default:
			line[1] = "as " + trained.name
		}
		return line, nil
	}
	line[1], line[2], line[3] = harness.Format(r.Train.Minutes, ""), harness.Format(r.Train.CPU, ""), harness.Format(r.Train.PeakMB, "")
	manifest, err := model.ReadManifest(filepath.Join(s.folder(e, y.name), "model"))
	if err != nil || len(manifest.Training) == 0 {
		return line, err
	}
	var training struct {
		Summary struct {
			Steps     int
			Sentences int
			Seconds   float64
		}
	}
	if err := json.Unmarshal(manifest.Training, &training); err != nil {
		return nil, err
	}
	if t := training.Summary; t.Steps > 0 && t.Seconds > 0 {
		line[4], line[5] = strconv.Itoa(t.Steps), harness.Format(float64(t.Sentences)/t.Seconds, "")
	}
	return line, nil
}
