package input

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Limits of the entities of XML: declarations that refer to each other can stand for far more
// text than the file has.
const (
	maxEntity      = 4 << 10 // bytes of one; they are namespaces and words
	maxEntities    = 1 << 20 // bytes of all
	maxEntityDepth = 100     // of entities within each other
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
	e := entityResolver{literals: make(map[string]string), resolved: make(map[string]string)}
	var names []string
	for _, parts := range entityDeclaration.FindAllStringSubmatch(subset, -1) {
		name := parts[1]
		if _, again := e.literals[name]; again || name == "" { // the first declaration counts
			continue
		}
		if parts[4] != "" {
			e.fail("entities with their text", "the external entity %q", name)
		}
		// References to characters are replaced in the declaration, and others where it is used.
		e.literals[name] = entityReference.ReplaceAllStringFunc(parts[2]+parts[3], func(reference string) string {
			if c, ok := character(reference); ok {
				return c
			}
			return reference
		})
		names = append(names, name)
	}
	total := 0
	for _, name := range names {
		text := e.resolve(name)
		if total += len(text); total > maxEntities {
			e.fail(fmt.Sprintf("entities of at most %d bytes in all", maxEntities), "more")
		}
		longest = max(longest, int64(len(text)))
	}
	if e.err != nil {
		return nil, 0, e.err
	}
	return e.resolved, longest, nil
}

// entityResolver replaces the references in the texts of entities.
type entityResolver struct {
	literals map[string]string // as declared
	resolved map[string]string
	open     []string   // that are being resolved
	err      *LineError // the first; nothing is resolved after it
}

func (e *entityResolver) fail(want, got string, args ...any) {
	if e.err == nil {
		e.err = &LineError{Want: want, Got: fmt.Sprintf(got, args...)}
	}
}

// resolve returns the text of an entity.
func (e *entityResolver) resolve(name string) string {
	text, done := e.resolved[name]
	literal, declared := e.literals[name]
	predefined, isPredefined := predefinedEntities[name]
	switch {
	case done, e.err != nil:
		return text
	case slices.Contains(e.open, name):
		e.fail("entities that do not contain themselves", "the entity %q", name)
	case !declared && isPredefined:
		return predefined
	case !declared:
		e.fail("entities that the file declares", "a reference to %q in the entity %q", name, e.open[len(e.open)-1])
	case len(e.open) == maxEntityDepth:
		e.fail(fmt.Sprintf("entities within each other at most %d deep", maxEntityDepth), "the entity %q", name)
	}
	e.open = append(e.open, name)
	size := 0
	text = entityReference.ReplaceAllStringFunc(literal, func(reference string) string {
		within, ok := character(reference)
		if !ok && e.err == nil {
			within = e.resolve(reference[1 : len(reference)-1])
		}
		if size += len(within); size > maxEntity {
			e.fail(fmt.Sprintf("entities of at most %d bytes", maxEntity), "more in the entity %q", name)
		}
		return within
	})
	if len(text) > maxEntity {
		e.fail(fmt.Sprintf("entities of at most %d bytes", maxEntity), "more in the entity %q", name)
	}
	e.open = e.open[:len(e.open)-1]
	e.resolved[name] = text
	return text
}

// character returns the character that a reference to a character stands for.
func character(reference string) (string, bool) {
	digits, ok := strings.CutPrefix(strings.Trim(reference, "&;"), "#")
	if !ok {
		return "", false
	}
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil {
		return "", false
	}
	return string(rune(n)), true
}
