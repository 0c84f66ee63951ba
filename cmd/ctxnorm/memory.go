package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/memory"
)

// besideModel stands for the folder of corrections beside the model's folder.
const besideModel = "MODEL.memory"

// memoryFolder returns the folder named by the flag, or "". It also accepts "true" and "false", which a setting shared
// by all commands may have.
func memoryFolder(flag, dir string) string {
	switch flag {
	case besideModel, "true":
		return memory.Dir(dir)
	case "false":
		return ""
	}
	return flag
}

// memorySubcommand completes a subcommand of "memory", which runs with the memory of --model or of --memory.
func (p *program) memorySubcommand(c command,
	run func(*cobra.Command, *ctxnorm.Memory, []string) error) *cobra.Command {
	var dir, folder string
	c.usual = strings.TrimSpace("model " + c.usual)
	c.flags = append(c.flags, []flag{{name: "model", value: &dir}, {name: "memory", value: &folder}})
	c.run = func(cmd *cobra.Command, args []string) (err error) {
		stored, err := model.Open(dir, nil) // the encoder is not needed
		if err != nil {
			return err
		}
		p.models = append(p.models, stored)
		mem, err := ctxnorm.NewModel(stored).Memory(memoryFolder(folder, dir))
		if err != nil {
			return err
		}
		return run(cmd, mem, args)
	}
	return p.command(c)
}

func (p *program) memoryAddCommand() *cobra.Command {
	var (
		e       = memory.Entry{Kind: memory.KindName, By: os.Getenv("USER")}
		replace bool
	)
	return p.memorySubcommand(command{
		use: "add", short: "Add a name of a concept, and print the entry; memory import - adds others as lines of JSON",
		usual:    "concept name by",
		examples: `ctxnorm memory add --concept EX:013 --name "raised pressure" --by Ada`,
		flags: [][]flag{{
			{"by", &e.By, "", "`name` of the person who says so"},
			{"concept", (*string)(&e.Concept), "", "`id` of the concept, or none if the name is no mention in any text"},
			{"name", &e.Name, "", "`name` to add"},
			{name: "replace", value: &replace},
		}},
	}, func(cmd *cobra.Command, mem *ctxnorm.Memory, _ []string) error {
		if e.Concept == "none" {
			e.Kind, e.Concept = memory.KindNoMention, ""
		}
		added, err := mem.Add(cmd.Context(), e, replace)
		if err != nil {
			return err
		}
		return p.printJSON(added)
	})
}

func (p *program) memoryListCommand() *cobra.Command {
	var all bool
	return p.memorySubcommand(command{
		use: "list", short: "Print the entries, one a line of JSON", examples: "ctxnorm memory list --all",
		flags: [][]flag{{{"all", &all, "", "also entries that are not in force: those undone, and those that undo"}}},
	}, func(_ *cobra.Command, mem *ctxnorm.Memory, _ []string) error {
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
		if unused := state.Additions(mem.Dictionary, 0).Unused; len(unused) > 0 {
			p.warn(fmt.Sprintf("%s of concepts that the model does not have: %v",
				plural(len(unused), "entry"), unused), "ctxnorm memory undo removes them")
		}
		return nil
	})
}

func (p *program) memoryUndoCommand() *cobra.Command {
	by := os.Getenv("USER")
	return p.memorySubcommand(command{
		use: "undo NUMBER", short: "Undo an entry", args: wantArgs(cobra.ExactArgs(1)), usual: "by",
		examples: "ctxnorm memory undo 3",
		flags:    [][]flag{{{"by", &by, "", "`name` of the person who undoes it"}}},
	}, func(cmd *cobra.Command, mem *ctxnorm.Memory, args []string) error {
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
}

func (p *program) memoryExportCommand() *cobra.Command {
	var asSSSOM bool
	return p.memorySubcommand(command{
		use: "export", short: "Print the entries in force, for import into the memory of another model",
		examples: "ctxnorm memory export --model model > entries.jsonl",
		flags:    [][]flag{{{"sssom", &asSSSOM, "", "write SSSOM mappings, which other programs read"}}},
	}, func(_ *cobra.Command, mem *ctxnorm.Memory, _ []string) error {
		if !asSSSOM {
			return mem.State().Export(p.stdout)
		}
		leftOut, err := mem.State().ExportSSSOM(p.stdout, mem.Dictionary)
		if leftOut > 0 {
			p.warn(fmt.Sprintf("%d new concepts and phrases that are no mentions are no mappings, and are left out", leftOut),
				"without --sssom they are written too")
		}
		return err
	})
}

func (p *program) memoryImportCommand() *cobra.Command {
	var replace bool
	return p.memorySubcommand(command{
		use: "import FILE", short: "Add the entries of an export, or the mappings of SSSOM, all or none",
		args: wantArgs(cobra.ExactArgs(1)), examples: "ctxnorm memory import entries.jsonl",
		flags: [][]flag{{{name: "replace", value: &replace}}},
	}, func(cmd *cobra.Command, mem *ctxnorm.Memory, args []string) error {
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
		var added []memory.Entry
		if err == nil {
			_, added, err = mem.Import(cmd.Context(), entries, replace)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", input.Name(args[0]), err)
		}
		p.logf("added %s; there already: %d", plural(len(added), "entry"), len(entries)-len(added))
		return nil
	})
}

// readCorrections reads entries as JSON lines or SSSOM. The latter never begins with a bracket.
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

// withMemory returns a model that has the entries of the memory in a folder, in its linkers and its content.
func (p *program) withMemory(ctx context.Context, m *model.Model, folder string) (*ctxnorm.Model, error) {
	mem, err := ctxnorm.NewModel(m).Memory(folder)
	if err != nil {
		return nil, err
	}
	p.logf("the memory adds %s", plural(len(mem.State().Active()), "entry"))
	return mem.Model(ctx)
}
