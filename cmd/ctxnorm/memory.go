package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/memory"
)

func (p *program) memoryCommand() *cobra.Command {
	return parentCommand("memory", "Correct a model without training: add names, contexts and concepts",
		p.memoryAddCommand(), p.memoryListCommand(), p.memoryUndoCommand(), p.memoryImportCommand(),
		p.memoryExportCommand())
}

// besideModel stands for the folder of corrections beside that of the model.
const besideModel = "MODEL.memory"

// registerMemory adds the flag of the folder of corrections. If it is optional, it has that beside the model
// without a value, and none is used without the flag.
func registerMemory(flags *pflag.FlagSet, folder *string, optional bool, usage string) {
	flags.StringVar(folder, "memory", "", usage)
	if optional {
		flags.Lookup("memory").NoOptDefVal = besideModel
	}
}

// memoryFolder returns the folder that the flag names, or "". A setting for all commands may say that there is one.
func memoryFolder(flag, dir string) string {
	switch flag {
	case besideModel, "true":
		return memory.Dir(dir)
	case "false":
		return ""
	}
	return flag
}

// memorySubcommand returns a subcommand of "memory" that runs with the memory of --model, or with that of --memory.
func (p *program) memorySubcommand(use, short string, args cobra.PositionalArgs,
	run func(*cobra.Command, *ctxnorm.Memory, []string) error) *cobra.Command {
	var dir, folder string
	cmd := &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			stored, err := model.Open(dir, nil) // the encoder is not needed
			if err != nil {
				return hintModel(err, dir)
			}
			opened := ctxnorm.NewModel(stored)
			defer func() { err = errors.Join(err, opened.Close()) }()
			mem, err := opened.MemoryIn(cmp.Or(memoryFolder(folder, dir), memory.Dir(dir)), p.logf)
			if err != nil {
				return hintModel(err, dir)
			}
			return run(cmd, mem, args)
		},
	}
	cmd.Flags().StringVar(&dir, "model", "model", "model `folder`")
	registerMemory(cmd.Flags(), &folder, false, "`folder` of the corrections (default: "+besideModel+
		", beside the model)")
	return cmd
}

// withEntryFlag turns an error of a field of an entry into one that names the flag.
func withEntryFlag(err error) error {
	wrong, ok := errors.AsType[*memory.EntryError](err)
	if !ok {
		return err
	}
	flag := map[string]string{"synonyms": "synonym", "parents": "parent"}[wrong.Field]
	return &memory.EntryError{Field: "--" + cmp.Or(flag, wrong.Field), Reason: wrong.Reason}
}

const replaceHelp = "undo entries that say otherwise of the same wording in the same document or sentence"

func (p *program) memoryAddCommand() *cobra.Command {
	var (
		e                 memory.Entry
		kind, concept, id string
		parents           []string
		replace           bool
	)
	cmd := p.memorySubcommand("add", "Add an entry, and print it", noArgs, func(cmd *cobra.Command, mem *ctxnorm.Memory,
		_ []string) error {
		e.Kind, e.Concept, e.ID = memory.Kind(kind), kb.ConceptID(concept), kb.ConceptID(id)
		for _, parent := range parents {
			e.Parents = append(e.Parents, kb.ConceptID(parent))
		}
		added, err := mem.Add(cmd.Context(), e, replace)
		if err != nil {
			return memoryHint(withEntryFlag(err))
		}
		return p.printJSON(added)
	})
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "name", "what it adds: name, context, nil or concept")
	flags.StringVar(&e.By, "by", os.Getenv("USER"), "`name` of the person who says so")
	flags.StringVar(&concept, "concept", "", "`id` of the concept of a name or a context")
	flags.StringVar(&e.Name, "name", "", "`name` to add, or the preferred name of a new concept")
	flags.StringVar(&e.Text, "text", "", "`text` of a context or of a NIL example")
	flags.IntVar(&e.Start, "start", 0, "offset of the mention in the text, in code points")
	flags.IntVar(&e.End, "end", 0, "offset after the mention")
	flags.StringVar(&e.Document, "document", "", "`id` of the document that the text is of")
	flags.StringVar(&id, "id", "", "`id` of a new concept")
	flags.StringArrayVar(&e.Synonyms, "synonym", nil, "another `name` of a new concept; also several times")
	flags.StringArrayVar(&parents, "parent", nil, "`id` of a broader concept of a new concept; also several times")
	flags.BoolVar(&replace, "replace", false, replaceHelp)
	return cmd
}

func (p *program) memoryListCommand() *cobra.Command {
	var all bool
	cmd := p.memorySubcommand("list", "Print the entries, one a line of JSON", noArgs,
		func(_ *cobra.Command, mem *ctxnorm.Memory, _ []string) error {
			state := mem.State()
			for _, e := range state.All() {
				if !all && !state.InForce(e.Number) {
					continue
				}
				line, err := e.MarshalJSON()
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(p.stdout, "%s\n", line); err != nil {
					return err
				}
			}
			if unused := mem.Unused(); len(unused) > 0 {
				p.warn(fmt.Sprintf("%s of concepts that the model does not have: %v",
					english.Plural(len(unused), "entry", ""), unused),
					"ctxnorm memory undo removes them")
			}
			return nil
		})
	cmd.Flags().BoolVar(&all, "all", false, "also entries that are not in force: those undone, and those that undo")
	return cmd
}

func (p *program) memoryUndoCommand() *cobra.Command {
	var by string
	cmd := p.memorySubcommand("undo NUMBER", "Undo an entry", exactly(1, "numbers of entries"),
		func(cmd *cobra.Command, mem *ctxnorm.Memory, args []string) error {
			number, err := strconv.Atoi(args[0])
			if err != nil {
				return fmt.Errorf("the number of the entry is %q, want a whole number", args[0])
			}
			undo, err := mem.Undo(cmd.Context(), number, by)
			if err != nil {
				return withHint(err, "ctxnorm memory list prints the entries")
			}
			return p.printJSON(undo)
		})
	cmd.Flags().StringVar(&by, "by", os.Getenv("USER"), "`name` of the person who undoes it")
	return cmd
}

func (p *program) memoryExportCommand() *cobra.Command {
	var asSSSOM bool
	cmd := p.memorySubcommand("export", "Print the entries in force, for import into the memory of another model",
		noArgs,
		func(_ *cobra.Command, mem *ctxnorm.Memory, _ []string) error {
			if !asSSSOM {
				return mem.State().Export(p.stdout)
			}
			leftOut, err := mem.ExportSSSOM(p.stdout)
			if leftOut > 0 {
				p.warn(fmt.Sprintf("%d new concepts are no mappings, and are left out", leftOut),
					"without --sssom they are written too")
			}
			return err
		})
	cmd.Flags().BoolVar(&asSSSOM, "sssom", false, "write SSSOM mappings, which other programs read")
	return cmd
}

func (p *program) memoryImportCommand() *cobra.Command {
	var replace bool
	cmd := p.memorySubcommand("import FILE", "Add the entries of an export, or the mappings of SSSOM, all or none",
		exactly(1, "files of entries"), func(cmd *cobra.Command, mem *ctxnorm.Memory, args []string) error {
			in := p.stdin
			if args[0] != "-" {
				file, err := input.Open(args[0])
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			}
			entries, err := p.readCorrections(in)
			if err == nil {
				var added []memory.Entry
				if added, err = mem.Import(cmd.Context(), entries, replace); err == nil {
					p.logf("added %s; there already: %d", english.Plural(len(added), "entry", ""), len(entries)-len(added))
					return nil
				}
			}
			return memoryHint(fmt.Errorf("%s: %w", input.Name(args[0]), err))
		})
	cmd.Flags().BoolVar(&replace, "replace", false, replaceHelp)
	return cmd
}

// readCorrections reads entries as JSON lines, or of SSSOM, which begins with no bracket.
func (p *program) readCorrections(in io.Reader) ([]memory.Entry, error) {
	text, err := input.NewReader(in)
	if err != nil {
		return nil, err
	}
	if first, err := text.Peek(1); err != nil || first[0] == '{' || unicode.IsSpace(rune(first[0])) {
		return memory.ReadExport(text, p.limits)
	}
	entries, leftOut, err := memory.ReadSSSOM(text, p.limits)
	if leftOut > 0 {
		p.warn(fmt.Sprintf("%d mappings were not made by a person, and are left out", leftOut),
			"the mapping_justification of a correction is semapv:ManualMappingCuration")
	}
	return entries, err
}

// withMemory returns a model with what the memory in a folder says: its linkers, and its content.
func (p *program) withMemory(ctx context.Context, m *model.Model, folder string) (*ctxnorm.Model, error) {
	mem, err := ctxnorm.NewModel(m).MemoryIn(folder, p.logf)
	if err != nil {
		return nil, hintModel(err, m.Dir)
	}
	p.logf("the memory adds %s", english.Plural(len(mem.State().Active()), "entry", ""))
	return mem.Model(ctx)
}

// memoryHint adds to an error of an entry what to do about it.
func memoryHint(err error) error {
	if _, ok := errors.AsType[*memory.ConflictError](err); ok {
		return withHint(err, "--replace undoes the entries that it disagrees with")
	}
	return err
}
