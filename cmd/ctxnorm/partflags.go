package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/link"
	"github.com/ctxnorm/ctxnorm/model"
)

// partFlags leave out parts of the ranking.
type partFlags struct {
	without []string
	only    []string
	ablate  bool
}

func (o *partFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&o.without, "without", nil, "parts to leave out of the ranking, whose weights are learnt anew: "+strings.ReplaceAll(link.AllComponents.String(), ",", ", "))
	flags.StringSliceVar(&o.only, "only", nil, "the only parts of the ranking, whose weights are learnt anew")
	flags.BoolVar(&o.ablate, "ablate", false, "measure the ranking without each of its parts, and by each alone, as well")
	cmd.MarkFlagsMutuallyExclusive("without", "only")
}

// given reports whether parts are left out of the model that is measured.
func (o *partFlags) given() bool { return len(o.without)+len(o.only) > 0 }

// check finds flags that another method than the ranking cannot follow.
func (o *partFlags) check(method string) error {
	if method != "ranked" && (o.given() || o.ablate) {
		return fmt.Errorf("--without, --only and --ablate are about the parts of --method ranked, not %s", method)
	}
	return nil
}

// parts are those that are left of a model.
func (o *partFlags) parts(m *model.Model) (link.Components, error) {
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
