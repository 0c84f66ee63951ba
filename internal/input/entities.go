package input

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// NewXMLDecoder returns a decoder of XML in the encoding that its declaration names. A text in UTF-16 was decoded before,
// by its byte-order mark, and so is any other if isDecoded.
func NewXMLDecoder(r io.Reader, isDecoded bool) *xml.Decoder {
	decoder := xml.NewDecoder(r)
	decoder.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if isDecoded || strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return r, nil
		}
		return DecodeStream(r, label)
	}
	return decoder
}

// These limit XML entities: declarations that refer to each other can stand for far more text than the file contains.
const (
	maxDeclared = 10_000
	maxEntity   = 4 << 10 // bytes of an entity; most are namespaces and words
	maxEntities = 1 << 20 // total bytes
)

// predefinedEntities are the entities that XML predefines. A file may redeclare them.
var predefinedEntities = map[string]string{"amp": "&", "lt": "<", "gt": ">", "apos": "'", "quot": `"`}

var (
	entityDeclaration = regexp.MustCompile(
		`(?s)<!--.*?-->|<!ENTITY\s+([^\s%"'<>]+)\s+(?:"([^"]*)"|'([^']*)'|((?:SYSTEM|PUBLIC)\s))|` +
			`<!(?:[^>"']|"[^"]*"|'[^']*')*>`)
	entityReference = regexp.MustCompile(`&(?:#[0-9]+|#x[0-9A-Fa-f]+|[^\s&;#][^\s&;]*);`)
)

// Entities returns the entities declared in a document type declaration (the content of an [encoding/xml.Directive]),
// with their text, and the length of the longest text. The error names an entity whose text is not in the declaration,
// or is too long. Parameter entities are ignored.
func Entities(directive []byte) (entities map[string]string, longest int64, err error) {
	_, subset, found := strings.Cut(string(directive), "[")
	if !found || !strings.HasPrefix(string(directive), "DOCTYPE") {
		return nil, 0, nil
	}
	entities = make(map[string]string)
	total := 0
	for _, parts := range entityDeclaration.FindAllStringSubmatch(subset, -1) {
		name := parts[1]
		if _, again := entities[name]; again || name == "" { // the first declaration counts
			continue
		}
		if parts[4] != "" {
			return nil, 0, &LineError{"entities with their text", fmt.Sprintf("the external entity %q", name)}
		}
		text, err := expand(name, parts[2]+parts[3], entities)
		total += len(text)
		switch {
		case err != nil:
			return nil, 0, err
		case len(entities) == maxDeclared:
			return nil, 0, &LineError{fmt.Sprintf("at most %d entities", maxDeclared), "more"}
		case total > maxEntities:
			return nil, 0, &LineError{fmt.Sprintf("entities of at most %d bytes in all", maxEntities), "more"}
		}
		entities[name], longest = text, max(longest, int64(len(text)))
	}
	return entities, longest, nil
}

// expand returns the text of an entity, given its declaration and the entities declared before it.
func expand(name, declared string, entities map[string]string) (text string, err error) {
	size := 0
	// Character references are replaced in the declaration, other references where the entity is used.
	declared = entityReference.ReplaceAllStringFunc(declared, character)
	text = entityReference.ReplaceAllStringFunc(declared, func(reference string) string {
		inner := strings.Trim(reference, "&;")
		within, isDeclared := entities[inner]
		if !isDeclared {
			within = cmp.Or(predefinedEntities[inner], character(reference))
		}
		if within == reference {
			err = &LineError{"entities that the file declares before", fmt.Sprintf("a reference to %q in the entity %q", inner, name)}
		}
		if size += len(within); size > maxEntity {
			return ""
		}
		return within
	})
	if size = max(size, len(text)); err == nil && size > maxEntity {
		err = &LineError{fmt.Sprintf("entities of at most %d bytes", maxEntity), fmt.Sprintf("more in the entity %q", name)}
	}
	return text, err
}

// character returns the character for a character reference, and returns any other reference unchanged.
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
