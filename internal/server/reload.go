package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Reload opens the model folder again and answers new requests with what it is now. Requests that are
// under way keep their model. If the folder cannot be opened, the server keeps the model that it has.
// While both are open they take the memory of two.
func (s *Server) Reload(ctx context.Context) error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	var next *servedModel
	err := noPanic(func() (err error) {
		next, err = s.openModel(ctx)
		return err
	})
	if err == nil && !s.models.replace(nil, next) {
		err = errors.Join(errServerClosed, next.folder.Close())
	}
	if err != nil {
		s.metrics.reloads.WithLabelValues("failed").Inc()
		return err
	}
	s.metrics.reloads.WithLabelValues("done").Inc()
	select {
	case s.reloaded <- struct{}{}:
	default: // is there
	}
	return nil
}

var errServerClosed = errors.New("the server was closed")

// ReloadAndLog is [Server.Reload] for callers that cannot do anything about an error. It reports whether there is none.
func (s *Server) ReloadAndLog(ctx context.Context) bool {
	if err := s.Reload(ctx); err != nil {
		s.cfg.Errorf("the model was not reloaded: %v", err)
		return false
	}
	s.cfg.Logf("%s was reloaded", s.cfg.Model)
	return true
}

// Watch reloads the model when the manifest of its folder changes, which is written last. It looks
// at each interval, until ctx is done: a folder is replaced by renaming, which notifications of the
// file system do not follow. What fails is tried again after 1, 2, 4 intervals and so on, at most maxWait: files that
// are copied into the folder may come after the manifest.
func (s *Server) Watch(ctx context.Context, interval time.Duration) {
	opened := s.opened.Load()
	known := opened
	wait, left := 0, 0 // intervals between two tries of what failed, and to the next one; 0 if nothing failed
	every(ctx, interval, func() {
		if now := s.opened.Load(); now != opened { // by Reload
			opened, known, wait = now, now, 0
		}
		found, err := statManifest(s.cfg.Model)
		left--
		switch {
		case err != nil: // there may be no folder for a moment
			return
		case !found.same(known):
			known, wait = found, 0
		case wait == 0 || left > 0:
			return
		}
		if !s.ReloadAndLog(ctx) {
			wait = min(max(1, 2*wait), maxWait)
			left = wait
		}
	})
}

// maxWait is a minute of the intervals of the command serve.
const maxWait = 30

// manifestInfo tells one manifest from another.
type manifestInfo struct{ os.FileInfo }

func statManifest(dir string) (*manifestInfo, error) {
	info, err := os.Stat(filepath.Join(dir, "manifest.json"))
	return &manifestInfo{info}, err
}

func (m *manifestInfo) same(o *manifestInfo) bool {
	return os.SameFile(m.FileInfo, o.FileInfo) && m.ModTime().Equal(o.ModTime()) && m.Size() == o.Size()
}

// every calls do after each interval until ctx is done.
func every(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			do()
		}
	}
}
