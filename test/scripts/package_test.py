"""What is installed beside the program: completion and man pages, made of its helps. scripts/package/try tries the package itself."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts/package"
sys.path.insert(0, str(SCRIPTS))
import completion  # noqa: E402  (the path comes first)
import man_pages  # noqa: E402
from helps import all_helps, help_of  # noqa: E402

TESSERA = os.environ["TESSERA"]


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.helps = all_helps(TESSERA)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tessera-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.folder / "tessera.bash"
        script.write_text(completion.bash(self.helps), encoding="utf-8")
        program = pathlib.Path(TESSERA).parent
        typed = " ".join(f"'{word}'" for word in ("tessera", *words))
        done = subprocess.run(["bash", "-c", f'source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _tessera; '
                               'printf "%s\\n" "${COMPREPLY[@]}"'], capture_output=True, text=True, check=True,
                              env={**os.environ, "PATH": f"{program}:{os.environ['PATH']}"}, cwd=self.folder)
        return done.stdout.split()

    def test_every_option_of_every_subcommand_is_known(self):
        simulate = help_of(TESSERA, ("simulate",))
        names = {option.names: option.takes_value for option in simulate.options}
        self.assertLessEqual({("-w", "--workload"): True, ("--json",): False, ("--trace",): True}.items(), names.items())
        self.assertIn("tessera simulate -w hypar/vgg-a", simulate.examples)
        self.assertNotIn("Example", simulate.text)
        words = [help_.words for help_ in self.helps]
        self.assertEqual(len(set(words)), len(words))
        self.assertLessEqual({(), ("show",), ("probe", "memory"), ("sweep", "collect")}, set(words))

    def test_bash_completes_subcommands_options_and_names(self):
        self.assertEqual(self.complete("sim"), ["simulate"])
        self.assertEqual(self.complete("probe", "mem"), ["memory"])
        self.assertEqual(self.complete("simulate", "--work"), ["--workload"])
        self.assertEqual(self.complete("simulate", "-w", "hypar/vgg"), [f"hypar/vgg-{letter}" for letter in "abcde"])
        self.assertEqual(self.complete("compare", "--arch", "hypar-p"), ["hypar-paper"])
        self.assertIn("accpar", self.complete("plan", "-w", "hypar/sfc", "-p", "acc"))

    def test_every_shell_can_read_its_file(self):
        for shell, text in (("bash", completion.bash(self.helps)), ("zsh", completion.zsh(self.helps)),
                            ("fish", completion.fish(self.helps))):
            path = self.folder / shell
            path.write_text(text, encoding="utf-8")
            self.assertIn("simulate", text)
            if shutil.which(shell):
                subprocess.run([shell, "-n", path], check=True)

    @unittest.skipUnless(shutil.which("help2man"), "needs help2man")
    def test_a_page_has_the_options_and_the_examples(self):
        simulate = next(help_ for help_ in self.helps if help_.words == ("simulate",))
        name, page = man_pages.page(simulate, "0.1.0", ["tessera"], self.folder)
        self.assertEqual(name, "tessera-simulate")
        for part in (".TH TESSERA-SIMULATE 1", ".SH EXAMPLES", "tessera simulate -w hypar/vgg-a", "--trace"):
            self.assertIn(part, page.replace("\\-", "-").replace('"', ""))

    def test_the_package_has_every_module_of_its_figures(self):
        modules = re.search(r"set\(plot_modules ([^)]+)\)", (SCRIPTS / "package.cmake").read_text(encoding="utf-8"))[1].split()
        for name in ("plot.py", *modules):
            shutil.copy(ROOT / "scripts/figures" / name, self.folder)
        done = subprocess.run(["/usr/bin/python3", "-B", self.folder / "plot.py", "--help"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "scripts/python")})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_changelog_has_the_date_that_it_is_given(self):
        subprocess.run([sys.executable, "-B", SCRIPTS / "changelog.py", TESSERA, self.folder], check=True,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
        text = gzip.decompress((self.folder / "share/doc/tessera/changelog.gz").read_bytes()).decode()
        self.assertRegex(text, r"\Atessera \(\d+\.\d+\.\d+\) ")
        self.assertIn("Tue, 14 Nov 2023 22:13:20", text)


if __name__ == "__main__":
    unittest.main()
