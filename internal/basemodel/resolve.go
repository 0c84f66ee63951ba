package basemodel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
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

// Progress is called during a download with the number of bytes downloaded and the size of the file in bytes, -1 if
// unknown.
type Progress func(file string, done, total int64)

// hubName matches a name on the hub: "org/name", or "name" alone for the oldest models.
var hubName = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?$`)

// Name returns the base model that a name stands for: an empty one for the value of [EnvVar],
// or for [Default] if that is not set.
func Name(name string) string { return cmp.Or(name, os.Getenv(EnvVar), Default) }

// Resolve returns the folder of the base model called name: that of [Find], or else the snapshot of the hub's model in
// the cache, which it downloads. progress may be nil.
//
// If the model is not found, the error is a [*NotFoundError].
func Resolve(ctx context.Context, name string, progress Progress) (string, error) {
	dir, err := Find(name)
	notFound, ok := errors.AsType[*NotFoundError](err)
	if !ok || notFound.cache == "" || isOffline() {
		return dir, err
	}
	name = notFound.Name
	if dir, err = download(ctx, name, notFound.cache, progress); err == nil {
		return dir, nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("base model %s: %w", name, context.Cause(ctx))
	}
	if errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError)) { // of the local disk
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	return "", &NotFoundError{Name: name, Err: fmt.Errorf("it is not in the cache (%s); %w", notFound.cache, err)}
}

// Find returns the folder of the base model called name without a request: name itself if it is a folder, and
// otherwise the snapshot of the hub's model in the cache, even if the hub has a newer version. [Name] says what an
// empty name stands for.
//
// If the model is not found, the error is a [*NotFoundError].
func Find(name string) (string, error) {
	name = Name(name)
	if info, err := os.Stat(name); err == nil {
		if !info.IsDir() {
			return "", fmt.Errorf("base model: %s is a file, want a folder with %s", name, requiredFiles)
		}
		if missing := missingFiles(name); len(missing) > 0 {
			return "", fmt.Errorf("base model: the folder %s has no %s", name, strings.Join(missing, ", no "))
		}
		return name, nil
	}
	if !hubName.MatchString(name) || strings.Contains(name, "..") {
		return "", &NotFoundError{Name: name, Err: errors.New("it is not a name on the hub (org/name)")}
	}
	root, err := CacheFolder()
	if err != nil {
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	cache := filepath.Join(root, "models--"+strings.ReplaceAll(name, "/", "--"))
	if commit, err := artifact.ReadFile(filepath.Join(cache, "refs", branch)); err == nil {
		dir := filepath.Join(cache, "snapshots", strings.TrimSpace(string(commit)))
		if len(missingFiles(dir)) == 0 {
			return dir, nil
		}
	}
	return "", &NotFoundError{Name: name, cache: cache,
		Err: fmt.Errorf("it is not in the cache (%s); offline: no request was made", cache)}
}

// CacheFolder returns the folder of the Hugging Face cache, which may not exist yet.
func CacheFolder() (string, error) {
	if root := os.Getenv("HF_HUB_CACHE"); root != "" {
		return root, nil
	}
	if home := os.Getenv("HF_HOME"); home != "" {
		return filepath.Join(home, "hub"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("cannot locate the Hugging Face cache: %w; set HF_HOME", err)
	}
	return filepath.Join(cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache")), "huggingface", "hub"), nil
}

// Check returns an error if [Resolve] would not find the base model called name, as far as that can
// be told without a request: a model of the hub that is not in the cache may be there.
func Check(name string) error {
	_, err := Find(name)
	if notFound, ok := errors.AsType[*NotFoundError](err); ok && notFound.cache != "" && !isOffline() {
		return nil
	}
	return err
}

// branch is the revision that is downloaded.
const branch = "main"

// required lists the files that a base model must have. Of each list one file is enough;
// the first is preferred.
var required = [][]string{
	{"config.json"},
	{"tokenizer.json", "vocab.txt"},
	{"model.safetensors", "pytorch_model.bin"},
}

// optional lists the files that are downloaded if the hub has them, before the required ones.
var optional = []string{"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"}

// requiredFiles is a description of the required files, for messages.
const requiredFiles = "config.json, tokenizer.json or vocab.txt, model.safetensors or pytorch_model.bin"

// missingFiles returns descriptions of the required files that a folder lacks.
func missingFiles(dir string) (missing []string) {
	for _, anyOf := range required {
		if !hasAny(dir, anyOf) {
			missing = append(missing, strings.Join(anyOf, " or "))
		}
	}
	return missing
}

// hasAny reports whether a folder has one of the files.
func hasAny(dir string, files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		_, err := os.Stat(filepath.Join(dir, file))
		return err == nil
	})
}

// isOffline reports whether HF_HUB_OFFLINE is true by the rules of huggingface_hub.
func isOffline() bool {
	return slices.Contains([]string{"1", "ON", "YES", "TRUE"}, strings.ToUpper(os.Getenv("HF_HUB_OFFLINE")))
}

// NotFoundError is the error for a base model that was not found.
type NotFoundError struct {
	Name string // a folder or a name on the hub
	Err  error  // why the places other than a folder failed

	cache string // where a download would put it; empty if no request can find it, or has not
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("base model %q not found: there is no folder %s; %v", e.Name, e.Name, e.Err)
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// Hint returns advice on what to do next, which a command prints after the error.
func (e *NotFoundError) Hint() string {
	hint := fmt.Sprintf("name a model on this machine by TrainOptions.BaseModel or %s=DIR: a folder with %s",
		EnvVar, requiredFiles)
	if e.cache != "" {
		return hint + "; to download it from the hub, unset HF_HUB_OFFLINE"
	}
	return hint + "; or copy the cache of a machine that has downloaded it, and set HF_HOME to the copy and " +
		"HF_HUB_OFFLINE=1"
}
