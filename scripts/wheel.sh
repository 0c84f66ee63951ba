# Sourced by the deps-*.sh scripts: Python wheels, fetched by pip and unpacked.
# shellcheck shell=bash
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

downloads=$cache/downloads
wheel_platform=manylinux1_x86_64
fetched=() # wheels to remove once their part is in place

# fetch_wheel NAME puts the wheel of that line of wheels.txt into the downloads
# folder and its path into the variable wheel. One that is there already, by an
# earlier run or by hand, is taken as it is when its SHA-256 is right.
fetch_wheel() {
	local version mb sha256
	mkdir -p "$downloads"
	read -r _ version mb sha256 < <(grep "^$1 " scripts/wheels.txt)
	wheel=$(find_wheel "$1" "$version")
	if [[ -z $wheel ]] || ! is_sound "$wheel" "$sha256"; then
		say "fetching $1 $version ($mb MB)"
		download_wheel "$1==$version" "$sha256"
		wheel=$(find_wheel "$1" "$version")
	fi
	if is_sound "$wheel" "$sha256"; then
		fetched+=("$wheel")
		return
	fi
	rm -f "$wheel"
	fail "$1 $version: the downloaded file does not have the SHA-256 $sha256" \
		"try again; if it stays, the package index serves another file"
}

find_wheel() { find "$downloads" -name "${1//-/_}-$2-*.whl" -print -quit; }

is_sound() { echo "$2  $1" | sha256sum --check --status 2>/dev/null; }

# download_wheel REQUIREMENT SHA256 tries three times. pip's unfinished files
# stay under the cache (TMPDIR), since /tmp is often smaller than torch.
download_wheel() {
	local attempt resume=()
	if python3 -m pip download --help | grep -q -- --resume-retries; then
		resume=(--resume-retries 5) # pip 25.1 and later
	fi
	for attempt in 1 2 3; do
		if TMPDIR=$downloads python3 -m pip download "${resume[@]}" --no-deps --no-cache-dir \
			--disable-pip-version-check --only-binary=:all: --dest "$downloads" \
			--python-version 3.11 --implementation cp --platform "$wheel_platform" "$1" >&2; then
			return
		fi
		say "fetching $1: attempt $attempt of 3 failed"
		sleep $((attempt * 2))
	done
	fail "$1 could not be fetched" \
		"check the network and pip's settings (pip config list), or put the wheel with SHA-256 $2 into $downloads"
}

# unpack PREFIX/ FOLDER writes the files under that folder of the wheel to FOLDER.
unpack() {
	python3 - "$wheel" "$1" "$2" <<-'PYTHON'
		import pathlib, shutil, sys, zipfile
		wheel, prefix, folder = sys.argv[1:]
		with zipfile.ZipFile(wheel) as archive:
		    names = [n for n in archive.namelist() if n.startswith(prefix) and not n.endswith("/")]
		    if not names:
		        sys.exit(f"{wheel}: nothing lies under {prefix}")
		    for name in names:
		        path = pathlib.Path(folder, name.removeprefix(prefix))
		        path.parent.mkdir(parents=True, exist_ok=True)
		        with archive.open(name) as packed, open(path, "wb") as out:
		            shutil.copyfileobj(packed, out, 1 << 20)
	PYTHON
}

# unpack_licenses FOLDER writes the licenses and notices of the wheel to FOLDER.
unpack_licenses() {
	local name version
	IFS=- read -r name version _ <<<"$(basename "$wheel")"
	unpack "$name-$version.dist-info/" "$1"
	find "$1" -type f ! -iname 'licen[cs]e*' ! -iname 'notice*' -delete
	[[ -n $(find "$1" -type f -print -quit) ]] || fail "$wheel has no license"
}

# publish PART TARGET renames a finished folder to its place, and
# removes the wheels it came from.
publish() {
	rm -rf "$2"
	mkdir -p "$(dirname "$2")"
	mv -T "$1" "$2"
	rm -f "${fetched[@]}"
}
