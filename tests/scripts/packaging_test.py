"""What makes the tarball must say in one line what it lacks, and leave neither half a package nor change one that is there."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
INDEX = "echo deb-src http://mirror.example bookworm main"


class Packaging(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "root")
        shutil.copytree(ROOT / "scripts", self.root / "scripts", ignore=shutil.ignore_patterns("tmp*"))  # another test's
        (self.root / "CMakeLists.txt").write_text("project(incore VERSION 9.8.7 LANGUAGES C)\n")
        self.tarball = self.root / "build/tarball/incore-9.8.7-linux-x86_64.tar.gz"
        self.tarball.parent.mkdir(parents=True)
        self.tarball.write_text("of before")
        self.bin = pathlib.Path(folder.name, "bin")
        self.bin.mkdir()
        for name, lines in {"uname": "echo Linux x86_64", "git": "echo 1600000000", "id": "echo 1000", "make": "exit 2", "dpkg-source": "",
                            "dpkg-query": "echo 1.0-1", "gcc": "echo 12.2.0", "readelf": "", "apt-get": INDEX}.items():
            self.stub(name, lines)

    def stub(self, name, lines):
        """Puts a command of this |name| in front of the system's; None hides it."""
        (self.bin / name).unlink(missing_ok=True)
        if lines is not None:
            (self.bin / name).write_text(f"#!/bin/sh\n{lines}\n")
            (self.bin / name).chmod(0o755)

    def run_script(self, name, *arguments, path=None):
        environment = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
        environment["PATH"] = path or f"{self.bin}:{os.environ['PATH']}"
        result = subprocess.run([self.root / "scripts" / name, *arguments], capture_output=True, text=True, check=False, env=environment)
        return result.returncode, result.stderr

    def refused(self, name, message, *arguments, code=1, path=None):
        self.assertEqual(self.run_script(name, *arguments, path=path), (code, f"{name.partition('.')[0]}: {message}\n"))
        self.assertEqual([file.name for file in self.tarball.parent.iterdir()], [self.tarball.name])
        self.assertEqual(self.tarball.read_text(), "of before")

    def without(self, *hidden):
        """A PATH on which the commands |hidden| are not."""
        for name in ("bash", "dirname", "sed", "mktemp", "rm", "mkdir", "sort", "grep", "cat", "env", "tail", "cksum"):
            if not (self.bin / name).exists():
                (self.bin / name).symlink_to(shutil.which(name))
        for name in hidden:
            self.stub(name, None)
        return str(self.bin)

    def test_other_systems(self):
        self.refused("make-tarball.sh", "the tarball is made on Debian or Ubuntu, which have static libraries; 'make install' works here",
                     path=self.without("dpkg-query"))
        self.stub("uname", "echo Linux aarch64")
        self.refused("make-tarball.sh", "the tarball is made on x86-64 Linux, and this is Linux aarch64")

    def test_no_commit(self):
        self.stub("git", "exit 128")
        self.refused("make-tarball.sh", "git tells no commit, whose date the files would have; set SOURCE_DATE_EPOCH, in seconds")

    def test_missing_packages(self):
        self.stub("dpkg-query", "exit 1")
        self.refused("make-static-libraries.sh", "libzydis-dev is missing; as root: scripts/install-deps.sh tarball", self.root / "new")
        self.stub("dpkg-query", "echo 1.0-1")
        self.refused("fetch-sources.sh", "dpkg-dev is missing; as root: scripts/install-deps.sh tarball", self.root / "new", "zydis=1",
                     path=self.without("dpkg-source"))
        self.refused("fetch-sources.sh", "this needs Debian or Ubuntu, from which the sources come: zydis=1", self.root / "new", "zydis=1",
                     path=self.without("apt-get"))
        self.assertFalse((self.root / "new").exists())

    def test_no_network(self):
        self.stub("apt-get", f"[ $1 = indextargets ] || exit 100\n{INDEX}")
        message = "the sources cannot be had; is there a network? They are: zydis=1.0-1 libdivsufsort=1.0-1\n"
        for name in ("make-static-libraries.sh", "make-tarball.sh"):
            code, errors = self.run_script(name, *(["new"] if "static" in name else []))
            self.assertEqual((code, errors), (1, "fetch-sources: " + message))
            self.assertEqual([file.name for file in self.tarball.parent.iterdir()], [self.tarball.name])
        self.assertFalse((self.root / "new").exists())
        self.stub("apt-get", "")
        self.refused("fetch-sources.sh", "apt has no lists of packages; as root: apt-get update", "new", "zydis=1")

    def test_upstream_archives_of_another_release(self):
        """apt-get gives the archive; what it lacks beside it does not matter, but the archive does."""
        (self.root / "inside").mkdir()
        (self.root / "inside/README").touch()
        archive = self.root / "zydis_1.0.orig.tar.gz"
        subprocess.run(["tar", "-C", self.root, "-czf", archive, "inside"], check=True)
        sources = self.root / "sources"
        ours = f"{INDEX.replace('bookworm', '$VERSION_CODENAME')}; echo deb-src http://other.example other main"
        self.stub("apt-get", f"""if [ $1 = indextargets ]; then . /etc/os-release; {ours}; exit; fi
case $* in *update) exit;; esac
cp "${{3#*=}}" {sources}; [ ! -e {archive} ] || cp {archive} .
exit 100""")
        arguments = ("--upstream", "--release", "next", self.root / "new", "zydis")
        self.assertEqual(self.run_script("fetch-sources.sh", *arguments), (0, ""))
        self.assertEqual([str(file.relative_to(self.root / "new")) for file in (self.root / "new").rglob("*")], ["zydis-1.0", "zydis-1.0/README"])
        self.assertEqual(sources.read_text(), "deb-src http://mirror.example next main\n")
        archive.unlink()
        shutil.rmtree(self.root / "new")
        self.refused("fetch-sources.sh", "the sources cannot be had; is there a network? They are: zydis", *arguments)
        self.assertFalse((self.root / "new").exists())

    def test_a_failed_build_leaves_the_tarball_of_before(self):
        (self.root / "scripts/make-static-libraries.sh").write_text("#!/bin/sh\n")
        self.assertEqual(self.run_script("make-tarball.sh"), (2, ""))
        self.assertEqual([file.name for file in self.tarball.parent.iterdir()], [self.tarball.name])
        self.stub("make", "")
        self.stub("readelf", "echo '(NEEDED) [libc.so.6]'")
        self.refused("make-tarball.sh", "the program is not static: (NEEDED) [libc.so.6]")

    def test_sources_need_a_tarball(self):
        self.tarball.unlink()
        self.assertEqual(self.run_script("make-lgpl-sources.sh"), (1, "make-lgpl-sources: no tarball here; first: make tarball\n"))

    def test_bad_usage(self):
        for name in ("fetch-sources.sh", "make-static-libraries.sh"):
            code, errors = self.run_script(name)
            self.assertEqual(code, 2)
            self.assertRegex(errors, rf"^usage: {name} .*\n$")

    def test_trying_needs_root(self):
        self.refused("try-portable.sh", "this needs root, to change into other systems", code=77)


if __name__ == "__main__":
    unittest.main()
