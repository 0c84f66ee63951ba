// Package papers lists the linking methods of the program: those of package link and those of the
// packages below, one a paper.
package papers

import (
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
)

// Methods returns the linking methods, the default first.
func Methods() []link.Method { return append(link.Methods(), sapbert.Nearest(), biosyn.Hybrid()) }

// MethodOf returns the linking method of that name, and whether there is one.
func MethodOf(name string) (link.Method, bool) {
	for _, m := range Methods() {
		if m.Name == name {
			return m, true
		}
	}
	return link.Method{}, false
}

// MethodNames returns the names of the linking methods that have a property; nil: of all.
func MethodNames(has func(link.Method) bool) []string {
	var names []string
	for _, m := range Methods() {
		if has == nil || has(m) {
			names = append(names, m.Name)
		}
	}
	return names
}
