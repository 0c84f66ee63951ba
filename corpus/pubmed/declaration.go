package pubmed

import "bytes"

// scanDeclaration reads what begins with "<!".
func (t *token) scanDeclaration(b []byte) (int, fault) {
	switch {
	case len(b) == 2:
		t.kind = directive
		return 0, fault{}
	case b[2] == '-':
		return t.scanComment(b)
	case b[2] == '[':
		return t.scanCDATA(b)
	}
	t.kind = directive
	return directiveLength(b), fault{}
}

func (t *token) scanComment(b []byte) (int, fault) {
	t.kind = comment
	if !bytes.HasPrefix(b, commentStart) {
		return 0, incomplete(b, commentStart)
	}
	body := b[len(commentStart):]
	end := bytes.Index(body, commentEnd[:2])
	if end < 0 || end+2 == len(body) {
		return 0, fault{}
	}
	if body[end+2] != '>' {
		return 0, fault{len(commentStart) + end, "-- within a comment"}
	}
	return len(commentStart) + end + len(commentEnd), fault{}
}

func (t *token) scanCDATA(b []byte) (int, fault) {
	t.kind = cdata
	if !bytes.HasPrefix(b, cdataStart) {
		return 0, incomplete(b, cdataStart)
	}
	body := b[len(cdataStart):]
	end := bytes.Index(body, cdataEnd)
	if end < 0 {
		return 0, fault{}
	}
	t.text = body[:end]
	return len(cdataStart) + end + len(cdataEnd), fault{}
}

// incomplete is no fault if b may yet turn out to begin with want.
func incomplete(b, want []byte) fault {
	if bytes.HasPrefix(want, b) {
		return fault{}
	}
	return faultf(0, "%q that goes on otherwise than %q", want[:3], want)
}

// directiveLength is the length of a directive, 0 if b ends before it does. The
// internal subset of a DOCTYPE holds directives and comments of its own; angle
// brackets in quotes and in comments do not count.
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

// scanInstruction reads <?target ... ?>. Only the one called xml means anything
// here.
func (t *token) scanInstruction(b []byte) (int, fault) {
	t.kind = instruction
	target := b[2 : 2+nameLength(b[2:])]
	after := 2 + len(target)
	if after == len(b) {
		return 0, fault{}
	}
	if len(target) == 0 || !startsName(target[0]) {
		return 0, fault{0, "processing instruction without a name"}
	}
	length := bytes.Index(b[after:], []byte("?>"))
	if length < 0 {
		return 0, fault{}
	}
	if string(target) == "xml" {
		if f := checkXML(b[after : after+length]); f.reason != "" {
			return 0, f.shift(after)
		}
	}
	return after + length + 2, fault{}
}

// checkXML looks at what an XML declaration declares.
func checkXML(attrs []byte) fault {
	for at := skipSpace(attrs); at < len(attrs); at += skipSpace(attrs[at:]) {
		name, value, n, f := scanAttribute(attrs[at:])
		switch {
		case n == 0 && f.reason == "":
			return fault{at, "XML declaration ends within an attribute"}
		case n == 0:
			return f.shift(at)
		case string(name) == "version" && string(value) != "1.0":
			return faultf(at, "XML version %q, want 1.0", value)
		case string(name) == "encoding" && !bytes.EqualFold(value, []byte("utf-8")):
			return faultf(at, "encoding %q, want UTF-8", value)
		}
		at += n
	}
	return fault{}
}
