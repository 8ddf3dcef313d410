"""scripts/install-deps.sh must see what is installed, by whatever name, and leave apt alone then."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "install-deps.sh"


KINDS = ["all", "bench", "boot", "build", "clang", "deb", "demo", "format", "fuzz", "install", "lab", "model", "power8", "probe-image", "qemu",
         "release", "tarball", "test", "vemicry-fpga", "vemicry-rtl"]


def entry(package, status="install ok installed", provides=""):
    """A package in dpkg's database."""
    provided = f"Provides: {provides}\n" if provides else ""
    return f"Package: {package}\nStatus: {status}\nArchitecture: all\nMaintainer: x\nVersion: 1\nDescription: x\n{provided}\n"


@unittest.skipUnless(shutil.which("dpkg-query"), "dpkg-query is not installed")
class InstallDeps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, database, *arguments, user="1000", apt_says="said by apt", apt_code=0):
        """Runs the script with dpkg's |database|; returns the result and how apt-get was called."""
        (self.folder / "info").mkdir(exist_ok=True)
        (self.folder / "status").write_text(database)
        calls = self.folder / "calls"
        calls.write_text("")
        for name, line in (("id", f"echo {user}"), ("apt-get", f'echo "$*" >>{calls}; echo "{apt_says}" >&2; exit {apt_code}')):
            (self.folder / name).write_text(f"#!/bin/sh\n{line}\n")
            (self.folder / name).chmod(0o755)
        environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", DPKG_ADMINDIR=str(self.folder))
        result = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False, env=environment)
        return result, calls.read_text().splitlines()

    def needed(self, *arguments):
        """What is missing where nothing is installed."""
        result, calls = self.run_script(entry("base-files"), *arguments)
        self.assertEqual((result.returncode, result.stdout, calls), (1, "", []))
        return result.stderr.strip().split(": ")[-1].split()

    def test_nothing_is_done_when_all_are_there(self):
        for kind in KINDS:
            needed = self.needed(kind)
            for user in ("0", "1000"):
                result, calls = self.run_script("".join(map(entry, needed)), kind, user=user)
                self.assertEqual((result.returncode, result.stdout, result.stderr, calls), (0, "", "", []))

    def test_kinds_need_what_they_are_for_and_no_more(self):
        self.assertEqual(self.needed(), self.needed("test"))
        build = set(self.needed("build"))
        self.assertLess({"g++", "cmake"}, build)
        for beyond in ("openssl", "python3", "googletest", "git", "build-essential"):
            self.assertNotIn(beyond, build)
        self.assertEqual(set(self.needed("demo")), build | {"openssl"})
        self.assertEqual(set(self.needed("install")), build | {"python3"})
        self.assertLess(set(self.needed("install")), set(self.needed("deb")))
        self.assertEqual(set(self.needed("tarball")), set(self.needed("install")) | {"dpkg-dev", "gcc-mips-linux-gnu"})
        for packaging in ("deb", "tarball"):
            self.assertLess(set(self.needed(packaging)), set(self.needed("release")))
        self.assertLess(build | set(self.needed("demo")) | set(self.needed("bench")), set(self.needed("test")))
        self.assertLess(build | {"gcc-i686-linux-gnu", "dpkg-dev"}, set(self.needed("lab")))
        for kind in set(KINDS) - {"lab", "model", "deb", "tarball", "release", "qemu"}:
            self.assertLessEqual(set(self.needed(kind)), set(self.needed("all")))
        both = self.needed("model", "format")
        self.assertLess({"llvm-19", "clang-format"}, set(both))
        self.assertEqual(len(both), len(set(both)))
        self.assertFalse({"llvm-19", "clang-format"} & set(self.needed("test")))

    def test_each_package_stands_in_the_table_once(self):
        table = re.search(r"^table='$(.*?)^'$", SCRIPT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE).group(1)
        rows = [line.split("#")[0].partition(":") for line in table.splitlines() if ":" in line.split("#")[0]]
        names = [name for row in rows for name in row[2].split()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(sorted({kind for row in rows for kind in row[0].split()}), KINDS)
        self.assertEqual(set(names), set(self.needed(*KINDS)))

    def test_an_unknown_kind_is_refused(self):
        for kind in ("tset", ".*", ""):
            result, calls = self.run_script(entry("base-files"), kind, user="0")
            self.assertEqual((result.returncode, calls), (2, []))
            self.assertEqual(result.stderr, f"incore: no kind of packages '{kind}'; there are: {' '.join(KINDS)}\n")

    def test_a_package_of_another_name_that_provides_it_counts(self):
        renamed = {"libgnutls30": "libgnutls30t64", "libcrypto++8": "libcrypto++8t64"}
        database = "".join(entry(renamed.get(name, name), provides=f"other, {name} (= 1), one-more" if name in renamed else "")
                           for name in self.needed())
        for user in ("0", "1000"):
            result, calls = self.run_script(database, user=user)
            self.assertEqual((result.returncode, result.stderr, calls), (0, "", []))

    def test_what_is_missing_is_named_alone(self):
        left_out = {"git", "libcrypto++8"}
        database = "".join(entry(name) for name in self.needed() if name not in left_out)
        # Neither a longer name, nor a package that was removed, nor a dependency on it is the package.
        database += entry("libcrypto++8-doc") + entry("git", "deinstall ok config-files") + entry("gitk", provides="git-gui")
        result, calls = self.run_script(database)
        self.assertEqual((result.returncode, calls), (1, []))
        self.assertEqual(result.stderr,
                         "incore: these packages are missing; run as root, or install them: libcrypto++8 git\n")
        result, calls = self.run_script(database, user="0")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(calls, ["update -qq", "install -y -qq --no-install-recommends libcrypto++8 git"])

    def test_each_failure_says_what_to_do(self):
        unfetched = "packages could not be fetched; check the network and apt's sources, and start again"
        lacking = ("this release lacks packages that Debian 12, Debian 13 and Ubuntu 24.04 have; install what they hold and "
                   "run make with DEPS=true: cmake")
        for said, told in (
                ("W: Failed to fetch http://a/b  Could not connect to a\nE: Unable to locate package cmake", unfetched),
                ("E: Failed to fetch http://a/c.deb  Temporary failure resolving 'a'", unfetched),
                ("E: Unable to locate package cmake", lacking),
                ("E: Package 'cmake' has no installation candidate", lacking),
                ("said by apt", "installing packages failed")):
            result, calls = self.run_script(entry("base-files"), "build", user="0", apt_says=said, apt_code=100)
            self.assertEqual((result.returncode, len(calls)), (1, 2))
            lines = result.stderr.splitlines()[1:]  # the first names what is installed
            self.assertEqual(lines[-1], "incore: " + told)
            # What apt said is shown only where its reason is not known.
            self.assertEqual(lines[:-1], ["said by apt"] * 2 if said == "said by apt" else [])

    def test_without_apt_the_packages_are_named(self):
        for name in ("bash", "sed", "tr", "sort", "xargs", "awk", "env", "echo"):
            (self.folder / name).symlink_to(shutil.which(name))
        result = subprocess.run([SCRIPT, "build"], capture_output=True, text=True, check=False, env={"PATH": str(self.folder)})
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "incore: no apt-get here; install what these packages of Debian hold and run make with "
                         f"DEPS=true: {' '.join(self.needed('build'))}\n")


if __name__ == "__main__":
    unittest.main()
