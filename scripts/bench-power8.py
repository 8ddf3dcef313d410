#!/usr/bin/env python3
"""How fast the kernels for POWER8 would be, by a model of its pipelines: this machine has none.

Builds the library for little- and big-endian POWER, checks published results, counts under QEMU what each kernel executes
(exactly), and lets llvm-mca say how many cycles that takes (a model). docs/power8/performance.md describes the method.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench" / "power8"))

import model  # noqa: E402
import report  # noqa: E402
import traces  # noqa: E402

# Two lengths for each kernel, whole batches of 8 and of 12 blocks. The portable ones execute so much more that short ones do.
LENGTHS = {"portable": (512, 768), "power8": (3072, 6144), "assembly": (1024, 2048)}


def build(preset):
    """Configures and builds what is run; its output is shown only if it fails."""
    for command in (["cmake", "--preset", preset],
                    ["cmake", "--build", f"build/{preset}", "--target", "power8_kernel_calls", "power8_trace"]):
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise traces.Failed(f"{' '.join(command)} failed:\n{(result.stdout + result.stderr)[-3000:]}")
    return traces.Build(ROOT / "build" / preset)


def say(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def measure(built):
    """The figures of one build."""
    modelled = model.Model(built)
    operations = {row.operation: kernels for rows, kernels in ((report.ROWS, ("power8", "portable", "assembly")),
                                                               (report.MORE_ROWS, ("power8",))) for row in rows}
    jobs = [(operation, kernel) for operation, _, kernel in built.kernels() if kernel in operations.get(operation, ())]
    kernels = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        costs = [pool.submit(modelled.per_byte, *job, *LENGTHS[job[1]]) for job in jobs]
        for (operation, kernel), cost in zip(jobs, costs):
            say(f"{built.folder.name}: {operation} {kernel}")
            found = cost.result()
            kernels.setdefault(operation, {})[kernel] = {
                "instructions_per_byte": round(found.instructions, 4),
                "model_cycles_per_byte": round(found.cycles, 4),
                "model_cycles_per_byte_of_loop": found.loop_cycles and round(found.loop_cycles, 4)}
    say("")
    return {"preset": built.folder.name, "endian": built.endian, "compiler": built.compiler, "kernels": kernels}


def main():
    parser = argparse.ArgumentParser(description="Model cycles and exact instruction counts of the kernels for POWER8.")
    parser.add_argument("--presets", default="ppc64le,ppc64", help="what to build and look at (ppc64le,ppc64); there are "
                        "ppc64le-clang and ppc64-clang too")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--show", type=pathlib.Path, metavar="FILE", help="measure nothing: print the table of these figures")
    parser.add_argument("--save", type=pathlib.Path, metavar="FILE", help="also write the figures, as JSON, to FILE")
    options = parser.parse_args()
    try:
        if options.show:
            figures = json.loads(options.show.read_text(encoding="utf-8"))
        else:
            subprocess.run([ROOT / "scripts" / "install-deps.sh", "model"], check=True)
            figures = {"unit": "model cycles per byte", "llvm_mca": model.tool_version(),
                       "real_over_model": model.REAL_OVER_MODEL,
                       "builds": [measure(build(preset)) for preset in options.presets.split(",")]}
    except (traces.Failed, subprocess.CalledProcessError, OSError, ValueError) as error:
        print(f"bench-power8: {error}", file=sys.stderr)
        return 1
    text = json.dumps(figures, indent=1) + "\n"
    if options.save:
        options.save.write_text(text, encoding="utf-8")
    sys.stdout.write(text if options.json else report.report(figures, report.read_guide(), report.read_rows(report.PEERS)))
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly when the reader of a pipe does
    sys.exit(main())
