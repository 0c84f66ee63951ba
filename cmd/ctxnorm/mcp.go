package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/server"
)

func (p *program) mcpCommand() *cobra.Command {
	var f serveFlags // only those that choose what is served
	var corrections bool
	f.config.Batching = server.Batching{Size: 1} // there is one client
	return p.command(command{
		use:   "mcp",
		short: "Serve a language model's client over standard input and output (MCP)",
		long: `Serves a model, or with --dict a dictionary without one, to one client of the Model Context
Protocol, which starts the command and speaks to it over standard input and output. It
sends nothing to anybody else. The tools are:

  link_text        link phrases in a text to concepts, by their context
  find_mentions    find the dictionary's names in a text
  search_concepts  search concepts by name or identifier
  get_concept      names, types, broader and narrower concepts, sentences of a concept
  correct          store a correction; only with --corrections

A client is set up with the command and its flags: {"mcpServers": {"ctxnorm": {"command":
"ctxnorm", "args": ["mcp", "--dict", "/path/to/names.tsv"]}}}.`,
		usual: "model dict corrections memory",
		examples: `ctxnorm mcp --model model --corrections   # a client starts it
ctxnorm mcp --dict names.tsv              # no model`,
		flags: append(f.sourceFlags(), []flag{{"corrections", &corrections, "not=dict",
			"let the client add corrections to the memory of the model"}}),
		run: func(cmd *cobra.Command, _ []string) error {
			if err := f.applySource(p, cmd); err != nil {
				return err
			}
			s, err := f.open(p, cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			return s.ServeMCP(cmd.Context(), p.stdin, struct {
				io.Writer
				io.Closer
			}{p.stdout, io.NopCloser(nil)}, corrections)
		},
	})
}
