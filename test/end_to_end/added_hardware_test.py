"""Arrays whose files name an entry of the simulator's tables of contents: a model, with keys of its own, or a collective."""

import unittest

from program import ProgramTest

PROBLEM = ("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp")
MEMORY = ("arch.accelerator.memory={{kind: model, model: {}, capacity: 8 GiB, keys: "
          "{{read_bandwidth: 8 GB/s, write_bandwidth: {}, latency: 300 ns}}}}")
BANDWIDTH = "arch.accelerator.memory={kind: bandwidth, bandwidth: 8 GB/s, latency: 300 ns, capacity: 8 GiB}"
RATE = "arch.accelerator.processing_unit={kind: mac-rate, macs_per_cycle: 168}"
UNIT = "arch.accelerator.processing_unit={{kind: model, model: launched, macs_per_cycle: 168, keys: {{launch: {}}}}}"


PACKETS = ("arch.fabric={clock: 1 GHz, topology: {kind: torus, shape: [4, 4], link: {bandwidth: 8 Gb/s, latency: 11 ns}}, packet: 4 KiB, "
           "flit: 64 B, router: {pipeline: 3 ns, virtual_channels: 2, buffer_packets: 4}}")
CIRCUIT = "arch.fabric.switching={{kind: model, model: {}, keys: {{setup: {}}}}}"


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

    def test_routers_are_tried_by_one_key_on_a_file_for_others(self):
        plain, at_once, later = (self.simulated(PACKETS, *more) for more in ((), (CIRCUIT.format("circuit", "0 ns"),), (CIRCUIT.format("circuit", "1 us"),)))
        self.assertEqual(plain["communication_bytes"], at_once["communication_bytes"])
        self.assertGreater(at_once["time_s"], plain["time_s"])  # a packet keeps its links until it has arrived
        self.assertGreater(later["time_s"], at_once["time_s"])
        self.assertEqual(later, self.json_of(*PROBLEM, "--set", PACKETS, "--set", CIRCUIT.format("circuit", "1 us"), "--no-fast-forward",
                                             "--module-order", "reverse")["simulated"])

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
            self.assert_refused(*command, "-o", "out", "--set", PACKETS, "--set", CIRCUIT.format("circuits", "1 us"),
                                because=["fabric.switching.model", "did you mean 'circuit'"])
            self.assert_refused(*command, "-o", "out", "--set", PACKETS, "--set", CIRCUIT.format("circuit", "1"),
                                because=["fabric.switching.keys.setup", "unit"])


if __name__ == "__main__":
    unittest.main()
