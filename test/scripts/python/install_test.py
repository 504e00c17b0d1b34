"""The package installed without a network, and the tutorial run with it, from top to bottom."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Install(unittest.TestCase):
    def call(self, *words, **options):
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_pip_installs_it_without_a_network_and_the_tutorial_runs(self):
        folder = tempfile.TemporaryDirectory(prefix="tessera-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copytree(ROOT / "scripts/python", self.folder / "python", ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_"))}
        self.call(sys.executable, "-m", "venv", "--system-site-packages", "venv", env=environment)
        python = self.folder / "venv/bin/python3"
        self.call(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-build-isolation",
                  "./python", env=environment)
        found = self.call(python, "-c", "import tessera; print(tessera.__file__)", env=environment)
        self.assertTrue(found.startswith(str(self.folder / "venv/")), found)

        # What warns is a mistake in the tutorial or in the package.
        strict = [word for kind in ("Deprecation", "Future", "Resource") for word in ("-W", f"error::{kind}Warning")]
        said = self.call(python, *strict, "python/examples/tutorial.py", "made",
                         env=environment)
        self.assertRegex(said, r"fc1 +II +II +II +II\n")
        self.assertRegex(said, r"<Run: small-residual on hmc-htree-16 with hypar, batch 128: [\d.]+ s, [\d.]+ J>")
        self.assertRegex(said, r"\n +hypar +32 +[\d.]+ +[\d.]+\n")
        for name in ("timeline.png", "energy_against_time.png"):
            self.assertEqual((self.folder / "made" / name).read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
