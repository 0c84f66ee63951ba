package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/memory"
)

// Verdicts of doctor's checks.
const (
	verdictOK     = "ok"
	verdictAbsent = "no"     // missing; the installed program works without it
	verdictBroken = "broken" // the installed program does not work
)

// finding is the result of one check: the verdict, a detail, and a hint, which may be empty.
type finding struct{ verdict, detail, hint string }

func (p *program) doctorCommand() *cobra.Command {
	return p.command(command{
		use:   "doctor",
		short: "Check what works on this machine, and what the rest would need",
		long: `Checks the build, the libraries, the processor, memory, the folders to write to and
the base model. It downloads nothing and leaves nothing behind. The exit code is 0
if the installation works, and 1 if something is broken.`,
		examples: "ctxnorm doctor",
		run: func(*cobra.Command, []string) error {
			broken, err := p.examine()
			if err == nil && broken > 0 {
				err = &partialError{fmt.Sprintf("%d of what is installed does not work", broken)}
			}
			return err
		},
	})
}

// examine runs the checks of doctor, prints a row for each, and counts the broken ones.
func (p *program) examine() (broken int, err error) {
	t := newTable(p.stdout)
	add := func(what string, f finding) {
		fmt.Fprintf(t, "%s\t%s\t%s\n", what, f.verdict, f.detail)
		if f.hint != "" {
			fmt.Fprintf(t, "\t\t-> %s\n", f.hint)
		}
		if f.verdict == verdictBroken {
			broken++
		}
	}
	add("ctxnorm", finding{verdictOK, fmt.Sprintf("%s, %s, %s/%s, %s", version, describeBuild(), runtime.GOOS, runtime.GOARCH,
		runtime.Version()), ""})
	add("encoder", finding{verdictOK, "this build runs BERT encoders", ""})
	switch program := findTrainProgram(); {
	case ctxnorm.CanTrain:
		add("training", finding{verdictOK, "this build trains encoders, by libtorch", ""})
	case program != "":
		add("training", finding{verdictOK, program + " trains encoders, by libtorch", ""})
	default:
		add("training", finding{verdictAbsent, "this build takes encoders as they are: train --untrained, or --encoder none",
			torchBuild})
	}
	add("processor", finding{verdictOK, fmt.Sprintf("%d cores; encoders by %s", runtime.NumCPU(), describeProcessor()), ""})
	switch path, unread := findConfig(p.config); {
	case path != "": // a file that cannot be read has already ended the program
		add("settings", finding{verdictOK, path + " is read", ""})
	case len(unread) > 0:
		add("settings", finding{verdictAbsent, strings.Join(unread, "; "), ""})
	default:
		add("settings", finding{verdictAbsent, "no " + strings.Join(configPlaces(), " and no "), ""})
	}
	add("current folder", examineFolder("."))
	add("temporary files", examineFolder(os.TempDir()))
	if cache, err := bert.CacheFolder(); err != nil {
		add("model cache", finding{verdictAbsent, err.Error(), ""})
	} else {
		add("model cache", examineFolder(cache))
	}
	add("base model", examineBaseModel())
	return broken, t.Flush()
}

// describeBuild returns how the program was built.
func describeBuild() string {
	if !ctxnorm.CanTrain {
		return "pure Go"
	}
	maps, _ := os.ReadFile("/proc/self/maps") // exists on Linux only
	return strings.TrimSpace("with libtorch " + string(regexp.MustCompile(`/\S*libtorch_cpu\.so`).Find(maps)))
}

// describeProcessor lists the arithmetic of encoders that this processor has, in float32 fastest first.
func describeProcessor() string {
	var names []string
	for _, set := range append(kernels.Supported(), kernels.BFloat16(), kernels.Int8()) {
		if set != nil {
			names = append(names, set.String())
		}
	}
	return strings.Join(names, ", ")
}

// examineFolder reports whether files can be created in dir or, if it does not exist, in the folder where it would be
// created.
func examineFolder(dir string) finding {
	_, existing := artifact.Missing(dir)
	file, err := os.CreateTemp(existing, ".ctxnorm-doctor-*")
	if err != nil {
		if path, ok := errors.AsType[*os.PathError](err); ok {
			err = path.Err
		}
		return finding{verdictAbsent, fmt.Sprintf("%s cannot be written: %v", dir, err), ""}
	}
	if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
		return finding{verdictBroken, err.Error(), ""}
	}
	return finding{verdictOK, dir + " can be written", ""}
}

// examineBaseModel looks for the base model that train would start from, without downloading it.
func examineBaseModel() finding {
	named := os.Getenv(bert.BaseModelVariable)
	name := cmp.Or(named, bert.DefaultBaseModel)
	dir, err := bert.FindBaseModel("")
	var notFound *bert.BaseModelError
	switch {
	case err == nil:
		return finding{verdictOK, name + " in " + dir, ""}
	case !errors.As(err, &notFound):
		return finding{verdictBroken, err.Error(), "--base-model or " + bert.BaseModelVariable + " names another one"}
	}
	return finding{verdictAbsent, name + " is not in the cache",
		"train fetches it from the Hugging Face hub, or --base-model names a folder"}
}

func (p *program) inspectCommand() *cobra.Command {
	var dir string
	return p.command(command{
		use: "inspect", short: "Print the manifest of a model: its sources and contents",
		usual: "model", examples: "ctxnorm inspect --model model",
		flags: [][]flag{{{name: "model", value: &dir}}},
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
		flags: [][]flag{{{name: "model", value: &dir}}},
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
				fmt.Fprintf(p.stdout, "%s: as written: %s\n", log, plural(lines, "line"))
			}
			return nil
		},
	})
}
