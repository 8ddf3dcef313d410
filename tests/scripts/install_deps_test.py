"""scripts/install-deps.sh must see what is installed, by whatever name, and leave apt alone then."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "install-deps.sh"


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

    def run_script(self, database, *arguments, user="1000", apt_code=0):
        """Runs the script with dpkg's |database|; returns the result and how apt-get was called."""
        (self.folder / "info").mkdir(exist_ok=True)
        (self.folder / "status").write_text(database)
        calls = self.folder / "calls"
        calls.write_text("")
        for name, line in (("id", f"echo {user}"), ("apt-get", f'echo "$*" >>{calls}; echo said by apt; exit {apt_code}')):
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
        for arguments in ([], ["all"], ["model"]):
            needed = self.needed(*arguments)
            self.assertIn("libgnutls30", needed)
            for user in ("0", "1000"):
                result, calls = self.run_script("".join(map(entry, needed)), *arguments, user=user)
                self.assertEqual((result.returncode, result.stdout, result.stderr, calls), (0, "", "", []))
        self.assertLess(set(self.needed()), set(self.needed("all")))

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
                         "incore: these packages are missing; run as root, or install them: git libcrypto++8\n")
        result, calls = self.run_script(database, user="0")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(calls, ["update -qq", "install -y -qq --no-install-recommends git libcrypto++8"])

    def test_what_apt_says_is_shown_when_it_fails(self):
        result, calls = self.run_script(entry("base-files"), user="0", apt_code=100)
        self.assertEqual((result.returncode, len(calls)), (1, 1))
        self.assertIn("said by apt\nincore: installing packages failed\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
