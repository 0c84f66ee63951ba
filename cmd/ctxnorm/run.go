package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes, as the command's documentation defines them.
const (
	exitDone   = 0
	exitSome   = 1
	exitFailed = 2
)

// program is what every subcommand needs of the world.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	badRows        int // of the dictionary, passed over
	profiles       profiles
}

// someError says that the run went through but not all of it was good.
type someError struct{ what string }

func (e *someError) Error() string { return e.what }

// hintError is an error with what to do about it.
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

// run runs the command line args and gives the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin: interruptible{ctx, stdin}, stdout: stdout, stderr: stderr}
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if failed := p.profiles.stop(); err == nil {
		err = failed
	}
	if err == nil && p.badRows > 0 {
		err = &someError{fmt.Sprintf("%d bad rows of the dictionary were passed over", p.badRows)}
	}
	if err == nil {
		return exitDone
	}
	p.printError(cmd, err)
	var some *someError
	if errors.As(err, &some) {
		return exitSome
	}
	return exitFailed
}

// resumes is the annotation of a command that goes on from where it was stopped.
const resumes = "resumes"

func (p *program) printError(cmd *cobra.Command, err error) {
	if errors.Is(err, context.Canceled) {
		p.say("interrupted")
		if cmd.Annotations[resumes] != "" {
			p.say("hint: the same command goes on from here")
		}
		return
	}
	p.say("%v", err)
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		p.say("hint: %s", hinted.Hint())
	}
}

// say prints a message, every line of it as the program's own.
func (p *program) say(format string, args ...any) {
	for line := range strings.Lines(fmt.Sprintf(format, args...) + "\n") {
		fmt.Fprintf(p.stderr, "ctxnorm: %s", line)
	}
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "ctxnorm",
		Short: "Link mentions in text to the concepts of a small dictionary",
		Long: `ctxnorm links mentions in text to the concepts of a small dictionary, with no
annotated data: it learns from sentences of PubMed in which the names stand.

  ctxnorm build-corpus pubmed/*.xml.gz      tag sentences with the dictionary's names
  ctxnorm train --dict-fraction 0.5         train an encoder and index its exemplars
  ctxnorm link --input sentences.jsonl      concepts, with the sentences that voted

The dictionary is the file called dictionary.* in the current folder, the corpus
goes to corpus/ and the model to model/, unless flags say otherwise.`,
		SilenceUsage:  true,
		SilenceErrors: true,

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkPaths(cmd.Flags()); err != nil {
				return err
			}
			return p.profiles.start()
		},
		Version: version,
	}
	p.profiles.register(root.PersistentFlags())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return withHint(flagError(err), cmd.CommandPath()+" --help lists the flags")
	})
	root.AddCommand(
		p.buildCorpusCommand(),
		p.trainCommand(),
		p.indexCommand(),
		p.linkCommand(),
		p.tagCommand(),
		p.evalCommand(),
		p.corpusCommand(),
		p.calibrateCommand(),
		p.inspectCommand(),
		p.verifyCommand(),
	)
	return root
}

// version is set by the linker from the release's tag.
var version = "devel"
