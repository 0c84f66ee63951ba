package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// atLeast wants n arguments or more, and says of what.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= n {
			return nil
		}
		return withHint(fmt.Errorf("want at least %d %s, got %d", n, what, len(args)), "usage: "+cmd.UseLine())
	}
}

// checkPaths finds a flag of a file or folder that is given and empty, as an unset
// variable of the shell leaves it.
func checkPaths(flags *pflag.FlagSet) error {
	var err error
	flags.Visit(func(flag *pflag.Flag) {
		what, _ := pflag.UnquoteUsage(flag)
		if err == nil && (what == "file" || what == "folder") && flag.Value.String() == "" {
			err = fmt.Errorf("--%s is empty, want a %s", flag.Name, what)
		}
	})
	return err
}

// flagError says a flag's bad value as the program says others.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	flag := bad.GetFlag()
	return fmt.Errorf("--%s is %q, want %s", flag.Name, bad.GetValue(), valueOf(flag.Value.Type()))
}

// valueOf names the values of a type of flag.
func valueOf(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number, 0 or more"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return kind
}
