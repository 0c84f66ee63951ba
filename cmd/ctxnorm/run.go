package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// Exit codes, as docs/formats.md defines them.
const (
	exitDone    = 0
	exitPartial = 1
	exitFailed  = 2
)

// program is the state that all subcommands share.
type program struct {
	args     []string // of the command line
	stdin    io.Reader
	stdout   *output
	stderr   io.Writer
	badRows  int // malformed rows of the dictionary, which were skipped
	limits   ctxnorm.Limits
	log      logFlags
	config   string            // file of settings; empty for that of configPlaces
	origins  map[string]string // what set a flag that is not given, by its name: a variable, or a line of the settings
	settings map[string]bool   // names of the flags that the file of settings set
}

// partialError reports that a run finished, but some of its input was bad.
type partialError struct{ what string }

func (e *partialError) Error() string { return e.what }

// hintError is an error with a hint of what to do about it.
type hintError struct {
	error
	hint string
}

func (e *hintError) Hint() string  { return e.hint }
func (e *hintError) Unwrap() error { return e.error }

func withHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hintError{err, hint}
}

// run runs the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{args: args, stdin: interruptible{ctx, stdin}, stdout: &output{w: stdout}, stderr: stderr}
	root := p.rootCommand()
	p.log.foresee(args)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(p.stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && p.badRows > 0 {
		err = &partialError{"skipped " + english.Plural(p.badRows, "malformed row", "") + " of the dictionary"}
	}
	var partial *partialError
	if (err == nil || errors.As(err, &partial)) && p.stdout.err != nil {
		err = p.stdout.err
	}
	if err == nil {
		return exitDone
	}
	err = p.nameOrigin(err)
	p.printError(cmd, err)
	if errors.Is(err, context.Canceled) {
		return exitInterrupted(ctx)
	}
	if errors.As(err, &partial) {
		return exitPartial
	}
	return exitFailed
}

// resumes annotates a command that resumes where it was stopped.
const resumes = "resumes"

func (p *program) printError(cmd *cobra.Command, err error) {
	if errors.Is(err, context.Canceled) {
		hint := ""
		if cmd.Annotations[resumes] != "" {
			hint = "the same command resumes from here"
		}
		p.logError(errors.New("interrupted"), hint)
		return
	}
	p.logError(err, hintFor(cmd, err))
}

// hintFor returns what to do about an error, or "" if there is nothing to say.
func hintFor(cmd *cobra.Command, err error) string {
	var hinted interface{ Hint() string }
	switch {
	case errors.As(err, &hinted):
		return hinted.Hint()
	case unknownCommand.MatchString(err.Error()):
		return hintCommand(cmd.Root(), err)
	case errors.Is(err, ctxnorm.ErrNoTraining):
		return "train --untrained makes a model with the encoder of the base model as it is, and --encoder none " +
			"one that links by strings; " + torchBuild
	case errors.Is(err, ctxnorm.ErrNoEncoder):
		return torchBuild
	case errors.Is(err, ctxnorm.ErrNoRecognizer):
		return "--tag finds the names of the dictionary; train with a corpus of more texts for other wordings"
	}
	return ""
}

// unknownCommand matches cobra's error of a command that there is not: the command, and that which should
// have it.
var unknownCommand = regexp.MustCompile(`^unknown command "(.*)" for "(.*)"$`)

// hintCommand returns which commands an unknown one may stand for.
func hintCommand(root *cobra.Command, err error) string {
	match := unknownCommand.FindStringSubmatch(err.Error())
	parent, _, findErr := root.Find(strings.Fields(match[2])[1:])
	if findErr != nil {
		parent = root
	}
	parent.SuggestionsMinimumDistance = 2 // edits, as cobra has it by default
	if names := parent.SuggestionsFor(match[1]); len(names) > 0 {
		return "did you mean " + strings.Join(names, " or ") + "?"
	}
	return parent.CommandPath() + " --help lists the commands"
}

// hintFlag returns which flag of a command an unknown one may stand for: one that begins like it, or differs in a letter.
func hintFlag(cmd *cobra.Command, err error) string {
	hint := cmd.CommandPath() + " --help lists the flags"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		typed := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()) // -tag is read as -t -a -g
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.HasPrefix(typed, f.Name) || input.LookAlike(typed, []string{f.Name}) != "" {
				hint = "did you mean --" + f.Name + "?"
			}
		})
	}
	return hint
}

// description says in the help of the program what it does.
const description = `ctxnorm links mentions in text to the concepts of your dictionary, even when the dictionary
lacks the wording. It learns from the dictionary and raw text alone.

Without a model, by strings:

  ctxnorm link --dict names.tsv --tag note.txt   the dictionary's names in a text

With one:

  ctxnorm build-corpus pubmed/*.xml.gz      label sentences with the dictionary's names
  ctxnorm train --dict-fraction 0.5         train an encoder, index its exemplars
  ctxnorm link --input sentences.jsonl      concepts with probabilities and evidence

The dictionary is the file called dictionary.* in the current folder, the corpus
goes to corpus/ and the model to model/, unless flags say otherwise. A flag that is
not given is taken from its environment variable, such as CTXNORM_MODEL for --model, or
else from the file ` + configName + `: "model: folder", and "link:" with flags below it.`

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "ctxnorm",
		Short:         "Link mentions in text to the concepts of a dictionary",
		Long:          description,
		SilenceUsage:  true,
		SilenceErrors: true,

		DisableSuggestions: true, // see hintCommand

		PersistentPreRunE: p.prepare,
		Version:           version,
	}
	root.PersistentFlags().StringVar(&p.config, configFlag, "", "`file` of settings in YAML (default: "+configName+
		" in the current folder, else in that of the user's settings)")
	p.log.register(root.PersistentFlags())
	p.limits = files.DefaultLimits
	registerLimits(root.PersistentFlags(), inputLimits(&p.limits))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return withHint(flagError(err), hintFlag(cmd, err))
	})
	root.AddCommand(
		p.buildCorpusCommand(),
		p.trainCommand(),
		p.linkCommand(),
		p.serveCommand(),
		p.mcpCommand(),
		p.tagCommand(),
		p.evalCommand(),
		p.corpusCommand(),
		p.dictCommand(),
		p.calibrateCommand(),
		p.memoryCommand(),
		p.wordVectorsCommand(),
		p.inspectCommand(),
		p.verifyCommand(),
		p.versionCommand(),
		p.doctorCommand(),
	)
	describeVariables(root)
	completeFlags(root)
	arrangeHelp(root, p.stdout)
	groupCommands(root)
	shortenHelp(root)
	refuseUnknownHelp(root)
	return root
}

// prepare takes settings from the environment and the file of settings, and checks the values of all flags, before a
// command runs.
func (p *program) prepare(cmd *cobra.Command, args []string) error {
	p.origins, p.settings = make(map[string]string), make(map[string]bool)
	if err := p.applyConfig(cmd); err != nil {
		return err
	}
	if err := p.applyVariables(cmd.Flags()); err != nil {
		return err
	}
	p.warnOfVariables(cmd.Root())
	if err := p.checkValues(cmd.Flags(), args); err != nil {
		return err
	}
	if err := checkLimits(inputLimits(&p.limits)); err != nil {
		return err
	}
	if device := cmd.Flags().Lookup("device"); device != nil && device.Value.String() == "cuda" {
		if err := p.trainProgram(nil); err != nil {
			return err
		}
	}
	return nil
}

// version is set by the linker from the release's tag.
var version = "devel"
