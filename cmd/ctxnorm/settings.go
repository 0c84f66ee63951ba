package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/ctxnorm/ctxnorm/internal/bert"
)

const (
	configFlag = "config"
	configName = "ctxnorm.yaml"

	maxConfig = 1 << 20 // bytes; a page of settings is a thousandth of that

	variablePrefix = "CTXNORM_" // prefix of the environment variables that stand for flags
)

// otherVariables have the prefix but do not stand for a flag. Package bert and serve read one each; the others belong
// to the scripts that build, test and measure ctxnorm.
var otherVariables = []string{
	bert.BaseModelVariable, tokenVariable, "CTXNORM_CACHE", "CTXNORM_DATA", "CTXNORM_MINILM", "CTXNORM_ACCURACY",
	"CTXNORM_RESULTS", "CTXNORM_BENCH_PYTHON", "CTXNORM_BENCH_VECTORS", "CTXNORM_COMMAND", "CTXNORM_PROGRAM",
	"CTXNORM_PUBMED", "CTXNORM_PYTHON", "CTXNORM_TRUTH", "CTXNORM_VECTORS",
}

// variableNamed returns the environment variable for a flag.
func variableNamed(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// eachCommand calls do for cmd and all commands below it.
func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, sub := range cmd.Commands() {
		eachCommand(sub, do)
	}
}

// settings maps flag names to nodes of a settings file, which has flags of all commands and a section for each command:
//
//	model: models/disease     # --model of every command that has it
//	link:
//	  types: [T047, T191]
//	corpus:
//	  show:
//	    limit: 50
type settings struct {
	path  string
	flags map[string]*yaml.Node // for the command that runs
}

// applySettings sets each flag that is not given to its environment variable, or else to its value in the settings
// file. The command treats these like defaults: it is not an error if one has no effect. An empty variable counts as
// unset.
func (p *program) applySettings(cmd *cobra.Command) error {
	path, unread := findConfig(p.config)
	for _, why := range unread {
		p.warn(why, "--config FILE reads a file that you trust")
	}
	file := settings{path: path}
	err := file.read(cmd)
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		variable := flag.Annotations["variable"]
		node, inFile := file.flags[flag.Name]
		switch {
		case err != nil || flag.Changed:
		case variable != nil && os.Getenv(variable[0]) != "":
			value := os.Getenv(variable[0])
			if flag.Value.Set(value) != nil {
				err = fmt.Errorf("the environment variable %s is %q, want %s", variable[0], value, valuesWanted(flag.Value))
			}
			p.origins[flag.Name] = "the environment variable " + variable[0]
		case inFile:
			err = file.set(flag, node)
			p.origins[flag.Name] = fmt.Sprintf("%s:%d", path, node.Line)
		}
	})
	p.warnOfVariables(cmd.Root())
	return err
}

// findConfig returns the settings file to read: the one given by --config or its variable, else the first of
// configPlaces that exists and can be trusted, else "". It also returns why files before it were ignored.
func findConfig(given string) (path string, unread []string) {
	if path := cmp.Or(given, os.Getenv(variableNamed(configFlag))); path != "" {
		return path, nil
	}
	for _, path := range configPlaces() {
		info, err := os.Stat(path)
		if err != nil {
			continue // missing, or out of reach, for example if HOME belongs to another user
		}
		why := "it is no regular file"
		if info.Mode().IsRegular() {
			why = distrust(path)
		}
		if why == "" {
			return path, unread
		}
		unread = append(unread, fmt.Sprintf("%s is not read: %s", path, why))
	}
	return "", unread
}

// configPlaces returns the places to look for a settings file, in order.
func configPlaces() []string {
	places := []string{configName}
	if dir, err := os.UserConfigDir(); err == nil { // fails without a home
		places = append(places, filepath.Join(dir, "ctxnorm", configName))
	}
	return places
}

// read reads the file, if there is one, checks its settings for all commands, and keeps those for cmd.
func (s *settings) read(cmd *cobra.Command) error {
	if s.path == "" {
		return nil
	}
	file, err := os.Open(s.path)
	if err != nil {
		return pathError(configFlag, s.path, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return pathError(configFlag, s.path, err)
	}
	return s.parse(data, cmd)
}

func (s *settings) parse(data []byte, cmd *cobra.Command) error {
	if len(data) > maxConfig {
		return fmt.Errorf("%s: is longer than %d bytes", s.path, maxConfig)
	}
	s.flags = make(map[string]*yaml.Node)
	documents := yaml.NewDecoder(strings.NewReader(string(data)))
	var first, second yaml.Node
	if err := documents.Decode(&first); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return s.syntaxError(err)
	}
	if err := documents.Decode(&second); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: has several documents, want one", s.path)
	}
	return s.walk(first.Content[0], cmd.Root(), cmd)
}

// syntaxError rewrites an error of the library, "yaml: line 3: did not find …", which lacks the number if it is the
// first line.
func (s *settings) syntaxError(err error) error {
	line, message := "1", strings.TrimPrefix(err.Error(), "yaml: ")
	message = strings.TrimPrefix(message, "unmarshal errors:\n  ")
	if numbered, ok := strings.CutPrefix(message, "line "); ok {
		line, message, _ = strings.Cut(numbered, ": ")
	}
	return fmt.Errorf("%s:%s: %s", s.path, line, message)
}

func (s *settings) errorf(at *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.path, at.Line, fmt.Sprintf(format, args...))
}

// walk checks the section of a command, and keeps its settings for cmd. The section of a command overrides settings
// above it.
func (s *settings) walk(section *yaml.Node, of, cmd *cobra.Command) error {
	if section.Tag == "!!null" { // comments only
		return nil
	}
	var unique map[string]yaml.Node
	if section.Kind != yaml.MappingNode {
		return s.errorf(section, "want flags and sections of commands, such as model: folder")
	} else if err := section.Decode(&unique); err != nil {
		return s.syntaxError(err)
	}
	var sections []func() error // sections override flags above them
	for i := 0; i < len(section.Content); i += 2 {
		key, value := section.Content[i], section.Content[i+1]
		at := slices.IndexFunc(of.Commands(), func(sub *cobra.Command) bool { return sub.Name() == key.Value })
		if at >= 0 && value.Kind == yaml.MappingNode {
			sections = append(sections, func() error { return s.walk(value, of.Commands()[at], cmd) })
		} else if err := s.keep(key, value, of, cmd); err != nil {
			return err
		}
	}
	for _, walk := range sections {
		if err := walk(); err != nil {
			return err
		}
	}
	return nil
}

// keep checks that a command, or one below it, has a flag that accepts the value, and keeps the value for cmd.
func (s *settings) keep(key, value *yaml.Node, of, cmd *cobra.Command) (err error) {
	name, known := key.Value, false
	eachCommand(of, func(sub *cobra.Command) {
		flag := sub.Flag(name)
		switch {
		case flag == nil || name == configFlag || name == "help" || name == "version":
			return
		case sub == cmd:
			s.flags[name] = value
		case flag != cmd.Flag(name) && err == nil: // of a command that does not run
			err = s.set(flag, value)
		}
		known = true
	})
	if !known {
		err = withHint(s.errorf(key, "%q is neither a section of a command nor a flag of %s", name, of.CommandPath()),
			of.CommandPath()+" --help lists the commands and flags")
	}
	return err
}

// values returns the values of a node: one for a scalar, the items of a list, and "key=value" for a mapping.
func (s *settings) values(name string, value *yaml.Node) ([]string, error) {
	items, step := value.Content, 1
	switch value.Kind {
	case yaml.SequenceNode:
	case yaml.MappingNode:
		step = 2
	default:
		items = []*yaml.Node{value}
	}
	var values []string
	for i := 0; i < len(items); i += step {
		item, key := items[i+step-1], ""
		if step == 2 {
			key = items[i].Value + "="
		}
		if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
			return nil, s.errorf(item, "%s: want a value, a list of values or keys with a value each", name)
		}
		values = append(values, key+item.Value)
	}
	return values, nil
}

// set sets a flag to its value in the file.
func (s *settings) set(flag *pflag.Flag, node *yaml.Node) error {
	values, err := s.values(flag.Name, node)
	if err != nil {
		return err
	}
	list, isList := flag.Value.(pflag.SliceValue)
	isMap := flag.Value.Type() == "stringToString"
	switch {
	case isList && node.Kind != yaml.MappingNode:
		err = list.Replace(values)
	case isMap != (node.Kind == yaml.MappingNode) || node.Kind == yaml.SequenceNode:
		err = errors.New("of another kind")
	default:
		for _, value := range values {
			err = cmp.Or(err, flag.Value.Set(value))
		}
	}
	if err != nil {
		return s.errorf(node, "%s is %q, want %s", flag.Name, strings.Join(values, ", "), valuesWanted(flag.Value))
	}
	return nil
}

// isSet returns a function that reports whether a flag was given, or set by a variable or the settings file.
func (p *program) isSet(cmd *cobra.Command) func(name string) bool {
	return func(name string) bool { return cmd.Flags().Changed(name) || p.origins[name] != "" }
}

// startsWithFlag matches an error that begins with the name of a flag.
var startsWithFlag = regexp.MustCompile(`^--([a-z][a-z0-9-]*)`)

// warnOfVariables warns of variables with the prefix that no command reads.
func (p *program) warnOfVariables(root *cobra.Command) {
	known := slices.Clone(otherVariables)
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) { known = append(known, flag.Annotations["variable"]...) })
	})
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if strings.HasPrefix(name, variablePrefix) && !slices.Contains(known, name) {
			p.warnf("%s is no environment variable that ctxnorm reads; --help of each command lists those of its flags", name)
		}
	}
}
