package kbfile

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// readOBO reads the [Term] stanzas of OBO 1.0 to 1.4. Obsolete terms are skipped, and their identifiers lead to their
// replacement (replaced_by), if there is one. Exact and related synonyms are names of the term (a synonym without a
// scope is related); narrow and broad synonyms are names of other concepts and are skipped.
func (c *collector) readOBO(lines *input.Lines) error {
	var t *term     // nil outside a [Term] stanza
	var bytes int64 // of the stanza
	for {
		text, err := c.nextOBOLine(lines)
		if err != nil && err != io.EOF {
			return err
		}
		bytes += int64(len(text))
		if err := c.opts.Limits.CheckRecord("a stanza", bytes); err != nil && t != nil {
			return fmt.Errorf("line %d: the stanza of line %d: %w", lines.Number(), t.line, err)
		}
		if stanza := strings.TrimSpace(text); err == io.EOF || strings.HasPrefix(stanza, "[") {
			if stanzaErr := c.addStanza(t); stanzaErr != nil || err == io.EOF {
				return stanzaErr
			}
			t, bytes = nil, 0
			if strings.HasPrefix(stanza, "[Term]") {
				t = &term{line: lines.Number()}
			}
			continue
		}
		if t != nil {
			if err := c.addTag(t, text, lines.Number()); err != nil {
				return err
			}
		}
	}
}

// nextOBOLine returns the next line. A line that ends with a backslash is joined with the line after it.
func (c *collector) nextOBOLine(lines *input.Lines) (string, error) {
	text, err := c.nextLine(lines)
	if err != nil || !isContinued(text) {
		return text, err
	}
	var joined strings.Builder
	for isContinued(text) {
		joined.WriteString(text[:len(text)-1])
		if err := c.opts.Limits.CheckRecord("a stanza", int64(joined.Len())); err != nil {
			return "", fmt.Errorf("line %d: %w", lines.Number(), err)
		}
		if text, err = c.nextLine(lines); err != nil {
			return joined.String(), nil // the next call returns the error
		}
	}
	joined.WriteString(text)
	return joined.String(), nil
}

// isContinued reports whether a line ends with an odd number of backslashes.
func isContinued(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// addStanza adds the term of a stanza. t is nil for stanzas that are not terms.
func (c *collector) addStanza(t *term) error {
	if t == nil {
		return nil
	}
	c.report.Rows++
	switch {
	case t.ID == "" && !t.obsolete:
		return c.badRow(t.line, "an id in the [Term] stanza", "none")
	case t.Name == "" && !t.obsolete:
		c.report.Counts[emptyNames]++
	}
	return c.addTerm(t)
}

// addTag parses one "tag: value" line of a stanza.
func (c *collector) addTag(t *term, text string, line int) error {
	tag, value, _ := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	switch tag = strings.TrimSpace(tag); tag {
	case "id":
		t.ID = kb.ConceptID(oboValue(value))
	case "name":
		t.Name = oboValue(value)
	case "xref", "xref_analog": // the identifier, possibly with a description
		if fields := strings.Fields(oboValue(value)); len(fields) > 0 {
			t.addValue(roleXrefs, fields[0])
		}
	case "is_obsolete":
		t.obsolete = oboValue(value) == "true"
	case "property_value": // a property with a quoted string and its type, or with an identifier
		property, rest, _ := strings.Cut(value, " ")
		quoted, _ := oboQuoted(strings.TrimSpace(rest))
		if fields := strings.Fields(oboValue(rest)); quoted == "" && len(fields) > 0 {
			quoted = fields[0]
		}
		t.addProperty(oboEscapes.Replace(property), quoted)
	case "synonym", "exact_synonym", "related_synonym", "narrow_synonym", "broad_synonym":
		name, rest := oboQuoted(value)
		parts := oboScope.FindStringSubmatch(rest)
		if parts == nil {
			return c.badRow(line, `synonym: "text" SCOPE […], with \" for a quotation mark in it`, input.Quote(text))
		}
		scope, _, old := strings.Cut(tag, "_") // in OBO 1.0 the tags contain the scope
		if !old {
			scope = strings.ToLower(parts[1])
		}
		if scope == "narrow" || scope == "broad" {
			c.report.Counts[otherNames]++
			return nil
		}
		t.Synonyms = append(t.Synonyms, name)
	default:
		t.addValue(oboRoles[tag], oboValue(value))
	}
	return nil
}

// oboRoles are the roles of the other tags.
var oboRoles = map[string]role{"alt_id": roleAltIDs, "is_a": roleParents, "replaced_by": roleReplacedBy}

// addProperty adds the value of a property, which has the same role as in RDF.
func (t *term) addProperty(property, value string) {
	switch role := rdfRoles[fullIRI(property)]; role {
	case roleSynonyms:
		t.addValue(role, value)
	case roleReplacedBy, roleAltIDs, roleXrefs:
		t.addValue(role, string(shortIRI(value)))
	}
}

// oboScope matches the rest of a synonym from its closing quote: scope and type, references (which may contain
// brackets), and qualifiers or a comment. Each of these may be missing (OBO 1.4, section 3.2).
var oboScope = regexp.MustCompile(`^"(?:[ \t]+((?i:EXACT|RELATED|NARROW|BROAD))(?:[ \t]+[^ \t\[\]{}!"]+)?)?[ \t]*` +
	`(?:\[.*\][ \t]*)?(?:\{.*\}.*|!.*)?$`)

// oboQualifiers matches the qualifiers of a value (OBO 1.4, section 2.4), with or without a comment.
var oboQualifiers = regexp.MustCompile(`^\{\s*(?:[^\s="]+\s*=\s*"(?:[^"\\]|\\.)*"\s*,?\s*)+\}\s*(?:!.*)?$`)

// oboEscapes decodes the escapes of OBO. A line break becomes a space, because a name is one line.
var oboEscapes = strings.NewReplacer(`\n`, " ", `\t`, " ", `\W`, " ", `\\`, `\`, `\`, "")

// oboValue returns an unquoted value with escapes decoded, without a trailing comment ("! …") and trailing qualifiers
// (`{source="…"}`).
func oboValue(text string) string {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '!', '{':
			if (i == 0 || text[i-1] == ' ') && (text[i] == '!' || oboQualifiers.MatchString(text[i:])) {
				text = text[:i]
			}
		}
	}
	return strings.TrimSpace(oboEscapes.Replace(text))
}

// oboQuoted returns the quoted string at the start of text with escapes decoded, and the text from the closing quote
// on. Both are empty if there is no quoted string.
func oboQuoted(text string) (quoted, rest string) {
	if !strings.HasPrefix(text, `"`) {
		return "", ""
	}
	for end := 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
		case '"':
			return oboEscapes.Replace(text[1:end]), text[end:]
		}
	}
	return "", ""
}
