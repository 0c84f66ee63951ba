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
	entities = make(map[string]string)
	for _, parts := range entityDeclaration.FindAllStringSubmatch(subset, -1) {
		name := parts[1]
		if _, again := entities[name]; again || name == "" { // the first declaration counts
			continue
		}
		if parts[4] != "" {
			return nil, 0, &LineError{"entities with their text", fmt.Sprintf("the external entity %q", name)}
		}
		if len(entities) == maxDeclared {
			return nil, 0, &LineError{fmt.Sprintf("at most %d entities", maxDeclared), "more"}
		}
		// References to characters are replaced in the declaration, and others where it is used.
		entities[name] = entityReference.ReplaceAllStringFunc(parts[2]+parts[3], character)
	}
	for nested := true; nested; {
		var bad *LineError
		if nested, bad = expand(entities); bad != nil {
			return nil, 0, bad
		}
	}
	for name, text := range entities {
		entities[name] = entityReference.ReplaceAllStringFunc(text, func(reference string) string {
			if text, known := predefinedEntities[strings.Trim(reference, "&;")]; known {
				return text
			}
			return character(reference)
		})
		longest = max(longest, int64(len(entities[name])))
	}
	return entities, longest, nil
}

// expand replaces the references to declared entities in the texts of all by their texts, and reports whether there
// were any: these may have references of their own. An entity of a cycle refers to itself in the end.
func expand(entities map[string]string) (nested bool, bad *LineError) {
	total := 0
	for _, name := range slices.Sorted(maps.Keys(entities)) {
		size := 0
		text := entityReference.ReplaceAllStringFunc(entities[name], func(reference string) string {
			inner := strings.Trim(reference, "&;")
			within, declared := entities[inner]
			switch {
			case inner == name:
				bad = &LineError{"entities that do not contain themselves", fmt.Sprintf("the entity %q", name)}
			case declared:
				nested = true
			case predefinedEntities[inner] == "" && character(reference) == reference:
				bad = &LineError{"entities that the file declares",
					fmt.Sprintf("a reference to %q in the entity %q", inner, name)}
			default:
				within = reference
			}
			if size += len(within); size > maxEntity {
				return ""
			}
			return within
		})
		if total += len(text); size > maxEntity || len(text) > maxEntity {
			bad = &LineError{fmt.Sprintf("entities of at most %d bytes", maxEntity),
				fmt.Sprintf("more in the entity %q", name)}
		} else if total > maxEntities {
			bad = &LineError{fmt.Sprintf("entities of at most %d bytes in all", maxEntities), "more"}
		}
		if bad != nil {
			return false, bad
		}
		entities[name] = text
	}
	return nested, nil
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
