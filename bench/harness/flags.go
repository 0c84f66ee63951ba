package harness

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// fields visits the fields of a struct that have flags, with pointers to their values.
func fields(options any) func(yield func(reflect.StructField, any) bool) {
	return func(yield func(reflect.StructField, any) bool) {
		v := reflect.ValueOf(options).Elem()
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if _, ok := field.Tag.Lookup("flag"); ok && !yield(field, v.Field(i).Addr().Interface()) {
				return
			}
		}
	}
}

// ParseFlags parses a flag for every field of a struct with a tag such as `flag:"docs" default:"40000" usage:"records to
// make"`, and returns the other arguments. A text whose tag required has the program's name must be given.
func ParseFlags(options any, name string, args []string) ([]string, error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	for field, value := range fields(options) {
		name, usage := field.Tag.Get("flag"), field.Tag.Get("usage")
		switch value := value.(type) {
		case *string:
			flags.StringVar(value, name, "", usage)
		case *int:
			flags.IntVar(value, name, 0, usage)
		case *float64:
			flags.Float64Var(value, name, 0, usage)
		case *bool:
			flags.BoolVar(value, name, false, usage)
		}
		if initial, ok := field.Tag.Lookup("default"); ok {
			f := flags.Lookup(name)
			if err := f.Value.Set(initial); err != nil {
				panic(err) // a tag is wrong
			}
			f.DefValue = initial
		}
	}
	err := flags.Parse(args)
	for field, value := range fields(options) {
		text, ok := value.(*string)
		if err == nil && ok && *text == "" && slices.Contains(strings.Fields(field.Tag.Get("required")), name) {
			err = fmt.Errorf("-%s is not given", field.Tag.Get("flag"))
		}
	}
	return flags.Args(), err
}

// Values returns the values of the flags of a struct by their names, and those that are whole numbers as a report describes them.
func Values(options any) (values map[string]string, numbers string) {
	values = map[string]string{}
	var all []string
	for field, value := range fields(options) {
		name := field.Tag.Get("flag")
		values[name] = fmt.Sprint(reflect.ValueOf(value).Elem().Interface())
		if _, ok := value.(*int); ok {
			all = append(all, name+" "+values[name])
		}
	}
	return values, strings.Join(all, ", ")
}
