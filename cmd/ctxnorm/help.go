package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandHelp is what the help of a command says besides its flags.
type commandHelp struct {
	usual    []string // flags that most users need, in this order; all others follow as further flags
	examples []string // command lines, each with what it does
}

// helpOf has the help of every command with flags of its own, by its path below ctxnorm.
// TestHelp checks that the examples parse.
var helpOf = map[string]commandHelp{
	"build-corpus": {
		usual: []string{"dict", "corpus", "input-format", "exclude-pmids", "types"},
		examples: []string{
			"ctxnorm build-corpus pubmed/*.xml.gz                       # dictionary.* of this folder",
			"ctxnorm build-corpus --dict names.xlsx --corpus notes notes/   # any texts, a folder of them",
		},
	},
	"train": {
		usual: []string{"dict", "corpus", "model", "base-model", "from", "encoder", "dict-fraction", "untrained", "recipe",
			"gold", "workers", "seed"},
		examples: []string{
			"ctxnorm train --base-model minilm                # a folder, or a name on the hub",
			"ctxnorm train --encoder none                     # by strings and hierarchy, in seconds",
			"ctxnorm train --recipe sapbert --dict names.tsv  # pairs of names, without a corpus",
		},
	},
	"link": {
		usual: []string{"input", "output", "format", "model", "dict", "tag", "recognize", "top", "explain", "columns",
			"input-format", "min-probability", "coverage", "min-score", "assertion", "method"},
		examples: []string{
			"ctxnorm link --input sentences.jsonl --explain            # with evidence",
			"ctxnorm link --output results.xlsx gold.pubtator brat/    # files and folders, to a sheet",
			"ctxnorm link --dict names.xlsx --tag --output results.csv notes.txt   # no model, no mentions",
			"ctxnorm link --columns text=Note,id=Case --output page.html cases.csv",
			"ctxnorm link --dict names.xlsx --columns mention=Diagnosis --top 3 --output coded.xlsx list.xlsx   # a column to code",
		},
	},
	"serve": {
		usual: []string{"model", "dict", "documents", "addr", "token-file", "reload", "check", "openapi"},
		examples: []string{
			"ctxnorm serve                                         # http://localhost:8080",
			"ctxnorm serve --documents notes/                      # documents to curate, which it keeps",
			"ctxnorm serve --addr 0.0.0.0:8080 --token-file token  # for other machines",
		},
	},
	"mcp": {
		usual: []string{"model", "dict", "corrections", "memory"},
		examples: []string{
			"ctxnorm mcp --model model --corrections   # a client starts it",
			"ctxnorm mcp --dict names.tsv              # no model",
		},
	},
	"tag": {
		usual: []string{"input", "dict", "input-format", "columns", "assertion"},
		examples: []string{
			"ctxnorm tag --dict names.tsv notes.txt",
			"ctxnorm tag --dict MRCONSO.RRF --types T047 pubmed/",
		},
	},
	"eval": {
		usual: []string{"gold", "model", "dict", "policy", "baselines", "compare", "answers", "errors", "plots", "gold-types",
			"full", "json", "markdown"},
		examples: []string{
			"ctxnorm eval --gold gold.jsonl",
			"ctxnorm eval --gold dev.pubtator --gold-types Disease --baselines exact,tfidf --plots plots",
			"ctxnorm eval --gold gold.jsonl --answers new.jsonl --compare old.jsonl",
			"ctxnorm eval --gold gold.jsonl --dict names.tsv",
		},
	},
	"calibrate": {
		usual: []string{"model", "gold", "gold-types"},
		examples: []string{
			"ctxnorm calibrate                        # from names held out, as train does",
			"ctxnorm calibrate --gold train.pubtator  # from annotated documents",
		},
	},
	"corpus show": {
		usual:    []string{"corpus", "concept", "name", "limit"},
		examples: []string{"ctxnorm corpus show --name hypertension --limit 5"},
	},
	"corpus stats": {usual: []string{"corpus"}, examples: []string{"ctxnorm corpus stats --json"}},
	"corpus merge": {usual: []string{"corpus"}, examples: []string{"ctxnorm corpus merge --corpus all corpus-2024 " +
		"corpus-2025"}},
	"memory add": {usual: []string{"model", "kind", "concept", "name", "by"},
		examples: []string{`ctxnorm memory add --concept EX:013 --name "raised pressure" --by Ada`}},
	"memory list":   {usual: []string{"model"}, examples: []string{"ctxnorm memory list --all"}},
	"memory undo":   {usual: []string{"model", "by"}, examples: []string{"ctxnorm memory undo 3"}},
	"memory import": {usual: []string{"model"}, examples: []string{"ctxnorm memory import entries.jsonl"}},
	"memory export": {usual: []string{"model"},
		examples: []string{"ctxnorm memory export --model model > entries.jsonl"}},
	"dict check": {
		usual: []string{"corpus", "limit", "json"},
		examples: []string{
			"ctxnorm dict check names.xlsx",
			"ctxnorm dict check --corpus corpus --dict-columns id=Code,synonyms=Other names.csv",
		},
	},
	"dict diff": {
		usual: []string{"links", "json", "exit-code"},
		examples: []string{
			"ctxnorm dict diff mesh-2025.xml mesh-2026.xml > changes.tsv",
			"ctxnorm dict diff mesh-2025.xml mesh-2026.xml --links linked.jsonl   # links that rest on changes",
		},
	},
	"dict missing": {
		usual:    []string{"model", "limit", "min-documents", "find", "json"},
		examples: []string{"ctxnorm dict missing --min-documents 3 pubmed/ > missing.tsv"},
	},
	"word-vectors train": {
		usual:    []string{"corpus", "input", "word-vectors", "annotation", "dim", "epochs"},
		examples: []string{"ctxnorm word-vectors train --corpus corpus --annotation names"},
	},
	"inspect": {usual: []string{"model", "json"}, examples: []string{"ctxnorm inspect --model model",
		"ctxnorm inspect --list abbreviations --json"}},
	"verify":  {usual: []string{"model"}, examples: []string{"ctxnorm verify --model model"}},
	"version": {usual: []string{"json"}, examples: []string{"ctxnorm version --json"}},
	"doctor":  {examples: []string{"ctxnorm doctor"}},
}

// helpTemplate is cobra's template with the usual flags before the others and the examples at
// the end.
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

// commandGroups are the groups of the commands in the help of the program, in this order. Those
// of no group come last.
var commandGroups = []struct {
	title    string
	commands []string
}{
	{"Linking", []string{"link", "tag", "serve", "mcp"}},
	{"Making a model", []string{"build-corpus", "train", "calibrate", "memory"}},
	{"Measuring", []string{"eval"}},
	{"Looking at files", []string{"corpus", "dict", "inspect", "verify", "word-vectors"}},
}

// groupCommands puts the commands of the program into their groups.
func groupCommands(root *cobra.Command) {
	for _, group := range commandGroups {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range root.Commands() {
			if slices.Contains(group.commands, cmd.Name()) {
				cmd.GroupID = group.title
			}
		}
	}
}

// shortenHelp makes -h print a short help: what the command does, its usual flags and examples.
// --help prints the whole.
func shortenHelp(root *cobra.Command) {
	whole := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		help, known := helpOf[helpPath(cmd)]
		if !slices.Contains(args, "-h") || !known || len(help.usual) == 0 {
			whole(cmd, args)
			return
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s.\n\nUsage:\n  %s\n\nUsual flags:\n%s\n\nExamples:\n%s\n\n%s --help says "+
			"more, and lists all flags.\n",
			cmd.Short, cmd.UseLine(), flagUsages(cmd.OutOrStdout(), cmd, true), cmd.Example, cmd.CommandPath())
	})
}

// refuseUnknownHelp makes "help" refuse what is no command, as the command line does. Cobra's prints the
// help of what it knows instead.
func refuseUnknownHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // cobra has just added it
	}
	help.Run = nil
	help.RunE = func(_ *cobra.Command, args []string) error {
		cmd, rest, err := root.Find(args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return fmt.Errorf("unknown command %q for %q", rest[0], cmd.CommandPath())
		}
		cmd.InitDefaultHelpFlag()
		return cmd.Help()
	}
	root.RemoveCommand(help) // cobra adds it when it runs, as no command of ours
}

// arrangeHelp gives the commands below root their examples and the order of their flags. Help is printed to w.
func arrangeHelp(root *cobra.Command, w io.Writer) {
	cobra.AddTemplateFunc("usualFlags", func(cmd *cobra.Command) string { return flagUsages(w, cmd, true) })
	cobra.AddTemplateFunc("furtherFlags", func(cmd *cobra.Command) string { return flagUsages(w, cmd, false) })
	cobra.AddTemplateFunc("inheritedFlags", func(cmd *cobra.Command) string { return usagesOf(w, cmd.InheritedFlags()) })
	root.SetUsageTemplate(helpTemplate)
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Example = "  " + strings.Join(helpOf[helpPath(cmd)].examples, "\n  ")
		if len(helpOf[helpPath(cmd)].examples) == 0 {
			cmd.Example = ""
		}
	})
}

// helpPath returns the path of a command below the root.
func helpPath(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// flagUsages returns the lines of the flags of a command that are usual, in the order of helpOf,
// or of all others, for printing to w.
func flagUsages(w io.Writer, cmd *cobra.Command, usual bool) string {
	names := helpOf[helpPath(cmd)].usual
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

// usagesOf returns the lines of flags, wrapped at the width of the terminal that they are printed on. What is no
// terminal gets a line a flag, for other programs to search.
func usagesOf(w io.Writer, flags *pflag.FlagSet) string {
	columns := 0 // not wrapped
	if terminal(w) != nil {
		columns = widthOf(w)
	}
	return strings.TrimRight(flags.FlagUsagesWrapped(columns), " \n")
}

// flagForHelp returns a flag whose default of several values is as one gives them, without brackets, and cobra's
// own flags in the words of the others. A command with usual flags has a short help.
func flagForHelp(flag *pflag.Flag, usual []string) *pflag.Flag {
	shown := *flag
	switch {
	case flag.Name == "help" && len(usual) > 0:
		shown.Usage = "print this help; -h prints the usual flags alone"
	case flag.Name == "help":
		shown.Usage = "print this help"
	case flag.Name == "version":
		shown.Usage = "print the version"
	}
	values, isList := strings.CutPrefix(flag.DefValue, "[")
	// pflag leaves out the others that are empty
	if isList && (values != "]" || flag.Value.Type() == "stringToString") {
		shown.DefValue = strings.TrimSuffix(values, "]")
	}
	return &shown
}
