"""scripts/make-deb.sh must refuse in one line what it cannot do, and never leave half of a package. What packaging/debian says
twice must agree with the tree."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).parents[2]
DEBIAN = ROOT / "packaging" / "debian"
TOOLS = ("bash", "sh", "env", "realpath", "dirname", "git", "sed", "tr", "tar", "cp", "mv", "rm", "mkdir", "date", "nproc", "tail",
         "ls", "flock", "dpkg-query")
# Stands for dpkg-buildpackage: keeps what it was given, and makes a package as that would, beside the source.
BUILDS = '#!/bin/sh\ncp -rp . "$KEPT/source"\necho new >../incore_1_amd64.deb\n'
RELEASE = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\nVERSION_ID="12"\n'


def version():
    return re.search(r"^project\(incore VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)


def package_names(text):
    return set(re.findall(r"^ ([a-z0-9+-]+)", text, re.MULTILINE))


class Refusals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for name in TOOLS:
            if shutil.which(name):
                (self.bin / name).symlink_to(shutil.which(name))
        self.program("dpkg-query", "#!/bin/sh\n")
        self.program("dpkg-checkbuilddeps", "#!/bin/sh\n")
        self.program("dpkg-buildpackage", BUILDS)
        self.tree = self.folder / "tree"
        for file in ("scripts/make-deb.sh", "CMakeLists.txt", "packaging/debian/control", "packaging/debian/changelog"):
            (self.tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.tree / file)
        (self.tree / "a file").write_text("tracked\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "all")
        (self.tree / "untracked").touch()
        self.old = self.tree / "build" / "deb" / "incore_0_amd64.deb"
        self.old.parent.mkdir(parents=True)
        self.old.write_text("old\n")

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.tree, *arguments], check=True, stdin=subprocess.DEVNULL)

    def program(self, name, text):
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def start(self, release=RELEASE, **options):
        (self.folder / "os-release").write_text(release)
        environment = {"PATH": str(self.bin), "INCORE_OS_RELEASE": str(self.folder / "os-release"), "KEPT": str(self.folder),
                       "GIT_CEILING_DIRECTORIES": str(self.folder)}
        return subprocess.Popen([self.tree / "scripts" / "make-deb.sh"], env=environment, text=True, **options)

    def make_deb(self, *arguments, **options):
        process = self.start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def check_refused(self, result, *said):
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\A(.*\n)*incore: .*\n\Z")
        for part in said:
            self.assertIn(part, result.stderr.splitlines()[-1])
        self.assertEqual(self.old.read_text(), "old\n")
        self.assertFalse((self.tree / "build" / "deb.part").exists())

    def check_refused_in_one_line(self, result, *said):
        self.check_refused(result, *said)
        self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1))

    def test_another_distribution(self):
        (self.bin / "dpkg-query").unlink()
        self.check_refused_in_one_line(self.make_deb('PRETTY_NAME="Fedora Linux 40"\nID=fedora\n'), "Fedora Linux 40", "make install")
        self.check_refused_in_one_line(self.make_deb(""), "another system", "make install")

    def test_missing_tools(self):
        (self.bin / "dpkg-checkbuilddeps").unlink()
        self.check_refused_in_one_line(self.make_deb(), "as root: scripts/install-deps.sh deb")

    def test_missing_packages(self):
        self.program("dpkg-checkbuilddeps", "#!/bin/sh\necho 'dpkg-checkbuilddeps: error: Unmet build dependencies: "
                     "debhelper-compat (= 13) libzydis-dev' >&2\nexit 1\n")
        self.check_refused_in_one_line(self.make_deb(), ": debhelper-compat (= 13) libzydis-dev;",
                                       "as root: scripts/install-deps.sh deb")

    def test_a_tree_without_git(self):
        shutil.rmtree(self.tree / ".git")
        self.check_refused_in_one_line(self.make_deb(), "not a git repository", "clone")

    def test_a_build_that_fails(self):
        self.program("dpkg-buildpackage", "#!/bin/sh\necho half >../incore_1_amd64.deb\necho why it failed >&2\nexit 2\n")
        result = self.make_deb()
        self.check_refused(result, str(self.tree / "build" / "deb.log"))
        self.assertIn("why it failed\n", result.stderr)

    def start_a_build_that_lasts(self):
        (self.bin / "sleep").unlink(missing_ok=True)
        (self.bin / "sleep").symlink_to(shutil.which("sleep"))
        self.program("dpkg-buildpackage", '#!/bin/sh\necho half >../incore_1_amd64.deb\n: >"$KEPT/begun"\nexec sleep 60\n')
        (self.folder / "begun").unlink(missing_ok=True)
        process = self.start(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while not (self.folder / "begun").exists() and process.poll() is None:
            time.sleep(0.01)
        return process

    def test_a_build_that_is_stopped(self):
        for stop in (signal.SIGHUP, signal.SIGTERM):
            process = self.start_a_build_that_lasts()
            os.killpg(process.pid, stop)
            self.assertNotEqual(process.wait(timeout=30), 0)
            self.assertEqual(self.old.read_text(), "old\n")
            self.assertFalse((self.tree / "build" / "deb.part").exists())

    def test_two_at_a_time(self):
        process = self.start_a_build_that_lasts()
        second = self.make_deb()
        half = (self.tree / "build" / "deb.part" / "incore_1_amd64.deb").read_text()
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)
        self.check_refused_in_one_line(second, str(self.tree / "build"), "already")
        self.assertEqual(half, "half\n")

    def test_new_packages_take_the_place_of_old_ones(self):
        result = self.make_deb()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual([path.name for path in self.old.parent.iterdir()], ["incore_1_amd64.deb"])
        self.assertEqual(result.stdout.splitlines()[-1], str(self.old.parent / "incore_1_amd64.deb"))

    # What is built must depend on the commit alone, not on who checked it out, when, and where.
    def test_the_source_is_what_git_tracks_and_the_same_for_all(self):
        kept = []
        for umask in (0o002, 0o077):
            for path in self.tree.rglob("*"):
                if ".git" not in path.parts:
                    path.chmod((0o777 if path.is_dir() or path.suffix == ".sh" else 0o666) & ~umask)
                    os.utime(path, (umask, umask))
            self.assertEqual(self.make_deb(umask=umask).returncode, 0)
            source = self.folder / "source"
            kept.append({str(path.relative_to(source)): (path.stat().st_mode, path.is_file() and path.read_text())
                         for path in source.rglob("*")})
            ages = {path.stat().st_mtime for path in source.rglob("*") if path.is_file() and path.name != "changelog"}
            self.assertEqual(len(ages), 1)
            shutil.rmtree(source)
        self.assertEqual(kept[0], kept[1])
        self.assertIn("a file", kept[0])
        self.assertNotIn("untracked", kept[0])
        self.assertRegex(kept[0]["debian/changelog"][1], rf"^incore \({re.escape(version())}\+deb12\) ")


class Contents(unittest.TestCase):
    def test_one_kind_of_packages_has_all_that_building_needs(self):
        control = (DEBIAN / "control").read_text(encoding="utf-8")
        needed = package_names(re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.MULTILINE).group(1))
        self.assertIn("debhelper-compat", needed)
        table = (ROOT / "scripts/install-deps.sh").read_text(encoding="utf-8")
        rows = re.findall(r"^([a-z][a-z0-9 -]*): ([^#\n]*)", table, re.MULTILINE)
        there = {name for kinds, names in rows for name in names.split() if {"build", "install", "deb"} & set(kinds.split())}
        self.assertEqual(needed - {"debhelper-compat"} - there, set())

    def test_versions_agree(self):
        minor = version().rpartition(".")[0]
        major, _, last = minor.partition(".")
        self.assertTrue((DEBIAN / "changelog").read_text().startswith(f"incore ({version()}) "))
        self.assertIn(f"\n## {version()}\n", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
        symbols = (DEBIAN / "libincore0.symbols").read_text()
        libraries = re.findall(r"^(\w+)\.so\.(\d+) (.*)$", symbols, re.MULTILINE)
        self.assertEqual([name for name, _, _ in libraries], ["libincore", "libincore_gladman", "libincore_hosted"])
        for _, soname, needs in libraries:
            self.assertEqual((soname, needs), (major, f"libincore{major} #MINVER#, libincore{major} (<< {major}.{int(last) + 1}~)"))
        self.assertEqual(set(re.findall(r"@INCORE\w*?_([\d.]+) ", symbols)), {minor})

    def test_the_symbols_are_the_functions_that_headers_declare(self):
        declared = set()
        for header in (ROOT / "include").rglob("*.h"):
            text = re.sub(r"(?m)^#define.*$", "", header.read_text(encoding="utf-8"))
            declared |= set(re.findall(r"\bINCORE_(?:COMPAT_)?API\b[^;(]*?(\w+)\(", text))
        symbols = re.findall(r"^ (?:\(.*\))?(\w+)@", (DEBIAN / "libincore0.symbols").read_text(), re.MULTILINE)
        self.assertEqual(sorted(name for name in symbols if name.islower()), sorted(declared))


if __name__ == "__main__":
    unittest.main()
