"""The memory for other SystemC platforms: a program of somebody else is built against what `cmake --install` installs, and its requests
take as long as those of `tessera probe memory`."""

import os
import pathlib
import random
import re
import shutil
import subprocess
import unittest

from program import IS_SANITIZED, PROGRAM, TIMEOUT, ProgramTest

BUILD = os.path.dirname(os.path.abspath(PROGRAM))
EXAMPLE = pathlib.Path(__file__).parent.parent / "sim/shell/tlm/example"
SYSTEMC = {**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}


@unittest.skipIf(IS_SANITIZED, "the archive would need the sanitizer's library")
class Package(ProgramTest):
    def run_tool(self, *command):
        run = subprocess.run(command, cwd=self.folder, env=SYSTEMC, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(run.returncode, 0, (command, run.stdout[-2000:], run.stderr[-2000:]))
        return run.stdout

    def as_built(self):
        """The compiler and the flags of the program, which its archive may need to be linked (--coverage)."""
        cache = pathlib.Path(BUILD, "CMakeCache.txt").read_text(encoding="utf-8")
        return [f"-D{name}={re.search(rf'^{name}:[A-Z]+=(.*)$', cache, re.M)[1]}" for name in ("CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS")]

    def latencies(self, probe):
        """[requests, least, most, mean] of reads and writes, in clocks."""
        return {kind: [of[key] for key in ("requests", "min", "max", "mean")] for kind, of in probe["latency_cycles"].items()}

    def assert_as_probed(self, memory, through, period_ps):
        for style, outstanding in (("at", ()), ("lt", ("--outstanding", "1"))):
            probe = self.latencies(self.json_of("probe", "memory", "-a", memory, "--through", through, "--trace", "requests", *outstanding))
            clocks = [float(line) / period_ps for line in self.run_tool(self.path("build/drive_memory"), memory, through, style,
                                                                        "requests").split()]
            self.assertEqual(len(clocks), len(self.kinds))
            for kind, expected in probe.items():
                own = [of for of, its in zip(clocks, self.kinds) if its == kind.upper()]
                for found, value in zip((len(own), min(own), max(own), sum(own) / len(own)), expected):
                    self.assertAlmostEqual(found, value, places=6, msg=(memory, through, style, kind))

    def test_an_initiator_compiled_elsewhere_waits_as_long_as_the_probe(self):
        self.run_tool("cmake", "--install", BUILD, "--prefix", self.path("installed"), "--component", "tlm")
        shutil.copytree(EXAMPLE, self.path("example"))
        self.run_tool("cmake", "-G", "Ninja", "-S", "example", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.path('installed')}",
                      *self.as_built())
        self.run_tool("cmake", "--build", "build")
        draw = random.Random(17)
        self.kinds = [draw.choice(("READ", "READ", "WRITE")) for _ in range(1000)]
        self.write("requests", "".join(f"0x{draw.randrange(1 << 20) * 256:x} {kind} 0\n" for kind in self.kinds))
        self.assert_as_probed("hmc-2.1", "links", 800)
        self.assert_as_probed("hmc-2.1", "local", 800)
        self.assert_as_probed("hbm2", "local", 1000)


if __name__ == "__main__":
    unittest.main()
