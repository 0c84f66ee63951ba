#!/usr/bin/env bash
# Prints the environment that builds and tests with -tags torch need:
#
#   eval "$(scripts/native-env.sh)" && go test -tags torch ./...
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The Python wheels are built with libstdc++'s older ABI, a libtorch of
# the user's own may not be: the constructor of c10::Error takes a std::string,
# whose name (Ss) is of the old ABI.
[[ -e $libtorch/lib/libc10.so ]] || fail "there is no libtorch in $libtorch" "make deps"
abi=1
if grep -q _ZN3c105ErrorC2ENS_14SourceLocationESs "$libtorch/lib/libc10.so"; then
	abi=0
fi

cxxflags=(
	"-D_GLIBCXX_USE_CXX11_ABI=$abi"
	"-I$libtorch/include"
	"-I$libtorch/include/torch/csrc/api/include"
)
ldflags=(
	"-L$stubs" # before libtorch, whose libraries of the same names they replace
	"-L$tokenizers"
	"-L$libtorch/lib"
	"-Wl,-rpath,$libtorch/lib"
	"-Wl,--allow-shlib-undefined"
)
# libtorch_cuda registers itself when it is loaded and nothing refers to it by
# name: some linkers would leave it out.
[[ $cuda == 1 ]] && ldflags=("-Wl,--no-as-needed" "${ldflags[@]}")

echo "export CGO_ENABLED=1"
echo "export CGO_CXXFLAGS='${cxxflags[*]}'"
echo "export CGO_LDFLAGS='${ldflags[*]}'"
echo "export CTXNORM_MINILM='$minilm'"
