from __future__ import annotations

import io
import platform
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

MAKE = Path(__file__).parents[3] / "scripts" / "wheels.py"
PLATFORM = {"x86_64": "linux-amd64", "aarch64": "linux-arm64"}.get(platform.machine(), "")


@pytest.mark.skipif(sys.platform != "linux" or not PLATFORM, reason="installs a program for Linux")
def test_wheel_with_the_program(tmp_path: Path) -> None:
    """A wheel that is made of the client's and of an archive installs the program, which Server finds without PATH."""
    pure = tmp_path / "ctxnorm_client-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(pure, "w") as wheel:
        wheel.writestr("ctxnorm_client/__init__.py", "")
        info = "ctxnorm_client-0.1.0.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.4\nName: ctxnorm-client\nVersion: 0.1.0\n\n# Readme\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    archive = tmp_path / f"ctxnorm-1-{PLATFORM}.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        contents = {"ctxnorm": "#!/bin/sh\necho it runs\n", "sbom.cdx.json": "{}", "licenses/go/LICENSE": "BSD"}
        for name, content in contents.items():
            member = tarfile.TarInfo(f"ctxnorm-1-{PLATFORM}/{name}")
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content.encode()))
    make = [sys.executable, str(MAKE), str(pure), str(archive)]
    made = Path(subprocess.check_output(make, text=True).strip())
    prefix = tmp_path / "prefix"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--prefix"]
    subprocess.run([*pip, str(prefix), str(made)], check=True)
    assert subprocess.check_output([prefix / "bin" / "ctxnorm"], text=True) == "it runs\n"
    [installed] = prefix.rglob("*.dist-info")
    assert (installed / "licenses" / "go" / "LICENSE").read_text() == "BSD"
    assert (installed / "sboms" / "ctxnorm.cdx.json").exists()
    assert "\nVersion: 0.1.0\nLicense-File: go/LICENSE\n\n# Readme\n" in (installed / "METADATA").read_text()
    before = made.read_bytes()
    subprocess.check_output(make)
    assert made.read_bytes() == before


def test_archive_of_no_platform() -> None:
    make = [sys.executable, str(MAKE), "a-1-py3-none-any.whl", "ctxnorm-1-plan9-amd64.tar.gz"]
    ran = subprocess.run(make, check=False, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "is of none of the platforms" in ran.stderr
