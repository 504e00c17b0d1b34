"""`tessera import`: a topology file becomes a network that plans and simulates, a memory one of an array, or one line says why not."""

import json
import os
import pathlib
import unittest

from program import DONE, ProgramTest

CONVS = """\
Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,
Conv1, 227, 227, 11, 11, 3, 96, 4,
Conv2, 31, 31, 5, 5, 96, 256, 1,
Conv3, 27, 27, 1, 1, 256, 64, 1,
FC 6, 1, 1, 1, 1, 9216, 4096, 1,
"""
GEMMS = """\
Layer, M, N, K,
first, 256, 128, 1024,
second, 256, 64, 128,
third, 32, 10, 100,
"""


DRAMSIM3 = (pathlib.Path(__file__).resolve().parents[1] / "support/memory/dramsim3_hbm2.ini").read_text(encoding="utf-8")


class Import(ProgramTest):
    def imported(self, text):
        self.write("layers.csv", text)
        run = self.run_program("import", "scalesim", "layers.csv", "-o", "net.yaml", "--json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        return json.loads(run.stdout)

    def macs(self):
        """MACs of the layers' own forward phases, as the probe counts them."""
        return self.json_of("probe", "compute", "--core", "tpu-v3", "--layers", "layers.csv")["total"]["macs"]

    def test_layers_keep_their_macs_and_weights(self):
        document = self.imported(CONVS)
        self.assertEqual(document["layers"], 4)
        self.assertEqual(document["operators"], 4 + 2)  # Conv2 and FC_6 do not read what is left
        self.assertEqual(document["forward_macs"], 55 * 55 * 96 * 3 * 121 + 27 * 27 * 256 * 96 * 25
                         + 27 * 27 * 64 * 256 + 9216 * 4096)
        self.assertEqual(document["weights"], 96 * 3 * 121 + 256 * 96 * 25 + 64 * 256 + 9216 * 4096)
        self.assertEqual(self.macs(), document["forward_macs"])

    def test_products_are_linear_operators_at_their_positions(self):
        document = self.imported(GEMMS)
        self.assertEqual(document["operators"], 3 + 1)
        self.assertEqual(document["forward_macs"], 256 * 128 * 1024 + 256 * 64 * 128 + 32 * 10 * 100)
        self.assertEqual(self.macs(), document["forward_macs"])

    def test_a_last_window_that_hangs_over_the_edge_is_kept(self):
        text = CONVS.splitlines()[0] + "\nConv1, 10, 9, 3, 3, 3, 8, 2,\n"  # rows 5 of 2: 3.5 windows, and one more
        self.assertEqual(self.imported(text)["forward_macs"], 5 * 4 * 8 * 3 * 9)

    def test_what_was_imported_is_planned_and_simulated(self):
        self.imported(CONVS)
        for planner in ("dp", "hypar"):
            document = self.json_of("simulate", "-w", "./net.yaml", "-a", "hypar-paper", "-p", planner,
                                    "--set", "workload.batch=32")
            self.assertGreater(document["simulated"]["cycles"], 0)

    def test_an_imported_memory_whose_requests_overtake_each_other_runs_in_an_array(self):
        self.write("hbm2.ini", DRAMSIM3)
        self.output_of("import", "dramsim3", "hbm2.ini", "-o", "hbm2.yaml")
        step = ("simulate", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "dp", "--set", "workload.batch=64",
                "--set", "arch.accelerators=4", "--set", "arch.accelerator.memory.dram=./hbm2.yaml", "--set", "arch.execution.kernels=free")
        simulated = self.json_of(*step)["simulated"]
        self.assertGreater(simulated["cycles"], 0)
        for option in (("--no-fast-forward",), ("--no-symmetry",), ("--module-order", "reverse")):
            self.assertEqual(self.json_of(*step, *option)["simulated"]["fingerprint"], simulated["fingerprint"], option)

    def test_says_that_the_batch_is_1_and_that_shortcuts_are_a_chain(self):
        self.write("layers.csv", CONVS)
        run = self.run_program("import", "scalesim", "layers.csv", "-o", "net.yaml")
        self.assertIn("batch 1 (--set workload.batch=256 simulates another)", run.stdout)
        with open(os.path.join(self.folder, "net.yaml"), encoding="utf-8") as file:
            written = file.read()
        for said in ("--set workload.batch=256", "chain", "shortcuts"):
            self.assertIn(said, written)

    def test_shortcuts_that_became_a_chain_are_told_of_on_stderr_with_json_too(self):
        self.write("layers.csv", CONVS)
        command = ("import", "scalesim", "layers.csv", "-o", "net.yaml")
        for run in (self.run_program(*command), self.run_program(*command, "--json")):
            self.assertEqual(run.returncode, DONE)
            self.assertRegex(run.stderr, r"\Aremark: [^\n]*shortcuts and branches \(ResNet, Inception\) became a chain\n\Z")
        self.assertNotIn("chain", self.run_program(*command).stdout)
        self.assertEqual(json.loads(run.stdout)["remarks"], [run.stderr[len("remark: "):-1]])
        self.write("layers.csv", "".join(CONVS.splitlines(keepends=True)[:2]))  # one layer has no others to read
        self.assertNotIn("chain", self.output_of("import", "scalesim", "layers.csv", "-o", "one.yaml"))

    def test_what_cannot_be_imported_is_refused(self):
        self.write("layers.csv", CONVS.replace("Conv2", "Conv1"))
        self.assert_refused("import", "scalesim", "layers.csv", "-o", "net.yaml",
                            because="two layers would be called 'Conv1'")
        self.write("layers.csv", CONVS.replace("Strides", "Stride"))
        self.assert_refused("import", "scalesim", "layers.csv", "-o", "net.yaml", because=("layers.csv:1:", "'Strides'"))
        self.write("layers.csv", CONVS.splitlines()[0] + "\n")
        self.assert_refused("import", "scalesim", "layers.csv", "-o", "net.yaml", because="layers.csv")
        self.assert_refused("import", "scalesim", "none.csv", "-o", "net.yaml", because="none.csv")
        self.assert_refused("import", "onyx", because="")


if __name__ == "__main__":
    unittest.main()
