#!/usr/bin/env python3
"""What `incore run` costs a program beside its PadLock instructions: at its start, afterwards if it has none, and with
--check if it has. Plain and emulated runs take turns; figures are medians, with the lowest and the highest.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

# Programs without PadLock code, which time themselves so that the start is not counted: arithmetic, a library at work,
# many system calls, and many opened files.
TIMED = "import time\n{setup}\nstart = time.perf_counter()\n{work}\nprint(time.perf_counter() - start)\n"
PROGRAMS = {
    "arithmetic": ("", "sum(i * i for i in range(2_000_000))"),
    "compression": ("import zlib\ndata = b' '.join(b'%d' % (i * i) for i in range(500_000))", "zlib.compress(data, 6)"),
    "system calls": ("import os", "[os.getppid() for _ in range(500_000)]"),
    "opened files": ("import os", "[os.close(os.open('/etc/passwd', os.O_RDONLY)) for _ in range(100_000)]"),
}


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"run_cost: failed: {' '.join(command)}\n{result.stderr[-1000:]}")
    return result.stdout


def seconds(command):
    start = time.perf_counter()
    run(command)
    return time.perf_counter() - start


def in_turns(runs, measure, commands):
    """{name: {median, lowest, highest}} of measure(command)."""
    values = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            values[name].append(measure(command))
    return {name: {"median": statistics.median(v), "lowest": min(v), "highest": max(v)} for name, v in values.items()}


def shown(figures, unit):
    scale = {"s": 1, "ms": 1000}[unit]
    low, high = figures["lowest"] * scale, figures["highest"] * scale
    return f"{figures['median'] * scale:.2f} {unit} ({low:.2f} to {high:.2f})"


def main():
    parser = argparse.ArgumentParser(description="the cost of incore run beside PadLock instructions")
    parser.add_argument("--incore", default="build/native/incore")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    options = parser.parse_args()
    emulated = [options.incore, "run", "--"]
    rows = {}

    figures = in_turns(4 * options.runs, seconds, {"plain": ["/bin/true"], "run": [*emulated, "/bin/true"]})
    rows["start"] = figures
    print(f"start of /bin/true:     plain {shown(figures['plain'], 'ms')}, incore run {shown(figures['run'], 'ms')}: "
          f"{(figures['run']['median'] - figures['plain']['median']) * 1000:.1f} ms more")

    for name, (setup, work) in PROGRAMS.items():
        program = [sys.executable, "-c", TIMED.format(setup=setup, work=work)]
        figures = in_turns(options.runs, lambda c: float(run(c)), {"plain": program, "run": [*emulated, *program]})
        rows[name] = figures
        ratio = figures["run"]["median"] / figures["plain"]["median"]
        print(f"{name + ':':<23} plain {shown(figures['plain'], 's')}, incore run {shown(figures['run'], 's')}: "
              f"{(ratio - 1) * 100:+.1f} %")

    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "plain"
        plain.write_bytes(bytes(1 << 20))
        program = ["openssl", "enc", "-engine", "padlock", "-aes-128-cbc", "-K", "00" * 16, "-iv", "00" * 16,
                   "-in", str(plain), "-out", str(plain) + ".enc"]
        figures = in_turns(options.runs, seconds,
                           {"run": [*emulated, *program], "check": [options.incore, "run", "--check", "--", *program]})
        rows["check"] = figures
        ratio = figures["check"]["median"] / figures["run"]["median"]
        print(f"openssl enc of 1 MiB:   incore run {shown(figures['run'], 'ms')}, with --check "
              f"{shown(figures['check'], 'ms')}: {ratio:.1f} times")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"unit": "s", "rows": rows}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
