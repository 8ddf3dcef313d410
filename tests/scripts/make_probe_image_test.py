"""scripts/make-probe-image.py without a boot: what it refuses, the partition table, and that it leaves no half-made image. What boots is
for `make probe-image-test`."""
import importlib.util
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "scripts/make-probe-image.py"
sys.path.insert(0, str(SCRIPT.parent))
SPEC = importlib.util.spec_from_file_location("make_probe_image", SCRIPT)
IMAGE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(IMAGE)


class MakeProbeImage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_missing_programs_are_named_before_anything_is_done(self):
        result = subprocess.run([sys.executable, SCRIPT, "--test", "--out", self.folder / "out"], capture_output=True, text=True, check=False,
                                env=dict(os.environ, PATH=str(self.folder)))
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"^make-probe-image: these packages of Debian are missing: .*mtools qemu-system-x86 syslinux\n$")
        self.assertFalse((self.folder / "out").exists())

    def test_a_missing_incore_is_told(self):
        with mock.patch.object(IMAGE, "check_programs"), mock.patch.object(sys, "argv", ["x", "--incore", "/nowhere/incore", "--out", str(self.folder)]), \
                mock.patch.dict(os.environ), mock.patch("sys.stderr") as said:
            self.assertEqual(IMAGE.main(), 2)
        self.assertIn("/nowhere/incore does not exist; run `make build`", "".join(call.args[0] for call in said.write.call_args_list))

    def test_the_first_sector_has_one_active_partition(self):
        record = IMAGE.boot_record(b"code" * 110)
        self.assertEqual((len(record), record[:440], record[-2:]), (512, b"code" * 110, b"\x55\xAA"))
        state, _, kind, _, first, sectors = struct.unpack("<B3sB3sII", record[446:462])
        self.assertEqual((state, kind, first, sectors), (0x80, 0x0E, IMAGE.FIRST_SECTOR, IMAGE.SECTORS))
        self.assertEqual(record[462:510], bytes(48))

    def test_sectors_as_bioses_count_them(self):
        for sector, bytes_of_it in ((0, [0, 1, 0]), (62, [0, 63, 0]), (63, [1, 1, 0]), (255 * 63, [0, 1, 1]), (300 * 255 * 63, [0, 0x41, 44]),
                                    (1024 * 255 * 63, [254, 0xFF, 0xFF])):
            self.assertEqual(list(IMAGE.chs(sector)), bytes_of_it, sector)

    def test_no_half_made_image_is_left(self):
        code = self.folder / "mbr.bin"
        code.write_bytes(b"code")
        image = self.folder / "incore-probe.img"
        for broken in ("mkfs.fat", "syslinux", "mcopy"):
            image.write_text("an earlier one")

            def run(command, broken=broken):
                if command[0] == broken:
                    raise IMAGE.Failure(broken)

            with mock.patch.object(IMAGE, "BOOT_CODE", code), mock.patch.object(IMAGE, "run", run), self.assertRaisesRegex(IMAGE.Failure, broken):
                IMAGE.make_image(types.SimpleNamespace(out=self.folder), self.folder, self.folder / "initrd.gz")
            self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["incore-probe.img", "mbr.bin"])
            self.assertEqual(image.read_text(), "an earlier one")

    def test_the_first_process_is_a_shell_script_that_names_the_settings_it_gets(self):
        init = IMAGE.SOURCE / "init"
        subprocess.run(["sh", "-n", init], check=True)
        script = init.read_text(encoding="utf-8")
        for name in ("label", "number", "modules", "models"):
            self.assertRegex(script, rf"\${name}\b")
        self.assertEqual(re.findall(r"/dev/sd|dd |wrmsr|--write-msrs", script), [])


if __name__ == "__main__":
    unittest.main()
