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
	next, err := s.openModel(ctx)
	if err == nil && !s.models.replace(next) {
		err = errors.Join(errServerClosed, next.folder.Close())
	}
	if err != nil {
		s.metrics.reloads.WithLabelValues("failed").Inc()
		return err
	}
	s.metrics.reloads.WithLabelValues("done").Inc()
	return nil
}

var errServerClosed = errors.New("the server was closed")

// ReloadAndLog is [Server.Reload] for callers that cannot do anything about an error.
func (s *Server) ReloadAndLog(ctx context.Context) {
	if err := s.Reload(ctx); err != nil {
		s.cfg.Errorf("the model was not reloaded: %v", err)
		return
	}
	s.cfg.Logf("%s was reloaded", s.cfg.Model)
}

// Watch reloads the model when the manifest of its folder changes, which is written last. It looks
// at each interval, until ctx is done: a folder is replaced by renaming, which notifications of the
// file system do not follow.
func (s *Server) Watch(ctx context.Context, interval time.Duration) {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	known := s.opened.Load()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if opened := s.opened.Load(); opened != known { // by Reload
			known = opened
		}
		found, err := statManifest(s.cfg.Model)
		if err != nil || found.same(known) {
			continue // there may be no folder for a moment
		}
		known = found // it is not tried again if it fails
		s.ReloadAndLog(ctx)
	}
}

// manifestInfo tells one manifest from another.
type manifestInfo struct{ os.FileInfo }

func statManifest(dir string) (*manifestInfo, error) {
	info, err := os.Stat(filepath.Join(dir, "manifest.json"))
	return &manifestInfo{info}, err
}

func (m *manifestInfo) same(o *manifestInfo) bool {
	return os.SameFile(m.FileInfo, o.FileInfo) && m.ModTime().Equal(o.ModTime()) && m.Size() == o.Size()
}
