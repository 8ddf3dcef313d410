"""Cycles of executed instructions on the POWER8 that llvm-mca describes: its pipelines without caches, branches, page
crossings and other threads. Ranks code and finds stalls; the real figure is expected at 0.8 to 1.55 times the model's.
"""
import collections
import re

from traces import Failed, output_of

OBJDUMP, MCA = "llvm-objdump-19", "llvm-mca-19"
# From the lowest to the highest of those in peers.tsv whose author has measured them.
REAL_OVER_MODEL = (0.8, 1.55)
LOOP_ITERATIONS = 50

# |cycles| and |loop_cycles| are of the model; the latter, of a loop's body alone, should be much the same. None: not one loop.
Cost = collections.namedtuple("Cost", ["instructions", "cycles", "loop_cycles"])


def tool_version():
    return re.search(r"LLVM version (\S+)", output_of([MCA, "--version"])).group(1)


def is_branch(instruction):
    """The model has no branches; what begins with b and is none: bpermd and the decimal instructions."""
    return instruction.startswith("b") and not instruction.startswith(("bpermd", "bcd"))


class Model:
    """Models code of one Build."""

    def __init__(self, build):
        self.build = build
        self.triple = "powerpc64le-linux-gnu" if build.endian == "LE" else "powerpc64-linux-gnu"
        self.text = {}
        for line in output_of([OBJDUMP, "-d", "--no-show-raw-insn", "--mcpu=pwr8", build.program]).splitlines():
            match = re.match(r"\s*([0-9a-f]+):\s+([^<#]*)", line)
            if match:
                self.text[int(match.group(1), 16)] = match.group(2).strip()

    def cycles(self, addresses, iterations=1):
        instructions = [self.text[address] for address in addresses]
        source = "\n".join(i for i in instructions if not is_branch(i))
        said = output_of([MCA, f"-mtriple={self.triple}", "-mcpu=pwr8", f"-iterations={iterations}",
                          "-instruction-info=0", "-resource-pressure=0",
                          "-skip-unsupported-instructions=lack-sched"], input=source + "\n")
        match = re.search(r"^Total Cycles:\s+(\d+)$", said, re.M)
        if not match:
            raise Failed(f"{MCA} printed no cycles:\n{said[:1000]}")
        return int(match.group(1))

    def per_byte(self, operation, kernel, shorter, longer):
        """The Cost of each byte by which |longer| exceeds |shorter|: what calls cost beside it drops out."""
        traces = [self.build.addresses(operation, kernel, length) for length in (shorter, longer)]
        num_bytes = longer - shorter
        cycles = [self.cycles(trace) for trace in traces]
        loop = loop_of(*traces)
        loop_cycles = loop and self.cycles(loop.body, LOOP_ITERATIONS) / LOOP_ITERATIONS * loop.rounds / num_bytes
        return Cost((len(traces[1]) - len(traces[0])) / num_bytes, (cycles[1] - cycles[0]) / num_bytes, loop_cycles)


Loop = collections.namedtuple("Loop", ["body", "rounds"])


def loop_of(shorter, longer):
    """The loop whose rounds are all that the longer trace has more of, to 1 %; None if there are several loops."""
    more = len(longer) - len(shorter)
    counts = collections.Counter(longer)
    counts.subtract(collections.Counter(shorter))
    heads = {}
    for address in longer:
        heads.setdefault(counts[address], address)
    for rounds, head in sorted(heads.items()):
        places = [i for i, address in enumerate(longer) if address == head]
        if rounds <= 0 or len(places) < 4:
            continue
        begin, end = places[len(places) // 2], places[len(places) // 2 + 1]
        if abs((end - begin) * rounds - more) <= more / 100:
            return Loop(longer[begin:end], rounds)
    return None
