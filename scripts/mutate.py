#!/usr/bin/env python3
"""Breaks Incore line by line, and expects the tests that name the clause to fail.

Each row of tests/mutations.tsv changes one line of a copy of this tree, below build/mutate. The tests that name the row's
clause are run (or those of the row's GoogleTest filter), and must fail; then the line is put back. The row's file
says for which machine the copy is built: kernels for POWER8 are cross-built and run under QEMU, the VeMICry is built
with its tests, all else with those of the processor and the kernels. Exit 1 if a row survives, or is out of date: its
text is not there once, it does not compile, or no test names its clause.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import clauses  # noqa: E402  (its folder had to be named first)

COLUMNS = ["file", "old", "new", "clause", "tests"]
NO_CLAUSE = "-"  # of a row that names its tests
TEST = re.compile(r"(TYPED_)?TEST(_F|_P)?\((\w+),\s*(\w+)")

Row = collections.namedtuple("Row", ["number"] + COLUMNS)

# What a row's file is built for: files by a regular expression, how CMake is called, the programs that this needs, and
# how a program of that machine is run. The first kind whose expression is found in the file's path is the row's.
Kind = collections.namedtuple("Kind", ["name", "files", "options", "needs", "runner"])
KINDS = [
    Kind("power8", r"_power8|^src/crypto/power8/|^src/cpu/.*power",
         ["--preset", "ppc64le-short"],
         ["powerpc64le-linux-gnu-gcc", "powerpc64le-linux-gnu-g++", "qemu-ppc64le"], ["qemu-ppc64le", "-cpu", "power8"]),
    Kind("vemicry", r"^src/vemicry/|^src/capi/hosted/vemicry|^programs/vemicry/",
         ["-G", "Ninja", "-DINCORE_BUILD_CLI=OFF", "-DINCORE_BUILD_VEMICRY=ON", "-DINCORE_TESTS_ONLY=^(vemicry|support)/|/(curves|rsa_vectors)[.]cpp"],
         [], []),
    # They run where `incore run` gives them a PadLock.
    Kind("padlock", r"^src/crypto/.*_padlock|^(src|tools)/run/|^tools/probe/",
         ["-G", "Ninja", "-DINCORE_TESTS_ONLY=^((tools/)?run/(incore_run|padlock_kernel|compare|result_search)|support/|crypto/(aes|sha)/|(cli|tools)/probe)"],
         [], []),
    Kind("host", r"",
         ["-G", "Ninja", "-DINCORE_BUILD_CLI=OFF", "-DINCORE_TESTS_ONLY=^(padlock|compat|cpu|support|crypto/(aes|crc|gcm|ghash))/"], [], []),
]


def fail(message):
    print(f"mutate: {message}", file=sys.stderr)
    return 2


def read_rows(file):
    """The rows of |file|. Raises ValueError with the place of a wrong one."""
    lines = file.read_text(encoding="utf-8").splitlines()
    rows, header_seen = [], False
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if not header_seen:
            if fields != COLUMNS:
                raise ValueError(f"{file}:{number}: the header is not {' '.join(COLUMNS)}")
            header_seen = True
        elif len(fields) != len(COLUMNS) or not all(fields[:4]) or fields[1] == fields[2]:
            raise ValueError(f"{file}:{number}: not five columns that name a change")
        else:
            rows.append(Row(number, *fields))
    if not rows:
        raise ValueError(f"{file}: no rows")
    return rows


def kind_of(row):
    return next(kind for kind in KINDS if re.search(kind.files, row.file))


def tests_by_clause(folder):
    """For each clause the GoogleTest names of the tests below |folder| that name it, in their bodies or right above."""
    names = collections.defaultdict(list)
    for file in sorted(folder.rglob("*_test.cpp")):
        current, opening = None, None
        waiting = []  # named right above a test that is still to come
        for line in file.read_text(encoding="utf-8").splitlines():
            if re.match("(TYPED_)?TEST", line):
                opening = ""
            if opening is not None:  # a name may stand on the line below
                opening += line
                match = TEST.match(opening)
                if match:
                    typed, form, suite, test = match.groups()
                    current = ([f"{suite}/*.{test}"] if typed else
                               [f"{suite}.{test}/*", f"*/{suite}.{test}/*"] if form == "_P" else  # suites may have no prefix
                               [f"{suite}.{test}"])
                    opening = None
            elif line == "}":
                current, waiting = None, []
            elif current is None and not line.startswith("//"):
                waiting = []
            comment = clauses.COMMENT.match(line)
            if comment:
                waiting.append(comment[1].strip())
            if current:
                for name in waiting:
                    names[name] += [test for test in current if test not in names[name]]
                waiting = []
    return names


def synchronise(root, copy):
    """Makes |copy| hold the files of |root| that git would keep. Files that are alike keep their time, so that a second
    run builds little."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-coz", "--exclude-standard"], capture_output=True, check=True)
    wanted = {pathlib.Path(name) for name in listed.stdout.decode().split("\0") if name and (root / name).is_file()}
    for path in [path for path in copy.rglob("*") if path.is_file()]:
        if path.relative_to(copy) not in wanted:
            path.unlink()
    for name in wanted:
        target = copy / name
        if not target.is_file() or target.read_bytes() != (root / name).read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, target)
            shutil.copymode(root / name, target)


def why_not(root, row, known, names):
    """Why the row cannot be tried; empty if it can."""
    file = root / row.file
    count = file.read_text(encoding="utf-8").count(row.old) if file.is_file() else 0
    if count != 1:
        return f"its text is found {count} times"
    if row.clause not in known and row.clause != NO_CLAUSE:
        return "no such clause"
    return "" if names else "no test names the clause"


class Tree:
    """A copy of the sources, built for one kind of rows."""

    def __init__(self, kind, folder, jobs):
        self.kind, self.source, self.build, self.jobs = kind, folder / "source", folder / "build", jobs
        self.seconds = None  # a run of the tests may take so long; known after prepare()

    def prepare(self, root, names):
        """Copies |root|, builds it as it is, and runs the tests |names|. What went wrong; empty if all is well."""
        self.source.mkdir(parents=True, exist_ok=True)
        synchronise(root, self.source)
        for step in (self.configure, self.compile):
            result = step()
            if result.returncode != 0:
                return f"the tree for {self.kind.name} does not build as it is:\n{result.stdout}{result.stderr}"
        start = time.monotonic()
        if names and self.test(names) != "passed":
            return f"the tests of {self.kind.name} fail before anything is changed"
        self.seconds = 60 + 2 * (time.monotonic() - start)
        return ""

    def configure(self):
        return subprocess.run(
            ["cmake", *self.kind.options, "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Debug",
             "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -w", "-DCMAKE_C_FLAGS_DEBUG=-O0 -w",
             "-DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST"],  # a broken program need not list its tests
            capture_output=True, text=True, cwd=self.source)

    def compile(self):
        return subprocess.run(["cmake", "--build", self.build, "-j", str(self.jobs), "--target", "incore_tests"],
                              capture_output=True, text=True)

    def test(self, names):
        """"passed", "failed" (a hang and a crash included) or "none ran"."""
        command = [*self.kind.runner, self.build / "tests" / "incore_tests", "--gtest_brief=1", "--gtest_fail_fast",
                   "--gtest_filter=" + ":".join(names)]
        try:
            result = subprocess.run(command, capture_output=True, timeout=self.seconds)
        except subprocess.TimeoutExpired:
            return "failed"
        if result.returncode != 0:
            return "failed"
        return "none ran" if re.search(rb"^\[=+\] 0 tests", result.stdout, re.MULTILINE) else "passed"

    def judge(self, row, names):
        """What became of a row that applies: "killed", or what is wrong."""
        file = self.source / row.file
        text = file.read_text(encoding="utf-8")
        try:
            file.write_text(text.replace(row.old, row.new), encoding="utf-8")
            if self.compile().returncode != 0:
                return "DOES NOT APPLY: does not compile"
            outcome = self.test(names)
        finally:
            file.write_text(text, encoding="utf-8")
        return {"failed": "killed", "passed": "SURVIVED", "none ran": "DOES NOT APPLY: no such test"}[outcome]


def try_rows(root, rows, known, tests, jobs):
    """Prints what becomes of each row. Returns the outcomes counted, or raises ValueError if a tree does not work."""
    outcomes = collections.Counter()
    number = 0
    for kind in KINDS:
        own = [row for row in rows if kind_of(row) is kind]
        missing = [program for program in kind.needs if shutil.which(program) is None]
        tree = Tree(kind, root / "build" / "mutate" / kind.name, jobs)
        if own and not missing:
            wrong = tree.prepare(root, sorted({name for row in own for name in tests[row]}))
            if wrong:
                raise ValueError(wrong)
        for row in own:
            number += 1
            why = why_not(root, row, known, tests[row])
            if why:
                outcome = f"DOES NOT APPLY: {why}"
            elif missing:
                outcome = f"skipped: no {' and no '.join(missing)}"
            else:
                outcome = tree.judge(row, tests[row])
            outcomes[outcome.split(":")[0]] += 1
            print(f"{number:>3} of {len(rows)} {outcome:<9} {row.clause:<15} {row.file}: "
                  f"{row.old.strip()}  ->  {row.new.strip()}", flush=True)
    return outcomes


def main():
    parser = argparse.ArgumentParser(description="Breaks lines of Incore; the tests must notice.")
    parser.add_argument("--kind", choices=[kind.name for kind in KINDS], help="the rows of one kind (all)")
    parser.add_argument("--only", metavar="TEXT", help="the rows whose file or clause contain TEXT")
    parser.add_argument("--check", action="store_true", help="only see whether every row applies; build nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="parallel compilations")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1],
                        help="the tree to copy (this one)")
    options = parser.parse_args()
    root = options.root.resolve()

    errors = []
    known = clauses.read_clauses(root / "docs" / "clauses", errors)
    named = tests_by_clause(root / "tests")
    try:
        rows = read_rows(root / "tests" / "mutations.tsv")
    except (OSError, ValueError) as error:
        return fail(error)
    if options.kind:
        rows = [row for row in rows if kind_of(row).name == options.kind]
    if options.only:
        rows = [row for row in rows if options.only in row.file or options.only in row.clause]
    if not rows:
        return fail("no such row")
    tests = {row: row.tests.split(":") if row.tests else named[row.clause] for row in rows}
    if options.check:
        wrong = [(row, why_not(root, row, known, tests[row])) for row in rows]
        for row, why in wrong:
            if why:
                print(f"mutations.tsv:{row.number}: {why}: {row.clause} {row.file}: {row.old}", file=sys.stderr)
        return 1 if any(why for _, why in wrong) else 0

    start = time.monotonic()
    try:
        outcomes = try_rows(root, rows, known, tests, options.jobs)
    except ValueError as error:
        return fail(error)
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"{counts}; {(time.monotonic() - start) / 60:.1f} minutes")
    return 0 if set(outcomes) <= {"killed", "skipped"} else 1


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly when the reader of a pipe does
    sys.exit(main())
