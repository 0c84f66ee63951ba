package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

	"github.com/ctxnorm/ctxnorm"
)

// buildInfo says what program this is and what it runs on.
type buildInfo struct {
	Version  string    `json:"version"`
	Training bool      `json:"training"` // trains encoders; every build runs them
	Go       string    `json:"go"`
	Platform string    `json:"platform"`
	Libtorch *libtorch `json:"libtorch,omitempty"` // absent in a build that does not train
	// The features of the processor that ctxnorm has code for: those it has and those it lacks.
	Features []string `json:"processor_features"`
	Lacks    []string `json:"processor_lacks"`
}

func newBuildInfo() *buildInfo {
	info := &buildInfo{
		Version: version, Training: ctxnorm.CanTrain, Go: runtime.Version(), Platform: runtime.GOOS + "/" +
			runtime.GOARCH,
		Features: []string{}, Lacks: []string{},
	}
	if info.Training {
		info.Libtorch = loadedLibtorch()
	}
	type feature struct {
		name string
		has  bool
	}
	for _, feature := range map[string][]feature{ // elsewhere all code is plain Go
		"amd64": {
			{"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA}, {"BMI2", cpu.X86.HasBMI2}, {"AVX-512F",
				cpu.X86.HasAVX512F},
			{"AVX-VNNI", cpu.X86.HasAVXVNNI}, {"AVX-512 VNNI", cpu.X86.HasAVX512VNNI}, {"AVX-512 BF16",
				cpu.X86.HasAVX512BF16},
			{"AMX BF16", cpu.X86.HasAMXBF16},
		},
		"arm64": {{"NEON", cpu.ARM64.HasASIMD}, {"DotProd", cpu.ARM64.HasASIMDDP}},
	}[runtime.GOARCH] {
		if feature.has {
			info.Features = append(info.Features, feature.name)
		} else {
			info.Lacks = append(info.Lacks, feature.name)
		}
	}
	return info
}

// build describes the build in words.
func (b *buildInfo) build() string {
	if b.Training {
		return "with libtorch"
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

// libtorch is the libtorch that the program has loaded.
type libtorch struct {
	Version string `json:"version"` // "unknown" without its headers
	Path    string `json:"path"`    // "" if the system does not say
}

func (l *libtorch) String() string { return strings.TrimSpace(l.Version + " " + l.Path) }

// torchVersion finds the three numbers of the version in version.h, a header of libtorch.
var torchVersion = regexp.MustCompile(`#define TORCH_VERSION_(?:MAJOR|MINOR|PATCH) ([0-9]+)`)

// loadedLibtorch looks for libtorch among the files that are mapped into the process. Its version
// is in the headers beside it, which a packed program has not.
func loadedLibtorch() *libtorch {
	found := &libtorch{Version: "unknown"}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return found
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		if _, path, ok := strings.Cut(lines.Text(), "/"); ok && strings.HasSuffix(path, "/libtorch_cpu.so") {
			found.Path = "/" + path
			break
		}
	}
	folder := filepath.Dir(filepath.Dir(found.Path))
	if data, err := os.ReadFile(filepath.Join(folder, "include/torch/csrc/api/include/torch/version.h")); err == nil {
		if n := torchVersion.FindAllSubmatch(data, -1); len(n) == 3 {
			found.Version = fmt.Sprintf("%s.%s.%s", n[0][1], n[1][1], n[2][1])
		}
	}
	return found
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
			t := newTable(p.stdout)
			fmt.Fprintf(t, "ctxnorm\t%s\nbuild\t%s\ngo\t%s %s\n", info.Version, info.build(), info.Go, info.Platform)
			if info.Libtorch != nil {
				fmt.Fprintf(t, "libtorch\t%s\n", info.Libtorch)
			}
			fmt.Fprintf(t, "processor\t%s\n", info.processor())
			return t.Flush()
		},
	})
}
