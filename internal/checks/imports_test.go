package checks

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

const module = "github.com/ctxnorm/ctxnorm"

// native maps each module with native code to the only package that may import it. Every other package builds without a
// C library.
var native = map[string]string{
	"github.com/sugarme/gotch":     "internal/tensor",
	"github.com/daulet/tokenizers": "tokenizer",
}

// importsFile lists the packages of the module, each followed by its imports within the module, one an indented line.
const importsFile = "imports.txt"

// TestImports compares the imports within the module with importsFile. With -update it rewrites the file. Every package
// needs a row with its purpose in the table of ARCHITECTURE.md.
func TestImports(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join(root, "ARCHITECTURE.md")))
	all := must.Get(sources())
	found, faults := importsOf(all)
	for _, fault := range faults {
		t.Error(fault)
	}
	must.Equal(t, slices.Sorted(maps.Keys(found)), packagesInTable(string(page)),
		"packages, table of ARCHITECTURE.md and code")
	path := filepath.Join(here, importsFile)
	if *update {
		must.Succeed(t, os.WriteFile(path, []byte(importList(found)), 0o666))
	}
	listed := must.Get(os.ReadFile(path))
	must.Equal(t, importList(found), string(listed),
		"imports: take an interface instead of a new one, or write the file anew with -update", importsFile)
}

// importList formats imports as in importsFile.
func importList(imports map[string]map[string]bool) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		b.WriteString(name + "\n")
		for _, imported := range slices.Sorted(maps.Keys(imports[name])) {
			b.WriteString("\t" + imported + "\n")
		}
	}
	return b.String()
}

var packageRow = regexp.MustCompile("(?m)^\\| `([^`|]+)` \\| [^|]+ \\|$")

// packagesInTable returns the packages from the rows "| `package` | purpose |", sorted. The root package is called
// ctxnorm.
func packagesInTable(markdown string) (packages []string) {
	for _, row := range packageRow.FindAllStringSubmatch(markdown, -1) {
		packages = append(packages, row[1])
	}
	slices.Sort(packages)
	return packages
}

// importsOf returns the imports of each package within the module, excluding tests and regardless of build tags, and
// the imports that are never allowed.
func importsOf(all []*source) (imports map[string]map[string]bool, faults []string) {
	imports = make(map[string]map[string]bool)
	for _, s := range all {
		if s.isOther {
			continue
		}
		folder := strings.Replace(s.folder, ".", "ctxnorm", 1)
		if !s.isTest && imports[folder] == nil {
			imports[folder] = make(map[string]bool)
		}
		for _, spec := range s.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			for prefix, only := range native {
				if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) && folder != only {
					faults = append(faults, fmt.Sprintf("%s imports %s: only %s may; call that package instead", s.name, imported, only))
				}
			}
			local, isLocal := strings.CutPrefix(imported+"/", module+"/")
			switch local = strings.TrimSuffix(local, "/"); {
			case !isLocal:
			case strings.HasPrefix(local, "cmd/"):
				faults = append(faults, fmt.Sprintf("%s imports %s: nothing may import a command", s.name, local))
			case !s.isTest && local == "internal/realdata":
				faults = append(faults, fmt.Sprintf("%s imports %s: only tests may", s.name, local))
			case !s.isTest && local == "":
				imports[folder]["ctxnorm"] = true
			case !s.isTest:
				imports[folder][local] = true
			}
		}
	}
	return imports, faults
}

func TestImportFaults(t *testing.T) {
	tree := make(fstest.MapFS)
	for name, text := range map[string]string{
		"open.go":                     "package ctxnorm\nimport \"github.com/ctxnorm/ctxnorm/link\"\n",
		"new/testdata/old.go":         "no Go\n",
		"link/a.go":                   "package link\nimport (\n\"github.com/ctxnorm/ctxnorm/text\"\n\"os\"\n\"github.com/ctxnorm/ctxnorm\")\n",
		"link/a_test.go":              "package link_test\nimport (\n\"github.com/ctxnorm/ctxnorm/eval\"\n\"github.com/ctxnorm/ctxnorm/internal/realdata\"\n)\n",
		"link/torch.go":               "//go:build torch\n\npackage link\nimport \"github.com/sugarme/gotch/ts\"\n",
		"internal/tensor/t.go":        "//go:build torch\n\npackage tensor\nimport \"github.com/sugarme/gotch/ts\"\n",
		"text/t.go":                   "package text\nimport (\n\"github.com/ctxnorm/ctxnorm/cmd/ctxnorm\"\n\"github.com/ctxnorm/ctxnorm/internal/realdata\"\n)\n",
		"bench/go.mod":                "module bench\n",
		"bench/b.go":                  "package bench\nimport \"github.com/ctxnorm/ctxnorm/cmd/ctxnorm\"\n",
		"build/demo/copy/anything.go": "no Go\n",
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	all := must.Get(readSources(tree))
	found, faults := importsOf(all)
	must.Equal(t, importList(found), "ctxnorm\n\tlink\ninternal/tensor\nlink\n\tctxnorm\n\ttext\ntext\n", "imports")
	must.Equal(t, faults, []string{
		"link/torch.go imports github.com/sugarme/gotch/ts: only internal/tensor may; call that package instead",
		"text/t.go imports cmd/ctxnorm: nothing may import a command",
		"text/t.go imports internal/realdata: only tests may",
	}, "faults")
	const table = "| package | what |\n| --- | --- |\n| `link` | links |\n| `ctxnorm` | the library |\n"
	must.Equal(t, packagesInTable(table), []string{"ctxnorm", "link"}, "packages")
}
