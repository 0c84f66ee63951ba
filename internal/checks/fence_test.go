package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// knownLeaks are the exported declarations that may mention a type of internal/, with the reason. A user of the module
// can hold such a value but not write its type.
var knownLeaks = map[string]string{
	"corpus.PairExtractor internal/abbrev.Definition":                 "package mine has the one in use; a program outside needs none",
	"corpus.Tagger internal/abbrev.Dictionary":                        "package matcher has the one in use",
	"ctxnorm.LinkOptions.ResolverComponents internal/link.Components": "for eval of the program, which ablates components",
	"ctxnorm.Model.Linker internal/link.MentionResolver":              "for eval of the program and the pipeline of Beam",
	"ctxnorm.Model.Stored internal/model.Model":                       "for the program, which inspects folders",
	"ctxnorm.NewModel internal/model.Model":                           "for the program, which holds concepts out",
	"eval.AmbiguousShortForms internal/mine.AbbreviationTable":        "the table is that of a model",
	"eval.Predict internal/link.Linker":                               "a Linker of one's own returns rankings of internal/link",
}

// TestFence checks the exported declarations of public packages: they must not mention a type of internal/, because
// users cannot write it. papers/ uses the API but is not part of it.
func TestFence(t *testing.T) {
	all := must.Get(sources())
	leaks := internalTypesIn(all)
	for _, leak := range slices.Sorted(maps.Keys(leaks)) {
		if knownLeaks[leak] == "" {
			t.Errorf("%s: %s is exported and names a type of internal/: move the type, or do not export it", leaks[leak], leak)
		}
	}
	for _, leak := range slices.Sorted(maps.Keys(knownLeaks)) {
		if leaks[leak] == "" {
			t.Errorf("knownLeaks has %s, which names no type of internal/", leak)
		}
	}
}

// internalTypesIn returns the exported declarations of public packages that mention a type of internal/, as
// "package.Name internal/package.Type", with their positions.
func internalTypesIn(all []*source) map[string]string {
	leaks := make(map[string]string)
	for _, s := range all {
		if s.isTest || s.isOther || slices.ContainsFunc([]string{"internal", "papers", "cmd"}, s.isBelow) {
			continue
		}
		internal := make(map[string]string) // folder of each internal package that the file imports, by its local name
		for _, spec := range s.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if local, ok := strings.CutPrefix(imported, module+"/internal/"); ok {
				as := path.Base(local)
				if spec.Name != nil {
					as = spec.Name.Name
				}
				internal[as] = "internal/" + local
			}
		}
		for _, d := range s.declarations() {
			if d.typ == nil || !d.isExported() {
				continue
			}
			ast.Inspect(d.typ, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Field:
					if len(n.Names) > 0 && !slices.ContainsFunc(n.Names, (*ast.Ident).IsExported) && isStructField(d.typ, n) {
						return false
					}
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && internal[x.Name] != "" {
						name := strings.TrimPrefix(d.receiver+"."+d.name.Name, ".")
						leaks[fmt.Sprintf("%s.%s %s.%s", s.Name.Name, name, internal[x.Name], n.Sel.Name)] = s.at(n)
					}
				}
				return true
			})
		}
	}
	return leaks
}

// isStructField reports whether a field belongs to the struct type typ, rather than being a parameter.
func isStructField(typ ast.Expr, field *ast.Field) bool {
	structure, ok := typ.(*ast.StructType)
	return ok && slices.Contains(structure.Fields.List, field)
}

func TestFenceLeaks(t *testing.T) {
	const imports = "package p\nimport \"" + module + "/internal/link\"\nimport other \"" + module + "/internal/model\"\nimport \"" + module + "/text\"\n"
	for declaration, want := range map[string][]string{
		"func F(q text.Query)":                           nil,
		"func F(q text.Query) []*link.Ranking":           {"p.F internal/link.Ranking"},
		"func f() link.Ranking":                          nil,
		"func (m *M) F(o other.Model)":                   {"p.M.F internal/model.Model"},
		"func (m m) F(o other.Model)":                    nil,
		"type T struct { r link.Ranking; M text.Query }": nil,
		"type T struct { link.Ranking }":                 {"p.T internal/link.Ranking"},
		"type T struct { F func(link.Ranking) }":         {"p.T internal/link.Ranking"},
		"type I interface { M(r link.Ranking) }":         {"p.I internal/link.Ranking"},
		"type T = link.Ranking":                          {"p.T internal/link.Ranking"},
		"var V map[string]link.Ranking":                  {"p.V internal/link.Ranking"},
	} {
		all := must.Get(readSources(fstest.MapFS{
			"p/p.go":          {Data: []byte(imports + declaration)},
			"internal/q/q.go": {Data: []byte("package q\nimport \"" + module + "/internal/link\"\ntype T = link.Ranking")},
		}))
		must.Equal(t, slices.Sorted(maps.Keys(internalTypesIn(all))), want, declaration)
	}
}

// TestNoFlagsInLibrary checks that messages of the library name options; the command replaces them by flags: see
// nameFlags in cmd/ctxnorm.
func TestNoFlagsInLibrary(t *testing.T) {
	flag := regexp.MustCompile(`(^|[ (])--[a-z]`)
	all := must.Get(sources())
	for _, s := range all {
		if s.isTest || s.isOther || s.isBelow("cmd") {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && flag.MatchString(strings.Trim(text.Value, "\"`")) {
				t.Errorf("%s: %s names a flag, want the option", s.at(text), text.Value)
			}
			return true
		})
	}
}
