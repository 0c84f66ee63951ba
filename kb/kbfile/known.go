package kbfile

import (
	"fmt"
	"slices"
	"strings"
)

// knownVocabulary returns the vocabulary whose table has this header, or whose first row this is if it has none, or
// nil.
func knownVocabulary(first []string, dump bool) *vocabulary {
	at := columnsOf(first)
	for _, v := range vocabularies {
		if v.dump != dump {
			continue
		}
		missing := slices.ContainsFunc(v.header, func(column string) bool {
			_, found := at[strings.ToLower(column)]
			return !found
		})
		if !missing || v.begins != nil && v.begins(first) {
			return v
		}
	}
	return nil
}

// columnsOf maps the names of the columns of a header, in lower case, to their positions. Of equal names it has the
// first.
func columnsOf(header []string) map[string]int {
	at := make(map[string]int, len(header))
	for i, column := range slices.Backward(header) {
		at[strings.ToLower(strings.TrimSpace(column))] = i
	}
	return at
}

// vocabularyColumns returns the columns of a table of a vocabulary that is known, nil if it is none. It removes the
// header from the sample.
func (t *tableFile) vocabularyColumns() columns {
	first := t.header
	if first == nil && len(t.sample) > 0 {
		first = t.sample[0].Cells
	}
	v := knownVocabulary(first, t.dump)
	if v == nil {
		return nil
	}
	switch {
	case v.begins != nil && v.begins(first):
		t.header = v.header
	case t.header == nil:
		t.header, t.sample = first, t.sample[1:]
	}
	t.vocabulary, t.at = v, columnsOf(t.header)
	cols := make(columns, len(t.header))
	for name, role := range v.roles {
		if i, found := t.at[name]; found {
			cols[i] = role
		}
	}
	return cols
}

// errRefused returns the error for a table of a vocabulary that has no names.
func (v *vocabulary) errRefused() error { return fmt.Errorf("the table is %s: %s", v.name, v.refused) }

func isNumber(cell string) bool {
	return cell != "" && strings.Trim(cell, "0123456789") == ""
}
