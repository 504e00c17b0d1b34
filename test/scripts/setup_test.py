"""scripts/setup installs only what is missing, as root or with sudo, and says what to do when it can do neither.

Runs the script with stand-ins for apt and dpkg, which note how they were called.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# $installed and $known list packages ("all" for all of them); apt-get notes its calls, and `update` makes all known.
STAND_INS = {
    "dpkg-query": """shift 3
for package; do
  [[ " $installed " == *" $package "* || $installed == all ]] && echo "$package installed" || echo "$package config-files"
done""",
    "apt-cache": """shift 2
for package; do
  [[ -e $calls.updated || " $known " == *" $package "* || $known == all ]] && printf 'Package: %s\\nVersion: 1\\n\\n' "$package"
done""",
    "apt-get": """echo "apt-get $*" >>"$calls"
[[ $* != *update* ]] || touch "$calls.updated"
[[ $* == *update* || -z $stale || -e $calls.updated ]]""",
    "id": 'echo "$uid"',
    "sudo": 'echo "sudo $1" >>"$calls"\n"$@"',
}


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def stand_in(self, names):
        """A folder with these stand-ins and the few real programs that the script needs."""
        programs = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name in names:
            (programs / name).write_text(f"#!/bin/bash\n{STAND_INS[name]}\n")
            (programs / name).chmod(0o755)
        for name in ("bash", "env", "touch"):
            (programs / name).symlink_to(f"/usr/bin/{name}")
        return programs

    def run_setup(self, *arguments, without=(), **state):
        """Runs scripts/setup; returns its result and the noted calls without apt's options."""
        calls = self.folder / "calls"
        calls.unlink(missing_ok=True)
        variables = {"calls": str(calls), "installed": "", "known": "all", "stale": "", "uid": "0", **state}
        programs = self.stand_in(STAND_INS.keys() - set(without))
        result = subprocess.run(["/bin/bash", ROOT / "scripts/setup", *arguments], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, env={**os.environ, "PATH": str(programs), **variables})
        noted = calls.read_text().splitlines() if calls.exists() else []
        return result, [re.sub(r" -(qq|o \S+)", "", call) for call in noted]

    def test_says_and_does_nothing_when_all_is_there(self):
        result, calls = self.run_setup("--dev", installed="all")
        self.assertEqual((result.returncode, result.stdout + result.stderr, calls), (0, "", []))

    def test_installs_only_what_is_missing(self):
        first, calls = self.run_setup()
        packages = calls[-1].split()[3:]
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("libsystemc-dev", packages)
        packages.remove("libhdf5-dev")
        _, calls = self.run_setup(installed=" ".join(packages))
        self.assertEqual(calls, ["apt-get install --no-install-recommends libhdf5-dev"])

    def test_dev_adds_the_tools_of_check(self):
        _, calls = self.run_setup("--dev")
        self.assertIn(" clang-tidy", calls[0])

    def test_updates_the_lists_when_they_do_not_know_a_package(self):
        result, calls = self.run_setup(known="cmake")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([call.split()[1] for call in calls], ["update", "install"])

    def test_updates_the_lists_when_they_are_out_of_date(self):
        result, calls = self.run_setup(stale="yes")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([call.split()[1] for call in calls], ["install", "update", "install"])

    def test_uses_sudo_when_it_is_not_root(self):
        result, calls = self.run_setup(uid="1000")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(calls[0], "sudo env")

    def test_says_what_to_do_when_it_is_neither_root_nor_has_sudo(self):
        result, calls = self.run_setup(uid="1000", without=["sudo"])
        self.assertEqual((result.returncode, calls), (1, []))
        self.assertIn("As root, run", result.stderr)
        self.assertIn("libsystemc-dev", result.stderr)

    def test_says_what_to_install_where_there_is_no_apt(self):
        result, _ = self.run_setup(without=["apt-get"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("has no apt", result.stderr)
        self.assertIn("libsystemc-dev", result.stderr)

    def test_rejects_an_unknown_option(self):
        result, calls = self.run_setup("--dve")
        self.assertEqual((result.returncode, calls), (1, []))
        self.assertIn("--dve", result.stderr)

    def test_every_package_is_explained_in_third_party(self):
        _, calls = self.run_setup("--dev")
        explained = re.findall(r"[a-z0-9.-]+", (ROOT / "third_party/README.md").read_text())
        self.assertEqual([package for package in calls[-1].split()[3:] if package not in explained], [])


if __name__ == "__main__":
    unittest.main()
