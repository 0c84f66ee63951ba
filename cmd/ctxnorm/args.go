package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
)

// atLeast returns a check for n arguments or more. what names them.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= n {
			return nil
		}
		return withHint(fmt.Errorf("got %d %s, want at least %d", len(args), what, n), "usage: "+cmd.UseLine())
	}
}

// exactly returns a check for n arguments. what names them.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return withHint(fmt.Errorf("got %d %s, want %d", len(args), what, n), "usage: "+cmd.UseLine())
	}
}

// noArgs refuses arguments other than flags.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return withHint(fmt.Errorf("%s has no argument %q, only flags", cmd.CommandPath(), args[0]),
		cmd.CommandPath()+" --help lists the flags")
}

// notBoth refuses two flags that exclude each other.
func notBoth(cmd *cobra.Command, a, b string) error {
	if cmd.Flags().Changed(a) && cmd.Flags().Changed(b) {
		return fmt.Errorf("--%s and --%s exclude each other", a, b)
	}
	return nil
}

// fileRole is what a flag does with the files that it names.
type fileRole int

const (
	readsOnOpening fileRole = iota // a file or folder that its command checks, and reads
	reads                          // a file that is checked before anything is read; "-" is standard input
	readsAll                       // as reads, or a folder of files
	writes                         // a file, or a folder of them
	writesLast                     // a file that is written at the end of a long run, and checked before it
)

// fileRoles are the roles of the flags that name files, by the flag's name; all others are readsOnOpening.
var fileRoles = map[string]fileRole{
	"parents": reads, "ids": reads, "exclude-pmids": reads, "stop-names": reads, "compare": reads, "refined": reads,
	configFlag: reads, "dict": readsAll, "input": readsAll, "gold": readsAll, "documents": readsAll,
	"output":  writes,
	"answers": writesLast, "errors": writesLast,
}

// checkValues checks the flags that are given, or set by a variable or a setting, before anything
// is read: none is empty, as an unset variable of the shell leaves it, files can be read or
// written, and none is read and written. args are the arguments.
func (p *program) checkValues(flags *pflag.FlagSet, args []string) error {
	given := func(flag *pflag.Flag) bool { return flag.Changed || p.origins[flag.Name] != "" }
	var err error
	flags.VisitAll(func(flag *pflag.Flag) {
		if err == nil && given(flag) {
			err = checkValue(flag)
		}
	})
	if err != nil {
		return err
	}
	return checkOutputs(flags, args, given)
}

// valuesOf returns the values of a flag, which is one unless it is a list.
func valuesOf(flag *pflag.Flag) []string {
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{flag.Value.String()}
}

func checkValue(flag *pflag.Flag) error {
	values := valuesOf(flag)
	if len(values) == 0 || slices.Contains(values, "") {
		what, _ := pflag.UnquoteUsage(flag)
		switch what {
		case "file", "folder":
			return fmt.Errorf("--%s is empty, want a %s", flag.Name, what)
		case "files":
			return fmt.Errorf("--%s is empty or has an empty item, want files", flag.Name)
		case "strings":
			return fmt.Errorf("--%s is empty or has an empty item", flag.Name)
		}
		return fmt.Errorf("--%s is empty", flag.Name)
	}
	for _, path := range values {
		switch role := fileRoles[flag.Name]; {
		case (role == reads || role == readsAll) && path != "-":
			info, err := os.Stat(path)
			if err == nil && info.IsDir() && role == reads {
				return fmt.Errorf("--%s %s: is a folder, want a file", flag.Name, path)
			}
			if err != nil {
				return pathError(flag.Name, path, err)
			}
		case role == writesLast:
			if path == "-" {
				return fmt.Errorf("--%s is -, want a file: standard output has the rest of the output", flag.Name)
			}
			return checkOutputFile(flag.Name, path)
		}
	}
	return nil
}

// checkOutputFile refuses a file that cannot be written, of a flag.
func checkOutputFile(flag, path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("--%s %s: is a folder, want a file", flag, path)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return pathError(flag, path, err)
	}
	return nil
}

// pathError returns an error of a file that names the flag and the file as given.
func pathError(flag, path string, err error) error {
	if on, ok := errors.AsType[*fs.PathError](err); ok {
		err = on.Err
	}
	return fmt.Errorf("--%s %s: %w", flag, path, err)
}

// flagError words an error of a flag's value like the program's other errors.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	flag := bad.GetFlag()
	return fmt.Errorf("--%s is %q, want %s", flag.Name, bad.GetValue(), valuesWanted(flag.Value))
}

// valuesWanted names the values that a flag takes.
func valuesWanted(value pflag.Value) string {
	if one, ok := value.(*choice); ok {
		return english.WordSeries(one.values, "or")
	}
	switch value.Type() {
	case "int", "int64":
		return "a whole number"
	case "uint64":
		return "a whole number, 0 or more"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time, such as 2s or 500ms"
	case "stringToString":
		return "names with values, such as id=Case,text=Note"
	case shardType:
		return "a number and how many there are, such as 3/8"
	}
	return value.Type()
}

// optionFlags holds the flags of the library's options that are not called as the option.
var optionFlags = map[string]string{
	"TopK": "top", "DictionaryFraction": "dict-fraction", "ExemplarsPerConcept": "exemplars", "EncoderKind": "encoder",
	"Labeled": "gold",
}

// withFlag turns an error of an option of the library, or of a setting of training, into one that names the flag.
// Settings are those of the recipe.
func withFlag(err error, settings ...contrastive.Setting) error {
	if option, ok := errors.AsType[*ctxnorm.OptionError](err); ok {
		flag := cmp.Or(optionFlags[option.Field], optionFlag(option.Field))
		return &ctxnorm.OptionError{Field: "--" + flag, Value: option.Value, Want: option.Want}
	}
	if wrong, ok := errors.AsType[*contrastive.FieldError](err); ok {
		flag := fieldFlag(wrong.Field)
		for _, s := range settings {
			if s.Field == wrong.Field {
				flag = s.Flag
			}
		}
		return &ctxnorm.OptionError{Field: "--" + flag, Value: wrong.Value, Want: wrong.Want}
	}
	return err
}

// optionFlag returns the name of an option as a flag: "exact-budget" for ExactBudget.
func optionFlag(field string) string {
	var flag strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			flag.WriteByte('-')
		}
		flag.WriteRune(unicode.ToLower(r))
	}
	return flag.String()
}

// fieldFlag returns the flag of a field of [contrastive.Config].
func fieldFlag(field string) string { return strings.NewReplacer("_", "-", ".", "-").Replace(field) }
