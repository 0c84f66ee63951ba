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

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// Config says what a [Server] serves, and how.
type Config struct {
	// Model is the model folder.
	Model string
	// Dictionary opens the model of a dictionary alone, without a model folder, if it is not nil; Model is what it is called
	// then. Such a server has no memory.
	Dictionary func(context.Context) (*ctxnorm.Model, error)
	// Open says how the model is opened.
	Open ctxnorm.OpenOptions
	// Link says how mentions are linked. TopK and Evidence are set by each request.
	Link ctxnorm.LinkOptions
	// Limits bound what a request may take.
	Limits Limits
	// Batching says how queries of several requests are encoded together; the zero value is
	// [DefaultBatching].
	Batching Batching
	// Access says who may use the server. Its zero value lets everybody in but pages of other origins.
	Access Access
	// Links are the addresses that identifiers lead to on the page and in HTML that is exported.
	Links formats.LinkTemplates
	// Version is the version of the program, for openapi.json.
	Version string
	// Memory is the folder of what curators say of the model. Empty, the default, stands for [memory.Dir]; if that
	// cannot be written, the server takes no corrections.
	Memory string
	// Curation has the documents that curators decide on; nil for none.
	Curation *curation.Store
	// Logf logs a message, and Errorf one of a failure of the server; never of texts. Nil discards them.
	Logf, Errorf func(format string, args ...any)
}

// Limits bound what requests may take. A field of 0 stands for its default, in [DefaultLimits].
type Limits struct {
	// Input bounds a line of NDJSON, and the mentions of a document and of all documents that
	// are linked together.
	Input ctxnorm.Limits
	// Body is the length of the longest body, in bytes after decompression; of a stream of NDJSON, what its
	// documents take that wait to be linked.
	Body int64
	// Requests is the number of requests that are answered at once, and the number of streams that are open. Further
	// ones are turned away. A request counts from when its body is there.
	Requests int
	// Time is the longest time to read a request, and to answer it; of a stream, to read a line and
	// to answer some.
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
	slots   chan struct{} // has an element for each request that is being answered
	streams chan struct{} // has an element for each stream that is open

	readOnly bool // corrections cannot be stored

	stop      context.CancelFunc // of the survey of the documents to curate
	surveying sync.WaitGroup
	reloaded  chan struct{} // has an element if the documents are to be linked again

	reloading sync.Mutex                   // held while a model is opened
	opened    atomic.Pointer[manifestInfo] // of the folder that was opened last
}

// New opens the model and returns a server of it, which is to be closed. An error of the model
// is that of [ctxnorm.Open], or of linking by the method: [ctxnorm.ErrNoEncoder],
// [ctxnorm.ErrNoVectors].
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
		streams: make(chan struct{}, cfg.Limits.Requests), reloaded: make(chan struct{}, 1)}
	surveying, stop := context.WithCancel(context.Background())
	s.stop = stop
	m, err := s.openModel(ctx)
	if err != nil {
		return nil, err
	}
	s.models.replace(nil, m)
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

// ServeHTTP implements [http.Handler]: it answers requests to all endpoints.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close closes the model after the last request that uses it.
func (s *Server) Close() error {
	s.stop()
	s.surveying.Wait()
	s.models.replace(nil, nil)
	s.models.closing.Wait()
	return nil
}

// How long clients may take, besides [Limits.Time].
const (
	headerTime = 10 * time.Second // to send the header of a request
	idleTime   = 2 * time.Minute  // between two requests of a connection
	stopTime   = 30 * time.Second // for the requests that are under way when the server stops
)

// followInterval is how often the server looks for what other processes added to the memory.
const followInterval = time.Second

// maxHeader is the length of the longest header of a request, in bytes.
const maxHeader = 64 << 10

// Serve answers the requests that come to the listener, which it closes, until ctx is done. Then
// it accepts no more, and returns nil when those under way are answered, or ctx's error if some are not after half a
// minute.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	requests, cancel := context.WithCancel(context.Background()) // ends when the server no longer waits for them
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
