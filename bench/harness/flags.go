package harness

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// fields visits the fields of a struct that have a tag, with pointers to their values.
func fields(options any, tag string) iter.Seq2[reflect.StructField, any] {
	return func(yield func(reflect.StructField, any) bool) {
		v := reflect.ValueOf(options).Elem()
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if _, ok := field.Tag.Lookup(tag); ok && !yield(field, v.Field(i).Addr().Interface()) {
				return
			}
		}
	}
}

// ParseFlags parses a flag for every field of a struct with a tag such as `flag:"docs" default:"40000" usage:"records
// to make"`. The other arguments go to a field with a tag args, and are an error without one.
//
// A tag with the name of another flag, such as quick:"1500", is the default when that flag is on. The tag env names the
// environment variable that replaces a missing string. A string is required if its tag required has the program's name.
func ParseFlags(options any, name string, args []string) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	for field, value := range fields(options, "flag") {
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
		case **regexp.Regexp:
			*value = regexp.MustCompile("")
			flags.TextVar(*value, name, *value, usage)
		}
		if initial, ok := field.Tag.Lookup("default"); ok {
			Check(flags.Lookup(name).Value.Set(initial))
			flags.Lookup(name).DefValue = initial
		}
	}
	Check(flags.Parse(args))
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for field, value := range fields(options, "flag") {
		name := field.Tag.Get("flag")
		for mode := range given {
			if initial, ok := field.Tag.Lookup(mode); ok && !given[name] && flags.Lookup(mode).Value.String() == "true" {
				Check(flags.Lookup(name).Value.Set(initial))
			}
		}
		if text, ok := value.(*string); ok && *text == "" {
			*text = os.Getenv(field.Tag.Get("env"))
			isRequired := slices.Contains(strings.Fields(field.Tag.Get("required")), flags.Name())
			Require(*text != "" || !isRequired, "-%s is not given", name)
		}
	}
	takesArgs := false
	for _, value := range fields(options, "args") {
		*value.(*[]string), takesArgs = flags.Args(), true
	}
	Require(takesArgs || flags.NArg() == 0, "%q is not a flag", flags.Arg(0))
}

// Values returns the values of the flags of a struct by their names, and a description of the whole numbers for a
// report.
func Values(options any) (values map[string]string, numbers string) {
	values = map[string]string{}
	var all []string
	for field, value := range fields(options, "flag") {
		name := field.Tag.Get("flag")
		values[name] = fmt.Sprint(reflect.ValueOf(value).Elem().Interface())
		if _, ok := value.(*int); ok {
			all = append(all, name+" "+values[name])
		}
	}
	return values, strings.Join(all, ", ")
}
