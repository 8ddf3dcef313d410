"""scripts/quote-code.py must put the marked lines of a source into the document, and refuse marks that are wrong."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "quote-code.py"

SOURCE = """int before;
  // quote: sum
  int sum(int a, int b) {
    return a + b;
  }

  // end of quote
# quote: other
other = 1
# end of quote
"""
DOCUMENT = """# Title
<!-- quote: src/sum.cpp sum -->
```cpp
old
```
Text.
```
untouched
```
"""
FILLED = DOCUMENT.replace("old", "int sum(int a, int b) {\n  return a + b;\n}")


class QuoteCode(unittest.TestCase):
    def run_on(self, document, *options, source=SOURCE):
        """(exit code, what stderr says, the document afterwards)"""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs" / "deep").mkdir(parents=True)
            (root / "src").mkdir()
            (root / "README.md").write_text("# Nothing is quoted here\n", encoding="utf-8")
            (root / "src" / "sum.cpp").write_text(source, encoding="utf-8")
            page = root / "docs" / "deep" / "page.md"
            page.write_text(document, encoding="utf-8")
            result = subprocess.run([sys.executable, SCRIPT, "--root", root, *options], capture_output=True, text=True,
                                    check=False)
            return result.returncode, result.stderr, page.read_text(encoding="utf-8")

    def assert_refused(self, reason, document, source=SOURCE):
        for options in ((), ("--check",)):
            code, said, after = self.run_on(document, *options, source=source)
            self.assertEqual((code, after), (1, document))
            self.assertIn(reason, said)
            self.assertIn("page.md:2:", said)

    def test_a_block_gets_the_marked_lines_at_the_left_margin(self):
        self.assertEqual(self.run_on(DOCUMENT), (0, "", FILLED))

    def test_a_second_run_changes_nothing(self):
        self.assertEqual(self.run_on(FILLED), (0, "", FILLED))

    def test_marks_of_scripts_begin_with_a_hash(self):
        document = DOCUMENT.replace("sum -->", "other -->")
        self.assertEqual(self.run_on(document), (0, "", document.replace("old", "other = 1")))

    def test_check_writes_nothing_and_shows_the_difference(self):
        code, said, after = self.run_on(DOCUMENT, "--check")
        self.assertEqual((code, after), (1, DOCUMENT))
        self.assertIn("-old\n+int sum(int a, int b) {", said)
        self.assertEqual(self.run_on(FILLED, "--check"), (0, "", FILLED))

    def test_an_unknown_file_is_refused(self):
        self.assert_refused("there is no file src/none.cpp", DOCUMENT.replace("sum.cpp", "none.cpp"))
        self.assert_refused("there is no file /etc/passwd", DOCUMENT.replace("src/sum.cpp", "/etc/passwd"))

    def test_an_unknown_quote_is_refused_and_the_others_named(self):
        self.assert_refused("src/sum.cpp has no quote none; it has sum other", DOCUMENT.replace("sum -->", "none -->"))

    def test_wrong_marks_in_the_source_are_refused(self):
        lines = SOURCE.splitlines(keepends=True)
        self.assert_refused("src/sum.cpp: quote other has no end", DOCUMENT, "".join(lines[:-1]))
        self.assert_refused("src/sum.cpp:7: quote other begins before sum has ended", DOCUMENT,
                            "".join(line for line in lines if "// end" not in line))
        self.assert_refused("src/sum.cpp:11: there is another quote sum", DOCUMENT, SOURCE + "".join(lines[1:]))
        self.assert_refused("src/sum.cpp:11: no quote ends here", DOCUMENT, SOURCE + lines[-1])
        self.assert_refused("quote sum of src/sum.cpp is empty", DOCUMENT, "// quote: sum\n// end of quote\n")

    def test_wrong_markers_in_the_document_are_refused(self):
        self.assert_refused("no ``` block follows", DOCUMENT.replace("```cpp", ""))
        self.assert_refused("no ``` block follows", "# Title\n<!-- quote: src/sum.cpp sum -->\n")
        self.assert_refused("a marker reads <!-- quote: FILE NAME -->", DOCUMENT.replace("sum -->", "-->"))


if __name__ == "__main__":
    unittest.main()
