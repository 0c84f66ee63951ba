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

// LinkTemplates are the addresses of the web pages of concepts and documents. In a template {id} stands for an
// identifier, and {prefix} and {local} for what is before and after its first colon: "MESH" and "D003924" of
// "MESH:D003924". All are escaped as a component of a URL. The empty template stands for no address.
type LinkTemplates struct {
	Concept  string // of concepts of the dictionary
	Document string // of documents, among them those of the corpus that evidence is from
}

var placeholders = regexp.MustCompile(`\{[^{}]*\}`)

// ParseLinkTemplates returns the templates by what they are of, "concept" and "document". It refuses a template that is
// no address of http or https, has neither {id} nor {local}, or has one of them in its host, which an identifier of a
// file would choose.
func ParseLinkTemplates(templates map[string]string) (LinkTemplates, error) {
	for _, kind := range slices.Sorted(maps.Keys(templates)) {
		if kind != "concept" && kind != "document" {
			return LinkTemplates{}, fmt.Errorf("%s is no kind of identifier, want concept or document",
				input.Quote(kind))
		}
		if err := checkLinkTemplate(templates[kind]); err != nil {
			return LinkTemplates{}, fmt.Errorf("%s is %s, want %w", kind, input.Quote(templates[kind]), err)
		}
	}
	return LinkTemplates{Concept: templates["concept"], Document: templates["document"]}, nil
}

// checkLinkTemplate returns what is wanted of a template that lacks it.
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

// linkAddress returns the address of an identifier by a template, empty if there is none: without a template, or for an
// identifier that lacks the prefix that the template has.
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
