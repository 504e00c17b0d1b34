"""What the system runs out of is named in one line, exit code 2, and nothing is half-written."""

import os
import resource
import unittest

from program import DONE, IS_SANITIZED, USERS_FAULT, ProgramTest

PROBLEM = ("-w", "hypar/lenet-c", "-a", "hypar-paper")
OWN_HEAP = {name: value for name, value in os.environ.items() if name != "GLIBC_TUNABLES"}  # grows as it does for users


def limited(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


@unittest.skipIf(IS_SANITIZED, "the address sanitizer itself needs terabytes and descriptors")
class Limits(ProgramTest):
    def ends_well(self, arguments, kind, value):
        """Done, or refused in one line; never a crash or an internal error. Returns the line."""
        run = self.run_program(*arguments, env=OWN_HEAP, preexec_fn=limited(kind, value))
        self.assertIn(run.returncode, (DONE, USERS_FAULT), (value, run.stderr))
        self.assertNotIn("internal error", run.stderr, value)
        if run.returncode == USERS_FAULT:
            self.assertRegex(run.stderr, r"\A[^\n]+\n\Z")
        self.assertFalse([name for name in self.files() if "partial" in name])
        return run.stderr

    def test_too_few_file_descriptors(self):
        lines = [self.ends_well(("simulate", *PROBLEM, "-p", "dp", "-o", f"{limit}.h5"), resource.RLIMIT_NOFILE, limit)
                 for limit in range(5, 10)]
        self.assertIn("Too many open files; raise ulimit -n", lines[0])
        self.assertEqual(lines[-1], "")

    def test_too_little_memory(self):
        # From where the libraries can be loaded to where there is enough.
        command = ("simulate", "-w", "hypar/vgg-a", "-a", "hmc-htree-16", "-p", "hypar", "-o")
        starts = next(limit for limit in range(20, 400)
                      if self.run_program("--version", env=OWN_HEAP,
                                          preexec_fn=limited(resource.RLIMIT_AS, limit * 10**6)).returncode == DONE)
        lines = [self.ends_well((*command, f"{more}.h5"), resource.RLIMIT_AS, (starts + more) * 10**6)
                 for more in range(1, 22, 4)]
        self.assertIn("out of memory", lines[0])

    def test_what_the_new_file_would_replace_cannot_be_read_for_lack_of_descriptors(self):
        plan = ("plan", *PROBLEM, "-p", "dp", "-o", "plan.yaml")
        self.output_of(*plan)
        self.ends_well(plan, resource.RLIMIT_NOFILE, 4)


class Countable(ProgramTest):
    """Time that cannot be counted in picoseconds: one line with the key that makes it so."""

    def refuse(self, array, setting, key):
        self.assert_refused("simulate", "-w", "hypar/lenet-c", "-a", array, "-p", "dp", "--set", "arch." + setting,
                            because=[key, "cannot be counted"])

    def test_of_slow_memories(self):
        memory = "accelerator.memory={kind: bandwidth, bandwidth: 1 B/s, latency: 1 ns, capacity: 8 GiB}"
        self.refuse("hypar-paper", memory, "arch.accelerator.memory.bandwidth: ")

    def test_of_slow_clocks(self):
        self.refuse("hypar-paper", "accelerator.clock=1 Hz", "arch.accelerator.clock: ")
        self.refuse("hmc-htree-16", "accelerator.processing_unit.core.clock=1 Hz",
                    "arch.accelerator.processing_unit.core.clock: ")

    def test_of_slow_links(self):
        self.refuse("hypar-paper", "fabric.link.bandwidth=8 b/s", "arch.fabric.link.bandwidth: ")

    def test_of_slow_dram(self):
        self.assert_refused("simulate", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "dp", "--set",
                            "arch.accelerator.memory.dram.clock_period=1000 s", because="clock_period: is over 1 s")

    def test_no_decade_of_any_rate_ends_in_an_internal_error(self):
        rates = ["accelerator.memory={kind: bandwidth, bandwidth: %d b/s, latency: 1 s, capacity: 8 GiB}",
                 "accelerator.clock=%d Hz", "fabric.clock=%d Hz", "fabric.link.bandwidth=%d b/s"]
        for rate in rates:
            for decade in range(0, 9, 2):
                run = self.run_program("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp", "--set",
                                       "arch." + rate % (8 * 10**decade))
                self.assertIn(run.returncode, (DONE, USERS_FAULT), (rate, decade, run.stderr))


if __name__ == "__main__":
    unittest.main()
