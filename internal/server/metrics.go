package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts what the server does, for Prometheus.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec   // by route and status code
	seconds   *prometheus.HistogramVec // by route
	inFlight  prometheus.Gauge
	documents prometheus.Counter
	mentions  prometheus.Counter
	batches   prometheus.Histogram   // queries of a batch of the encoder
	reloads   *prometheus.CounterVec // by result
	rejected  prometheus.Counter
	panics    prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ctxnorm_requests_total", Help: "Requests answered, by route and status code.",
		}, []string{"route", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ctxnorm_request_seconds", Help: "Time to answer a request.",
			Buckets: prometheus.ExponentialBuckets(.001, 2, 16),
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "ctxnorm_requests_in_flight",
			Help: "Requests under way."}),
		documents: prometheus.NewCounter(prometheus.CounterOpts{Name: "ctxnorm_documents_total",
			Help: "Documents to link."}),
		mentions: prometheus.NewCounter(prometheus.CounterOpts{Name: "ctxnorm_mentions_total",
			Help: "Mentions to link."}),
		batches: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "ctxnorm_encoder_batch_queries", Help: "Queries that are encoded together.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 12),
		}),
		reloads: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ctxnorm_reloads_total",
			Help: "Reloads of the model, by result."}, []string{"result"}),
		rejected: prometheus.NewCounter(prometheus.CounterOpts{Name: "ctxnorm_requests_rejected_total",
			Help: "Requests turned away because too many were under way."}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{Name: "ctxnorm_panics_total",
			Help: "Requests that ended in a panic."}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.inFlight, m.documents, m.mentions, m.batches, m.reloads,
		m.rejected, m.panics,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// handler answers GET /metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
}

// count counts the requests of a route, which is a pattern and not the path of a request, so that
// there are few.
func (m *metrics) count(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		m.inFlight.Inc()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			m.inFlight.Dec()
			m.seconds.WithLabelValues(route).Observe(time.Since(start).Seconds())
			m.requests.WithLabelValues(route, strconv.Itoa(recorder.status)).Inc()
		}()
		next.ServeHTTP(recorder, r)
	})
}

// statusRecorder remembers the status code of an answer.
type statusRecorder struct {
	http.ResponseWriter
	status  int
	written bool
	failed  bool // the client did not take what was written
}

// WriteHeader implements [http.ResponseWriter]. It passes on the first status, since an error may follow when a
// client is gone.
func (r *statusRecorder) WriteHeader(status int) {
	if !r.written {
		r.status, r.written = status, true
		r.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (r *statusRecorder) Write(p []byte) (int, error) {
	r.written = true
	n, err := r.ResponseWriter.Write(p)
	r.failed = r.failed || err != nil
	return n, err
}

// Unwrap returns the writer behind it, for [http.ResponseController].
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
