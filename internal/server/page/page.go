// Package page has the page of a server, on which people link texts, look at the links and
// correct them. To serve it, call [Register].
//
// The page is plain HTML, CSS and JavaScript modules, and talks to the API of package server:
//
//	index.html   the frame: forms, dialogs, regions
//	style.css    light, dark, narrow
//	main.js      events: forms, keys, what they do
//	queue.js     actions that wait for the server, one after another
//	session.js   the open documents, over a reload
//	api.js       requests
//	document.js  a document: mentions, decisions, undo, what is exported. No DOM
//	textview.js  the text with its mentions, selections
//	panel.js     a mention: candidates, evidence, search
//	dom.js       elements; the text of others is only ever text
//
// Nothing is loaded from elsewhere, and the policy of [Register] lets no other script run.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
)

//go:embed static
var static embed.FS

// policy lets the page load and ask nothing but this server.
const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Prefix is the path of the files that the page loads.
const Prefix = "/page/"

// Register registers the page at / and its files below [Prefix].
func Register(mux *http.ServeMux) {
	entries, err := fs.ReadDir(static, "static")
	if err != nil {
		panic(err) // they are embedded
	}
	for _, entry := range entries {
		content, err := static.ReadFile("static/" + entry.Name())
		if err != nil {
			panic(err)
		}
		pattern := "GET " + Prefix + entry.Name()
		if entry.Name() == "index.html" {
			pattern = "GET /{$}"
		}
		contentType := contentTypes[path.Ext(entry.Name())]
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Content-Security-Policy", policy)
			_, _ = w.Write(content) // the client is gone
		})
	}
}

// contentTypes maps the extensions of the files to their types; that of [mime] depends on the machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}
