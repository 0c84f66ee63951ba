package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/progress"
)

// linkedFolder is the work folder of a folder of linked files. For each input file NAME it has
//
//	NAME.FORMAT.json    a linkedFile, once the output NAME.FORMAT is in its place
//	NAME.partial        the journal of a file that is being linked
//	NAME.lock           while a process links the file
//
// It stays, so that a later run links only what is new.
var linkedFolder = artifact.WorkFolder{Name: ".ctxnorm"}

// linkedFile says what an output was made from.
type linkedFile struct {
	Settings  string          `json:"settings"` // hash of everything but the input that the output depends on
	Input     artifact.Digest `json:"input"`
	Output    artifact.Digest `json:"output"`
	Documents int             `json:"documents"`
	Mentions  int             `json:"mentions"`
	Malformed int             `json:"malformed,omitempty"` // records that were skipped
}

// checkFolderFlags refuses flags that only an output folder has, and an input that cannot be
// told by its name in one.
func checkFolderFlags(cmd *cobra.Command, output *outputFlags, documents *documentFlags) error {
	if !output.isFolder() {
		if cmd.Flags().Changed("shard") {
			return withHint(fmt.Errorf("--shard needs a folder as --output, got %s", output.path),
				"a name that ends in / is a folder: --output linked/")
		}
		if cmd.Flags().Changed("wait") && !output.isFile() {
			return fmt.Errorf("--wait needs a file or folder as --output, got %s", output.path)
		}
		return nil
	}
	files, err := documents.files()
	if err != nil {
		return err
	}
	names := make(map[string]string, len(files))
	for _, path := range files {
		if path == "-" {
			return fmt.Errorf("--output %s: is a folder, where standard input has no name; want files with --input, "+
				"or a file to write", output.path)
		}
		if err := wantFiles([]string{path}, "link also compares its files with those of earlier runs"); err != nil {
			return fmt.Errorf("--output %s: is a folder, where %w, or a file to write", output.path, err)
		}
		name := strings.ToLower(filepath.Base(path)) // some file systems take a.txt and A.txt for one
		if other, ok := names[name]; ok && filepath.Clean(other) != filepath.Clean(path) {
			return fmt.Errorf("--output %s: %s and %s would be the same file in it; link them to folders of their own",
				output.path, other, path)
		}
		names[name] = path
	}
	return nil
}

// toFolder links each file of the shard to a file of its own. Files that another process is
// linking come last.
func (r *linkRun) toFolder(ctx context.Context, shard *shardFlag, wait bool) error {
	p := r.program
	all, err := r.documents.files()
	if err != nil {
		return err
	}
	files := shard.files(all)
	work, err := linkedFolder.Open(r.output.path)
	if err != nil {
		return targetHint(err, "output")
	}
	f := &folderRun{linkRun: r, work: work}
	if err := f.hashSettings(); err != nil {
		return err
	}
	for _, path := range files {
		if err := f.checkForeign(path); err != nil {
			return targetHint(err, "output")
		}
	}
	p.logUnknown(r.documents)
	shown := newReadProgress(p.bar("link", progress.Bytes), files)
	defer shown.finish()
	r.documents.progress = shown
	var later []string // which other processes are linking
	for _, path := range files {
		err := f.linkFile(ctx, path, nil)
		if _, ok := errors.AsType[*ctxnorm.LockedError](err); ok {
			later = append(later, path)
		} else if err != nil {
			return err
		}
	}
	for _, path := range later {
		if err := f.linkFile(ctx, path, p.waiting(wait)); err != nil {
			return targetHint(err, "output")
		}
	}
	shown.finish()
	if f.again > 0 {
		p.warnf("linked again %s of other settings or another model, or changed since", english.Plural(f.again, "file", ""))
	}
	p.logf("%s: linked by an earlier run: %d of %s; %s in %s", r.output.path, f.reused,
		english.Plural(len(files), "file", ""), english.Plural(f.mentions, "mention", ""),
		english.Plural(f.documents, "document", ""))
	return skippedError(f.malformed, len(r.documents.unknown))
}

// folderRun links files to a folder.
type folderRun struct {
	*linkRun
	work          string // folder
	reused, again int    // files that an earlier run has linked: as they are now, or otherwise

	documents, mentions, malformed int // of all files
}

// hashSettings adds to the settings how the input is read, and what is written of a link.
func (f *folderRun) hashSettings() error {
	hash := artifact.NewDigester()
	read := f.linkRun.documents
	settings := []any{f.settings, read.format, read.columns, read.unit, f.output.spreadsheetSafe, f.output.links,
		f.output.codeSystem, f.output.others}
	err := json.NewEncoder(hash).Encode(settings)
	f.settings = hash.Digest().SHA256
	return err
}

// outputOf returns the flags of the output of an input file.
func (f *folderRun) outputOf(path string) (*outputFlags, error) {
	format, err := f.output.parse()
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	output := *f.output
	output.path, output.format = filepath.Join(f.output.path, withExtension(name, "."+string(format))), string(format)
	output.journalPath = filepath.Join(f.work, withExtension(name, journalExtension))
	return &output, nil
}

// recordPath returns the path of the linkedFile of an output.
func (f *folderRun) recordPath(output *outputFlags) string {
	return filepath.Join(f.work, withExtension(filepath.Base(output.path), ".json"))
}

// withExtension returns a name with an extension. A name that is too long for it is shortened.
func withExtension(name, extension string) string {
	return artifact.ShortenName(name, artifact.MaxName-len(extension)) + extension
}

// checkForeign returns a [*files.ForeignError] if there is a file where the output of an
// input file belongs, and no run has written or begun it.
func (f *folderRun) checkForeign(path string) error {
	output, err := f.outputOf(path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(output.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, trace := range []string{output.journalPath, f.recordPath(output)} {
		if _, err := os.Lstat(trace); err == nil {
			return nil
		}
	}
	return &files.ForeignError{Path: output.path, Folder: f.output.path}
}

// linkFile links an input file unless an earlier run has. If another process is linking it,
// linkFile waits if waiting is not nil, and else returns the [*files.LockedError].
func (f *folderRun) linkFile(ctx context.Context, path string, waiting func(*ctxnorm.LockedError)) error {
	output, err := f.outputOf(path)
	if err != nil {
		return err
	}
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
	_ = artifact.RemoveStale(f.recordPath(output)) // of runs that were killed; what cannot be removed is not in the way
	var earlier linkedFile
	switch err := artifact.ReadCheckedJSON(f.recordPath(output), &earlier); {
	case err == nil && earlier.Settings == f.settings && earlier.Input.SHA256 == digest.SHA256 &&
		earlier.Output.Check(output.path) == nil:
		f.reused++
		f.add(&earlier)
		f.linkRun.documents.progress.file(path)
		return artifact.Remove(output.journalPath) // which a run left that was killed at its end
	case !errors.Is(err, fs.ErrNotExist):
		f.again++
	}
	one := *f.linkRun.documents
	one.found, one.unknown = []string{path}, nil
	now := linkedFile{Settings: f.settings, Input: digest, Documents: -f.writer.documents, Mentions: -f.writer.mentions}
	out, err := output.open(f.program, f.settings)
	if err != nil {
		return err
	}
	out.placed = func() (err error) {
		now.Documents += f.writer.documents
		now.Mentions += f.writer.mentions
		now.Malformed = one.malformed
		if now.Output, err = artifact.DigestFile(output.path); err != nil {
			return err
		}
		f.add(&now)
		return artifact.WriteCheckedJSON(f.recordPath(output), &now)
	}
	var partial *partialError
	if err := out.finish(f.link(ctx, &one, out)); err != nil && !errors.As(err, &partial) {
		return err
	}
	return nil
}

// add counts a file.
func (f *folderRun) add(file *linkedFile) {
	f.documents += file.Documents
	f.mentions += file.Mentions
	f.malformed += file.Malformed
}
