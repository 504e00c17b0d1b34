"""An array whose fabric carries packets, from its file to the run file; and what is wrong with such files."""

import unittest

import h5py
import pandas as pd

from program import NETWORK, ProgramTest

ARRAY = """\
schema: tessera.array/2
name: cubes
accelerators: 4
accelerator:
  clock: 1 GHz
  processing_unit: {kind: mac-rate, macs_per_cycle: 16}
  memory: {kind: ideal, capacity: 8 GB}
fabric:
  clock: 1 GHz
  topology: {kind: torus, shape: [4], link: {bandwidth: 8 Gb/s, latency: 10 ns}}
  packet: 256 B
  router:
    pipeline: 3 ns
    virtual_channels: 2
    buffer_packets: 4
execution: {overlap: communication}
energy: {multiply: 4 pJ, add: 1 pJ, buffer_access: 5 pJ, memory_access: 640 pJ, link_word: 10 pJ}
"""
PACKETS = ARRAY[ARRAY.index("  packet:"):ARRAY.index("execution:")]


class Packets(ProgramTest):
    def run_of(self, array):
        self.write("network.yaml", NETWORK)
        self.write("array.yaml", array)
        self.output_of("simulate", "-w", "network.yaml", "-a", "array.yaml", "-p", "dp", "-o", "run.h5", "--force")
        with h5py.File(self.path("run.h5")) as run:
            return pd.DataFrame(run["links"][:]), dict(run.attrs)

    def test_links_carry_the_bytes_of_whole_messages_in_packets(self):
        whole, whole_totals = self.run_of(ARRAY.replace(PACKETS, ""))
        packets, totals = self.run_of(ARRAY)
        self.assertEqual(list(packets.bytes), list(whole.bytes))
        self.assertGreater(whole.bytes.sum(), 0)
        for packet, message in zip(packets.messages, whole.messages):
            self.assertGreaterEqual(packet, message)
        # Messages are multiples of a word and cut into packets of 256 B, the last one smaller.
        self.assertTrue((packets.messages >= -(-packets.bytes // 256)).all())
        self.assertAlmostEqual(packets.energy_j.sum(), whole.energy_j.sum())
        self.assertEqual(totals["communication_bytes"], whole_totals["communication_bytes"])
        self.assertNotEqual(totals["time_ps"], whole_totals["time_ps"])

    def test_a_header_goes_with_every_packet_and_counts_on_links_only(self):
        packets, totals = self.run_of(ARRAY)
        headed, headed_totals = self.run_of(ARRAY.replace("packet: 256 B", "packet: 256 B\n  header: 16 B"))
        self.assertEqual(list(headed.messages), list(packets.messages))
        self.assertEqual(list(headed.bytes), list(packets.bytes + 16 * packets.messages))
        self.assertEqual(headed_totals["communication_bytes"], totals["communication_bytes"])
        self.assertGreater(headed_totals["time_ps"], totals["time_ps"])

    def test_one_file_is_tried_with_every_switching_by_one_key(self):
        """Bytes and traffic are the same; the times are not."""
        self.write("network.yaml", NETWORK)
        self.write("array.yaml", ARRAY.replace("packet: 256 B", "packet: 256 B\n  flit: 32 B"))
        times = {}
        for switching in ("message", "cut-through", "store-and-forward", "wormhole"):
            found = self.json_of("simulate", "-w", "network.yaml", "-a", "array.yaml", "-p", "dp", "--set",
                                 f"arch.fabric.switching={switching}", "-o", "run.h5", "--force")
            with h5py.File(self.path("run.h5")) as run:
                times[switching] = found["simulated"]["time_s"], run["links"][:]["bytes"].sum(), run.attrs["communication_bytes"]
            again = self.json_of("simulate", "-w", "network.yaml", "-a", "array.yaml", "-p", "dp", "--set",
                                 f"arch.fabric.switching={switching}", "--no-fast-forward", "--module-order", "reverse")
            self.assertEqual(again["simulated"]["fingerprint"], found["simulated"]["fingerprint"])
        self.assertEqual(len({step for step, _, _ in times.values()}), 4, times)
        self.assertEqual(len({(on_links, sent) for _, on_links, sent in times.values()}), 1, times)
        self.assertGreater(times["store-and-forward"], times["cut-through"])

    def test_on_detailed_accelerators_every_switching_is_the_same_in_full(self):
        fabric = ("{clock: 1 GHz, topology: {kind: mesh, shape: [2, 2], link: {bandwidth: 240 Gb/s, latency: 11 ns}}, packet: 1 KiB, "
                  "flit: 64 B, router: {pipeline: 3 ns, virtual_channels: 2, buffer_packets: 4}}")
        command = ("simulate", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "hypar", "--set", "workload.batch=8", "--set",
                   "arch.accelerators=4", "--set", f"arch.fabric={fabric}", "--set")
        for switching in ("message", "cut-through", "store-and-forward", "wormhole"):
            skipping, in_full = (self.json_of(*command, f"arch.fabric.switching={switching}", *option)["simulated"]["fingerprint"]
                                 for option in ((), ("--no-fast-forward", "--module-order", "reverse")))
            self.assertEqual(skipping, in_full, switching)

    def test_the_array_of_a_wormhole_run_is_loaded_as_the_same_array(self):
        wormhole = ARRAY.replace("packet: 256 B", "switching: wormhole\n  packet: 256 B\n  flit: 16 B").replace(
            "buffer_packets: 4", "buffer_flits: 8\n    arbitration: oldest-first")
        _, totals = self.run_of(wormhole)
        with h5py.File(self.path("run.h5")) as run:
            written = run["config/array"].asstr()[()]
        self.assertIn("switching: wormhole", written)
        _, again = self.run_of(written)
        self.assertEqual(again["time_ps"], totals["time_ps"])

    def refuse(self, array, because):
        self.write("network.yaml", NETWORK)
        self.write("array.yaml", array)
        self.assert_refused("simulate", "-w", "network.yaml", "-a", "array.yaml", "-p", "dp", because=because)

    def test_too_few_virtual_channels_are_refused_with_the_circle_that_they_make(self):
        ring = ARRAY.replace("virtual_channels: 2", "virtual_channels: 1").replace("shape: [4]", "shape: [5]")
        self.refuse(ring.replace("accelerators: 4", "accelerators: 5"),
                    ["array.yaml:14:23: fabric.router.virtual_channels: 1 is too few", "deadlock", "use 2 or more"])

    def test_a_packet_without_a_unit(self):
        self.refuse(ARRAY.replace("packet: 256 B", "packet: 256"), ["array.yaml:11:11: fabric.packet: "])

    def test_an_unknown_key_of_a_router(self):
        self.refuse(ARRAY.replace("pipeline:", "pipelin:"), ["array.yaml:13:5", "pipelin", "did you mean 'pipeline'?"])

    def test_packets_without_a_router(self):
        self.refuse(ARRAY.replace(PACKETS, "  packet: 256 B\n"), ["array.yaml:", "fabric", "router"])

    def test_the_built_in_torus_has_no_packets(self):
        torus = ARRAY.replace("{kind: torus, shape: [4], link: {bandwidth: 8 Gb/s, latency: 10 ns}}",
                              "torus\n  link: {bandwidth: 8 Gb/s, latency: 10 ns}")
        self.refuse(torus, ["array.yaml:12:11: fabric.packet: is for a topology map", "kind: torus"])


if __name__ == "__main__":
    unittest.main()
