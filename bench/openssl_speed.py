#!/usr/bin/env python3
"""`openssl speed` on the PadLock engine under `incore run`, beside OpenSSL's software on this CPU and the real
1.2 GHz Nehemiah of the Linux Journal article's Table 1 (clauses LJ-016 and LJ-018). Wall-clock rates: median of the
runs, with the lowest and the highest. The software and the engine take turns, so that a slow moment hits both.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

SIZES = [16, 64, 256, 1024, 8192]
NEHEMIAH_CLAUSE = {"ecb": "LJ-016", "cbc": "LJ-018"}  # kB/s for SIZES
CLAUSES = pathlib.Path(__file__).parents[1] / "docs" / "clauses" / "padlock.tsv"


def nehemiah(mode):
    """The article's rates in MB/s by size."""
    for line in CLAUSES.read_text(encoding="utf-8").splitlines():
        if line.startswith(NEHEMIAH_CLAUSE[mode] + "\t"):
            figures = line.split("\t")[3].rsplit("bytes:", 1)[1]
            rates = [float(figure) / 1000 for figure in re.findall(r"[0-9]+\.[0-9]+", figures)]
            return dict(zip(SIZES, rates, strict=True))
    raise SystemExit(f"openssl_speed: no clause {NEHEMIAH_CLAUSE[mode]} in {CLAUSES}")


def rate(command, size, seconds):
    """The MB/s that one `openssl speed` reports."""
    command = [*command, "-elapsed", "-seconds", str(seconds), "-bytes", str(size), "-mr"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    figures = re.findall(r"^\+F:.*:([0-9.]+)$", result.stdout, re.MULTILINE)
    if result.returncode != 0 or len(figures) != 1:
        raise SystemExit(f"openssl_speed: failed: {' '.join(command)}\n{result.stderr[-1000:]}")
    return float(figures[0]) / 1e6


def measure(incore, mode, size, runs, seconds):
    speed = ["openssl", "speed", "-evp", f"aes-128-{mode}"]
    engine = [incore, "run", "--require", f"xcrypt-{mode}", "--", *speed, "-engine", "padlock"]
    rates = {"engine": [], "software": []}
    for _ in range(runs):
        rates["engine"].append(rate(engine, size, seconds))
        rates["software"].append(rate(speed, size, seconds))
    return {name: {"median": statistics.median(values), "lowest": min(values), "highest": max(values)}
            for name, values in rates.items()}


def shown(figures):
    return f"{figures['median']:.1f} ({figures['lowest']:.1f} to {figures['highest']:.1f})"


def main():
    parser = argparse.ArgumentParser(description="openssl speed: PadLock engine under incore run, software, Nehemiah")
    parser.add_argument("--incore", default="build/native/incore")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=1, help="of each run")
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    options = parser.parse_args()

    rows = []
    for mode in NEHEMIAH_CLAUSE:
        real = nehemiah(mode)
        print(f"aes-128-{mode}, MB/s: median (lowest to highest) of {options.runs} runs")
        line = "{:>6}  {:>28}  {:>28}  {:>10}  {:>12}  {:>12}"
        print(line.format("bytes", "PadLock under incore run", "software, this CPU", "Nehemiah", "run/Nehemiah",
                          "run/software"))
        for size in SIZES:
            figures = measure(options.incore, mode, size, options.runs, options.seconds)
            engine, software = figures["engine"]["median"], figures["software"]["median"]
            rows.append({"mode": mode, "bytes": size, **figures, "nehemiah": real[size]})
            print(line.format(size, shown(figures["engine"]), shown(figures["software"]), f"{real[size]:.1f}",
                              f"{engine / real[size]:.2f}", f"{engine / software:.3f}"), flush=True)
        print()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"unit": "MB/s", "rows": rows}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
