"""Runs the tessera program that ctest names in the environment variable TESSERA, in a directory of each test's own."""

import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TESSERA"]
with open(PROGRAM, "rb") as program:
    IS_SANITIZED = b"__asan_init" in program.read()  # takes terabytes of address space and many descriptors itself

# In seconds, for one run of the program: a little before ctest would end the test without saying which run hung.
TIMEOUT = int(os.environ.get("TESSERA_TEST_TIMEOUT", "300")) - 20

DONE, USERS_FAULT, CHECK_FAILED, NO_PROGRESS, OUR_FAULT = 0, 2, 3, 4, 5

# A network of one layer, for tests that change something about it.
NETWORK = """\
schema: tessera.network/1
name: small
batch: 256
element: fp32
input: {name: x, features: 64}
operators:
  - {name: fc1, kind: linear, input: x, outputs: 32}
  - {name: fc2, kind: linear, input: fc1, outputs: 16}
"""


def run_program(*arguments, **options):
    """Runs `tessera ARGUMENTS`; `options` are subprocess.run's."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run([PROGRAM, *arguments], text=True, timeout=TIMEOUT, check=False, **options)


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tessera-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def files(self):
        """Everything in the test's directory, by path."""
        return sorted(os.path.relpath(os.path.join(folder, name), self.folder)
                      for folder, folders, names in os.walk(self.folder) for name in folders + names)

    def run_program(self, *arguments, **options):
        """Runs `tessera ARGUMENTS` in the test's directory; `options` are subprocess.run's."""
        return run_program(*arguments, cwd=self.folder, **options)

    def output_of(self, *arguments):
        """What a successful run prints."""
        run = self.run_program(*arguments)
        self.assertEqual((run.returncode, run.stderr), (DONE, ""), arguments)
        return run.stdout

    def json_of(self, *arguments):
        return json.loads(self.output_of(*arguments, "--json"))

    def assert_refused(self, *arguments, because, **options):
        """One line on stderr with every word of `because`, exit code 2, no output and no new file."""
        before = self.files()
        run = self.run_program(*arguments, **options)
        self.assertEqual(run.returncode, USERS_FAULT, (arguments, run.stdout, run.stderr))
        self.assertRegex(run.stderr, r"\A[^\n]+\n\Z")
        for words in [because] if isinstance(because, str) else because:
            self.assertIn(words, run.stderr)
        self.assertIn(run.stdout, (None, ""))
        self.assertEqual(self.files(), before)
