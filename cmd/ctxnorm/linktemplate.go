package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/text/formats"
)

// linkTemplateFlag is the flag of the addresses that identifiers lead to.
type linkTemplateFlag map[string]string

func (l *linkTemplateFlag) register(flags *pflag.FlagSet) {
	flags.StringToStringVar((*map[string]string)(l), "link-template", nil,
		"`kind=address` that identifiers of a concept or a document lead to on the page of serve and in the format html: "+
			"concept=https://example.org/{id}; {prefix} and {local} are what is before and after its colon")
}

func (l *linkTemplateFlag) parse() (formats.LinkTemplates, error) {
	links, err := formats.ParseLinkTemplates(*l)
	if err != nil {
		return links, fmt.Errorf("--link-template: %w", err)
	}
	return links, nil
}
