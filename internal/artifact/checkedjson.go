package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// A checked object is a JSON object and a line feed. Its last member is the CRC-32C of all bytes
// before that member. It is either one line of a log, or an indented file:
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

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // computed by a processor instruction

// AppendCheckedLine appends a value to dst as a line that [CheckLine] can verify. The value must be a JSON object with
// at least one member.
func AppendCheckedLine(dst []byte, v any) ([]byte, error) {
	object, err := json.Marshal(v)
	if err != nil {
		return dst, err
	}
	return AppendCheckedObject(dst, object), nil
}

// AppendCheckedObject is [AppendCheckedLine] for an object with at least one member that is already JSON, in one line
// or indented.
func AppendCheckedObject(dst, object []byte) []byte {
	members, end := object[:len(object)-1], checkedLineEnd
	if indented, ok := bytes.CutSuffix(members, []byte("\n")); ok {
		members, end = indented, checkedFileEnd
	}
	return fmt.Appendf(append(dst, members...), end, crc32.Checksum(members, castagnoli))
}

// CheckLine returns the object from [AppendCheckedObject], without its checksum. ok is false if the line was changed.
func CheckLine(line []byte) (object []byte, ok bool) {
	for _, end := range [...]string{checkedLineEnd, checkedFileEnd} {
		n := len(line) - len(fmt.Sprintf(end, 0))
		if n >= 0 && string(line[n:]) == fmt.Sprintf(end, crc32.Checksum(line[:n], castagnoli)) {
			return append(line[:n:n], '}'), true
		}
	}
	return nil, false
}

// WriteCheckedJSON is [WriteJSON] for an object with at least one member. It adds a checksum, which [ReadCheckedJSON]
// verifies.
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

// ReadCheckedJSON reads the file that [WriteCheckedJSON] wrote to path into v. If the content was changed, it returns a
// [*files.DamagedError] and leaves v unchanged.
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

// ReadManifest is [ReadCheckedJSON] for the manifest of a kind of folder such as "model". Its member format must equal
// format, the one that this version of ctxnorm reads. For another format, or other JSON, it also returns a
// [*files.DamagedError]. If there is no file, the error wraps [io/fs.ErrNotExist].
func ReadManifest(path, kind string, format int, m any) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	var head struct {
		Format int `json:"format"`
	}
	object, isWhole := CheckLine(data)
	if err := input.DecodeJSON(data, &head); err != nil {
		return Damaged(path, "is not the manifest of a %s: %v", kind, input.JSONError(err))
	}
	if head.Format != format {
		return Damaged(path, "%s format is %d, want %d: another version of ctxnorm wrote it, or it is no %s; "+
			"use that version, or make the %s again", kind, head.Format, format, kind, kind)
	}
	if !isWhole {
		return Damaged(path, "is damaged: it does not end with its CRC-32C")
	}
	if err := input.DecodeJSON(object, m); err != nil {
		return Damaged(path, "is not the manifest of a %s: %v", kind, input.JSONError(err))
	}
	return nil
}
