// Package server serves a model over HTTP: linking, annotating, and looking up concepts.
//
// To serve a model folder, call [New] with a [Config] and then [Server.Serve]. To mount the
// endpoints elsewhere, or to test them, use [Server.Handler].
//
// A request passes through these files:
//
//	handler.go   recover, log, headers, number of requests, deadlines ── /healthz, /metrics, /docs
//	access.go    host, origin, token
//	body.go      content type, gzip, limit of bytes, UTF-8, JSON
//	api.go       huma: routes, schemas, validation; openapi.json is generated from the same types
//	link.go      documents ─▶ records (text/formats) ─▶ linked records, the JSON of "ctxnorm link"
//	stream.go    the same for NDJSON, line by line
//	mcp.go       the same and concepts.go, as tools of the Model Context Protocol
//	documents.go, export.go  files of any format, in and out
//	curation.go  the documents that the server stores and the decisions of curators (internal/curation)
//	batching.go  queries of several requests, encoded together
//	reconcile.go columns of a table, by the Reconciliation Service API
//	concepts.go  search by name, one concept
//
// models.go holds the model that answers requests, and reload.go replaces it.
//
// Every error is a [Problem] (RFC 9457) that points to the faulty places of the request. No part of a request is ever
// used as a file name.
package server
