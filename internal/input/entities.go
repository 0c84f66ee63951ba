package input

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Limits of the entities of XML: declarations that refer to each other can stand for far more
// text than the file has.
const (
	maxDeclared = 10_000  // which may form a chain
	maxEntity   = 4 << 10 // bytes of one; they are namespaces and words
	maxEntities = 1 << 20 // bytes of all
)

// predefinedEntities are the entities that XML declares, which a file may declare again.
var predefinedEntities = map[string]string{"amp": "&", "lt": "<", "gt": ">", "apos": "'", "quot": `"`}

var (
	entityDeclaration = regexp.MustCompile(
		`(?s)<!--.*?-->|<!ENTITY\s+([^\s%"'<>]+)\s+(?:"([^"]*)"|'([^']*)'|((?:SYSTEM|PUBLIC)\s))|` +
			`<!(?:[^>"']|"[^"]*"|'[^']*')*>`)
	entityReference = regexp.MustCompile(`&(?:#[0-9]+|#x[0-9A-Fa-f]+|[^\s&;#][^\s&;]*);`)
)

// Entities returns the entities that a document type declaration (the content of an
// [encoding/xml.Directive]) declares, with the text that they stand for, and the length of the longest
// text. The error names an entity whose text is not in the declaration, or is too long. Parameter
// entities are ignored.
func Entities(directive []byte) (entities map[string]string, longest int64, err error) {
	_, subset, found := strings.Cut(string(directive), "[")
	if !found || !strings.HasPrefix(string(directive), "DOCTYPE") {
		return nil, 0, nil
	}
	e := expansion{texts: make(map[string]string), begun: make(map[string]bool), done: make(map[string]bool)}
	for _, parts := range entityDeclaration.FindAllStringSubmatch(subset, -1) {
		name := parts[1]
		if _, again := e.texts[name]; again || name == "" { // the first declaration counts
			continue
		}
		if parts[4] != "" {
			return nil, 0, &LineError{"entities with their text", fmt.Sprintf("the external entity %q", name)}
		}
		if len(e.texts) == maxDeclared {
			return nil, 0, &LineError{fmt.Sprintf("at most %d entities", maxDeclared), "more"}
		}
		// References to characters are replaced in the declaration, and others where it is used.
		e.texts[name] = entityReference.ReplaceAllStringFunc(parts[2]+parts[3], character)
	}
	for _, name := range slices.Sorted(maps.Keys(e.texts)) {
		if longest = max(longest, int64(len(e.expand(name)))); e.bad != nil {
			return nil, 0, e.bad
		}
	}
	return e.texts, longest, nil
}

// expansion replaces the references in the texts of entities, of each once.
type expansion struct {
	texts       map[string]string
	begun, done map[string]bool
	total       int // bytes of those that are done
	bad         *LineError
}

// expand returns the text that a declared entity stands for.
func (e *expansion) expand(name string) string {
	switch {
	case e.done[name]:
		return e.texts[name]
	case e.begun[name]:
		e.bad = &LineError{"entities that do not contain themselves", fmt.Sprintf("the entity %q", name)}
		return ""
	}
	e.begun[name] = true
	size := 0
	text := entityReference.ReplaceAllStringFunc(e.texts[name], func(reference string) string {
		inner := strings.Trim(reference, "&;")
		within, isPredefined := predefinedEntities[inner]
		if _, declared := e.texts[inner]; declared {
			within = e.expand(inner)
		} else if !isPredefined {
			within = character(reference)
		}
		if within == reference && e.bad == nil {
			e.bad = &LineError{"entities that the file declares", fmt.Sprintf("a reference to %q in the entity %q", inner, name)}
		}
		if size += len(within); size > maxEntity {
			return ""
		}
		return within
	})
	switch e.total += len(text); {
	case e.bad != nil:
	case size > maxEntity || len(text) > maxEntity:
		e.bad = &LineError{fmt.Sprintf("entities of at most %d bytes", maxEntity), fmt.Sprintf("more in the entity %q", name)}
	case e.total > maxEntities:
		e.bad = &LineError{fmt.Sprintf("entities of at most %d bytes in all", maxEntities), "more"}
	}
	e.texts[name], e.done[name] = text, true
	return text
}

// character returns the character that a reference to a character stands for, and any other reference as it is.
func character(reference string) string {
	digits, ok := strings.CutPrefix(strings.Trim(reference, "&;"), "#")
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if !ok || err != nil {
		return reference
	}
	return string(rune(n))
}
