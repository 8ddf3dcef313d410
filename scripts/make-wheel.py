#!/usr/bin/env python3
"""Makes a Python wheel that carries the program, from the tarball; wheels of other versions in the folder go. The same tarball gives the
same bytes.

usage: make-wheel.py TARBALL FOLDER      such as: make-wheel.py build/tarball/incore-0.2.0-linux-x86_64.tar.gz build/wheel
"""
import argparse
import base64
import hashlib
import io
import pathlib
import re
import sys
import tarfile
import time
import zipfile

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "packaging" / "wheel"
# The program needs no C library, so it suits systems of glibc and of musl; older releases of pip know the second name only.
TAG = "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"
METADATA = """\
Metadata-Version: 2.1
Name: incore
Version: {version}
Summary: Runs programs that use crypto instructions which this CPU does not have
License: Apache-2.0
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Security :: Cryptography
Classifier: Topic :: Software Development :: Testing
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme}"""
WHEEL = """\
Wheel-Version: 1.0
Generator: incore-make-wheel
Root-Is-Purelib: false
{tags}"""


class Mistake(Exception):
    """The tarball is not one of the program."""


def read_tarball(file):
    """(version, time of its files, {path below its folder: content})."""
    match = re.fullmatch(r"incore-([0-9.]+)-linux-x86_64\.tar\.gz", file.name)
    if not match:
        raise Mistake(f"{file} is not named incore-VERSION-linux-x86_64.tar.gz")
    content, seconds = {}, 0
    try:
        with tarfile.open(file, "r:gz") as archive:
            for member in archive:
                if member.isfile():
                    content[member.name.split("/", 1)[-1]] = archive.extractfile(member).read()
                    seconds = max(seconds, int(member.mtime))
    except (OSError, EOFError, tarfile.TarError) as error:
        raise Mistake(f"{file}: {error}") from error
    if "bin/incore" not in content:
        raise Mistake(f"{file} has no bin/incore")
    return match.group(1), seconds, content


def wheel_files(version, content):
    """[(name in the wheel, bytes, whether it is a program)], without RECORD."""
    info = f"incore-{version}.dist-info"
    python, interpreter, platforms = TAG.split("-")
    tags = "".join(f"Tag: {python}-{interpreter}-{platform}\n" for platform in platforms.split("."))
    doc = "share/doc/incore/"
    readme = content.get(doc + "README.md", b"").decode()
    files = [(f"incore/{file.name}", file.read_bytes(), False) for file in sorted((PACKAGE / "incore").glob("*.py"))]
    files += [(f"incore-{version}.data/scripts/{name[4:]}", content[name], True) for name in sorted(content) if name.startswith("bin/")]
    files.append((f"{info}/METADATA", METADATA.format(version=version, readme=readme).encode(), False))
    files.append((f"{info}/WHEEL", WHEEL.format(tags=tags).encode(), False))
    files += [(f"{info}/licenses/{name[len(doc):]}", content[name], False) for name in sorted(content)
              if re.match(doc + r"(LICENSE$|NOTICE$|licenses/)", name)]
    return files


def record(info, files):
    """RECORD: the digest and length of every file but itself."""
    lines = []
    for name, content, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join(lines) + f"{info}/RECORD,,\n"


def wheel(version, seconds, content):
    """The bytes of the wheel."""
    files = wheel_files(version, content)
    info = f"incore-{version}.dist-info"
    files.append((f"{info}/RECORD", record(info, files).encode(), False))
    date = time.gmtime(max(seconds, 315532800))[:6]  # zip knows no time before 1980
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data, executable in files:
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3  # Unix, whose modes these are
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
    return out.getvalue()


def main():
    parser = argparse.ArgumentParser(description="Makes a Python wheel from the tarball of the program.")
    parser.add_argument("tarball", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    try:
        version, seconds, content = read_tarball(options.tarball)
    except Mistake as mistake:
        print(f"make-wheel: {mistake}", file=sys.stderr)
        return 2
    options.folder.mkdir(parents=True, exist_ok=True)
    file = options.folder / f"incore-{version}-{TAG}.whl"
    half = file.with_suffix(".new")
    half.write_bytes(wheel(version, seconds, content))
    for old in options.folder.glob("incore-*.whl*"):  # and what describes it
        old.unlink()
    half.rename(file)
    print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
