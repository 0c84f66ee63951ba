package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// componentFlags choose components of the ranking.
type componentFlags struct {
	without []string
	only    []string
	ablate  bool
}

func (o *componentFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&o.without, "without", nil,
		"components to leave out of the ranking, whose weights are then learned again: "+
			strings.ReplaceAll(link.AllComponents.String(), ",", ", "))
	flags.StringSliceVar(&o.only, "only", nil,
		"the only components of the ranking, whose weights are then learned again")
	flags.BoolVar(&o.ablate, "ablate", false, "also measure the ranking without each component, and by each alone")
}

// given reports whether components are left out of the model that is measured.
func (o *componentFlags) given() bool { return len(o.without)+len(o.only) > 0 }

// check refuses the flags for methods other than the ranking.
func (o *componentFlags) check(method ctxnorm.Method) error {
	if method != ctxnorm.MethodRanked && (o.given() || o.ablate) {
		return fmt.Errorf("--without, --only and --ablate choose components of --method ranked, and have no effect "+
			"with --method %s", method)
	}
	return nil
}

// components returns the components that the flags leave of a model.
func (o *componentFlags) components(m *model.Model) (link.Components, error) {
	flag, names := "--without", o.without
	if len(o.only) > 0 {
		flag, names = "--only", o.only
	}
	named, err := link.ParseComponents(names)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", flag, err)
	}
	if lacks := named &^ link.ComponentsOf(m); lacks != 0 {
		return 0, fmt.Errorf("%s: the model has no %s", flag, lacks)
	}
	if len(o.only) > 0 {
		return named, nil
	}
	return link.AllComponents &^ named, nil
}
