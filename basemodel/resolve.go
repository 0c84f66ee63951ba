package basemodel

import (
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
	// Default is the base model where none is named: BERT base trained on the
	// abstracts of PubMed, first published as PubMedBERT (Gu et al. 2021,
	// https://doi.org/10.1145/3458754).
	Default = "microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract"

	// Variable is the environment variable that names the base model where the
	// command line does not.
	Variable = "CTXNORM_BASE_MODEL"
)

// Options say how a model of the hub is fetched. The zero value is ready to use.
type Options struct {
	// Offline asks no server: only folders and the cache. HF_HUB_OFFLINE=1 says
	// the same.
	Offline bool

	// Progress is called while a file is fetched, with the bytes that have come
	// and those there are, -1 where the server does not say. Nil for silence.
	Progress func(file string, done, total int64)

	retryWait time.Duration // before the second attempt, doubled for each after it; 0 for one second
}

// hubName is a name on the hub: "org/name", or "name" alone for the oldest models.
var hubName = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?$`)

// Resolve gives the folder of the base model called name: name itself where it is
// a folder, and otherwise the snapshot of that hub model in the cache, downloaded
// where it is not there. A cached model is taken as it is; no server is asked for
// a newer one. An empty name stands for [Variable], and where that is not set for
// [Default].
//
// A model that cannot be had is a [*NotFoundError].
func Resolve(ctx context.Context, name string, o Options) (string, error) {
	if name == "" {
		name = os.Getenv(Variable)
	}
	if name == "" {
		name = Default
	}
	tried := &NotFoundError{Name: name}
	switch info, err := os.Stat(name); {
	case err != nil:
		tried.add("there is no folder %s", name)
	case !info.IsDir():
		return "", fmt.Errorf("base model: %s is a file, want a folder with %s", name, wantedFiles())
	default:
		return checkFolder(name)
	}
	if !hubName.MatchString(name) || strings.Contains(name, "..") {
		tried.add("it is not a name on the hub (org/name)")
		return "", tried
	}

	cache, err := openCache(name)
	if err != nil {
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	if dir := cache.snapshot(); dir != "" {
		return dir, nil
	}
	tried.add("it is not in the cache (%s)", cache.repo)
	if o.Offline || isTrue(os.Getenv("HF_HUB_OFFLINE")) {
		tried.Offline = true
		tried.add("offline: no server was asked")
		return "", tried
	}
	hub := newHub(name, o)
	dir, err := hub.download(ctx, cache)
	switch {
	case err == nil:
		return dir, nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("base model %s: %w", name, context.Cause(ctx))
	case errors.Is(err, errDisk):
		return "", fmt.Errorf("base model %s: %w", name, err)
	}
	tried.Err = err
	tried.add("%v", err)
	return "", tried
}

// required lists what a base model must have, each as the files of which one is
// enough, the preferred first.
var required = [][]string{
	{"config.json"},
	{"tokenizer.json", "vocab.txt"},
	{"model.safetensors", "pytorch_model.bin"},
}

// wantedFiles is required in words.
func wantedFiles() string { return strings.Join(describe(required), ", ") }

// lacking lists what a folder has not of what is required, in words.
func lacking(dir string) []string {
	return describe(slices.DeleteFunc(slices.Clone(required), func(anyOf []string) bool {
		return slices.ContainsFunc(anyOf, func(file string) bool {
			_, err := os.Stat(filepath.Join(dir, file))
			return err == nil
		})
	}))
}

func describe(files [][]string) []string {
	words := make([]string, len(files))
	for i, anyOf := range files {
		words[i] = strings.Join(anyOf, " or ")
	}
	return words
}

// checkFolder refuses a folder of the user's that holds no model.
func checkFolder(dir string) (string, error) {
	if lacks := lacking(dir); len(lacks) > 0 {
		return "", fmt.Errorf("base model: the folder %s has no %s", dir, strings.Join(lacks, ", no "))
	}
	return dir, nil
}

// isTrue reads a variable as huggingface_hub does.
func isTrue(value string) bool {
	switch strings.ToUpper(value) {
	case "1", "ON", "YES", "TRUE":
		return true
	}
	return false
}
