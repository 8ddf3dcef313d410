"""The documents must lead to what exists, and list nothing twice; comments must name files that exist."""
import collections
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[2]
FOLDERS = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name not in (".git", "build")]
DOCUMENTS = {path: path.read_text(encoding="utf-8") for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))}
SUFFIXES = "c cpp def h map md py s S sh tsv v vh cmake".split()
# A file below one of our folders, as comments and documents name it; tests of scripts make up such names.
NAMED = re.compile(rf"(?<![\w/.${{}}-])(?:{'|'.join(FOLDERS)})/[\w./-]+\.(?:{'|'.join(SUFFIXES)})(?!\.?\w)")
# What such a name may be relative to.
BASES = ("", "src", "include/incore", "tests")


def anchors(text):
    """The places in a document that a link may lead to: its headings, as code hosts spell them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def sources():
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            is_text = path.suffix[1:] in SUFFIXES or path.name == "CMakeLists.txt"
            if is_text and not path.is_relative_to(ROOT / "tests/scripts"):
                yield path


class Documents(unittest.TestCase):
    def test_links_lead_to_files_and_headings(self):
        for document, text in DOCUMENTS.items():
            for target, anchor in re.findall(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)", text):
                path = document.parent / target if target else document
                with self.subTest(document=document.name, link=f"{target}#{anchor}"):
                    self.assertTrue(path.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(path.read_text(encoding="utf-8")))

    def test_files_that_are_named_exist(self):
        num_names = 0
        for path in {*DOCUMENTS, *sources()}:
            for name in NAMED.findall(path.read_text(encoding="utf-8")):
                num_names += 1
                places = [path.parent, *(ROOT / base for base in BASES)]
                self.assertTrue(any((place / name).exists() for place in places), f"{path.relative_to(ROOT)} names {name}")
        self.assertGreater(num_names, 200)

    def test_targets_of_make_that_are_named_exist(self):
        targets = re.findall(r"^([a-z0-9%-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
        known = re.compile("|".join(target.replace("%", ".+") for target in targets))
        for document, text in DOCUMENTS.items():
            for target in re.findall(r"(?:`|^    )make ([a-z0-9-]+)", text, re.M):
                self.assertRegex(target, rf"^(?:{known.pattern})$", document.name)

    def test_no_table_lists_a_page_or_file_twice(self):
        for document, text in DOCUMENTS.items():
            for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
                first = collections.Counter(re.findall(r"^\| *(\[.*?\]\(.*?\)|`[^`]*`) *\|", table, re.M))
                self.assertEqual([cell for cell, times in first.items() if times > 1], [], document.name)


if __name__ == "__main__":
    unittest.main()
