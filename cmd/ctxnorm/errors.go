package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// partialError reports that a run finished although some of its input was bad.
type partialError struct{ what string }

func (e *partialError) Error() string { return e.what }

// hintError is an error with a hint about what to do.
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

// torchBuild completes a hint with where to get the build that can train and run every encoder.
const torchBuild = trainProgramName + ", which make build makes (Linux on amd64), has the same commands with libtorch"

// hintFor returns a hint for an error of a command, by the type of the error, or "" if there is none.
func hintFor(cmd *cobra.Command, err error) string {
	var (
		hinted  interface{ Hint() string }
		foreign *ctxnorm.ForeignError
		locked  *ctxnorm.LockedError
		damaged *ctxnorm.DamagedError
		file    *fs.PathError
		option  *ctxnorm.OptionError
		header  *kbfile.HeaderError
		row     *kbfile.RowError
	)
	switch {
	case errors.As(err, &hinted):
		return hinted.Hint()
	case unknownCommand.MatchString(err.Error()):
		cmd.SuggestionsMinimumDistance = 2 // letters
		typed := unknownCommand.ReplaceAllString(err.Error(), "$1")
		if meant := cmd.SuggestionsFor(typed); len(meant) > 0 {
			return "did you mean " + meant[0] + "?"
		}
		return cmd.CommandPath() + " --help lists the commands"
	case errors.Is(err, ctxnorm.ErrNoTraining):
		return "train --untrained makes a model with the encoder of the base model as it is, and --encoder none " +
			"one that links by strings; " + torchBuild
	case errors.Is(err, ctxnorm.ErrNoEncoder):
		return torchBuild
	case errors.Is(err, ctxnorm.ErrNoVectors):
		return "link by strings with --method lexical, or train without --encoder none"
	case errors.Is(err, ctxnorm.ErrNoRecognizer):
		return "--tag finds the names of the dictionary; train with a corpus of more texts for other wordings"
	case errors.As(err, &foreign):
		return "move it elsewhere, or name another place to write"
	case errors.As(err, &locked):
		return "--wait waits until it has ended"
	case errors.As(err, &damaged):
		return hintModel(cmd, damaged)
	case errors.As(err, &file) && isBelow(file.Path, valueOfFlag(cmd, "corpus")):
		return "make a corpus with ctxnorm build-corpus, or name one with --corpus FOLDER"
	case errors.As(err, &option) && option.Field == "Corpus":
		return "a model without a corpus is made with --encoder none, --untrained or another --recipe"
	case is[*formats.UnknownError](err):
		return "name the format with --input-format, or the columns of a table with --columns text=COLUMN " +
			"(mention=COLUMN for wordings without a text)"
	case errors.As(err, &header):
		hint := fmt.Sprintf("say what the columns have, by name or number, such as --dict-columns id=%d,name=%d",
			header.ID, header.Name)
		if next := 1 + max(header.ID, header.Name); next <= len(header.Rows[0]) {
			hint += fmt.Sprintf(",synonyms=%d", next)
		}
		return hint + "; one column may be that of ids and of names"
	case errors.Is(err, kbfile.ErrDelimiter):
		return "name the delimiter with --dict-delimiter"
	case errors.As(err, &row) && strings.HasPrefix(row.Want, "UTF-8"):
		return "name the encoding with --dict-encoding, such as cp1252, or shift_jis for Japanese"
	case is[*memory.ConflictError](err):
		return "--replace undoes the entries that it disagrees with"
	}
	return ""
}

// is reports whether an error is of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// valueOfFlag returns the value of a command's flag, or "" if the command does not have the flag.
func valueOfFlag(cmd *cobra.Command, name string) string {
	if flag := cmd.Flags().Lookup(name); flag != nil {
		return flag.Value.String()
	}
	return ""
}

// isBelow reports whether a path is a folder or inside it.
func isBelow(path, folder string) bool {
	path, folder = filepath.Clean(path)+string(filepath.Separator), filepath.Clean(folder)+string(filepath.Separator)
	return strings.HasPrefix(path, folder)
}

// Hints for a folder that is not a model. The second is for commands that can link without one.
const (
	makeModel             = "make a model with ctxnorm train, or name one with --model FOLDER"
	makeModelOrDictionary = makeModel + ", or link by strings with --dict FILE"
)

func isModel(dir string) bool {
	_, err := model.ReadManifest(dir)
	return err == nil
}

// hintModel returns a hint for a model that is damaged, or a folder that is not a model.
func hintModel(cmd *cobra.Command, damaged *ctxnorm.DamagedError) string {
	dir := cmp.Or(valueOfFlag(cmd, "from"), valueOfFlag(cmd, "model"))
	log, lines, _ := memory.Check(memory.Dir(dir))
	switch {
	case dir == "":
		return ""
	case damaged.Path == log:
		return memoryLogHint(log, lines)
	case isModel(dir) && damaged.Path == filepath.Join(dir, model.CalibrationFile):
		return "ctxnorm calibrate --model " + dir + " learns the weights anew"
	case isModel(dir) && isBelow(damaged.Path, dir):
		return "ctxnorm verify --model " + dir + " lists every file that is not as it was written"
	case isModel(dir):
		return ""
	case cmd.Flags().Lookup("method") != nil:
		return makeModelOrDictionary
	}
	return makeModel
}

// memoryLogHint returns a hint for the damaged log of a memory whose first lines are intact.
func memoryLogHint(log string, lines int) string {
	hint := "move " + log + " aside to go on without the memory"
	if lines > 1 { // more than the header
		hint += fmt.Sprintf(", or cut it after line %d to go on without what follows", lines)
	}
	return hint
}

// unknownCommand matches cobra's error for an unknown command. It captures the word.
var unknownCommand = regexp.MustCompile(`^unknown command "(.*)" for ".*"$`)

// wording returns the message of an error in terms of the command line: it replaces an option or setting of the library
// by its flag, and names files as the user did.
func wording(err error) string {
	var (
		option *ctxnorm.OptionError
		file   *fs.PathError
	)
	message := err.Error()
	switch {
	case errors.As(err, &option):
		named := *option
		if named.Field == "Corpus" && named.Value == "" {
			named.Value = noCorpus
		}
		named.Field = "--" + optionFlag(option.Field)
		return strings.Replace(message, option.Error(), named.Error(), 1)
	case errors.As(err, &file) && strings.HasPrefix(file.Error(), "open ") || file != nil && file.Op == "stat":
		return strings.Replace(message, file.Error(), file.Path+": "+file.Err.Error(), 1)
	}
	return message
}

// optionFlags maps options of the library to flags with another name.
var optionFlags = map[string]string{
	"TopK": "top", "DictionaryFraction": "dict-fraction", "ExemplarsPerConcept": "exemplars", "EncoderKind": "encoder",
	"Labeled": "gold", "Line": "max-record", "Record": "max-record", "Mentions": "max-mentions",
	"InMemory": "max-in-memory", "Sheet": "dict-sheet", "Separator": "dict-separator", "Columns": "dict-columns",
	"Cache": "no-cache", "Delimiter": "dict-delimiter", "Encoding": "dict-encoding", "Links": "link-template",
}

// optionFlag returns the flag for an option: "exact-budget" for ExactBudget, and "set steps" for training.steps.
func optionFlag(field string) string {
	if setting, ok := strings.CutPrefix(field, "training."); ok && setting != "precision" { // linking has it, too
		return "set " + settingFlag(setting)
	}
	field = strings.TrimPrefix(field, "training.")
	var flag strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			flag.WriteByte('-')
		}
		flag.WriteRune(unicode.ToLower(r))
	}
	return cmp.Or(optionFlags[field], fieldFlag(flag.String()))
}

// fieldFlag returns the flag, or the setting of --set, for the JSON name of a field.
func fieldFlag(field string) string { return strings.NewReplacer("_", "-", ".", "-").Replace(field) }

// settingFlag returns the flag for a field of a recipe's settings or of [contrastive.Config].
func settingFlag(field string) string {
	for _, recipe := range papers.Recipes() {
		for _, s := range recipe.Settings {
			if s.Field == field {
				return s.Flag
			}
		}
	}
	return fieldFlag(field)
}

// namedOption matches an option in a message of the library.
var namedOption = regexp.MustCompile(`\b(?:Limits|DictionaryOptions|TrainOptions|WriterOptions|formats\.Options)\.([A-Z]\w+)`)

// nameFlags replaces options in a message of the library by their flags.
func nameFlags(message string) string {
	return namedOption.ReplaceAllStringFunc(message, func(option string) string {
		return "--" + optionFlag(namedOption.FindStringSubmatch(option)[1])
	})
}
