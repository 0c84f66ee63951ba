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
	stallTimeout = time.Minute // without a byte, after which a transfer is aborted
	maxRedirects = 10

	// maxUnstatedSize limits files whose size the hub does not state: ten times the largest
	// tokenizer. Every hub states the size of weights.
	maxUnstatedSize = 128 << 20
)

// hub is a client for the files of one model on one server.
type hub struct {
	model    *url.URL
	cache    string // folder of the model
	token    string
	client   http.Client
	progress Progress // may be nil
}

func newHub(name, cache string, progress Progress) (*hub, error) {
	endpoint, err := parseEndpoint(cmp.Or(os.Getenv("HF_ENDPOINT"), "https://huggingface.co"))
	if err != nil {
		return nil, err
	}
	token := strings.TrimSpace(os.Getenv("HF_TOKEN")) // files of tokens end with a line end
	client := http.Client{CheckRedirect: checkRedirect}
	return &hub{endpoint.JoinPath(name), cache, token, client, progress}, nil
}

// download downloads the files of a model that its folder in the cache lacks, and returns the folder of its commit. The
// weights come last, so that errors occur before the long download.
func download(ctx context.Context, name, cache string, progress Progress) (string, error) {
	h, err := newHub(name, cache, progress)
	if err != nil {
		return "", err
	}
	dir, err := h.fetch(ctx, branch, "config.json")
	if err != nil {
		return "", err
	}
	commit := filepath.Base(dir)
	for _, file := range optional {
		if _, err := h.fetch(ctx, commit, file); err != nil && !isMissing(err) {
			return "", err
		}
	}
	for _, anyOf := range required {
		if hasAny(dir, anyOf) {
			continue
		}
		for _, file := range anyOf {
			if _, err = h.fetch(ctx, commit, file); !isMissing(err) {
				break
			}
		}
		if isMissing(err) {
			err = fmt.Errorf("%s has no %s: %w", publicURL(h.model), strings.Join(anyOf, " and no "), err)
		}
		if err != nil {
			return "", err
		}
	}
	ref := filepath.Join(cache, "refs", branch)
	return dir, errors.Join(artifact.MkdirAll(filepath.Dir(ref)), artifact.WriteFile(ref, []byte(commit)))
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
// send it to other ports, to subdomains and from https to http.
func checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if origin(next.URL) != origin(before[0].URL) {
		next.Header.Del("Authorization")
	}
	return nil
}

// missingError is an answer of the hub that there is no such file.
type missingError struct{ error }

func isMissing(err error) bool { return errors.As(err, new(missingError)) }

// get requests a file. Errors name URLs as publicURL returns them.
func (h *hub) get(ctx context.Context, location *url.URL) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, location.String(), nil)
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
		return nil, fmt.Errorf("%s: %w", publicURL(location), cmp.Or(context.Cause(ctx), failed.Err))
	}
	if err == nil && response.StatusCode != http.StatusOK {
		response.Body.Close()
		err = fmt.Errorf("%s: %s", publicURL(location), response.Status)
		if code := response.Header.Get("X-Error-Code"); code != "" {
			err = fmt.Errorf("%w (%.60s)", err, code)
		}
		if response.StatusCode == http.StatusNotFound {
			err = missingError{err}
		}
	}
	return response, err
}

// announcement is what the hub says of a file.
type announcement struct {
	commit string
	etag   string // identifies the content; the SHA-256 for a large file
	size   int64  // bytes; -1 if unknown
}

var (
	validCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`) // a name of a folder
	validETag   = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)
)

// announced returns what the hub said of the file in a response: in its last answer before it redirected to a storage
// server.
func (h *hub) announced(response *http.Response) (announcement, error) {
	answer := response
	for origin(answer.Request.URL) != origin(h.model) {
		answer = answer.Request.Response
	}
	header := answer.Header
	etag := cmp.Or(header.Get("X-Linked-Etag"), strings.TrimPrefix(header.Get("Etag"), "W/"))
	a := announcement{header.Get("X-Repo-Commit"), strings.Trim(etag, `"`), -1}
	if !validCommit.MatchString(a.commit) || !validETag.MatchString(a.etag) {
		return a, fmt.Errorf("not a response of a Hugging Face hub (X-Repo-Commit %q, ETag %q)", a.commit, a.etag)
	}
	if size, err := strconv.ParseInt(header.Get("X-Linked-Size"), 10, 64); err == nil && size >= 0 {
		a.size = size
	} else if answer == response {
		a.size = response.ContentLength
	}
	return a, nil
}

// fetch downloads one file of a revision into the folder of its commit, completely or not at all, unless it is there.
// It returns the folder.
func (h *hub) fetch(ctx context.Context, revision, file string) (dir string, err error) {
	dir = filepath.Join(h.cache, "snapshots", revision)
	if hasAny(dir, []string{file}) {
		return dir, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(stallTimeout, func() { cancel(fmt.Errorf("no data for %v", stallTimeout)) })
	defer stall.Stop()
	location := h.model.JoinPath("resolve", revision, file)
	response, err := h.get(ctx, location)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	remote, err := h.announced(response)
	if err != nil {
		return "", fmt.Errorf("%s: %w", publicURL(location), err)
	}
	dir = filepath.Join(h.cache, "snapshots", remote.commit)
	if err := artifact.MkdirAll(dir); err != nil {
		return "", err
	}
	to, err := artifact.Create(filepath.Join(dir, file))
	if err != nil {
		return "", err
	}
	defer to.Discard()
	progress := func(done int64) {
		stall.Reset(stallTimeout)
		if h.progress != nil {
			h.progress(file, done, remote.size)
		}
	}
	if err := remote.copy(ctx, to, response, progress); err != nil {
		return "", fmt.Errorf("%s: %w", publicURL(location), err)
	}
	return dir, to.Commit()
}

// copy copies the content of a file from a response, and compares it with what was announced.
func (a announcement) copy(ctx context.Context, to *artifact.File, response *http.Response, progress func(int64)) error {
	limit := a.size
	if limit < 0 {
		limit = maxUnstatedSize
	}
	var err error
	done := int64(0)
	for err == nil && max(done, response.ContentLength) <= limit {
		var n int64
		n, err = io.CopyN(to, response.Body, 1<<16)
		done += n
		progress(done)
	}
	switch {
	case max(done, response.ContentLength) > limit:
		return fmt.Errorf("got %d bytes or more, want at most %d", max(done, response.ContentLength), limit)
	case err != io.EOF || done < a.size:
		return fmt.Errorf("transfer interrupted after %d of %d bytes: %w", done, a.size, cmp.Or(context.Cause(ctx), err))
	case !hasHash(to, done, a.etag):
		return fmt.Errorf("its hash is not %s", a.etag)
	}
	return nil
}

// isLocal reports whether an error is one of the local disk.
func isLocal(err error) bool {
	return errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError))
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
