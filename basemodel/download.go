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
	maxAttempts  = 5           // to fetch a file
	stallTimeout = time.Minute // without a byte, after which a transfer is given up
)

// optional lists the files that are fetched where the hub has them, before those
// required, of which the weights come last: what is wrong shows before the long
// wait.
var optional = []string{"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"}

// download fetches the files of a base model and gives the folder of its snapshot.
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
	return c.snapshotOf(commit), c.setBranch(commit)
}

// fetchFirst fetches the first of several files that the hub has.
func (h *hub) fetchFirst(ctx context.Context, c cache, commit string, anyOf []string) error {
	for _, file := range anyOf {
		if c.has(commit, file) {
			return nil
		}
	}
	var err error
	for _, file := range anyOf {
		if err = h.fetch(ctx, c, commit, file); !isMissing(err) {
			return err
		}
	}
	return fmt.Errorf("%s/%s has no %s: %w", h.endpoint, h.name, strings.Join(anyOf, " and no "), err)
}

// fetch brings one file into the snapshot, unless it is there.
func (h *hub) fetch(ctx context.Context, c cache, commit, file string) error {
	if c.has(commit, file) {
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
	return c.link(commit, file, remote.etag)
}

// fetchBlob brings the content of a file into the cache, whole or not at all. A
// transfer that breaks off goes on where it stopped.
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
		if err == nil || attempt == maxAttempts || !isPassing(err) {
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

// isPassing reports whether another attempt may fare better.
func isPassing(err error) bool {
	var status *statusError
	if errors.As(err, &status) {
		return status.isPassing()
	}
	return !errors.Is(err, errDisk)
}

// transfer appends to the blob what it lacks of a file.
func (h *hub) transfer(ctx context.Context, blob *partialBlob, file string, remote remoteFile) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(stallTimeout, func() {
		cancel(fmt.Errorf("nothing came for %v", stallTimeout))
	})
	defer stalled.Stop()

	response, err := h.ask(ctx, h.get, http.MethodGet, remote.url, blob.size)
	var status *statusError
	if errors.As(err, &status) && status.status == http.StatusRequestedRangeNotSatisfiable {
		return errors.Join(err, blob.restart())
	}
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if blob.size > 0 && response.StatusCode != http.StatusPartialContent {
		if err := blob.restart(); err != nil { // the server sends all of it again
			return err
		}
	}
	blob.wrote = func() {
		stalled.Reset(stallTimeout)
		if h.Progress != nil {
			h.Progress(file, blob.size, remote.size)
		}
	}
	if _, err := io.Copy(blob, response.Body); err != nil {
		return fmt.Errorf("%s broke off after %d of %d bytes: %w",
			remote.url, blob.size, remote.size, cmp.Or(context.Cause(ctx), err))
	}
	return nil
}
