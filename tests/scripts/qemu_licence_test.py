"""scripts/qemu-licence.py must notice what QEMU contains and NOTICE does not offer, and the reverse."""
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "qemu-licence.py"
spec = importlib.util.spec_from_file_location("qemu_licence", SCRIPT)
qemu_licence = importlib.util.module_from_spec(spec)
spec.loader.exec_module(qemu_licence)

NOTICE = """Other parts:
  src/other/*

Under Apache-2.0 OR GPL-2.0-or-later:

  include/a.h
  src/b/*
  src/power8/*
"""


class QemuLicence(unittest.TestCase):
    def mistakes(self, *files):
        return list(qemu_licence.mistakes(qemu_licence.offered(NOTICE), set(files)))

    def test_what_notice_offers_may_be_there(self):
        self.assertEqual(self.mistakes("include/a.h", "src/b/c.cpp", "src/b/d/e.h"), [])

    def test_another_file_may_not(self):
        self.assertEqual(self.mistakes("include/a.h", "src/b/c.cpp", "src/other/x.cpp"),
                         ["src/other/x.cpp is in QEMU, but NOTICE does not offer it under the GPL"])

    def test_nothing_is_offered_needlessly(self):
        self.assertEqual(self.mistakes("include/a.h"), ["NOTICE offers src/b/* under the GPL, of which nothing is in QEMU"])

    def test_only_added_lines_call(self):
        self.assertEqual(qemu_licence.called(["+  incore_one(x);\n-  incore_two(x);\n   incore_three(x);\n", "+ y = incore_four(1)\n"]),
                         ["incore_four", "incore_one"])


if __name__ == "__main__":
    unittest.main()
