#!/usr/bin/env bash
# Packs archives of ctxnorm for other machines into build/dist, with their checksums in SHA256SUMS and what they were
# built from in provenance.json.
#
#   scripts/dist.sh VERSION         one static program each for Linux, macOS and Windows on amd64 and arm64
#   scripts/dist.sh VERSION train   the program that trains encoders and the libraries that it loads, for this machine
#
# The same sources and tools make the same bytes in pure Go: no path of this machine, no time but that of the
# commit (or SOURCE_DATE_EPOCH), and files in sorted order.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

platforms=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)
[[ ${1:-} ]] || fail "scripts/dist.sh needs a version" "make dist"
version=$1
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
dist=$root/build/dist

# licenses FOLDER TAGS collects into a folder the licenses of Go and of the modules that the program is built from.
licenses() {
	local module dir file
	mkdir -p "$1/licenses/go"
	cp scripts/licenses.md "$1/licenses"
	cp "$(go env GOROOT)/LICENSE" "$1/licenses/go"
	go list -deps -tags "$2" -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/ctxnorm | sort -u |
		while read -r module dir; do
			for file in "$dir"/{LICENSE,LICENCE,COPYING,NOTICE}*; do
				[[ -f $file ]] || continue
				mkdir -p "$1/licenses/$module"
				install -m 644 "$file" "$1/licenses/$module"
			done
			[[ -d $1/licenses/$module ]] || fail "the module $module has no license in $dir"
		done
}

# rust_licenses FOLDER collects into a folder the licenses of the crates that libtokenizers.a is built from, and a list of them.
rust_licenses() {
	local manifest crates crate version license source file
	manifest=$(go list -m -f '{{.Dir}}' github.com/daulet/tokenizers)/Cargo.toml
	crates=$(cargo tree --locked --edges normal --prefix none --format '{p}|{l}' --target "$(uname -m)-unknown-linux-gnu" --manifest-path "$manifest")
	mkdir -p "$1/licenses/rust"
	{
		echo "# Licenses of the Rust crates in libtokenizers.a"
		echo
		echo "| crate | version | license |"
		echo "| --- | --- | --- |"
	} >"$1/licenses/rust/crates.md"
	# A line is "memchr v2.7.4|Unlicense OR MIT", with (*) at its end where the tree has it before.
	sed 's/ (\*)$//; s/ (proc-macro)|/|/' <<<"$crates" | grep -v '(/' | LC_ALL=C sort -u | while IFS='|' read -r crate license; do
		version=${crate#* v} crate=${crate%% *}
		[[ $license ]] || fail "the crate $crate $version names no license"
		echo "| $crate | $version | $license |" >>"$1/licenses/rust/crates.md"
		for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$crate-$version"; do
			for file in "$source"/{LICENSE,LICENCE,COPYING,COPYRIGHT,NOTICE,UNLICENSE,license}*; do
				[[ -f $file ]] || continue
				mkdir -p "$1/licenses/rust/$crate-$version"
				install -m 644 "$file" "$1/licenses/rust/$crate-$version"
			done
		done
	done
}

# sbom PROGRAM lists the modules of a program beside it, as CycloneDX.
sbom() {
	CGO_ENABLED=0 GOOS='' GOARCH='' go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 \
		bin -json -noserial -notimestamp -version "$version" -output "$(dirname "$1")/sbom.cdx.json" "$1"
}

# pack FOLDER writes the archive of a folder beside it, and removes the folder.
pack() {
	local name
	name=$(basename "$1")
	chmod -R u=rwX,go=rX "$1"
	case $name in
	*-windows-*) (cd "$dist" && pack_zip "$name") ;;
	*) tar -C "$dist" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$name" |
		gzip -9n >"$1.tar.gz" ;;
	esac
	rm -rf "$1"
}

pack_zip() {
	python3 - "$1" "$epoch" <<-'PYTHON'
		import pathlib, sys, time, zipfile
		name, epoch = sys.argv[1:]
		with zipfile.ZipFile(name + ".zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
		    for path in sorted(p for p in pathlib.Path(name).rglob("*") if p.is_file()):
		        entry = zipfile.ZipInfo(path.as_posix(), time.gmtime(int(epoch))[:6])
		        entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
		        entry.external_attr = (0o100000 | path.stat().st_mode & 0o777) << 16
		        archive.writestr(entry, path.read_bytes())
	PYTHON
}

# provenance prints which commit, tool and script made the archives of SHA256SUMS, as an in-toto statement of SLSA
# (https://slsa.dev/spec/v1.0/provenance), which nobody has signed.
provenance() {
	python3 - "$version" "$(git rev-parse HEAD)" "$(go env GOVERSION)" "$1" <<-'PYTHON'
		import json, sys
		version, commit, go, kind = sys.argv[1:]
		source = "https://github.com/ctxnorm/ctxnorm"
		subjects = [line.split() for line in open("SHA256SUMS")]
		json.dump({
		    "_type": "https://in-toto.io/Statement/v1",
		    "subject": [{"name": name, "digest": {"sha256": digest}} for digest, name in subjects],
		    "predicateType": "https://slsa.dev/provenance/v1",
		    "predicate": {
		        "buildDefinition": {
		            "buildType": source + "/blob/main/scripts/dist.sh",
		            "externalParameters": {"version": version, "kind": kind},
		            "resolvedDependencies": [
		                {"uri": "git+" + source, "digest": {"gitCommit": commit}},
		                {"uri": "https://go.dev/dl/", "name": go},
		            ],
		        },
		        "runDetails": {"builder": {"id": source + "/blob/main/scripts/dist.sh"}},
		    },
		}, sys.stdout, indent=2)
		print()
	PYTHON
}

# start NAME makes an empty folder with what every archive has, and sets folder.
start() {
	folder=$dist/$1
	rm -rf "$folder" "$folder".tar.gz "$folder".zip
	mkdir -p "$folder"
	cp LICENSE README.md CHANGELOG.md "$folder"
}

dist_programs() {
	local platform os arch program
	for platform in "${platforms[@]}"; do
		os=${platform%/*} arch=${platform#*/} program=ctxnorm
		[[ $os == windows ]] && program=ctxnorm.exe
		start "ctxnorm-$version-$os-$arch"
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -buildvcs=false -trimpath -ldflags "-s -w -buildid= -X main.version=$version" \
			-o "$folder/$program" ./cmd/ctxnorm
		GOOS=$os GOARCH=$arch licenses "$folder" ''
		sbom "$folder/$program"
		pack "$folder"
	done
}

# dist_train packs the program, and that which trains with the libraries that it loads and that are not the system's, in
# the folder lib beside both.
dist_train() {
	local library path loaded
	scripts/deps.sh
	eval "$(scripts/native-env.sh)"
	[[ -d $libtorch/licenses ]] || fail "there are no licenses of libtorch in $libtorch/licenses, which the archive has to have" \
		"$(if [[ ${LIBTORCH:-} ]]; then echo "put those of your libtorch there"; else echo "rm -r $cache/libtorch-$torch_version && make deps, which fetches it with them"; fi)"
	start "ctxnorm-$version-$(go env GOOS)-$(go env GOARCH)-train"
	CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags "-s -w -buildid= -X main.version=$version" -o "$folder/ctxnorm" ./cmd/ctxnorm
	go build -buildvcs=false -tags torch -ldflags "-s -w -X main.version=$version" -o "$folder/ctxnorm-train" ./cmd/ctxnorm
	mkdir "$folder/lib"
	loaded=$(ldd "$folder/ctxnorm-train")
	if grep "not found" <<<"$loaded" >&2; then
		fail "the program needs libraries that are not here" "make deps"
	fi
	while read -r library _ path _; do
		case $path in
		"$cache"/* | "$libtorch"/*)
			cp -L "$path" "$folder/lib/$library"
			strip --strip-unneeded "$folder/lib/$library"
			# shellcheck disable=SC2016  # the loader replaces $ORIGIN
			patchelf --set-rpath '$ORIGIN' "$folder/lib/$library"
			;;
		esac
	done < <(grep '=> /' <<<"$loaded")
	# shellcheck disable=SC2016
	patchelf --set-rpath '$ORIGIN/lib' "$folder/ctxnorm-train"
	! ldd "$folder/ctxnorm-train" | grep -e 'not found' -e "$cache" -e "$libtorch" >&2 || fail "the program loads libraries from outside its folder"
	"$folder/ctxnorm-train" version >/dev/null
	licenses "$folder" torch
	sbom "$folder/ctxnorm-train"
	cp -R "$libtorch/licenses" "$folder/licenses/libtorch"
	rust_licenses "$folder"
	pack "$folder"
}

need_go
need python3 "on Debian or Ubuntu: apt-get install python3" || :
tar --version 2>/dev/null | grep -q GNU || missing+=("tar is not GNU tar" "on macOS: brew install gnu-tar, and put it first in PATH")
mkdir -p "$dist"
case ${2:-} in
'')
	fail_if_missing
	dist_programs
	;;
train)
	need_compiler
	need_cargo
	need patchelf "on Debian or Ubuntu: apt-get install patchelf" || :
	fail_if_missing
	dist_train
	;;
*) fail "scripts/dist.sh: unknown argument '$2'" "want train or nothing" ;;
esac
cd "$dist"
find . -maxdepth 1 -name "ctxnorm-$version-*" -type f -printf '%f\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS.part
mv SHA256SUMS.part SHA256SUMS
provenance "${2:-programs}" >provenance.json
cut -d' ' -f3 SHA256SUMS | xargs du -h --apparent-size >&2
