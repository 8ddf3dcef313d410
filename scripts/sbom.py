#!/usr/bin/env python3
"""Writes what a tarball or wheel of the program is made of, as an SPDX 2.3 document in JSON beside it: PACKAGE.spdx.json. With --check
compares such documents with the linker's map and with the program in the package.

usage: sbom.py [--check] BUILD PACKAGE...      such as: sbom.py build/tarball build/wheel/*.whl
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import sys
import tarfile
import time
import urllib.parse
import zipfile

from linked_parts import ROOT, Unknown, output_of, parts_of


def checksums(content):
    return [{"algorithm": name, "checksumValue": hashlib.new(name.lower(), content).hexdigest()} for name in ("SHA1", "SHA256")]


def spdx_id(kind, *names):
    return f"SPDXRef-{kind}-" + "-".join(re.sub("[^A-Za-z0-9.]+", "-", name).strip(".-") for name in names)


def own_package(package, version):
    return {
        "SPDXID": "SPDXRef-Package-incore", "name": "incore", "versionInfo": version, "packageFileName": package.name,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION", "checksums": checksums(package.read_bytes()),
    }


def part_package(part, distribution):
    return {
        "SPDXID": spdx_id("Package", part.source), "name": part.source, "versionInfo": part.version, "summary": part.name,
        "homepage": part.home, "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": part.licence, "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "LIBRARY",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/{distribution}/{part.source}@{urllib.parse.quote(part.version, safe='.-~')}?arch=source"}],
    }


def document(package, program, parts, version, created, distribution):
    """The SPDX document of the file |package|, in which is the |program|, made of |parts|, which are packages of the |distribution|."""
    files, relations = {}, {("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package-incore")}

    def add_file(file, name, licence):
        identity = spdx_id("File", name)
        files[identity] = {"SPDXID": identity, "fileName": name, "checksums": checksums(file.read_bytes()), "licenseConcluded": licence,
                           "copyrightText": "NOASSERTION"}
        return identity

    own = add_file(program, f"./{program.name}", "Apache-2.0")
    relations.add((own, "EXPANDED_FROM_ARCHIVE", "SPDXRef-Package-incore"))  # packages whose files are not all listed contain none
    for part in parts:
        identity = spdx_id("Package", part.source)
        if part.is_inside:
            relations.add((own, "STATIC_LINK", identity))
        if part.shared:
            relations.add((own, "DYNAMIC_LINK", identity))
        for archive in part.archives:
            relations.add((add_file(archive, f"./{part.source}/{archive.name}", "NOASSERTION"), "GENERATED_FROM", identity))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": package.name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{package.name}-{hashlib.sha256(package.read_bytes()).hexdigest()}",
        "creationInfo": {"created": created, "creators": [f"Tool: incore-sbom-{version}"]},
        "packages": [own_package(package, version), *(part_package(part, distribution) for part in sorted(parts, key=lambda part: part.source))],
        "files": [files[identity] for identity in sorted(files)],
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in sorted(relations)],
    }


def project_version(root=ROOT):
    return re.search(r"^project\(incore VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)


def creation_time():
    """SOURCE_DATE_EPOCH, or when the last commit was made."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct", folder=ROOT)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds)))


def distribution_name():
    """The distribution's ID, such as "debian"."""
    return re.search(r'^ID="?(\w+)', pathlib.Path("/etc/os-release").read_text(), re.MULTILINE).group(1)


def packed_program(package):
    """The bytes of the program in a tarball or wheel."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            return next(archive.read(name) for name in archive.namelist() if name.endswith(".data/scripts/incore"))
    with tarfile.open(package) as archive:
        return next(archive.extractfile(member).read() for member in archive if member.name.endswith("/bin/incore"))


def check(file, package, expected):
    """What is wrong with the document in |file|, or nothing."""
    if not file.is_file():
        return "is missing; run `make sbom`"
    found = json.loads(file.read_text(encoding="utf-8"))
    if {**found, "creationInfo": 0} != {**expected, "creationInfo": 0}:
        return "does not say what the package and the linker's map say now; run `make sbom`"
    program = next(entry for entry in found["files"] if entry["fileName"] == "./incore")
    if program["checksums"] != checksums(packed_program(package)):
        return f"does not describe the program in {package.name}, which is of another build"
    return ""


def main():
    parser = argparse.ArgumentParser(description="Writes an SPDX 2.3 document beside each package.")
    parser.add_argument("--check", action="store_true", help="write nothing; compare the documents with the linker's map and the packages")
    parser.add_argument("build", type=pathlib.Path, help="the folder in which the program was built")
    parser.add_argument("packages", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    program = options.build / "incore"
    for needed in (program, *options.packages):
        if not needed.is_file():
            print(f"sbom: {needed} does not exist; run `make wheel`", file=sys.stderr)
            return 2
    try:
        parts = parts_of(options.build, program)
    except Unknown as error:
        print(f"sbom: {error}", file=sys.stderr)
        return 1
    mistakes = 0
    for package in options.packages:
        file = package.with_name(package.name + ".spdx.json")
        content = document(package, program, parts, project_version(), creation_time(), distribution_name())
        if not options.check:
            half = file.with_name(file.name + ".new")
            half.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
            half.rename(file)
        mistake = check(file, package, content)
        print(f"{file} {mistake}" if mistake else file, file=sys.stderr if mistake else sys.stdout)
        mistakes += bool(mistake)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
