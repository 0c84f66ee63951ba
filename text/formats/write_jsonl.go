package formats

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// jsonlOutput is lines of JSON.
var jsonlOutput = OutputFormat{
	Name: JSONL, Extensions: []string{".jsonl"}, MIME: "application/x-ndjson",
	New: func(w io.Writer, _ WriterOptions) Writer { return &jsonlWriter{newOutput(w)} },
}

// jsonlWriter writes a JSON object a line: the object that was read, in which each mention
// gets its candidates, or a new one. A mention that could not be read has an error in their
// place.
type jsonlWriter struct{ *output }

// linkedMembers are the members that linking adds to a mention: those of an earlier run are
// replaced.
var linkedMembers = []string{"negated", "uncertain", "historical", "hypothetical", "other_person", "resolved_text",
	"readings", "candidates", "broader", "sub_mentions", "corrected", "error"}

// Write implements [Writer].
func (w *jsonlWriter) Write(r *Record, d *linked.Document) error {
	l := newLinkedRecord(r, d)
	o, err := linkedObject(l)
	if err != nil {
		return err
	}
	line, err := marshal(o)
	if err != nil {
		return err
	}
	return w.write(string(line) + "\n")
}

// linkedObject returns the object of a line: that which was read, with the results, or a new one.
func linkedObject(l *linkedRecord) (*object, error) {
	source, _ := l.source.(*jsonlSource)
	o := newObject("id", l.ID, "text", l.Text)
	if source != nil {
		read, err := parseObject([]byte(source.line))
		if err != nil {
			return nil, err
		}
		if id, _ := jsonID(read.raw("id")); id == "" {
			read.remove("id")
			read.members = append([]member{{"id", l.ID}}, read.members...)
		}
		read.set("text", l.Text) // without marks
		o = read
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
	var raws []json.RawMessage
	if err := o.decode("mentions", &raws); err != nil {
		return nil, err
	}
	mentions := make([]any, len(raws))
	for i, raw := range raws {
		read, err := parseObject(raw)
		if err != nil {
			mentions[i] = raw // no object, as a fault says
			continue
		}
		read.remove(linkedMembers...)
		if m := placed[i]; m != nil {
			mentions[i] = fill(m, read)
			continue
		}
		read.set("candidates", []linked.Candidate{})
		read.set("error", source.faults[i])
		mentions[i] = read
	}
	o.set("mentions", mentions)
	return o, nil
}

// fill returns a mention as it was read, with its offsets and text first and its
// candidates last.
func fill(m *linked.Mention, read *object) *object {
	filled := newObject("start", m.Start, "end", m.End, "text", m.Text)
	for _, member := range read.members {
		switch member.key {
		case "start", "end", "text":
		case "fragments": // in code points
			if len(m.Fragments) > 0 {
				filled.set(member.key, m.Fragments)
			}
		default:
			filled.members = append(filled.members, member)
		}
	}
	added := reflect.ValueOf(m).Elem()
	for _, field := range addedFields {
		value := added.FieldByIndex(field.index)
		if field.omitEmpty && (value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0) {
			continue
		}
		filled.set(field.key, value.Interface())
	}
	return filled
}

// addedField is a field of a [linked.Mention] that linking adds to a mention of the input.
type addedField struct {
	key       string
	index     []int
	omitEmpty bool
}

// addedFields are source_start, source_end and the linkedMembers that a linked mention has, in
// this order.
var addedFields = func() (added []addedField) {
	fields := make(map[string]addedField)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[linked.Mention]()) {
		key, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields[key] = addedField{key, field.Index, option == "omitempty"}
	}
	for _, key := range append([]string{"source_start", "source_end"}, linkedMembers...) {
		if field, ok := fields[key]; ok {
			added = append(added, field)
		}
	}
	return added
}()
