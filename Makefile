# Bare `make` lists the targets. The work is done by scripts/.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
NATIVE  := eval "$$(scripts/native-env.sh)" &&

.DEFAULT_GOAL := help
.PHONY: help deps build test demo lint quality generate archive bench scaling accuracy profile clean

help: ## list the targets
	@echo 'usage: make TARGET [CUDA=1] [LIBTORCH=dir] [CTXNORM_CACHE=dir]'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## fetch and build the native parts into the user's cache (once, about 800 MB to download)
	@scripts/deps.sh

build: deps ## build bin/ctxnorm with the encoder (pure Go without it: go build ./cmd/ctxnorm)
	$(NATIVE) go build -buildvcs=false -tags torch -ldflags '-X main.version=$(VERSION)' -o bin/ctxnorm ./cmd/ctxnorm

test: deps ## set up and test both builds
	@scripts/test.sh

demo: build ## set up, then build a corpus, train and link on examples/
	@scripts/demo.sh

quality: deps ## measure the ranking on examples/ again, into examples/quality.golden
	$(NATIVE) go test -tags torch -run Quality . -update

generate: ## generate code again: the assembly of the kernels
	go generate ./...

archive: build ## pack bin/ctxnorm with its libraries for another machine, into build/
	@scripts/archive.sh

lint: deps ## gofmt, go vet and staticcheck over both builds
	@scripts/lint.sh

bench: build ## ctxnorm beside the peers, and every micro-benchmark (ARGS=-quick to try it)
	@scripts/bench.sh $(ARGS)

scaling: build ## time and memory of each command by size, with projections (ARGS=-quick to try it)
	@scripts/scaling.sh $(ARGS)

accuracy: build ## every system on the dev sets under CTXNORM_DATA, hours (SEEDS="1 2 3"); scripts/accuracy.sh says more
	@scripts/accuracy.sh

profile: build ## where time and memory go in each command, in build/profiles
	@scripts/profile.sh

clean: ## remove bin/ and build/ (the cache of native parts stays)
	rm -rf bin build
