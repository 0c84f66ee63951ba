#!/usr/bin/env bash
# Tests "ctxnorm index export --to pgvector" with a PostgreSQL of its own, from the Python package pgserver:
# it has PostgreSQL 16 with pgvector and psql. Everything is in a temporary folder, and the server
# listens on a socket there and on no port.
#
#   scripts/pgvector.sh [COMMAND...]    run the tests, or another command, with CTXNORM_POSTGRES
#
# PostgreSQL refuses to run as root: then it runs as the user nobody.
# shellcheck source=wheel.sh
source "$(dirname "${BASH_SOURCE[0]}")/wheel.sh"

version=$(awk '$1 == "pgserver" { print $2 }' scripts/wheels.txt)
postgres=$cache/pgserver-$version

# install unpacks the wheel into the cache. The run path of its programs leads to pgserver.libs, beside pgserver.
install() {
	[[ -e $postgres ]] && return
	rm -rf "$postgres.part"
	wheel_platform=manylinux2014_x86_64
	fetch_wheel pgserver
	unpack pgserver/pginstall/ "$postgres.part/pgserver/pginstall"
	unpack pgserver.libs/ "$postgres.part/pgserver.libs"
	unpack_licenses "$postgres.part/licenses"
	chmod -R u+x,a+rX "$postgres.part/pgserver/pginstall/bin"
	publish "$postgres.part" "$postgres"
}

# as_server COMMAND... runs a command as the user of the server.
as_server() {
	if [[ $(id -u) == 0 ]]; then
		setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- "$@"
	else
		"$@"
	fi
}

main() {
	need_pip
	need_go
	fail_if_missing
	install
	folder=$(mktemp -d)
	trap 'as_server "$folder/bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1; rm -rf "$folder"' EXIT
	# A copy, since the user of the server may not read the cache of another.
	cp -r "$postgres/pgserver" "$postgres/pgserver.libs" "$folder"
	ln -s pgserver/pginstall/bin "$folder/bin"
	mkdir "$folder/data" "$folder/socket"
	chmod 755 "$folder"
	chmod 700 "$folder/data"
	[[ $(id -u) != 0 ]] || chown nobody "$folder/data" "$folder/socket"
	as_server "$folder/bin/initdb" -D "$folder/data" -U ctxnorm --auth=trust --encoding=UTF8 --no-locale --no-sync >/dev/null
	as_server "$folder/bin/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w start \
		-o "-c listen_addresses='' -c unix_socket_directories='$folder/socket' -c fsync=off -c shared_buffers=1GB -c maintenance_work_mem=2GB -c max_parallel_maintenance_workers=1" >/dev/null ||
		fail "PostgreSQL did not start: $(cat "$folder/data/log")"
	export CTXNORM_POSTGRES="host=$folder/socket user=ctxnorm dbname=postgres"
	PATH=$folder/bin:$PATH
	if [[ $# -gt 0 ]]; then
		"$@"
	else
		CGO_ENABLED=0 go test -count 1 -v -run 'Postgres' ./internal/model/pgvector ./cmd/ctxnorm
	fi
}

main "$@"
