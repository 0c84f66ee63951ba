package bert

import (
	"cmp"
	"context"
	"crypto/sha1" // git's hash
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

const (
	stallTimeout = time.Minute // aborts a transfer after this time without data
	maxRedirects = 10
	maxListing   = 16 << 20 // bytes; the listing of a model with ten thousand files takes a tenth
)

// hub is a client for the files of one model on one server.
type hub struct {
	endpoint *url.URL
	name     string
	progress DownloadProgress // may be nil
}

// listing is the hub's description of a model.
type listing struct {
	Commit string       `json:"sha"`
	Files  []remoteFile `json:"siblings"`
}

// remoteFile is the hub's description of a file.
type remoteFile struct {
	Name string `json:"rfilename"`
	Size int64  `json:"size"`
	Git  string `json:"blobId"` // git's hash; for a large file, the hash of a pointer to it
	LFS  *struct {
		SHA256 string `json:"sha256"`
	} `json:"lfs"` // set for a large file
}

// download downloads the missing files of a model into its folder in the cache and returns the folder of its commit.
// The weights come last, so errors show up before the long download.
func download(ctx context.Context, name, cache string, progress DownloadProgress) (string, error) {
	endpoint, err := parseEndpoint(cmp.Or(os.Getenv("HF_ENDPOINT"), "https://huggingface.co"))
	if err != nil {
		return "", err
	}
	h := hub{endpoint, name, progress}
	model, err := h.list(ctx)
	if err != nil {
		return "", err
	}
	files, err := model.wanted()
	if err != nil {
		return "", fmt.Errorf("%s %w", publicURL(endpoint.JoinPath(name)), err)
	}
	dir := filepath.Join(cache, "snapshots", model.Commit)
	if err := artifact.MkdirAll(dir); err != nil {
		return "", err
	}
	for _, file := range files {
		if err := h.fetch(ctx, dir, file); err != nil {
			return "", err
		}
	}
	ref := filepath.Join(cache, "refs", branch)
	return dir, errors.Join(artifact.MkdirAll(filepath.Dir(ref)), artifact.WriteFile(ref, []byte(model.Commit)))
}

// parseEndpoint parses the value of HF_ENDPOINT. Its error never contains a password.
func parseEndpoint(value string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(value, "/"))
	if err != nil || u.Opaque != "" { // an error of url.Parse would quote the whole value
		u = &url.URL{Path: value[strings.LastIndexByte(value, '@')+1:]}
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("HF_ENDPOINT is %q, want a URL such as https://huggingface.co", publicURL(u))
	}
	return u, nil
}

// publicURL returns a URL for messages: without the user and password, and without the query and the fragment, which in
// links to a storage server are a signature.
func publicURL(u *url.URL) string {
	public := *u
	public.User, public.RawQuery, public.Fragment = nil, "", ""
	return public.String()
}

// origin returns the scheme, host and port of a URL in canonical form.
func origin(u *url.URL) string {
	standardPort := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), standardPort)
}

// checkRedirect follows redirects but does not send the token to other origins. By default net/http would send it to
// other ports, to subdomains and from https to http.
func checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if origin(next.URL) != origin(before[0].URL) {
		next.Header.Del("Authorization")
	}
	return nil
}

// get requests a location and passes the body to read, which calls alive whenever data has arrived. Errors name URLs in
// the form of publicURL.
func (h *hub) get(ctx context.Context, location *url.URL, read func(body io.Reader, alive func()) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(stallTimeout, func() { cancel(fmt.Errorf("no data for %v", stallTimeout)) })
	defer stall.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, location.String(), nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", "ctxnorm")
	request.Header.Set("Accept-Encoding", "identity")                   // so sizes are those of the file
	if token := strings.TrimSpace(os.Getenv("HF_TOKEN")); token != "" { // token files end with a newline
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := (&http.Client{CheckRedirect: checkRedirect}).Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", publicURL(location), cmp.Or(context.Cause(ctx), failed.Err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		err := fmt.Errorf("%s: %s", publicURL(location), response.Status)
		if code := response.Header.Get("X-Error-Code"); code != "" {
			err = fmt.Errorf("%w (%.60s)", err, code)
		}
		return err
	}
	if err := read(response.Body, func() { stall.Reset(stallTimeout) }); err != nil {
		return fmt.Errorf("%s: %w", publicURL(location), cmp.Or(context.Cause(ctx), err))
	}
	return nil
}

var validCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`) // it becomes the name of a folder

// list requests the list of files of the model.
func (h *hub) list(ctx context.Context) (model listing, err error) {
	location := h.endpoint.JoinPath("api/models", h.name, "revision", branch)
	location.RawQuery = "blobs=true" // with sizes and hashes
	err = h.get(ctx, location, func(body io.Reader, _ func()) error {
		data, err := io.ReadAll(io.LimitReader(body, maxListing))
		if err == nil && (json.Unmarshal(data, &model) != nil || !validCommit.MatchString(model.Commit)) {
			err = errors.New("not a response of a Hugging Face hub")
		}
		return err
	})
	return model, err
}

// wanted returns the files to download, required ones last.
func (m *listing) wanted() (files []remoteFile, err error) {
	add := func(name string) bool {
		at := slices.IndexFunc(m.Files, func(file remoteFile) bool { return file.Name == name })
		if at >= 0 && !slices.Contains(files, m.Files[at]) {
			files = append(files, m.Files[at])
		}
		return at >= 0
	}
	for _, name := range optional {
		add(name)
	}
	for _, anyOf := range required {
		if !slices.ContainsFunc(anyOf, add) {
			return nil, errors.New("has no " + strings.Join(anyOf, " and no "))
		}
	}
	return files, nil
}

// fetch downloads a file into the folder of its commit, completely or not at all, unless it is already there.
func (h *hub) fetch(ctx context.Context, dir string, file remoteFile) error {
	if hasAny(dir, []string{file.Name}) {
		return nil
	}
	to, err := artifact.Create(filepath.Join(dir, file.Name))
	if err != nil {
		return err
	}
	defer to.Discard()
	location := h.endpoint.JoinPath(h.name, "resolve", filepath.Base(dir), file.Name)
	err = h.get(ctx, location, func(body io.Reader, alive func()) error {
		return file.copy(to, body, func(done int64) {
			alive()
			if h.progress != nil {
				h.progress(file.Name, done, file.Size)
			}
		})
	})
	if err != nil {
		return err
	}
	return to.Commit()
}

// copy copies the content of a file and compares its size and hash with the hub's.
func (f *remoteFile) copy(to io.Writer, body io.Reader, progress func(done int64)) error {
	hash, want := sha1.New(), f.Git
	fmt.Fprintf(hash, "blob %d\x00", f.Size)
	if f.LFS != nil {
		hash, want = sha256.New(), f.LFS.SHA256
	}
	var err error
	done := int64(0)
	for err == nil && done <= f.Size {
		var n int64
		n, err = io.CopyN(io.MultiWriter(to, hash), body, 1<<16)
		done += n
		progress(done)
	}
	switch {
	case done > f.Size:
		return fmt.Errorf("got %d bytes or more, want %d", done, f.Size)
	case err != io.EOF || done < f.Size:
		return fmt.Errorf("transfer interrupted after %d of %d bytes: %w", done, f.Size, err)
	case hex.EncodeToString(hash.Sum(nil)) != want:
		return fmt.Errorf("its hash is not %s", want)
	}
	return nil
}
