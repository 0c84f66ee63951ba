package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

	"github.com/ctxnorm/ctxnorm"
)

// buildInfo says what program this is and what it runs on.
type buildInfo struct {
	Version  string `json:"version"`
	Training bool   `json:"training"`           // trains encoders; every build runs them
	Libtorch string `json:"libtorch,omitempty"` // the file that a build that trains has loaded, on Linux
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// The features of the processor that ctxnorm has code for: those it has and those it lacks.
	Features []string `json:"processor_features"`
	Lacks    []string `json:"processor_lacks"`
}

func newBuildInfo() *buildInfo {
	info := &buildInfo{Version: version, Training: ctxnorm.CanTrain, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Features: []string{}, Lacks: []string{}}
	if info.Training {
		maps, _ := os.ReadFile("/proc/self/maps") // Linux alone has it
		info.Libtorch = string(regexp.MustCompile(`/\S*libtorch_cpu\.so`).Find(maps))
	}
	type feature struct {
		name string
		has  bool
	}
	x86, arm := &cpu.X86, &cpu.ARM64
	for _, feature := range map[string][]feature{ // elsewhere all code is plain Go
		"amd64": {
			{"AVX2", x86.HasAVX2}, {"FMA", x86.HasFMA}, {"BMI2", x86.HasBMI2}, {"AVX-512F", x86.HasAVX512F},
			{"AVX-VNNI", x86.HasAVXVNNI}, {"AVX-512 VNNI", x86.HasAVX512VNNI}, {"AVX-512 BF16", x86.HasAVX512BF16},
			{"AMX BF16", x86.HasAMXBF16},
		},
		"arm64": {{"NEON", arm.HasASIMD}, {"DotProd", arm.HasASIMDDP}},
	}[runtime.GOARCH] {
		list := &info.Lacks
		if feature.has {
			list = &info.Features
		}
		*list = append(*list, feature.name)
	}
	return info
}

// build describes the build in words.
func (b *buildInfo) build() string {
	if b.Training {
		return strings.TrimSpace("with libtorch " + b.Libtorch)
	}
	return "pure Go"
}

// processor lists the features of the processor.
func (b *buildInfo) processor() string {
	s := strings.Join(b.Features, ", ")
	if s == "" {
		s = "no feature that ctxnorm has code for"
	}
	if len(b.Lacks) > 0 {
		s += " (not " + strings.Join(b.Lacks, ", ") + ")"
	}
	return s
}

func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	return p.command(command{
		use: "version", short: "Print the version, the build and the processor features that it uses",
		usual: "json", examples: "ctxnorm version --json",
		flags: [][]flag{{{"json", &asJSON, "", "print JSON"}}},
		run: func(*cobra.Command, []string) error {
			info := newBuildInfo()
			if asJSON {
				return p.printJSON(info)
			}
			return p.printRows([][]string{{"ctxnorm", info.Version}, {"build", info.build()},
				{"go", info.Go + " " + info.Platform}, {"processor", info.processor()}})
		},
	})
}

// printRows prints rows in columns.
func (p *program) printRows(rows [][]string) error {
	t := newTable(p.stdout)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}
