package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ctxnorm"
	"ctxnorm/eval"
	"ctxnorm/link"
)

func (p *program) calibrateCommand() *cobra.Command {
	var (
		model string
		gold  goldFlags
		run   encoderFlags
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
			var source link.Gold
			if len(gold.files) > 0 {
				source = func(m *link.Model) ([]ctxnorm.Exemplar, error) { return gold.exemplars(m, &bad) }
			} else if len(gold.types) > 0 || gold.ids != "" {
				return errors.New("--types and --ids say how --gold is read, and there is none")
			}
			calibration, err := link.Recalibrate(cmd.Context(), model, openEncoder(run), source)
			if err != nil {
				return hintModel(err, model)
			}
			if err := p.printJSON(calibration); err != nil {
				return err
			}
			return bad.result()
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&model, "model", "model", "model `folder`")
	gold.register(flags)
	run.register(flags)
	return cmd
}

// exemplars are the annotated mentions whose concept the model has, by its own ids.
func (o *goldFlags) exemplars(m *link.Model, bad *badRecords) ([]ctxnorm.Exemplar, error) {
	ids, err := o.concepts(m)
	if err != nil {
		return nil, err
	}
	gold, err := eval.ReadGold(o.files, o.types, ids)
	if err != nil {
		return nil, err
	}
	for _, skipped := range gold.Skip {
		if err := bad.pass(skipped); err != nil {
			return nil, err
		}
	}
	own := make(map[ctxnorm.ConceptID][]ctxnorm.ConceptID) // concept of the gold -> of the model
	for i := range m.Dictionary.Len() {
		id := m.Dictionary.At(i).ID
		own[ids.Canonical(id)] = append(own[ids.Canonical(id)], id)
	}
	var exemplars []ctxnorm.Exemplar
	for i := range gold.Items {
		q := gold.Items[i].Query
		q.Mention.Concepts = nil
		for _, concept := range gold.Items[i].Gold {
			q.Mention.Concepts = append(q.Mention.Concepts, own[concept]...)
		}
		if len(q.Mention.Concepts) > 0 {
			exemplars = append(exemplars, ctxnorm.Exemplar{Query: q})
		}
	}
	if len(exemplars) == 0 {
		return nil, fmt.Errorf("--gold: none of the %d mentions names a concept of the model", len(gold.Items))
	}
	return exemplars, nil
}
