"""packaging/ci/incore-matrix must run a command on each model and tell truly what came of it."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "packaging/ci/incore-matrix"
NATIVE = ROOT / "build/native"
# Runs the program on any model but `none`, and writes the statistics of one xcrypt-cbc. --check finds something if $FINDS is set.
STAND_IN = r"""#!/bin/sh
MODEL=$3 stats='' bad=''
export MODEL
echo "$*" >>"$CALLS"
[ "$MODEL" != none ] || { echo "incore run: unknown model" >&2; exit 2; }
shift 3
while [ "$1" != -- ]; do
  case $1 in
    --stats=*) stats=${1#*=} ;;
    --check) bad=${FINDS:-} ;;
    --require=xcrypt-cbc) ;;
    --require=*) bad=1 ;;
  esac
  shift
done
shift
"$@"
code=$?
[ -z "$stats" ] || printf '{"exit_code": %d, "instructions": {"xstore": {"calls": 0}, "xcrypt-cbc": {"calls": %d}}}' \
  $code "${NUM_CALLS:-1}" >"$stats"
[ $code -ne 0 ] || [ -z "$bad" ] || exit 1
exit $code
"""


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.calls = self.folder / "calls"
        self.program_folder = self.folder

    def environment(self, **variables):
        inherited = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
        return {**inherited, "PATH": f"{self.program_folder}:{os.environ['PATH']}", "CALLS": str(self.calls), **variables}

    def run_script(self, *arguments, **variables):
        return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
                              env=self.environment(**variables), timeout=60)

    def rows(self, result):
        """{model: {heading: cell}} of the table printed."""
        lines = result.stdout[result.stdout.index("\nmodel ") + 1:].splitlines()
        headings, *rows = [re.split(r"  +", line) for line in lines if "  " in line]
        return {row[0]: dict(zip(headings, row)) for row in rows}

    def assert_results(self, result, expected):
        self.assertEqual({model: row["result"] for model, row in self.rows(result).items()}, expected, result)
        self.assertEqual(result.returncode, int(set(expected.values()) != {"pass"}))
        self.assertEqual(result.stderr, "")

    def assert_refused(self, result, says):
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, rf"\Aincore-matrix: .*{says}.*\n\Z")

    def assert_ends(self, pid):
        """A process whose parent died may be a zombie until init has seen it."""
        for _ in range(500):
            try:
                if pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                    return
            except (FileNotFoundError, ProcessLookupError):
                return
            time.sleep(0.01)
        self.fail(f"process {pid} is still there")


class StandIn(Base):
    """How the script treats whatever `incore run` does."""

    def setUp(self):
        super().setUp()
        self.write_program(STAND_IN)

    def write_program(self, text):
        (self.folder / "incore").write_text(text)
        (self.folder / "incore").chmod(0o755)

    def test_each_default_model_runs_once_with_the_options(self):
        result = self.run_script("--check", "--require", "xcrypt-cbc", "--rng-seed", "7", "--", "echo", "a b", "--", "--models")
        self.assert_results(result, {"nehemiah": "pass", "esther": "pass", "nano": "pass", "zhaoxin": "pass"})
        for row in self.rows(result).values():
            self.assertEqual(row["xcrypt-cbc"], "1")
            self.assertNotIn("xstore", row)
        calls = self.calls.read_text().splitlines()
        self.assertEqual([re.search("--cpu ([a-z]*)", call)[1] for call in calls], 2 * ["nehemiah", "esther", "nano", "zhaoxin"])
        self.assertRegex(calls[6], r"^run --cpu nano --stats=\S+ --check --require=xcrypt-cbc --rng-seed=7 -- echo a b -- --models$")
        self.assertEqual((self.folder / "incore-logs/nano.log").read_text(), "a b -- --models\n")

    def test_models_are_split_at_spaces_and_commas_but_not_before_changed_fields(self):
        for text in ("nano,stepping=10,rng=0 esther", " esther,nano,stepping=10,rng=0\n", "esther, nano,stepping=10,rng=0, esther"):
            self.assert_results(self.run_script("--models", text, "--", "true"), {"esther": "pass", "nano,stepping=10,rng=0": "pass"})
        self.assertEqual(len(self.calls.read_text().splitlines()), 3 * 2 * 2)  # tried once and run once

    def test_one_failing_model_fails_the_whole_and_shows_its_log(self):
        result = self.run_script("--models", "nehemiah nano esther", "--shell", 'echo "on $MODEL"\n[ $MODEL != nano ] || exit 3')
        self.assert_results(result, {"nehemiah": "pass", "nano": "FAIL: exit code 3", "esther": "pass"})
        self.assertIn("\non nano\n---\n", result.stdout)
        self.assertNotIn("\non nehemiah\n", result.stdout)

    def test_lines_of_shell_stop_at_the_first_that_fails(self):
        self.assert_results(self.run_script("--models=nano", "--shell", "false\ntrue"), {"nano": "FAIL: exit code 1"})

    def test_a_signal_is_named(self):
        self.assert_results(self.run_script("--models=nano", "--", "sh", "-c", "kill -SEGV $$"), {"nano": "FAIL: SIGSEGV"})

    def test_findings_and_what_never_ran_are_failures_of_their_own(self):
        self.assert_results(self.run_script("--models=nano", "--check", "--require=xcrypt-cbc", "--", "true", FINDS="1"),
                            {"nano": "FAIL: findings"})
        required = [f"--require={mnemonic}" for mnemonic in ("xcrypt-cbc", "xsha1", "montmul")]
        self.assert_results(self.run_script("--models=nano", *required, "--", "true"), {"nano": "FAIL: no xsha1 montmul"})
        self.assert_results(self.run_script("--models=nano", "--check", "--", "false", FINDS="1"), {"nano": "FAIL: exit code 1"})

    def test_a_run_without_any_instruction_is_pointed_out(self):
        for num_calls, said in ((0, True), (1, False)):
            result = self.run_script("--models=nano", "--", "true", NUM_CALLS=str(num_calls))
            self.assertEqual((result.returncode, "no crypto instruction ran" in result.stdout), (0, said))

    def test_figures_of_an_earlier_run_and_half_written_ones_do_not_count(self):
        self.run_script("--models=nano", "--", "true")
        for figures in ("", 'printf "{" >"$stats"; '):
            self.write_program(STAND_IN.replace('"$@"\n', f'[ -z "$stats" ] || {{ {figures}kill -9 $$; }}\n'))
            result = self.run_script("--models=nano", "--", "true")
            self.assert_results(result, {"nano": "FAIL: SIGKILL"})
            self.assertNotIn("xcrypt-cbc", self.rows(result)["nano"])
        self.write_program(STAND_IN.replace('"$@"\n', '[ -z "$stats" ] || { echo refused; exit 2; }\n'))
        self.assert_refused(self.run_script("--models=nano", "--", "true"), "nano: refused")

    def test_a_command_that_hangs_is_ended_with_all_it_started(self):
        pids = self.folder / "pids"
        result = self.run_script("--models=nano esther", "--timeout=0.5", "--shell",
                                 f"[ $MODEL = nano ] || exit 0; sleep 60 & echo $! $$ >{pids}; wait")
        self.assert_results(result, {"nano": "FAIL: no end after 0.5 s", "esther": "pass"})
        for pid in pids.read_text().split():
            self.assert_ends(pid)

    def test_an_interrupted_run_leaves_no_process_and_tells_what_was_done(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            pids = self.folder / "pids"
            pids.write_text("")
            process = subprocess.Popen(
                [sys.executable, SCRIPT, "--models=nano esther zhaoxin", "--junit=out.xml", "--shell",
                 f"[ $MODEL = esther ] || exit 0; sleep 60 & echo $! $$ >{pids}; wait"], cwd=self.folder, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment())
            end = time.monotonic() + 30
            while not pids.read_text() and time.monotonic() < end:
                time.sleep(0.01)
            process.send_signal(number)
            result = subprocess.CompletedProcess([], None, *process.communicate(timeout=30))
            self.assertEqual(process.returncode, 128 + number)
            self.assertEqual(result.stderr, f"incore-matrix: ended by {number.name}\n")
            self.assertEqual({model: row["result"] for model, row in self.rows(result).items()},
                             {"nano": "pass", "esther": "stopped", "zhaoxin": "not run"})
            self.assertEqual(ElementTree.parse(self.folder / "out.xml").getroot().get("skipped"), "2")
            for pid in pids.read_text().split():
                self.assert_ends(pid)

    def test_markdown_and_junit(self):
        summary = self.folder / "summary.md"
        summary.write_text("before\n")
        result = self.run_script("--models=nano esther", "--junit=out.xml", "--shell",
                                 "printf 'a<b\\033[m\\377\\n'; [ $MODEL = nano ]", GITHUB_STEP_SUMMARY=str(summary))
        self.assert_results(result, {"nano": "pass", "esther": "FAIL: exit code 1"})
        self.assertRegex(summary.read_text(),
                         r"\Abefore\n### Incore\n\n\| model \| result \| seconds \| xcrypt-cbc \|\n\| --- \| --- \| --: \| --: \|\n"
                         r"\| nano \| pass \| [\d.]+ \| 1 \|\n\| esther \| FAIL: exit code 1 \| [\d.]+ \| 1 \|\n")
        suite = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual([suite.get(key) for key in ("tests", "failures", "skipped")], ["2", "1", "0"])
        self.assertEqual([case.get("name") for case in suite], ["nano", "esther"])
        self.assertIsNone(suite[0].find("failure"))
        failure = suite[1].find("failure")
        self.assertEqual((failure.get("message"), failure.text), ("FAIL: exit code 1", "a<b?[m\ufffd"))

    def test_what_cannot_run_is_one_line(self):
        for arguments, says in ((["--models=nano none", "--", "true"], "none: incore run: unknown model"),
                                ([], "no command"), (["--shell= "], "no command"), (["--shell=true", "--", "true"], "not both"),
                                (["make", "check"], "unknown argument 'make': the command stands after --"),
                                (["--model=nano", "--", "true"], "unknown argument '--model=nano'"),
                                (["--timeout=0", "--", "true"], "--timeout"), (["--timeout=soon", "--", "true"], "--timeout"),
                                (["--timeout=nan", "--", "true"], "--timeout"),
                                (["--junit=none/out.xml", "--", "true"], "none/out.xml"),
                                (["--logs=incore", "--", "true"], "incore")):
            with self.subTest(arguments=arguments):
                self.assert_refused(self.run_script(*arguments), says)

    def test_a_program_that_runs_nothing_is_said_before_the_first_run(self):
        self.assert_refused(self.run_script("--", "true", PATH="/none"), "there is no incore in PATH")
        self.write_program("#!/bin/sh\nexit 1\n")
        self.assert_refused(self.run_script("--", "true"), "nehemiah: exit code 1")

    def test_what_ran_before_a_refusal_is_still_told(self):
        self.write_program(STAND_IN.replace("shift 3", '[ "$MODEL" != nano ] || [ "$4" = -- ] || { echo refused; exit 2; }; shift 3'))
        result = self.run_script("--models=esther nano zhaoxin", "--", "true")
        self.assertEqual((result.returncode, result.stderr), (2, "incore-matrix: nano: refused\n"))
        self.assertEqual({model: row["result"] for model, row in self.rows(result).items()},
                         {"esther": "pass", "nano": "not run", "zhaoxin": "not run"})


@unittest.skipUnless((NATIVE / "incore").exists(), "build/native/incore is not built")
class Real(Base):
    """The program itself, which the stand-in imitates."""

    def setUp(self):
        super().setUp()
        self.program_folder = NATIVE

    def run_guest(self, *arguments, models):
        guest = NATIVE / "tests/guest" / arguments[-2]
        if not guest.exists():
            self.skipTest(f"{arguments[-2]} is not built")
        return self.run_script(f"--models={models}", *arguments[:-2], "--", guest, arguments[-1])

    def test_a_client_passes_on_two_models(self):
        result = self.run_guest("--check", "--require=xcrypt-ecb", "guest_exit_code", "0", models="esther nano,stepping=10")
        self.assert_results(result, {"esther": "pass", "nano,stepping=10": "pass"})
        for row in self.rows(result).values():
            self.assertGreater(int(row["xcrypt-ecb"]), 0)

    def test_failures_are_told_apart(self):
        for arguments, said in ((["guest_exit_code", "2"], "exit code 2"), (["guest_die_by_signal", "11"], "SIGSEGV"),
                                (["--require=xsha1", "guest_exit_code", "0"], "no xsha1"),
                                (["--check", "guest_check", "stale_key"], "findings")):
            result = self.run_guest(*arguments, models="nano")
            self.assert_results(result, {"nano": f"FAIL: {said}"})
            if "--check" in arguments:
                self.assertIn("stale-key", result.stdout)

    def test_a_hanging_program_is_ended(self):
        self.assert_results(self.run_script("--models=nano", "--timeout=0.5", "--", "sleep", "60"),
                            {"nano": "FAIL: no end after 0.5 s"})

    def test_the_command_stays_as_it_was_written_without_bash(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("cat", "sh"):
            (tools / name).symlink_to(shutil.which(name))
        path = f"{NATIVE}:{tools}"
        self.assertIsNone(shutil.which("bash", path=path))
        odd = "a  b 'c' \"d\" $HOME `e` *\\n"
        (self.folder / odd.replace("/", "")).write_text("read\n")
        for command in (["--", "cat", odd], ["--shell", "cat " + "'" + odd.replace("'", "'\\''") + "'"]):
            self.assert_results(self.run_script("--models=nano", *command, PATH=path), {"nano": "pass"})
            self.assertEqual((self.folder / "incore-logs/nano.log").read_text(), "read\n")

    def test_models_of_power_start_scripts(self):
        self.assert_results(self.run_script("--models=power8", "--shell", "test 1 = 1\nexit 5"), {"power8": "FAIL: exit code 5"})

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_openssl_finds_the_unit(self):
        result = self.run_script("--models=c5xl nehemiah", "--shell",
                                 "openssl engine -t padlock | tee engine; grep -q ', ACE)' engine")
        if "could not load the shared library" in result.stdout:
            self.skipTest("this openssl has no PadLock engine")
        self.assert_results(result, {"c5xl": "FAIL: exit code 1", "nehemiah": "pass"})

    def test_a_command_that_is_not_there(self):
        self.assert_results(self.run_script("--models=nano", "--shell", "none-such"), {"nano": "FAIL: exit code 127"})
        self.assert_refused(self.run_script("--", "/none/such"), "nehemiah: incore run: '/none/such': No such file")
        self.assert_refused(self.run_script("--", "none-such"), "nehemiah: incore run: 'none-such' was not found")

    def test_what_the_program_refuses_is_one_line(self):
        for arguments, says in ((["--models=nano,none=1"], 'unknown field "none"'),
                                (["--models=nano none"], 'unknown model "none": the models are c5xl, .*power10'),
                                (["--require=none"], "--require: 'none' is unknown"), (["--rng-seed=x"], "x")):
            self.assert_refused(self.run_script(*arguments, "--", "true"), says)


if __name__ == "__main__":
    unittest.main()
