package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"regexp"
)

// Checked JSON is a JSON object as [WriteJSON] writes it, whose last member is the CRC-32C
// of all bytes before that member's line:
//
//	{
//	  "format": 5,
//	  "crc32c": "0f1e2d3c"
//	}
const checkedJSONEnd = ",\n  \"crc32c\": \"%08x\"\n}\n"

var checkedJSONPattern = regexp.MustCompile(`,\n  "crc32c": "([0-9a-f]{8})"\n}\n$`)

// WriteCheckedJSON is [WriteJSON] for an object with at least one member, to which it adds
// the checksum that [ReadCheckedJSON] compares.
func WriteCheckedJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return WithPath(path, err)
	}
	members, isObject := bytes.CutSuffix(data, []byte("\n}"))
	if !isObject {
		return WithPath(path, fmt.Errorf("%T is not a JSON object with members", v))
	}
	return WriteFile(path, AppendChecksum(members))
}

// AppendChecksum appends to an object, without the line feed and the brace at its end, what
// [WriteCheckedJSON] adds to it. Tests make files with it that fit their checksum.
func AppendChecksum(members []byte) []byte {
	return fmt.Appendf(members, checkedJSONEnd, crc32.Checksum(members, castagnoli))
}

// ReadCheckedJSON reads the file of [WriteCheckedJSON] at path into v. It returns a
// [*files.DamagedError], and leaves v as it was, if the file differs from what was written.
func ReadCheckedJSON(path string, v any) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	switch checked, err := CheckJSON(data); {
	case err != nil:
		return WithPath(path, err)
	case !checked:
		return Damaged(path, "does not end with its checksum: it is damaged or of an earlier version")
	}
	return unmarshal(path, data, v)
}

// CheckJSON reports whether data ends with a checksum as [WriteCheckedJSON] writes it. It
// returns a [*files.DamagedError] without a path if data differs from what was written.
func CheckJSON(data []byte) (checked bool, err error) {
	at := checkedJSONPattern.FindSubmatchIndex(data)
	if at == nil {
		return false, nil
	}
	if got, want := fmt.Sprintf("%08x", crc32.Checksum(data[:at[0]],
		castagnoli)), string(data[at[2]:at[3]]); got != want {
		return true, Damaged("", "is damaged: its CRC-32C is %s, want %s", got, want)
	}
	return true, nil
}
