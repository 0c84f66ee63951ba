package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Reload opens the model folder again and answers new requests with the result. Requests in progress keep their model.
// If the folder cannot be opened, the server keeps the current model. While both models are open, they take twice the
// memory.
func (s *Server) Reload(ctx context.Context) error {
	s.opening.Lock()
	defer s.opening.Unlock()
	err := noPanic(func() error {
		_, err := s.openModel(ctx)
		return err
	})
	if err != nil {
		s.metrics.reloads.WithLabelValues("failed").Inc()
		return err
	}
	s.metrics.reloads.WithLabelValues("done").Inc()
	select {
	case s.reloaded <- struct{}{}:
	default: // already signaled
	}
	return nil
}

var errServerClosed = errors.New("the server was closed")

// ReloadAndLog is [Server.Reload] for callers that cannot handle an error. It reports whether it succeeded.
func (s *Server) ReloadAndLog(ctx context.Context) bool {
	if err := s.Reload(ctx); err != nil {
		s.cfg.Errorf("the model was not reloaded: %v", err)
		return false
	}
	s.cfg.Logf("%s was reloaded", s.cfg.Model)
	return true
}

// Watch reloads the model when the folder's manifest changes, which is written last. It polls at each interval until
// ctx is done, because a folder is replaced by renaming, which file system notifications do not follow. After a failure
// it tries again after 1, 2, 4 intervals and so on, at most maxWait, because files that are copied into the folder may
// arrive after the manifest.
func (s *Server) Watch(ctx context.Context, interval time.Duration) {
	tried, wait, left := *s.opened.Load(), 0, 0 // wait and left: intervals between two tries after a failure, until the next
	every(ctx, interval, func() {
		found, err := readManifest(s.cfg.Model)
		if err != nil || found == *s.opened.Load() { // the folder may be missing for a moment
			return
		}
		if found != tried {
			tried, wait, left = found, 0, 0
		}
		if left--; left <= 0 && !s.ReloadAndLog(ctx) {
			wait = min(max(1, 2*wait), maxWait)
			left = wait
		}
	})
}

// maxWait is the longest pause between tries, in intervals: a minute at the interval of the command serve.
const maxWait = 30

// readManifest returns the manifest in a folder, which has the checksums of all files.
func readManifest(dir string) (string, error) {
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	return string(manifest), err
}

// every calls do after each interval until ctx is done.
func every(ctx context.Context, interval time.Duration, do func()) {
	ticks := time.Tick(interval)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			do()
		}
	}
}
