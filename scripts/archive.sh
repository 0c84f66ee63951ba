#!/usr/bin/env bash
# Packs bin/ctxnorm and its native libraries into an archive that runs
# on another Linux machine of the same architecture, with a C library at least as new.
#
#   scripts/archive.sh     build/ctxnorm-VERSION-linux-amd64.tar.gz
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

program=$root/bin/ctxnorm
version=$("$program" --version | awk '{ print $NF }')
name=ctxnorm-$version-$(go env GOOS)-$(go env GOARCH)
folder=$root/build/$name

rm -rf "$folder" "$folder.tar.gz"
mkdir -p "$folder/lib"
cp "$program" "$folder/lib/ctxnorm"
cp LICENSE README.md CHANGELOG.md "$folder"
# Libraries of the system are not packed.
ldd "$program" | awk '/=> \// { print $3 }' | while read -r library; do
	case $library in
	"$cache"/* | "$libtorch"/*) cp -L "$library" "$folder/lib" ;;
	esac
done
cat >"$folder/ctxnorm" <<'EOF'
#!/bin/sh
# Starts ctxnorm with the libraries in this folder.
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$here/lib/ctxnorm" "$@"
EOF
chmod +x "$folder/ctxnorm"
tar -C "$root/build" -czf "$folder.tar.gz.part" "$name"
mv "$folder.tar.gz.part" "$folder.tar.gz"
rm -rf "$folder"
say "$folder.tar.gz"
