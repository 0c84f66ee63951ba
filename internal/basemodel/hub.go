package basemodel

import (
	"cmp"
	"context"
	"crypto/sha1" // git's hash
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

const (
	headTimeout  = 10 * time.Second // as huggingface_hub's HF_HUB_ETAG_TIMEOUT
	stallTimeout = time.Minute      // without a byte, after which a transfer is aborted
	maxAttempts  = 5                // to download a file
	maxRedirects = 10

	// maxUnstatedSize limits files whose size the hub does not state: ten times the largest
	// tokenizer. Every hub states the size of weights.
	maxUnstatedSize = 128 << 20
)

// hub is a client for the files of one model on one server.
type hub struct {
	Options
	model  *url.URL
	token  string
	client http.Client
}

func newHub(name string, o Options) (*hub, error) {
	endpoint, err := parseEndpoint(cmp.Or(os.Getenv("HF_ENDPOINT"), "https://huggingface.co"))
	if err != nil {
		return nil, err
	}
	token := strings.TrimSpace(os.Getenv("HF_TOKEN")) // files of tokens end with a line end
	return &hub{o, endpoint.JoinPath(name), token, http.Client{CheckRedirect: checkRedirect}}, nil
}

// download downloads the files of a base model into the cache and returns their folder. The
// weights come last, so that errors occur before the long download.
func download(ctx context.Context, name, cache string, o Options) (string, error) {
	h, err := newHub(name, o)
	if err != nil {
		return "", err
	}
	config, err := h.stat(ctx, branch, "config.json")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "snapshots", config.commit)
	for _, file := range small {
		if err := h.fetch(ctx, dir, file); err != nil && !isMissing(err) {
			return "", err
		}
	}
	for _, anyOf := range required {
		if err := h.fetchFirst(ctx, dir, anyOf); err != nil {
			return "", err
		}
	}
	ref := filepath.Join(cache, "refs", branch)
	return dir, errors.Join(artifact.MkdirAll(filepath.Dir(ref)), artifact.WriteFile(ref, []byte(config.commit)))
}

// parseEndpoint parses the value of HF_ENDPOINT. Its error does not contain a password.
func parseEndpoint(value string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(value, "/"))
	if err != nil || u.Opaque != "" { // an error of url.Parse quotes the whole value
		u = &url.URL{Path: value[strings.LastIndexByte(value, '@')+1:]}
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("HF_ENDPOINT is %q, want a URL such as https://huggingface.co", publicURL(u))
	}
	return u, nil
}

// publicURL returns a URL for messages: without the user and the password, and without the query and
// the fragment, which are a signature in links to a storage server.
func publicURL(u *url.URL) string {
	public := *u
	public.User, public.RawQuery, public.Fragment = nil, "", ""
	return public.String()
}

// origin returns the scheme, host and port of a URL in one spelling.
func origin(u *url.URL) string {
	standardPort := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), standardPort)
}

// checkRedirect follows redirects, but keeps the token from other origins. By default net/http would
// send it to other ports, to subdomains and from https to http. HEAD stays at the hub's own answer:
// that of the storage server lacks the ETag of the file.
func checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if origin(next.URL) != origin(before[0].URL) {
		next.Header.Del("Authorization")
		if next.Method == http.MethodHead {
			return http.ErrUseLastResponse
		}
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

func isMissing(err error) bool {
	status, ok := errors.AsType[*statusError](err)
	return ok && status.status == http.StatusNotFound
}

// send sends one request. A response with an error status is returned as a *statusError. Errors name
// URLs as publicURL returns them.
func (h *hub) send(ctx context.Context, method string, location *url.URL) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, location.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "ctxnorm")
	request.Header.Set("Accept-Encoding", "identity") // so that sizes are those of the file
	if h.token != "" {
		request.Header.Set("Authorization", "Bearer "+h.token)
	}
	response, err := h.client.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return nil, fmt.Errorf("%s: %w", publicURL(location), failed.Err)
	}
	if err == nil && response.StatusCode >= 400 {
		response.Body.Close()
		err = &statusError{publicURL(location), response.StatusCode, response.Header.Get("X-Error-Code")}
	}
	return response, err
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
	validCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`) // a name of a folder
	validETag   = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)
)

// stat requests the commit, ETag and size of a file, as hf_hub_download does.
func (h *hub) stat(ctx context.Context, revision, file string) (remoteFile, error) {
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	remote := remoteFile{url: h.model.JoinPath("resolve", revision, file), size: -1}
	response, err := h.send(ctx, http.MethodHead, remote.url)
	if err != nil {
		return remote, err
	}
	response.Body.Close()
	header := response.Header
	remote.commit = header.Get("X-Repo-Commit")
	remote.etag = strings.Trim(cmp.Or(header.Get("X-Linked-Etag"), strings.TrimPrefix(header.Get("Etag"), "W/")), `"`)
	if !validCommit.MatchString(remote.commit) || !validETag.MatchString(remote.etag) {
		return remote, fmt.Errorf("%s: not a response of a Hugging Face hub (X-Repo-Commit %q, ETag %q)",
			remote, remote.commit, remote.etag)
	}
	if size, err := strconv.ParseInt(header.Get("X-Linked-Size"), 10, 64); err == nil && size >= 0 {
		remote.size = size
	} else if response.StatusCode == http.StatusOK {
		remote.size = response.ContentLength
	}
	return remote, nil
}

// fetchFirst downloads the first of several files that the hub has, unless one of them is there.
func (h *hub) fetchFirst(ctx context.Context, dir string, anyOf []string) (err error) {
	if hasAny(dir, anyOf) {
		return nil
	}
	for _, file := range anyOf {
		if err = h.fetch(ctx, dir, file); !isMissing(err) {
			return err
		}
	}
	return fmt.Errorf("%s has no %s: %w", publicURL(h.model), strings.Join(anyOf, " and no "), err)
}

// fetch downloads one file into the folder of its commit, completely or not at all, unless it is there.
func (h *hub) fetch(ctx context.Context, dir, file string) error {
	if hasAny(dir, []string{file}) {
		return nil
	}
	remote, err := h.stat(ctx, filepath.Base(dir), file)
	if err != nil {
		return err
	}
	if err := artifact.MkdirAll(dir); err != nil {
		return err
	}
	wait := cmp.Or(h.retryWait, time.Second)
	for attempt := 1; ; attempt++ {
		err := h.transfer(ctx, filepath.Join(dir, file), remote)
		if err == nil || attempt == maxAttempts || isFinal(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// errWrongContent marks content that is not the announced one. Another attempt would get the same.
var errWrongContent = errors.New("not the announced content")

// isFinal reports whether another attempt would fail too.
func isFinal(err error) bool {
	if status, ok := errors.AsType[*statusError](err); ok {
		return status.status < 500 && status.status != http.StatusTooManyRequests
	}
	return isLocal(err) || errors.Is(err, errWrongContent)
}

// isLocal reports whether an error is one of the local disk.
func isLocal(err error) bool {
	_, isPath := errors.AsType[*fs.PathError](err)
	_, isLink := errors.AsType[*os.LinkError](err)
	return isPath || isLink
}

// transfer downloads a file to path.
func (h *hub) transfer(ctx context.Context, path string, remote remoteFile) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(stallTimeout, func() { cancel(fmt.Errorf("no data for %v", stallTimeout)) })
	defer stall.Stop()
	response, err := h.send(ctx, http.MethodGet, remote.url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	file, err := artifact.Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	limit := remote.size
	if limit < 0 {
		limit = maxUnstatedSize
	}
	var done int64
	for err == nil && max(done, response.ContentLength) <= limit {
		var n int64
		n, err = io.CopyN(file, response.Body, 1<<16)
		done += n
		stall.Reset(stallTimeout)
		if h.Progress != nil {
			h.Progress(filepath.Base(path), done, remote.size)
		}
	}
	switch {
	case max(done, response.ContentLength) > limit:
		return fmt.Errorf("%s: %w: got %d bytes or more, want at most %d", remote, errWrongContent,
			max(done, response.ContentLength), limit)
	case err != io.EOF || done < remote.size:
		return fmt.Errorf("%s: transfer interrupted after %d of %d bytes: %w", remote, done, remote.size,
			cmp.Or(context.Cause(ctx), err))
	case !hasHash(file, done, remote.etag):
		return fmt.Errorf("%s: %w: its hash is not %s", remote, errWrongContent, remote.etag)
	}
	return file.Commit()
}

// hasHash reports whether an ETag is the hash of the content, or no hash at all: the SHA-256 of a
// large file, git's hash of another, or the SHA-1 that some mirrors state.
func hasHash(content io.ReaderAt, size int64, etag string) bool {
	prefixes, newHash := []string{fmt.Sprintf("blob %d\x00", size), ""}, sha1.New
	switch len(etag) {
	case hex.EncodedLen(sha256.Size):
		prefixes, newHash = []string{""}, sha256.New
	case hex.EncodedLen(sha1.Size):
	default:
		return true
	}
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		hash := newHash()
		io.WriteString(hash, prefix) // hashes return no error
		_, err := io.Copy(hash, io.NewSectionReader(content, 0, size))
		return err == nil && hex.EncodeToString(hash.Sum(nil)) == etag
	})
}
