"""scripts/release-check.sh must do every check, tell of each in a line, and fail if one failed. The checks here are stand-ins."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
CHECKS = ["tree", "build", "test", "deb", "wheel", "size", "licences", "sbom", "sources", "portable", "reproducible"]
LONG = ["test-all", "test-asan", "test-power8", "test-power8-clang", "fuzz-short", "mutate", "mutate-power8", "mutate-vemicry"]
STAND_INS = ["check-deb.sh", "licences.py", "sbom.py", "try-portable.sh"]
TARBALL = "build/tarball/incore-9-linux-x86_64.tar.gz"
WHEEL = "build/wheel/incore-9-py3-none-any.whl"
# It is called for all of them: writes down the call, and then does what a file of its name tells. `make wheel` makes the packages.
STAND_IN = """\
#!/bin/sh
name=$(basename "$0")
[ "$1" != -C ] || { folder=$2/; shift 2; }
echo "$name $*" >> "$CALLS"
if [ "$name $1" = "make wheel" ]; then
  mkdir -p "$folder"build/tarball "$folder"build/wheel
  touch "${folder}%s" "${folder}%s"
fi
[ "$name" != make ] || name=$1
[ ! -e "$HERE/$name" ] || . "$HERE/$name"
""" % (TARBALL, WHEEL)


class ReleaseCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        self.tree = self.here / "tree"
        (self.tree / "scripts").mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "release-check.sh", self.tree / "scripts")
        for stand_in in (self.here / "make", *(self.tree / "scripts" / name for name in STAND_INS)):
            stand_in.write_text(STAND_IN)
            stand_in.chmod(0o755)
        (self.tree / ".gitignore").write_text("build/\n")
        self.tell = self.here / "tell"
        self.tell.mkdir()
        for command in (["init"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x", "commit", "-m", "x"]):
            subprocess.run(["git", "-C", self.tree, "-c", "core.hooksPath=/dev/null", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           check=True)

    def check(self, *arguments):
        """Returns the exit code, {check: (passed, failed or skipped; the rest of its last line)}, and the calls of stand-ins."""
        calls = self.here / "calls"
        calls.write_text("")
        environment = {**os.environ, "PATH": f"{self.here}:{os.environ['PATH']}", "HERE": str(self.tell), "CALLS": str(calls)}
        result = subprocess.run([self.tree / "scripts" / "release-check.sh", *arguments], env=environment, capture_output=True, text=True,
                                check=False)
        self.errors = result.stderr
        lines = {}
        for line in result.stdout.splitlines():
            self.assertRegex(line, r"^(passed|failed|skipped)  +[a-z0-9-]+[,:] ")
            state, check, rest = line.split(maxsplit=2)
            lines[check.rstrip(",:")] = (state, rest)
        return result.returncode, lines, calls.read_text().splitlines()

    def states(self, lines, state):
        return [check for check, line in lines.items() if line[0] == state]

    def test_all_is_checked_and_the_long_ones_are_named(self):
        code, lines, calls = self.check()
        self.assertEqual((code, self.errors), (0, ""))
        self.assertEqual(self.states(lines, "passed"), CHECKS)
        self.assertEqual(self.states(lines, "skipped"), LONG)
        self.assertEqual(lines["mutate"][1], "takes long; --long does it")
        self.assertEqual(calls, ["make build", "make test", "check-deb.sh ", "make wheel", "licences.py build/native incore",
                                 "licences.py build/tarball incore", "make sbom", f"sbom.py --check build/tarball {TARBALL} {WHEEL}",
                                 "make sources", "try-portable.sh ", "make wheel"])

    def test_long_does_them(self):
        code, lines, calls = self.check("--long")
        self.assertEqual((code, self.states(lines, "passed")), (0, CHECKS + LONG))
        self.assertEqual(calls[-len(LONG):], [f"make {check}" for check in LONG])

    def test_one_that_fails_is_told_and_stops_no_other(self):
        for name, checks in {"build": ["build"], "test": ["test"], "check-deb.sh": ["deb"], "wheel": ["wheel", "reproducible"], "sbom": ["sbom"],
                             "licences.py": ["licences"], "sbom.py": ["sbom"], "sources": ["sources"], "try-portable.sh": ["portable"]}.items():
            with self.subTest(name):
                (self.tell / name).write_text("echo why; echo 'make: *** [x] Error 3'; exit 3\n")
                code, lines, _ = self.check()
                self.assertEqual((code, self.states(lines, "failed")), (1, checks))
                self.assertEqual(len(lines), len(CHECKS + LONG))
                self.assertRegex(lines[checks[0]][1], rf"^0:\d\d min: exit code 3: why; all of it: build/release-check/{checks[0]}\.log$")
                self.assertIn("why\n", (self.tree / f"build/release-check/{checks[0]}.log").read_text())
                (self.tell / name).unlink()

    def test_reasons_of_what_is_skipped(self):
        (self.tell / "try-portable.sh").write_text("echo 'try-portable: this needs root'; exit 77\n")
        (self.tell / "check-deb.sh").write_text("echo 'ok       made'; echo 'skipped  no lintian'\n")
        (self.tell / "test").write_text("echo 'skipped: one: why'; echo; echo '5 passed, 0 failed, 1 skipped'\n")
        code, lines, _ = self.check()
        self.assertEqual(code, 0)
        self.assertEqual(lines["portable"], ("skipped", "try-portable: this needs root"))
        self.assertEqual(lines["deb"], ("skipped", "no lintian"))
        self.assertRegex(lines["test"][1], r"^0:\d\d min: 5 passed, 0 failed, 1 skipped$")

    def test_what_is_not_committed(self):
        (self.tree / "new").touch()
        code, lines, _ = self.check("tree")
        self.assertEqual((code, lines.keys()), (1, {"tree"}))
        self.assertIn("files are not committed: ?? new;", lines["tree"][1])

    def test_packages_must_be_there_and_small(self):
        for check in ("size", "sbom", "reproducible"):
            self.assertEqual(self.check(check)[0], 1, check)
        (self.tell / "wheel").write_text(f"truncate -s 15000000 {TARBALL}\n")
        code, lines, _ = self.check("wheel", "size")
        self.assertEqual((code, self.states(lines, "failed")), (1, ["size"]))
        self.assertIn(f"{TARBALL} has 15000000 bytes, not less than 15,000,000;", lines["size"][1])

    def test_packages_must_be_made_equal_twice(self):
        for package in (TARBALL, WHEEL):
            (self.tell / "wheel").write_text(f'[ -n "$folder" ] || echo x > {package}\n')
            code, lines, _ = self.check("wheel", "reproducible")
            self.assertEqual((code, self.states(lines, "failed")), (1, ["reproducible"]))
            self.assertIn(package, lines["reproducible"][1])
            (self.tree / package).unlink()

    def test_an_unknown_check(self):
        code, lines, calls = self.check("size", "sizes")
        self.assertEqual((code, lines, calls), (2, {}, []))
        self.assertEqual(self.errors, f"release-check: no check 'sizes'; there are: {' '.join(CHECKS + LONG)}\n")


if __name__ == "__main__":
    unittest.main()
