"""The compiler gets the flags that a preset says, and without one those of CMakeLists.txt."""

import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commands(folder, *definitions):
    """How every file would be compiled after `cmake -D definition...`. A folder in which cmake was before knows the compiler."""
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, "-DTESSERA_BUILD_TESTS=OFF",
                    *(f"-D{definition}" for definition in definitions)], check=True, stdout=subprocess.DEVNULL)
    text = (pathlib.Path(folder) / "compile_commands.json").read_text(encoding="utf-8")
    return [entry["command"].split() for entry in json.loads(text)]


class PresetFlags(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_flags_of_a_preset_are_not_overridden(self):
        for build_type in ("Debug", "Release"):
            for command in commands(self.folder, f"CMAKE_BUILD_TYPE={build_type}", f"CMAKE_CXX_FLAGS_{build_type.upper()}=-O0 -g0"):
                self.assertIn("-O0", command)
                self.assertFalse({"-O1", "-O2", "-O3"} & set(command), command)

    def test_without_a_preset_it_is_what_users_run(self):
        for command in commands(self.folder):
            self.assertIn("-O2", command)
            self.assertNotIn("-DNDEBUG", command)


if __name__ == "__main__":
    unittest.main()
