"""Tests stand where docs/adding.md says, and their suites bear one kind of name."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[2]
TESTS = ROOT / "tests"
SOURCES = ("c", "cpp", "h", "S")
# Folders of tests that test no room: what only a POWER8 runs, and the tests' own helpers.
NO_ROOMS = ("power8", "support")

SUITE = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),")
INSTANCE = re.compile(r"\bINSTANTIATE_TEST_SUITE_P\(\s*(\w*),\s*(\w+)")
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def mirrored_sources():
    """Each source without its suffix, where its test would stand: src/ is left out, cli/ and tools/ are not."""
    for base, rooms in ((ROOT / "src", ("",)), (ROOT, ("cli", "tools"))):
        for room in rooms:
            for path in (base / room).rglob("*"):
                if path.suffix[1:] in SOURCES:
                    yield path.relative_to(base).with_suffix("")


def wrong_place(path, sources):
    """What is wrong with |path|, a file of tests below tests/; empty if nothing is. |sources| is what mirrored_sources() gives."""
    if path.parts[0] in NO_ROOMS:
        return ""
    if len(path.parts) == 1 or not any(source.is_relative_to(path.parent) for source in sources):
        return f"{path}: there are no sources of a room {path.parent}"
    name = path.name.removesuffix("_test.cpp")
    namesakes = [source for source in sources if source.name == name and source.parts[0] == path.parts[0]]
    if namesakes and path.parent / name not in namesakes:
        return f"{path}: it is named after {namesakes[0]}, and does not stand there"
    return ""


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


class Tests(unittest.TestCase):
    def test_every_file_stands_in_its_room(self):
        sources = set(mirrored_sources())
        files = [path.relative_to(TESTS) for path in TESTS.rglob("*_test.cpp")]
        self.assertGreater(len(files), 200)
        self.assertEqual([wrong for wrong in (wrong_place(file, sources) for file in sorted(files)) if wrong], [])

    def test_wrong_places_are_found(self):
        def wrong(path):
            return wrong_place(pathlib.PurePath(path), {pathlib.PurePath("crypto/aes/aes_steps"), pathlib.PurePath("cli/aes")})

        for right in ("crypto/aes/aes_steps_test.cpp", "crypto/aes/vectors_test.cpp", "crypto/many_test.cpp", "cli/aes_test.cpp", "cli/aes_steps_test.cpp",
                      "power8/aes_steps_test.cpp"):
            self.assertEqual(wrong(right), "")
        for path in ("crypto/aes_steps_test.cpp", "aes/vectors_test.cpp", "crypto/sha/sha_test.cpp", "cli/options/options_test.cpp", "aes_test.cpp"):
            self.assertNotEqual(wrong(path), "", path)

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
