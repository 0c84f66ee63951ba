package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/link/calibrate"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

func (p *program) calibrateCommand() *cobra.Command {
	var (
		mdl  string
		gold goldFlags
		run  encoderFlags
	)
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Learn the weights of a model's ranking anew",
		Long: `Learns how much each reason for a candidate weighs, without a label: names are held
out of the dictionary, and where they stand in the model's contexts they are
mentions of unknown wording whose concept is known. train and index do this at
their end. With --gold the weights are learnt from annotated documents instead.

The weights are printed, and kept in the model; beside them the share of queries
with a right candidate that is ranked first, by the weights themselves and by
ten-fold cross-validation, in which mentions of equal wording are in one fold; and,
for least probabilities, how many queries are answered and how many of the answers
are right when a tenth of the concepts is held out of the model.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := run.check(); err != nil {
				return err
			}
			bad := badRecords{program: p}
			var source calibrate.Gold
			if len(gold.files) > 0 {
				source = func(m *model.Model) ([]text.Exemplar, error) { return gold.exemplars(m, &bad) }
			} else if len(gold.types) > 0 || gold.ids != "" {
				return errors.New("--types and --ids say how --gold is read, and there is none")
			}
			calibration, err := calibrate.Recalibrate(cmd.Context(), mdl, openEncoder(run), source)
			if err != nil {
				return hintModel(err, mdl)
			}
			if err := p.printJSON(calibration); err != nil {
				return err
			}
			return bad.result()
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&mdl, "model", "model", "model `folder`")
	gold.register(flags)
	run.register(flags)
	return cmd
}

// exemplars are the annotated mentions whose concept the model has, by its own ids.
func (o *goldFlags) exemplars(m *model.Model, bad *badRecords) ([]text.Exemplar, error) {
	ids, err := o.concepts(m)
	if err != nil {
		return nil, err
	}
	gold, err := eval.ReadGold(o.files, o.types, ids)
	if err != nil {
		return nil, err
	}
	for _, skipped := range gold.Malformed {
		if err := bad.pass(skipped); err != nil {
			return nil, err
		}
	}
	own := make(map[kb.ConceptID][]kb.ConceptID) // concept of the gold -> of the model
	for i := range m.Dictionary.Len() {
		id := m.Dictionary.At(i).ID
		own[ids.Canonical(id)] = append(own[ids.Canonical(id)], id)
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
		return nil, fmt.Errorf("--gold: none of the %d mentions names a concept of the model", len(gold.Mentions))
	}
	return exemplars, nil
}
