package abbrev

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// phrases finds each of its strings. They must not overlap.
type phrases []string

func (p phrases) Tag(dst []text.Mention, s string) []text.Mention {
	lower := strings.ToLower(s)
	for _, phrase := range p {
		for at := 0; ; at++ {
			i := strings.Index(lower[at:], phrase)
			if i < 0 {
				break
			}
			at += i
			dst = append(dst, text.Mention{Span: text.Span{Start: at, End: at + len(phrase)}, Name: phrase})
		}
	}
	slices.SortFunc(dst, func(a, b text.Mention) int { return a.Span.Compare(b.Span) })
	return dst
}

func (p phrases) LookupLongForm(long string) (string, []kb.ConceptID) {
	if slices.Contains(p, strings.ToLower(long)) {
		return strings.ToLower(long), []kb.ConceptID{"1"}
	}
	return "", nil
}

func (phrases) MayStandFor(string) bool { return false }

func TestWithLonger(t *testing.T) {
	for _, test := range []struct {
		name  string
		names phrases
		body  string
		want  []string
	}{
		{"a part of a name", phrases{"stone river virus infection"},
			"Stone river virus (SRV) infection hurts. SRV infection, and an SRV-infection.",
			[]string{"Stone river virus (SRV) infection", "SRV infection"}},
		{"the short form first", phrases{"stone river virus infection"},
			"SRV (stone river virus) infection hurts.", []string{"SRV (stone river virus) infection"}},
		{"two short forms", phrases{"stone river virus fever of kidney failure"},
			"Stone river virus (SRV) with kidney failure (KF). SRV fever of KF is bad.", []string{"SRV fever of KF"}},
		{"a longer name in place of a shorter", phrases{"stone river virus", "flood"},
			"Stone river virus (SRV) and flood. SRV flood.",
			[]string{"Stone river virus", "SRV", "flood", "SRV", "flood"}},
		{"the words beside a name", phrases{"river virus infection"},
			"Stone river virus (SRV) infection. SRV infection.", []string{"river virus (SRV) infection"}},
		{"a bracket with more", phrases{"stone river virus infection"},
			"Stone river virus (SRV, of 1950) infection.", nil},
		{"without definitions", phrases{"flood"}, "A flood (bad).", []string{"flood"}},
		{"full-width brackets", phrases{"石川ウイルス感染"}, "石川ウイルス（SRV）感染。SRV感染。", []string{"SRV感染"}},
	} {
		tagger := NewTagger(test.names)
		found := Find(test.body)
		start := tagger.Define(test.body, found)
		var got []string
		for _, m := range tagger.WithLonger(tagger.Tag(nil, test.body, start), test.body, found, start) {
			got = append(got, m.Of(test.body))
		}
		must.Equal(t, got, test.want, test.name)
	}
}
