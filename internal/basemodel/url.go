package basemodel

import (
	"fmt"
	"net/url"
	"strings"
)

// parseEndpoint parses the value of HF_ENDPOINT. Its error does not contain a password of
// the value.
func parseEndpoint(value string) (*url.URL, error) {
	const want = "want a URL such as https://huggingface.co"
	u, err := url.Parse(strings.TrimRight(value, "/"))
	switch {
	case err != nil || u.Opaque != "":
		// There are no parts to choose from, and an error of url.Parse quotes all of the value.
		return nil, fmt.Errorf("HF_ENDPOINT is %q, %s", value[strings.LastIndexByte(value, '@')+1:], want)
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.RawQuery != "", u.Fragment != "":
		return nil, fmt.Errorf("HF_ENDPOINT is %q, %s", publicURL(u), want)
	}
	return u, nil
}

// publicURL returns a URL for messages: without the user and the password, and without the
// query and the fragment, which are a signature in the links to a storage server.
func publicURL(u *url.URL) string {
	public := *u
	public.User, public.RawQuery, public.Fragment = nil, "", ""
	return public.String()
}

// sameOrigin reports whether two URLs have the same scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

// portOf returns the port of a URL, which is that of the scheme if the URL has none.
func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
