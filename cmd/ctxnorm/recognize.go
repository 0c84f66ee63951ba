package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
)

// recognizeFlags say whether mentions that are no names are looked for.
type recognizeFlags struct {
	recognize bool
	find      string
}

func (f *recognizeFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.recognize, "recognize", false, "find the dictionary's names and other wordings of its concepts, as the model has learned from its corpus; implies --tag")
	flags.StringVar(&f.find, "find", "", findUsage)
}

const findUsage = "`more` or fewer: let the recognizer find more mentions, or only those that it is surer of"

// findMore is how far --find moves the scores of mentions, in logarithms of odds.
const findMore = .75

// apply sets the options of linking.
func (f *recognizeFlags) apply(o *ctxnorm.LinkOptions) error {
	o.Recognize = f.recognize
	switch f.find {
	case "":
	case "more":
		o.FindMore = findMore
	case "fewer":
		o.FindMore = -findMore
	default:
		return fmt.Errorf("--find is %q, want more or fewer", f.find)
	}
	if f.find != "" && !f.recognize {
		return fmt.Errorf("--find has no effect without --recognize")
	}
	return nil
}
