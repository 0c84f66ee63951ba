package basemodel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	defaultEndpoint = "https://huggingface.co"
	headTimeout     = 10 * time.Second // as huggingface_hub's HF_HUB_ETAG_TIMEOUT
	maxRedirects    = 10
)

// hub is a client for the files of one model on one server.
type hub struct {
	Options
	endpoint   *url.URL
	name       string
	token      string
	getClient  *http.Client // follows redirects, also to the storage server of large files
	headClient *http.Client // stops at a redirect to another origin, whose answer lacks the ETag of the file
}

func newHub(name string, o Options) (*hub, error) {
	o.retryWait = cmp.Or(o.retryWait, time.Second)
	endpoint, err := parseEndpoint(cmp.Or(os.Getenv("HF_ENDPOINT"), defaultEndpoint))
	if err != nil {
		return nil, err
	}
	return &hub{
		Options:    o,
		endpoint:   endpoint,
		name:       name,
		token:      strings.TrimSpace(os.Getenv("HF_TOKEN")), // files of tokens end with a line end
		getClient:  &http.Client{CheckRedirect: protectToken},
		headClient: &http.Client{CheckRedirect: stopAtOtherOrigin},
	}, nil
}

// stopAtOtherOrigin makes a client return a redirect to another origin instead of
// following it.
func stopAtOtherOrigin(next *http.Request, before []*http.Request) error {
	if !sameOrigin(next.URL, before[0].URL) {
		return http.ErrUseLastResponse
	}
	return protectToken(next, before)
}

// protectToken makes a client follow redirects, but send the token only to the scheme,
// host and port of the first request. By default net/http would send it to other ports, to
// subdomains and from https to http too.
func protectToken(next *http.Request, before []*http.Request) error {
	if len(before) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if !sameOrigin(next.URL, before[0].URL) {
		next.Header.Del("Authorization")
	}
	return nil
}

// statusError is a response with an error status.
type statusError struct {
	url    string
	status int
	reason string // the hub's error code, such as "RepoNotFound"; may be empty
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s: %d %s", e.url, e.status, http.StatusText(e.status))
	if e.reason != "" {
		text += fmt.Sprintf(" (%.60s)", e.reason)
	}
	return text
}

func (e *statusError) isTemporary() bool {
	return e.status >= 500 || e.status == http.StatusTooManyRequests ||
		e.status == http.StatusRequestedRangeNotSatisfiable
}

func isMissing(err error) bool {
	var status *statusError
	return errors.As(err, &status) && status.status == http.StatusNotFound
}

// remoteFile is the metadata of a file on the hub.
type remoteFile struct {
	url    *url.URL
	commit string
	etag   string // identifies the content; the SHA-256 for a large file
	size   int64  // bytes; -1 if unknown
}

// String returns the URL of the file for messages.
func (r remoteFile) String() string { return publicURL(r.url) }

var (
	validCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	validETag   = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)
)

// stat requests the commit, ETag and size of a file, as hf_hub_download does.
func (h *hub) stat(ctx context.Context, revision, file string) (remoteFile, error) {
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	location := h.endpoint.JoinPath(h.name, "resolve", revision, file)
	response, err := h.send(ctx, h.headClient, http.MethodHead, location, 0)
	if err != nil {
		return remoteFile{}, err
	}
	response.Body.Close()
	header := response.Header
	etag := cmp.Or(header.Get("X-Linked-Etag"), header.Get("Etag"))
	remote := remoteFile{
		url:    location,
		commit: header.Get("X-Repo-Commit"),
		etag:   strings.Trim(strings.TrimPrefix(etag, "W/"), `"`),
		size:   -1,
	}
	if size, err := strconv.ParseInt(header.Get("X-Linked-Size"), 10, 64); err == nil && size >= 0 {
		remote.size = size
	} else if response.StatusCode == http.StatusOK {
		remote.size = response.ContentLength
	}
	// Both are used in paths.
	if !validCommit.MatchString(remote.commit) || !validETag.MatchString(remote.etag) {
		return remoteFile{}, fmt.Errorf("%s: not a response of a Hugging Face hub (X-Repo-Commit %q, ETag %q)",
			remote, remote.commit, etag)
	}
	return remote, nil
}

// send sends one request for the content from byte offset on. An error status is returned
// as a *statusError. Errors name URLs as publicURL returns them.
//
// INVARIANT: no request to another scheme, host or port has the token, see protectToken.
func (h *hub) send(ctx context.Context, client *http.Client, method string, location *url.URL,
	offset int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, location.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "ctxnorm")
	request.Header.Set("Accept-Encoding", "identity") // so that sizes are those of the file
	if offset > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	if h.token != "" {
		request.Header.Set("Authorization", "Bearer "+h.token)
	}
	response, err := client.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return nil, fmt.Errorf("%s: %w", publicURL(location), failed.Err)
	}
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 400 {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
		response.Body.Close()
		return nil, &statusError{url: publicURL(location), status: response.StatusCode,
			reason: response.Header.Get("X-Error-Code")}
	}
	return response, nil
}
