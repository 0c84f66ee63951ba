// Package page has the page of a server, on which people link texts, look at the links and
// correct them. To serve it, call [Register].
//
// The page is plain HTML, CSS and JavaScript modules, and talks to the API of package server:
//
//	index.html      the frame: forms, dialogs, regions
//	style.css       layout, wide and narrow; colors, signs and limits (certainty.js) are those of package linked
//	main.js         events: forms, keys, buttons, settings
//	workspace.js    what is open: documents, mention, the views of them
//	opening.js      opens documents: texts, files, records, again after a reload
//	deciding.js     what the user decides about mentions, and undo
//	queue.js        actions that wait for the server, one after another
//	session.js      the open documents, over a reload
//	api.js          requests
//	document.js     a document: mentions, decisions, undo, what is exported. No DOM
//	documents.js    the list of the open documents, with what is left to decide
//	curation.js     the documents that the server keeps: list, opening, storing
//	textview.js     the text with its mentions, selections
//	dictionary.js   the dictionary, browsed: tree, search, a concept
//	links.js        the addresses that identifiers lead to, by the templates of the server
//	table.js        the table of mentions: sorted, filtered
//	panel.js        a mention: candidates, search, new concepts
//	concept.js      what is known of a concept: names, sentences
//	tree.js         the place of a concept in the hierarchy
//	corrections.js  the list of what the server keeps
//	dom.js          elements; the text of others is only ever text
//
// Nothing is loaded from elsewhere, and the policy of [Register] lets no other script run.
package page

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

//go:embed static
var static embed.FS

// policy lets the page load and ask nothing but this server.
const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// prefix is the path of the files that the page loads.
const prefix = "/page/"

// Register registers the page at / and its files below prefix.
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
		pattern := "GET " + prefix + entry.Name()
		if entry.Name() == "index.html" {
			pattern = "GET /{$}"
		}
		mux.HandleFunc(pattern, serve(content, path.Ext(entry.Name())))
	}
	mux.HandleFunc("GET "+prefix+"mentions.css", serve([]byte(linked.CSS), ".css"))
	limits := fmt.Sprintf("export const certain = %g;\nexport const likely = %g;\n", linked.Certain,
		linked.Likely)
	mux.HandleFunc("GET "+prefix+"certainty.js", serve([]byte(limits), ".js"))
}

// serve returns the handler of a file with an extension.
func serve(content []byte, extension string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentTypes[extension])
		w.Header().Set("Content-Security-Policy", policy)
		_, _ = w.Write(content) // the client is gone
	}
}

// contentTypes maps the extensions of the files to their types; that of [mime] depends on the machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}
