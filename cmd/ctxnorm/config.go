package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

const (
	configFlag = "config"
	configName = "ctxnorm.yaml"

	maxConfig = 1 << 20 // bytes; a page of settings is a thousandth of that
)

// config is a file of settings: flags of all commands, and a section for each command.
//
//	model: models/disease     # --model of every command that has it
//	link:
//	  top: 3
//	  types: [T047, T191]
//	corpus:
//	  show:
//	    limit: 50
//
// A key with a mapping below it is the section of the command of that name, and else a flag.
type config struct {
	path string
	root *yaml.Node // nil for an empty file
}

// setting is the value of a flag in a file.
type setting struct {
	values []string // of a list or a mapping of key=value; else one
	line   int
}

// findConfig returns the file that is read: that of --config or its variable, else the first of
// configPlaces that exists and can be trusted, else "". It also returns why others before it are not read.
func findConfig(given string) (path string, unread []string) {
	if path := cmp.Or(given, os.Getenv(variableNamed(configFlag))); path != "" {
		return path, nil
	}
	for _, path := range configPlaces() {
		info, err := os.Stat(path)
		if err != nil {
			continue // there is none, or it is out of reach, as where HOME is another user's
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

// configPlaces returns where a file of settings is looked for, in order.
func configPlaces() []string {
	places := []string{configName}
	if dir, err := os.UserConfigDir(); err == nil { // none without a home
		places = append(places, filepath.Join(dir, "ctxnorm", configName))
	}
	return places
}

func readConfig(path string) (*config, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, pathError(configFlag, path, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return nil, pathError(configFlag, path, err)
	}
	return parseConfig(path, data)
}

func parseConfig(path string, data []byte) (*config, error) {
	if len(data) > maxConfig {
		return nil, fmt.Errorf("%s: is longer than %d bytes", path, maxConfig)
	}
	c := &config{path: path}
	documents := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	switch err := documents.Decode(&first); {
	case errors.Is(err, io.EOF):
		return c, nil
	case err != nil:
		// "yaml: line 3: did not find …"; of the first line the library leaves out the number.
		line, message := "1", strings.TrimPrefix(err.Error(), "yaml: ")
		if numbered, ok := strings.CutPrefix(message, "line "); ok {
			line, message, _ = strings.Cut(numbered, ": ")
		}
		return nil, fmt.Errorf("%s:%s: %s", path, line, message)
	}
	if err := documents.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: has several documents, want one", path)
	}
	c.root = first.Content[0]
	if c.root.Tag == "!!null" { // comments only
		c.root = nil
	} else if c.root.Kind != yaml.MappingNode {
		return nil, c.errorf(c.root, "want flags and sections of commands, such as model: folder")
	}
	return c, nil
}

func (c *config) errorf(at *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", c.path, at.Line, fmt.Sprintf(format, args...))
}

// settings returns the settings for a command by flag. It checks those for all commands.
func (c *config) settings(cmd *cobra.Command) (map[string]setting, error) {
	found := make(map[string]setting)
	if c.root == nil {
		return found, nil
	}
	return found, c.walk(c.root, cmd.Root(), cmd, found)
}

// walk checks the section of a command, and adds what it sets for cmd to found. A section of a
// command is stronger than what is above it.
func (c *config) walk(section *yaml.Node, of, cmd *cobra.Command, found map[string]setting) error {
	seen := make(map[string]bool)
	var sections []func() error
	for i := 0; i < len(section.Content); i += 2 {
		key, value := section.Content[i], section.Content[i+1]
		name := key.Value
		if seen[name] {
			return c.errorf(key, "%q is here twice", name)
		}
		seen[name] = true
		sub := subcommand(of, name)
		if sub != nil && value.Kind == yaml.MappingNode {
			sections = append(sections, func() error { return c.walk(value, sub, cmd, found) })
			continue
		}
		flags := flagsNamed(of, name)
		switch {
		case len(flags) == 0 && sub != nil:
			return c.errorf(key, "%s is %s, want a section with flags of %s", name, describeNode(value),
				sub.CommandPath())
		case len(flags) == 0 && of.HasSubCommands():
			return withHint(c.errorf(key, "%q is neither a command nor a flag of %s", name, of.CommandPath()),
				of.CommandPath()+" --help lists the commands, and --help of each its flags")
		case len(flags) == 0:
			return withHint(c.errorf(key, "%q is no flag of %s", name, of.CommandPath()),
				of.CommandPath()+" --help lists the flags")
		}
		for _, flag := range flags {
			values, err := c.values(flag, value)
			if err != nil {
				return err
			}
			if isAbove(of, cmd) && flag == cmd.Flag(name) {
				found[name] = setting{values, value.Line}
			}
		}
	}
	for _, walk := range sections { // after the flags, since they are stronger
		if err := walk(); err != nil {
			return err
		}
	}
	return nil
}

// subcommand returns the command of that name below cmd, or nil.
func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	i := slices.IndexFunc(cmd.Commands(), func(sub *cobra.Command) bool { return sub.Name() == name && !sub.Hidden })
	if i < 0 {
		return nil
	}
	return cmd.Commands()[i]
}

// isAbove reports whether cmd is the command a or below it.
func isAbove(a, cmd *cobra.Command) bool {
	for ; cmd != nil; cmd = cmd.Parent() {
		if cmd == a {
			return true
		}
	}
	return false
}

// flagsNamed returns the flags of that name of cmd and of the commands below it that a file can
// set.
func flagsNamed(cmd *cobra.Command, name string) []*pflag.Flag {
	var found []*pflag.Flag
	eachCommand(cmd, func(cmd *cobra.Command) {
		flag := cmd.Flag(name)
		if flag != nil && !flag.Hidden && name != configFlag && name != "help" && name != "version" &&
			!slices.Contains(found, flag) {
			found = append(found, flag)
		}
	})
	return found
}

// values returns the value of a flag as strings, and refuses one of a wrong type.
func (c *config) values(flag *pflag.Flag, value *yaml.Node) ([]string, error) {
	wrong := func(want string) error {
		return c.errorf(value, "%s is %s, want %s", flag.Name, describeNode(value), want)
	}
	if _, list := flag.Value.(pflag.SliceValue); list && value.Kind == yaml.SequenceNode {
		values := make([]string, len(value.Content))
		for i, item := range value.Content {
			if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
				return nil, c.errorf(item, "%s has %s, want a list of values", flag.Name, describeNode(item))
			}
			values[i] = item.Value
		}
		return values, nil
	}
	if flag.Value.Type() == "stringToString" {
		if value.Kind != yaml.MappingNode {
			return nil, wrong("keys with a value each")
		}
		var pairs []string
		for i := 0; i < len(value.Content); i += 2 {
			key, item := value.Content[i], value.Content[i+1]
			if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
				return nil, c.errorf(item, "%s: %s is %s, want a value", flag.Name, key.Value, describeNode(item))
			}
			pairs = append(pairs, key.Value+"="+item.Value)
		}
		return pairs, nil
	}
	tags := map[string][]string{"bool": {"!!bool"}, "int": {"!!int"}, "int64": {"!!int"}, "uint64": {"!!int"},
		"float64": {"!!int", "!!float"}}[flag.Value.Type()]
	switch {
	case value.Kind != yaml.ScalarNode || value.Tag == "!!null":
		return nil, wrong(valuesWanted(flag.Value))
	case tags != nil && !slices.Contains(tags, value.Tag):
		return nil, wrong(valuesWanted(flag.Value))
	}
	return []string{value.Value}, nil
}

// describeNode returns what a file has as a value, for an error.
func describeNode(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a section"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.Tag == "!!null":
		return "without a value"
	}
	return fmt.Sprintf("%q", n.Value)
}

// applyConfig sets the flags that are neither given nor have a variable that is set to the values
// of the file of settings. To the command these are as its defaults.
func (p *program) applyConfig(cmd *cobra.Command) error {
	path, unread := findConfig(p.config)
	for _, why := range unread {
		p.warn(why, "--config FILE reads a file that you trust")
	}
	if path == "" {
		return nil
	}
	c, err := readConfig(path)
	if err != nil {
		return err
	}
	settings, err := c.settings(cmd)
	if err != nil {
		return err
	}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		s, ok := settings[flag.Name]
		if err != nil || !ok || flag.Changed || os.Getenv(variableNamed(flag.Name)) != "" {
			return
		}
		if failed := setAll(flag.Value, s.values); failed != nil {
			err = fmt.Errorf("%s:%d: %s is %q, want %s", path, s.line, flag.Name, strings.Join(s.values, ", "),
				valuesWanted(flag.Value))
		}
		p.origins[flag.Name] = fmt.Sprintf("%s:%d", path, s.line)
		p.settings[flag.Name] = true
	})
	return err
}

// isSet reports whether a flag of a command does not have its default: it is given, or a variable or
// the file of settings set it.
func (p *program) isSet(cmd *cobra.Command) func(name string) bool {
	return func(name string) bool { return cmd.Flags().Changed(name) || p.origins[name] != "" }
}

// isChosen is isSet but for variables, which are for all commands and may have no effect on one.
func (p *program) isChosen(cmd *cobra.Command) func(name string) bool {
	return func(name string) bool { return cmd.Flags().Changed(name) || p.settings[name] }
}

// setAll sets a flag to values.
func setAll(flag pflag.Value, values []string) error {
	if list, ok := flag.(pflag.SliceValue); ok {
		return list.Replace(values)
	}
	for _, value := range values {
		if err := flag.Set(value); err != nil {
			return err
		}
	}
	return nil
}
