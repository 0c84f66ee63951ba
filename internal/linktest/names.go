package linktest

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Names returns exemplars of names written "concept:name name …".
func Names(lines ...string) (names []text.Exemplar) {
	for _, line := range lines {
		id, list, _ := strings.Cut(line, ":")
		for name := range strings.FieldsSeq(list) {
			names = append(names, text.NameExemplar(name, kb.ConceptID(id)))
		}
	}
	return names
}
