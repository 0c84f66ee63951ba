# Sourced by the other scripts: the paths of the native libraries, and functions for messages and errors.
# shellcheck shell=bash disable=SC2034  # the variables are for those who source this
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# The native libraries are in the user's cache by version, so that a second checkout
# finds them. The keys of Go's build cache contain these paths: if they change, gotch is
# compiled again, which takes 4 minutes.
cache=${CTXNORM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ctxnorm}
torch_version=2.1.2
tokenizers_version=1.22.2
libtorch=${LIBTORCH:-$cache/libtorch-$torch_version/torch}
tokenizers=$cache/tokenizers-$tokenizers_version
minilm=$cache/all-MiniLM-L6-v2
cuda=${CUDA:-0} # 1 links the CUDA libraries
stubs=$cache/stubs
[[ $cuda == 1 ]] && stubs=$cache/stubs-cuda

modules=(bench internal/asmgen distributed) # of their own, beside the library's

say() { echo "ctxnorm: $*" >&2; }

# fail MESSAGE [HINT] prints both and ends the script.
fail() {
	say "$1"
	[[ $# -lt 2 ]] || say "hint: $2"
	exit 1
}

missing=() # messages and hints, in turn, of the tools that the need_ functions did not find

# need TOOL HOW notes TOOL as missing unless it is installed. HOW says how to get it.
need() { command -v "$1" >/dev/null || { missing+=("$1 is not installed" "$2") && return 1; }; }

need_go() { need go "get Go 1.26 or later from https://go.dev/dl" || :; }
need_compiler() { need g++ "on Debian or Ubuntu: apt-get install g++" || :; }
need_cargo() {
	local want=1.78 have # which reads version 4 of Cargo.lock
	need cargo "get Rust $want or later from https://rustup.rs" || return 0
	have=$(cargo --version | cut -d' ' -f2)
	printf '%s\n' "$want" "$have" | sort -VC || missing+=("cargo is version $have, want $want" "get Rust from https://rustup.rs")
}
need_pip() {
	need python3 "on Debian or Ubuntu: apt-get install python3 python3-pip" || return 0
	python3 -m pip --version >/dev/null 2>&1 ||
		missing+=("python3 has no pip" "on Debian or Ubuntu: apt-get install python3-pip; elsewhere: python3 -m ensurepip")
}

# fail_if_missing ends the script if a tool is missing, and names all of them.
fail_if_missing() {
	[[ ${#missing[@]} -gt 0 ]] || return 0
	printf 'ctxnorm: %s\nctxnorm: hint: %s\n' "${missing[@]}" >&2
	say "hint: go build ./cmd/ctxnorm needs none of these but Go, and makes the program that does all but train encoders"
	exit 1
}

for path in "$cache" "$libtorch"; do
	case $path in
	*[[:space:]]*) fail "'$path' has a space in it, which the linker's flags cannot hold" \
		"set CTXNORM_CACHE or LIBTORCH to another folder" ;;
	/*) ;;
	*) fail "'$path' is not an absolute path" "set CTXNORM_CACHE and LIBTORCH to absolute paths" ;;
	esac
done

# list_files FLAGS... prints each package with the files that the build uses.
list_files() {
	go list "$@" -f '{{.ImportPath}} {{.GoFiles}} {{.CgoFiles}} {{.SFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}' ./... | sort
}

# changed_by_tag prints the packages that have other files with the tag torch.
changed_by_tag() { comm -13 <(list_files) <(list_files -tags torch) | cut -d' ' -f1; }
