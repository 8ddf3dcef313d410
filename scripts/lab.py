#!/usr/bin/env python3
"""Builds other projects that use PadLock, runs their own tests on this CPU and under `incore run --check` on the models, and says what
differs, on one page: build/lab/lab.md, with all of it in lab.json. What is done is kept below build/lab and not done again, so an
interrupted run goes on where it was. docs/lab.md describes a project's record, lab/PROJECT.toml.

Exit 1 if something cannot be fetched or built, if a difference is not among those that the record expects, or if an expected one is gone.

usage: lab.py [--quick] [--build PATTERNS] [--model NAME] [PROJECT...]      such as: lab.py --model nano openssl
"""
import argparse
import dataclasses
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
BARE = "bare"  # what the page calls a run on this CPU as it is
FAILS = "fails"  # beside the names of checks, a difference that a record may expect
COMPILERS = {"64": ("", "gcc", "g++"), "32": ("i686-linux-gnu", "i686-linux-gnu-gcc", "i686-linux-gnu-g++")}
BUILD = re.compile(r"(64|32)-(shared|static)-(O[0-3s]).*")
MINUTES = {"fetch": 30, "build": 60, "test": 15}
# Tests repeat a key and a vector on purpose, so these checks say nothing there.
SKIPPED = ["keystream-reuse", "vector-reuse"]


class Mistake(Exception):
    """A record or an option that cannot be used."""


class Failure(Exception):
    """A step that failed: which, and its log."""


def fits(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split())


@dataclasses.dataclass
class Expected:
    """A known difference: which tests show it, in which builds and on which models (patterns), and the page about it."""
    shows: list
    page: str
    tests: str = "*"
    builds: str = "*"
    models: str = "*"

    def fits(self, cell):
        return all(fits(cell[name], getattr(self, name + "s")) for name in ("test", "build", "model"))


@dataclasses.dataclass
class Project:
    """A record. |fetch|, |build| and the |tests| are commands of the shell."""
    name: str
    file: pathlib.Path
    about: str
    fetch: str
    build: str
    builds: list
    tests: dict
    models: list = dataclasses.field(default_factory=list)
    expected: list = dataclasses.field(default_factory=list)


def read_record(file):
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        expected = [Expected(**entry) for entry in content.pop("expected", [])]
        project = Project(name=file.stem, file=file, expected=expected, **content)
    except (OSError, ValueError, TypeError) as error:
        raise Mistake(f"{file}: {str(error).replace('Project.__init__() ', '').replace('Expected.__init__() ', '')}") from error
    for entry in expected:
        if not isinstance(entry.shows, list) or not all(isinstance(text, str) for text in (entry.page, entry.tests, entry.builds, entry.models)):
            raise Mistake(f"{file}: in [[expected]] 'shows' is a list and all else a string")
    for build in project.builds:
        if not BUILD.fullmatch(build):
            raise Mistake(f"{file}: the build '{build}' is not named BITS-LINK-OPTIMISATION, such as 64-shared-O2")
    if not project.builds or not project.tests:
        raise Mistake(f"{file}: no builds, or no tests")
    return project


def read_records(folder, names):
    known = {file.stem: file for file in sorted(folder.glob("*.toml"))}
    for name in names:
        if name not in known:
            raise Mistake(f"no project '{name}'; there are: {' '.join(known)}")
    return [read_record(known[name]) for name in names or known]


def read_models(incore):
    """{bits of a program: the models that run it}, of all models of processors with PadLock."""
    result = subprocess.run([incore, "run", "--list-cpus"], capture_output=True, text=True, check=False)
    if result.returncode:
        raise Mistake(f"'{incore} run --list-cpus' failed: {result.stderr.strip()}")
    models = [model for model in json.loads(result.stdout)["models"] if model["programs"] == "x86" and model["name"] != "host"]
    return {"32": [model["name"] for model in models], "64": [model["name"] for model in models if "64-bit" in model["description"]]}


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def file_digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def write(file, text):
    """Writes all of |file| or nothing."""
    half = file.with_name(file.name + ".new")
    half.write_text(text, encoding="utf-8")
    half.rename(file)


def shell(command, folder, environment, log, minutes):
    """Runs |command| below |folder|, all it prints goes to |log|; returns its exit code. Nothing that it started is left behind."""
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            return process.wait(minutes * 60)
        except subprocess.TimeoutExpired:
            out.write(f"\nlab: ended after {minutes} minutes\n")
            return 124
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


class Lab:
    def __init__(self, incore, out, progress):
        self.incore, self.out, self.progress = incore, out, progress
        self.program = file_digest(incore)

    def once(self, what, folder, key, command, environment):
        """Does a step in the empty |folder|, unless it was done with this |key|."""
        stamp, log = folder.with_name(folder.name + ".done"), folder.with_name(folder.name + ".log")
        if stamp.is_file() and stamp.read_text() == key:
            return
        self.progress(f"{what} {folder.parent.relative_to(self.out)}")
        stamp.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if shell(["bash", "-e", "-o", "pipefail", "-c", command], folder, environment, log, MINUTES[what]):
            raise Failure(what, log)
        write(stamp, key)

    def fetch(self, project):
        """The folder of the sources, and the key that says which."""
        folder = self.out / project.name / "source"
        key = digest(project.fetch)
        self.once("fetch", folder, key, project.fetch, {**os.environ, "ROOT": str(ROOT)})
        return folder, key

    def environment(self, project, name):
        bits, link, optimisation = BUILD.fullmatch(name).groups()
        host, c, cxx = COMPILERS[bits]
        flags = f"-g -{optimisation}"
        return {**os.environ, "ROOT": str(ROOT), "SOURCE": str(self.out / project.name / "source"), "LAB": str(project.file.parent),
                "BITS": bits, "LINK": link, "HOST": host, "CC": c, "CXX": cxx, "CFLAGS": flags, "CXXFLAGS": flags,
                "JOBS": str(os.cpu_count())}

    def build(self, project, name, source_key):
        """The folder of a build, and its key."""
        folder = self.out / project.name / name / "build"
        own = [file_digest(file) for file in sorted((project.file.parent / project.name).rglob("*")) if file.is_file()]
        key = digest(source_key, project.build, name, *own)
        self.once("build", folder, key, project.build, self.environment(project, name))
        return folder, key

    def command(self, model, test, results):
        """A test's shell notes how it ended, since a finding changes the exit code of `incore run`."""
        noting = ["bash", "-c", f"( {test}\n); echo $? > {results / 'code'}"]
        if model == BARE:
            return noting
        skipped = [word for check in SKIPPED for word in ("--check-skip", check)]
        return [self.incore, "run", "--cpu", model, f"--check={results / 'check.json'}", f"--stats={results / 'stats.json'}", *skipped, "--", *noting]

    def try_test(self, project, build, model, test, built):
        """One test on one model: a cell."""
        folder, key = built
        results = folder.parent / model / test
        kept, key = results / "cell.json", digest(key, project.tests[test], "" if model == BARE else self.program)
        if kept.is_file():
            cell = json.loads(kept.read_text())
            if cell.pop("key") == key:
                return cell
        shutil.rmtree(results, ignore_errors=True)
        results.mkdir(parents=True)
        log, begin = results / "log", time.monotonic()
        shell(self.command(model, project.tests[test], results), folder, self.environment(project, build), log, MINUTES["test"])
        code = int((results / "code").read_text()) if (results / "code").is_file() else None  # None: it did not end by itself
        cell = {"test": test, "build": build, "model": model, "passed": code == 0, "exit_code": code, "seconds": round(time.monotonic() - begin, 1),
                "log": str(log), **self.seen(results)}
        write(kept, json.dumps({**cell, "key": key}))
        return cell

    @staticmethod
    def seen(results):
        """What `incore run` wrote: findings, and how often each PadLock instruction ran."""
        check, stats = results / "check.json", results / "stats.json"
        findings = json.loads(check.read_text())["findings"] if check.is_file() else []
        counts = json.loads(stats.read_text())["instructions"] if stats.is_file() else {}
        kept = ("check", "clause", "what", "instruction", "count", "control_word", "function", "source", "line", "module")
        return {"findings": [{name: finding[name] for name in kept if name in finding} for finding in findings],
                "calls": {name: count["calls"] for name, count in counts.items() if count["calls"]}}


def differences(cell):
    """What a cell shows: that the test fails, and the checks that found something."""
    return ([] if cell["passed"] else [FAILS]) + sorted({finding["check"] for finding in cell["findings"]})


def judge(project, cells):
    """Gives each cell what is new in it and the pages that explain the rest; returns the expected entries that nothing showed."""
    gone = []
    for cell in cells:
        cell["new"], cell["pages"] = differences(cell), []
    for entry in project.expected:
        fitting = [cell for cell in cells if entry.fits(cell)]
        shown = set()
        for cell in fitting:
            known = set(entry.shows) & set(differences(cell))
            shown |= known
            cell["new"] = [difference for difference in cell["new"] if difference not in known]
            if known and entry.page not in cell["pages"]:
                cell["pages"].append(entry.page)
        if fitting:
            gone += [f"{project.name}: {difference} in {entry.tests} of {entry.builds} on {entry.models} ({entry.page})"
                     for difference in entry.shows if difference not in shown]
    return gone


def row_of(project, version, build, model, bare, cells):
    counts = {}
    for cell in cells:
        for finding in cell["findings"]:
            counts[finding["check"]] = counts.get(finding["check"], 0) + finding["count"]
    return {"project": project.name, "version": version, "build": build, "model": model, "state": "done",
            "bare": [sum(cell["passed"] for cell in bare), len(bare)], "under": [sum(cell["passed"] for cell in cells), len(cells)],
            "calls": sum(sum(cell["calls"].values()) for cell in cells), "findings": dict(sorted(counts.items())),
            "pages": sorted({page for cell in [*bare, *cells] for page in cell["pages"]}),
            "new": [f"{cell['test']}: {difference}" + ("" if cell["model"] != BARE else " on this CPU")
                    for cell in [*bare, *cells] for difference in cell["new"]],
            "cells": [*bare, *cells]}


def failed_row(project, version, build, failure):
    what, log = failure.args
    return {"project": project.name, "version": version, "build": build, "model": "", "state": f"{what} failed", "log": str(log)}


class Report:
    """The rows of this run, and the page."""

    def __init__(self, out):
        self.out, self.rows, self.gone = out, [], []

    def is_as_expected(self):
        return not self.gone and all(row["state"] == "done" and not row["new"] for row in self.rows)

    @staticmethod
    def line(row):
        name = f"{row['project']} | {row['version']} | {row['build']} | {row['model']}"
        if row["state"] != "done":
            return f"| {name} | | | | | **{row['state']}**: {row['log']} |"
        findings = ", ".join(f"{check} {count}" for check, count in row["findings"].items())
        known = [f"[{page}](../../docs/bugs/{page}.md)" for page in row["pages"]]
        verdict = ", ".join([f"**new**: {new}" for new in row["new"]] + known) or "as expected"
        passed = " | ".join(f"{passed} of {count}" for passed, count in (row["bare"], row["under"]))
        return f"| {name} | {passed} | {row['calls']} | {findings} | {verdict} |"

    def write(self):
        self.out.mkdir(parents=True, exist_ok=True)
        lines = ["# Other projects under `incore run --check`", "",
                 "| project | version | build | model | passed bare | passed under | PadLock instructions | findings | known or new |",
                 "|---|---|---|---|---|---|---|---|---|", *map(self.line, self.rows)]
        lines += ["", "Expected, and seen no more:", "", *(f"- {entry}" for entry in self.gone)] if self.gone else []
        write(self.out / "lab.md", "\n".join(lines) + "\n")
        write(self.out / "lab.json", json.dumps({"as_expected": self.is_as_expected(), "rows": self.rows, "gone": self.gone}, indent=1) + "\n")


def do_build(lab, project, build, models, source_key):
    """All tests of a build: the cells of this CPU, and (model, its cells)."""
    built = lab.build(project, build, source_key)

    def tried(model):
        cells = []
        for test in project.tests:
            lab.progress(f"{project.name} {build} {model} {test}")
            cells.append(lab.try_test(project, build, model, test, built))
        return cells

    return tried(BARE), [(model, tried(model)) for model in models]


def do_project(lab, report, project, builds, models):
    """Adds the rows of a project to the |report|."""
    try:
        source, source_key = lab.fetch(project)
    except Failure as failure:
        report.rows.append(failed_row(project, "", "", failure))
        return
    version = " ".join(sorted(folder.name for folder in source.iterdir() if folder.is_dir()))
    done, cells = [], []
    for build in builds:
        try:
            bare, rows = do_build(lab, project, build, models[build[:2]], source_key)
        except Failure as failure:
            report.rows.append(failed_row(project, version, build, failure))
            continue
        done.append((build, bare, rows))
        cells += bare + [cell for _, row in rows for cell in row]
    report.gone += judge(project, cells)
    report.rows += [row_of(project, version, build, model, bare, row) for build, bare, rows in done for model, row in rows]


def chosen(project, models, options):
    """The builds and {bits: models} of a project that the options ask for."""
    builds = [build for build in project.builds if fits(build, options.build)]
    models = {bits: [model for model in project.models or names if model in names and (not options.model or model in options.model)]
              for bits, names in models.items()}
    if options.quick:
        return builds[:1], {bits: (["nano"] if "nano" in names else names[:1]) for bits, names in models.items()}
    return builds, models


def interrupt(number, frame):
    """Of SIGTERM and SIGINT, which shells ignore in the background."""
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser(description="Builds other projects that use PadLock, and runs their tests under `incore run --check`.")
    parser.add_argument("--quick", action="store_true", help="the first build of each project on one model")
    parser.add_argument("--build", default="*", metavar="PATTERNS", help="only builds so named, such as '32-*'")
    parser.add_argument("--model", action="append", metavar="NAME", help="only on this model; repeatable")
    parser.add_argument("--records", type=pathlib.Path, default=ROOT / "lab", metavar="FOLDER", help="the projects' records; lab")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/lab", metavar="FOLDER", help="where all is kept; build/lab")
    parser.add_argument("--incore", type=pathlib.Path, default=ROOT / "build/native/incore", metavar="FILE", help="build/native/incore")
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help="all if none is named")
    options = parser.parse_args()
    if not options.incore.is_file():
        print(f"lab: {options.incore} does not exist; run `make build`", file=sys.stderr)
        return 2
    out, begin = options.out.resolve(), time.monotonic()

    def progress(text):
        if sys.stderr.isatty():
            print(f"\r\033[K{time.monotonic() - begin:5.0f} s  {text}", end="", file=sys.stderr, flush=True)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    report = Report(out)
    try:
        models = read_models(options.incore)
        unknown = [model for model in options.model or [] if model not in models["32"]]
        if unknown:
            raise Mistake(f"no model '{unknown[0]}'; there are: {' '.join(models['32'])}")
        projects = read_records(options.records.resolve(), options.projects)
        lab = Lab(options.incore.resolve(), out, progress)
        for project in projects:
            first = len(report.rows)
            do_project(lab, report, project, *chosen(project, models, options))
            report.write()
            progress("")
            print(*map(Report.line, report.rows[first:]), sep="\n", flush=True)
    except Mistake as mistake:
        print(f"lab: {mistake}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nlab: interrupted; the next run goes on from here", file=sys.stderr)
        return 130
    print(*(f"seen no more: {entry}" for entry in report.gone), f"{out / 'lab.md'}", sep="\n")
    return 0 if report.is_as_expected() else 1


if __name__ == "__main__":
    sys.exit(main())
