"""scripts/licences.py must find what a binary is made of, by whatever way it came in, and refuse what does not fit Apache-2.0."""
import contextlib
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import licences  # noqa: E402
import linked_parts  # noqa: E402

NINJA = """\
rule compile
  command = gcc -c -O1 -MD -MF $out.d -o $out $in
  depfile = $out.d
  deps = gcc
rule link
  command = gcc {flags} -Wl,-Map=$out.map -o $out $in {libraries}
build main.o: compile main.c
build program: link main.o
build other.o: compile other.c
"""
GOOD = {"glibc": "LGPL-2.1-or-later", "gcc-*": "GPL-3.0-or-later WITH GCC-exception-3.1", "linux": "GPL-2.0-only WITH Linux-syscall-note",
        "zlib": "Zlib"}


class Fits(unittest.TestCase):
    def test_expressions(self):
        for licence in ("MIT", "LGPL-3.0-or-later OR GPL-2.0-or-later", "GPL-2.0-only OR MIT", "Zlib AND MIT", *GOOD.values()):
            self.assertTrue(linked_parts.fits(licence), licence)
        for licence in ("GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-or-later", "AGPL-3.0-only", "MIT AND GPL-3.0-only", "NOASSERTION", "",
                        "GPL-2.0-only WITH Classpath-exception-2.0", "GPL-2.0-only OR SSPL-1.0"):
            self.assertFalse(linked_parts.fits(licence), licence)

    def test_notice_names_every_part_that_fits(self):
        notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
        for _, name, licence, _ in linked_parts.read_licences():
            self.assertEqual(linked_parts.fits(licence), f"  {name} " in notice, name)


@unittest.skipUnless(shutil.which("dpkg") and shutil.which("ninja"), "needs dpkg and ninja")
class Licences(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        (self.folder / "other.c").write_text("#include <gmp.h>\n")  # of no binary

    def check(self, code="int main(void) { return 0; }\n", flags="", libraries="", table=None, option=()):
        """Builds a program and checks it against the |table|; returns the exit code, the output and the errors."""
        (self.folder / "main.c").write_text(code)
        (self.folder / "build.ninja").write_text(NINJA.format(flags=flags, libraries=libraries))
        subprocess.run(["ninja", "-C", self.folder, "program"], stdout=subprocess.PIPE, check=True)
        rows = self.folder / "table"
        rows.write_text("# of a test\n" + "".join(f"{source}\tthe {source}\t{licence}\thome\n"
                                                  for source, licence in (GOOD if table is None else table).items()))
        out, errors = io.StringIO(), io.StringIO()
        with mock.patch.object(linked_parts, "LICENCES", rows), \
                mock.patch.object(sys, "argv", ["licences.py", *option, str(self.folder), "program"]), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = licences.main()
        return code, out.getvalue(), errors.getvalue()

    def test_what_fits_passes(self):
        code, out, errors = self.check(flags="-static")
        self.assertEqual((code, errors), (0, ""))
        self.assertRegex(out, r"program  the glibc +\S+ +linked, headers +LGPL")
        self.assertRegex(out, r"program  the gcc-\* +\S+ +linked ")

    def test_parts_whose_sources_must_be_offered(self):
        self.assertRegex(self.check(flags="-static", option=["--lgpl"])[1], r"^glibc=\S+\n$")

    def test_gpl_is_refused_however_it_comes_in(self):
        gpl = {**GOOD, "zlib": "GPL-2.0-or-later"}
        use = "const char* zlibVersion(void);\nint main(void) { return zlibVersion()[0] == 0; }\n"
        header = "#include <zlib.h>\nint main(void) { return Z_OK; }\n"
        for way, arguments in {"linked": {"code": use, "flags": "-static", "libraries": "-lz"}, "shared": {"code": use, "libraries": "-lz"},
                               "headers": {"code": header}}.items():
            with self.subTest(way):
                self.assertEqual(self.check(**arguments)[0], 0)
                code, out, errors = self.check(**arguments, table=gpl)
                self.assertEqual(code, 1)
                self.assertRegex(out, rf"the zlib +\S+ +{way} ")
                self.assertEqual(errors, "licences: program: the zlib is under GPL-2.0-or-later, which does not fit Apache-2.0\n")

    def test_an_archive_that_gave_nothing_does_not_count(self):
        out = self.check(flags="-static", libraries="-lz")[1]
        self.assertNotIn("zlib", out)

    def test_an_unknown_part_is_refused(self):
        table = {source: licence for source, licence in GOOD.items() if source != "glibc"}
        code, _, errors = self.check(table=table)
        self.assertEqual(code, 1)
        self.assertRegex(errors, r"^licences: program: glibc \(libc6\S*\) is not in packaging/licences.tsv\n$")

    def test_a_file_of_no_package_is_refused(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            pathlib.Path(elsewhere, "own.h").write_text("enum { ZERO };\n")
            code, _, errors = self.check(code=f'#include "{elsewhere}/own.h"\nint main(void) {{ return ZERO; }}\n')
        self.assertEqual((code, errors), (1, f"licences: program: {elsewhere}/own.h belongs to no package\n"))

    def test_a_library_made_for_the_build_counts_as_what_it_was_made_from(self):
        static = self.folder / "static"
        static.mkdir()
        (self.folder / "own.c").write_text("int own(void) { return 0; }\n")
        subprocess.run(["gcc", "-c", "-o", "own.o", "own.c"], cwd=self.folder, check=True)
        subprocess.run(["ar", "rcs", "static/libown.a", "own.o"], cwd=self.folder, check=True)
        (static / "made-from").write_text("libown.a own-source 1.2-3 libown-dev\nby gcc 12\n")
        for library in ("static/libown.a", static / "libown.a"):
            code, out, errors = self.check(code="int own(void);\nint main(void) { return own(); }\n", libraries=library,
                                           table={**GOOD, "own-source": "GPL-3.0-only"})
            self.assertEqual(code, 1)
            self.assertRegex(out, r"the own-source +1\.2-3 +linked +GPL-3.0-only")
            self.assertIn("the own-source is under GPL-3.0-only", errors)

    def test_a_program_without_the_linkers_map_is_refused(self):
        self.check()
        (self.folder / "program.map").unlink()
        with self.assertRaisesRegex(linked_parts.Unknown, "program.map is missing"):
            linked_parts.parts_of(self.folder, self.folder / "program")


if __name__ == "__main__":
    unittest.main()
