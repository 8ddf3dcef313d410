"""The Makefile is the front door: `make help` must name every target, and plain `make` must be `make help`."""
import pathlib
import re
import subprocess
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


if __name__ == "__main__":
    unittest.main()
