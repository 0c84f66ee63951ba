package kbfile

import "github.com/ctxnorm/ctxnorm/internal/input"

// fastNameRow parses a row [name, [id, …]] or [name, id] of strings. encoding/json must parse the row if ok is false.
func fastNameRow(text string) (name string, ids []jsonID, ok bool) {
	p := input.PlainJSON(text)
	if !p.Accept('[') {
		return "", nil, false
	}
	if name, ok = p.String(); !ok || !p.Accept(',') {
		return "", nil, false
	}
	several := p.Accept('[')
	for more := true; more; more = several && p.Accept(',') {
		id, ok := p.String()
		if !ok {
			return "", nil, false
		}
		ids = append(ids, jsonID(id))
	}
	if several && !p.Accept(']') {
		return "", nil, false
	}
	return name, ids, p.Accept(']') && p.End()
}

// fastConcept parses an object of members that a [conceptJSON] has, each once, as [Write] writes almost all concepts.
// encoding/json must parse the line if ok is false.
func fastConcept(text string) (c conceptJSON, ok bool) {
	p := input.PlainJSON(text)
	str := func(s *string) (ok bool) { *s, ok = p.String(); return ok }
	list := func(s *[]string) (ok bool) { *s, ok = p.Strings(); return ok }
	ids := func(ids *[]jsonID) bool {
		list, ok := p.Strings()
		*ids = make([]jsonID, len(list))
		for i, id := range list {
			(*ids)[i] = jsonID(id)
		}
		return ok
	}
	ok = p.Record(func(name string) bool {
		switch name {
		case "id":
			return str((*string)(&c.ID))
		case "name":
			return str(&c.Name)
		case "synonyms":
			return list((*[]string)(&c.Synonyms))
		case "alt_ids":
			return ids(&c.AltIDs)
		case "xrefs":
			return ids(&c.Xrefs)
		case "parents":
			return ids(&c.Parents)
		case "types":
			return list(&c.Types)
		case "shown_name":
			return str(&c.Shown)
		}
		return false
	})
	return c, ok && p.End()
}
