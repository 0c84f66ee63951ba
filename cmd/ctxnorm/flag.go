package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// flag is a row in a command's table of flags. Help, completion, environment variables, the settings file and the
// checks of values are all derived from it.
type flag struct {
	name  string // may be followed by a comma and the one-letter form
	value any    // points to the variable to set, often an option of the library; its value is the default
	// rules are words; the values of one are separated by bars:
	//
	//	default=x                 the default
	//	bare=x                    the value if the flag is given without one
	//	min=0 above=0 max=1 below=1   bounds of a number
	//	auto                      a number as a string, or "auto"
	//	is=a|b                    the allowed values, or one of valueSets by its name
	//	like=a|b                  values for completion, or their beginnings
	//	in, in=folder             a file to read, or also a folder; "-" is standard input
	//	out, out=folder, out=last   a file to write; a folder that is replaced; a file that is written at the end of a
	//	                          long run, and checked before
	//	each                      the flag of a list takes one value each time it is given
	//	needs=a|b                 has no effect without one of these flags
	//	not=a|b                   excludes these flags
	//	here                      only on the command line, not by a variable or a setting
	//	method=x                  has an effect with linking methods of this property: see methodProperties
	rules string
	usage string // %s stands for the values; if empty, usage and further rules come from sharedFlags
}

// sharedFlags are the rules and usages of flags that several commands have.
var sharedFlags = map[string]struct{ rules, usage string }{
	"strict":     {"", "stop at the first malformed record"},
	"wait":       {"", "wait while another process is writing the folder"},
	"corpus":     {"default=corpus", "corpus `folder`"},
	"model":      {"default=model", "model `folder`"},
	"memory":     {"", "`folder` of the corrections (default: " + besideModel + ", beside the model)"},
	"replace":    {"", "undo entries that say otherwise of the same wording in the same document or sentence"},
	"seed":       {"", "seed of every random choice"},
	"gold-types": {"", "entity types of the annotations to use (default: all)"},
	"no-cache":   {"", "do not keep the names of a large dictionary in the user's cache for the next run"},
	"case":       {"", "take names with capitals for proper names, such as those of companies: \"apple\" is not Apple Inc."},
	"assertion": {"", "mark mentions that the text negates, is not certain of, or reports of the past or of another person " +
		"(ConText rules)"},
	"link-template": {"", "`kind=address` that identifiers of a concept or a document lead to on the page of serve and in the " +
		"format html: concept=https://example.org/{id}; {prefix} and {local} are what is before and after its colon"},
}

// valueSets are values defined by the library, for the rules "is" and "like".
var valueSets = map[string]func() []string{
	"@methods":   func() []string { return papers.MethodNames(nil) },
	"@recipes":   papers.RecipeNames,
	"@settings":  func() []string { _, having := recipesBySetting(); return slices.Sorted(maps.Keys(having)) },
	"@policies":  eval.PolicyNames,
	"@baselines": func() []string { return append(strings.Split(link.AllComponents.String(), ","), baselineNames...) },
	"@formats":   func() []string { return stringsOf(formats.Formats()) },
	"@texts": func() []string { // excludes workbooks
		return slices.DeleteFunc(stringsOf(formats.Formats()), func(name string) bool { return name == string(formats.XLSX) })
	},
	"@outputs":     func() []string { return stringsOf(outputFormats().Names()) },
	"@columns":     formats.ColumnRoles,
	"@dicts":       func() []string { return stringsOf(kbfile.Formats()) },
	"@dictcolumns": kbfile.ColumnRoles,
}

// stringsOf converts values of a string type to strings.
func stringsOf[T ~string](values []T) []string { return converted[string](values) }

// converted converts values of one string type to another.
func converted[To, From ~string](values []From) []To {
	all := make([]To, len(values))
	for i, value := range values {
		all[i] = To(value)
	}
	return all
}

// addFlags adds rows whose flags do not exist yet. It stores the rules as annotations of the flag.
func addFlags(flags *pflag.FlagSet, rows []flag) {
	for _, row := range rows {
		name, letter, _ := strings.Cut(row.name, ",")
		if flags.Lookup(name) != nil {
			continue
		}
		if row.usage == "" {
			row.usage, row.rules = sharedFlags[name].usage, row.rules+" "+sharedFlags[name].rules
		}
		rules := make(map[string][]string)
		for _, rule := range strings.Fields(row.rules) {
			key, value, _ := strings.Cut(rule, "=")
			rules[key] = strings.Split(value, "|")
			if values := valueSets[value]; values != nil {
				rules[key] = values()
			}
		}
		usage := strings.Replace(row.usage, "%s", strings.Join(slices.Concat(rules["is"], rules["like"]), ", "), 1)
		if properties := rules["method"]; properties != nil {
			usage += " (" + counted("method", papers.MethodNames(methodProperties[properties[0]])) + ")"
		}
		if variable := variableNamed(name); !slices.Contains(otherVariables, variable) {
			usage, rules["variable"] = usage+" [$"+variable+"]", []string{variable}
		}
		f := flags.VarPF(valueOf(row.value, rules), name, letter, usage)
		f.Annotations = rules
		if _, isList := row.value.(*[]string); rules["default"] != nil && !isList {
			if err := f.Value.Set(rules["default"][0]); err != nil {
				panic(fmt.Sprintf("--%s: %v", name, err)) // the row is wrong
			}
			f.DefValue = f.Value.String()
		}
		switch {
		case rules["bare"] != nil:
			f.NoOptDefVal = rules["bare"][0]
		case f.Value.Type() == "bool":
			f.NoOptDefVal = "true"
		}
	}
}

// valueOf returns a flag value that sets the variable to points to.
func valueOf(to any, rules map[string][]string) pflag.Value {
	single := pflag.NewFlagSet("", pflag.ContinueOnError)
	switch to := to.(type) {
	case pflag.Value:
		return to
	case *string:
		if rules["is"] != nil {
			return &choice{to, rules["is"]}
		}
		single.StringVar(to, "v", *to, "")
	case *[]string:
		*to = append(rules["default"], *to...)
		if rules["each"] != nil {
			single.StringArrayVar(to, "v", *to, "")
		} else {
			single.StringSliceVar(to, "v", *to, "")
		}
	case *map[string]string:
		single.StringToStringVar(to, "v", *to, "")
	case *bool:
		single.BoolVar(to, "v", *to, "")
	case *int:
		single.IntVar(to, "v", *to, "")
	case *int64:
		single.Int64Var(to, "v", *to, "")
	case *uint64:
		single.Uint64Var(to, "v", *to, "")
	case *float64:
		single.Float64Var(to, "v", *to, "")
	case *time.Duration:
		single.DurationVar(to, "v", *to, "")
	default:
		panic(fmt.Sprintf("a flag of a %T", to))
	}
	return single.Lookup("v").Value
}

// choice is the value of a flag that takes one of several values, or none.
type choice struct {
	value  *string
	values []string
}

// Set implements [pflag.Value]. It accepts an empty value, because checkFlags rejects those for all flags.
func (c *choice) Set(s string) error {
	if s != "" && !slices.Contains(c.values, s) {
		return errors.New("want another")
	}
	*c.value = s
	return nil
}

func (c *choice) String() string {
	if c.value == nil { // pflag calls it on a zero value
		return ""
	}
	return *c.value
}

// Type implements [pflag.Value]. The type appears in the help.
func (c *choice) Type() string { return "string" }

// wanted describes the values of each type of flag.
var wanted = map[string]string{
	"int": "a whole number", "int64": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number",
	"bool": "true or false", "stringToString": "names with values, such as id=Case,text=Note",
	"duration": "a time, such as 2s or 500ms", "shard": "a number and how many there are, such as 3/8",
}

// valuesWanted describes the values that a flag takes.
func valuesWanted(value pflag.Value) string {
	if one, ok := value.(*choice); ok {
		return english.WordSeries(one.values, "or")
	}
	return cmp.Or(wanted[value.Type()], value.Type())
}

// valuesOf returns the values of a flag: one, unless it is a list.
func valuesOf(flag *pflag.Flag) []string {
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{flag.Value.String()}
}

// checkFlags checks flags before a command reads anything. Flags for which set returns true must not be empty and must
// name files that can be read or written. Numbers must be within bounds, and flags on the command line must have an
// effect.
func checkFlags(cmd *cobra.Command, args []string, set func(name string) bool) error {
	var err error
	flags := cmd.Flags()
	flags.VisitAll(func(flag *pflag.Flag) {
		if err == nil && set(flag.Name) {
			err = checkValues(flag)
		}
		if err == nil {
			err = checkBounds(flag)
		}
		switch _, here := flag.Annotations["here"]; {
		case err != nil:
		case flag.Changed:
			err = checkEffect(flags, flag)
		case here && flag.Value.String() != flag.DefValue:
			err = onCommandLine(flag.Name)
		}
	})
	if err != nil {
		return err
	}
	return checkOutputs(flags, args, set)
}

// checkValues rejects empty values, as left by an unset shell variable, and files of the wrong kind.
func checkValues(flag *pflag.Flag) error {
	values := valuesOf(flag)
	if what, _ := pflag.UnquoteUsage(flag); len(values) == 0 || slices.Contains(values, "") {
		message := fmt.Sprintf("--%s is empty", flag.Name)
		if what == "files" || what == "strings" {
			message += " or has an empty item"
		}
		if what == "file" || what == "folder" {
			what = "a " + what
		} else if what != "files" {
			return errors.New(message)
		}
		return errors.New(message + ", want " + what)
	}
	in, read := flag.Annotations["in"]
	out := flag.Annotations["out"]
	for _, path := range values {
		switch {
		case read && path != "-":
			info, err := os.Stat(path)
			if err != nil {
				return pathError(flag.Name, path, err)
			}
			if info.IsDir() && in[0] != "folder" {
				return fmt.Errorf("--%s %s: is a folder, want a file", flag.Name, path)
			}
		case slices.Contains(out, "last") && path == "-":
			return fmt.Errorf("--%s is -, want a file: standard output has the rest of the output", flag.Name)
		case slices.Contains(out, "last"):
			if err := checkOutputFile(flag.Name, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkOutputFile rejects a flag's file if it cannot be written.
func checkOutputFile(flag, path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("--%s %s: is a folder, want a file", flag, path)
	}
	_, err := os.Stat(filepath.Dir(path))
	return pathError(flag, path, err)
}

// pathError returns an error about a file that names the flag and the file as given. It returns nil and errors about
// files that others have written or are writing unchanged.
func pathError(flag, path string, err error) error {
	if err == nil || is[*files.ForeignError](err) || is[*files.LockedError](err) {
		return err
	}
	if on, ok := errors.AsType[*fs.PathError](err); ok {
		err = on.Err
	}
	return fmt.Errorf("--%s %s: %w", flag, path, err)
}

// checkBounds rejects a number outside its bounds.
func checkBounds(flag *pflag.Flag) error {
	var wants []string
	ok := true
	shown := flag.Value.String()
	number, err := strconv.ParseFloat(shown, 64)
	if wait, failed := time.ParseDuration(shown); err != nil && failed == nil {
		number, err = wait.Seconds(), nil
	}
	for _, bound := range []struct {
		rule, words string
		holds       func(bound float64) bool
	}{
		{"min", "at least", func(b float64) bool { return number >= b }},
		{"above", "more than", func(b float64) bool { return number > b }},
		{"max", "at most", func(b float64) bool { return number <= b }},
		{"below", "less than", func(b float64) bool { return number < b }},
	} {
		if value := flag.Annotations[bound.rule]; value != nil {
			limit, _ := strconv.ParseFloat(value[0], 64)
			ok = ok && bound.holds(limit)
			wants = append(wants, bound.words+" "+value[0])
		}
	}
	_, auto := flag.Annotations["auto"]
	if len(wants) == 0 || auto && shown == "auto" || ok && err == nil {
		return nil
	}
	want := strings.NewReplacer("at least 0 and at most 1", "0 to 1").Replace(english.WordSeries(wants, "and"))
	if auto {
		shown, want = strconv.Quote(shown), "auto or a number from "+want
	}
	return fmt.Errorf("--%s is %s, want %s", flag.Name, shown, want)
}

// checkEffect rejects a flag of the command line that has no effect with the others, or that excludes one of them.
func checkEffect(flags *pflag.FlagSet, flag *pflag.Flag) error {
	is := func(name string) bool {
		other := flags.Lookup(name)
		return other != nil && (other.Changed || other.Value.String() != other.DefValue)
	}
	for _, name := range flag.Annotations["not"] {
		if flags.Changed(name) {
			return fmt.Errorf("--%s and --%s exclude each other", flag.Name, name)
		}
	}
	if needs := flag.Annotations["needs"]; needs != nil && !slices.ContainsFunc(needs, is) {
		return fmt.Errorf("--%s has no effect without --%s", flag.Name, strings.Join(needs, " or --"))
	}
	return nil
}

// flagError rewrites an error of pflag in the style of the program's other errors. For an unknown flag, it suggests a
// similar one.
func flagError(cmd *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := bad.GetFlag()
		err = fmt.Errorf("--%s is %q, want %s", flag.Name, bad.GetValue(), valuesWanted(flag.Value))
	}
	hint := cmd.CommandPath() + " --help lists the flags"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		typed := unknown.GetSpecifiedShortnames() // pflag parses -tag as -t -a -g
		if typed == "" {
			typed = unknown.GetSpecifiedName()
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.HasPrefix(typed, f.Name) || input.LookAlike(typed, []string{f.Name}) != "" {
				hint = "did you mean --" + f.Name + "?"
			}
		})
	}
	return withHint(err, hint)
}

// counted returns "method a" or "methods a, b and c".
func counted(what string, names []string) string {
	return english.PluralWord(len(names), what, "") + " " + english.WordSeries(names, "and")
}

// shard is the value of --shard, such as 3/8. It selects the input files that a process takes; the zero value selects
// all.
type shard struct{ number, of int }

// Set implements [pflag.Value].
func (s *shard) Set(value string) error {
	first, second, _ := strings.Cut(value, "/")
	number, err := strconv.Atoi(first)
	of, errOf := strconv.Atoi(second)
	if err != nil || errOf != nil || number < 1 || number > of {
		return errors.New("want a part")
	}
	*s = shard{number, of}
	return nil
}

func (s *shard) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.number, s.of)
}

// Type implements [pflag.Value].
func (s *shard) Type() string { return "shard" }

// files returns the files of the shard: every of-th in path order, so that processes that list the files in different
// orders agree. The result may be empty.
func (s *shard) files(all []string) []string {
	if s.of == 0 {
		return all
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(all)))
	var files []string
	for i := s.number - 1; i < len(sorted); i += s.of {
		files = append(files, sorted[i])
	}
	return files
}
