package basemodel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	// Default is the default base model: a BERT of 6 layers and 22.7 million parameters for
	// sentence similarity, distilled as MiniLM (Wang et al. 2020). It is the model that all
	// settings were chosen with. PubMedBERT, which the BioCoM paper starts from, is
	// microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract.
	Default = "sentence-transformers/all-MiniLM-L6-v2"

	// EnvVar is the environment variable with the name of the base model, used if
	// none is given to [Resolve].
	EnvVar = "CTXNORM_BASE_MODEL"
)

// Options configure the download of a model. The zero value is ready to use.
type Options struct {
	// Offline forbids requests: only folders and the cache are searched.
	// HF_HUB_OFFLINE=1 has the same effect.
	Offline bool

	// Progress, if not nil, is called during a download with the number of bytes
	// downloaded and the size of the file in bytes, -1 if unknown.
	Progress func(file string, done, total int64)

	retryWait time.Duration // before the second attempt, doubled for each further one; 0 stands for one second
}

// hubName matches a name on the hub: "org/name", or "name" alone for the oldest models.
var hubName = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?$`)

// Name returns the base model that a name stands for: an empty one for the value of [EnvVar],
// or for [Default] if that is not set.
func Name(name string) string { return cmp.Or(name, os.Getenv(EnvVar), Default) }

// Resolve returns the folder of the base model called name: name itself if it is a
// folder, and otherwise the snapshot of the hub's model in the cache, which is downloaded
// if it is not there. For a cached model no request is made, even if the hub has a newer
// version. [Name] says what an empty name stands for.
//
// If the model is not found, the error is a [*NotFoundError].
func Resolve(ctx context.Context, name string, o Options) (string, error) {
	name = Name(name)
	notFound := &NotFoundError{Name: name}
	switch info, err := os.Stat(name); {
	case err != nil:
		notFound.addTried("there is no folder %s", name)
	case !info.IsDir():
		return "", fmt.Errorf("base model: %s is a file, want a folder with %s", name, requiredFiles())
	default:
		return checkFolder(name)
	}
	if !hubName.MatchString(name) || strings.Contains(name, "..") {
		notFound.addTried("it is not a name on the hub (org/name)")
		return "", notFound
	}

	cache, err := openCache(name)
	if err != nil {
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	if dir := cache.snapshot(); dir != "" {
		return dir, nil
	}
	notFound.addTried("it is not in the cache (%s)", cache.repo)
	if o.Offline || isTrueValue(os.Getenv("HF_HUB_OFFLINE")) {
		notFound.Offline = true
		notFound.addTried("offline: no request was made")
		return "", notFound
	}
	hub, err := newHub(name, o)
	if err != nil {
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	dir, err := hub.download(ctx, cache)
	switch {
	case err == nil:
		return dir, nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("base model %s: %w", name, context.Cause(ctx))
	case errors.Is(err, errCacheWrite):
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	notFound.Err = err
	notFound.addTried("%v", err)
	return "", notFound
}

// Check returns an error if [Resolve] would not find the base model called name, as far as that can
// be told without a request: a model of the hub that is not in the cache may be there.
func Check(name string) error {
	_, err := Resolve(context.Background(), name, Options{Offline: true})
	var notFound *NotFoundError
	if errors.As(err, &notFound) && notFound.Offline && !isTrueValue(os.Getenv("HF_HUB_OFFLINE")) {
		return nil
	}
	return err
}

// required lists the files that a base model must have. Of each list one file is enough;
// the first is preferred.
var required = [][]string{
	{"config.json"},
	{"tokenizer.json", "vocab.txt"},
	{"model.safetensors", "pytorch_model.bin"},
}

// requiredFiles returns a description of the required files, for messages.
func requiredFiles() string { return strings.Join(describeFiles(required), ", ") }

// missingFiles returns descriptions of the required files that a folder lacks.
func missingFiles(dir string) []string {
	return describeFiles(slices.DeleteFunc(slices.Clone(required), func(anyOf []string) bool {
		return slices.ContainsFunc(anyOf, func(file string) bool {
			_, err := os.Stat(filepath.Join(dir, file))
			return err == nil
		})
	}))
}

// describeFiles returns "a or b" for each list of alternatives.
func describeFiles(files [][]string) []string {
	words := make([]string, len(files))
	for i, anyOf := range files {
		words[i] = strings.Join(anyOf, " or ")
	}
	return words
}

// checkFolder returns dir, or an error if it does not have the required files.
func checkFolder(dir string) (string, error) {
	if missing := missingFiles(dir); len(missing) > 0 {
		return "", fmt.Errorf("base model: the folder %s has no %s", dir, strings.Join(missing, ", no "))
	}
	return dir, nil
}

// isTrueValue reports whether the value of an environment variable means true, by the rules
// of huggingface_hub.
func isTrueValue(value string) bool {
	switch strings.ToUpper(value) {
	case "1", "ON", "YES", "TRUE":
		return true
	}
	return false
}

// NotFoundError is the error for a base model that was not found.
type NotFoundError struct {
	Name    string   // a folder or a name on the hub
	Tried   []string // the places searched, in order, and why each failed
	Offline bool     // requests were forbidden
	Err     error    // the error of the download; nil if there was none
}

func (e *NotFoundError) addTried(format string, args ...any) {
	e.Tried = append(e.Tried, fmt.Sprintf(format, args...))
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("base model %q not found: %s", e.Name, strings.Join(e.Tried, "; "))
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// Hint returns advice on what to do next, which a command prints after the error.
func (e *NotFoundError) Hint() string {
	hint := fmt.Sprintf("name a model on this machine by TrainOptions.BaseModel or %s=DIR: a folder with %s",
		EnvVar, requiredFiles())
	if e.Offline {
		return hint + "; to download it from the hub, unset HF_HUB_OFFLINE"
	}
	return hint + "; or copy the cache of a machine that has downloaded it, and set HF_HOME to the copy and " +
		"HF_HUB_OFFLINE=1"
}
