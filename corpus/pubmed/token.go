package pubmed

import "bytes"

// kind tells pieces of XML apart.
type kind uint8

const (
	charData kind = iota // up to the next '<'
	startTag
	emptyTag // <a/>
	endTag
	cdata
	comment
	instruction
	directive // <!DOCTYPE ...>
)

// String is what an error calls it.
func (k kind) String() string {
	return [...]string{"text", "tag", "tag", "tag", "CDATA section", "comment",
		"processing instruction", "declaration"}[k]
}

// maxName is the length of the longest name of an element, in bytes.
const maxName = 1 << 10

var (
	cdataStart   = []byte("<![CDATA[")
	cdataEnd     = []byte("]]>")
	commentStart = []byte("<!--")
	commentEnd   = []byte("-->")
)

// token is one piece of XML. Its slices are part of the bytes it was read from.
type token struct {
	kind  kind
	name  []byte // of a tag
	attrs []byte // of a start tag or an empty tag: what follows the name
	text  []byte // of charData, with its references, and of cdata
}

// scan reads the token that b, which is not empty, begins with, and tells its
// length: 0 where b ends before the token does. By then the kind is known.
func (t *token) scan(b []byte) (int, fault) {
	if b[0] != '<' {
		t.kind = charData
		n := max(bytes.IndexByte(b, '<'), 0)
		t.text = b[:n]
		return n, fault{}
	}
	if len(b) == 1 {
		t.kind = startTag
		return 0, fault{}
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

func (t *token) scanEndTag(b []byte) (int, fault) {
	t.kind = endTag
	end := bytes.IndexByte(b, '>')
	if end < 0 {
		return 0, fault{}
	}
	name := b[2:end] // that it is a name follows from its being the start tag's
	for len(name) > 0 && isSpace(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	if len(name) == 0 {
		return 0, fault{0, "end tag without a name"}
	}
	t.name = name
	return end + 1, fault{}
}

func (t *token) scanStartTag(b []byte) (int, fault) {
	t.kind = startTag
	length := nameLength(b[1:])
	after := 1 + length
	switch {
	case length > maxName:
		return 0, faultf(0, "name of an element is longer than %d bytes", maxName)
	case after == len(b):
		return 0, fault{}
	case length == 0 || !startsName(b[1]):
		return 0, fault{0, "< that begins no tag"}
	}
	t.name = b[1:after]
	for i := after; ; {
		i += skipSpace(b[i:])
		if i == len(b) {
			return 0, fault{}
		}
		t.attrs = b[after:i]
		switch b[i] {
		case '>':
			return i + 1, fault{}
		case '/':
			if i+1 == len(b) {
				return 0, fault{}
			}
			if b[i+1] != '>' {
				return 0, faultf(i, "/ within the tag <%s>", t.name)
			}
			t.kind = emptyTag
			return i + 2, fault{}
		}
		_, _, n, f := scanAttribute(b[i:])
		if n == 0 {
			return 0, f.shift(i)
		}
		i += n
	}
}

// scanAttribute reads the attribute that b, which is not empty, begins with. The
// length n is 0 if there is a fault, or if b ends before the attribute does.
func scanAttribute(b []byte) (name, value []byte, n int, f fault) {
	i := nameLength(b)
	name = b[:i]
	if i == 0 || !startsName(b[0]) {
		return nil, nil, 0, fault{0, "tag holds neither an attribute nor its end here"}
	}
	i += skipSpace(b[i:])
	if i == len(b) {
		return nil, nil, 0, fault{}
	}
	if b[i] != '=' {
		return nil, nil, 0, faultf(0, "attribute %s without a value", name)
	}
	i++
	i += skipSpace(b[i:])
	if i == len(b) {
		return nil, nil, 0, fault{}
	}
	quote := b[i]
	if quote != '"' && quote != '\'' {
		return nil, nil, 0, faultf(i, "value of attribute %s is not quoted", name)
	}
	i++
	refers := false
	for j := i; j < len(b); j++ {
		switch b[j] {
		case '<':
			return nil, nil, 0, faultf(j, "< in the value of attribute %s", name)
		case '&':
			refers = true
		case quote:
			value = b[i:j]
			if refers {
				if f := checkReferences(value); f.reason != "" {
					return nil, nil, 0, f.shift(i)
				}
			}
			return name, value, j + 1, fault{}
		}
	}
	return nil, nil, 0, fault{}
}

// attribute is the raw value of the attribute called name, the first if there
// are several.
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

func skipSpace(b []byte) int {
	for i, c := range b {
		if !isSpace(c) {
			return i
		}
	}
	return len(b)
}
