"""What the types must refuse (refused.cpp): the compiler has to say no to the line after each #ifdef, and to nothing else."""

import os
import pathlib
import re
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "refused.cpp"


def lines_with_errors(*options):
    """The numbers of the file's lines that the compiler refuses, and all that it says."""
    done = subprocess.run([os.environ["CXX"], "-std=c++17", "-fsyntax-only", f"-I{HERE.parents[1]}", *options, FILE],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    errors = re.findall(r"^(.*?):(\d+):\d+: (?:fatal )?error: ", done.stdout, re.MULTILINE)
    elsewhere = [path for path, _ in errors if path != str(FILE)]
    if elsewhere or (done.returncode == 0) != (not errors):
        raise AssertionError(done.stdout)
    return sorted({int(number) for _, number in errors}), done.stdout


class Refused(unittest.TestCase):
    def test_every_line_that_must_not_compile_does_not_and_all_others_do(self):
        lines = FILE.read_text(encoding="utf-8").splitlines()
        wrong = [number for number, line in enumerate(lines, 2) if line == "#ifdef MUST_NOT_COMPILE"]
        self.assertTrue(wrong)
        self.assertEqual([lines[number] for number in wrong], ["#endif"] * len(wrong))  # each is one line
        found, said = lines_with_errors("-DMUST_NOT_COMPILE")
        self.assertEqual(found, wrong, said)

    def test_without_them_the_file_compiles(self):
        found, said = lines_with_errors()
        self.assertEqual(found, [], said)


if __name__ == "__main__":
    unittest.main()
