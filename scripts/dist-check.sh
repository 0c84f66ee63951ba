#!/usr/bin/env bash
# Links one text with the program of each archive in build/dist that this machine can run: its own in a root that has
# nothing else, that for Linux on arm64 by qemu-aarch64, those for Windows on amd64 by wine. They open one model, which
# the program for this machine makes, and have to find the same concepts. Prints sizes and times.
#
#   scripts/dist-check.sh VERSION
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ ${1:-} ]] || fail "scripts/dist-check.sh needs a version" "make dist-check"
version=$1
dist=$root/build/dist
work=$root/build/dist-check
need_go
need python3 "on Debian or Ubuntu: apt-get install python3" || :
fail_if_missing
host=$(go env GOHOSTOS)-$(go env GOHOSTARCH)

# unpack PLATFORM unpacks the archive of a platform, and sets archive and program, or fails.
unpack() {
	local name=ctxnorm-$version-$1
	program=$work/$name/ctxnorm archive=$dist/$name.tar.gz
	if [[ $1 == windows-* ]]; then
		program=$program.exe archive=$dist/$name.zip
	fi
	[[ -f $archive ]] || fail "there is no $archive" "make dist"
	python3 -c 'import shutil, sys; shutil.unpack_archive(*sys.argv[1:])' "$archive" "$work"
	chmod +x "$program"
}

# in_empty_root PROGRAM ARGUMENTS... runs a program in a root with the model and nothing else.
in_empty_root() {
	cp "$1" "$work/empty/ctxnorm"
	shift
	unshare --map-root-user --root "$work/empty" /ctxnorm "$@"
}

# seconds COMMAND... runs a command, and sets time to how long it took.
seconds() {
	local start=$EPOCHREALTIME
	"$@"
	time=$(awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { printf "%.2f", end - start }')
}

# random_for_wine gives a wine before 9 the library bcryptprimitives.dll, of which Go calls one function: a linker makes
# one that forwards it to another library's function, as later versions of wine do. Fails without that linker.
random_for_wine() {
	wine wineboot --init 2>/dev/null
	[[ $(wine --version) == wine-[1-8].* ]] || return 0
	command -v x86_64-w64-mingw32-ld >/dev/null || return 1
	printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\n\tProcessPrng=advapi32.SystemFunction036\n' >"$work/random.def"
	x86_64-w64-mingw32-ld -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$work/random.def"
}

# concepts prints the best concept of each mention of a line of link.
concepts() { python3 -c 'import json, sys; print(*[m["candidates"][0]["id"] for m in json.load(sys.stdin)["mentions"]])'; }

# check PLATFORM COMMAND... tries the archive of a platform, whose program runs after the words of the command.
check() {
	local platform=$1 start got
	shift
	unpack "$platform"
	seconds "$@" "$program" version >"$work/version"
	start=$time
	grep -q "$version" "$work/version" || fail "$archive: version says $(cat "$work/version")"
	seconds "$@" "$program" link --model model --method ranked <"$work/text.jsonl" >"$work/linked.jsonl"
	got=$(concepts <"$work/linked.jsonl")
	: "${want:=$got}"
	[[ $got && $got == "$want" ]] || fail "$archive links '$got', want '$want'"
	printf '%-14s %4d MB, %4d MB unpacked; version %5s s, link of a text %5s s\n' "$platform" \
		"$(($(wc -c <"$archive") / 1000000))" "$(($(wc -c <"$program") / 1000000))" "$start" "$time"
}

rm -rf "$work"
mkdir -p "$work/empty"
cd "$work"
unpack "$host"
"$program" train --untrained --base-model "$root/internal/bert/testdata/tiny" --dict "$root/examples/dictionary.tsv" \
	--corpus none --model model
cp -R model empty
sed -n 1p "$root/examples/sentences.jsonl" >text.jsonl

if [[ $host == linux-* ]]; then
	check "$host" in_empty_root
else
	check "$host"
fi
if [[ $host == linux-amd64 ]]; then
	export WINEDEBUG=-all WINEPREFIX=$work/wine
	for emulated in linux-arm64:qemu-aarch64 windows-amd64:wine; do
		emulator=${emulated#*:}
		if ! command -v "$emulator" >/dev/null; then
			say "${emulated%:*} is not tried: $emulator is not installed"
		elif [[ $emulator == wine ]] && ! random_for_wine; then
			say "${emulated%:*} is not tried: wine is older than 9, and has no bcryptprimitives.dll, which Go needs"
			say "hint: on Debian or Ubuntu: apt-get install binutils-mingw-w64-x86-64, with which one is made"
		else
			check "${emulated%:*}" "$emulator"
		fi
	done
fi
