#!/usr/bin/env python3
"""Breaks the PadLock processor line by line, and expects the tests that name the clause to fail.

Each row of tests/mutations.tsv changes one line of a copy of this tree in BUILD/mutate. The tests that name the row's
clause are run (or those of the row's GoogleTest filter), and must fail; then the line is put back. Exit 1 if a row
survives, or is out of date: its text is not there once, it does not compile, or no test names its clause.
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import clauses  # noqa: E402  (its folder had to be named first)

COLUMNS = ["file", "old", "new", "clause", "tests"]
TEST = re.compile(r"TEST(_F|_P)?\((\w+),\s*(\w+)")
SECONDS_PER_RUN = 120

Row = collections.namedtuple("Row", ["number"] + COLUMNS)


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


def tests_by_clause(folder):
    """For each clause the GoogleTest names of the tests below |folder| that name it, in their bodies or right above."""
    names = collections.defaultdict(list)
    for file in sorted(folder.rglob("*_test.cpp")):
        current, opening = None, None
        waiting = []  # named right above a test that is still to come
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("TEST"):
                opening = ""
            if opening is not None:  # a name may stand on the line below
                opening += line
                match = TEST.match(opening)
                if match:
                    current = f"{match[2]}.{match[3]}" if match[1] != "_P" else f"*/{match[2]}.{match[3]}/*"
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
                    if current not in names[name]:
                        names[name].append(current)
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
    if row.clause not in known:
        return "no such clause"
    return "" if names else "no test names the clause"


class Tree:
    def __init__(self, source, build, jobs):
        self.source, self.build, self.jobs = source, build, jobs

    def configure(self):
        return subprocess.run(
            ["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Debug",
             "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -w", "-DCMAKE_C_FLAGS_DEBUG=-O0 -w", "-DINCORE_BUILD_CLI=OFF",
             "-DINCORE_TESTS_ONLY=/(padlock|compat|cpu|support)/"], capture_output=True, text=True)

    def compile(self):
        return subprocess.run(["cmake", "--build", self.build, "-j", str(self.jobs), "--target", "incore_tests"],
                              capture_output=True, text=True)

    def test(self, names):
        """"passed", "failed" (a hang and a crash included) or "none ran"."""
        command = [self.build / "tests" / "incore_tests", "--gtest_brief=1", "--gtest_filter=" + ":".join(names)]
        try:
            result = subprocess.run(command, capture_output=True, timeout=SECONDS_PER_RUN)
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


def main():
    parser = argparse.ArgumentParser(description="Breaks lines of the PadLock processor; the tests must notice.")
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
    if options.only:
        rows = [row for row in rows if options.only in row.file or options.only in row.clause]
    if not rows:
        return fail(f"no row has '{options.only}' in its file or clause")
    tests = {row: row.tests.split(":") if row.tests else named[row.clause] for row in rows}
    if options.check:
        wrong = [(row, why_not(root, row, known, tests[row])) for row in rows]
        for row, why in wrong:
            if why:
                print(f"mutations.tsv:{row.number}: {why}: {row.clause} {row.file}: {row.old}", file=sys.stderr)
        return 1 if any(why for _, why in wrong) else 0

    folder = root / "build" / "mutate"
    tree = Tree(folder / "source", folder / "build", options.jobs)
    tree.source.mkdir(parents=True, exist_ok=True)
    synchronise(root, tree.source)
    for step in (tree.configure, tree.compile):
        result = step()
        if result.returncode != 0:
            return fail(f"the tree does not build as it is:\n{result.stdout}{result.stderr}")
    every = sorted({name for names in tests.values() for name in names})
    if every and tree.test(every) != "passed":
        return fail("the tests fail before anything is changed")

    outcomes = collections.Counter()
    for row in rows:
        why = why_not(tree.source, row, known, tests[row])
        outcome = f"DOES NOT APPLY: {why}" if why else tree.judge(row, tests[row])
        outcomes[outcome.split(":")[0]] += 1
        print(f"{outcome:<9} {row.clause:<15} {row.file}: {row.old.strip()}  ->  {row.new.strip()}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    return 0 if set(outcomes) == {"killed"} else 1


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly when the reader of a pipe does
    sys.exit(main())
