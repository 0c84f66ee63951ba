package main

import (
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

// flags are those of gold, of which all but --gold have a rule.
func (o *goldFlags) flags(rule string) []flag {
	return []flag{
		{"gold", &o.files, "in=folder", "annotated `files` or folders, joined by commas, in a format that link reads"},
		{"gold-types", &o.types, rule, "entity types of the annotations to use (default: all)"},
		{"ids", &o.ids, "in " + rule, "JSON `file` of concepts with all their ids, which the annotations may use (default: the " +
			"ids of the dictionary)"},
	}
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

// readGold reads annotated files, warns of what may mean something else, and passes malformed records to bad.
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
