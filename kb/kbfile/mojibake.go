package kbfile

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// repaired returns a name whose UTF-8 was read in another encoding as it was before: "Ménière" for "MÃ©niÃ¨re". A run of
// characters is repaired if its bytes in cp1252 or the encoding of old Macs are UTF-8, and of no rare letters: hardly any
// other text is that by chance.
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

// decodedTwice returns the text whose UTF-8 was read in an encoding as run, or "" if there is none.
func decodedTwice(run string, encoding *charmap.Charmap) string {
	var bytes []byte
	for _, r := range run {
		b, ok := encoding.EncodeRune(r)
		if !ok && r < 0xA0 { // what cp1252 does not define stays
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
