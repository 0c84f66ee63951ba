# `make` without a target lists the targets. The scripts do the work.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
NATIVE  := eval "$$(scripts/native-env.sh)" &&

.DEFAULT_GOAL := help
.PHONY: help deps build test demo lint quality generate dist dist-check pictures wheel python-test bench accuracy results profile torture fuzz coverage arm64-test race supply openapi-check clean page-test cluster-check

help: ## list the targets
	@echo 'usage: make TARGET [CUDA=1] [LIBTORCH=dir] [CTXNORM_CACHE=dir]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## fetch and build the native libraries into the user's cache (once, 800 MB to download)
	@scripts/deps.sh

build: deps ## build bin/ctxnorm, and bin/ctxnorm-train, which it runs to train encoders (bin/ctxnorm alone: go build ./cmd/ctxnorm)
	CGO_ENABLED=0 go build -buildvcs=false -ldflags '-X main.version=$(VERSION)' -o bin/ctxnorm ./cmd/ctxnorm
	$(NATIVE) go build -buildvcs=false -tags torch -ldflags '-X main.version=$(VERSION)' -o bin/ctxnorm-train ./cmd/ctxnorm

test: deps ## test both builds
	@scripts/test.sh

demo: $(if $(filter untrained,$(ENCODER)),,build) ## build a corpus, train and link on examples/, and serve the model until Ctrl-C (ENCODER=untrained: without libtorch)
	@scripts/demo.sh $(ENCODER)

quality: deps ## measure the ranking on examples/ and update examples/quality.golden
	$(NATIVE) go test -tags torch -run Quality ./internal/checks -update

generate: ## regenerate the assembly of the kernels
	go generate ./...

dist: ## pack a static program for each of six platforms into build/dist, with checksums (ARGS=train: the one that trains)
	@scripts/dist.sh $(VERSION) $(ARGS)

dist-check: ## link a text with each archive of build/dist that this machine runs, by qemu and wine too
	@scripts/dist-check.sh $(VERSION)

wheel: ## build the wheel of the Python client into build/dist, and one with the program for each archive of make dist
	@scripts/python.sh wheel $(VERSION)

python-test: ## check and test the Python client with a real server
	@scripts/python.sh test

page-test: ## try the page of ctxnorm serve in Chromium, which must be in the PATH
	CTXNORM_BROWSER=1 go test -count 1 -run TestPage ./internal/server

pictures: ## take the pictures of the page for the documentation, in Chromium, which must be in the PATH
	@scripts/pictures.sh

cluster-check: ## build a corpus and link on Beam, SLURM and Spark, kill a node and a worker, and compare (needs CTXNORM_DATA)
	@scripts/cluster-check.sh

lint: deps ## check both builds with gofmt, go vet and staticcheck
	@scripts/lint.sh

bench: build ## compare speed with Python programs, and run the micro-benchmarks (ARGS=-quick to try it)
	@scripts/bench.sh $(ARGS)

accuracy: build ## measure accuracy on the dev sets of CTXNORM_DATA, takes hours (SEEDS="1 2 3")
	@scripts/accuracy.sh

results: build ## measure the systems of the papers beside ctxnorm, takes hours (QUICK=1 ONLY=ncbi/biosyn TRAIN="--set epochs=10")
	@scripts/results.sh

profile: build ## write CPU and memory profiles of each command to build/profiles
	@scripts/profile.sh

torture: build ## try bin/ctxnorm with hostile cases, takes hours (ARGS=-short for two minutes)
	@scripts/torture.sh $(ARGS)

fuzz: deps ## fuzz every target of both builds, ten minutes each (ARGS='-t 30s -j 8 matcher' to choose)
	@scripts/fuzz.sh $(ARGS)

coverage: ## print which share of each package its own tests run, in pure Go
	@CGO_ENABLED=0 go test -cover ./... | awk '/coverage:/ { sub(/.*ctxnorm\/ctxnorm\/?/, ""); print $$1, $$(NF - 2) }' | column -t

arm64-test: ## test the assembly for arm64, elsewhere by qemu-aarch64
	@scripts/test.sh arm64

race: ## test the build in pure Go under the race detector
	@scripts/test.sh race

supply: ## check the dependencies for known vulnerabilities and for their licenses
	@scripts/supply.sh

openapi-check: ## validate the API of ctxnorm serve, compile a client generated from it, and call a server by Schemathesis
	@scripts/openapi.sh

clean: ## remove bin/ and build/ (the cache of native libraries stays)
	rm -rf bin build
