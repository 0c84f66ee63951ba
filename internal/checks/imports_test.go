package checks

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"
)

const module = "github.com/ctxnorm/ctxnorm"

// The native modules, and the one package that may import each: every other package
// builds without a C library.
var native = map[string]string{
	"github.com/sugarme/gotch":     "internal/tensor",
	"github.com/daulet/tokenizers": "tokenizer",
}

// importsFile lists the packages of the module, each followed by what it imports of the module, one an
// indented line.
const importsFile = "imports.txt"

// TestImports compares the imports of the module with importsFile, both ways: an import that the file lacks
// fails, and so does one that the file has and the code does not. With -update the file is written anew. Every
// package needs its row in the table of ARCHITECTURE.md, with what it does.
func TestImports(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := packagesInTable(string(page))
	if len(documented) < 10 {
		t.Fatalf("ARCHITECTURE.md has a table of %d packages, want all of them", len(documented))
	}
	found, faults, err := importsInCode(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(here, importsFile), []byte(found.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := os.ReadFile(filepath.Join(here, importsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range slices.Concat(faults, rowFaults(documented, found), importFaults(parseImports(string(listed)), found)) {
		t.Error(fault)
	}
	if cycle := findCycle(found); cycle != nil {
		t.Errorf("packages import each other: %s", strings.Join(cycle, " -> "))
	}
}

// graph holds, for each package by its folder, the packages of the module that it imports.
type graph map[string]map[string]bool

func (g graph) add(from string, to ...string) {
	if g[from] == nil {
		g[from] = make(map[string]bool)
	}
	for _, name := range to {
		g[from][name] = true
	}
}

// String returns g as importsFile has it.
func (g graph) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(g)) {
		b.WriteString(name + "\n")
		for _, imported := range slices.Sorted(maps.Keys(g[name])) {
			b.WriteString("\t" + imported + "\n")
		}
	}
	return b.String()
}

// parseImports is the inverse of graph.String.
func parseImports(list string) graph {
	g := make(graph)
	name := ""
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\r\n")
		if imported, isImport := strings.CutPrefix(line, "\t"); isImport {
			g.add(name, imported)
		} else if line != "" {
			name = line
			g.add(name)
		}
	}
	return g
}

var packageRow = regexp.MustCompile("(?m)^\\| `([^`|]+)` \\| [^|]+ \\|$")

// packagesInTable returns the packages of the rows "| `package` | what it does |". The root package is
// called ctxnorm.
func packagesInTable(markdown string) map[string]bool {
	packages := make(map[string]bool)
	for _, row := range packageRow.FindAllStringSubmatch(markdown, -1) {
		packages[row[1]] = true
	}
	return packages
}

// eachGoFile parses the Go files of the module in a tree, but not those of other modules, of
// testdata, of build/ and of the folders whose last name is in without.
func eachGoFile(tree fs.FS, mode parser.Mode, without []string, do func(name string, file *ast.File, positions *token.FileSet) error) error {
	return fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, noModule := fs.Stat(tree, path.Join(name, "go.mod"))
			base := path.Base(name)
			if name != "." && (noModule == nil || base == "testdata" || base[0] == '.' || base[0] == '_' || name == "build" || slices.Contains(without, base)) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, name, source, mode)
		if err != nil {
			return err
		}
		return do(name, file, positions)
	})
}

// importsInCode reads the imports of every file that is not a test, whatever its build
// tags. It also returns imports that no table may allow.
func importsInCode(tree fs.FS) (g graph, faults []string, err error) {
	g = make(graph)
	err = eachGoFile(tree, parser.ImportsOnly, nil, func(name string, file *ast.File, _ *token.FileSet) error {
		folder := path.Dir(name)
		isTest := strings.HasSuffix(name, "_test.go")
		if folder == "." {
			folder = "ctxnorm"
		}
		if !isTest {
			g.add(folder)
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			for prefix, only := range native {
				if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) && folder != only {
					faults = append(faults, fmt.Sprintf("%s imports %s: only %s may; call that package instead", name, imported, only))
				}
			}
			local, isLocal := strings.CutPrefix(imported, module+"/")
			switch {
			case imported == module:
				local = "ctxnorm"
			case !isLocal:
				continue
			}
			switch {
			case strings.HasPrefix(local, "cmd/"):
				faults = append(faults, fmt.Sprintf("%s imports %s: nothing may import a command", name, local))
			case !isTest && local == "internal/realdata":
				faults = append(faults, fmt.Sprintf("%s imports %s: only tests may", name, local))
			case !isTest:
				g.add(folder, local)
			}
		}
		return nil
	})
	return g, faults, err
}

// rowFaults lists the packages that the table of ARCHITECTURE.md or the code lacks.
func rowFaults(documented map[string]bool, found graph) []string {
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !documented[name] {
			faults = append(faults, fmt.Sprintf("the package %s is not in the table of ARCHITECTURE.md", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(documented)) {
		if found[name] == nil {
			faults = append(faults, fmt.Sprintf("the table of ARCHITECTURE.md has the package %s, which is not there", name))
		}
	}
	return faults
}

// importFaults lists the imports that one graph has and the other lacks.
func importFaults(listed, found graph) []string {
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		for _, imported := range slices.Sorted(maps.Keys(found[name])) {
			if !listed[name][imported] {
				faults = append(faults, fmt.Sprintf("%s imports %s, which %s does not have: take an interface instead, or write it anew with -update", name, imported, importsFile))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		for _, imported := range slices.Sorted(maps.Keys(listed[name])) {
			if !found[name][imported] {
				faults = append(faults, fmt.Sprintf("%s lets %s import %s, and it does not", importsFile, name, imported))
			}
		}
	}
	return faults
}

// findCycle returns a cycle of imports, nil when there is none.
func findCycle(g graph) []string {
	done := make(map[string]bool)
	var walk func(path []string) []string
	walk = func(path []string) []string {
		last := path[len(path)-1]
		if at := slices.Index(path, last); at < len(path)-1 {
			return path[at:]
		}
		if done[last] {
			return nil
		}
		for _, next := range slices.Sorted(maps.Keys(g[last])) {
			if cycle := walk(append(slices.Clone(path), next)); cycle != nil {
				return cycle
			}
		}
		done[last] = true
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if cycle := walk([]string{name}); cycle != nil {
			return cycle
		}
	}
	return nil
}

func TestImportGraphFaults(t *testing.T) {
	tree := fstest.MapFS{
		"open.go":                     {Data: []byte("package ctxnorm\nimport \"github.com/ctxnorm/ctxnorm/link\"\n")},
		"new/one.go":                  {Data: []byte("package new\n")},
		"new/testdata/old.go":         {Data: []byte("no Go\n")},
		"link/a.go":                   {Data: []byte("package link\nimport (\n\"github.com/ctxnorm/ctxnorm/text\"\n\"os\"\n)\n")},
		"link/a_test.go":              {Data: []byte("package link_test\nimport (\n\"github.com/ctxnorm/ctxnorm/eval\"\n\"github.com/ctxnorm/ctxnorm/internal/realdata\"\n)\n")},
		"link/torch.go":               {Data: []byte("//go:build torch\n\npackage link\nimport \"github.com/sugarme/gotch/ts\"\n")},
		"internal/tensor/t.go":        {Data: []byte("//go:build torch\n\npackage tensor\nimport \"github.com/sugarme/gotch/ts\"\n")},
		"text/t.go":                   {Data: []byte("package text\nimport (\n\"github.com/ctxnorm/ctxnorm/cmd/ctxnorm\"\n\"github.com/ctxnorm/ctxnorm/internal/realdata\"\n)\n")},
		"bench/go.mod":                {Data: []byte("module bench\n")},
		"bench/b.go":                  {Data: []byte("no Go\n")},
		"build/demo/copy/anything.go": {Data: []byte("no Go\n")},
	}
	table := "| package | what it does |\n| --- | --- |\n| `ctxnorm` | the library |\n| `link` | links |\n" +
		"| `internal/tensor` | tensors |\n| `text` | texts |\n| `gone` | nothing |\n"
	found, faults, err := importsInCode(tree)
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Concat(faults, rowFaults(packagesInTable(table), found),
		importFaults(parseImports("ctxnorm\n\teval\n\tlink\nlink\n"), found))
	slices.SortFunc(got, cmp.Compare[string])
	want := []string{
		"imports.txt lets ctxnorm import eval, and it does not",
		"link imports text, which imports.txt does not have: take an interface instead, or write it anew with -update",
		"link/torch.go imports github.com/sugarme/gotch/ts: only internal/tensor may; call that package instead",
		"text/t.go imports cmd/ctxnorm: nothing may import a command",
		"text/t.go imports internal/realdata: only tests may",
		"the package new is not in the table of ARCHITECTURE.md",
		"the table of ARCHITECTURE.md has the package gone, which is not there",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(found, parseImports(found.String())); diff != "" {
		t.Errorf("imports written and parsed (-want +got):\n%s", diff)
	}
	circle := graph{}
	circle.add("a", "b")
	circle.add("b", "c")
	circle.add("c", "b")
	if diff := gocmp.Diff([]string{"b", "c", "b"}, findCycle(circle)); diff != "" {
		t.Errorf("cycle (-want +got):\n%s", diff)
	}
}
