package language

import (
	"embed"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

//go:embed *.txt *.tsv
var folder embed.FS

// Languages are all supported languages.
var Languages = []*Language{read("english"), read("german"), read("french"), read("spanish"), read("italian"), read("japanese"),
	read("korean"), read("chinese")}

// English has rules for everything in a [Language], except for a script without spaces.
var English = Languages[0]

// Rules combines the rules of all languages.
var Rules = func() *Language {
	all := new(Language)
	for _, l := range Languages {
		merge(reflect.ValueOf(all).Elem(), reflect.ValueOf(l).Elem())
	}
	return all
}()

// merge adds the data of a language to a value. If a key or a word can have only one value, the first language wins.
func merge(to, from reflect.Value) {
	switch {
	case from.IsZero():
	case to.Kind() == reflect.Struct:
		for i := range to.NumField() {
			merge(to.Field(i), from.Field(i))
		}
	case to.Kind() == reflect.Slice:
		to.Set(reflect.AppendSlice(to, from))
	case to.IsZero() && to.Kind() == reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		fallthrough
	case to.Kind() == reflect.Map:
		for _, key := range from.MapKeys() {
			if !to.MapIndex(key).IsValid() {
				to.SetMapIndex(key, from.MapIndex(key))
			}
		}
	case to.IsZero():
		to.Set(from)
	}
}

// read parses the file of a language:
//
//	# a comment
//	Key: a value, which goes on in
//		lines that begin with a tab
//
//	[Part]
//	Key: a value
//
// The parts and keys are the fields of [Language] and of its parts. A value is a string, a character, a regular
// expression, or items separated by spaces. An item is a word, with _ for a space in it, or a word and further words
// ("tic=sis,sia"). Items that are sentences are separated by semicolons.
func read(name string) *Language {
	content, err := folder.ReadFile(name + ".txt")
	l := new(Language)
	if senses, err := folder.ReadFile(name + "_senses.tsv"); err == nil {
		l.Senses = string(senses)
	}
	part := reflect.ValueOf(l).Elem()
	for line := range strings.SplitSeq(strings.ReplaceAll(string(content), "\n\t", " "), "\n") {
		if line == "" || line[0] == '#' || err != nil {
			continue
		}
		if line[0] == '[' {
			part = reflect.ValueOf(l).Elem().FieldByName(strings.Trim(line, "[]"))
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		err = set(part, strings.Fields(key), strings.TrimSpace(value))
	}
	if err != nil {
		panic(fmt.Sprintf("language: %s: %v", name, err)) // a fault in the file, which every test finds
	}
	return l
}

// set sets the field named by a key.
func set(part reflect.Value, key []string, value string) error {
	if key[0] == "Trigger" {
		t, err := newTrigger(key[1:], value)
		triggers := part.Addr().Interface().(*Assertion)
		triggers.Triggers = append(triggers.Triggers, t)
		return err
	}
	field := part.FieldByName(key[0])
	if !field.IsValid() {
		return fmt.Errorf("there is no key %q", key[0])
	}
	switch to := field.Addr().Interface().(type) {
	case *map[Status]string:
		if *to == nil {
			*to = make(map[Status]string)
		}
		(*to)[statuses[key[1]]] = value
	case *map[string]bool:
		*to = make(map[string]bool)
		for _, word := range strings.Fields(value) {
			(*to)[spaced(word)] = true
		}
	case **regexp.Regexp:
		*to = regexp.MustCompile(value)
	case *string:
		*to = value
	case *[]string:
		if *to = strings.Split(value, "; "); len(*to) == 1 {
			*to = strings.Fields(value)
		}
	default:
		return setItems(field, value)
	}
	return nil
}

// setItems sets a field to a list or map of items.
func setItems(field reflect.Value, value string) error {
	if field.Kind() == reflect.Map {
		field.Set(reflect.MakeMap(field.Type()))
	}
	for _, item := range strings.Fields(value) {
		parts := []string{item}
		if i := strings.LastIndexByte(item, '='); i >= 0 {
			parts = append([]string{item[:i]}, strings.Split(item[i+1:], ",")...)
		}
		for i := range parts {
			parts[i] = spaced(parts[i])
		}
		var err error
		switch field.Kind() {
		case reflect.Slice:
			element := reflect.New(field.Type().Elem()).Elem()
			_, err = setParts(element, parts)
			field.Set(reflect.Append(field, element))
		case reflect.Map:
			key, element := reflect.New(field.Type().Key()).Elem(), reflect.New(field.Type().Elem()).Elem()
			if parts, err = setParts(key, parts); err == nil {
				_, err = setParts(element, parts)
			}
			field.SetMapIndex(key, element)
		default:
			_, err = setParts(field, parts)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", item, err)
		}
	}
	return nil
}

// setParts sets a value from the first parts of an item, or a list from all parts, and returns the remaining ones.
func setParts(v reflect.Value, parts []string) (rest []string, err error) {
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.ValueOf(parts))
		return nil, nil
	case reflect.Array:
		for i := 0; i < v.Len() && err == nil; i++ {
			parts, err = setParts(v.Index(i), parts)
		}
		return parts, err
	case reflect.Struct:
		for i := 0; i < v.NumField() && err == nil; i++ {
			name := v.Type().Field(i).Name
			if v.Field(i).Kind() == reflect.Bool {
				v.Field(i).SetBool(slices.ContainsFunc(parts, func(part string) bool { return strings.EqualFold(part, name) }))
			} else if len(parts) > 0 {
				parts, err = setParts(v.Field(i), parts)
			}
		}
		return parts, err
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("want a value behind =")
	}
	switch part := parts[0]; v.Kind() {
	case reflect.String:
		v.SetString(part)
	case reflect.Int32:
		r, _ := utf8.DecodeRuneInString(part)
		v.SetInt(int64(r))
	case reflect.Int:
		var n int
		n, err = strconv.Atoi(part)
		v.SetInt(int64(n))
	default:
		status, known := statuses[part]
		if !known {
			err = fmt.Errorf("there is no status %q", part)
		}
		v.SetUint(uint64(status))
	}
	return parts[1:], err
}

func spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

var (
	statuses = map[string]Status{"usual": Usual, "uncertain": Uncertain, "negated": Negated, "historical": Historical,
		"hypothetical": Hypothetical, "other_person": OtherPerson}
	dimensionNames = map[string]Dimension{"polarity": Polarity, "temporality": Temporality, "experiencer": Experiencer}
	places         = map[string]Place{"final": Final, "initial": Initial, "adjacent": Adjacent, "between": Between}
)

// newTrigger returns the trigger described by a key: "after negated adjacent", "ends polarity temporality past".
func newTrigger(key []string, terms string) (t Trigger, err error) {
	t.Terms = terms
	for i, word := range key {
		status, isStatus := statuses[word]
		dimension, isDimension := dimensionNames[word]
		place, isPlace := places[word]
		switch {
		case isDimension:
			t.Ends[dimension] = true
		case isPlace:
			t.Where = place
		case word == "past":
			t.Past = true
		case isStatus && key[i-1] == "after":
			t.After = status
		case isStatus:
			t.Before = status
		case word != "after" && word != "before" && word != "ends":
			err = fmt.Errorf("a trigger has no effect %q", word)
		}
	}
	return t, err
}
