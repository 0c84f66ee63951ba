package basemodel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
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

// hub asks one server for the files of one model.
type hub struct {
	Options
	endpoint string // without a slash at the end
	name     string
	token    string
	get      *http.Client // follows redirects, to a store of large files too
	head     *http.Client // stops before it leaves the server, which knows the etag
}

func newHub(name string, o Options) *hub {
	o.retryWait = cmp.Or(o.retryWait, time.Second)
	return &hub{
		Options:  o,
		endpoint: strings.TrimRight(cmp.Or(os.Getenv("HF_ENDPOINT"), defaultEndpoint), "/"),
		name:     name,
		token:    os.Getenv("HF_TOKEN"),
		get:      &http.Client{},
		head:     &http.Client{CheckRedirect: stayOnServer},
	}
}

func stayOnServer(next *http.Request, before []*http.Request) error {
	if len(before) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if next.URL.Host != before[0].URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// statusError is an answer that is not the file.
type statusError struct {
	url    string
	status int
	reason string // the hub's own word, such as "RepoNotFound"; may be empty
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s: %d %s", e.url, e.status, http.StatusText(e.status))
	if e.reason != "" {
		text += " (" + e.reason + ")"
	}
	return text
}

func (e *statusError) isPassing() bool {
	return e.status >= 500 || e.status == http.StatusTooManyRequests ||
		e.status == http.StatusRequestedRangeNotSatisfiable
}

func isMissing(err error) bool {
	var status *statusError
	return errors.As(err, &status) && status.status == http.StatusNotFound
}

// remoteFile is what the hub says of a file before it is fetched.
type remoteFile struct {
	url    string
	commit string
	etag   string // names the content: the SHA-256 of a large file
	size   int64  // bytes; -1 where the server does not say
}

var (
	soundCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
	soundETag   = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)
)

// stat asks for the commit, etag and size of a file, as hf_hub_download does.
func (h *hub) stat(ctx context.Context, revision, file string) (remoteFile, error) {
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	url := fmt.Sprintf("%s/%s/resolve/%s/%s", h.endpoint, h.name, revision, file)
	response, err := h.ask(ctx, h.head, http.MethodHead, url, 0)
	if err != nil {
		return remoteFile{}, err
	}
	response.Body.Close()
	header := response.Header
	etag := cmp.Or(header.Get("X-Linked-Etag"), header.Get("Etag"))
	remote := remoteFile{
		url:    url,
		commit: header.Get("X-Repo-Commit"),
		etag:   strings.Trim(strings.TrimPrefix(etag, "W/"), `"`),
		size:   -1,
	}
	if size, err := strconv.ParseInt(header.Get("X-Linked-Size"), 10, 64); err == nil {
		remote.size = size
	} else if response.StatusCode == http.StatusOK {
		remote.size = response.ContentLength
	}
	// Both become parts of paths.
	if !soundCommit.MatchString(remote.commit) || !soundETag.MatchString(remote.etag) {
		return remoteFile{}, fmt.Errorf("%s: not the answer of a Hugging Face hub (X-Repo-Commit %q, ETag %q)",
			url, remote.commit, etag)
	}
	return remote, nil
}

// ask sends one request, for what follows byte offset, and makes an answer other
// than the file or a redirect to it an error.
func (h *hub) ask(ctx context.Context, client *http.Client, method, url string, offset int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "ctxnorm")
	request.Header.Set("Accept-Encoding", "identity") // the sizes are of the file itself
	if offset > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	if h.token != "" {
		request.Header.Set("Authorization", "Bearer "+h.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 400 {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
		response.Body.Close()
		return nil, &statusError{url: url, status: response.StatusCode, reason: response.Header.Get("X-Error-Code")}
	}
	return response, nil
}
