#!/usr/bin/env python3
"""Every command of a page does what is shown below it: commands_test.py PAGE.md."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from documented import agrees, page_of  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["TESSERA"]).resolve()
SECONDS = int(os.environ["TESSERA_TEST_TIMEOUT"])


def prepared(folder, page):
    """A folder like a checkout after the build, with the page's files."""
    (folder / "build/release").mkdir(parents=True)
    for name in ("build/release/tessera", "bin/tessera"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(PROGRAM)
    (folder / "scripts").symlink_to(TOP / "scripts")
    for name, text in page.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(TOP / "scripts/python"), "MPLBACKEND": "Agg"}


OURS = r"^\s*\$? ?(build/release/)?tessera (plan|simulate|compare|sweep|show|list|probe|validate|report|export)\b"


class Commands(unittest.TestCase):
    page = pathlib.Path()

    def test_what_the_page_shows_is_what_is_printed(self):
        page = page_of(self.page)
        with tempfile.TemporaryDirectory() as scratch:
            environment = prepared(pathlib.Path(scratch), page)
            for command in page.commands:
                with self.subTest(line=command.line):
                    done = subprocess.run(["bash", "-c", command.text], cwd=scratch, env=environment, text=True, timeout=SECONDS,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    self.assertEqual(done.returncode, 0, f"{self.page}:{command.line}: {done.stdout}")
                    self.assertTrue(agrees(command.shown, done.stdout),
                                    f"{self.page}:{command.line}: shown\n{command.shown}\nbut printed\n{done.stdout}")

    def test_no_command_of_ours_stands_where_nobody_runs_it(self):
        inside = None
        for number, line in enumerate(self.page.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("```"):
                inside = None if inside is not None else line[3:].split(" ")[0]
            elif inside not in ("console", "sh"):
                self.assertNotRegex(line, OURS, f"{self.page}:{number}: a command belongs into a console block, where it is run")


class Comparison(unittest.TestCase):
    def test_ellipses_stand_for_what_they_may(self):
        self.assertTrue(agrees("a\n...\nd", "a\nb\nc\nd\n"))
        self.assertTrue(agrees("planned in ..., 3 evaluations", "planned in 5 us, 3 evaluations\n"))
        self.assertFalse(agrees("a\nd", "a\nb\nd\n"))
        self.assertFalse(agrees("a\n...\ne", "a\nb\nd\n"))


if __name__ == "__main__":
    Commands.page = pathlib.Path(sys.argv.pop())
    unittest.main()
