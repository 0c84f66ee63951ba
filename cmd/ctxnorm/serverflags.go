package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/server"
)

// serverFlags say what a server answers with, a model or a dictionary without one, and how it links; serve and mcp
// share them.
type serverFlags struct {
	config server.Config
	dict   dictionaryFlags
	linker linkerFlags
}

func (f *serverFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.config.Model, "model", "model", "model `folder`")
	f.dict.registerPaths(flags,
		"link to a dictionary `file` without a model, by strings; also several times: the concepts are joined by id")
	registerMemory(flags, &f.config.Memory, false,
		"`folder` of the corrections (default: "+besideModel+", beside the model)")
	f.linker.register(flags, "auto")
	f.linker.registerMinScore(flags)
	f.linker.registerBudget(flags)
	registerEncoder(flags, &f.config.Open.Encoder)
}

// apply sets the configuration that the flags describe. It reads the dictionary later, in open.
func (f *serverFlags) apply(p *program, cmd *cobra.Command) (err error) {
	if err := notBoth(cmd, "dict", "model"); err != nil {
		return err
	}
	if f.fromDictionary(cmd) {
		if err := notBoth(cmd, "dict", "memory"); err != nil {
			return err
		}
		if !cmd.Flags().Changed("method") {
			f.linker.options.Method = ctxnorm.MethodLexical
		}
	} else if err := f.dict.checkUnused(cmd); err != nil {
		return err
	}
	if err := f.linker.setMinScore(f.fromDictionary(cmd)); err != nil {
		return err
	}
	config := &f.config
	if config.Link, err = f.linker.linkOptions(cmd); err != nil {
		return err
	}
	config.Memory = memoryFolder(config.Memory, config.Model)
	config.Limits.Input, config.Version, config.Logf, config.Errorf = p.limits, version, p.logf, p.errorf
	return nil
}

// fromDictionary reports whether a dictionary is served: only one of the command line, since that of a variable or a
// setting is the one that models are made from.
func (f *serverFlags) fromDictionary(cmd *cobra.Command) bool { return cmd.Flags().Changed("dict") }

// open opens the server, which is to be closed.
func (f *serverFlags) open(p *program, cmd *cobra.Command) (*server.Server, error) {
	config := &f.config
	if f.fromDictionary(cmd) {
		dict, err := f.dict.open(p)
		if err != nil {
			return nil, err
		}
		config.Dictionary, config.Model, config.Memory = dict, f.dict.name(), ""
	}
	s, err := server.New(cmd.Context(), *config)
	if readOnly, ok := errors.AsType[*server.MemoryError](err); ok {
		return nil, fmt.Errorf("--memory: %w", readOnly)
	}
	switch {
	case err == nil:
		return s, nil
	case config.Dictionary != nil:
		return nil, linkHint(err, config.Link.Method)
	case !isModel(config.Model):
		return nil, withHint(err, makeModelOrDictionary)
	}
	return nil, hintModel(linkHint(err, config.Link.Method), config.Model)
}
