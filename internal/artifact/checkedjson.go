package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// A checked object is a JSON object and a line feed. Its last member is the CRC-32C of all bytes
// before that member. It is one line of a log, or an indented file:
//
//	{"number":1,"crc32c":"0f1e2d3c"}
//
//	{
//	  "format": 5,
//	  "crc32c": "0f1e2d3c"
//	}
const (
	checkedLineEnd = ",\"crc32c\":\"%08x\"}\n"
	checkedFileEnd = ",\n  \"crc32c\": \"%08x\"\n}\n"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // computed by an instruction of the processor

// AppendCheckedLine appends to dst a value, which is a JSON object with at least one member, as
// a line that [CheckLine] compares.
func AppendCheckedLine(dst []byte, v any) ([]byte, error) {
	object, err := json.Marshal(v)
	if err != nil {
		return dst, err
	}
	return AppendCheckedObject(dst, object), nil
}

// AppendCheckedObject is [AppendCheckedLine] of an object with at least one member that is JSON already, in one line or
// indented.
func AppendCheckedObject(dst, object []byte) []byte {
	members, end := object[:len(object)-1], checkedLineEnd
	if indented, ok := bytes.CutSuffix(members, []byte("\n")); ok {
		members, end = indented, checkedFileEnd
	}
	return fmt.Appendf(append(dst, members...), end, crc32.Checksum(members, castagnoli))
}

// CheckLine returns the object of [AppendCheckedObject], without its checksum. It reports false if it differs from what
// was written.
func CheckLine(line []byte) (object []byte, ok bool) {
	for _, end := range [...]string{checkedLineEnd, checkedFileEnd} {
		n := len(line) - len(fmt.Sprintf(end, 0))
		if n >= 0 && string(line[n:]) == fmt.Sprintf(end, crc32.Checksum(line[:n], castagnoli)) {
			return append(line[:n:n], '}'), true
		}
	}
	return nil, false
}

// WriteCheckedJSON is [WriteJSON] for an object with at least one member, to which it adds
// the checksum that [ReadCheckedJSON] compares.
func WriteCheckedJSON(path string, v any) error {
	object, err := json.MarshalIndent(v, "", "  ")
	if err == nil && !bytes.HasSuffix(object, []byte("\n}")) {
		err = fmt.Errorf("%T is not a JSON object with members", v)
	}
	if err != nil {
		return WithPath(path, err)
	}
	return WriteFile(path, AppendCheckedObject(nil, object))
}

// ReadCheckedJSON reads the file of [WriteCheckedJSON] at path into v. It returns a
// [*files.DamagedError], and leaves v as it was, if the file differs from what was written.
func ReadCheckedJSON(path string, v any) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	object, ok := CheckLine(data)
	if !ok {
		return Damaged(path, "is damaged: it does not end with its CRC-32C")
	}
	return unmarshal(path, object, v)
}

// ReadManifest is [ReadCheckedJSON] for the manifest of a kind of folder such as "model", whose member format must be
// format, which this version of ctxnorm reads. The error for another format, or other JSON, is a
// [*files.DamagedError], too. If there is no file, it wraps [io/fs.ErrNotExist].
func ReadManifest(path, kind string, format int, m any) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	var head struct {
		Format int `json:"format"`
	}
	object, isWhole := CheckLine(data)
	if err := json.Unmarshal(data, &head); err != nil {
		return Damaged(path, "is not the manifest of a %s: %v", kind, input.JSONError(err))
	}
	if head.Format != format {
		return Damaged(path, "%s format is %d, want %d: another version of ctxnorm wrote it, or it is no %s; "+
			"use that version, or make the %s again", kind, head.Format, format, kind, kind)
	}
	if !isWhole {
		return Damaged(path, "is damaged: it does not end with its CRC-32C")
	}
	if err := json.Unmarshal(object, m); err != nil {
		return Damaged(path, "is not the manifest of a %s: %v", kind, input.JSONError(err))
	}
	return nil
}
