package basemodel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	maxAttempts  = 5           // to download a file
	stallTimeout = time.Minute // without a byte, after which a transfer is aborted
)

// optional lists the files that are downloaded if the hub has them. They are downloaded
// before the required files, of which the weights are last, so that errors occur before
// the long download.
var optional = []string{"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"}

// download downloads the files of a base model and returns its snapshot folder.
func (h *hub) download(ctx context.Context, c cache) (string, error) {
	config, err := h.stat(ctx, branch, "config.json")
	if err != nil {
		return "", err
	}
	commit := config.commit
	if err := h.fetch(ctx, c, commit, "config.json"); err != nil {
		return "", err
	}
	for _, file := range optional {
		if err := h.fetch(ctx, c, commit, file); err != nil && !isMissing(err) {
			return "", err
		}
	}
	for _, anyOf := range required {
		if err := h.fetchFirst(ctx, c, commit, anyOf); err != nil {
			return "", err
		}
	}
	return c.snapshotDir(commit), c.writeRef(commit)
}

// fetchFirst downloads the first of several files that the hub has, unless the snapshot
// has one of them.
func (h *hub) fetchFirst(ctx context.Context, c cache, commit string, anyOf []string) error {
	for _, file := range anyOf {
		if c.hasFile(commit, file) {
			return nil
		}
	}
	var err error
	for _, file := range anyOf {
		if err = h.fetch(ctx, c, commit, file); !isMissing(err) {
			return err
		}
	}
	return fmt.Errorf("%s has no %s: %w", publicURL(h.endpoint.JoinPath(h.name)), strings.Join(anyOf, " and no "), err)
}

// fetch downloads one file into the snapshot, unless the snapshot has it.
func (h *hub) fetch(ctx context.Context, c cache, commit, file string) error {
	if c.hasFile(commit, file) {
		return nil
	}
	remote, err := h.stat(ctx, commit, file)
	if err != nil {
		return err
	}
	if !c.hasBlob(remote.etag) {
		if err := h.fetchBlob(ctx, c, file, remote); err != nil {
			return err
		}
	}
	return c.linkFile(commit, file, remote.etag)
}

// fetchBlob downloads the content of a file into the cache, completely or not at all. It
// resumes interrupted transfers where they stopped.
func (h *hub) fetchBlob(ctx context.Context, c cache, file string, remote remoteFile) error {
	blob, err := c.createBlob(remote)
	if err != nil {
		return err
	}
	defer blob.discard()
	wait := h.retryWait
	for attempt := 1; ; attempt++ {
		err := h.transfer(ctx, blob, file, remote)
		if err == nil {
			err = blob.finish()
		}
		if err == nil || attempt == maxAttempts || !isTemporary(err) {
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

// isTemporary reports whether another attempt may succeed.
func isTemporary(err error) bool {
	if status, ok := errors.AsType[*statusError](err); ok {
		return status.isTemporary()
	}
	return !errors.Is(err, errCacheWrite) && !errors.Is(err, errWrongContent)
}

// transfer downloads the rest of a file and appends it to the blob.
func (h *hub) transfer(ctx context.Context, blob *partialBlob, file string, remote remoteFile) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stallTimer := time.AfterFunc(stallTimeout, func() {
		cancel(fmt.Errorf("no data for %v", stallTimeout))
	})
	defer stallTimer.Stop()

	response, err := h.send(ctx, h.getClient, http.MethodGet, remote.url, blob.size)
	var status *statusError
	if errors.As(err, &status) && status.status == http.StatusRequestedRangeNotSatisfiable {
		return errors.Join(err, blob.restart())
	}
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if blob.size > 0 && response.StatusCode != http.StatusPartialContent {
		if err := blob.restart(); err != nil { // the server ignored the range and sends the whole file
			return err
		}
	}
	blob.resumed = blob.size > 0
	if err := blob.expect(response.ContentLength); err != nil {
		return err
	}
	blob.onWrite = func() {
		stallTimer.Reset(stallTimeout)
		if h.Progress != nil {
			h.Progress(file, blob.size, remote.size)
		}
	}
	if _, err := io.Copy(blob, response.Body); errors.Is(err, errWrongContent) {
		return err
	} else if err != nil {
		return fmt.Errorf("%s: transfer interrupted after %d of %d bytes: %w",
			remote, blob.size, remote.size, cmp.Or(context.Cause(ctx), err))
	}
	return nil
}
