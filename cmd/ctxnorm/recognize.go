package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
)

// recognizeFlags say whether mentions that are no names are looked for.
type recognizeFlags struct {
	recognize bool
	find      string
}

func (f *recognizeFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.recognize, "recognize", false,
		"find the dictionary's names and other wordings of its concepts, as the model has learned from its corpus")
	registerFind(flags, &f.find)
}

// Values of --find.
const (
	findMore  = "more"
	findFewer = "fewer"
)

func registerFind(flags *pflag.FlagSet, find *string) {
	registerChoice(flags, find, "find", []string{findMore, findFewer},
		"`more` or fewer: let the recognizer find more mentions, or only those that it is surer of")
}

// findShift is how far --find moves the scores of mentions, in logarithms of odds.
const findShift = .75

// apply sets the options of linking.
func (f *recognizeFlags) apply(o *ctxnorm.LinkOptions) error {
	o.Recognize = f.recognize
	switch f.find {
	case findMore:
		o.FindMore = findShift
	case findFewer:
		o.FindMore = -findShift
	}
	if f.find != "" && !f.recognize {
		return errors.New("--find has no effect without --recognize")
	}
	return nil
}
