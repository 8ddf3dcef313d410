#!/usr/bin/env python3
"""Makes build/probe-image/incore-probe.img, a disk for a machine with a VIA or Zhaoxin processor, such as a USB stick: it boots Debian's
Linux for 32 bits, runs the program of `incore probe`, and puts the document on the stick. tools/probe/image has its first process.

The kernel comes by apt and stays below build/probe-image. The same kernel and program give the same bytes.

--test boots a copy without and with a PadLock: in QEMU by its own boot sector, from USB, and under `incore boot` on the model esther,
where `incore probe --compare` must find no difference. Exit 1 if anything fails.

usage: make-probe-image.py [--test]
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

import debian_kernels
from debian_kernels import Failure, Kernel, Mistake, run
from initramfs import Initramfs

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "tools/probe/image"
KERNEL = "bookworm-686"
MODULE_FOLDERS = ["drivers/usb", "drivers/ata", "drivers/scsi", "drivers/hid", "drivers/input", "fs", "block"]
MODULES = ["msr", "ehci-pci", "uhci-hcd", "ohci-pci", "xhci-pci", "usb-storage", "uas", "ahci", "pata_via", "sata_via", "ata_piix", "ata_generic",
           "sd_mod", "vfat", "nls_cp437", "nls_ascii", "nls_iso8859-1", "nls_utf8", "i8042", "atkbd", "usbhid", "hid-generic"]
LABEL, NUMBER = "INCOREPROBE", 0x1C0E9A0B  # of the file system: by them it is found again
SECTOR, FIRST_SECTOR, SECTORS = 512, 2048, 96 << 11
HEADS, TRACK = 255, 63  # how BIOSes see disks
TIME = 315532800  # of all files: 1980, where FAT begins
MOST_EXPERIMENTS = 250
BOOT_CODE = pathlib.Path("/usr/lib/SYSLINUX/mbr.bin")
PACKAGES = {"syslinux": "syslinux", BOOT_CODE: "syslinux", "mcopy": "mtools", "mkfs.fat": "dosfstools", "cpio": "cpio", "depmod": "kmod"}
EMULATOR = {"qemu-system-x86_64": "qemu-system-x86"}


def check_programs(packages):
    missing = sorted({package for name, package in packages.items() if not shutil.which(name) and not pathlib.Path(name).is_file()})
    if missing:
        raise Mistake(f"these packages of Debian are missing: {' '.join(missing)}")


def chs(sector):
    """Cylinder, head and sector as a partition table has them; what is too far stands as the last."""
    cylinder, rest = divmod(sector, HEADS * TRACK)
    head, number = (rest // TRACK, rest % TRACK + 1) if cylinder < 1024 else (HEADS - 1, TRACK)
    cylinder = min(cylinder, 1023)
    return bytes([head, number | cylinder >> 2 & 0xC0, cylinder & 0xFF])


def boot_record(code):
    """The first sector: |code|, and one active partition."""
    fat16 = 0x0E
    entry = b"\x80" + chs(FIRST_SECTOR) + bytes([fat16]) + chs(FIRST_SECTOR + SECTORS - 1) + struct.pack("<II", FIRST_SECTOR, SECTORS)
    return code[:440].ljust(440, b"\0") + struct.pack("<IH", NUMBER, 0) + entry + bytes(48) + b"\x55\xAA"


def make_initrd(options, kernel, file):
    initramfs = Initramfs(kernel, options.out / "root", SOURCE / "init")
    if lacking := initramfs.add_modules(MODULES):
        raise Failure(f"this kernel lacks modules: {' '.join(sorted(lacking))}")
    program = initramfs.root / "bin/incore-probe"
    run([options.incore, "probe", "--program", program])
    program.chmod(0o755)
    models = re.findall(r"^X\((?!host)(\w+)\)", (ROOT / "src/padlock/models.def").read_text(), re.MULTILINE)
    (initramfs.root / "settings").write_text(f"label={LABEL} number={NUMBER >> 16:04X}-{NUMBER & 0xFFFF:04X}\n"
                                             f"modules='{' '.join(MODULES)}'\nmodels='{' '.join(models)}'\n")
    initramfs.pack(file, TIME)


def make_image(options, kernel, initrd):
    image = options.out / "incore-probe.img"
    part = image.with_suffix(".part")
    try:
        with part.open("wb") as file:
            file.write(boot_record(BOOT_CODE.read_bytes()))
            file.truncate((FIRST_SECTOR + SECTORS) * SECTOR)
        run(["mkfs.fat", "--invariant", "-F", "16", "-n", LABEL, "-i", f"{NUMBER:08x}", "-g", f"{HEADS}/{TRACK}", "-h", str(FIRST_SECTOR),
             f"--offset={FIRST_SECTOR}", part, str(SECTORS // 2)])
        run(["syslinux", "--install", "--offset", str(FIRST_SECTOR * SECTOR), part])
        run(["mcopy", "-i", in_image(part), kernel / "vmlinuz", initrd, SOURCE / "syslinux.cfg", "::/"])
        part.replace(image)
    finally:
        part.unlink(missing_ok=True)
    return image


def in_image(image):
    """How mtools name the file system."""
    return f"{image}@@{FIRST_SECTOR * SECTOR}"


class Test:
    """The image on an emulated USB stick and on a disk, beside a disk that must stay as it is."""

    def __init__(self, options, image, kernel, initrd):
        self.options, self.kernel, self.initrd = options, kernel, initrd
        self.folder = options.out / "test"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.image, self.other = self.folder / "stick.img", self.folder / "other.img"
        shutil.copyfile(image, self.image)
        run(["mkfs.fat", "-C", "-n", "OTHER", self.other, "8192"])
        self.other_was = self.other.read_bytes()

    def files(self):
        """{name: content} of what a boot wrote."""
        names = [line.strip().removeprefix("::/") for line in run(["mdir", "-b", "-i", in_image(self.image), "::/"]).splitlines()]
        for name in names:
            run(["mcopy", "-n", "-o", "-i", in_image(self.image), f"::/{name}", self.folder / name])
        return {name: (self.folder / name).read_bytes() for name in names if name.upper().startswith(("PROBE", "NO-"))}

    def boot(self, name, command, *needed):
        """Runs |command|, which must end by itself; its console must have the lines |needed|."""
        with (self.folder / name).open("wb") as console:
            code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT, check=False,
                                  timeout=60 * self.options.minutes).returncode
        said = (self.folder / name).read_text(errors="replace")
        for line in needed:
            self.expect(line in said, f"the console does not say '{line}'; see {self.folder / name}")
        self.expect("Unknown symbol" not in said, f"a module lacks another; see {self.folder / name}")
        self.expect(code == 0, f"'{command[0]}' ended with {code}; see {self.folder / name}")
        self.expect(self.other.read_bytes() == self.other_was, "another disk was written")
        return self.files()

    @staticmethod
    def expect(holds, what):
        if not holds:
            raise Failure(what)

    def without_padlock(self):
        found = self.boot("console-qemu", ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "qemu32", "-m", "256", "-display", "none", "-serial", "stdio",
                                           "-no-reboot", "-nic", "none", "-device", "usb-ehci", "-drive", f"if=none,id=stick,format=raw,file={self.image}",
                                           "-device", "usb-storage,drive=stick,bootindex=1", "-drive", f"format=raw,file={self.other}"],
                          "has no PadLock", "PLK-ACE-057 EAX after CBC", "PROBE.JSON is on the stick")
        self.expect(set(found) == {"PROBE.JSON", "NO-PADLOCK.TXT"}, f"the stick has {sorted(found)}")
        self.expect(b"has no PadLock" in found["NO-PADLOCK.TXT"], "NO-PADLOCK.TXT does not say so")
        return found

    def with_padlock(self, before):
        append = [line.partition("APPEND")[2].strip() for line in (SOURCE / "syslinux.cfg").read_text().splitlines() if "APPEND" in line][0]
        # INCORE_RUN: MSRs are those of QEMU, and each XCRYPT loads its key (docs/machine.md).
        found = self.boot("console-esther", [self.options.incore, "boot", "--cpu", "esther", "--disk", self.image, "--kernel", self.kernel / "vmlinuz",
                                             "--initrd", self.initrd, "--append", f"{append} INCORE_RUN=1 wait=1",
                                             "--", "-drive", f"format=raw,file={self.other}"],
                          "has the PadLock units rng ace ace2 phe pmm\n", "PROBE-2.JSON is on the stick")
        self.expect(set(found) == set(before) | {"PROBE-2.JSON"}, f"the stick has {sorted(found)}")
        self.expect(all(found[name] == content for name, content in before.items()), "an earlier file was changed")
        self.compare(self.folder / "PROBE-2.JSON")

    def compare(self, document):
        command = [self.options.incore, "probe", "--compare", document, "esther"]
        print(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout, end="")
        report = json.loads(subprocess.run([*command, "--json"], stdout=subprocess.PIPE, check=False).stdout)
        # Caches, and features that QEMU has not, are in leaves of CPUID (docs/machine.md); what matters of CPUID is in experiments.
        wrong = sorted({difference["clause"] for difference in report["differences"]} - {"CPUID"})
        self.expect(not wrong, f"{document} and the model esther differ in {' '.join(wrong)}")
        self.expect(report["experiments"] > MOST_EXPERIMENTS, f"only {report['experiments']} experiments of {document} were compared")


def main():
    parser = argparse.ArgumentParser(description="Makes a bootable disk image that records what a PadLock processor does.")
    parser.add_argument("--test", action="store_true", help="boot a copy, without and with a PadLock")
    parser.add_argument("--minutes", type=float, default=30, metavar="N", help="end a boot of the test that takes longer; 30")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/probe-image", metavar="FOLDER", help="build/probe-image")
    parser.add_argument("--incore", type=pathlib.Path, default=ROOT / "build/native/incore", metavar="FILE", help="build/native/incore")
    options = parser.parse_args()
    options.out, options.incore = options.out.resolve(), options.incore.resolve()
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    os.environ["SOURCE_DATE_EPOCH"] = str(TIME)
    try:
        check_programs(PACKAGES | (EMULATOR if options.test else {}))
        if not options.incore.is_file():
            raise Mistake(f"{options.incore} does not exist; run `make build`")
        kernel = options.out / "kernel"
        if not (kernel / "version").is_file():
            debian_kernels.fetch(debian_kernels.read_table(ROOT / "tests/machine/linux/kernels.tsv", Kernel)[KERNEL], kernel, MODULE_FOLDERS)
        initrd = options.out / "initrd.gz"
        make_initrd(options, kernel, initrd)
        image = make_image(options, kernel, initrd)
        print(f"{image}: copy it to a whole USB stick, such as by: cp {image.name} /dev/sdX; and boot from that")
        if options.test:
            test = Test(options, image, kernel, initrd)
            test.with_padlock(test.without_padlock())
    except Mistake as mistake:
        print(f"make-probe-image: {mistake}", file=sys.stderr)
        return 2
    except (Failure, OSError, subprocess.TimeoutExpired) as failure:
        print(f"make-probe-image: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
