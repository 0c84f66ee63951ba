package abbrev

import (
	"regexp"
	"slices"
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
func unspacedDefinition(body string, open int, inside text.Span) []Definition {
	const least = 3 // characters: excludes 胸部 (chest) before (CT)
	before := text.Span{Start: earliestStart(body, open), End: open}
	short, long, nameAt := inside, before, nameLast
	last, _ := utf8.DecodeLastRuneInString(body[:open])
	switch {
	case normalize.IsUnspacedScript(last):
	case normalize.IsUnspacedScript(normalize.FirstRune(inside.Of(body))):
		short, long, nameAt = before, inside, nameFirst
	default:
		return nil
	}
	m, name := latinLast.FindStringSubmatchIndex(short.Of(body)), nameAt.FindStringSubmatchIndex(long.Of(body))
	if m == nil || name == nil {
		return nil
	}
	d := Definition{Short: group(m, 1, short.Start), Long: group(name, 1, long.Start)}
	if s := d.Short.Of(body); !isStatedShort(s) || utf8.RuneCountInString(d.Long.Of(body)) < least {
		return nil
	}
	return []Definition{d}
}

// A name consists of kanji, Katakana, Latin letters and digits, and the Hiragana words that belong to names.
var (
	unspaced     = `[ー\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]`
	nameHiragana = language.OneOf(slices.Values(language.Rules.Unspaced.NameHiragana))
	unspacedName = `((?:[\p{Han}\p{Katakana}ー\p{Latin}\pN・-]|` + nameHiragana + `)+)`
	latinLast    = regexp.MustCompile(`[「『"“]?([\p{Latin}\pN-]+)[」』"”]?$`)
	nameLast     = regexp.MustCompile(unspacedName + `$`)
	nameFirst    = regexp.MustCompile(`^` + unspacedName + `(?:[、，,;；：:]|$)`)
)
