package main

import (
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// goldFlags name annotated documents and say how they are read.
type goldFlags struct {
	files []string
	types []string
	ids   string
}

func (o *goldFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.files, "gold", nil, "annotated `files` or folders, joined by commas, in a format that "+
		"link reads")
	flags.StringSliceVar(&o.types, "gold-types", nil, "entity types of the annotations to use (default: all)")
	flags.StringVar(&o.ids, "ids", "", "JSON `file` of concepts with all their ids, which the annotations may use "+
		"(default: the ids of the dictionary)")
}

// concepts returns the concept set that annotations are read with.
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

// warnGold warns of what was read although a file of gold may mean something else.
func (p *program) warnGold(gold *eval.Gold) {
	for i, w := range gold.Warnings {
		if i == shownBadRecords {
			p.warnf("%d warnings, of which the first %d are shown", len(gold.Warnings), shownBadRecords)
			break
		}
		p.warnf("%v", w)
	}
}

// openModel opens a model folder. Its errors have hints.
func openModel(dir string, o ctxnorm.EncoderOptions) (*model.Model, error) {
	openEncoder, err := ctxnorm.OpenOptions{Encoder: o}.EncoderOpener()
	if err != nil {
		return nil, withFlag(err)
	}
	m, err := model.Open(dir, openEncoder)
	return m, hintModel(err, dir)
}
