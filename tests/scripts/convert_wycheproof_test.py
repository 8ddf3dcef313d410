"""scripts/convert-wycheproof.py must lose no case and no field, and refuse files that it does not know."""
import copy
import importlib.util
import json
import pathlib
import tempfile
import unittest

PATH = pathlib.Path(__file__).parents[2] / "scripts" / "convert-wycheproof.py"
SPEC = importlib.util.spec_from_file_location("convert_wycheproof", PATH)
SCRIPT = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(SCRIPT)

CASE = {"tcId": 7, "comment": "", "flags": [], "key": "00", "msg": "", "tag": "aabb", "result": "valid"}
DATA = {"numberOfTests": 2,
        "testGroups": [{"type": "MacTest", "keySize": 8, "tests": [CASE, dict(CASE, tcId=8, result="invalid")]}]}


class ConvertWycheproof(unittest.TestCase):
    def convert(self, data, name="aes_cmac"):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, f"{name}_test.json").write_text(json.dumps(data), encoding="utf-8")
            return SCRIPT.convert(folder, name)

    def test_a_case_is_a_block_of_fields(self):
        text, num_cases = self.convert(DATA)
        self.assertEqual(num_cases, 2)
        self.assertTrue(text.endswith("\nId = 7\nKey = 00\nMsg =\nTag = aabb\nResult = valid\n\n"
                                      "Id = 8\nKey = 00\nMsg =\nTag = aabb\nResult = invalid\n"), text)
        head = text.split("\n\n")[0]
        self.assertIn("aes_cmac_test.json of Wycheproof", head)
        self.assertIn("Apache License 2.0", head)

    def test_an_unknown_field_is_an_error(self):
        for where in ("case", "group"):
            data = copy.deepcopy(DATA)
            target = data["testGroups"][0] if where == "group" else data["testGroups"][0]["tests"][1]
            target["nonce"] = "00"
            with self.assertRaises(SystemExit) as error:
                self.convert(data)
            self.assertIn("nonce", str(error.exception))

    def test_a_missing_case_is_an_error(self):
        with self.assertRaises(SystemExit):
            self.convert(dict(DATA, numberOfTests=3))


if __name__ == "__main__":
    unittest.main()
