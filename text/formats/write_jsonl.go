package formats

import (
	"cmp"
	"slices"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// linkedMembers are the members that linking adds to a mention, replacing those of an earlier run.
var linkedMembers = []string{"negated", "uncertain", "historical", "hypothetical", "other_person", "resolved_text",
	"readings", "candidates", "suggested", "broader", "sub_mentions", "corrected", "error"}

// jsonLine returns a JSON object on a line: the object that was read, with candidates for each mention, or a new one. A
// mention that could not be read gets an error instead.
func jsonLine(l *linkedRecord, _ *WriterOptions) (string, error) {
	o, err := linkedObject(l)
	if err != nil {
		return "", err
	}
	line, err := marshal(o)
	return string(line) + "\n", err
}

// linkedObject returns the object of a line: the one that was read, with the results, or a new one.
func linkedObject(l *linkedRecord) (*object, error) {
	source, _ := l.source.(*jsonlSource)
	o := newObject("id", l.ID, "text", l.Text)
	if source != nil {
		o = &object{slices.Clone(source.object.members)}
		if id, _ := jsonID(o.raw("id")); id == "" {
			o.remove("id")
			o.members = slices.Insert(o.members, 0, member{"id", l.ID})
		}
		o.set("text", l.Text) // without marks
	}
	for _, c := range l.Columns {
		if c.Name != "id" && c.Name != "text" && c.Name != "mentions" {
			o.set(c.Name, c.Value)
		}
	}
	placed, own := byPlace(l)
	if source == nil || !own || o.raw("mentions") == nil || placed[-1] != nil {
		o.set("mentions", l.Mentions)
		return o, nil
	}
	raws, err := o.list("mentions")
	if err != nil {
		return nil, err
	}
	mentions := make([]any, len(raws))
	for i, raw := range raws {
		read, err := parseObject(raw)
		if err != nil {
			mentions[i] = raw // not an object: the reader reported it
			continue
		}
		read.remove(linkedMembers...)
		if m := placed[i]; m != nil {
			if read, err = fill(m, read); err != nil {
				return nil, err
			}
		} else {
			read.set("candidates", []any{})
			read.set("error", source.faults[i])
		}
		mentions[i] = read
	}
	o.set("mentions", mentions)
	return o, nil
}

// fill returns a mention as it was read, preceded by its offsets and text, and followed by source_start, source_end and
// those linkedMembers that the linked mention has, in this order.
func fill(m *linked.Mention, read *object) (*object, error) {
	raw, err := marshal(m)
	written, parseErr := parseObject(raw)
	if err := cmp.Or(err, parseErr); err != nil {
		return nil, err
	}
	filled := newObject("start", m.Start, "end", m.End, "text", m.Text)
	read.remove("start", "end", "text")
	if len(m.Fragments) == 0 {
		read.remove("fragments")
	} else if read.has("fragments") { // in code points
		read.set("fragments", m.Fragments)
	}
	filled.members = append(filled.members, read.members...)
	for _, key := range append([]string{"source_start", "source_end"}, linkedMembers...) {
		if written.has(key) {
			filled.set(key, written.value(key))
		}
	}
	return filled, nil
}
