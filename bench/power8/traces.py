"""Runs power8_kernel_calls under QEMU with the trace plugin: what one call of a kernel executes.

Used by scripts/bench-power8.py and by tests in tests/power8. A build folder is that of a preset such as build/ppc64le.
"""
import array
import collections
import pathlib
import re
import subprocess
import tempfile

# One pass between the marks: a count, and hashes of the addresses of code and data.
Pass = collections.namedtuple("Pass", ["instructions", "code", "data"])


class Failed(Exception):
    """A program failed; the text says which and how."""


def output_of(command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise Failed(f"exit code {result.returncode}: {' '.join(map(str, command))}\n{result.stderr.strip()[-2000:]}")
    return result.stdout


class Build:
    """A built tree: its kernels, compiler and machine."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.program = self.folder / "bench" / "power8" / "power8_kernel_calls"
        self.plugin = self.folder / "bench" / "power8" / "libpower8_trace.so"
        cache = (self.folder / "CMakeCache.txt").read_text(encoding="utf-8")
        setting, self.build_type = (re.search(rf"^{name}:\w+=(.*)$", cache, re.M).group(1)
                                    for name in ("CMAKE_CXX_COMPILER", "CMAKE_BUILD_TYPE"))
        header = self.program.read_bytes()[:64]
        self.endian = "LE" if header[5] == 1 else "BE"
        self.emulator = ["qemu-ppc64le" if self.endian == "LE" else "qemu-ppc64", "-cpu", "power8"]
        # "gcc 12.2.0": what the compiler calls itself, and its version.
        defines = output_of([setting, "-dM", "-E", "-x", "c++", "/dev/null"])
        numbers = dict(re.findall(r"^#define __(\w+)__ (\d+)$", defines, re.M))
        names = ("clang", "clang_major", "clang_minor", "clang_patchlevel") if "clang" in numbers else \
            ("gcc", "GNUC", "GNUC_MINOR", "GNUC_PATCHLEVEL")
        self.compiler = f"{names[0]} {'.'.join(numbers[name] for name in names[1:])}"

    def kernels(self):
        """[(operation, unit of its lengths, kernel)], the best kernel of an operation first."""
        lines = output_of([*self.emulator, self.program]).splitlines()
        return [(operation, int(unit), kernel) for operation, unit, kernel in map(str.split, lines)]

    def passes(self, operation, kernel, length, inputs=1, trace=None):
        """A Pass for each of |inputs| calls with other keys and data; |trace| is a file for the executed addresses."""
        with tempfile.NamedTemporaryFile("r", prefix="power8-counts-") as counts:
            plugin = f"{self.plugin},counts={counts.name}" + (f",trace={trace}" if trace else "")
            output_of([*self.emulator, "-plugin", plugin, self.program, operation, kernel, length, inputs])
            rows = [line.split() for line in counts.read().splitlines()]
        if len(rows) != inputs:
            raise Failed(f"{operation} {kernel}: {len(rows)} passes instead of {inputs}")
        return [Pass(int(count), code, data) for count, code, data in rows]

    def addresses(self, operation, kernel, length):
        """The addresses of all instructions that one call executes, in order."""
        with tempfile.NamedTemporaryFile("rb", prefix="power8-trace-") as file:
            count = self.passes(operation, kernel, length, trace=file.name)[0].instructions
            addresses = array.array("Q", file.read())
        if len(addresses) != count:
            raise Failed(f"{operation} {kernel}: {len(addresses)} addresses of {count} instructions")
        return addresses
