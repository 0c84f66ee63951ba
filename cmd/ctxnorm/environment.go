package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/internal/basemodel"
)

// variablePrefix begins the names of the environment variables that stand for flags.
const variablePrefix = "CTXNORM_"

// otherVariables have the prefix and stand for no flag: package basemodel and serve read one each, and the scripts
// that build, test and measure ctxnorm the others.
var otherVariables = []string{
	basemodel.EnvVar, tokenVariable, "CTXNORM_CACHE", "CTXNORM_DATA", "CTXNORM_MINILM", "CTXNORM_ACCURACY",
	"CTXNORM_RESULTS", "CTXNORM_BENCH_PYTHON", "CTXNORM_BENCH_VECTORS",
	"CTXNORM_COMMAND", "CTXNORM_PROGRAM", "CTXNORM_PUBMED", "CTXNORM_PYTHON", "CTXNORM_TEST_KILL_AT", "CTXNORM_TRUTH",
	"CTXNORM_VECTORS",
}

// variableNamed returns the environment variable that stands for a flag of that name.
func variableNamed(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// variableOf returns the environment variable of a flag, "" for one that has none.
func variableOf(flag *pflag.Flag) string {
	name := variableNamed(flag.Name)
	if flag.Hidden || slices.Contains(otherVariables, name) {
		return ""
	}
	return name
}

// eachCommand calls do for cmd and all commands below it.
func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, sub := range cmd.Commands() {
		eachCommand(sub, do)
	}
}

// describeVariables adds the environment variable of each flag of ours to its help. Cobra adds its
// own flags and commands later, and these have no variables.
func describeVariables(root *cobra.Command) {
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if name := variableOf(flag); name != "" && flag.Annotations[variablePrefix] == nil {
				flag.Usage += " [$" + name + "]"
				flag.Annotations = map[string][]string{variablePrefix: {name}}
			}
		})
	})
}

// applyVariables sets the flags that are not given to the values of their environment variables. To
// the command these are as its defaults: one that has no effect is no error. An empty variable
// counts as unset.
func (p *program) applyVariables(flags *pflag.FlagSet) error {
	var err error
	flags.VisitAll(func(flag *pflag.Flag) {
		name := flag.Annotations[variablePrefix]
		if err != nil || flag.Changed || name == nil {
			return
		}
		value := os.Getenv(name[0])
		if value == "" {
			return
		}
		if flag.Value.Set(value) != nil {
			err = fmt.Errorf("the environment variable %s is %q, want %s", name[0], value, valuesWanted(flag.Value))
		}
		p.origins[flag.Name] = "the environment variable " + name[0]
	})
	return err
}

// startsWithFlag matches an error that begins with the flag that is wrong.
var startsWithFlag = regexp.MustCompile(`^--([a-z][a-z0-9-]*)`)

// nameOrigin adds to an error about a flag that is not given what set it.
func (p *program) nameOrigin(err error) error {
	flag := startsWithFlag.FindStringSubmatch(err.Error())
	if flag == nil || p.origins[flag[1]] == "" {
		return err
	}
	return fmt.Errorf("%w (set by %s)", err, p.origins[flag[1]])
}

// warnOfVariables warns of variables with the prefix that no command reads.
func (p *program) warnOfVariables(root *cobra.Command) {
	known := slices.Clone(otherVariables)
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) { known = append(known, flag.Annotations[variablePrefix]...) })
	})
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if strings.HasPrefix(name, variablePrefix) && !slices.Contains(known, name) {
			p.warnf("%s is no environment variable that ctxnorm reads; --help of each command lists those of its flags",
				name)
		}
	}
}
