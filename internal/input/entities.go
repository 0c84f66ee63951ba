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
	entityDeclaration = regexp.MustCompile(`^<!ENTITY\s+([^\s%"'<>]+)\s+(?:"([^"]*)"|'([^']*)'|((?:SYSTEM|PUBLIC)\s))`)
	entityReference   = regexp.MustCompile(`&(#[0-9]+|#x[0-9A-Fa-f]+|[^\s&;#][^\s&;]*);`)
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
	for {
		at := strings.Index(subset, "<!")
		if at < 0 {
			break
		}
		declaration := subset[at : at+declarationEnd(subset[at:])]
		subset = subset[at+len(declaration):]
		parts := entityDeclaration.FindStringSubmatch(declaration)
		if parts == nil {
			continue
		}
		name := parts[1]
		if _, again := e.literals[name]; again { // the first declaration counts
			continue
		}
		if parts[4] != "" {
			return nil, 0, &LineError{Want: "entities with their text",
				Got: fmt.Sprintf("the external entity %q", name)}
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
		text, err := e.resolve(name)
		if err != nil {
			return nil, 0, err
		}
		if total += len(text); total > maxEntities {
			return nil, 0, &LineError{Want: fmt.Sprintf("entities of at most %d bytes in all", maxEntities),
				Got: "more"}
		}
		longest = max(longest, int64(len(text)))
	}
	return e.resolved, longest, nil
}

// declarationEnd returns the length of a markup declaration, up to the first > outside of quotes.
func declarationEnd(s string) int {
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(s)
}

// entityResolver replaces the references in the texts of entities.
type entityResolver struct {
	literals map[string]string // as declared
	resolved map[string]string
	open     []string // that are being resolved
}

// resolve returns the text of an entity.
func (e *entityResolver) resolve(name string) (string, error) {
	if text, done := e.resolved[name]; done {
		return text, nil
	}
	if slices.Contains(e.open, name) {
		return "", &LineError{Want: "entities that do not contain themselves", Got: fmt.Sprintf("the entity %q", name)}
	}
	literal, declared := e.literals[name]
	if !declared {
		if text, ok := predefinedEntities[name]; ok {
			return text, nil
		}
		return "", &LineError{Want: "entities that the file declares",
			Got: fmt.Sprintf("a reference to %q in the entity %q", name, e.open[len(e.open)-1])}
	}
	if len(e.open) == maxEntityDepth {
		return "", &LineError{Want: fmt.Sprintf("entities within each other at most %d deep", maxEntityDepth),
			Got: fmt.Sprintf("the entity %q", name)}
	}
	e.open = append(e.open, name)
	var b strings.Builder
	for literal != "" {
		at := entityReference.FindStringSubmatchIndex(literal)
		if at == nil {
			at = []int{len(literal), len(literal), 0, 0}
		}
		b.WriteString(literal[:at[0]])
		if reference := literal[at[0]:at[1]]; reference != "" {
			text, ok := character(reference)
			if !ok {
				var err error
				if text, err = e.resolve(literal[at[2]:at[3]]); err != nil {
					return "", err
				}
			}
			b.WriteString(text)
		}
		if literal = literal[at[1]:]; b.Len() > maxEntity {
			return "", &LineError{Want: fmt.Sprintf("entities of at most %d bytes", maxEntity),
				Got: fmt.Sprintf("more in the entity %q", name)}
		}
	}
	e.open = e.open[:len(e.open)-1]
	e.resolved[name] = b.String()
	return b.String(), nil
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
