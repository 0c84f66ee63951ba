package main

import (
	"context"

	"github.com/spf13/cobra"

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

func (f *serverFlags) flags() [][]flag {
	return [][]flag{{
		{"model", &f.config.Model, "default=model not=dict", "model `folder`"},
		memoryInFlag(&f.config.Memory, "not=dict"),
	}, f.dict.withoutModel(), f.linker.flags("auto"), f.linker.choiceFlags(), encoderFlags(&f.config.Open.Encoder)}
}

// apply sets the configuration that the flags describe. It reads the dictionary later, in open.
func (f *serverFlags) apply(p *program, cmd *cobra.Command) (err error) {
	config := &f.config
	if config.Link, err = f.linker.linkOptions(cmd, f.fromDictionary(cmd)); err != nil {
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
		config.Model, config.Memory = f.dict.name(), ""
		config.Dictionary = func(ctx context.Context) (*ctxnorm.Model, error) { return f.dict.openModel(ctx, p) }
	}
	s, err := server.New(cmd.Context(), *config)
	if err != nil {
		return nil, linkerError(err, config.Link.Method)
	}
	return s, nil
}
