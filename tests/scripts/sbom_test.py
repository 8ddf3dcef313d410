"""scripts/sbom.py must describe a package, its programs and their parts as SPDX 2.3 asks."""
import contextlib
import hashlib
import io
import json
import pathlib
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import sbom  # noqa: E402
from linked_parts import Part  # noqa: E402


class Sbom(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("incore", "libdw.a", "libz.so.1"):
            (self.folder / name).write_bytes(name.encode())
        with tarfile.open(self.folder / "incore-9.tar.gz", "w:gz") as archive:
            archive.add(self.folder / "incore", "incore-9/bin/incore")
        self.package = self.folder / "incore-9.tar.gz"
        self.parts = [
            Part("elfutils", "1:0.1+x-2", "elfutils", "LGPL-3.0-or-later", "https://e", {"libdw-dev"}, archives={self.folder / "libdw.a"}),
            Part("zlib", "1.2", "zlib", "Zlib", "https://z", {"zlib1g-dev"}, shared={self.folder / "libz.so.1"}, has_headers=True),
            Part("gmp", "3", "GMP", "LGPL-3.0-or-later", "https://g", {"libgmp10"}, shared={self.folder / "libz.so.1"}),
        ]

    def document(self, parts=None):
        return sbom.document(self.package, self.folder / "incore", parts or self.parts, "9", "2020-01-01T00:00:00Z", "debian")

    def main(self, *arguments):
        """Runs the script on the package as if the linker's map said that it has these parts; returns its exit code and errors."""
        errors = io.StringIO()
        words = ["sbom.py", *arguments, str(self.folder), str(self.package)]
        with mock.patch.object(sys, "argv", words), mock.patch.object(sbom, "parts_of", lambda *_: self.parts), \
                contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            return sbom.main(), errors.getvalue()

    def test_every_element_has_what_spdx_demands(self):
        document = self.document()
        for key in ("SPDXID", "name", "documentNamespace", "creationInfo"):
            self.assertTrue(document[key])
        self.assertEqual((document["spdxVersion"], document["dataLicense"]), ("SPDX-2.3", "CC0-1.0"))
        elements = [document, *document["packages"], *document["files"]]
        identities = [element["SPDXID"] for element in elements]
        self.assertEqual(len(identities), len(set(identities)))
        for identity in identities:
            self.assertRegex(identity, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for relation in document["relationships"]:
            self.assertIn(relation["spdxElementId"], identities)
            self.assertIn(relation["relatedSpdxElement"], identities)
        related = {relation[end] for relation in document["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
        self.assertEqual(related, set(identities))
        self.assertNotIn("CONTAINS", [relation["relationshipType"] for relation in document["relationships"]])  # filesAnalyzed is false
        for package in document["packages"]:
            self.assertTrue(package["name"] and package["versionInfo"] and package["downloadLocation"] and package["licenseDeclared"])

    def test_checksums_are_those_of_the_files(self):
        document = self.document()
        own = next(package for package in document["packages"] if package["name"] == "incore")
        for element, file in [(own, self.package), *((entry, self.folder / pathlib.Path(entry["fileName"]).name) for entry in document["files"])]:
            sums = {entry["algorithm"]: entry["checksumValue"] for entry in element["checksums"]}
            self.assertEqual(sums, {"SHA1": hashlib.sha1(file.read_bytes()).hexdigest(), "SHA256": hashlib.sha256(file.read_bytes()).hexdigest()})

    def test_parts_and_how_they_come_in(self):
        document = self.document()
        relations = {(relation["spdxElementId"], relation["relationshipType"], relation["relatedSpdxElement"])
                     for relation in document["relationships"]}
        self.assertEqual(relations, {
            ("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package-incore"),
            ("SPDXRef-File-incore", "EXPANDED_FROM_ARCHIVE", "SPDXRef-Package-incore"),
            ("SPDXRef-File-incore", "STATIC_LINK", "SPDXRef-Package-elfutils"),
            ("SPDXRef-File-elfutils-libdw.a", "GENERATED_FROM", "SPDXRef-Package-elfutils"),
            ("SPDXRef-File-incore", "STATIC_LINK", "SPDXRef-Package-zlib"),
            ("SPDXRef-File-incore", "DYNAMIC_LINK", "SPDXRef-Package-zlib"),
            ("SPDXRef-File-incore", "DYNAMIC_LINK", "SPDXRef-Package-gmp"),
        })
        elfutils = next(package for package in document["packages"] if package["name"] == "elfutils")
        self.assertEqual(elfutils["versionInfo"], "1:0.1+x-2")
        self.assertEqual(elfutils["licenseDeclared"], "LGPL-3.0-or-later")
        self.assertEqual(elfutils["externalRefs"][0]["referenceLocator"], "pkg:deb/debian/elfutils@1%3A0.1%2Bx-2?arch=source")

    def test_the_same_package_gives_the_same_document(self):
        self.assertEqual(json.dumps(self.document()), json.dumps(self.document(parts=self.parts[::-1])))
        before = self.document()["documentNamespace"]
        self.package.write_bytes(b"other")
        self.assertNotEqual(self.document()["documentNamespace"], before)

    def test_a_missing_package_leaves_nothing(self):
        self.package = self.folder / "none.whl"
        self.assertEqual(self.main(), (2, f"sbom: {self.package} does not exist; run `make wheel`\n"))
        self.assertEqual(list(self.folder.glob("*.spdx.json*")), [])

    def test_check_finds_what_changed_since(self):
        file = f"{self.package}.spdx.json"
        self.assertEqual(self.main("--check"), (1, f"{file} is missing; run `make sbom`\n"))
        self.assertEqual(self.main(), (0, ""))
        self.assertEqual(self.main("--check"), (0, ""))
        stale = f"{file} does not say what the package and the linker's map say now; run `make sbom`\n"
        for change in (lambda: self.parts.pop(), lambda: (self.folder / "libdw.a").write_bytes(b"other"),
                       lambda: setattr(self.parts[0], "version", "2")):
            change()
            self.assertEqual(self.main("--check"), (1, stale))
            self.assertEqual(self.main(), (0, ""))
        (self.folder / "incore").write_bytes(b"of another build")
        self.assertEqual(self.main(), (1, f"{file} does not describe the program in incore-9.tar.gz, which is of another build\n"))


if __name__ == "__main__":
    unittest.main()
