#!/usr/bin/env python3
"""What one call of each PadLock instruction costs under `incore run` and its options: a guest, insn_call, measures it in itself. Plain runs
and those with options take turns; of each instruction the lowest median counts. A guest that is not there is skipped, and named.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

OPTIONS = {"plain": [], "--trace=FILE": ["--trace={file}"], "--check": ["--check={file}"],
           "--stale-key=emulate": ["--stale-key=emulate"]}
LINE = "{:<12} {:<6}" + " {:>20}" * len(OPTIONS)


def measure(command, figures):
    """The medians of one run of insn_call, by instruction."""
    result = subprocess.run([*command, "--json", str(figures)], capture_output=True, text=True, check=False)
    if not figures.is_file():
        raise SystemExit(f"insn_cost: failed: {' '.join(command)}\n{result.stderr[-1000:]}")
    rows = json.loads(figures.read_text(encoding="utf-8"))["rows"]
    figures.unlink()
    return {row["name"]: row["median"] for row in rows}


def costs(incore, guest, runs, folder):
    """{instruction: {option: ns}}"""
    found = {}
    for _ in range(runs):
        for name, options in OPTIONS.items():
            options = [option.format(file=folder / "report") for option in options]
            for insn, ns in measure([incore, "run", *options, "--", str(guest)], folder / "figures").items():
                row = found.setdefault(insn, {})
                row[name] = min(ns, row.get(name, ns))
    return found


def main():
    parser = argparse.ArgumentParser(description="the cost of each PadLock instruction under incore run and its options")
    parser.add_argument("--incore", default="build/native/incore")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--guests", type=pathlib.Path, default=pathlib.Path("build/native/bench"), metavar="FOLDER")
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    options = parser.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for bits, guest in {"64": "insn_call", "32": "insn_call32"}.items():
            if (options.guests / guest).is_file():
                rows[bits] = costs(options.incore, options.guests / guest, options.runs, pathlib.Path(folder))
            else:
                print(f"{bits}-bit code: skipped, {options.guests / guest} is not there")
    print(LINE.format("ns per call", "bits", *OPTIONS))
    for bits, insns in rows.items():
        for insn, row in insns.items():
            print(LINE.format(insn, bits, *(f"{row[name]:.0f}" for name in OPTIONS)))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"unit": "ns", "rows": rows}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
