package main

import (
	"fmt"
	"net"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/server"
)

func (p *program) serveCommand() *cobra.Command {
	var (
		config server.Config
		linker linkerFlags
		addr   string
	)
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Link and annotate texts over HTTP",
		Long: `Serves a model over HTTP, on this machine alone unless --addr says otherwise:

  POST /v1/link              documents with mentions: their candidates
  POST /v1/annotate          documents: the dictionary's names in them, and candidates
  GET  /v1/concepts?query=   concepts by name
  GET  /v1/concepts/{id}     names, types, parents and exemplars of a concept
  GET  /healthz, /metrics, /docs, /openapi.json

An interrupt or a termination signal stops it when the requests that are under way are
answered.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if config.Link, err = linker.linkOptions(cmd); err != nil {
				return err
			}
			if err := checkServerLimits(&config.Limits); err != nil {
				return err
			}
			config.Limits.Input, config.Version, config.Logf = p.limits, version, p.logf
			listener, err := net.Listen("tcp", addr)
			if err != nil {
				return fmt.Errorf("--addr: %w", err)
			}
			defer listener.Close()
			s, err := server.New(cmd.Context(), config)
			if err != nil {
				return hintModel(withFlag(linkHint(err, config.Link.Method), encoderOptionFlags), config.Model)
			}
			defer s.Close()
			p.logf("%s is served at http://%s", config.Model, listener.Addr())
			return s.Serve(cmd.Context(), listener)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&config.Model, "model", "model", "model `folder`")
	flags.StringVar(&addr, "addr", "127.0.0.1:8080", "`host:port` to listen at; port 0 takes a free one")
	registerServerLimits(flags, &config.Limits)
	linker.register(flags, "auto")
	registerEncoder(flags, &config.Open.Encoder)
	return cmd
}

// registerServerLimits adds the flags of what a request may take.
func registerServerLimits(flags *pflag.FlagSet, l *server.Limits) {
	*l = server.DefaultLimits
	flags.Int64Var(&l.Body, "max-body", l.Body, "largest `number` of bytes of the body of a request, after decompression")
	flags.Int64Var(&l.Characters, "max-characters", l.Characters, "largest `number` of characters of the texts of a request")
	flags.DurationVar(&l.Time, "max-time", l.Time, "longest `time` to read a request, and to answer it")
}

func checkServerLimits(l *server.Limits) error {
	for name, value := range map[string]int64{"max-body": l.Body, "max-characters": l.Characters, "max-time": int64(l.Time)} {
		if value < 1 {
			return fmt.Errorf("--%s is %d, want more than 0", name, value)
		}
	}
	return nil
}
