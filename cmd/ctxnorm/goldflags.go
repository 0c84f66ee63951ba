package main

import (
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/model"
)

// goldFlags name annotated documents and say how they are read.
type goldFlags struct {
	files []string
	types []string
	ids   string
}

func (o *goldFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.files, "gold", nil, "annotated `files`: PubTator, BioC XML or JSONL")
	flags.StringSliceVar(&o.types, "types", nil, "entity types to count (default: all)")
	flags.StringVar(&o.ids, "ids", "", "JSON `file` of the concepts that the annotations name with all their ids (default: the dictionary's)")
}

// concepts is the set that annotations are read by.
func (o *goldFlags) concepts(m *model.Model) (*eval.ConceptSet, error) {
	if o.ids == "" {
		return eval.DictionaryConceptSet(m.Dictionary), nil
	}
	concepts, err := kbfile.ReadConceptMap(o.ids)
	if err != nil {
		return nil, err
	}
	return eval.NewConceptSet(concepts), nil
}
