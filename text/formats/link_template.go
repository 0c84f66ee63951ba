package formats

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// LinkTemplates are the addresses of web pages for concepts and documents. In a template, {id} stands for an
// identifier, and {prefix} and {local} for the parts before and after its first colon: "MESH" and "D003924" for
// "MESH:D003924". All are escaped as a component of a URL. With an empty template there is no address.
type LinkTemplates struct {
	Concept  string // of concepts of the dictionary
	Document string // of documents, including those of the corpus that evidence comes from
}

var placeholders = regexp.MustCompile(`\{[^{}]*\}`)

// ParseLinkTemplates returns the templates for the keys "concept" and "document". It refuses a template that is not an
// http or https address, has neither {id} nor {local}, or has a placeholder in its host, because an identifier in a
// file could then choose the host.
func ParseLinkTemplates(templates map[string]string) (LinkTemplates, error) {
	for _, kind := range slices.Sorted(maps.Keys(templates)) {
		if kind != "concept" && kind != "document" {
			return LinkTemplates{}, fmt.Errorf("WriterOptions.Links: %s is not a kind of identifier, want concept or document",
				input.Quote(kind))
		}
		if err := checkLinkTemplate(templates[kind]); err != nil {
			return LinkTemplates{}, fmt.Errorf("WriterOptions.Links: %s is %s, want %w", kind, input.Quote(templates[kind]), err)
		}
	}
	return LinkTemplates{Concept: templates["concept"], Document: templates["document"]}, nil
}

// checkLinkTemplate returns an error that describes what an invalid template should have.
func checkLinkTemplate(template string) error {
	names := placeholders.FindAllString(template, -1)
	for _, name := range names {
		if name != "{id}" && name != "{prefix}" && name != "{local}" {
			return fmt.Errorf("{id}, {prefix} or {local} in place of %s", name)
		}
	}
	if !strings.Contains(template, "{id}") && !strings.Contains(template, "{local}") {
		return errors.New("an address with {id} or {local}")
	}
	one, err := url.Parse(placeholders.ReplaceAllString(template, "x"))
	if err != nil || one.Scheme != "http" && one.Scheme != "https" || one.Host == "" {
		return errors.New("an address of http or https, such as https://example.org/{id}")
	}
	other, err := url.Parse(placeholders.ReplaceAllString(template, "1"))
	if err != nil || other.Scheme != one.Scheme || other.Host != one.Host || other.User.String() != one.User.String() {
		return errors.New("{id}, {prefix} and {local} behind the host")
	}
	return nil
}

// linkAddress returns the address of an identifier, or "" if the template is empty or needs a prefix that the
// identifier lacks.
func linkAddress(template, id string) string {
	prefix, local, hasPrefix := strings.Cut(id, ":")
	if !hasPrefix {
		prefix, local = "", id
	}
	if id == "" || local == "" || prefix == "" && strings.Contains(template, "{prefix}") {
		return ""
	}
	values := map[string]string{"{id}": id, "{prefix}": prefix, "{local}": local}
	return placeholders.ReplaceAllStringFunc(template, func(name string) string {
		return strings.ReplaceAll(url.QueryEscape(values[name]), "+", "%20")
	})
}
