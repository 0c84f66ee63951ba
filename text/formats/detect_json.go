package formats

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// isJSONList reports whether head starts like a JSON list of strings or lists, and not like a text in brackets.
func isJSONList(head []byte) bool {
	if head[0] != '[' || !strings.ContainsRune(`["`, rune(append(bytes.TrimLeft(head[1:], " \t\r\n"), ' ')[0])) {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(head[1:]))
	var first json.RawMessage
	if decoder.Decode(&first) != nil {
		return false
	}
	rest := bytes.TrimLeft(head[1+decoder.InputOffset():], " \t\r\n")
	return len(rest) > 0 && (rest[0] == ',' || rest[0] == ']' && len(bytes.TrimSpace(rest)) == 1)
}

// startsJSONArray reports whether head, which begins with a bracket, may be a JSON array of
// objects and not a text in brackets.
func startsJSONArray(head []byte) bool {
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	return len(rest) > 0 && rest[0] == '{'
}

// detectJSON tells JSON lines from other JSON. A line that is longer than what can be seen of it is one
// object, of BioC if one of its first members is BioC's.
func detectJSON(head, line []byte, complete, all bool) (Format, string) {
	if !complete {
		return "", ""
	}
	for _, f := range foreignMembers {
		if hasMember(head, f.member) && !hasStringMember(head, "text") {
			return "", f.name
		}
	}
	if wrappedDocuments(head) != nil {
		return jsonValues, ""
	}
	isBioC := namesBioC(head)
	if head[0] == '{' && !isBioC {
		next := bytes.TrimLeft(head[len(line):], " \t\r\n")
		isWhole := json.Valid(line)
		oneLine := len(line) == len(head) && len(bytes.TrimSpace(line)) > 1
		if isWhole || oneLine || isLineOfJSON(line) || bytes.HasPrefix(next, []byte("{")) {
			return JSONL, "" // perhaps malformed, which the parser reports
		}
	}
	if isBioC {
		return BioCJSON, ""
	}
	if hasMember(head, "text") || isBigBIO(head) || hasMember(head, slices.Concat(titleMembers, otherTextMembers)...) ||
		hasMember(head, "data") && hasMember(head, "annotations", "predictions") {
		return jsonValues, ""
	}
	if !all {
		return "", ""
	}
	return "", "JSON that is no list of objects with a \"text\""
}

// wrappedDocuments returns the path to the first list of objects with texts within an object without one, nil if there
// is none.
func wrappedDocuments(head []byte) []string {
	if hasMember(head, "text") || hasMember(head, otherTextMembers...) || isBigBIO(head) {
		return nil
	}
	return input.WrappedList(head, func(name string, list []byte) bool {
		isBioC := name == "passages" || hasMember(list, "passages")
		return !isBioC && (hasMember(list, "text") || hasMember(list, otherTextMembers...))
	})
}

// foreignMembers are members of objects that are no documents, and what these are called.
var foreignMembers = []struct{ member, name string }{
	{"resourceType", "FHIR: take the texts out of its resources"},
	{"protocolSection", "a study of ClinicalTrials.gov: take the texts out of its sections"},
	{"projects", "an export of MedCATtrainer: take the documents out of its projects (jq -c '.projects[].documents[]')"},
	{"ner_tags", "lists of tokens and tags: want CoNLL"},
}

// namesBioC reports whether the first object of JSON, which may be cut off, has a member of BioC.
func namesBioC(head []byte) bool {
	return hasMember(head, "passages", "documents", "PubTator3") && !isBigBIO(head)
}

// hasMember reports whether the first object of JSON, which may be cut off, has a member with one of these names.
func hasMember(head []byte, names ...string) bool { return findMember(head, names) != 0 }

// hasStringMember is like [hasMember] for members that are strings.
func hasStringMember(head []byte, names ...string) bool { return findMember(head, names) == '"' }

// findMember returns the first byte of the value of the first member with one of these names, 0 if there is none, and a
// space if the value is cut off before it.
func findMember(head []byte, names []string) byte {
	text := bytes.TrimLeft(head, "[ \t\r\n")
	decoder := json.NewDecoder(bytes.NewReader(text))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return 0
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return 0
		}
		if name, ok := key.(string); ok && slices.Contains(names, name) {
			return append(bytes.TrimLeft(text[decoder.InputOffset():], ": \t\r\n"), ' ')[0]
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return 0
		}
	}
	return 0
}

// isLineOfJSON reports whether a malformed line was meant as one object, and is not the first
// of an object on several lines.
func isLineOfJSON(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 1 && !bytes.ContainsAny(line[len(line)-1:], "{[,:")
}
