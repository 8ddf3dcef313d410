"""scripts/lab.py must build projects, run their tests bare and under `incore run --check`, tell what is known from what is new, and do
nothing twice. The project here is made up.

usage: lab_check.py BUILD
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "lab.py"
sys.path.insert(0, str(SCRIPT.parent))
sys.dont_write_bytecode = True
import lab  # noqa: E402

INCORE = pathlib.Path(sys.argv.pop()).resolve() / "incore"

# On a CPU without PadLock it computes nothing and is content. "stale" changes the key without asking for a reload.
PROGRAM = r"""
#include <cpuid.h>
#include <string.h>
static unsigned char word[16] __attribute__((aligned(16))) = {10}, key[16] __attribute__((aligned(16))), data[16] __attribute__((aligned(16)));
static void xcrypt(void) {
  void *from = data, *to = data;
  long blocks = 1;
  __asm__ volatile(".byte 0xf3,0x0f,0xa7,0xc8" : "+S"(from), "+D"(to), "+c"(blocks) : "b"(key), "d"(word) : "memory");
}
int main(int argc, char **argv) {
  unsigned a, b, c, d;
  __cpuid(0xC0000000, a, b, c, d);
  if (a < 0xC0000001 || a > 0xC000FFFF) return 0;
  __asm__ volatile("pushf; popf" ::: "memory");
  xcrypt();
  if (argc > 1 && !strcmp(argv[1], "stale")) key[0] = 1, xcrypt();
  return data[0] != 0x66 && argc == 1;
}
"""
RECORD = """
about = "a project"
fetch = 'echo fetch >> $CALLS; mkdir tiny-1; cp $HERE/tiny.c tiny-1'
builds = {builds}
models = {models}
build = 'echo build >> $CALLS; {build}gcc $CFLAGS $([ $LINK = shared ] || echo -static) -o tiny $SOURCE/tiny-*/tiny.c'
[tests]
right = 'echo right >> $CALLS; ./tiny'
{more}
"""
STALE = "stale = './tiny stale'\n"
EXPECTED = '[[expected]]\ntests = "{tests}"\nshows = {shows}\npage = "tiny"\n'


class Lab(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        (self.here / "tiny.c").write_text(PROGRAM)
        (self.here / "records").mkdir()
        self.out, self.calls = self.here / "out", self.here / "calls"
        self.environment = {**os.environ, "CALLS": str(self.calls), "HERE": str(self.here)}

    def record(self, more="", name="tiny", builds='["64-shared-O0"]', models='["nano"]', build=""):
        (self.here / "records" / f"{name}.toml").write_text(RECORD.format(more=more, builds=builds, models=models, build=build))

    def command(self, *options, incore=INCORE):
        return [sys.executable, SCRIPT, "--records", self.here / "records", "--out", self.out, "--incore", incore, *options]

    def lab(self, *options, incore=INCORE):
        """Returns the exit code, lab.json, and the calls of the record's commands."""
        self.calls.write_text("")
        result = subprocess.run(self.command(*options, incore=incore), capture_output=True, text=True, check=False, env=self.environment)
        self.printed, self.errors = result.stdout, result.stderr
        written = self.out / "lab.json"
        return result.returncode, json.loads(written.read_text()) if written.is_file() else None, self.calls.read_text().split()

    def verdicts(self, written):
        return [(row["state"], row.get("pages"), row.get("new")) for row in written["rows"]]

    def test_a_row_for_each_build_and_model(self):
        self.record(builds='["64-shared-O0", "64-static-O2"]', models='["nano", "zhaoxin"]')
        code, written, calls = self.lab()
        self.assertEqual((code, self.errors, written["as_expected"]), (0, "", True))
        self.assertEqual([(row["build"], row["model"]) for row in written["rows"]],
                         [(build, model) for build in ("64-shared-O0", "64-static-O2") for model in ("nano", "zhaoxin")])
        for row in written["rows"]:
            self.assertEqual((row["project"], row["version"], row["bare"], row["under"], row["calls"], row["findings"], row["new"]),
                             ("tiny", "tiny-1", [1, 1], [1, 1], 1, {}, []))
        self.assertEqual(calls, ["fetch"] + ["build", "right", "right", "right"] * 2)
        line = "| tiny | tiny-1 | 64-static-O2 | zhaoxin | 1 of 1 | 1 of 1 | 1 |  | as expected |"
        self.assertIn(line, self.printed)
        self.assertIn(line, (self.out / "lab.md").read_text())

    def test_what_is_done_is_not_done_again(self):
        self.record()
        first = self.lab()[1]
        code, again, calls = self.lab()
        self.assertEqual((code, again, calls), (0, first, []))
        self.record(STALE)
        self.assertEqual(self.lab()[2], [])  # the new test alone
        wrapper = self.here / "incore"
        wrapper.write_text(f'#!/bin/sh\nexec {INCORE} "$@"\n')
        wrapper.chmod(0o755)
        self.assertEqual(self.lab(incore=wrapper)[2], ["right"])  # another incore, but the same CPU
        self.record(build=":; ")
        self.assertEqual(self.lab()[2], ["build", "right", "right"])

    def test_a_new_finding(self):
        self.record(STALE)
        code, written, _ = self.lab()
        self.assertEqual((code, written["as_expected"]), (1, False))
        self.assertEqual(self.verdicts(written), [("done", [], ["stale: stale-key"])])
        self.assertEqual((written["rows"][0]["under"], written["rows"][0]["findings"]), ([2, 2], {"stale-key": 1}))
        finding = written["rows"][0]["cells"][-1]["findings"][0]
        self.assertEqual((finding["check"], finding["function"], finding["instruction"]), ("stale-key", "xcrypt", "xcrypt-ecb"))
        self.assertIn("**new**: stale: stale-key", self.printed)

    def test_a_known_finding(self):
        self.record(STALE + EXPECTED.format(tests="stale", shows='["stale-key"]'))
        code, written, _ = self.lab()
        self.assertEqual((code, self.verdicts(written)), (0, [("done", ["tiny"], [])]))
        self.assertIn("[tiny](../../docs/bugs/tiny.md)", self.printed)

    def test_known_elsewhere_is_new_here(self):
        for tests, shows, more in (("right", "stale-key", ""), ("stale", "fails", ""), ("stale", "stale-key", 'models = "z*"\n'),
                                   ("stale", "stale-key", 'builds = "32-*"\n')):
            self.record(STALE + EXPECTED.format(tests=tests, shows=f'["{shows}"]') + more)
            code, written, _ = self.lab()
            self.assertEqual((code, self.verdicts(written)), (1, [("done", [], ["stale: stale-key"])]))

    def test_a_known_finding_that_is_gone(self):
        self.record(EXPECTED.format(tests="*", shows='["stale-key"]'))
        code, written, _ = self.lab()
        self.assertEqual((code, len(written["gone"])), (1, 1))
        self.assertIn("seen no more: tiny: stale-key in * of * on * (tiny)\n", self.printed)
        self.assertIn(written["gone"][0], (self.out / "lab.md").read_text())

    def test_tests_that_fail(self):
        failing = "under = 'test -z \"$INCORE_RUN\"'\nbare = 'test -n \"$INCORE_RUN\"'\n"
        self.record(failing)
        code, written, _ = self.lab()
        self.assertEqual((code, self.verdicts(written)), (1, [("done", [], ["bare: fails on this CPU", "under: fails"])]))
        self.assertEqual((written["rows"][0]["bare"], written["rows"][0]["under"]), ([2, 3], [2, 3]))
        self.record(failing + EXPECTED.format(tests="under bare", shows='["fails"]'))
        self.assertEqual(self.lab()[0], 0)

    def test_a_step_that_fails_is_a_row_and_stops_no_other(self):
        self.record(name="a", builds='["64-shared-O0", "64-static-O0"]', build="echo why; [ $LINK = static -o -e $HERE/mended ]; ")
        self.record(name="b")
        (self.here / "records" / "c.toml").write_text(RECORD.format(more="", builds='["64-shared-O0"]', models="[]", build="").replace("mkdir", "no"))
        code, written, calls = self.lab()
        self.assertEqual((code, [row["state"] for row in written["rows"]]), (1, ["build failed", "done", "done", "fetch failed"]))
        log = self.out / "a/64-shared-O0/build.log"
        self.assertEqual((written["rows"][0]["log"], log.read_text()), (str(log), "why\n"))
        self.assertIn(f"| a | tiny-1 | 64-shared-O0 |  | | | | | **build failed**: {log} |", self.printed)
        (self.here / "mended").touch()
        self.assertEqual((self.lab("a", "b")[0], self.calls.read_text().split()), (0, ["build", "right", "right"]))

    def test_an_interrupted_run_goes_on(self):
        self.record("slow = 'echo slow >> $CALLS; [ -e $HERE/quick ] || sleep 60'\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            self.calls.write_text("")
            process = subprocess.Popen(self.command(), env=self.environment, stderr=subprocess.PIPE, text=True)
            while "slow" not in self.calls.read_text():
                time.sleep(0.02)
            process.send_signal(number)
            self.assertEqual(process.communicate()[1], "\nlab: interrupted; the next run goes on from here\n")
            self.assertEqual(process.returncode, 130)
        (self.here / "quick").touch()
        code, _, calls = self.lab()
        self.assertEqual((code, calls), (0, ["slow", "right", "slow"]))

    def test_a_command_that_takes_too_long_is_ended_with_all_that_it_started(self):
        log, begin = self.here / "log", time.monotonic()
        code = lab.shell(["sh", "-c", "sleep 70 & echo $!; wait"], self.here, None, log, 0.01)
        self.assertEqual((code, time.monotonic() - begin < 60), (124, True))
        child, told = log.read_text().split(maxsplit=1)
        self.assertEqual(told, "lab: ended after 0.01 minutes\n")
        deadline = time.monotonic() + 20
        while self.is_alive(child):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    @staticmethod
    def is_alive(process):
        try:
            return pathlib.Path("/proc", process, "stat").read_text().split()[2] not in "ZX"
        except OSError:
            return False

    def test_choices(self):
        self.record(builds='["64-shared-O0", "64-static-O2"]', models='["zhaoxin", "nano"]')
        self.record(name="other")
        for options, rows in ((["--quick"], ["other nano 64-shared-O0", "tiny nano 64-shared-O0"]),
                              (["--model", "zhaoxin", "tiny"], ["tiny zhaoxin 64-shared-O0", "tiny zhaoxin 64-static-O2"]),
                              (["--build", "*-static-*", "--model", "nano"], ["tiny nano 64-static-O2"])):
            self.assertEqual([f"{row['project']} {row['model']} {row['build']}" for row in self.lab(*options)[1]["rows"]], rows)

    def refused(self, message, *options, incore=INCORE):
        code, written, calls = self.lab(*options, incore=incore)
        self.assertEqual((code, written, calls, self.printed), (2, None, [], ""))
        self.assertIn(message, self.errors)

    def test_mistakes_are_told_before_anything_is_done(self):
        self.record()
        self.refused("lab: no project 'tony'; there are: tiny\n", "tony")
        self.refused("lab: no model 'c8'; there are: c5xl nehemiah esther", "--model", "c8")
        self.refused("incore does not exist; run `make build`", incore=self.here / "incore")
        for more, builds, told in (("[surprise]\n", '["64-shared-O0"]', "unexpected keyword argument 'surprise'"), ("[", '["64-shared-O0"]', "at line"),
                                   ("", '["65-shared-O0"]', "the build '65-shared-O0' is not named BITS-LINK-OPTIMISATION"), ("", "[]", "no builds"),
                                   (EXPECTED.format(tests="*", shows='"fails"'), '["64-shared-O0"]', "in [[expected]] 'shows' is a list and all else a string")):
            self.record(more, builds=builds)
            self.refused(told)

    def test_the_projects_of_this_tree(self):
        projects = lab.read_records(ROOT / "lab", [])
        self.assertIn("linux", [project.name for project in projects])
        models = lab.read_models(INCORE)
        for project in projects:
            self.assertLessEqual(set(project.models), set(models["32"]))
            for entry in project.expected:
                self.assertTrue((ROOT / "docs/bugs" / f"{entry.page}.md").is_file(), entry)
                self.assertTrue(any(lab.fits(test, entry.tests) for test in project.tests), entry)
                self.assertTrue(any(lab.fits(build, entry.builds) for build in project.builds), entry)


if __name__ == "__main__":
    unittest.main()
