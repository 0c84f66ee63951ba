package ctxnorm_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const module = "ctxnorm"

// allowed is the import graph of the module: for each package, by its folder, the
// packages that it may import beside the root. Tests may import internal/testdata
// as well.
var allowed = map[string][]string{
	".":                                     {},
	"segment":                               {},
	"corpus":                                {"segment", "corpus/pubmed", "corpus/internal/input"}, // a Tagger is given to it: never matcher
	"corpus/annotated":                      {"corpus/internal/input"},
	"corpus/dictionary":                     {"corpus/internal/input"},
	"corpus/internal/input":                 {},
	"corpus/pubmed":                         {"corpus/internal/input"},
	"matcher":                               {"internal/cores"},
	"mine":                                  {"corpus", "matcher"},
	"tokenizer":                             {},
	"contrastive":                           {},
	"contrastive/torch":                     {"contrastive", "contrastive/torch/internal/bfloat", "contrastive/torch/safetensors", "matcher", "tokenizer"},
	"contrastive/torch/safetensors":         {},
	"contrastive/torch/internal/bfloat":     {},
	"contrastive/torch/internal/bfloat/asm": {}, // writes the assembly of bfloat
	"knnindex":                              {"internal/cores", "knnindex/internal/dot", "knnindex/internal/sketch"},
	"knnindex/internal/dot":                 {},
	"knnindex/internal/dot/asm":             {}, // writes the assembly of dot
	"knnindex/internal/sketch":              {"knnindex/internal/dot"},
	"knnindex/internal/sketch/asm":          {}, // the same of sketch
	"link":                                  {"corpus/annotated", "corpus/dictionary", "internal/cores", "knnindex", "matcher", "mine", "segment"},
	"eval":                                  {"contrastive", "corpus/annotated", "knnindex", "link", "matcher"},
	"basemodel":                             {},
	"internal/cores":                        {},
	"internal/progress":                     {},
	"internal/testdata":                     {},
	"cmd/ctxnorm":                           {"..."}, // every package
	"bench/accuracy":                        {"bench/harness", "corpus/annotated", "eval"},
	"bench/harness":                         {},
	"bench/run":                             {"bench/harness"}, // starts programs
	"bench/scaling":                         {"bench/harness"}, // the same
	"bench/subject":                         {"bench/harness", "contrastive", "contrastive/torch", "corpus/dictionary", "corpus/pubmed", "knnindex", "matcher", "segment", "tokenizer"},
}

// native lists the modules that need a C library, and the one package that
// imports each: all others build without it.
var native = map[string]string{
	"github.com/sugarme/gotch":     "contrastive/torch",
	"github.com/daulet/tokenizers": "tokenizer",
}

func TestImports(t *testing.T) {
	found, err := violations(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, violation := range found {
		t.Error(violation)
	}
}

// violations walks a module and says where it leaves the graph, whatever the
// build tags of a file.
func violations(tree fs.FS) ([]string, error) {
	var found []string
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." {
			base := path.Base(name)
			if base == "testdata" && name != "internal/testdata" || base[0] == '.' || base[0] == '_' || name == "build" {
				return fs.SkipDir
			}
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := path.Dir(name)
		if _, known := allowed[folder]; !known {
			found = append(found, fmt.Sprintf("the package %s is not in the import graph: add it to allowed in imports_test.go with what it may import", folder))
			return fs.SkipDir
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if reason := refuse(folder, imported, strings.HasSuffix(name, "_test.go")); reason != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", name, imported, reason))
			}
		}
		return nil
	})
	return found, err
}

// refuse says why the package in a folder may not import another, and nothing
// where it may.
func refuse(folder, imported string, isTest bool) string {
	for prefix, only := range native {
		if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) && folder != only {
			return fmt.Sprintf("only %s may; call that package instead", only)
		}
	}
	local, isLocal := strings.CutPrefix(imported, module+"/")
	switch {
	case imported == module:
		return ""
	case !isLocal:
		isStandard := !strings.Contains(strings.Split(imported, "/")[0], ".")
		if folder == "." && !isTest && !isStandard {
			return "the root imports the standard library only, since every package imports the root"
		}
		return ""
	case strings.HasPrefix(local, "cmd/"):
		return "nothing imports a command"
	case isTest && (local == "internal/testdata" || local == folder):
		return ""
	case slices.Contains(allowed[folder], local), slices.Contains(allowed[folder], "..."):
		return ""
	}
	return fmt.Sprintf("%s may import %v: take an interface instead, or change the graph in imports_test.go", folder, allowed[folder])
}

func TestViolations(t *testing.T) {
	tree := fstest.MapFS{
		"doc.go":                      {Data: []byte("package ctxnorm\nimport \"golang.org/x/text/width\"\n")},
		"doc_test.go":                 {Data: []byte("package ctxnorm\nimport \"github.com/google/go-cmp/cmp\"\n")},
		"new/one.go":                  {Data: []byte("package new\n")},
		"new/two.go":                  {Data: []byte("package new\n")},
		"new/testdata/old.go":         {Data: []byte("no Go\n")},
		"corpus/a.go":                 {Data: []byte("package corpus\nimport (\n\"ctxnorm\"\n\"ctxnorm/segment\"\n\"ctxnorm/matcher\"\n\"os\"\n)\n")},
		"corpus/a_test.go":            {Data: []byte("package corpus_test\nimport (\n\"ctxnorm/corpus\"\n\"ctxnorm/internal/testdata\"\n)\n")},
		"corpus/b.go":                 {Data: []byte("package corpus\nimport \"ctxnorm/internal/testdata\"\n")},
		"link/torch.go":               {Data: []byte("//go:build torch\n\npackage link\nimport \"github.com/sugarme/gotch/ts\"\n")},
		"contrastive/torch/t.go":      {Data: []byte("//go:build torch\n\npackage torch\nimport \"github.com/sugarme/gotch/ts\"\n")},
		"cmd/ctxnorm/main.go":         {Data: []byte("package main\nimport \"ctxnorm/eval\"\n")},
		"eval/e.go":                   {Data: []byte("package eval\nimport \"ctxnorm/cmd/ctxnorm\"\n")},
		"internal/testdata/t.go":      {Data: []byte("package testdata\nimport \"ctxnorm/eval\"\n")},
		"build/demo/copy/anything.go": {Data: []byte("no Go\n")},
	}
	got, err := violations(tree)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"corpus/a.go imports ctxnorm/matcher: ",
		"corpus/b.go imports ctxnorm/internal/testdata: ",
		"doc.go imports golang.org/x/text/width: ",
		"eval/e.go imports ctxnorm/cmd/ctxnorm: ",
		"internal/testdata/t.go imports ctxnorm/eval: ",
		"link/torch.go imports github.com/sugarme/gotch/ts: ",
		"the package new is not in the import graph: ",
	}
	for i, violation := range got {
		if i < len(want) && strings.HasPrefix(violation, want[i]) {
			got[i] = want[i] // the reason may be worded anew
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}
