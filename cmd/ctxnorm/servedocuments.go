package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// openDocuments returns the documents with the decisions on them, nil if no documents are given.
func (f *serveFlags) openDocuments(p *program, cmd *cobra.Command) (*curation.Store, error) {
	if len(f.documents.input) == 0 {
		return nil, nil
	}
	if f.decisions == "" {
		f.decisions = curation.Dir(f.documents.input[0])
	}
	decisions, err := filepath.Abs(f.decisions)
	if err != nil {
		return nil, fmt.Errorf("--decisions: %w", err)
	}
	f.documents.leaveOut = func(path string) bool {
		found, err := filepath.Abs(path)
		return err == nil && found == decisions
	}
	sources, err := f.readDocuments(p)
	if err != nil {
		return nil, fmt.Errorf("--documents: %w", err)
	}
	store, err := curation.Open(cmd.Context(), f.decisions, sources)
	if err != nil {
		return nil, fmt.Errorf("--decisions: %w", err)
	}
	p.logf("%s to curate, with the decisions in %s", english.Plural(store.Len(), "document", ""), f.decisions)
	if store.Strays > 0 {
		p.warnf("%s keeps the decisions on %s not among those of --documents", f.decisions,
			english.Plural(store.Strays, "document", ""))
	}
	return store, nil
}

// readDocuments reads the documents. Malformed ones are reported and skipped.
func (f *serveFlags) readDocuments(p *program) (sources []curation.Source, err error) {
	f.documents.keepIDs = true // a decision names its document by them and the file
	err = p.eachRecord(&f.documents, func(r *formats.Record) error {
		file := filepath.ToSlash(f.documents.reading)
		sources = append(sources, curation.Source{Document: r.Document, File: file, Unnamed: r.Unnamed})
		return nil
	})
	if skipped, ok := errors.AsType[*partialError](err); ok {
		p.warnf("%v", skipped)
		err = nil
	}
	if err == nil && len(sources) == 0 {
		err = errors.New("no document was found")
	}
	return sources, err
}
