package formats

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// detectJSON distinguishes JSON lines from other JSON; isJSON is false for a text in brackets. A line longer than head
// is taken as one object, as BioC if one of its first members is BioC's.
func detectJSON(head, line []byte, complete, all bool) (format Format, got string, isJSON bool) {
	if head[0] == '[' {
		rest := bytes.TrimLeft(head[1:], " \t\r\n")
		switch {
		case len(rest) == 0 && !all:
			return "", "", true
		case isJSONList(head):
			return "", "a JSON list without objects: want objects with a \"text\"", true
		case !bytes.HasPrefix(rest, []byte("{")):
			return "", "", false
		}
	}
	if !complete {
		return "", "", true
	}
	members := membersOf(head)
	if !members.has("text") || members["text"] != '"' {
		if s := signatureOf(func(s *signature) bool { return members.has(s.words["members"]...) }); s != nil {
			return "", s.got, true
		}
	}
	isWhole := jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	next := bytes.TrimLeft(head[len(line):], " \t\r\n")
	trimmed := bytes.TrimSpace(line)
	wasLine := len(trimmed) > 1 && (len(line) == len(head) || !bytes.ContainsAny(trimmed[len(trimmed)-1:], "{[,:"))
	switch {
	case wrappedDocuments(head) != nil:
		return jsonValues, "", true
	case members.isBioC():
		return BioCJSON, "", true
	case head[0] == '{' && (isWhole || wasLine || bytes.HasPrefix(next, []byte("{"))):
		return JSONL, "", true // the parser reports malformed lines
	case members.hasText(), members.has(titleMembers...), members.has("data") && members.has("annotations", "predictions"):
		return jsonValues, "", true
	case !all:
		return "", "", true
	}
	return "", "JSON other than a list of objects with a \"text\"", true
}

// isJSONList reports whether head starts like a JSON list of strings or lists, and not like a text in brackets.
func isJSONList(head []byte) bool {
	d := input.NewJSONDecoder(bytes.NewReader(head))
	if _, err := d.ReadToken(); err != nil || d.PeekKind() != '"' && d.PeekKind() != '[' || d.SkipValue() != nil {
		return false
	}
	rest := bytes.TrimSpace(head[d.InputOffset():])
	return bytes.HasPrefix(rest, []byte(",")) || string(rest) == "]"
}

// wrappedDocuments returns the path to the first list of objects with texts inside an object that has no text itself,
// or nil.
func wrappedDocuments(head []byte) []string {
	if membersOf(head).hasText() {
		return nil
	}
	return input.WrappedList(head, func(name string, list []byte) bool {
		members := membersOf(list)
		isBioC := name == "passages" || members.has("passages")
		return !isBioC && (members.has("text") || members.has(otherTextMembers...))
	})
}

// headMembers maps the members of an object to the first byte of their values, or a space for a value that is cut off.
type headMembers map[string]byte

// membersOf returns the members of the first object in JSON that may be cut off.
func membersOf(head []byte) headMembers {
	members := make(headMembers)
	input.HeadMembers(bytes.TrimLeft(head, "[ \t\r\n"), func(name string, value []byte) bool {
		if _, again := members[name]; !again {
			members[name] = append(slices.Clip(value[:min(len(value), 1)]), ' ')[0]
		}
		return true
	})
	return members
}

// has reports whether a member with one of these names exists.
func (m headMembers) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return m[name] != 0 })
}

// isBigBIO reports whether the object is a document of BigBIO, and isBioC whether it has a member of BioC.
func (m headMembers) isBigBIO() bool { return m.has("document_id") && m.has("passages") }
func (m headMembers) isBioC() bool {
	return m.has("passages", "documents", "PubTator3") && !m.isBigBIO()
}

// hasText reports whether the object itself has a text.
func (m headMembers) hasText() bool {
	return m.has("text") || m.has(otherTextMembers...) || m.isBigBIO()
}
