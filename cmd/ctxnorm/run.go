package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/files"
)

// Exit codes, as documented in docs/formats.md.
const (
	exitDone    = 0
	exitPartial = 1
	exitFailed  = 2
)

// program is the state shared by all subcommands.
type program struct {
	args      []string // the command line
	stdin     io.Reader
	stdout    *output
	stderr    io.Writer
	skipped   skipped
	models    []io.Closer // to close at the end
	limits    ctxnorm.Limits
	quiet     bool
	logFormat string
	config    string            // settings file; empty for the first of configPlaces
	origins   map[string]string // by flag name, the variable or line of the settings that set it
}

// skipped counts malformed records of documents, files of no known format, and malformed rows of the dictionary, which
// were all skipped.
type skipped struct{ records, files, rows int }

// error returns a [*partialError] if something was skipped, else nil.
func (s skipped) error() error {
	var said []string
	if s.records > 0 {
		said = append(said, plural(s.records, "malformed record"))
	}
	if s.files > 0 {
		said = append(said, english.Plural(s.files, "file of no known format", "files of no known format"))
	}
	if s.rows > 0 {
		said = append(said, plural(s.rows, "malformed row")+" of the dictionary")
	}
	if said == nil {
		return nil
	}
	return &partialError{"skipped " + english.WordSeries(said, "and")}
}

// run runs the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{args: args, stdin: interruptible{ctx, stdin}, stdout: &output{w: stdout}, stderr: stderr}
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(p.stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	for _, m := range p.models {
		err = cmp.Or(err, m.Close())
	}
	if err == nil {
		err = p.skipped.error()
	}
	var partial *partialError
	if (err == nil || errors.As(err, &partial)) && p.stdout.err != nil {
		err = p.stdout.err
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		hint := ""
		if cmd.Annotations[resumes] != "" {
			hint = "the same command resumes from here"
		}
		p.logError(errors.New("interrupted"), hint)
		return exitInterrupted(ctx)
	}
	p.logError(err, hintFor(cmd, err))
	if errors.As(err, &partial) {
		return exitPartial
	}
	return exitFailed
}

// Annotations of a command: the flags that most users need, in order, and that it can resume an interrupted run.
const (
	usualFlags = "usual"
	resumes    = "resumes"
)

// command is a subcommand.
type command struct {
	use, short, long string
	args             cobra.PositionalArgs // nil for none
	usual            string               // flags that most users need
	examples         string               // command lines with descriptions
	flags            [][]flag
	run              func(cmd *cobra.Command, args []string) error
	resumes          bool
}

// command returns a subcommand with its flags.
func (p *program) command(c command) *cobra.Command {
	cmd := &cobra.Command{Use: c.use, Short: c.short, Long: c.long, Args: c.args, RunE: c.run,
		Annotations: map[string]string{usualFlags: c.usual}}
	if c.args == nil {
		cmd.Args = wantArgs(cobra.NoArgs)
	}
	if c.resumes {
		cmd.Annotations[resumes] = "yes"
	}
	for line := range strings.Lines(c.examples) {
		cmd.Example += "  " + line
	}
	addFlags(cmd.Flags(), slices.Concat(c.flags...))
	return cmd
}

// parentCommand returns a command that only has subcommands, and prints its help.
func parentCommand(name, short string, subcommands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs, // with RunE, so that an unknown subcommand is an error rather than a page of help
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(subcommands...)
	return cmd
}

// wantArgs returns a check for the number of arguments with a hint.
func wantArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return withHint(check(cmd, args), "usage: "+cmd.UseLine())
	}
}

// description is the description of the program in its help.
const description = `ctxnorm links mentions in text to the concepts of your dictionary, even when the dictionary
does not list the phrase. It learns from the dictionary and raw text alone.

Without a model, by strings:

  ctxnorm link --dict names.tsv --tag note.txt   the dictionary's names in a text

With one:

  ctxnorm build-corpus pubmed/*.xml.gz      label sentences with the dictionary's names
  ctxnorm train --dict-fraction 0.5         train an encoder, index its exemplars
  ctxnorm link --input sentences.jsonl      concepts with probabilities and evidence

The dictionary is the file called dictionary.* in the current folder, the corpus
goes to corpus/ and the model to model/, unless flags say otherwise. A flag that is
not given gets its value from its environment variable, such as CTXNORM_MODEL for --model,
or else from the file ` + configName + `: "model: folder", and "link:" with flags below it.`

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "ctxnorm", Short: "Link mentions in text to the concepts of a dictionary", Long: description, Version: version,
		SilenceUsage: true, SilenceErrors: true, DisableSuggestions: true, // run prints errors and hints
		PersistentPreRunE: p.prepare,
	}
	p.limits, p.logFormat = files.DefaultLimits, foreseeLogFormat(p.args)
	addFlags(root.PersistentFlags(), []flag{
		{configFlag, &p.config, "in", "`file` of settings in YAML (default: " + configName + " in the current folder, else in " +
			"that of the user's settings)"},
		{"quiet,q", &p.quiet, "", "print errors and warnings only: no progress and no notices"},
		{"log-format", &p.logFormat, "is=text|json", "form of the messages on standard error: text, or json for an object a " +
			"line with the time"},
		{"max-record", &p.limits.Record, "min=1", "largest `number` of bytes of a record of an input: a line, a document, a " +
			"row of CSV, a stanza of OBO, a concept of XML or JSON"},
		{"max-mentions", &p.limits.Mentions, "min=1", "largest `number` of mentions of a document"},
		{"max-in-memory", &p.limits.InMemory, "min=1", "largest `number` of bytes of memory for the dictionaries, a " +
			"hierarchy, gold or a list of documents to leave out; for dictionaries 32 times their files, if that is more"},
	})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.buildCorpusCommand(), p.trainCommand(), p.linkCommand(), p.serveCommand(), p.mcpCommand(), p.tagCommand(),
		p.evalCommand(), p.calibrateCommand(), p.inspectCommand(), p.verifyCommand(), p.doctorCommand(),
		parentCommand("corpus", "Inspect a corpus, or merge several", p.corpusShowCommand(), p.corpusStatsCommand(),
			p.corpusMergeCommand()),
		parentCommand("dict", "Check and compare dictionaries, and find what they lack", p.dictCheckCommand(),
			p.dictDiffCommand(), p.dictMissingCommand()),
		parentCommand("memory", "Correct a model without training: add names, contexts and concepts", p.memoryAddCommand(),
			p.memoryListCommand(), p.memoryUndoCommand(), p.memoryImportCommand(), p.memoryExportCommand()),
		parentCommand("word-vectors", "Train word vectors", p.wordVectorsTrainCommand()))
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if complete := completionOf(flag); complete != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag.Name, complete) // fails for a flag shared by all commands
			}
		})
	})
	arrangeHelp(root, p.stdout)
	return root
}

// prepare applies the environment and the settings file, and checks the values of all flags, before a command runs.
func (p *program) prepare(cmd *cobra.Command, args []string) error {
	p.origins = make(map[string]string)
	if err := p.applySettings(cmd); err != nil {
		return err
	}
	if p.limits.Record != files.DefaultLimits.Record {
		p.limits.Line = p.limits.Record
	}
	if err := checkFlags(cmd, args, p.isSet(cmd)); err != nil {
		return err
	}
	if device := cmd.Flags().Lookup("device"); device != nil && device.Value.String() == "cuda" {
		return p.trainProgram(nil)
	}
	return nil
}

// version is set by the linker from the release tag.
var version = "devel"

// trainProgramName is the name of the build with libtorch, which takes .5 s to load. It has all commands.
const trainProgramName = "ctxnorm-train"

// trainProgram replaces this process by the build with libtorch, to train an encoder or to compute on a GPU. If this is
// already that build, or it is not found, trainProgram returns missing.
func (p *program) trainProgram(missing error) error {
	if ctxnorm.CanTrain {
		return missing
	}
	path := findTrainProgram()
	if path == "" {
		return missing
	}
	return become(path, p.args)
}

// logLeftOut warns what linking lacks if the model's encoder was left out.
func (p *program) logLeftOut(leftOut bool) {
	if !leftOut {
		return
	}
	p.warn("this build of ctxnorm cannot run the model's encoder: its vectors are left out, and short forms "+
		"that a document does not define are resolved without them", torchBuild)
}

// waiting returns a function to call when another process is writing the same output, or nil unless wait is set.
func (p *program) waiting(wait bool) func(*ctxnorm.LockedError) {
	if !wait {
		return nil
	}
	return func(held *ctxnorm.LockedError) { p.logf("waiting: %v", held) }
}
