#!/usr/bin/env bash
# Builds and tests the Python client, with Python 3.11 or later (PYTHON=python3.12 chooses one).
#
#   scripts/python.sh test     ruff, mypy, and the tests with a real server in pure Go
#   scripts/python.sh wheel VERSION    build/dist/ctxnorm_client-*-py3-none-any.whl, and a wheel with the program for
#                                      each archive of make dist of this version
#
# The tests have an environment of their own in the user's cache, which is made again when pyproject.toml changes.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

client=$root/clients/python
python=${PYTHON:-python3}

need_go
need "$python" "get Python 3.11 or later with its modules venv and pip" || :
fail_if_missing
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "$python is older than Python 3.11" "PYTHON names another one"

# environment sets venv to the folder of the environment of the tests, and makes it if it is not there.
environment() {
	venv=$cache/python-client-$({ "$python" -VV && cat "$client/pyproject.toml" && echo "$client"; } | sha256sum | cut -c1-16)
	[[ -e $venv/done ]] && return
	say "making the Python environment $venv"
	rm -rf "$venv"
	"$python" -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --editable "${client}[test]"
	touch "$venv/done"
}

case ${1:-} in
test)
	environment
	CGO_ENABLED=0 go build -buildvcs=false -o build/python/ctxnorm ./cmd/ctxnorm
	cd "$client"
	"$venv/bin/ruff" check . "$root/scripts/wheels.py"
	"$venv/bin/ruff" format --check . "$root/scripts/wheels.py"
	"$venv/bin/mypy"
	CTXNORM_PROGRAM=$root/build/python/ctxnorm "$venv/bin/python" -m pytest --quiet
	;;
wheel)
	SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/dist "$client"
	pure=$(ls -t build/dist/ctxnorm_client-*-py3-none-any.whl | head -1)
	say "$pure"
	mapfile -t archives < <(find build/dist -maxdepth 1 -name "ctxnorm-$2-*.*" ! -name '*-train.*' | LC_ALL=C sort)
	if [[ ${#archives[@]} == 0 ]]; then
		say "there are no archives of the program in build/dist, so no wheel carries it; hint: make dist"
	else
		"$python" scripts/wheels.py "$pure" "${archives[@]}" >&2
	fi
	;;
*) fail "scripts/python.sh: unknown argument '${1:-}'" "want test or wheel" ;;
esac
