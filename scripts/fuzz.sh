#!/usr/bin/env bash
# Fuzzes every fuzz target of both builds, and writes a table of what was tried.
#
#   scripts/fuzz.sh [-t DURATION] [-j JOBS] [REGEXP]    default: 10m, as many jobs as there are cores, all targets
#   scripts/fuzz.sh -l                                  print the targets: package, function, flags of its build
#
# REGEXP chooses by PACKAGE.TARGET, as matcher.FuzzTag. What a target learns is kept in Go's build cache, where
# go test -fuzz finds it, and an input that fails in the package's testdata/fuzz. A target that passed is not run
# again for the same duration until build/fuzz is removed. The table is build/fuzz/DURATION/table.md.
#
# Inputs are not minimized: that takes up to a minute for each that reaches new code, so that ten minutes of a slow
# target had 20 inputs.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# targets prints the targets.
targets() {
	local file flags
	git ls-files -co --exclude-standard '*_test.go' | xargs grep -l '^func Fuzz' | while read -r file; do
		flags=
		! grep -q '^//go:build.*\<torch\>' "$file" || flags='-tags torch'
		sed -n "s|^func \(Fuzz[A-Za-z0-9_]*\)(.*|$(dirname "$file") \1 $flags|p" "$file"
	done
}

duration=10m
jobs=$(nproc 2>/dev/null || sysctl -n hw.ncpu)
while getopts lt:j: flag; do
	case $flag in
	l) targets && exit ;;
	t) duration=$OPTARG ;;
	j) jobs=$OPTARG ;;
	*) fail "scripts/fuzz.sh: unknown flag" "scripts/fuzz.sh -l, or [-t DURATION] [-j JOBS] [REGEXP]" ;;
	esac
done
shift $((OPTIND - 1))
only=${1:-.}

programs=$root/build/fuzz/programs
out=$root/build/fuzz/$duration
mkdir -p "$programs" "$out/logs" "$out/rows"
module=$(go list -m)
corpora=$(go env GOCACHE)/fuzz
eval "$(scripts/native-env.sh)"

# compile PACKAGE [FLAG…] prints the test program of a package, with what fuzzing counts.
compile() {
	local program=$programs/${1//\//_}${2:+_$3}
	go test -c -fuzz . -o "$program" "${@:2}" "./$1"
	echo "$program"
}

# fuzz PACKAGE TARGET PROGRAM runs a target and writes its row of the table.
fuzz() {
	local name=$1.$2 row=$out/rows/${1//\//_}.$2 log=$out/logs/${1//\//_}.$2 result=passed started=$SECONDS
	local processor inputs
	TIMEFORMAT='%U %S'
	processor=$({ time (
		cd "$1" && "$3" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$duration" -test.parallel 1 \
			-test.fuzzminimizetime 1x -test.fuzzcachedir "$corpora/$module/$1" >"$log" 2>&1
	); } 2>&1) || result=FAILED
	processor=$(awk '{ printf "%.0f", $1 + $2 }' <<<"$processor")
	inputs=$(grep -o 'execs: [0-9]*' "$log" | tail -1 | cut -d' ' -f2 || :)
	printf '| `%s` | `%s` | %d | %s | %s | %s |\n' "$1" "$2" $((SECONDS - started)) "$processor s" "${inputs:-0}" $result >"$row"
	say "$name: $result, ${inputs:-0} inputs in $((SECONDS - started)) s"
}

say "compiling the tests"
waiting=()
while read -r package target flags; do
	name=$package.$target
	[[ $name =~ $only ]] || continue
	! grep -qs passed "$out/rows/${name//\//_}" || continue
	waiting+=("$package $target $flags")
done < <(targets)

declare -A program_of
for target in "${waiting[@]}"; do
	read -r package _ flags <<<"$target"
	# shellcheck disable=SC2086  # flags are two words or none
	[[ -n ${program_of[$package $flags]:-} ]] || program_of[$package $flags]=$(compile "$package" $flags)
done
say "fuzzing ${#waiting[@]} targets for $duration each, $jobs at once"
for target in "${waiting[@]}"; do
	read -r package name flags <<<"$target"
	while [[ $(jobs -rp | wc -l) -ge $jobs ]]; do wait -n || :; done
	fuzz "$package" "$name" "${program_of[$package $flags]}" &
done
wait

{
	echo '| package | target | seconds | processor | inputs | result |'
	echo '| --- | --- | ---: | ---: | ---: | --- |'
	sort "$out"/rows/*
} >"$out/table.md"
say "build/fuzz/$duration/table.md has the table"
! grep -q FAILED "$out/table.md" || fail "a target failed" "its log is in build/fuzz/$duration/logs"
