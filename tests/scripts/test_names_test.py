"""Suites of tests bear one kind of name: snake_case, and first the room that they test."""
import pathlib
import re
import unittest

TESTS = pathlib.Path(__file__).parents[1]
SUITE = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),")
INSTANCE = re.compile(r"\bINSTANTIATE_TEST_SUITE_P\(\s*(\w*),\s*(\w+)")
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def wrong_names(path, text):
    """What is wrong with the names in |text|, a file of tests at |path| below tests/."""
    suites = SUITE.findall(text)
    names = {*suites, *(name for pair in INSTANCE.findall(text) for name in pair if name)}
    wrong = [f"{path}: {name} is not snake_case" for name in names if not SNAKE_CASE.fullmatch(name)]
    file = path.name.removesuffix(".cpp").removesuffix("_test")
    firsts = {*path.parent.parts, file, file.split("_")[0]}
    for suite in set(suites):
        if not any(suite == first or suite.startswith(first + "_") for first in firsts):
            wrong.append(f"{path}: {suite} begins with none of {', '.join(sorted(firsts))}")
    return sorted(wrong)


class TestNames(unittest.TestCase):
    def test_every_suite_is_snake_case_and_begins_with_its_room_or_file(self):
        num_files = 0
        for path in TESTS.rglob("*.cpp"):
            text = path.read_text(encoding="utf-8")
            num_files += bool(SUITE.search(text))
            self.assertEqual(wrong_names(path.relative_to(TESTS), text), [])
        self.assertGreater(num_files, 200)

    def test_wrong_names_are_found(self):
        def wrong(text):
            return wrong_names(pathlib.PurePath("crypto/aes/residue_many_test.cpp"), text)

        for right in ("TEST(aes_many, x) {", "TEST_F(crypto, x) {", "TEST_P(residue_9, x) {", "INSTANTIATE_TEST_SUITE_P(, aes, 1);",
                      "INSTANTIATE_TEST_SUITE_P(\n    all, aes, 1);"):
            self.assertEqual(wrong(right), [])
        for text in ("TEST(AesMany, x) {", "TEST_F(aes_Many, x) {", "TEST_P(\n    aes__many, x) {", "TEST(sha_many, x) {", "TEST(aesmany, x) {",
                     "INSTANTIATE_TEST_SUITE_P(All, aes, 1);", "INSTANTIATE_TEST_SUITE_P(, AesMany, 1);"):
            self.assertNotEqual(wrong(text), [], text)


if __name__ == "__main__":
    unittest.main()
