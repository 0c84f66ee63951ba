package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ctxnorm/ctxnorm/internal/curation"
)

// metrics collects the server's Prometheus metrics.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec   // by route and status code
	seconds   *prometheus.HistogramVec // by route
	inFlight  prometheus.Gauge
	documents prometheus.Counter
	mentions  prometheus.Counter
	batches   prometheus.Histogram   // queries in a batch of the encoder
	reloads   *prometheus.CounterVec // by result
	rejected  prometheus.Counter
	panics    prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registered := promauto.With(m.registry)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return registered.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m.requests = counter("ctxnorm_requests_total", "Requests answered, by route and status code.", "route", "code")
	m.seconds = registered.NewHistogramVec(prometheus.HistogramOpts{
		Name: "ctxnorm_request_seconds", Help: "Time to answer a request.", Buckets: prometheus.ExponentialBuckets(.001, 2, 16),
	}, []string{"route"})
	m.inFlight = registered.NewGauge(prometheus.GaugeOpts{Name: "ctxnorm_requests_in_flight", Help: "Requests under way."})
	m.documents = counter("ctxnorm_documents_total", "Documents to link.").WithLabelValues()
	m.mentions = counter("ctxnorm_mentions_total", "Mentions to link.").WithLabelValues()
	m.batches = registered.NewHistogram(prometheus.HistogramOpts{
		Name: "ctxnorm_encoder_batch_queries", Help: "Queries that are encoded together.",
		Buckets: prometheus.ExponentialBuckets(1, 2, 12),
	})
	m.reloads = counter("ctxnorm_reloads_total", "Reloads of the model, by result.", "result")
	m.rejected = counter("ctxnorm_requests_rejected_total",
		"Requests turned away because too many were under way.").WithLabelValues()
	m.panics = counter("ctxnorm_panics_total", "Requests that ended in a panic.").WithLabelValues()
	return m
}

// follow exports how much is left to decide in the documents that a server stores.
func (m *metrics) follow(s *Server) {
	gauge := func(name, help string, of func(curation.Progress) int) {
		promauto.With(m.registry).NewGaugeFunc(prometheus.GaugeOpts{Name: "ctxnorm_curation_" + name, Help: help},
			func() float64 { return float64(of(s.cfg.Curation.Progress())) })
	}
	gauge("documents_left", "Documents in which something is left to decide.", func(p curation.Progress) int { return p.Documents - p.Done })
	gauge("mentions_left", "Mentions left to decide.", func(p curation.Progress) int { return p.Left })
	gauge("mentions_unsure", "Mentions left to decide that somebody should look at.", func(p curation.Progress) int { return p.Unsure })
}

// handler answers GET /metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
}

// count counts the requests of a route. The route is a pattern, not the path of a request, so that there are few label
// values.
func (m *metrics) count(route string, next http.Handler) http.Handler {
	of := prometheus.Labels{"route": route}
	next = promhttp.InstrumentHandlerCounter(m.requests.MustCurryWith(of), next)
	next = promhttp.InstrumentHandlerDuration(m.seconds.MustCurryWith(of), next)
	return promhttp.InstrumentHandlerInFlight(m.inFlight, next)
}
