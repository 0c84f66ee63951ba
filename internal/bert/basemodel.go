package bert

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

// This file finds the BERT that training starts from: a folder in the Hugging Face layout, or the name of a model on
// the hub, which is downloaded once (hub.go).
//
// These environment variables have the same meaning as for Python's huggingface_hub:
//
//	HF_HUB_CACHE     the cache; otherwise HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub
//	                 or ~/.cache/huggingface/hub
//	HF_ENDPOINT      the server; otherwise https://huggingface.co
//	HF_HUB_OFFLINE   1 forbids requests
//	HF_TOKEN         sent to the server, for models that require a login; never to another scheme, host or port
//
// Files are downloaded to models--org--name/snapshots/<commit> in the cache, and refs/main gets the commit once all of
// them are there. huggingface_hub uses the same names, so each finds the other's models. A file is kept only if its
// size and hash match those given by the hub.
//
// The client is our own: gomlx/go-huggingface v0.4.0 ignores HF_HUB_OFFLINE and HF_HOME, maruel/huggingface v0.1.0
// ignores HF_ENDPOINT and HF_HUB_OFFLINE, and neither verifies content.

const (
	// DefaultBaseModel is the default base model: a BERT of 6 layers and 22.7 million parameters for sentence
	// similarity, distilled as MiniLM (Wang et al. 2020). All settings were chosen with it. PubMedBERT, from which the
	// BioCoM paper starts, is microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract.
	DefaultBaseModel = "sentence-transformers/all-MiniLM-L6-v2"

	// BaseModelVariable is the environment variable with the name of the base model, used if [ResolveBaseModel] gets an
	// empty name.
	BaseModelVariable = "CTXNORM_BASE_MODEL"
)

// DownloadProgress is called during a download with the number of bytes downloaded and the size of the file in bytes,
// or -1 if the size is unknown.
type DownloadProgress func(file string, done, total int64)

// hubName matches a name on the hub: "org/name", or just "name" for the oldest models.
var hubName = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?$`)

// BaseModelName returns name or, if it is empty, the value of [BaseModelVariable], or [DefaultBaseModel] if that is not
// set.
func BaseModelName(name string) string {
	return cmp.Or(name, os.Getenv(BaseModelVariable), DefaultBaseModel)
}

// ResolveBaseModel returns the folder of the base model called name. If [FindBaseModel] does not find it, it is
// downloaded from the hub into the cache. progress may be nil.
//
// If the model is not found, the error is a [*BaseModelError].
func ResolveBaseModel(ctx context.Context, name string, progress DownloadProgress) (string, error) {
	dir, err := FindBaseModel(name)
	notFound, ok := errors.AsType[*BaseModelError](err)
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
	if errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError)) { // from the local disk
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	return "", &BaseModelError{Name: name, Err: fmt.Errorf("it is not in the cache (%s); %w", notFound.cache, err)}
}

// FindBaseModel returns the folder of the base model called name without a request: name itself if it is a folder, and
// otherwise the cached snapshot of the hub's model, even if the hub has a newer version. An empty name is resolved by
// [BaseModelName].
//
// If the model is not found, the error is a [*BaseModelError].
func FindBaseModel(name string) (string, error) {
	name = BaseModelName(name)
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
		return "", &BaseModelError{Name: name, Err: errors.New("it is not a name on the hub (org/name)")}
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
	return "", &BaseModelError{Name: name, cache: cache,
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

// CheckBaseModel returns an error if [ResolveBaseModel] cannot find the base model called name. It makes no request, so
// it accepts a name on the hub that is not in the cache.
func CheckBaseModel(name string) error {
	_, err := FindBaseModel(name)
	if notFound, ok := errors.AsType[*BaseModelError](err); ok && notFound.cache != "" && !isOffline() {
		return nil
	}
	return err
}

// branch is the revision that is downloaded.
const branch = "main"

// required lists the files that a base model must have. One file of each list is enough; the first is preferred.
var required = [][]string{
	{configFile},
	{"tokenizer.json", "vocab.txt"},
	{safetensorsFile, pickleFile},
}

// optional lists the files that are downloaded if the hub has them, before the required ones.
var optional = []string{"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"}

// requiredFiles describes the required files in messages.
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

// BaseModelError is the error for a base model that was not found.
type BaseModelError struct {
	Name string // a folder or a name on the hub
	Err  error  // why places other than a folder failed

	cache string // where a download would put it; empty if a request cannot find it or has not found it
}

func (e *BaseModelError) Error() string {
	return fmt.Sprintf("base model %q not found: there is no folder %s; %v", e.Name, e.Name, e.Err)
}

func (e *BaseModelError) Unwrap() error { return e.Err }

// Hint returns advice on what to do next, which a command prints after the error.
func (e *BaseModelError) Hint() string {
	hint := fmt.Sprintf("name a model on this machine by TrainOptions.BaseModel or %s=DIR: a folder with %s",
		BaseModelVariable, requiredFiles)
	if e.cache != "" {
		return hint + "; to download it from the hub, unset HF_HUB_OFFLINE"
	}
	return hint + "; or copy the cache of a machine that has downloaded it, and set HF_HOME to the copy and " +
		"HF_HUB_OFFLINE=1"
}
