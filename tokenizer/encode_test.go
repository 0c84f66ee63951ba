package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

var tinyDir = filepath.Join("testdata", "tiny")

// parse returns the query of a text in which «» mark the queried mention and ‹› the others. The document has all of
// them as mentions.
func parse(t testing.TB, marked string) *text.Query {
	t.Helper()
	doc := &text.Document{ID: "7"}
	q := &text.Query{Document: doc}
	var s strings.Builder
	start := 0
	for _, r := range marked {
		switch r {
		case '«', '‹':
			start = s.Len()
		case '»', '›':
			m := text.Mention{Span: text.Span{Start: start, End: s.Len()}}
			doc.Mentions = append(doc.Mentions, m)
			if r == '»' {
				q.Mention = m
			}
		default:
			s.WriteRune(r)
		}
	}
	doc.Text = s.String()
	q.Sentence = text.Span{Start: 0, End: len(doc.Text)}
	return q
}

// tokens returns the tokens of ids of the tiny vocabulary.
func tokens(tok *Tokenizer, ids []int32) string {
	names := make(map[int32]string)
	for name, id := range tok.folder.definition.vocabulary {
		names[id] = name
	}
	names[tok.entStart], names[tok.entEnd] = startMarker, endMarker
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = names[id]
	}
	return strings.Join(words, " ")
}

// checkInput checks the guarantees of Encode for every input.
func checkInput(t testing.TB, tok *Tokenizer, q *text.Query, in Input) {
	t.Helper()
	n := len(in.IDs)
	if n < MinTokens-1 || in.IDs[0] != tok.cls || in.IDs[n-1] != tok.sep {
		t.Fatalf("%q: ids %v, want [CLS] %d first and [SEP] %d last", q.Text, in.IDs, tok.cls, tok.sep)
	}
	spans := append(slices.Clone(in.Others), in.Query)
	for _, s := range spans {
		if s.Start < 1 || s.End > n-1 || s.Len() < 2 || in.IDs[s.Start] != tok.entStart || in.IDs[s.End-1] != tok.entEnd {
			t.Errorf("%q: span %v of ids %v is not from marker to marker", q.Text, s, in.IDs)
		}
	}
	for marker, name := range map[int32]string{tok.entStart: startMarker, tok.entEnd: endMarker} {
		count := 0
		for _, id := range in.IDs {
			if id == marker {
				count++
			}
		}
		must.Equal(t, count, len(spans), q.Text, "tokens", name, "for marked mentions", in.IDs)
	}
	if len(in.OtherMentions) != len(in.Others) || !slices.IsSorted(in.OtherMentions) {
		t.Errorf("%q: other mentions %v for spans %v", q.Text, in.OtherMentions, in.Others)
	}
}

func TestEncode(t *testing.T) {
	tok := openTokenizer(t, tinyDir)
	tests := []struct {
		name, text string
		max        int
		all        bool
		want       string
	}{
		{"a name", "«renal cell carcinoma»", 20, true, "[CLS] [ENT] renal cell carcinoma [/ENT] [SEP]"},
		{"one mention", "acute «renal cancer» and ‹pain›", 20, false,
			"[CLS] acute [ENT] renal cancer [/ENT] and pain [SEP]"},
		{"all mentions", "‹acute› «renal cancer» and ‹pain›", 20, true,
			"[CLS] [ENT] acute [/ENT] [ENT] renal cancer [/ENT] and [ENT] pain [/ENT] [SEP]"},
		{"a marker in the text is text", "in «[ENT]» [/ENT] [SEP]", 30, false,
			"[CLS] in [ENT] [ ent ] [/ENT] [ / ent ] [ sep ] [SEP]"},
		{"NUL does not end the text", "re\x00nal «can\x00cer» pa\x00in", 20, false,
			"[CLS] renal [ENT] cancer [/ENT] pain [SEP]"},
		{"bytes that are not UTF-8", "renal «can\xffcer» \xc3pain", 20, false,
			"[CLS] renal [ENT] cancer [/ENT] pain [SEP]"},
		{"nothing to tokenize in the mention", "renal «\x01» pain", 20, false,
			"[CLS] renal [ENT] [/ENT] pain [SEP]"},
		{"accents and a Chinese character", "Naïve «Sjögren»\x00\xff 病!", 30, false,
			"[CLS] naive [ENT] sjogren [/ENT] 病 ! [SEP]"},

		// 8 tokens minus [CLS] and [SEP] are 6; the mention has 3 of them, so floor(3/2) = 1 is before it and 2 are
		// after it.
		{"cut on both sides", "a patient with acute «pain» in the lung and breast", 8, false,
			"[CLS] acute [ENT] pain [/ENT] in the [SEP]"},
		{"cut at the end", "«pain» in the lung and breast", 8, false,
			"[CLS] [ENT] pain [/ENT] in the lung [SEP]"},
		{"cut at the start", "a patient with acute «pain»", 8, false,
			"[CLS] patient with acute [ENT] pain [/ENT] [SEP]"},
		{"fits to the token", "with acute «pain» in", 8, false,
			"[CLS] with acute [ENT] pain [/ENT] in [SEP]"},
		{"mention longer than the window", "a «renal cell lung breast cancer of the kidney» ‹x›", 8, true,
			"[CLS] [ENT] renal cell lung breast [/ENT] [SEP]"},
		{"mention of the window's length", "a «renal cell lung breast» x", 8, true,
			"[CLS] [ENT] renal cell lung breast [/ENT] [SEP]"},
		{"smallest window", "a «renal cell» x", 5, true,
			"[CLS] [ENT] renal [/ENT] [SEP]"},
		{"another outside the window", "«pain» in the lung and ‹breast cancer›", 8, true,
			"[CLS] [ENT] pain [/ENT] in the lung [SEP]"},
		// If it were marked, the other mention would end beyond the window: [ENT] pain [/ENT] in [ENT] lung | cancer
		// [/ENT]. Unmarked, its words fill the window.
		{"another cut by the window loses its markers", "«pain» in ‹lung cancer›", 8, true,
			"[CLS] [ENT] pain [/ENT] in lung cancer [SEP]"},
		{"another cut at the start", "‹lung cancer› in «pain»", 8, true,
			"[CLS] lung cancer in [ENT] pain [/ENT] [SEP]"},
		{"others on both sides, one whole", "‹lung cancer fever› ‹fever› «pain» a", 11, true,
			"[CLS] cancer fever [ENT] fever [/ENT] [ENT] pain [/ENT] a [SEP]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := parse(t, test.text)
			in := must.Get(tok.Encode(q, test.max, test.all))
			must.Equal(t, tokens(tok, in.IDs), test.want, "Encode", test.text, test.max, "tokens")
			checkInput(t, tok, q, in)
		})
	}
}

// TestEncodeOverlaps has mentions that are not marked, because they overlap the query or one another, are outside the
// sentence or are empty.
func TestEncodeOverlaps(t *testing.T) {
	tok := openTokenizer(t, tinyDir)
	const s = "fever. renal cell cancer and lung cancer pain. fever"
	at := func(words string) text.Mention {
		start := strings.Index(s, words)
		return text.Mention{Span: text.Span{Start: start, End: start + len(words)}}
	}
	q := &text.Query{
		Document: &text.Document{Text: s, Mentions: []text.Mention{
			at("fever"),             // 0: before the sentence
			at("renal"),             // 1: in the query
			at("renal cell cancer"), // 2: the query
			at("cell cancer and"),   // 3: across its end
			{Span: text.Span{Start: 25, End: 25}},
			at("lung cancer"), // 5
			at("cancer pain"), // 6: overlaps the one before
			at("pain"),        // 7
			at("pain. fever"), // 8: beyond the sentence
		}},
		Mention:  at("renal cell cancer"),
		Sentence: at("renal cell cancer and lung cancer pain.").Span,
	}
	in := must.Get(tok.Encode(q, 40, true))
	want := "[CLS] [ENT] renal cell cancer [/ENT] and [ENT] lung cancer [/ENT] [ENT] pain [/ENT] . [SEP]"
	must.Equal(t, tokens(tok, in.IDs), want)
	must.Equal(t, in.OtherMentions, []int{5, 7}, "marked mentions")
	checkInput(t, tok, q, in)
}

func TestEncodeErrors(t *testing.T) {
	tok := openTokenizer(t, tinyDir)
	doc := &text.Document{ID: "9", Text: "renal pain"}
	whole := text.Span{Start: 0, End: 10}
	query := func(start, end int, sentence text.Span) *text.Query {
		m := text.Mention{Span: text.Span{Start: start, End: end}}
		return &text.Query{Document: doc, Mention: m, Sentence: sentence}
	}
	tests := []struct {
		query *text.Query
		max   int
		want  string
	}{
		{query(0, 5, whole), 4, "tokenizer: max tokens is 4, want 5 or more"},
		{query(0, 5, text.Span{Start: 0, End: 11}), 9, `tokenizer: document "9": sentence 0:11 is outside the text of 10 bytes`},
		{query(6, 10, text.Span{Start: 0, End: 9}), 9, `tokenizer: document "9": mention 6:10 is empty or outside its sentence 0:9`},
		{query(3, 3, whole), 9, `tokenizer: document "9": mention 3:3 is empty or outside its sentence 0:10`},
		{query(5, 3, whole), 9, `tokenizer: document "9": mention 5:3 is empty or outside its sentence 0:10`},
	}
	for _, test := range tests {
		_, err := tok.Encode(test.query, test.max, false)
		must.Equal(t, fmt.Sprint(err), test.want)
	}
}

// TestFitRandom checks fit on random bodies: the result is a contiguous part of the body apart from removed markers, it
// uses the whole budget if it can, and the query is in the middle unless the window touches an end of the body.
func TestFitRandom(t *testing.T) {
	const seed = 11
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range 3000 {
		whole := randomBody(random)
		budget := 3 + random.IntN(len(whole.ids)+3)
		got := whole.clone()
		got.fit(budget)
		name := fmt.Sprintf("seed %d round %d: %v budget %d: %v", seed, round, whole, budget, got)

		query := whole.query()
		switch {
		case len(whole.ids) <= budget:
			if diff := cmp.Diff(whole, got, cmp.AllowUnexported(body{}, markedSpan{})); diff != "" {
				t.Fatalf("%s: a body that fits was changed:\n%s", name, diff)
			}
			continue
		case len(got.ids) > budget:
			t.Fatalf("%s: %d tokens", name, len(got.ids))
		case query.Len() > budget:
			want := append(slices.Clone(whole.ids[query.Start:query.Start+budget-1]), whole.ids[query.End-1])
			if !slices.Equal(got.ids, want) || len(got.marks) != 1 {
				t.Fatalf("%s: want %v", name, want)
			}
			continue
		}
		// The tokens of the window are contiguous in the body, apart from removed markers.
		first, last := got.ids[0], got.ids[len(got.ids)-1]
		var words []int32
		for _, id := range whole.ids {
			dropped := id < 0 && !slices.Contains(got.ids, id)
			if id != first && len(words) == 0 || dropped {
				continue
			}
			words = append(words, id)
			if id == last {
				break
			}
		}
		if !slices.Equal(words, got.ids) {
			t.Fatalf("%s: not contiguous in the body", name)
		}
		// No token that fits is removed, and the query is off the middle only at the ends.
		if len(got.ids) < budget && len(whole.ids)-2*(len(whole.marks)-len(got.marks)) > budget {
			t.Fatalf("%s: %d tokens more would fit", name, budget-len(got.ids))
		}
		q := got.query()
		before, after := q.Start, len(got.ids)-q.End
		atStart, atEnd := first == firstWord(whole, got), last == lastWord(whole, got)
		if off := after - before; (off < 0 || off > 1) && !(off > 1 && atStart) && !(off < 0 && atEnd) {
			t.Fatalf("%s: %d tokens before the query and %d after it", name, before, after)
		}
	}
}

// randomBody returns a body of words 1, 2, … and markers -1, -2, …: mark i starts with -(2i+1) and ends with -(2i+2),
// so all tokens differ.
func randomBody(random *rand.Rand) body {
	var b body
	words := int32(0)
	text := func(most int) {
		for range random.IntN(most) {
			words++
			b.ids = append(b.ids, words)
		}
	}
	count := 1 + random.IntN(4)
	query := random.IntN(count)
	text(8)
	for i := range count {
		start := len(b.ids)
		b.ids = append(b.ids, int32(-2*i-1))
		text(5)
		b.ids = append(b.ids, int32(-2*i-2))
		mention := i
		if i == query {
			mention = queried
		}
		b.marks = append(b.marks, markedSpan{TokenSpan{start, len(b.ids)}, mention})
		text(6)
	}
	return b
}

func (b body) clone() body {
	b.ids, b.marks = slices.Clone(b.ids), slices.Clone(b.marks)
	return b
}

// firstWord returns the first token of the body that is not a removed marker.
func firstWord(whole, got body) int32 {
	for _, id := range whole.ids {
		if id > 0 || slices.Contains(got.ids, id) {
			return id
		}
	}
	return 0
}

func lastWord(whole, got body) int32 {
	whole = whole.clone()
	slices.Reverse(whole.ids)
	return firstWord(whole, got)
}

func FuzzEncode(f *testing.F) {
	tok := openTokenizer(f, tinyDir)
	f.Add("a patient with renal cell carcinoma", 15, 25, 3, 8, 12)
	f.Add("[ENT] \x00 病名\xff [/ENT]", 2, 9, 0, 1, 5)
	f.Fuzz(func(t *testing.T, s string, start, end, otherStart, otherEnd, most int) {
		if most > 1000 {
			t.Skip("a window of more than 1,000 tokens is slow")
		}
		m := text.Mention{Span: text.Span{Start: start, End: end}}
		other := text.Mention{Span: text.Span{Start: otherStart, End: otherEnd}}
		doc := &text.Document{Text: s, Mentions: []text.Mention{other}}
		q := &text.Query{Document: doc, Mention: m, Sentence: text.Span{Start: 0, End: len(s)}}
		in, err := tok.Encode(q, most, true)
		if err != nil {
			return
		}
		if len(in.IDs) > most {
			t.Errorf("%d tokens, want %d at most", len(in.IDs), most)
		}
		checkInput(t, tok, q, in)
	})
}

// A sentence without markers is [CLS], its words and [SEP]; if it is too long, it loses its end.
func TestEncodeUnmarked(t *testing.T) {
	tok := openTokenizer(t, tinyDir)
	q := parse(t, "‹aspirin› and «gastric ulcer»")
	marked := must.Get(tok.Encode(q, 64, true))
	bare := slices.DeleteFunc(slices.Clone(marked.IDs), func(id int32) bool { return id == tok.entStart || id == tok.entEnd })
	for _, test := range []struct {
		maxTokens int
		want      []int32
	}{
		{64, bare},
		{len(bare), bare},
		{MinTokens, append(slices.Clone(bare[:MinTokens-1]), bare[len(bare)-1])},
	} {
		in := must.Get(tok.EncodeUnmarked(q, test.maxTokens))
		want := Input{IDs: test.want, Query: TokenSpan{0, len(test.want)}}
		must.Equal(t, in, want, "at most", test.maxTokens, "tokens")
	}
	_, err := tok.EncodeUnmarked(q, MinTokens-1)
	must.Fail(t, err, "", "a window of fewer tokens than the least was accepted")
}
