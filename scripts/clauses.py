#!/usr/bin/env python3
"""Says which clauses of docs/clauses/*.tsv the tests name (the format is described in docs/clauses/README.md).

A clause is covered when a comment line in tests/ reads `clause: ID`; that the test beside it really checks the clause
is for its reader to judge, but for those with a row in tests/mutations.tsv ("broken"). Clauses whose check begins with
'figure:' quote a printed number; those whose check begins with 'documentation only' need no test. An id that no file
defines, a line that cannot be read, or a clause defined twice is an error (exit 1).
"""
import argparse
import collections
import json
import pathlib
import re
import signal
import sys

COLUMNS = ["id", "source", "area", "statement", "check"]
COMMENT = re.compile(r"\s*(?://|#|\*|;|/\*)\s*clause:(.*)$")
TRAILING = re.compile(r"\S.*//\s*clause:\s*[A-Z]")
ID = re.compile(r"\s*([A-Z0-9]+(?:-[A-Z0-9]+)+)\s*(?:\*/)?\s*$")

Clause = collections.namedtuple("Clause", ["id", "system", "area", "statement", "needs_test", "is_figure"])


def read_clauses(folder, errors):
    clauses = {}
    for file in sorted(folder.glob("*.tsv")):
        lines = file.read_text(encoding="utf-8").splitlines()
        if not lines or lines[0].split("\t") != COLUMNS:
            errors.append(f"{file}:1: the header is not {' '.join(COLUMNS)}")
            continue
        for number, line in enumerate(lines[1:], 2):
            fields = line.split("\t")
            if len(fields) != len(COLUMNS):
                errors.append(f"{file}:{number}: {len(fields)} columns, not {len(COLUMNS)}")
                continue
            row = dict(zip(COLUMNS, fields))
            if row["id"] in clauses:
                errors.append(f"{file}:{number}: {row['id']} is defined twice")
            clauses[row["id"]] = Clause(row["id"], file.stem, row["area"], row["statement"],
                                        not row["check"].startswith("documentation only"),
                                        row["check"].startswith("figure:"))
    return clauses


def read_tests(folder, clauses, errors):
    """The ids that the files below |folder| name, each with the places where they do."""
    places = collections.defaultdict(list)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # a test's data, not its text
            continue
        for number, line in enumerate(text.splitlines(), 1):
            comment = COMMENT.match(line)
            if not comment:
                if TRAILING.search(line):
                    errors.append(f"{file}:{number}: a clause needs a comment line of its own: {line.strip()}")
                continue
            name = ID.match(comment.group(1))
            if not name:
                errors.append(f"{file}:{number}: not one clause id alone on its line: {line.strip()}")
            elif name.group(1) not in clauses:
                errors.append(f"{file}:{number}: no such clause: {name.group(1)}")
            else:
                places[name.group(1)].append(f"{file}:{number}")
    return places


def read_broken(file):
    """The ids in the column "clause" of the table of mistakes."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return {fields[3] for fields in (line.split("\t") for line in lines if not line.startswith("#")) if len(fields) > 3}


def counts(clauses, places, broken):
    """One row for each system and area, in the order of the files."""
    rows = {}
    for clause in clauses.values():
        row = rows.setdefault((clause.system, clause.area),
                              {"system": clause.system, "area": clause.area, "testable": 0, "named": 0,
                               "documentation_only": 0, "figures": 0, "broken": 0})
        if not clause.needs_test:
            row["documentation_only"] += 1
            continue
        row["testable"] += 1
        row["named"] += clause.id in places
        row["figures"] += clause.is_figure
        row["broken"] += clause.id in broken
    return list(rows.values())


def percent(named, testable):
    return "-" if testable == 0 else f"{100 * named / testable:.1f}"


def print_table(rows):
    line = "{:<10} {:<14} {:>9} {:>6} {:>8} {:>8} {:>7}"

    def show(system, area, own):
        testable, named, figures, broken = (sum(row[key] for row in own)
                                            for key in ("testable", "named", "figures", "broken"))
        print(line.format(system, area, testable, named, percent(named, testable), figures, broken))

    print(line.format("system", "area", "testable", "named", "percent", "figures", "broken"))
    for system in dict.fromkeys(row["system"] for row in rows):
        own = [row for row in rows if row["system"] == system]
        if any(row["named"] for row in own):
            for row in own:
                show(system, row["area"], [row])
        show(system, "all", own)
    show("total", "", rows)
    print("named: beside a test; figures: only quote a printed number; broken: a test was seen to fail "
          "(docs/clauses/README.md)")


def main():
    parser = argparse.ArgumentParser(description="Coverage of docs/clauses by the tests.")
    parser.add_argument("--missing", metavar="AREA", help="list the clauses of AREA (such as ace, or power8/gcm, or "
                        "padlock for a whole file) that no test names")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1],
                        help="the tree to read (this one)")
    options = parser.parse_args()

    errors = []
    clauses = read_clauses(options.root / "docs" / "clauses", errors)
    places = read_tests(options.root / "tests", clauses, errors)
    if not clauses:
        errors.append(f"{options.root}/docs/clauses: no clauses")

    if options.missing:
        def chosen(clause):
            return options.missing in (clause.area, clause.system, f"{clause.system}/{clause.area}")
        if not any(chosen(clause) for clause in clauses.values()):
            areas = sorted({f"{clause.system}/{clause.area}" for clause in clauses.values()})
            print(f"clauses: no area '{options.missing}'; there are {' '.join(areas)}", file=sys.stderr)
            return 2
        missing = [clause for clause in clauses.values()
                   if chosen(clause) and clause.needs_test and clause.id not in places]
        if options.json:
            print(json.dumps([{"id": clause.id, "statement": clause.statement} for clause in missing], indent=1))
        else:
            for clause in missing:
                print(f"{clause.id}  {clause.statement}")
    else:
        rows = counts(clauses, places, read_broken(options.root / "tests" / "mutations.tsv"))
        if options.json:
            print(json.dumps({"areas": rows, "named": {name: places[name] for name in sorted(places)},
                              "errors": errors}, indent=1))
        else:
            print_table(rows)
    for error in errors:
        print(f"clauses: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly when the reader of a pipe does
    sys.exit(main())
