#!/usr/bin/env python3
"""Boots Debian's own Linux kernels under `incore boot` on models of processors, and has the guest try the kernel's PadLock drivers: do
they load, or refuse where the model lacks the unit; do the kernel's self-tests pass; do AF_ALG and /dev/hwrng give what they should; is
there a message that a chip would not bring. tests/machine/linux has the kernels, the models, the guest's checks and the messages.

The kernels come by apt, and stay below build/boot-linux with what each boot printed. Exit 1 if a boot shows a fault.

usage: boot-linux.py [--kernel NAME] [--model NAME] [--requests N]      such as: boot-linux.py --kernel trixie --model nano
"""
import argparse
import base64
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import debian_kernels
from debian_kernels import Failure, Kernel, Mistake, read_table
from initramfs import Initramfs

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRIVERS = {  # and the instructions that each must have executed
    "via-rng": ["xstore"],
    "padlock-aes": ["xcrypt-ecb", "xcrypt-cbc"],
    "padlock-sha": ["xsha1", "xsha256"],
}
# Beside them, what the guest loads, and what the kernel loads itself where it is not built in.
MODULES = [*DRIVERS, "af_alg", "algif_skcipher", "algif_hash", "ecb", "cbc", "aes_generic", "sha1_generic", "sha256_generic"]
COMPILERS = {64: "gcc", 32: "i686-linux-gnu-gcc"}
CHECKS = ["1-drivers", "2-self-tests", "3-af-alg", "4-hwrng", "5-programs"]
COLUMNS = "{:24} {:9} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>12}"
HEAD = ("kernel", "model", "drivers", "self-tests", "AF_ALG", "hwrng", "programs", "messages", "seconds", "instructions")
WARNING = 4  # a kernel message's level; smaller ones are worse


@dataclasses.dataclass
class Model:
    """A line of models.tsv."""
    name: str
    kernels: str
    drivers: str
    programs: str

    def boots(self, kernel):
        return str(kernel.bits) in self.kernels.split()

    def loads(self, kernel):
        """Whether each driver loads under |kernel|."""
        return {driver: driver in self.drivers.split() and f"{driver}:{self.name}" not in kernel.refused.split() for driver in DRIVERS}


@dataclasses.dataclass
class Allowed:
    """A line of messages.tsv."""
    pattern: str
    reason: str


def chosen(what, rows, names):
    for name in names or []:
        if name not in rows:
            raise Mistake(f"no {what} '{name}'; there are: {' '.join(rows)}")
    return [rows[name] for name in names or rows]


class Guest:
    """What a kernel boots: its image and an initramfs with busybox, modules and checks."""

    def __init__(self, kernel, source, folder, programs):
        self.kernel, self.source, self.folder, self.programs = kernel, source, folder, programs
        self.version = (folder / "version").read_text()
        self.initrd = folder / "initrd.gz"

    def compile(self, source, program):
        debian_kernels.run([COMPILERS[self.kernel.bits], "-O2", "-static", "-s", "-pthread", "-o", program, source])

    def make_initrd(self):
        initramfs = Initramfs(self.folder, self.folder / "root", self.source / "init")
        initramfs.add_modules(MODULES)
        root = initramfs.root
        shutil.copytree(self.source / "checks", root / "checks")
        self.compile(self.source / "af_alg.c", root / "af_alg")
        (root / "programs").mkdir()
        for program in self.programs:
            self.compile(ROOT / "tests/guest" / f"{program}.c", root / "programs" / program)
        initramfs.pack(self.initrd)


@dataclasses.dataclass
class Boot:
    """What one boot showed: a cell for each column, and the faults."""
    kernel: str
    model: str
    cells: dict
    faults: list
    folder: pathlib.Path

    def row(self):
        return COLUMNS.format(self.kernel, self.model, *(self.cells.get(name, "-") for name in HEAD[2:]))


def start(command, folder, minutes):
    """Runs |command|; its exit code, or None if it had to be ended. What it prints goes to files."""
    with (folder / "console").open("w", encoding="utf-8") as out, (folder / "errors").open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, start_new_session=True)
        try:
            return process.wait(minutes * 60)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def read_console(folder):
    """{check: (passed, text)}, and {name: content} of the files that the guest sent, which are written beside the console."""
    lines = (folder / "console").read_text(encoding="utf-8", errors="replace").splitlines()
    found = [re.fullmatch(r".*?boot-linux (check|file) (\S+) (.*)", line) for line in lines]
    checks, files = {}, {}
    for kind, name, text in (match.groups() for match in found if match):
        if kind == "check":
            result, _, said = text.partition(" ")
            checks[name] = (result == "passed", said)
        else:
            files[name] = files.get(name, "") + text
    files = {name: base64.b64decode(text) for name, text in files.items()}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return checks, files


def unexpected_messages(raw, allowed):
    """The kernel's messages of the level warning and worse that no pattern fits."""
    found = []
    for line in raw.decode(errors="replace").splitlines():
        match = re.fullmatch(r"<(\d+)>\[[ \d.]+\] (.*)", line)
        if match and int(match[1]) % 8 <= WARNING and not any(re.search(entry.pattern, match[2]) for entry in allowed.values()):
            found.append(match[2])
    return found


def judge_random(incore, file):
    """What `incore rng` finds wrong with the bytes, or nothing."""
    for command in ("health", "analyze"):
        result = subprocess.run([incore, "rng", command, file], capture_output=True, text=True, check=False)
        if result.returncode:
            said = (result.stderr or result.stdout).strip().splitlines() or [""]
            return f"incore rng {command} {file}: {said[-1]}"
    return None


class Lab:
    def __init__(self, options, allowed):
        self.options, self.allowed, self.begin = options, allowed, time.monotonic()

    def progress(self, text):
        if sys.stderr.isatty():
            print(f"\r\033[K{time.monotonic() - self.begin:5.0f} s  {text}" if text else "\r\033[K", end="", file=sys.stderr, flush=True)

    def guest(self, kernel, programs):
        folder = self.options.out / "kernels" / kernel.name
        if not (folder / "version").is_file():
            self.progress(f"fetch {kernel.name}")
            debian_kernels.fetch(kernel, folder)
        self.progress(f"make an initramfs for {kernel.name}")
        guest = Guest(kernel, self.options.source, folder, programs)
        guest.make_initrd()
        return guest

    def boot(self, guest, model):
        folder = self.options.out / guest.kernel.name / model.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.progress(f"boot {guest.version} on {model.name}")
        loads = model.loads(guest.kernel)
        settings = {"loads": ",".join(driver for driver in DRIVERS if loads[driver]), "requests": self.options.requests,
                    "refuses": ",".join(driver for driver in DRIVERS if not loads[driver]), "bytes": self.options.bytes, "programs": model.programs.replace(" ", ",")}
        begin = time.monotonic()
        code = start([self.options.incore, "boot", "--cpu", model.name, "--kernel", guest.folder / "vmlinuz", "--initrd", guest.initrd,
                      f"--stats={folder / 'stats.json'}", "--append", " ".join(["console=ttyS0 panic=-1", *(f"{name}={value}" for name, value in settings.items())])],
                     folder, self.options.minutes)
        boot = Boot(guest.version, model.name, {"seconds": f"{time.monotonic() - begin:.0f}"}, [], folder)
        self.judge(boot, code, loads)
        return boot

    def judge(self, boot, code, loads):
        checks, files = read_console(boot.folder)
        if code != 0:
            how = f"was ended after {self.options.minutes} minutes" if code is None else f"ended with {code}"
            said = (boot.folder / "errors").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            boot.faults.append(f"incore boot {how}" + (f": {said[-1]}" if said else ""))
        for column, check in zip(HEAD[2:], CHECKS):
            passed, said = checks.get(check, (False, "the guest did not come so far"))
            count = re.search(r"\d[\d ]*", said)
            boot.cells[column] = (count[0].strip() if count else "ok") if passed else "FAILED"
            if not passed:
                boot.faults.append(f"{check}: {said}")
        boot.cells["drivers"] = f"{sum(loads.values())} of {len(loads)}" if checks.get("1-drivers", (False,))[0] else "FAILED"
        self.judge_files(boot, files, loads)
        self.judge_counts(boot, loads)

    def judge_files(self, boot, files, loads):
        if loads["via-rng"]:
            wrong = judge_random(self.options.incore, boot.folder / "random") if len(files.get("random", "")) == self.options.bytes else "not all bytes came"
            if wrong:
                boot.cells["hwrng"] = "FAILED"
                boot.faults.append(f"hwrng: {wrong}")
        if "messages" in files:
            unexpected = unexpected_messages(files["messages"], self.allowed)
            boot.cells["messages"] = "FAILED" if unexpected else "ok"
            boot.faults += [f"message: {line}" for line in unexpected]

    @staticmethod
    def judge_counts(boot, loads):
        file = boot.folder / "stats.json"
        counts = json.loads(file.read_text())["instructions"] if file.is_file() else {}
        calls = {name: count["calls"] for name, count in counts.items()}
        boot.cells["instructions"] = str(sum(calls.values()))
        for driver, instructions in DRIVERS.items():
            boot.faults += [f"{driver} executed no {name}" for name in instructions if loads[driver] and not calls.get(name)]


def interrupt(number, frame):
    """Of SIGTERM and SIGINT, which shells ignore in the background."""
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser(description="Boots Debian's kernels under `incore boot` and tries their PadLock drivers.")
    parser.add_argument("--kernel", action="append", metavar="NAME", help="only this kernel; repeatable")
    parser.add_argument("--model", action="append", metavar="NAME", help="only on this model; repeatable")
    parser.add_argument("--requests", type=int, default=10000, metavar="N", help="random requests by AF_ALG to each algorithm; 10000")
    parser.add_argument("--bytes", type=int, default=16384, metavar="N",
                        help="read so many of /dev/hwrng, a multiple of 256; 16384, of which all tests of random bits can judge")
    parser.add_argument("--minutes", type=float, default=30, metavar="N", help="end a boot that takes longer; 30")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT / "tests/machine/linux", metavar="FOLDER", help="tests/machine/linux")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/boot-linux", metavar="FOLDER", help="build/boot-linux")
    parser.add_argument("--incore", type=pathlib.Path, default=ROOT / "build/native/incore", metavar="FILE", help="build/native/incore")
    options = parser.parse_args()
    options.out, options.source = options.out.resolve(), options.source.resolve()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    try:
        kernels = chosen("kernel", read_table(options.source / "kernels.tsv", Kernel), options.kernel)
        models = chosen("model", read_table(options.source / "models.tsv", Model), options.model)
        lab = Lab(options, read_table(options.source / "messages.tsv", Allowed))
        if not options.incore.is_file():
            raise Mistake(f"{options.incore} does not exist; run `make build`")
        pairs = [(kernel, [model for model in models if model.boots(kernel)]) for kernel in kernels]
        if not any(models for _, models in pairs):
            raise Mistake(f"none of these models boots a kernel of {' or '.join(sorted({str(kernel.bits) for kernel in kernels}))} bits")
        boots = []
        for kernel, models in pairs:
            guest = lab.guest(kernel, sorted({program for model in models for program in model.programs.split()})) if models else None
            for model in models:
                boots.append(lab.boot(guest, model))
                lab.progress("")
                print(*([COLUMNS.format(*HEAD)] if len(boots) == 1 else []), boots[-1].row(), sep="\n", flush=True)
    except Mistake as mistake:
        print(f"boot-linux: {mistake}", file=sys.stderr)
        return 2
    except Failure as failure:
        print(f"boot-linux: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nboot-linux: interrupted", file=sys.stderr)
        return 130
    for boot in boots:
        print(*(f"{boot.kernel}, {boot.model}: {fault}; see {boot.folder}" for fault in boot.faults), sep="\n", end="\n" if boot.faults else "")
    return 1 if any(boot.faults for boot in boots) else 0


if __name__ == "__main__":
    sys.exit(main())
