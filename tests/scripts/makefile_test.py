"""The Makefile is the front door: `make help` must name every target, and plain `make` must be `make help`."""
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]


def make(*arguments):
    return subprocess.run(["make", "--no-print-directory", *arguments], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout


class Makefile(unittest.TestCase):
    def test_help_names_every_target(self):
        targets = re.findall(r"^\.PHONY: (\S+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertIn("test", targets)
        shown = re.findall(r"^  make (\S+) +\S", make("help"), re.MULTILINE)
        self.assertEqual(sorted(targets), sorted(shown))

    def test_plain_make_is_help(self):
        self.assertEqual(make(), make("help"))

    def test_install_builds_what_is_installed(self):
        for target in ("build", "install"):
            self.assertIn("--target incore_installed\n", make("-n", target))

    def test_tests_are_configured_by_those_who_need_them(self):
        with tempfile.TemporaryDirectory() as build:
            for target in ("build", "install", "demo"):
                self.assertIn("cmake --preset native -DINCORE_BUILD_TESTS=OFF ", make("-n", target, f"BUILD={build}"))
            (pathlib.Path(build) / "native").mkdir()
            (pathlib.Path(build) / "native" / "CMakeCache.txt").touch()
            for target in ("build", "install", "demo"):
                self.assertNotIn("INCORE_BUILD_TESTS", make("-n", target, f"BUILD={build}"))
            for target in ("build-native", "dudect", "vectors"):
                self.assertIn("cmake --preset native -DINCORE_BUILD_TESTS=ON ", make("-n", target, f"BUILD={build}"))

    def test_targets_ask_for_their_kind_of_packages(self):
        for target, kind in (("build", "build"), ("install", "install"), ("deb", "deb"), ("demo", "demo"), ("test", "test"), ("bench", "bench"),
                             ("test-all", "all"), ("fuzz-short", "fuzz"), ("bench-power8", "model"), ("format", "format"), ("tarball", "tarball"),
                             ("release-check", "release"), ("lab", "lab"), ("qemu", "qemu"), ("probe-image", "probe-image")):
            self.assertEqual(make("-n", target).splitlines()[0], f"scripts/install-deps.sh {kind}")
            self.assertEqual(make("-n", target, "DEPS=true").splitlines()[0], f"true {kind}")


if __name__ == "__main__":
    unittest.main()
