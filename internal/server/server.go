package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// Config configures a [Server].
type Config struct {
	// Model is the model folder.
	Model string
	// Dictionary, if not nil, opens a model made from a dictionary, without a model folder; Model is then its display
	// name. Such a server has no memory.
	Dictionary func(context.Context) (*ctxnorm.Model, error)
	// Open configures how the model is opened.
	Open ctxnorm.OpenOptions
	// Link configures how mentions are linked. Each request sets TopK and Evidence.
	Link ctxnorm.LinkOptions
	// Limits bound the resources of a request.
	Limits Limits
	// Batching configures how queries of concurrent requests are encoded together. The zero value stands for
	// [DefaultBatching].
	Batching Batching
	// Access restricts who may use the server. The zero value lets everybody in except pages of other origins.
	Access Access
	// Links are the URL templates for identifiers on the page and in exported HTML.
	Links formats.LinkTemplates
	// Version is the version of the program, reported in openapi.json.
	Version string
	// Memory is the folder for the corrections of curators. Empty, the default, stands for [memory.Dir]; if that cannot
	// be written, the server takes no corrections.
	Memory string
	// Curation stores the documents to curate; nil if there are none.
	Curation *curation.Store
	// Logf logs a message, and Errorf a failure of the server. Neither ever gets text of a document. Nil discards
	// messages.
	Logf, Errorf func(format string, args ...any)
}

// Limits bound the resources of requests. A field of 0 stands for its default in [DefaultLimits].
type Limits struct {
	// Input bounds the length of a line of NDJSON, and the number of mentions in a document and in all documents that
	// are linked together.
	Input ctxnorm.Limits
	// Body is the maximum length of a body, in bytes after decompression. For a stream of NDJSON, it bounds the
	// documents that wait to be linked.
	Body int64
	// Requests is the largest number of requests answered at once, and also that of open streams. The server rejects
	// any others. A request counts once its body has arrived.
	Requests int
	// Time is the longest time to read a request, and to answer it. For a stream, it is the time to read one line and
	// to answer one batch.
	Time time.Duration
}

// DefaultLimits are the limits of fields that are 0.
var DefaultLimits = Limits{Body: 16 << 20, Requests: 128, Time: time.Minute}

func (l Limits) withDefaults() Limits {
	l.Input = l.Input.WithDefaults()
	l.Body = cmp.Or(l.Body, DefaultLimits.Body)
	l.Requests = cmp.Or(l.Requests, DefaultLimits.Requests)
	l.Time = cmp.Or(l.Time, DefaultLimits.Time)
	return l
}

// Server answers requests with a model. It is safe for concurrent use.
type Server struct {
	cfg     Config
	models  models
	metrics *metrics
	handler http.Handler
	slots   chan struct{}       // holds an element for each request being answered
	streams chan struct{}       // holds an element for each open stream
	linking *semaphore.Weighted // of [Limits.Requests]: one for each request that links, see [Server.serveable]

	readOnly bool // corrections cannot be stored

	stop      context.CancelFunc // ends the survey of the documents to curate
	surveying sync.WaitGroup
	reloaded  chan struct{} // holds an element if the documents must be linked again

	opening   sync.Mutex             // held while a model is opened
	reloading sync.Mutex             // held while a model is made current
	opened    atomic.Pointer[string] // manifest of the folder opened last
}

// New opens the model and returns a server for it, which must be closed. Errors of the model are those of
// [ctxnorm.Open], or [ctxnorm.ErrNoEncoder] and [ctxnorm.ErrNoVectors] if the model does not support the method.
func New(ctx context.Context, cfg Config) (*Server, error) {
	cfg.Limits = cfg.Limits.withDefaults()
	if cfg.Dictionary != nil {
		cfg.Link.Method = cmp.Or(cfg.Link.Method, ctxnorm.MethodLexical)
	}
	cfg.Link.Method = cmp.Or(cfg.Link.Method, ctxnorm.MethodRanked)
	discard := func(string, ...any) {}
	if cfg.Logf == nil {
		cfg.Logf = discard
	}
	if cfg.Errorf == nil {
		cfg.Errorf = discard
	}
	if cfg.Batching == (Batching{}) {
		cfg.Batching = DefaultBatching
	}
	if err := cfg.Access.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, metrics: newMetrics(), slots: make(chan struct{}, cfg.Limits.Requests),
		streams: make(chan struct{}, cfg.Limits.Requests), reloaded: make(chan struct{}, 1),
		linking: semaphore.NewWeighted(int64(cfg.Limits.Requests))}
	surveying, stop := context.WithCancel(context.Background())
	s.stop = stop
	m, err := s.openModel(ctx)
	if err != nil {
		return nil, err
	}
	if m.memory == nil {
		s.readOnly = true
	} else if err := m.memory.CheckWritable(); err != nil {
		if cfg.Memory != "" {
			return nil, errors.Join(fmt.Errorf("the memory: %w", err), s.Close())
		}
		cfg.Errorf("the server takes no corrections, since their folder cannot be written: %v", err)
		s.readOnly = true
	}
	if s.handler, err = s.newHandler(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if cfg.Curation != nil {
		s.metrics.follow(s)
		s.surveying.Go(func() { s.survey(surveying) })
	}
	return s, nil
}

// ServeHTTP implements [http.Handler]. It answers requests to all endpoints.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close closes the model after the last request that uses it has ended.
func (s *Server) Close() error {
	s.stop()
	s.surveying.Wait()
	s.models.replace(nil, nil)
	s.models.closing.Wait()
	return nil
}

// Time limits for clients, besides [Limits.Time].
const (
	headerTime = 10 * time.Second // to send the header of a request
	idleTime   = 2 * time.Minute  // between two requests on a connection
	stopTime   = 30 * time.Second // for the requests in progress when the server stops
)

// followInterval is how often the server polls for entries that other processes added to the memory.
const followInterval = time.Second

// maxHeader is the maximum length of a request header, in bytes.
const maxHeader = 64 << 10

// Serve answers requests on the listener until ctx is done, and closes the listener. It then accepts no more requests
// and waits for those in progress. It returns nil, or ctx's error if some are still not answered after half a minute.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	requests, cancel := context.WithCancel(context.Background()) // ends when the server stops waiting for them
	defer cancel()
	h := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return requests },
		ErrorLog:    log.New(logWriter(s.cfg.Logf), "", 0), // failed connections and panics
	}
	go s.Follow(ctx, followInterval)
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("%s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	waiting, stop := context.WithTimeout(context.Background(), stopTime)
	defer stop()
	err := h.Shutdown(waiting)
	if err != nil {
		s.cfg.Errorf("requests that took longer than %v were cut off", stopTime)
		cancel()
		h.Close()
		err = ctx.Err()
	}
	<-failed
	return err
}
