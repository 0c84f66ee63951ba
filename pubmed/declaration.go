package pubmed

import "bytes"

// scanDeclaration scans markup that starts with "<!": a comment, a CDATA section or a directive.
func (t *token) scanDeclaration(b []byte) (int, problem) {
	switch {
	case len(b) == 2:
		t.kind = directive
		return 0, problem{}
	case b[2] == '-':
		t.kind = comment
		body, problem := bodyOf(b, commentStart, commentEnd[:2])
		end := len(commentStart) + len(body) + len(commentEnd)
		switch {
		case body == nil || end > len(b):
			return 0, problem
		case b[end-1] != '>':
			return 0, problemf(end-len(commentEnd), "-- within a comment")
		}
		return end, problem
	case b[2] == '[':
		t.kind = cdata
		var problem problem
		if t.text, problem = bodyOf(b, cdataStart, cdataEnd); t.text == nil {
			return 0, problem
		}
		return len(cdataStart) + len(t.text) + len(cdataEnd), problem
	}
	t.kind = directive
	return directiveLength(b), problem{}
}

// bodyOf returns the text between start, with which b must begin, and end. It returns nil if there is a problem or if
// it needs more of b.
func bodyOf(b, start, end []byte) ([]byte, problem) {
	rest, found := bytes.CutPrefix(b, start)
	if !found && !bytes.HasPrefix(start, b) {
		return nil, problemf(0, "%q is not followed by %q", start[:3], start[3:])
	}
	body, _, closed := bytes.Cut(rest, end)
	if !found || !closed {
		return nil, problem{}
	}
	return body, problem{}
}

// directiveLength returns the length of the directive at the start of b, or 0 if b
// ends before the directive does. The internal subset of a DOCTYPE may contain
// directives and comments; angle brackets in quotes and in comments do not count.
func directiveLength(b []byte) int {
	depth := 0
	quote := byte(0)
	for i := len("<!D"); i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>' && depth == 0:
			return i + 1
		case c == '>':
			depth--
		case bytes.HasPrefix(b[i:], commentStart):
			end := bytes.Index(b[i+len(commentStart):], commentEnd)
			if end < 0 {
				return 0
			}
			i += len(commentStart) + end + len(commentEnd) - 1
		case c == '<':
			depth++
		}
	}
	return 0
}

// scanInstruction scans a processing instruction, <?target ... ?>. It ignores all except the XML declaration, which has
// the target xml.
func (t *token) scanInstruction(b []byte) (int, problem) {
	t.kind = instruction
	target := b[2 : 2+nameLength(b[2:])]
	after := 2 + len(target)
	if after == len(b) {
		return 0, problem{}
	}
	if len(target) == 0 || !startsName(target[0]) {
		return 0, problem{0, "processing instruction without a name"}
	}
	length := bytes.Index(b[after:], []byte("?>"))
	if length < 0 {
		return 0, problem{}
	}
	if string(target) == "xml" {
		if p := checkXML(b[after : after+length]); p.reason != "" {
			return 0, p.shift(after)
		}
	}
	return after + length + 2, problem{}
}

// checkXML checks the version and the encoding in the attributes of an XML declaration.
func checkXML(attrs []byte) problem {
	for at := skipSpace(attrs); at < len(attrs); at += skipSpace(attrs[at:]) {
		name, value, n, p := scanAttribute(attrs[at:])
		switch {
		case n == 0 && p.reason == "":
			return problem{at, "XML declaration ends within an attribute"}
		case n == 0:
			return p.shift(at)
		case string(name) == "version" && string(value) != "1.0":
			return problemf(at, "XML version %q, want 1.0", value)
		case string(name) == "encoding" && !bytes.EqualFold(value, []byte("utf-8")):
			return problemf(at, "encoding %q, want UTF-8", value)
		}
		at += n
	}
	return problem{}
}
