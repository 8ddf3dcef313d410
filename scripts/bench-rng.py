#!/usr/bin/env python3
"""How fast `incore rng analyze` judges random bits, beside other programs in the same run.

All judge the same random bytes, in memory, and take turns; one that ends with an error, as ours does if it finds fault, ends
the measurement. Figures are medians of the rates, with the lowest and the highest, and the most memory that a program
had. A program that is not installed is left out, with a line that says so.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]

# For each suite the programs that do such work: name, command, and how many of the bytes it is given at most, for some take
# minutes for a megabyte. {file} is the random bytes, {words} how many words of 32 bits they are; with "<" they are its input.
PEERS = {
    "bytes": [("ent", ["ent", "-t", "{file}"], None), ("ent -b", ["ent", "-b", "-t", "{file}"], None)],
    "fips140": [("rngtest", ["rngtest", "<"], None)],
    "correlation": [],
    "repeats": [],
    "runs": [("dieharder sts_runs", ["dieharder", "-d", "101", "-g", "201", "-f", "{file}", "-t", "{words}",
                                    "-p", "1"], None)],
    "spectrum": [],
    "bitmap": [],
    "sp800-22": [],
    "sp800-90b": [("NIST ea_non_iid", ["ea_non_iid", "{file}", "8"], 1_000_000)],
    "sp800-90b-iid": [("NIST ea_iid", ["ea_iid", "{file}", "8"], 1_000_000)],
}
# Exit codes that are no failure: rngtest has 1 when a block fails, as one in 1250 does.
CODES = {"rngtest": (0, 1)}


@dataclasses.dataclass
class Program:
    suite: str
    name: str
    command: list
    file: pathlib.Path
    num_bytes: int
    rates: list = dataclasses.field(default_factory=list)
    rss: int = 0


class Failed(Exception):
    pass


def measure(program):
    """Runs |program| once: bytes a second, and its greatest resident set in bytes, which is never less than this script's."""
    start = time.perf_counter()
    reads_input = program.command[-1] == "<"
    with tempfile.TemporaryFile() as output, open(program.file if reads_input else os.devnull, "rb") as data:
        command = program.command[:-1] if reads_input else program.command
        process = subprocess.Popen(command, stdin=data, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in CODES.get(program.name.split()[0], (0,)):
            output.seek(0)
            raise Failed(f"{program.name}: exit code {process.returncode}: {output.read()[-500:].decode(errors='replace')}")
    return program.num_bytes / seconds, usage.ru_maxrss * 1024


def programs_for(suites, incore, folder, num_bytes, tools):
    """Those of |suites|: ours with each number of bytes that another program is given, and the others."""
    found, missing = [], []

    def add(suite, name, command, length):
        file = folder / f"random-{length}"
        if not file.exists():
            with open(file, "wb") as out:  # in pieces: a program's memory is counted from this one's on
                for begin in range(0, length, 1 << 16):
                    out.write(os.urandom(min(1 << 16, length - begin)))
        command = [part.format(file=file, words=length // 4) for part in command]
        found.append(Program(suite, name, command, file, length))

    for suite in suites:
        ours = [incore, "rng", "analyze", "--suites", suite, "--threads", "1", "{file}"]
        lengths = set()
        for name, command, most in PEERS[suite]:
            path = tools.get(command[0]) or shutil.which(command[0])
            if path is None:
                missing.append(f"{name}: not installed")
                continue
            length = min(num_bytes, most or num_bytes)
            lengths.add(length)
            add(suite, name, path.split() + command[1:], length)
        for length in sorted(lengths or {num_bytes}):
            add(suite, "incore", ours, length)
    return found, missing


def table(programs):
    """Rows of Markdown, ours first within a suite, with how many times faster it is."""
    rows = ["| suite | program | bytes | MB/s, median (lowest to highest) | memory | incore is faster by |",
            "|---|---|---|---|---|---|"]
    for program in programs:
        median = statistics.median(program.rates)
        times = ""
        if program.name != "incore":
            ours = next(p for p in programs if (p.name, p.suite, p.num_bytes) == ("incore", program.suite, program.num_bytes))
            times = f"{statistics.median(ours.rates) / median:.1f}"
        rows.append(f"| {program.suite} | {program.name} | {program.num_bytes:,} | {median / 1e6:.3g} ({min(program.rates) / 1e6:.3g} to "
                    f"{max(program.rates) / 1e6:.3g}) | {program.rss / 2**20:.0f} MiB | {times} |")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", default="bytes,fips140,correlation,repeats,runs,spectrum,bitmap", help="separated by commas, or all")
    parser.add_argument("--mib", type=int, default=256, help="random bytes to judge")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--incore", default=str(ROOT / "build/native/incore"))
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=COMMAND", help="where a program is that is not in PATH")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    suites = list(PEERS) if arguments.suites == "all" else arguments.suites.split(",")
    unknown = [suite for suite in suites if suite not in PEERS]
    if unknown:
        parser.error(f"unknown suite '{unknown[0]}'; accepted are: all {' '.join(PEERS)}")
    if arguments.mib < 1 or arguments.runs < 1:
        parser.error("--mib and --runs begin at 1")
    if any("=" not in tool for tool in arguments.tool):
        parser.error("--tool is NAME=COMMAND")
    if not os.access(arguments.incore, os.X_OK):
        parser.error(f"{arguments.incore}: no such program; 'make build' makes it")
    tools = dict(tool.split("=", 1) for tool in arguments.tool)
    with tempfile.TemporaryDirectory(prefix="bench-rng-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        programs, missing = programs_for(suites, arguments.incore, pathlib.Path(folder), arguments.mib << 20, tools)
        for turn in range(arguments.runs):
            for program in programs:
                if sys.stderr.isatty():
                    print(f"\r\033[Krun {turn + 1} of {arguments.runs}: {program.suite}, {program.name}", end="", file=sys.stderr, flush=True)
                rate, rss = measure(program)
                program.rates.append(rate)
                program.rss = max(program.rss, rss)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    for line in missing:
        print(f"bench-rng: {line}", file=sys.stderr)
    if arguments.json:
        print(json.dumps([{"suite": p.suite, "program": p.name, "bytes": p.num_bytes, "bytes_per_second": statistics.median(p.rates),
                           "lowest": min(p.rates), "highest": max(p.rates), "peak_rss_bytes": p.rss} for p in programs], indent=2))
    else:
        print(table(sorted(programs, key=lambda p: (suites.index(p.suite), p.name != "incore"))))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failed:
        sys.exit(f"bench-rng: {failed}")
