"""Makes wheels that carry the program ctxnorm, of the wheel of the Python client and the archives of make dist.

    python3 scripts/wheels.py WHEEL ARCHIVE...

For each archive a wheel is written beside WHEEL, with the program as a script, its licenses and its list of modules
(PEP 427, 639 and 770). Times are those of WHEEL, so that the same files make the same bytes.
"""

import base64
import hashlib
import re
import sys
import tarfile
import zipfile
from pathlib import Path

# The platforms of archives. The programs are static: those for Linux need no C library. Go 1.26 needs macOS 12.
TAGS = {
    "linux-amd64": ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
    "linux-arm64": ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
    "darwin-amd64": ["macosx_12_0_x86_64"],
    "darwin-arm64": ["macosx_12_0_arm64"],
    "windows-amd64": ["win_amd64"],
    "windows-arm64": ["win_arm64"],
}


def unpacked(archive: Path) -> dict[str, bytes]:
    """The files of an archive by their paths in its folder."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            files = {name: packed.read(name) for name in packed.namelist()}
    else:
        with tarfile.open(archive) as packed:
            files = {m.name: packed.extractfile(m).read() for m in packed if m.isfile()}
    return {name.split("/", 1)[1]: content for name, content in files.items()}


def make(pure: Path, archive: Path) -> Path:
    """Writes the wheel of an archive, and returns its path."""
    platform = next((p for p in TAGS if re.search(rf"-{p}\.(tar\.gz|zip)$", archive.name)), None)
    if platform is None:
        sys.exit(f"wheels.py: {archive} is of none of the platforms {', '.join(TAGS)}")
    name, version, *_ = pure.name.split("-")
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(pure) as packed:
        time = packed.infolist()[0].date_time
        files = {n: packed.read(n) for n in packed.namelist() if n != f"{info}/RECORD"}
    added = unpacked(archive)
    program = "ctxnorm.exe" if platform.startswith("windows") else "ctxnorm"
    script = f"{name}-{version}.data/scripts/{program}"
    files[script] = added[program]
    licenses = {n: content for n, content in added.items() if n.startswith("licenses/")}
    files |= {f"{info}/{n}": content for n, content in licenses.items()}
    files[f"{info}/sboms/ctxnorm.cdx.json"] = added["sbom.cdx.json"]
    names = "".join(f"License-File: {n.removeprefix('licenses/')}\n" for n in sorted(licenses))
    header, blank, readme = files[f"{info}/METADATA"].decode().partition("\n\n")
    files[f"{info}/METADATA"] = f"{header}\n{names.rstrip()}{blank}{readme}".encode()
    wheel = re.sub(r"(?m)^(Root-Is-Purelib|Tag): .*\n", "", files[f"{info}/WHEEL"].decode())
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in TAGS[platform])
    files[f"{info}/WHEEL"] = f"{wheel.rstrip()}\nRoot-Is-Purelib: false\n{tags}".encode()
    record = ""
    for path, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    out = pure.with_name(f"{name}-{version}-py3-none-{'.'.join(TAGS[platform])}.whl")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, time)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if path == script else 0o100644) << 16
            packed.writestr(entry, content)
    return out


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: wheels.py WHEEL ARCHIVE...")
    for path in sys.argv[2:]:
        print(make(Path(sys.argv[1]), Path(path)))
