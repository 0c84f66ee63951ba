package sentence

import (
	"slices"
	"strings"
	"testing"
)

// goldenRules are the rules of the Pragmatic Segmenter for English, which pySBD has too: texts with a bar between the
// sentences. differs says of a text why the splitter has other sentences on purpose.
var goldenRules = []struct{ marked, differs string }{
	{marked: "Hello World. |My name is Jonas."},
	{marked: "What is your name? |My name is Jonas."},
	{marked: "There it is! |I found it."},
	{marked: "My name is Jonas E. Smith."},
	{marked: "Please turn to p. 55."},
	{marked: "Were Jane and co. at the party?"},
	{marked: "They closed the deal with Pitt, Briggs & Co. at noon."},
	{marked: "Let's ask Jane and co. |They should know."},
	{marked: "They closed the deal with Pitt, Briggs & Co. |It closed yesterday."},
	{marked: "I can see Mt. Fuji from here."},
	{marked: "St. Michael's Church is on 5th st. near the light."},
	{marked: "That is JFK Jr.'s book."},
	{marked: "I visited the U.S.A. last year."},
	{marked: "I live in the E.U. |How about you?"},
	{marked: "I live in the U.S. |How about you?"},
	{marked: "I work for the U.S. Government in Virginia."},
	{marked: "I have lived in the U.S. for 20 years."},
	{marked: "At 5 a.m. Mr. Smith went to the bank. |He left the bank at 6 P.M. |Mr. Smith then went to the store.",
		differs: "titles follow initials within sentences, too"},
	{marked: "She has $100.00 in her bag."},
	{marked: "She has $100.00. |It is in her bag."},
	{marked: "He teaches science (He previously worked for 5 years as an engineer.) at the local University."},
	{marked: "Her email is Jane.Doe@example.com. |I sent her an email."},
	{marked: "The site is: https://www.example.50.com/new-site/awesome_content.html. |Please check it out."},
	{marked: "She turned to him, 'This is great.' she said."},
	{marked: "She turned to him, \"This is great.\" she said."},
	{marked: "She turned to him, \"This is great.\" |She held the book out to show him."},
	{marked: "Hello!! |Long time no see."},
	{marked: "Hello?? |Who is there?"},
	{marked: "Hello!? |Is that you?"},
	{marked: "Hello?! |Is that you?"},
	{marked: "1.) The first item |2.) The second item"},
	{marked: "1.) The first item. |2.) The second item."},
	{marked: "1) The first item |2) The second item"},
	{marked: "1) The first item. |2) The second item."},
	{marked: "1. The first item |2. The second item"},
	{marked: "1. The first item. |2. The second item."},
	{marked: "• 9. The first item |• 10. The second item"},
	{marked: "⁃9. The first item |⁃10. The second item"},
	{marked: "a. The first item |b. The second item |c. The third list item"},
	{marked: "This is a sentence\ncut off in the middle because pdf."},
	{marked: "It was a cold \nnight in the city."},
	{marked: "features\n|contact manager\n|events, activities\n",
		differs: "lines that are broken anywhere are one sentence"},
	{marked: "You can find it at N°. 1026.253.553. |That is where the treasure is."},
	{marked: "She works at Yahoo! in the accounting department."},
	{marked: "We make a good team, you and I. |Did you see Albert I. Jones yesterday?"},
	{marked: "Thoreau argues that by simplifying one’s life, “the laws of the universe will appear less complex. . . .”"},
	{marked: "\"Bohr [...] used the analogy of parallel stairways [...]\" (Smith 55)."},
	{marked: "If words are left off at the end of a sentence, and that is all that is omitted, indicate the omission with " +
		"ellipsis marks (preceded and followed by spaces) and then indicate the end of the sentence with a period . . . . " +
		"|Next sentence."},
	{marked: "I never meant that.... |She left the store."},
	{marked: "I wasn’t really ... well, what I mean...see . . . what I'm saying, the thing is . . . I didn’t mean it.",
		differs: "a capital after an ellipsis begins a sentence"},
	{marked: "One further habit which was somewhat weakened . . . was that of combining words into self-interpreting compounds. " +
		"|. . . The practice was not abandoned. . . .",
		differs: "an ellipsis belongs to the sentence before it"},
	{marked: "Hello world.|Today is Tuesday.|Mr. Smith went to the store and bought 1,000.|That is a lot.",
		differs: "a full stop without a space is also within names"},
}

func TestGoldenRules(t *testing.T) {
	right := 0
	for _, rule := range goldenRules {
		var want []string
		for part := range strings.SplitSeq(rule.marked, "|") {
			want = append(want, strings.TrimSpace(part))
		}
		content := strings.ReplaceAll(rule.marked, "|", "")
		var got []string
		for _, s := range Split(content) {
			got = append(got, s.Of(content))
		}
		if same := slices.Equal(got, want); same != (rule.differs == "") {
			t.Errorf("%q is split into %q, want %q; differs: %q", content, got, want, rule.differs)
		} else if same {
			right++
		}
	}
	t.Logf("%d of %d", right, len(goldenRules))
}
