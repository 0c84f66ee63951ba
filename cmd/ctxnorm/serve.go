package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/internal/server"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	config    server.Config
	dict      dictionaryFlags
	linker    linkerFlags
	addr      string
	tokenFile string
	origins   []string
	noToken   bool
	documents documentFlags // to curate
	decisions string        // folder
	links     map[string]string
	watch     bool
	check     string // URL
}

func (p *program) serveCommand() *cobra.Command {
	var f serveFlags
	return p.command(command{
		use:   "serve",
		short: "Link and annotate texts over HTTP",
		long: `Serves a model over HTTP, or with --dict a dictionary without one. Other machines can only
connect with another --addr:

  POST /v1/link              documents with mentions: their candidates
  POST /v1/annotate          documents: the dictionary's names in them, and candidates
  GET  /v1/reconcile         reconciliation of table columns, for OpenRefine
  GET  /                     a page to link texts, and to review and correct the links
  GET  /docs                 documentation of all requests

If other machines can connect, it needs a token, which clients send as
"Authorization: Bearer TOKEN": the first line of --token-file, or $CTXNORM_TOKEN.

A hangup signal (SIGHUP) reloads the model or dictionary. An interrupt or a termination signal
stops the server after the requests in progress have been answered; the exit code is 0 if all
of them were.

With --documents the server stores these documents and the decisions of curators on them, as
JSONL files that every command reads, also as gold.`,
		usual: "model dict documents addr token-file reload check",
		examples: `ctxnorm serve                                         # http://localhost:8080
ctxnorm serve --documents notes/                      # documents to curate, which it keeps
ctxnorm serve --documents rows.xlsx --columns id=Case,mention=Diagnosis  # a table to code
ctxnorm serve --addr 0.0.0.0:8080 --token-file token  # for other machines`,
		flags: f.flags(),
		run: func(cmd *cobra.Command, _ []string) error {
			if f.check != "" {
				return p.checkServer(cmd.Context(), f.check)
			}
			if err := f.apply(p, cmd); err != nil {
				return err
			}
			return f.serve(p, cmd)
		},
	})
}

func (f *serveFlags) flags() [][]flag {
	config := &f.config
	config.Batching, config.Limits = server.DefaultBatching, server.DefaultLimits
	read := f.documents.flags()[1:] // without --input, which --documents replaces
	for i := range read {
		read[i].rules += " needs=documents"
	}
	return append(f.sourceFlags(), read, []flag{
		{"addr", &f.addr, "default=127.0.0.1:8080", "`host:port` to listen at; port 0 takes a free one"},
		{"reload", &f.watch, "not=dict", "reload the model when its folder changes"},
		{"token-file", &f.tokenFile, "", "`file` whose first line is the token that requests need"},
		{"allow-origin", &f.origins, "here", "`origin` whose pages may use the server, as https://example.org; may be repeated"},
		{"insecure-no-token", &f.noToken, "here", "let everybody in who can reach the server, also beyond this machine"},
		{"documents", &f.documents.input, "each in=folder", "`file` or folder of documents to curate, in any format that " +
			"link reads; may be given several times"},
		{"decisions", &f.decisions, "needs=documents", "`folder` of what curators decide of --documents (default: " +
			"PATH.decisions, beside the first of them)"},
		{name: "link-template", value: &f.links},
		{"check", &f.check, "", "ask the server at a `URL` whether it is ready, and serve nothing; the exit code is 1 if it is not"},
		{"batch-size", &config.Batching.Size, "min=1", "number of queries of several requests at which the encoder waits for no " +
			"more; 1 encodes each request alone"},
		{"batch-wait", &config.Batching.Wait, "min=0", "longest `time` that a request waits for others, to be encoded with them"},
		{"max-body", &config.Limits.Body, "min=1", "largest `number` of bytes of the body of a request, after decompression"},
		{"max-requests", &config.Limits.Requests, "min=1", "largest `number` of requests to answer at once"},
		{"max-time", &config.Limits.Time, "above=0", "longest `time` to read a request, and to answer it; of a stream, a line"},
	})
}

// sourceFlags returns the flags that serve and mcp share: what is served, a model or a dictionary without one, and how
// it links.
func (f *serveFlags) sourceFlags() [][]flag {
	return [][]flag{{
		{"model", &f.config.Model, "default=model not=dict", "model `folder`"},
		{"memory", &f.config.Memory, "not=dict", ""},
	}, f.dict.withoutModel(), f.linker.flags("auto"), f.linker.choiceFlags(), encoderFlags(&f.config.Open.Encoder)}
}

// applySource sets the configuration described by sourceFlags. The dictionary is read later, in open.
func (f *serveFlags) applySource(p *program, cmd *cobra.Command) (err error) {
	config := &f.config
	if config.Link, err = f.linker.linkOptions(cmd, f.fromDictionary(cmd)); err != nil {
		return err
	}
	config.Memory = memoryFolder(config.Memory, config.Model)
	config.Limits.Input, config.Version, config.Logf, config.Errorf = p.limits, version, p.logf, p.errorf
	return nil
}

// fromDictionary reports whether a dictionary is served. Only --dict on the command line counts, because a variable or
// a setting names the dictionary for training models.
func (f *serveFlags) fromDictionary(cmd *cobra.Command) bool { return cmd.Flags().Changed("dict") }

// open opens the server, which must be closed.
func (f *serveFlags) open(p *program, cmd *cobra.Command) (*server.Server, error) {
	if f.fromDictionary(cmd) {
		f.config.Model, f.config.Memory = f.dict.name(), ""
		f.config.Dictionary = func(ctx context.Context) (*ctxnorm.Model, error) { return f.dict.openModel(ctx, p) }
	}
	s, err := untilDone(cmd.Context(), func() (*server.Server, error) { return server.New(cmd.Context(), f.config) })
	return s, linkerError(err, f.config.Link.Method)
}

// apply sets the configuration described by the flags, and rejects flags that are wrong.
func (f *serveFlags) apply(p *program, cmd *cobra.Command) (err error) {
	if err := f.applySource(p, cmd); err != nil {
		return err
	}
	if f.config.Links, err = formats.ParseLinkTemplates(f.links); err != nil {
		return err
	}
	f.config.Access, err = f.access()
	return err
}

// serve listens, opens the model or dictionary, and answers requests until the context is done.
func (f *serveFlags) serve(p *program, cmd *cobra.Command) error {
	config := &f.config
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	defer listener.Close()
	if err := f.checkAddress(listener.Addr(), &config.Access, p.origins["addr"]); err != nil {
		return err
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // reloads once the server is open
	defer signal.Stop(hangups)
	if config.Curation, err = f.openDocuments(p, cmd); err != nil {
		return err
	}
	if config.Curation != nil {
		defer config.Curation.Close()
	}
	s, err := f.open(p, cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := context.WithCancel(cmd.Context())
	var following sync.WaitGroup
	defer following.Wait()
	defer stop()
	following.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangups:
				s.ReloadAndLog(ctx)
			}
		}
	})
	if f.watch {
		following.Go(func() { s.Watch(ctx, watchInterval) })
	}
	p.logf("%s is served at http://%s", config.Model, listener.Addr())
	return s.Serve(cmd.Context(), listener)
}

// watchInterval is how often --reload checks the model folder.
const watchInterval = 2 * time.Second

// tokenVariable is the environment variable with the token.
const tokenVariable = "CTXNORM_TOKEN"

// maxTokenFile is the maximum size of a token file, in bytes.
const maxTokenFile = 4 << 10

// access returns who may use the server. A token file takes precedence over the variable.
func (f *serveFlags) access() (server.Access, error) {
	access := server.Access{Token: os.Getenv(tokenVariable), Origins: f.origins}
	from := "$" + tokenVariable
	if f.tokenFile != "" {
		from = "--token-file " + f.tokenFile
		file, err := os.Open(f.tokenFile)
		if err != nil {
			return access, fmt.Errorf("--token-file: %w", err)
		}
		defer file.Close()
		data, err := io.ReadAll(io.LimitReader(file, maxTokenFile+1)) // it may be an endless device
		if err != nil {
			return access, fmt.Errorf("--token-file: %w", err)
		}
		if len(data) > maxTokenFile {
			return access, fmt.Errorf("%s has more than %d bytes, want a token", from, maxTokenFile)
		}
		line, _, _ := strings.Cut(string(data), "\n")
		if access.Token = strings.TrimSpace(line); access.Token == "" {
			return access, fmt.Errorf("%s has no token in its first line", from)
		}
	}
	if err := access.Validate(); err != nil {
		if (&server.Access{Token: access.Token}).Validate() == nil {
			from = "--allow-origin"
		}
		return access, fmt.Errorf("%s: %w", from, err)
	}
	return access, nil
}

// onCommandLine returns the error for a flag that must be on the command line, because whoever can write a settings
// file or a variable must not be able to open another user's server.
func onCommandLine(flag string) error {
	return fmt.Errorf("--%s opens the server to others, want it on the command line", flag)
}

// checkAddress refuses to let everybody in from other machines, unless that is explicitly allowed. addr is the address
// that the server listens on, and origin names what set --addr if it is not on the command line.
func (f *serveFlags) checkAddress(addr net.Addr, access *server.Access, origin string) error {
	local := server.IsLocal(addr)
	access.LocalHosts = local && access.Token == ""
	if !local && origin != "" {
		return onCommandLine("addr")
	}
	if !local && access.Token == "" && !f.noToken {
		return withHint(fmt.Errorf("--addr %s can be reached from other machines, and everybody could use the server", f.addr),
			"give a token by --token-file or $"+tokenVariable+", or let everybody in with --insecure-no-token")
	}
	return nil
}

// openDocuments returns the documents with their decisions, or nil if no documents are given.
func (f *serveFlags) openDocuments(p *program, cmd *cobra.Command) (*curation.Store, error) {
	if len(f.documents.input) == 0 {
		return nil, nil
	}
	if f.decisions == "" {
		f.decisions = curation.Dir(f.documents.input[0])
	}
	decisions, err := filepath.Abs(f.decisions)
	if err != nil {
		return nil, fmt.Errorf("--decisions: %w", err)
	}
	f.documents.leaveOut = func(path string) bool {
		found, err := filepath.Abs(path)
		return err == nil && found == decisions
	}
	sources, err := f.readDocuments(p)
	if err != nil {
		return nil, fmt.Errorf("--documents: %w", err)
	}
	store, err := curation.Open(cmd.Context(), f.decisions, sources)
	if err != nil {
		return nil, fmt.Errorf("--decisions: %w", err)
	}
	p.logf("%s to curate, with the decisions in %s", plural(store.Len(), "document"), f.decisions)
	if store.Strays > 0 {
		p.warnf("%s keeps the decisions on %s not among those of --documents", f.decisions, plural(store.Strays, "document"))
	}
	return store, nil
}

// readDocuments reads the documents. It reports and skips malformed ones.
func (f *serveFlags) readDocuments(p *program) (sources []curation.Source, err error) {
	f.documents.keepIDs = true // a decision names its document by identifier and file
	err = p.eachRecord(&f.documents, func(r *formats.Record) error {
		file := filepath.ToSlash(f.documents.reading)
		sources = append(sources, curation.Source{Document: r.Document, File: file, Unnamed: r.Unnamed, Columns: r.Columns})
		return nil
	})
	if bad := p.skipped.error(); bad != nil {
		p.warnf("%v", bad)
		p.skipped = skipped{}
	}
	if err == nil && len(sources) == 0 {
		err = errors.New("no document was found")
	}
	return sources, err
}

// checkTime is how long "serve --check" waits for an answer.
const checkTime = 5 * time.Second

// checkServer asks the server at a URL whether it is ready, and prints the answer.
func (p *program) checkServer(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("--check: %w", err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return &partialError{fmt.Sprintf("--check: %v", err)}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil {
		return &partialError{fmt.Sprintf("--check: %s: %v", url, err)}
	}
	var health struct {
		Status string `json:"status"`
	}
	if answer.StatusCode != http.StatusOK || json.Unmarshal(body, &health) != nil || health.Status != "ok" {
		return &partialError{fmt.Sprintf("--check: %s is not a server that is ready: it answered %s", url, answer.Status)}
	}
	_, err = p.stdout.Write(body)
	return err
}
