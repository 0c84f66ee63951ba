package pubmed

import "bytes"

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	charData tokenKind = iota // up to the next '<'
	startTag
	emptyTag // <a/>
	endTag
	cdata
	comment
	instruction
	directive // <!DOCTYPE ...>
)

// String returns the kind's name for error messages.
func (k tokenKind) String() string {
	return [...]string{"text", "tag", "tag", "tag", "CDATA section", "comment",
		"processing instruction", "declaration"}[k]
}

// maxName is the maximum length of an element's name, in bytes.
const maxName = 1 << 10

var (
	cdataStart   = []byte("<![CDATA[")
	cdataEnd     = []byte("]]>")
	commentStart = []byte("<!--")
	commentEnd   = []byte("-->")
)

// token is one token of XML. Its slices refer to the input.
type token struct {
	kind  tokenKind
	name  []byte // of a tag
	attrs []byte // of a start tag or an empty tag: the text after the name
	text  []byte // text of charData, with references not decoded, or of cdata
}

// scan scans the token at the start of b, which must not be empty, and returns its length. The length is 0 if there is
// a problem or if b ends before the token does. Even then, kind is set.
func (t *token) scan(b []byte) (int, problem) {
	if b[0] != '<' {
		t.kind = charData
		n := max(bytes.IndexByte(b, '<'), 0)
		t.text = b[:n]
		return n, problem{}
	}
	if len(b) == 1 {
		t.kind = startTag
		return 0, problem{}
	}
	switch b[1] {
	case '/':
		return t.scanEndTag(b)
	case '!':
		return t.scanDeclaration(b)
	case '?':
		return t.scanInstruction(b)
	}
	return t.scanStartTag(b)
}

func (t *token) scanEndTag(b []byte) (int, problem) {
	t.kind = endTag
	end := bytes.IndexByte(b, '>')
	if end < 0 {
		return 0, problem{}
	}
	name := bytes.TrimRight(b[2:end], " \n\t\r") // a valid name, because it must equal the start tag's
	if len(name) == 0 {
		return 0, problem{0, "end tag without a name"}
	}
	t.name = name
	return end + 1, problem{}
}

func (t *token) scanStartTag(b []byte) (int, problem) {
	t.kind = startTag
	length := nameLength(b[1:])
	after := 1 + length
	switch {
	case length > maxName:
		return 0, problemf(0, "name of an element is longer than %d bytes", maxName)
	case after == len(b):
		return 0, problem{}
	case length == 0 || !startsName(b[1]):
		return 0, problem{0, "< does not begin a tag"}
	}
	t.name = b[1:after]
	for i := after; ; {
		i += skipSpace(b[i:])
		if i == len(b) {
			return 0, problem{}
		}
		t.attrs = b[after:i]
		switch b[i] {
		case '>':
			return i + 1, problem{}
		case '/':
			if i+1 == len(b) {
				return 0, problem{}
			}
			if b[i+1] != '>' {
				return 0, problemf(i, "/ within the tag <%s>", t.name)
			}
			t.kind = emptyTag
			return i + 2, problem{}
		}
		_, _, n, p := scanAttribute(b[i:])
		if n == 0 {
			return 0, p.shift(i)
		}
		i += n
	}
}

// scanAttribute scans the attribute at the start of b, which must not be empty. Its length n is 0 if there is a problem
// or if b ends before the attribute does. References in the value are checked but not decoded.
func scanAttribute(b []byte) (name, value []byte, n int, p problem) {
	i := nameLength(b)
	name = b[:i]
	if i == 0 || !startsName(b[0]) {
		return nil, nil, 0, problem{0, "want an attribute or the end of the tag"}
	}
	i += skipSpace(b[i:])
	if i == len(b) {
		return nil, nil, 0, problem{}
	}
	if b[i] != '=' {
		return nil, nil, 0, problemf(0, "attribute %s without a value", name)
	}
	i++
	i += skipSpace(b[i:])
	if i == len(b) {
		return nil, nil, 0, problem{}
	}
	quote := b[i]
	if quote != '"' && quote != '\'' {
		return nil, nil, 0, problemf(i, "value of attribute %s is not quoted", name)
	}
	i++
	hasReference := false
	for j := i; j < len(b); j++ {
		switch b[j] {
		case '<':
			return nil, nil, 0, problemf(j, "< in the value of attribute %s", name)
		case '&':
			hasReference = true
		case quote:
			value = b[i:j]
			if hasReference {
				if p := checkReferences(value); p.reason != "" {
					return nil, nil, 0, p.shift(i)
				}
			}
			return name, value, j + 1, problem{}
		}
	}
	return nil, nil, 0, problem{}
}

// attribute returns the value of the first attribute called name, with references
// not decoded, and reports whether there is one.
func attribute(attrs []byte, name string) (value []byte, found bool) {
	for {
		attrs = attrs[skipSpace(attrs):]
		if len(attrs) == 0 {
			return nil, false
		}
		key, value, n, _ := scanAttribute(attrs)
		if n == 0 {
			return nil, false
		}
		if string(key) == name {
			return value, true
		}
		attrs = attrs[n:]
	}
}

// skipSpace returns the number of bytes of white space at the start of b.
func skipSpace(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \n\t\r")) }
