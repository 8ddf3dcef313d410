"""action.yml and what lies in packaging/ci must work without GitHub and GitLab: their shell runs here, as these would run it."""
import io
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).parents[2]
CI = ROOT / "packaging/ci"
NATIVE = ROOT / "build/native"
RELEASES = list((ROOT / "build/tarball").glob("incore-*-linux-x86_64.tar.gz"))
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
# Says which model and command it got, and runs nothing but the command.
INCORE = r"""#!/bin/sh
[ "$1" != --version ] || { echo incore 9; exit 0; }
echo "$*" >>"$CALLS"
for last; do :; done
exec "$last"
"""
# Takes every URL from $SERVED and writes down which.
CURL = r"""#!/bin/sh
for url; do :; done
echo "$url" >>"$CALLS"
while [ "$1" != -o ]; do shift; done
[ -n "$SERVED" ] && cp "$SERVED" "$2"
"""
HOSTILE = ("$(touch pwned)", "`touch pwned`", "; touch pwned", '"; touch pwned; "', "'; touch pwned; '", "\ntouch pwned\n")


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.calls = self.folder / "calls"
        self.calls.write_text("")
        self.environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "CALLS": str(self.calls), "HOME": str(self.folder)}
        self.write_program("bin/curl", CURL)

    def write_program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def tarball(self, **programs):
        """A tarball such as releases are."""
        path = self.folder / "incore-9-linux-x86_64.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name, text in programs.items():
                member = tarfile.TarInfo(f"incore-9-linux-x86_64/bin/{name.replace('_', '-')}")
                member.mode, member.size = 0o755, len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
        return path

    def wheel(self):
        path = self.folder / "incore-9-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("incore-9.data/scripts/incore", INCORE)
        return path

    def run_shell(self, *command, **variables):
        return subprocess.run(command, cwd=self.folder, env={**self.environment, **variables}, capture_output=True, text=True,
                              check=False, timeout=60)

    def assert_sound(self, script, shell):
        """As shellcheck sees it; SC2086 is what splits options at spaces."""
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not installed")
        result = subprocess.run(["shellcheck", "-s", shell, "-e", "SC2086", "-"], input=script, capture_output=True, text=True,
                                check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))


class GetIncore(Base):
    def get(self, script=CI / "get-incore", **variables):
        return self.run_shell("sh", script, "target", **variables)

    def assert_installed(self, result):
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{self.folder}/target/bin\n", ""))
        self.assertEqual(self.run_shell("target/bin/incore", "--version").stdout, "incore 9\n")
        self.assertEqual([path.name for path in (self.folder / "target").iterdir()], ["bin"])
        shutil.rmtree(self.folder / "target")

    def test_tarball_and_wheel_by_path_and_url(self):
        for package in (self.tarball(incore=INCORE), self.wheel()):
            self.assert_installed(self.get(INCORE_PACKAGE=package.name))
            self.assert_installed(self.get(INCORE_PACKAGE=f"https://host/{package.name}", SERVED=str(package), INCORE_VERSION="9"))
            self.assertTrue(package.exists())
        self.assertEqual(self.calls.read_text().split(),
                         ["https://host/incore-9-linux-x86_64.tar.gz", "https://host/incore-9-py3-none-any.whl"])

    def test_an_installed_program_needs_no_package(self):
        self.write_program("bin/incore", INCORE)
        self.assertEqual(self.get(INCORE_VERSION="9").stdout, f"{self.folder}/bin\n")

    def source(self, recipe):
        """A source with this script, whose `make build` is |recipe|; returns the script, and a PATH without incore."""
        self.write_program("source/packaging/ci/get-incore", (CI / "get-incore").read_text(encoding="utf-8"))
        (self.folder / "source/Makefile").write_text(f"build:\n\t{recipe}\n")
        self.write_program("source/incore.in", INCORE)
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        for name in ("sh", "make", "id", "dirname", "cp", "mkdir", "echo"):
            if not (tools / name).exists():
                (tools / name).symlink_to(shutil.which(name))
        return self.folder / "source/packaging/ci/get-incore", str(tools)

    def test_without_any_the_source_is_built(self):
        script, path = self.source('@echo "$(DEPS)"; mkdir -p build/native; cp incore.in build/native/incore')
        result = self.get(script, PATH=path)
        self.assertEqual((result.returncode, result.stdout), (0, f"{self.folder}/source/build/native\n"))
        self.assertIn("scripts/install-deps.sh\n", result.stderr)

    def test_a_build_that_fails_says_what_else_to_do(self):
        script, path = self.source("@false")
        result = self.get(script, PATH=path)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"\nget-incore: Incore cannot be built here: .*give a package.*\n\Z")

    def test_what_is_missing_is_said_in_one_line_and_nothing_is_left(self):
        (self.folder / "bad.tar.gz").write_text("no archive")
        (self.folder / "bad.whl").write_text("no archive")
        self.tarball().rename(self.folder / "empty.tar.gz")
        self.tarball(incore="#!/bin/sh\necho no such CPU; exit 1\n").rename(self.folder / "broken.tar.gz")
        for package, says in (("none.tar.gz", "'none.tar.gz': no such file"),
                              ("incore_9_amd64.deb", "neither a tarball .* nor a wheel"),
                              ("http://host/a.whl", "only https"),
                              ("https://host/a.whl", "'https://host/a.whl' cannot be fetched"),
                              ("bad.tar.gz", "'bad.tar.gz' cannot be unpacked: "),
                              ("bad.whl", "'bad.whl' cannot be unpacked: "),
                              ("broken.tar.gz", "does not run here: no such CPU"),
                              ("empty.tar.gz", "'empty.tar.gz' has no incore")):
            with self.subTest(package=package):
                result = self.get(INCORE_PACKAGE=package)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertRegex(result.stderr, rf"\Aget-incore: .*{says}.*\n\Z")
                self.assertEqual([path for path in (self.folder / "target").rglob("*") if path.is_file()], [])

    def test_another_version_is_refused(self):
        for version in ("8", "*", "incore 9"):
            result = self.get(INCORE_PACKAGE=str(self.tarball(incore=INCORE)), INCORE_VERSION=version)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(result.stderr, f"get-incore: this is incore 9, and version {version} is asked for\n")

    def test_it_is_sound(self):
        self.assert_sound((CI / "get-incore").read_text(encoding="utf-8"), "sh")


@unittest.skipUnless(yaml, "python3-yaml is not installed")
class Action(Base):
    def setUp(self):
        super().setUp()
        self.action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        self.steps = self.action["runs"]["steps"]
        self.summary = self.folder / "summary.md"

    def run_action(self, **inputs):
        """Runs the steps as GitHub does: bash, with inputs put into `env` only; returns the last result."""
        self.summary.write_text("")
        path_file = self.folder / "path"
        path_file.write_text("")
        values = {name: inputs.get(name, declared.get("default", "")) for name, declared in self.action["inputs"].items()}
        github = {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(self.folder / "temp"), "GITHUB_PATH": str(path_file),
                  "GITHUB_STEP_SUMMARY": str(self.summary)}
        (self.folder / "temp").mkdir(exist_ok=True)
        result = None
        for number, step in enumerate(self.steps):
            self.assertEqual(step["shell"], "bash")
            script = self.folder / f"step{number}.sh"
            script.write_text(step["run"])
            variables = {name: EXPRESSION.sub(lambda found: values[found[1].removeprefix("inputs.")], text)
                         for name, text in step["env"].items()}
            path = ":".join([*reversed(path_file.read_text().splitlines()), self.environment["PATH"]])
            result = self.run_shell("bash", "--noprofile", "--norc", "-eo", "pipefail", script, **github, **variables, PATH=path)
            if result.returncode != 0:
                break
        return result

    def test_inputs_are_those_used_and_described(self):
        used = {name for step in self.steps for text in step["env"].values() for name in re.findall(r"\binputs\.(\w+)", text)}
        self.assertEqual(used, set(self.action["inputs"]))
        for name, declared in self.action["inputs"].items():
            self.assertTrue(declared["description"], name)
            self.assertNotEqual("default" in declared, declared.get("required", False), name)

    def test_no_input_is_pasted_into_a_script(self):
        for step in self.steps:
            self.assertNotIn("${{", step["run"])
            self.assertLessEqual(set(re.findall(r"\$\{?(INCORE_\w+)", step["run"])), set(step["env"]))

    def test_steps_are_sound(self):
        for step in self.steps:
            self.assert_sound(step["run"], "bash")

    def test_a_command_runs_on_the_models_with_the_options(self):
        result = self.run_action(package=str(self.tarball(incore=INCORE)), models="nano esther", check="true",
                                 options="--require\nxcrypt-cbc", command='echo "one  two"\ntest -d bin', version="9")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        calls = self.calls.read_text().splitlines()
        self.assertEqual([call.split()[2] for call in calls], 2 * ["nano", "esther"])
        self.assertIn(" --check --require=xcrypt-cbc ", calls[2])
        self.assertEqual((self.folder / "incore-logs/nano.log").read_text(), "one  two\n")
        self.assertIn("| nano | pass |", self.summary.read_text())

    def test_a_failing_command_fails_the_step(self):
        result = self.run_action(package=str(self.wheel()), command="exit 3")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.summary.read_text().count("FAIL: exit code 3"), 4)
        self.assertNotIn("--check", self.calls.read_text())

    def test_what_is_missing_is_said(self):
        package = str(self.tarball(incore=INCORE))
        for inputs, says in (({"package": "none.whl"}, "no such file"), ({"version": "8"}, "version 8 is asked for"),
                             ({"check": "yes"}, "check: 'yes' is neither"), ({"command": ""}, "no command"),
                             ({"options": "--none"}, "unknown argument '--none'")):
            result = self.run_action(**{"command": "true", "package": package, **inputs})
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, rf"\A.*{says}.*\n\Z")

    def test_inputs_are_never_run_as_shell(self):
        package = str(self.tarball(incore=INCORE))
        for name in set(self.action["inputs"]) - {"command"}:
            for text in HOSTILE:
                with self.subTest(input=name, text=text):
                    self.run_action(**{"command": "true", "package": package, "models": "nano", name: text})
                    self.assertFalse((self.folder / "pwned").exists())
        self.run_action(package=package, models="nano", command='echo \'"$(true) `true` *\'')
        self.assertEqual((self.folder / "incore-logs/nano.log").read_text(), '"$(true) `true` *\n')

    def test_options_are_not_file_patterns(self):
        self.run_action(package=str(self.tarball(incore=INCORE)), command="true", models="nano", options="--require b*")
        self.assertIn("--require=b* ", self.calls.read_text())

    @unittest.skipUnless((NATIVE / "incore").exists() and shutil.which("openssl"), "build/native/incore or openssl is not there")
    def test_the_program_itself(self):
        self.environment["PATH"] = f"{NATIVE}:{self.environment['PATH']}"
        if "could not load the shared library" in self.run_shell("openssl", "engine", "-t", "padlock").stderr:
            self.skipTest("this openssl has no PadLock engine")
        result = self.run_action(models="c5xl nano", check="true", options="--require xcrypt-cbc",
                                 command="openssl enc -engine padlock -aes-128-cbc -K 1 -iv 2 -in calls -out out")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertRegex(self.summary.read_text(),
                         r"\| c5xl \| FAIL: exit code 1 \| [\d.]+ \| 0 \|\n\| nano \| pass \| [\d.]+ \| [1-9]")


@unittest.skipUnless(yaml, "python3-yaml is not installed")
class GitLab(Base):
    def setUp(self):
        super().setUp()
        self.job = yaml.safe_load((CI / "gitlab.yml").read_text(encoding="utf-8"))[".incore"]
        self.script = "\n".join(self.job["script"])

    def run_job(self, **variables):
        return self.run_shell("sh", "-c", self.script, **{**self.job["variables"], **variables})

    def release(self):
        return self.tarball(incore=INCORE, incore_matrix=(CI / "incore-matrix").read_text(encoding="utf-8"))

    def test_variables_are_those_used(self):
        self.assertEqual(set(re.findall(r"\$\{?(INCORE_\w+)", self.script)), set(self.job["variables"]))

    def test_it_is_sound(self):
        self.assert_sound(self.script, "sh")

    def test_the_tarball_brings_all_and_the_reports_are_where_artifacts_say(self):
        package = self.release()
        for given in (package.name, "https://host/a.tar.gz"):
            result = self.run_job(INCORE_PACKAGE=given, SERVED=str(package), INCORE_MODELS="nano esther",
                                  INCORE_COMMAND="echo 'a  b'\nexit 3", INCORE_OPTIONS="--check --require b*")
            self.assertEqual((result.returncode, result.stderr), (1, ""))
            self.assertIn("nano    FAIL: exit code 3", result.stdout)
            for path in (*self.job["artifacts"]["paths"], self.job["artifacts"]["reports"]["junit"]):
                self.assertTrue((self.folder / path).exists(), path)
                subprocess.run(["rm", "-r", self.folder / path], check=True)
        self.assertIn("--check --require=b* ", self.calls.read_text())

    def test_what_is_missing_is_said(self):
        (self.folder / "bad.tar.gz").write_text("no archive")
        for package, says in (("", "no incore-matrix in PATH: set INCORE_PACKAGE"), ("none.tar.gz", "'none.tar.gz' is no tarball"),
                              ("bad.tar.gz", "'bad.tar.gz' is no tarball"),
                              ("https://host/a.tar.gz", "'https://host/a.tar.gz' cannot be fetched")):
            result = self.run_job(INCORE_PACKAGE=package, INCORE_COMMAND="true")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, rf"\Aincore: {says}.*\n\Z")

    @unittest.skipUnless(RELEASES, "build/tarball has no tarball")
    def test_the_real_tarball(self):
        result = self.run_job(INCORE_PACKAGE=str(RELEASES[0]), INCORE_MODELS="nano power8", INCORE_COMMAND="[ $INCORE_RUN = 1 ]")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_variables_are_never_run_as_shell(self):
        package = self.release().name
        for name in set(self.job["variables"]) - {"INCORE_COMMAND"}:
            for text in HOSTILE:
                with self.subTest(variable=name, text=text):
                    self.run_job(**{"INCORE_COMMAND": "true", "INCORE_PACKAGE": package, "INCORE_MODELS": "nano", name: text})
                    self.assertFalse((self.folder / "pwned").exists())


class Containerfile(Base):
    def test_the_tarball_becomes_two_programs_in_path(self):
        text = (CI / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
        pattern = re.search(r"^ADD (\S+) /opt/$", text, re.M)[1]
        self.tarball(incore=INCORE, incore_matrix=(CI / "incore-matrix").read_text(encoding="utf-8"))
        (package,) = self.folder.glob(pattern)
        with tarfile.open(package) as archive:
            archive.extractall(self.folder / "opt")
        packages, programs = re.findall(r"^RUN (.*)$", text, re.M)
        self.assertIn(" python3", packages)
        programs = programs.replace("/opt/", f"{self.folder}/opt/").replace("/usr/local/bin", f"{self.folder}/bin")
        result = self.run_shell("sh", "-ec", programs)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "incore 9\n", ""))


if __name__ == "__main__":
    unittest.main()
