#!/usr/bin/env bash
# Checks what the program is made of: known vulnerabilities in the modules that it calls,
# and the license of every module against the kinds below and against scripts/licenses.md.
#
#   scripts/supply.sh           check
#   scripts/supply.sh update    write scripts/licenses.md
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.1.4
list=scripts/licenses.md

# license_of FILE prints the SPDX identifier of a license text that may be used here.
license_of() {
	local text
	text=$(tr -s '[:space:]' ' ' <"$1")
	case $text in
	*"Apache License"*"Version 2.0"*) echo Apache-2.0 ;;
	*"Mozilla Public License"*"2.0"*) echo MPL-2.0 ;;
	*"Permission is hereby granted, free of charge"*"The above copyright notice and this permission notice"*) echo MIT ;;
	*"Permission to use, copy, modify, and/or distribute this software"* | *"Permission to use, copy, modify, and distribute this software"*) echo ISC ;;
	*"Redistribution and use in source and binary forms"*"contributors may be used to endorse"*) echo BSD-3-Clause ;;
	*"Redistribution and use in source and binary forms"*"may be used to endorse"*) echo BSD-3-Clause ;;
	*"Redistribution and use in source and binary forms"*) echo BSD-2-Clause ;;
	*"This is free and unencumbered software released into the public domain"*) echo Unlicense ;;
	*"have been put into the public domain. You can do whatever you want"*) echo public-domain ;;
	*) return 1 ;;
	esac
}

# licenses prints a row of Markdown for every module whose packages are in the program or
# its tests.
licenses() {
	local module version dir file kind
	go list -deps -test -tags torch -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./... | sort -u |
		while read -r module version dir; do
			kind=
			for file in "$dir"/{LICENSE,LICENCE,License,COPYING,UNLICENSE}{,.md,.txt,-MIT}; do
				[[ -f $file ]] && kind=$(license_of "$file") && break
			done
			[[ -n $kind ]] || fail "$module $version has no license of a known kind in $dir" \
				"read its license, and add the kind to scripts/supply.sh or drop the module"
			echo "| $module | $version | $kind |"
		done
}

write_list() {
	local rows
	rows=$(licenses) || exit 1
	echo "# Licenses of the modules"
	echo
	echo "The Go modules that the program and its tests are built from, as \`scripts/supply.sh update\` lists them. \`make supply\` checks the list."
	echo
	echo "| module | version | license |"
	echo "| --- | --- | --- |"
	echo "$rows"
}

case ${1:-check} in
update) written=$(write_list) && echo "$written" >$list ;;
check)
	say "comparing the licenses of the modules with $list"
	written=$(write_list)
	diff -u $list <(echo "$written") || fail "$list is not up to date" "scripts/supply.sh update"

	say "looking for known vulnerabilities"
	status=0
	output=$(CGO_ENABLED=0 go run $govulncheck ./... 2>&1) || status=$?
	echo "$output"
	case $status:$output in
	0:*) ;;
	*"Vulnerability #"*) fail "the program calls code with known vulnerabilities" ;;
	*"fetching vulnerabilities"* | *"dial tcp"* | *"no such host"* | *"Client.Timeout"*)
		say "NOT CHECKED: the database of vulnerabilities cannot be reached, so known vulnerabilities are not ruled out"
		;;
	*) fail "govulncheck failed" ;;
	esac
	;;
*) fail "scripts/supply.sh: unknown argument '$1'" "want check, update or nothing" ;;
esac
