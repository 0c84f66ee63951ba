package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// linkedFolder is the work folder in a folder of linked files. It contains, for each output:
//
//	OUTPUT.json     a linkedFile, or a bratFile for BRAT
//	INPUT.lock      while a process links the input file
//
// It is kept, so that a later run links only new files.
var linkedFolder = artifact.WorkFolder(".ctxnorm")

// linkedFile records what an output was made from. Until the output is in place, it contains only the settings.
type linkedFile struct {
	Settings  string          `json:"settings"` // hash of everything except the input that the output depends on
	Input     artifact.Digest `json:"input"`
	Output    artifact.Digest `json:"output"`
	Documents int             `json:"documents"`
	Mentions  int             `json:"mentions"`
	Malformed int             `json:"malformed,omitempty"` // number of skipped records
}

// checkFolder rejects flags that need an output folder, and inputs whose names would clash in it.
func (f *linkFlags) checkFolder(p *program, cmd *cobra.Command) error {
	output := f.output.path
	if !f.output.isFolder() {
		if cmd.Flags().Changed("shard") {
			return withHint(fmt.Errorf("--shard needs a folder as --output, got %s", output),
				"a name that ends in / is a folder: --output linked/")
		}
		if cmd.Flags().Changed("wait") && !f.output.isFile() {
			return fmt.Errorf("--wait needs a file or folder as --output, got %s", output)
		}
		return nil
	}
	files, err := f.documents.files(p)
	if err != nil {
		return err
	}
	names := make(map[string]string, len(files))
	for _, path := range files {
		if isReadOnce(path) {
			return fmt.Errorf("--output %s: is a folder, where %s has no file of its own, as it can be read only once; want "+
				"files with --input, or a file to write", output, nameOfStream(path))
		}
		name := strings.ToLower(filepath.Base(path)) // some file systems treat a.txt and A.txt as the same
		if other, ok := names[name]; ok && filepath.Clean(other) != filepath.Clean(path) {
			return fmt.Errorf("--output %s: %s and %s would be the same file in it; link them to folders of their own",
				output, other, path)
		}
		names[name] = path
	}
	return nil
}

// folderRun links each input file to a file of its own in a folder.
type folderRun struct {
	*linkRun
	work          string // folder
	reused, again int    // files that an earlier run linked: from the same input and settings, or others
}

// toFolder links the files of the shard. Files that another process is linking come last.
func (r *linkRun) toFolder(ctx context.Context, part *shard) error {
	p, documents := r.program, &r.flags.documents
	all, err := documents.files(p)
	if err != nil {
		return err
	}
	files := part.files(all)
	work, err := linkedFolder.Open(r.flags.output.path)
	if err != nil {
		return err
	}
	f := &folderRun{linkRun: r, work: work}
	for _, path := range files {
		if err := f.checkForeign(path); err != nil {
			return err
		}
	}
	p.logUnknown(documents)
	documents.progress = newReadProgress(p, files)
	defer documents.progress.bar.finish()
	var later []string // files that other processes are linking
	for _, path := range files {
		if err := f.linkFile(ctx, path, nil); is[*ctxnorm.LockedError](err) {
			later = append(later, path)
		} else if err != nil {
			return err
		}
	}
	for _, path := range later {
		if err := f.linkFile(ctx, path, p.waiting(r.flags.wait)); err != nil {
			return err
		}
	}
	documents.progress.bar.finish()
	if f.again > 0 {
		p.warnf("linked again %s of other settings or another model, or changed since", plural(f.again, "file"))
	}
	p.logf("%s: linked by an earlier run: %d of %s; %s in %s", r.flags.output.path, f.reused,
		plural(len(files), "file"), plural(f.mentions, "mention"), plural(f.documents, "document"))
	return nil
}

// outputOf returns the output flags for an input file, and the path of its linkedFile.
func (f *folderRun) outputOf(path string) (output outputFlags, record string) {
	output = f.flags.output
	format := output.parse()
	name := withExtension(filepath.Base(path), "."+string(format))
	output.path, output.format = filepath.Join(f.flags.output.path, name), string(format)
	return output, filepath.Join(f.work, withExtension(name, ".json"))
}

// withExtension appends an extension to a name, and shortens the name if the result would be too long.
func withExtension(name, extension string) string {
	return artifact.ShortenName(name, artifact.MaxName-len(extension)) + extension
}

// checkForeign returns a [*files.ForeignError] if there is a file in place of the output of an input file, and no run
// has written or begun it.
func (f *folderRun) checkForeign(path string) error {
	output, record := f.outputOf(path)
	_, err := os.Lstat(output.path)
	_, recorded := os.Lstat(record)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && recorded != nil:
		return &files.ForeignError{Path: output.path, Folder: f.flags.output.path}
	}
	return err
}

// linkFile links an input file unless an earlier run has done so. If another process is linking it, linkFile waits if
// waiting is not nil, and otherwise returns a [*files.LockedError].
func (f *folderRun) linkFile(ctx context.Context, path string, waiting func(*ctxnorm.LockedError)) error {
	output, record := f.outputOf(path)
	lock, err := artifact.LockFolder(ctx, filepath.Join(f.work,
		artifact.ShortenName(filepath.Base(path), artifact.MaxName-len(".lock"))), waiting)
	if err != nil {
		return err
	}
	defer lock.Release()
	digest, err := artifact.DigestFile(path)
	if err != nil {
		return err
	}
	_ = artifact.RemoveStale(record) // left by killed runs; files that cannot be removed do no harm
	now := linkedFile{Settings: f.settings}
	var earlier linkedFile
	switch err := artifact.ReadCheckedJSON(record, &earlier); {
	case err == nil && earlier.Settings == f.settings && earlier.Input.SHA256 == digest.SHA256 &&
		earlier.Output.Check(output.path) == nil:
		f.reused++
		f.documents, f.mentions = f.documents+earlier.Documents, f.mentions+earlier.Mentions
		f.program.skipped.records += earlier.Malformed
		f.flags.documents.progress.file(path)
		return nil
	case !errors.Is(err, fs.ErrNotExist) && (err != nil || earlier.Input.SHA256 != ""):
		f.again++
	}
	if err := artifact.WriteCheckedJSON(record, &now); err != nil {
		return err
	}
	one := f.flags.documents
	one.found, one.unknown = []string{path}, nil
	out, err := output.open(f.program, false)
	if err != nil {
		return err
	}
	documents, mentions, malformed := f.documents, f.mentions, f.program.skipped.records
	f.out = out
	if err := out.finish(f.link(ctx, &one)); err != nil {
		return err
	}
	now.Input, now.Documents, now.Mentions, now.Malformed = digest, f.documents-documents, f.mentions-mentions,
		f.program.skipped.records-malformed
	if now.Output, err = artifact.DigestFile(output.path); err != nil {
		return err
	}
	return artifact.WriteCheckedJSON(record, &now)
}

// bratFolder is a folder to which link writes texts and annotations in BRAT format. It replaces only files that are
// exactly as link wrote them; files that people have annotated since belong to them. The work folder has a record
// NAME.json for each file.
type bratFolder struct{ path, work string }

// bratFile is the record of a file. It is written before the file.
type bratFile struct {
	Now string `json:"sha256"`
	Was string `json:"before,omitempty"` // SHA-256 of the file it replaces, also written by link
}

// openBRATFolder opens the folder at path, and creates it if needed. The caller must hold its lock.
func openBRATFolder(path string) (*bratFolder, error) {
	work, err := linkedFolder.Open(path)
	for _, folder := range []string{path, work} {
		stale, _ := filepath.Glob(filepath.Join(folder, "*.tmp-*")) // the pattern is valid
		for _, name := range stale {
			_ = artifact.RemoveStale(artifact.WithoutTemporary(name)) // left by killed runs; others do no harm
		}
	}
	return &bratFolder{path, work}, err
}

// write writes a file. It returns a [*files.ForeignError] if there is a file of the user in its place.
func (b *bratFolder) write(name, content string) error {
	path := filepath.Join(b.path, name)
	record := filepath.Join(b.work, withExtension(name, ".json"))
	digest := artifact.NewDigester()
	_, _ = digest.Write([]byte(content)) // writing to a digest never fails
	file := bratFile{Now: digest.Digest().SHA256}
	found, err := artifact.DigestFile(path)
	var earlier bratFile
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return pathError("output", path, err)
	case found.SHA256 == file.Now:
		return nil
	case artifact.ReadCheckedJSON(record, &earlier) != nil, found.SHA256 != earlier.Now && found.SHA256 != earlier.Was:
		return &files.ForeignError{Path: path, Folder: b.path}
	default:
		file.Was = found.SHA256
	}
	if err := artifact.WriteCheckedJSON(record, file); err != nil {
		return err
	}
	f, err := artifact.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := io.WriteString(f, content); err != nil {
		return err
	}
	return f.Place()
}
