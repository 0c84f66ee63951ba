package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpTemplate is cobra's template, with the usual flags before the others and the examples at the end.
const helpTemplate = `Usage:{{if or (not .HasAvailableSubCommands) (usualFlags . | len)}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{end}}{{if .HasAvailableSubCommands}}

{{if .Groups}}{{$commands := .Commands}}{{range $group := .Groups}}{{$group.Title}}{{range $commands}}{{if eq .GroupID $group.ID}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}

{{end}}Other commands:{{range $commands}}{{if and (eq .GroupID "") (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{else}}Commands:{{range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}{{if usualFlags . | len}}

Usual flags:
{{usualFlags .}}{{end}}{{if furtherFlags . | len}}

{{if usualFlags . | len}}Further flags{{else}}Flags{{end}}:
{{furtherFlags .}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of all commands:
{{inheritedFlags .}}{{end}}{{if .HasAvailableSubCommands}}

{{.CommandPath}} COMMAND -h prints the usual flags of a command, --help all of them.{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}
`

// commandGroups are the groups of commands in the program's help, in order. Commands without a group come last.
var commandGroups = []struct{ title, commands string }{
	{"Linking", "link tag serve mcp"},
	{"Making a model", "build-corpus train calibrate memory"},
	{"Measuring", "eval"},
	{"Looking at files", "corpus dict inspect verify word-vectors"},
}

// arrangeHelp puts the commands into their groups and the usual flags before the others. -h prints a short help: the
// description, the usual flags and the examples.
func arrangeHelp(root *cobra.Command, w io.Writer) {
	for _, group := range commandGroups {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range root.Commands() {
			if slices.Contains(strings.Fields(group.commands), cmd.Name()) {
				cmd.GroupID = group.title
			}
		}
	}
	cobra.AddTemplateFunc("usualFlags", func(cmd *cobra.Command) string { return flagUsages(w, cmd, true) })
	cobra.AddTemplateFunc("furtherFlags", func(cmd *cobra.Command) string { return flagUsages(w, cmd, false) })
	cobra.AddTemplateFunc("inheritedFlags", func(cmd *cobra.Command) string { return usagesOf(w, cmd.InheritedFlags()) })
	root.SetUsageTemplate(helpTemplate)
	whole := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		usual := flagUsages(w, cmd, true)
		if !slices.Contains(args, "-h") || usual == "" {
			whole(cmd, args)
			return
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s.\n\nUsage:\n  %s\n\nUsual flags:\n%s\n\nExamples:\n%s\n\n%s --help says "+
			"more, and lists all flags.\n", cmd.Short, cmd.UseLine(), usual, cmd.Example, cmd.CommandPath())
	})
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error { // cobra's prints help for the known part
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("unknown command %q for %q", rest[0], cmd.CommandPath())
			}
			if err != nil {
				return err
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	})
}

// flagUsages returns the help lines of a command's usual flags, in order, or of all other flags.
func flagUsages(w io.Writer, cmd *cobra.Command, usual bool) string {
	names := strings.Fields(cmd.Annotations[usualFlags])
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	if usual {
		for _, name := range names {
			flags.AddFlag(flagForHelp(cmd.LocalFlags().Lookup(name), names))
		}
	} else {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if !slices.Contains(names, flag.Name) {
				flags.AddFlag(flagForHelp(flag, names))
			}
		})
	}
	return usagesOf(w, flags)
}

// usagesOf returns the help lines of flags, wrapped at the width of the terminal. If w is not a terminal, each flag
// gets one line, so that other programs can search it.
func usagesOf(w io.Writer, flags *pflag.FlagSet) string {
	columns := 0 // not wrapped
	if terminal(w) != nil {
		columns = widthOf(w)
	}
	return strings.TrimRight(flags.FlagUsagesWrapped(columns), " \n")
}

// flagForHelp returns a flag as shown in help: a list default without brackets, as users type it, and cobra's own flags
// described like the others.
func flagForHelp(flag *pflag.Flag, usual []string) *pflag.Flag {
	shown := *flag
	switch {
	case flag.Name == "help" && len(usual) > 0:
		shown.Usage = "print this help; -h prints the usual flags alone"
	case flag.Name == "help" || flag.Name == "version":
		shown.Usage = map[string]string{"help": "print this help", "version": "print the version"}[flag.Name]
	}
	values, isList := strings.CutPrefix(flag.DefValue, "[")
	// pflag omits other empty defaults
	if isList && (values != "]" || flag.Value.Type() == "stringToString") {
		shown.DefValue = strings.TrimSuffix(values, "]")
	}
	return &shown
}

// completionOf returns the shell completion of a flag: its values, or folders; nil for files.
func completionOf(flag *pflag.Flag) cobra.CompletionFunc {
	if values := slices.Concat(flag.Annotations["is"], flag.Annotations["like"]); values != nil {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	if what, _ := pflag.UnquoteUsage(flag); what == "folder" {
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	}
	return nil
}
