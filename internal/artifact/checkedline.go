package artifact

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
)

// A checked line is a JSON object and a line feed. Its last member is the CRC-32C of all bytes
// before that member:
//
//	{"number":1,"crc32c":"0f1e2d3c"}
const checkedLineEnd = ",\"crc32c\":\"%08x\"}\n"

// AppendCheckedLine appends to dst a value, which is a JSON object with at least one member, as
// a line that [CheckLine] compares.
func AppendCheckedLine(dst []byte, v any) ([]byte, error) {
	object, err := json.Marshal(v)
	if err != nil {
		return dst, err
	}
	return AppendCheckedObject(dst, object), nil
}

// AppendCheckedObject is [AppendCheckedLine] of an object that is JSON in one line already.
func AppendCheckedObject(dst, object []byte) []byte {
	members := object[:len(object)-1]
	return fmt.Appendf(append(dst, members...), checkedLineEnd, crc32.Checksum(members, castagnoli))
}

// CheckLine returns the object of a line of [AppendCheckedLine], without its checksum. It
// reports false if the line differs from what was written.
func CheckLine(line []byte) (object []byte, ok bool) {
	n := len(line) - len(fmt.Sprintf(checkedLineEnd, 0))
	if n < 0 || string(line[n:]) != fmt.Sprintf(checkedLineEnd, crc32.Checksum(line[:n], castagnoli)) {
		return nil, false
	}
	return append(line[:n:n], '}'), true
}
