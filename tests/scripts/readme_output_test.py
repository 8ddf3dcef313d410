"""scripts/readme-output.py must replace exactly the blocks that follow a marker."""
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "readme-output.py"

sys.path.insert(0, str(SCRIPT.parent))
specification = importlib.util.spec_from_file_location("readme_output", SCRIPT)
readme_output = importlib.util.module_from_spec(specification)
specification.loader.exec_module(readme_output)

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


class Check(unittest.TestCase):
    def page(self, text):
        folder = tempfile.TemporaryDirectory(dir=SCRIPT.parent)
        self.addCleanup(folder.cleanup)
        page = pathlib.Path(folder.name) / "page.md"
        page.write_text(text, encoding="utf-8")
        return page

    def differences(self, command, shown, kind=""):
        """What --check says of a block that shows |shown| for |command|."""
        return readme_output.differences(self.page(f"<!-- output{kind}: {command} -->\n```\n{shown}\n```\n"))

    def test_a_block_must_be_what_the_command_prints(self):
        self.assertEqual(self.differences("echo a 1", "$ echo a 1\na 1"), ([], 0))
        for shown in ("$ echo a 1\na 2", "$ echo a 1", "$ echo a\na 1", "$ echo a 1\na 1\nb"):
            (wrong,), _ = self.differences("echo a 1", shown)
            self.assertRegex(wrong, "page.md:1: not what the command prints now")

    def test_figures_may_vary_where_the_marker_says_so(self):
        self.assertEqual(self.differences("echo a 10.25 b", "$ echo a 10.25 b\na   7 b", ", figures vary"), ([], 0))
        self.assertEqual(len(self.differences("echo a 1 b", "$ echo a 1 b\na 1 c", ", figures vary")[0]), 1)

    def test_of_this_machine_only_the_command_must_still_work(self):
        self.assertEqual(self.differences("echo a", "$ echo a\nb", ", of this machine"), ([], 0))
        self.assertEqual(len(self.differences("false", "$ false\nb", ", of this machine")[0]), 1)
        self.assertEqual(len(self.differences("echo a", "$ echo b\na", ", of this machine")[0]), 1)

    def test_what_was_not_built_is_skipped(self):
        self.assertEqual(self.differences("build/none/such", "$ build/none/such\n"), ([], 1))

    def test_a_marker_of_an_unknown_kind_is_wrong(self):
        self.assertEqual(len(self.differences("echo a", "$ echo a\na", ", figures very")[0]), 1)

    def test_a_marker_without_a_block_is_wrong(self):
        self.assertEqual(len(readme_output.differences(self.page("<!-- output: echo x -->\n"))[0]), 1)


if __name__ == "__main__":
    unittest.main()
