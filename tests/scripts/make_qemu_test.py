"""scripts/make-qemu.sh must say what is wrong with the sources or the patches, and patch anew what has changed."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts"
PATCH = "--- a/file\n+++ b/file\n@@ -1 +1 @@\n-before\n+{}\n"


@unittest.skipUnless(shutil.which("patch"), "patch is not installed")
class MakeQemu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("7.2", "10.0"):
            (self.folder / "machine/qemu" / name).mkdir(parents=True)
        (self.folder / "scripts").mkdir()
        shutil.copy(SCRIPTS / "make-qemu.sh", self.folder / "scripts")
        self.patch = self.folder / "machine/qemu/7.2/0001-change.patch"
        self.patch.write_text(PATCH.format("after"))

    def run_script(self, *arguments, version="7.2.22", fetch=""):
        """Runs it with a fetch-sources.sh that fetches QEMU |version|, or does |fetch|."""
        fetch = fetch or f'echo "$*" >>{self.folder}/calls; mkdir "$folder/qemu-1"; echo {version} >"$folder/qemu-1/VERSION"; ' \
            'echo before >"$folder/qemu-1/file"'
        script = self.folder / "scripts/fetch-sources.sh"
        script.write_text(f'#!/bin/bash\nfolder=${{@: -2:1}}\n{fetch}\n')
        script.chmod(0o755)
        return subprocess.run([self.folder / "scripts/make-qemu.sh", *arguments], capture_output=True, text=True, check=False)

    def source(self):
        return (self.folder / "build/qemu/source/file").read_text()

    def refused(self, result, *lines):
        self.assertEqual((result.returncode, result.stdout, result.stderr.splitlines()), (1, "", list(lines)))

    def test_sources_are_fetched_once_and_patched_anew(self):
        for text in ("after", "later"):
            self.patch.write_text(PATCH.format(text))
            result = self.run_script("--patch-only")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
            self.assertEqual(self.source(), text + "\n")
        self.assertEqual(len((self.folder / "calls").read_text().splitlines()), 1)

    def test_another_release_is_another_source(self):
        self.run_script("--patch-only")
        (self.folder / "machine/qemu/10.0/0001-change.patch").write_text(PATCH.format("ten"))
        self.assertEqual(self.run_script("--release", "trixie", "--patch-only", version="10.0.13").returncode, 0)
        self.assertEqual(self.source(), "ten\n")
        self.assertRegex((self.folder / "calls").read_text(), r"^--unpack \S+ qemu\n--unpack --release trixie \S+ qemu\n$")

    def test_sources_that_cannot_be_had(self):
        self.refused(self.run_script(fetch="echo 'fetch-sources: apt has no lists' >&2; exit 1"),
                     "fetch-sources: apt has no lists", "make-qemu: QEMU's source package cannot be had")

    def test_a_version_without_patches(self):
        for version in ("8.2.2", "7.1.0", "17.2.0"):
            shutil.rmtree(self.folder / "build", ignore_errors=True)
            self.refused(self.run_script(version=version),
                         f"make-qemu: there are no patches for QEMU {version}; there are for 10.0 7.2: Debian 12 and 13 have these")

    def test_a_patch_that_does_not_apply(self):
        self.run_script("--patch-only")
        self.patch.write_text(PATCH.format("x").replace("-before", "-other"))
        result = self.run_script("--patch-only")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.splitlines()[-1], "make-qemu: machine/qemu/7.2/0001-change.patch does not apply to QEMU 7.2.22")
        self.assertEqual(self.source(), "after\n")  # the last good one stays
        self.patch.write_text(PATCH.format("after"))
        self.assertEqual(self.run_script("--patch-only").returncode, 0)

    def test_a_missing_library(self):
        self.refused(self.run_script(), "make-qemu: build/native/libincore.a is missing; make build makes it")

    def test_bad_usage(self):
        self.refused(self.run_script("--release"), "make-qemu: --release needs the name of a Debian release, such as trixie")
        for wrong in ("--relese", "qemu-arm"):
            result = self.run_script(wrong)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(result.stderr, f"make-qemu: no program '{wrong}'; there are: "
                             "qemu-system-i386 qemu-system-x86_64 qemu-i386 qemu-x86_64\n")


class Series(unittest.TestCase):
    def test_each_has_all_models(self):
        root = SCRIPTS.parent
        models = set(re.findall(r"^X\((\w+)\)", (root / "src/padlock/models.def").read_text(encoding="utf-8"), re.MULTILINE)) - {"host"}
        self.assertIn("nano", models)
        series = list((root / "machine/qemu").glob("[0-9]*"))
        self.assertTrue(series)
        for folder in series:
            added = "".join(patch.read_text(encoding="utf-8") for patch in folder.glob("*.patch"))
            self.assertEqual(set(re.findall(r'^\+ +\.padlock = "(\w+)",$', added, re.MULTILINE)), models, folder.name)


if __name__ == "__main__":
    unittest.main()
