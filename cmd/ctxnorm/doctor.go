package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/basemodel"
)

// Verdicts of a check of doctor.
const (
	verdictOK     = "ok"
	verdictAbsent = "no"     // not here; what is installed works without it
	verdictBroken = "broken" // what is installed does not work
)

// finding is what doctor found out about one thing: what, the verdict, a detail, and what it would need or "".
type finding struct{ what, verdict, detail, hint string }

func (p *program) doctorCommand() *cobra.Command {
	return p.command(command{
		use:   "doctor",
		short: "Check what works on this machine, and say what the rest would need",
		long: `Checks the build, the libraries, the processor, memory, the folders that are written
and the base model. It fetches nothing and leaves nothing behind. The exit code is 0
if what is installed works, and 1 if something is broken.`,
		examples: "ctxnorm doctor",
		run: func(cmd *cobra.Command, _ []string) error {
			broken := 0
			var rows [][]string
			for _, f := range p.examine() {
				rows = append(rows, []string{f.what, f.verdict, f.detail})
				if f.hint != "" {
					rows = append(rows, []string{"", "", "-> " + f.hint})
				}
				if f.verdict == verdictBroken {
					broken++
				}
			}
			if err := p.printRows(rows); err != nil {
				return err
			}
			if broken > 0 {
				return &partialError{fmt.Sprintf("%d of what is installed does not work", broken)}
			}
			return nil
		},
	})
}

// examine does the checks of doctor.
func (p *program) examine() []finding {
	info := newBuildInfo()
	training := finding{"training", verdictOK, "this build trains encoders, by libtorch", ""}
	if program := findTrainProgram(); !info.Training && program != "" {
		training.detail = program + " trains encoders, by libtorch"
	} else if !info.Training {
		training = finding{"training", verdictAbsent,
			"this build takes encoders as they are: train --untrained, or --encoder none", torchBuild}
	}
	findings := []finding{
		{"ctxnorm", verdictOK, info.Version + ", " + info.build() + ", " + info.Platform, ""},
		{"encoder", verdictOK, "this build runs BERT encoders", ""},
		training,
		{"processor", verdictOK, fmt.Sprintf("%d cores; %s", runtime.NumCPU(), info.processor()), ""},
		examineMemory(),
		examineConfig(p.config),
		examineFolder("current folder", "."),
		examineFolder("temporary files", os.TempDir()),
	}
	cache, err := basemodel.CacheFolder()
	if err != nil {
		findings = append(findings, finding{"model cache", verdictAbsent, err.Error(), ""})
	} else {
		findings = append(findings, examineFolder("model cache", cache))
	}
	return append(findings, examineBaseModel())
}

// examineConfig reports which file of settings is read. One that cannot be read ends the program
// before.
func examineConfig(given string) finding {
	path, unread := findConfig(given)
	switch {
	case path == "" && len(unread) > 0:
		return finding{"settings", verdictAbsent, strings.Join(unread, "; "), ""}
	case path == "":
		return finding{"settings", verdictAbsent, "no " + strings.Join(configPlaces(), " and no "), ""}
	}
	return finding{"settings", verdictOK, path + " is read", ""}
}

// examineMemory reports the memory that Linux says is there.
func examineMemory() finding {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return finding{"memory", verdictOK, "unknown: this system does not say", ""}
	}
	defer file.Close()
	var total, available uint64
	for lines := bufio.NewScanner(file); lines.Scan(); {
		// "MemTotal:       16384 kB"; another line leaves the values as they are.
		_, _ = fmt.Sscanf(lines.Text(), "MemTotal: %d kB", &total)
		_, _ = fmt.Sscanf(lines.Text(), "MemAvailable: %d kB", &available)
	}
	return finding{"memory", verdictOK, fmt.Sprintf("%s, %s of them available", humanize.IBytes(total<<10),
		humanize.IBytes(available<<10)), ""}
}

// examineFolder reports whether files can be made in dir or, if it does not exist, in the folder
// in which it would be made.
func examineFolder(what, dir string) finding {
	existing := dir
	for {
		if _, err := os.Stat(existing); !errors.Is(err, os.ErrNotExist) || existing == filepath.Dir(existing) {
			break
		}
		existing = filepath.Dir(existing)
	}
	file, err := os.CreateTemp(existing, ".ctxnorm-doctor-*")
	if err != nil {
		if path, ok := errors.AsType[*os.PathError](err); ok {
			err = path.Err
		}
		return finding{what, verdictAbsent, fmt.Sprintf("%s cannot be written: %v", dir, err), ""}
	}
	if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
		return finding{what, verdictBroken, err.Error(), ""}
	}
	return finding{what, verdictOK, dir + " can be written", ""}
}

// examineBaseModel looks for the base model that train would start from, without fetching it.
func examineBaseModel() finding {
	named := os.Getenv(basemodel.EnvVar)
	name := cmp.Or(named, basemodel.Default)
	dir, err := basemodel.Find("")
	var notFound *basemodel.NotFoundError
	switch {
	case err == nil:
		return finding{"base model", verdictOK, name + " in " + dir, ""}
	case !errors.As(err, &notFound):
		return finding{"base model", verdictBroken, err.Error(), "--base-model or " + basemodel.EnvVar +
			" names another one"}
	}
	return finding{"base model", verdictAbsent, name + " is not in the cache",
		"train fetches it from the Hugging Face hub, or --base-model names a folder"}
}
