"""Arrays whose files name an entry of the simulator's tables of contents: a model, with keys of its own, or a collective."""

import unittest

from program import ProgramTest

PROBLEM = ("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp")
MEMORY = ("arch.accelerator.memory={{kind: model, model: {}, capacity: 8 GiB, keys: "
          "{{read_bandwidth: 8 GB/s, write_bandwidth: {}, latency: 300 ns}}}}")
BANDWIDTH = "arch.accelerator.memory={kind: bandwidth, bandwidth: 8 GB/s, latency: 300 ns, capacity: 8 GiB}"
RATE = "arch.accelerator.processing_unit={kind: mac-rate, macs_per_cycle: 168}"
UNIT = "arch.accelerator.processing_unit={{kind: model, model: launched, macs_per_cycle: 168, keys: {{launch: {}}}}}"


class AddedHardware(ProgramTest):
    def simulated(self, *settings):
        return self.json_of(*PROBLEM, *(word for setting in settings for word in ("--set", setting)))["simulated"]

    def test_a_memory_that_reads_as_fast_as_it_writes_is_one_of_a_bandwidth(self):
        alike = self.simulated(MEMORY.format("read-write", "8 GB/s"))
        self.assertEqual(alike, self.simulated(BANDWIDTH))
        self.assertGreater(self.simulated(MEMORY.format("read-write", "80 MB/s"))["time_s"], alike["time_s"])

    def test_a_unit_that_takes_no_time_to_launch_is_a_mac_rate(self):
        plain = self.simulated(RATE)
        self.assertEqual(self.simulated(UNIT.format(0)), plain)
        self.assertGreater(self.simulated(UNIT.format(100000))["time_s"], plain["time_s"])

    def test_a_ring_both_ways_has_the_name_of_the_probe_and_its_old_one(self):
        both_ways = self.simulated("arch.execution.collectives=bidirectional-ring")
        self.assertEqual(both_ways, self.simulated("arch.execution.collectives=bidirectional"))
        self.assertNotEqual(both_ways["fingerprint"], self.simulated("arch.execution.collectives=ring")["fingerprint"])

    def test_a_step_and_the_probe_find_a_collective_by_its_name(self):
        probe = ("probe", "collective", "--topology", "ring:4", "--bytes", "1 MB", "--bandwidth", "1 GB/s", "--latency", "1 us")
        self.assertEqual(self.json_of(*probe, "--algorithm", "double-tree")["algorithm"], "double-tree")
        self.assertIn("fingerprint", self.simulated("arch.execution.collectives=double-tree"))
        self.assert_refused(*probe, "--algorithm", "double-trees", because=["did you mean 'double-tree'"])
        self.assert_refused(*PROBLEM, "-o", "out", "--set", "arch.execution.collectives=double-trees",
                            because=["execution.collectives", "did you mean 'double-tree'"])

    def test_mistakes_are_one_line(self):
        for command in (PROBLEM, ("plan", *PROBLEM[1:])):
            self.assert_refused(*command, "-o", "out", "--set", MEMORY.format("reed-write", "8 GB/s"),
                                because=["accelerator.memory.model", "did you mean 'read-write'"])
            self.assert_refused(*command, "-o", "out", "--set", UNIT.format(-1), because=["keys.launch", "must be 0 or more"])


if __name__ == "__main__":
    unittest.main()
