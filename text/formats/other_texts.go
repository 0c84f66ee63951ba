package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// The members of objects whose text is in others than "text": of articles, such as CSL JSON, S2ORC and CORD-19, and of
// notes. Of each list the first that an object has counts.
var (
	titleMembers    = []string{"title", "article_title"}
	abstractMembers = []string{"abstract", "abstractText", "abstract_text", "abstractNote", invertedAbstract}
	bodyMembers     = []string{
		"body_text", "sentence", "note_text", "note", "full_text", "content", "page_content", "body",
	}
	idMembers = []string{"pmid", "doc_id", "document_id", "note_id", "paper_id", "corpusid", "id_str"}
)

// invertedAbstract has the places of each word of an abstract, as OpenAlex publishes it.
const invertedAbstract = "abstract_inverted_index"

// otherTextMembers are the members that may have a text, besides a title.
var otherTextMembers = slices.Concat(abstractMembers, bodyMembers)

// fromOtherTexts returns an object without a "text" with the one of its title, abstract and body. The note says which
// members these are. ok is false for an object that has none; a title alone is a text only with titles, as where other
// objects of the file have an abstract.
func fromOtherTexts(line string, titles bool) (converted, note string, ok bool) {
	o, err := parseObject([]byte(line))
	if err != nil || o.raw("text") != nil && string(o.raw("text")) != "null" {
		return "", "", false
	}
	for _, name := range otherTextMembers {
		titles = titles || o.raw(name) != nil
	}
	var texts, from []string
	add := func(o *object, names []string, path string) {
		for _, name := range names {
			s, isText := textOf(o.raw(name))
			if name == invertedAbstract {
				s, isText = wordsInOrder(o.raw(name))
			}
			if isText && strings.TrimSpace(s) != "" {
				texts, from = append(texts, s), append(from, fmt.Sprintf("%q", path+name))
				return
			}
		}
	}
	add(o, titleMembers, "")
	if metadata, err := parseObject(o.raw("metadata")); err == nil && len(texts) == 0 {
		add(metadata, titleMembers, "metadata.")
	}
	add(o, abstractMembers, "")
	add(o, bodyMembers, "")
	if len(texts) == 0 || !titles {
		return "", "", false
	}
	o.set("text", strings.Join(texts, " "))
	if o.raw("id") == nil {
		for _, name := range idMembers {
			if id, reason := jsonID(o.raw(name)); reason == "" && id != "" {
				o.set("id", o.raw(name))
				break
			}
		}
	}
	raw, err := marshal(o)
	return string(raw), "the text is that of " + strings.Join(from, ", "), err == nil
}

// textOf returns the text of a member: a string, an object with a "text", or a list of either, a line each.
func textOf(raw json.RawMessage) (s string, ok bool) {
	if raw == nil {
		return "", false
	}
	switch raw[0] {
	case '"':
		return s, json.Unmarshal(raw, &s) == nil
	case '{':
		o, err := parseObject(raw)
		if err != nil || o.raw("text") == nil || o.raw("text")[0] != '"' {
			return "", false
		}
		return textOf(o.raw("text"))
	case '[':
		var list []json.RawMessage
		if input.DecodeJSON(raw, &list) != nil {
			return "", false
		}
		lines := make([]string, len(list))
		for i, element := range list {
			if lines[i], ok = textOf(element); !ok || element[0] == '[' {
				return "", false
			}
		}
		return strings.Join(lines, "\n"), true
	}
	return "", false
}

// wordsInOrder returns the text of an inverted index, {"fever": [1, 4], "River": [0]}.
func wordsInOrder(raw json.RawMessage) (s string, ok bool) {
	var places map[string][]int
	if raw == nil || input.DecodeJSON(raw, &places) != nil {
		return "", false
	}
	type placed struct {
		word string
		at   int
	}
	var words []placed
	for word, at := range places {
		for _, i := range at {
			words = append(words, placed{word, i})
		}
	}
	slices.SortFunc(words, func(a, b placed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.word, b.word)) })
	inOrder := make([]string, len(words))
	for i, w := range words {
		inOrder[i] = w.word
	}
	return strings.Join(inOrder, " "), true
}
