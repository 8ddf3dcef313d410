"""scripts/readme-output.py must replace exactly the blocks that follow a marker."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "readme-output.py"

BEFORE = """# Title
<!-- output: printf 'one\\ntwo\\n' -->
```
old
```
Text.
```
$ untouched
```
"""
AFTER = BEFORE.replace("old", "$ printf 'one\\ntwo\\n'\none\ntwo")


class ReadmeOutput(unittest.TestCase):
    def run_on(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.md"
            file.write_text(text, encoding="utf-8")
            result = subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True, check=False)
            return result.returncode, file.read_text(encoding="utf-8")

    def test_a_block_gets_command_and_output(self):
        self.assertEqual(self.run_on(BEFORE), (0, AFTER))

    def test_a_second_run_changes_nothing(self):
        self.assertEqual(self.run_on(AFTER), (0, AFTER))

    def test_a_failing_command_keeps_the_block(self):
        text = BEFORE.replace("printf 'one\\ntwo\\n'", "echo no; exit 3")
        self.assertEqual(self.run_on(text), (1, text))

    def test_a_marker_without_a_block_is_an_error(self):
        text = "<!-- output: echo x -->\n\n```\nold\n```\n"
        self.assertEqual(self.run_on(text), (1, text))


if __name__ == "__main__":
    unittest.main()
