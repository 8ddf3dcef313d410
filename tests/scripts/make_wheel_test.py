"""scripts/make-wheel.py must make a wheel that pip installs, from which `import incore` finds the program, always of the same bytes."""
import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "make-wheel.py"
# A stand-in: it tells how it was called and gives an exit code.
PROGRAM = b'#!/bin/sh\necho "incore $*"\n[ "$1" != fail ] || exit 7\n'
FILES = {"bin/incore": PROGRAM, "share/doc/incore/README.md": "# Incore, läuft\n".encode(), "share/doc/incore/LICENSE": b"Apache\n",
         "share/doc/incore/NOTICE": b"parts\n", "share/doc/incore/licenses/zydis.txt": b"MIT\n", "share/doc/incore/docs/run.md": b"x\n"}


def tarball(folder, files=None, name="incore-0.9.1-linux-x86_64.tar.gz"):
    file = folder / name
    with tarfile.open(file, "w:gz") as archive:
        for path, content in (FILES if files is None else files).items():
            entry = tarfile.TarInfo(f"incore-0.9.1-linux-x86_64/{path}")
            entry.size, entry.mtime = len(content), 1600000000
            archive.addfile(entry, io.BytesIO(content))
    return file


class MakeWheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, file, folder="wheel"):
        return subprocess.run([sys.executable, SCRIPT, file, self.folder / folder], capture_output=True, text=True, check=False)

    def wheel(self, folder="wheel"):
        result = self.make(tarball(self.folder), folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return pathlib.Path(result.stdout.strip())

    def test_contents(self):
        file = self.wheel()
        self.assertRegex(file.name, r"^incore-0\.9\.1-py3-none-manylinux_2_17_x86_64\.manylinux2014_x86_64\.musllinux_1_1_x86_64\.whl$")
        self.assertEqual(list(file.parent.iterdir()), [file])
        with zipfile.ZipFile(file) as archive:
            self.assertIsNone(archive.testzip())
            info = "incore-0.9.1.dist-info"
            self.assertEqual(set(archive.namelist()), {
                "incore/__init__.py", "incore/__main__.py", "incore-0.9.1.data/scripts/incore", f"{info}/METADATA", f"{info}/WHEEL",
                f"{info}/RECORD", f"{info}/licenses/LICENSE", f"{info}/licenses/NOTICE", f"{info}/licenses/licenses/zydis.txt"})
            self.assertEqual(archive.read("incore-0.9.1.data/scripts/incore"), PROGRAM)
            modes = {entry.filename: stat.S_IMODE(entry.external_attr >> 16) for entry in archive.infolist()}
            self.assertEqual({name for name, mode in modes.items() if mode != 0o644}, {"incore-0.9.1.data/scripts/incore"})
            self.assertEqual(modes["incore-0.9.1.data/scripts/incore"], 0o755)
            metadata = archive.read(f"{info}/METADATA").decode()
            self.assertIn("\nName: incore\nVersion: 0.9.1\n", metadata)
            self.assertTrue(metadata.endswith("\n\n# Incore, läuft\n"))
            tags = re.findall("^Tag: (.*)$", archive.read(f"{info}/WHEEL").decode(), re.MULTILINE)
            self.assertEqual(tags, [f"py3-none-{name}_x86_64" for name in ("manylinux_2_17", "manylinux2014", "musllinux_1_1")])

    def test_record_has_every_file(self):
        with zipfile.ZipFile(self.wheel()) as archive:
            names = archive.namelist()
            self.assertTrue(names[-1].endswith(".dist-info/RECORD"))
            lines = [line.split(",") for line in archive.read(names[-1]).decode().splitlines()]
            self.assertEqual([line[0] for line in lines], names)
            self.assertEqual(lines.pop()[1:], ["", ""])
            for name, digest, length in lines:
                content = archive.read(name)
                self.assertEqual(int(length), len(content))
                expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
                self.assertEqual(digest, f"sha256={expected}", name)

    def test_the_same_tarball_gives_the_same_bytes(self):
        first = self.wheel("one").read_bytes()
        os.utime(self.folder, (1, 1))
        self.assertEqual(self.wheel("two").read_bytes(), first)

    def test_what_is_no_tarball_of_the_program_leaves_nothing(self):
        text = self.folder / "incore-1-linux-x86_64.tar.gz"
        text.write_text("x")
        cut = tarball(self.folder, name="incore-2-linux-x86_64.tar.gz")
        cut.write_bytes(cut.read_bytes()[:-20])
        for file, message in [(text, "not a gzip file"), (cut, "end-of-stream"), (self.folder / "incore-3-linux-x86_64.tar.gz", "No such file"),
                              (tarball(self.folder, name="other.tar.gz"), "is not named incore-VERSION-linux-x86_64.tar.gz"),
                              (tarball(self.folder, files={"bin/other": b""}), "has no bin/incore")]:
            result = self.make(file)
            self.assertEqual((result.returncode, result.stdout), (2, ""), file)
            self.assertRegex(result.stderr, rf"^make-wheel: .*{message}.*\n$")
        self.assertFalse((self.folder / "wheel").exists())


class Installed(unittest.TestCase):
    """The wheel in a virtual environment, by pip without a network."""
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        if subprocess.run([sys.executable, "-m", "venv", folder / "venv"], capture_output=True, check=False).returncode != 0:
            raise unittest.SkipTest("python3 has no venv with pip")
        cls.bin = folder / "venv" / "bin"
        wheel = subprocess.run([sys.executable, SCRIPT, tarball(folder), folder], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        cls.pip("install", "--no-index", wheel)
        cls.pip("install", "--no-index", "--target", folder / "target", wheel)
        cls.target = folder / "target"

    @classmethod
    def pip(cls, *arguments):
        return subprocess.run([cls.bin / "python", "-m", "pip", "--disable-pip-version-check", *arguments], stdout=subprocess.PIPE, text=True,
                              check=True).stdout

    def python(self, code, **options):
        return subprocess.run([self.bin / "python", "-c", "import incore\n" + code], capture_output=True, text=True, check=False, **options)

    def test_pip_is_content(self):
        self.assertIn("No broken requirements found", self.pip("check"))
        self.assertIn("Version: 0.9.1\n", self.pip("show", "incore"))

    def test_the_program_is_a_command(self):
        result = subprocess.run([self.bin / "incore", "run", "x"], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(result.stdout, "incore run x\n")

    def test_version_and_run(self):
        self.assertEqual(self.python("print(incore.__version__)").stdout, "0.9.1\n")
        result = self.python("r = incore.run(['run', '--', 'a b'], stdout=-1, text=True); print(r.returncode, r.stdout, end='')")
        self.assertEqual(result.stdout, "0 incore run -- a b\n")
        self.assertEqual(self.python("print(incore.run(['fail'], stdout=-1).returncode)").stdout, "7\n")
        self.assertIn("CalledProcessError", self.python("incore.run(['fail'], check=True)").stderr)
        self.assertIn("TypeError: args is a list of strings", self.python("incore.run('fail')").stderr)

    def test_module(self):
        result = subprocess.run([self.bin / "python", "-m", "incore", "fail"], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (7, "incore fail\n"))

    def test_program_of_a_target_folder(self):
        result = self.python("print(incore.program())", env={"PYTHONPATH": str(self.target)})
        self.assertEqual(result.stdout, f"{(self.target / 'bin' / 'incore').resolve()}\n")

    def test_a_program_that_is_gone(self):
        shutil.move(self.bin / "incore", self.bin / "away")
        try:
            self.assertIn("FileNotFoundError: the program incore is not where pip put it: ", self.python("incore.run([])").stderr)
        finally:
            shutil.move(self.bin / "away", self.bin / "incore")


if __name__ == "__main__":
    unittest.main()
