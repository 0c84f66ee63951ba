package kbfile

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// repaired undoes the decoding of a name's UTF-8 in another encoding: "Ménière" for "MÃ©niÃ¨re". A run of characters is
// repaired if its bytes in cp1252 or the encoding of old Macs are UTF-8 without rare letters. Hardly any other text
// looks like this by chance.
func repaired(name string) string {
	return notASCII.ReplaceAllStringFunc(name, func(run string) string {
		for _, encoding := range []*charmap.Charmap{charmap.Windows1252, charmap.Macintosh} {
			if before := decodedTwice(run, encoding); before != "" {
				return repaired(before)
			}
		}
		return run
	})
}

var notASCII = regexp.MustCompile(`[^\x00-\x7F]+`)

// decodedTwice returns the text whose UTF-8 yields run when decoded in this encoding, or "" if there is none.
func decodedTwice(run string, encoding *charmap.Charmap) string {
	var bytes []byte
	for _, r := range run {
		b, ok := encoding.EncodeRune(r)
		if !ok && r < 0xA0 { // undefined in cp1252, and kept
			b, ok = byte(r), true
		}
		if !ok {
			return ""
		}
		bytes = append(bytes, b)
	}
	before := string(bytes)
	isRare := func(r rune) bool { return r < 0xA0 || r >= 0x180 && r < 0x370 || r == utf8.RuneError || r > 0xFFFF }
	if !utf8.ValidString(before) || strings.ContainsFunc(before, isRare) {
		return ""
	}
	return before
}
