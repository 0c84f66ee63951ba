package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/server"
)

func (p *program) mcpCommand() *cobra.Command {
	var (
		source      serverFlags
		corrections bool
	)
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve a language model's client over standard input and output (MCP)",
		Long: `Serves a model, or with --dict a dictionary without one, to one client of the Model Context
Protocol, which starts the command and speaks to it over standard input and output. It
sends nothing to anybody else. The tools are:

  link_text        link wordings in a text to concepts, by their context
  find_mentions    find the dictionary's names in a text
  search_concepts  search concepts by name or identifier
  get_concept      names, types, broader and narrower concepts, sentences of a concept
  correct          store a correction, with --corrections alone

A client is set up with the command and its flags: {"mcpServers": {"ctxnorm": {"command":
"ctxnorm", "args": ["mcp", "--dict", "/path/to/names.tsv"]}}}.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := source.apply(p, cmd); err != nil {
				return err
			}
			if corrections && source.fromDictionary(cmd) {
				return errors.New("--corrections has no effect with --dict: corrections belong to a model")
			}
			s, err := source.open(p, cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			return s.ServeMCP(cmd.Context(), io.NopCloser(p.stdin), nopWriteCloser{p.stdout}, corrections)
		},
	}
	flags := cmd.Flags()
	source.register(flags)
	source.config.Batching = server.Batching{Size: 1} // there is one client
	flags.BoolVar(&corrections, "corrections", false, "let the client add corrections to the memory of the model")
	return cmd
}

// nopWriteCloser is a writer that is not closed.
type nopWriteCloser struct{ io.Writer }

// Close implements [io.Closer].
func (nopWriteCloser) Close() error { return nil }
