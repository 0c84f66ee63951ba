package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/server"
)

func (p *program) mcpCommand() *cobra.Command {
	var source serverFlags
	var corrections bool
	source.config.Batching = server.Batching{Size: 1} // there is one client
	return p.command(command{
		use:   "mcp",
		short: "Serve a language model's client over standard input and output (MCP)",
		long: `Serves a model, or with --dict a dictionary without one, to one client of the Model Context
Protocol, which starts the command and speaks to it over standard input and output. It
sends nothing to anybody else. The tools are:

  link_text        link wordings in a text to concepts, by their context
  find_mentions    find the dictionary's names in a text
  search_concepts  search concepts by name or identifier
  get_concept      names, types, broader and narrower concepts, sentences of a concept
  correct          store a correction, with --corrections alone

A client is set up with the command and its flags: {"mcpServers": {"ctxnorm": {"command":
"ctxnorm", "args": ["mcp", "--dict", "/path/to/names.tsv"]}}}.`,
		usual: "model dict corrections memory",
		examples: `ctxnorm mcp --model model --corrections   # a client starts it
ctxnorm mcp --dict names.tsv              # no model`,
		flags: append(source.flags(), []flag{{"corrections", &corrections, "not=dict",
			"let the client add corrections to the memory of the model"}}),
		run: func(cmd *cobra.Command, _ []string) error {
			if err := source.apply(p, cmd); err != nil {
				return err
			}
			s, err := source.open(p, cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			return s.ServeMCP(cmd.Context(), io.NopCloser(p.stdin), struct {
				io.Writer
				io.Closer
			}{p.stdout, io.NopCloser(nil)}, corrections)
		},
	})
}

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
		{"memory", &f.config.Memory, "not=dict", ""},
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
