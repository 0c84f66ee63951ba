package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text"
)

func (p *program) calibrateCommand() *cobra.Command {
	var (
		folder, memory string // of the model
		gold           goldFlags
		encoder        ctxnorm.EncoderOptions
		wait           bool
	)
	return p.command(command{
		use:   "calibrate",
		short: "Relearn the ranking weights of a model",
		long: `Learns the weight of each feature of the ranking, and the default threshold below
which a mention is NIL. It needs no labels: names are held out of the dictionary,
and where they occur in the model's contexts they are mentions with a known concept
that the dictionary does not list. train does this at its end. With --gold the weights are
learned from annotated documents instead. With --memory the names, contexts and
concepts of the model's memory are part of the model that it learns from.

It prints what it stores in the model: the weights; how often the right concept is ranked
first if it is among the candidates; and for each threshold, how many mentions get an answer
and how many answers are right if a tenth of the concepts is held out of the model.`,
		usual: "model gold gold-types",
		examples: `ctxnorm calibrate                        # from names held out, as train does
ctxnorm calibrate --gold train.pubtator  # from annotated documents`,
		flags: [][]flag{{
			{name: "model", value: &folder},
			{name: "wait", value: &wait},
			{"memory", &memory, "bare=" + besideModel, "learn from the model with the corrections in a `folder`; without a " +
				"value, those beside the model"},
		}, gold.flags("needs=gold"), encoderFlags(&encoder)},
		run: func(cmd *cobra.Command, _ []string) error {
			openEncoder, err := ctxnorm.OpenOptions{Encoder: encoder}.EncoderOpener()
			if err != nil {
				return err
			}
			bad := badRecords{program: p}
			known := func(ctx context.Context, m *model.Model) (*model.Model, []text.Exemplar, error) {
				if from := memoryFolder(memory, folder); from != "" {
					extended, err := p.withMemory(ctx, m, from)
					if err != nil {
						return nil, nil, err
					}
					m = extended.Stored()
				}
				if len(gold.files) == 0 {
					return m, nil, nil
				}
				exemplars, err := gold.exemplars(m, &bad)
				return m, exemplars, err
			}
			calibration, err := untilDone(cmd.Context(), func() (*model.Calibration, error) {
				return calibrate.Recalibrate(cmd.Context(), folder, openEncoder, known, p.waiting(wait))
			})
			if err != nil {
				return err
			}
			p.skipped.records = bad.count
			return p.printJSON(calibration)
		},
	})
}

// exemplars returns the annotated mentions whose concepts are in the model, with the model's ids.
func (o *goldFlags) exemplars(m *model.Model, bad *badRecords) ([]text.Exemplar, error) {
	ids, err := o.concepts(m, bad.program.limits)
	if err != nil {
		return nil, err
	}
	gold, err := bad.program.readGold(o.files, o.types, ids, bad)
	if err != nil {
		return nil, err
	}
	own := make(map[kb.ConceptID][]kb.ConceptID) // id in the gold -> ids in the model
	for _, c := range m.Dictionary.All() {
		canonical := ids.Canonical(c.ID)
		own[canonical] = append(own[canonical], c.ID)
	}
	var exemplars []text.Exemplar
	for i := range gold.Mentions {
		q := gold.Mentions[i].Query
		q.Mention.Concepts = nil
		for _, concept := range gold.Mentions[i].Gold {
			q.Mention.Concepts = append(q.Mention.Concepts, own[concept]...)
		}
		if len(q.Mention.Concepts) > 0 {
			exemplars = append(exemplars, text.Exemplar{Query: q})
		}
	}
	if len(exemplars) == 0 {
		return nil, fmt.Errorf("--gold: no concept of the model in %s", plural(len(gold.Mentions), "mention"))
	}
	return exemplars, nil
}

// goldFlags name annotated documents and configure how they are read.
type goldFlags struct {
	files []string
	types []string
	ids   string
}

// flags returns the flags for gold. All except --gold get the given rule.
func (o *goldFlags) flags(rule string) []flag {
	return []flag{
		{"gold", &o.files, "in=folder", "annotated `files` or folders, joined by commas, in a format that link reads"},
		{"gold-types", &o.types, rule, ""},
		{"ids", &o.ids, "in " + rule, "JSON `file` of concepts with all their ids, which the annotations may use (default: the " +
			"ids of the dictionary)"},
	}
}

// concepts returns the concept set for reading annotations.
func (o *goldFlags) concepts(m *model.Model, limits ctxnorm.Limits) (*eval.ConceptSet, error) {
	if o.ids == "" {
		return eval.DictionaryConceptSet(m.Dictionary), nil
	}
	concepts, err := kbfile.ReadConceptMap(o.ids, limits)
	if err != nil {
		return nil, err
	}
	return eval.NewConceptSet(concepts), nil
}

// readGold reads annotated files, warns of annotations that may mean something else, and passes malformed records to
// bad.
func (p *program) readGold(files, types []string, ids *eval.ConceptSet, bad *badRecords) (*eval.Gold, error) {
	gold, err := eval.ReadGold(files, types, ids, p.limits)
	if err != nil {
		return nil, err
	}
	for i, w := range gold.Warnings {
		if i == shownBadRecords {
			p.warnf("%d warnings, of which the first %d are shown", len(gold.Warnings), shownBadRecords)
			break
		}
		p.warnf("%v", w)
	}
	for _, malformed := range gold.Malformed {
		if err := bad.pass(malformed); err != nil {
			return nil, err
		}
	}
	return gold, nil
}
