package checks

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// source is a Go file.
type source struct {
	name, folder string // the root folder is "."
	isTest       bool
	isOther      bool // of another module in the repository
	content      []byte
	*ast.File
	positions *token.FileSet
}

// at returns the position of a node.
func (s *source) at(n ast.Node) string { return s.positions.Position(n.Pos()).String() }

// isBelow reports whether the file is in a folder with that name.
func (s *source) isBelow(folder string) bool {
	return slices.Contains(strings.Split(s.folder, "/"), folder)
}

// sources returns the Go files of the repository, parsed once.
var sources = sync.OnceValues(func() ([]*source, error) { return readSources(os.DirFS(root)) })

// readSources reads the Go files in a tree, except testdata and build/.
func readSources(tree fs.FS) (all []*source, err error) {
	var others []string // folders of other modules
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := path.Base(name); name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_' || name == "build") {
				return fs.SkipDir
			}
			if _, err := fs.Stat(tree, path.Join(name, "go.mod")); err == nil && name != "." {
				others = append(others, name+"/")
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		s := &source{name: name, folder: path.Dir(name), isTest: strings.HasSuffix(name, "_test.go"), positions: token.NewFileSet()}
		s.isOther = slices.ContainsFunc(others, func(folder string) bool { return strings.HasPrefix(name, folder) })
		if s.content, err = fs.ReadFile(tree, name); err == nil {
			s.File, err = parser.ParseFile(s.positions, name, bytes.NewReader(s.content), parser.SkipObjectResolution)
		}
		all = append(all, s)
		return err
	})
	return all, err
}

// declared is a top-level declaration of a file.
type declared struct {
	name     *ast.Ident
	receiver string   // type of a method
	typ      ast.Expr // nil if it is not written
	isType   bool
}

// isExported reports whether users of the package can name it.
func (d *declared) isExported() bool {
	return d.name.IsExported() && (d.receiver == "" || ast.IsExported(d.receiver))
}

func (s *source) declarations() (all []declared) {
	for _, declaration := range s.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			receiver := ""
			if d.Recv != nil {
				receiver, _, _ = strings.Cut(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*"), "[")
			}
			all = append(all, declared{d.Name, receiver, d.Type, false})
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						all = append(all, declared{name, "", spec.Type, false})
					}
				case *ast.TypeSpec:
					all = append(all, declared{spec.Name, "", spec.Type, true})
				}
			}
		}
	}
	return all
}
