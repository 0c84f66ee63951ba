package main

import (
	"github.com/spf13/cobra"

	"ctxnorm/link"
)

func (p *program) calibrateCommand() *cobra.Command {
	var (
		model string
		run   encoderFlags
	)
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Learn the weights of a model's ranking anew",
		Long: `Learns how much each reason for a candidate weighs, without a label: names are held
out of the dictionary, and where they stand in the model's contexts they are
mentions of unknown wording whose concept is known. train and index do this at
their end. The weights are printed, and kept in the model.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := run.check(); err != nil {
				return err
			}
			calibration, err := link.Recalibrate(cmd.Context(), model, openEncoder(run))
			if err != nil {
				return hintModel(err, model)
			}
			return p.printJSON(calibration)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&model, "model", "model", "model `folder`")
	run.register(flags)
	return cmd
}
