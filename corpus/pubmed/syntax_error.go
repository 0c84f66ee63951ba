package pubmed

import "fmt"

// SyntaxError says where a file is not the XML, or not the gzip, that it should
// be. It is not final: [Reader.Next] goes on at the next record, if there is one
// that can be found.
type SyntaxError struct {
	File   string
	Offset int64 // byte of the unpacked XML
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.Reason)
}

// fault is a reason and the byte, counted from the start of what was looked at,
// that gives it. No reason means that nothing is wrong.
type fault struct {
	at     int
	reason string
}

func faultf(at int, format string, args ...any) fault {
	return fault{at, fmt.Sprintf(format, args...)}
}

// shift counts the byte from n bytes earlier.
func (f fault) shift(n int) fault {
	f.at += n
	return f
}
