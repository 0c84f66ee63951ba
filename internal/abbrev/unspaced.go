package abbrev

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// unspacedDefinition returns the definition of a Latin short form with a Japanese long form:
//
//	慢性閉塞性肺疾患（COPD）                            COPD   慢性閉塞性肺疾患
//	全身性エリテマトーデス（以下、SLE）                 SLE    全身性エリテマトーデス
//	筋萎縮性側索硬化症（amyotrophic lateral sclerosis：ALS）   ALS    筋萎縮性側索硬化症
//	DIC（播種性血管内凝固症候群）                       DIC    播種性血管内凝固症候群
//
// The letters of the short form do not help, because they come from another language. The long form is the run of kanji
// and Katakana before the bracket, which begins after a particle or a verb in Hiragana.
func unspacedDefinition(body string, open int, inside text.Span) (Definition, bool) {
	if before, _ := utf8.DecodeLastRuneInString(body[:open]); normalize.IsUnspacedScript(before) {
		short, ok := lastShort(body, inside)
		if !ok {
			return Definition{}, false
		}
		long := text.Span{Start: unspacedStart(body, open), End: open}
		return Definition{Short: short, Long: long}, isUnspacedLong(long.Of(body))
	}
	short := text.Span{Start: open - latinSuffix(body[:open]), End: open}
	if !isCapitalShort(short.Of(body)) {
		return Definition{}, false
	}
	long := inside
	if i := strings.IndexAny(long.Of(body), "、，,;；：:"); i >= 0 {
		long = trim(body, text.Span{Start: long.Start, End: long.Start + i})
	}
	return Definition{Short: short, Long: long}, unspacedStart(long.Of(body), long.Len()) == 0 &&
		isUnspacedLong(long.Of(body))
}

// lastShort returns the short form at the end of a bracket, where it is alone, after an introduction (以下, "in the
// following") or after the long form in another language.
func lastShort(body string, inside text.Span) (text.Span, bool) {
	short := inside
	if i := strings.LastIndexAny(short.Of(body), "、，,;；：:"); i >= 0 {
		_, size := utf8.DecodeRuneInString(body[short.Start+i:])
		short = trim(body, text.Span{Start: short.Start + i + size, End: short.End})
	}
	if rest, ok := strings.CutPrefix(short.Of(body), language.Rules.Unspaced.Introduction); ok {
		short = trim(body, text.Span{Start: short.End - len(rest), End: short.End})
	}
	short.Start = short.End - len(strings.TrimLeft(short.Of(body), "「『\"“"))
	short.End = short.Start + len(strings.TrimRight(short.Of(body), "」』\"”"))
	return short, isCapitalShort(short.Of(body))
}

// isCapitalShort reports whether s may be a short form in Latin letters, most of them capitals.
func isCapitalShort(s string) bool {
	return s != "" && validShort(s) && normalize.LooksLikeShortForm(s) && latinSuffix(s) == len(s)
}

// latinSuffix returns the length of the run of Latin letters, digits and hyphens at the end of s.
func latinSuffix(s string) int {
	start := len(s)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if !unicode.Is(unicode.Latin, r) && !unicode.IsDigit(r) && r != '-' {
			break
		}
		start -= size
	}
	return len(s) - start
}

// isUnspacedLong reports whether s is long enough for a long form in Japanese.
func isUnspacedLong(s string) bool {
	const minLength = 3 // in characters: excludes 胸部 (chest) before (CT)
	return utf8.RuneCountInString(s) >= minLength && len(s) <= maxReach
}

// unspacedStart returns the start of the name at the end of body[:end]: a run of kanji, Katakana, Latin letters and
// digits, with the Hiragana words that belong to names.
func unspacedStart(body string, end int) int {
	start := end
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(body[:start])
		switch {
		case unicode.Is(unicode.Hiragana, r):
			names := language.Rules.Unspaced.NameHiragana
			i := slices.IndexFunc(names, func(word string) bool { return strings.HasSuffix(body[:start], word) })
			if i < 0 {
				return start
			}
			size = len(names[i])
		case r != '・' && r != '-' && !normalize.IsWordRune(r):
			return start
		}
		start -= size
	}
	return start
}
