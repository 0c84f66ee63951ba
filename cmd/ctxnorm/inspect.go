package main

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/memory"
)

func (p *program) inspectCommand() *cobra.Command {
	var dir string
	return p.command(command{
		use: "inspect", short: "Print what a model was made from and what it holds: its manifest",
		usual: "model", examples: "ctxnorm inspect --model model",
		flags: [][]flag{{modelFlag(&dir)}},
		run: func(*cobra.Command, []string) error {
			m, err := model.ReadManifest(dir)
			if err != nil {
				return err
			}
			return p.printJSON(m)
		},
	})
}

func (p *program) verifyCommand() *cobra.Command {
	var dir string
	return p.command(command{
		use: "verify", short: "Compare every file of a model with its manifest, and check its memory",
		usual: "model", examples: "ctxnorm verify --model model",
		flags: [][]flag{{modelFlag(&dir)}},
		run: func(*cobra.Command, []string) error {
			m, err := link.Verify(dir)
			if m == nil {
				return err
			}
			log, lines, damage := memory.Check(memory.Dir(dir))
			if err != nil {
				return &partialError{errors.Join(err, damage).Error()}
			}
			fmt.Fprintf(p.stdout, "%s: %d files are as the manifest says\n", dir, len(m.Files))
			if damage != nil {
				return withHint(&partialError{damage.Error()}, memoryLogHint(log, lines))
			}
			if lines > 0 {
				fmt.Fprintf(p.stdout, "%s: as written: %s\n", log, english.Plural(lines, "line", ""))
			}
			return nil
		},
	})
}
