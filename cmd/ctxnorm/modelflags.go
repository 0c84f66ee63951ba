package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
)

// modelFlags name what mentions are linked to: a model, or a dictionary without one.
type modelFlags struct {
	dir     string
	encoder ctxnorm.OpenOptions
	dict    dictionaryFlags
}

func (m *modelFlags) register(flags *pflag.FlagSet) {
	m.registerWhole(flags)
	m.dict.filter.register(flags)
}

// registerWhole is register without the flags that select concepts and names.
func (m *modelFlags) registerWhole(flags *pflag.FlagSet) {
	flags.StringVar(&m.dir, "model", "model", "model `folder`")
	registerEncoder(flags, &m.encoder.Encoder)
	m.dict.registerPaths(flags, "link to a dictionary `file` without a model, by strings; also several times: the "+
		"concepts are joined by id")
}

// fromDictionary reports whether mentions are linked to a dictionary: one that a variable or a setting names gives
// way to a model of the command line.
func (m *modelFlags) fromDictionary(cmd *cobra.Command) bool {
	return len(m.dict.paths) > 0 && (cmd.Flags().Changed("dict") || !cmd.Flags().Changed("model"))
}

// open opens the model or reads the dictionary, and applies the filters. The function that
// it returns closes the model.
func (m *modelFlags) open(p *program, cmd *cobra.Command) (_ *ctxnorm.Model, closeModel func() error, err error) {
	if m.fromDictionary(cmd) {
		if err := notBoth(cmd, "dict", "model"); err != nil {
			return nil, nil, err
		}
		dict, err := m.dict.read(p)
		if err != nil {
			return nil, nil, err
		}
		opened, err := ctxnorm.NewDictionaryModel(dict, m.dict.name())
		if err != nil {
			return nil, nil, err
		}
		filtered, err := m.dict.filter.applyToModel(p, opened)
		return filtered, opened.Close, err
	}
	if err := m.dict.checkUnused(cmd); err != nil {
		return nil, nil, err
	}
	opened, err := ctxnorm.Open(cmd.Context(), m.dir, m.encoder)
	if err != nil {
		if !isModel(m.dir) {
			return nil, nil, withHint(err, makeModelOrDictionary)
		}
		return nil, nil, hintModel(withFlag(err), m.dir)
	}
	filtered, err := m.dict.filter.applyToModel(p, opened)
	if err != nil {
		return nil, nil, errors.Join(err, opened.Close())
	}
	return filtered, opened.Close, nil
}
