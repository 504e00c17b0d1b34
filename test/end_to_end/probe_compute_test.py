"""`tessera probe compute`: products, layer files and networks on every kind of core."""

import os
import unittest

from program import NETWORK, ProgramTest

ARRAY = ("probe", "compute", "--array", "32x32")
GOLDEN = {"os": 10176, "ws": 11200, "is": 14208}  # SCALE-Sim's golden traces of 256 x 128 x 256
CORES = ("tpu-v2", "tpu-v3", "eyeriss", "hypar-pu")
PHASES = ("forward", "backward_data", "backward_weight", "update")

CONV = """\
Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,
Conv1, 227, 227, 11, 11, 3, 96, 4,
Conv2, 31, 31, 5, 5, 96, 256, 1,
"""


class Products(ProgramTest):
    def test_cycles_are_those_of_scale_sim(self):
        for dataflow, cycles in GOLDEN.items():
            document = self.json_of(*ARRAY, "--dataflow", dataflow, "--gemm", "256,128,256")
            self.assertEqual(document["schema"], "tessera.probe-compute/1")
            self.assertEqual(document["total"]["cycles"], cycles)
            self.assertEqual(document["total"]["macs"], 256 * 128 * 256)
            self.assertAlmostEqual(document["total"]["utilisation"], 256 * 128 * 256 / (cycles * 32 * 32))

    def test_overlap_is_faster(self):
        cycles = [self.json_of(*ARRAY, "--schedule", schedule, "--gemm", "256,128,256")["total"]["cycles"]
                  for schedule in ("serial", "overlapped")]
        self.assertLess(cycles[1], cycles[0])

    def test_every_core_multiplies(self):
        for core in CORES:
            total = self.json_of("probe", "compute", "--core", core, "--gemm", "512,512,512")["total"]
            self.assertEqual(total["macs"], 512 ** 3)
            self.assertGreater(total["cycles"], 0)
            self.assertLessEqual(total["utilisation"], 1)

    def test_memory_stalls_and_the_report_says_who_waits(self):
        gemm = ("probe", "compute", "--core", "tpu-v3", "--gemm", "1024,1024,1024", "--memory")
        ideal, core = (self.json_of(*gemm, memory)["total"] for memory in ("ideal", "core"))
        self.assertEqual(ideal["stalled_cycles"], 0)
        self.assertEqual(core["cycles"], core["product_cycles"] + core["stalled_cycles"])
        self.assertIn(f"gemm forward: {core['stalled_cycles']} cycles", self.output_of(*gemm, "core"))
        self.assertNotIn("late tiles", self.output_of(*gemm, "ideal"))


class LayerFiles(ProgramTest):
    def test_layers_are_those_of_scale_sim(self):
        # sim/validation/references/systolic/scalesim_v3_layers.csv: index of the last cycle on 128 x 128.
        recorded = {"Conv1": 14807, "Conv2": 31847}
        self.write("alexnet.csv", CONV)
        document = self.json_of("probe", "compute", "--array", "128x128", "--dataflow", "os", "--layers", "alexnet.csv")
        self.assertEqual({layer["layer"]: layer["cycles"] - 1 for layer in document["layers"]}, recorded)
        self.assertEqual(document["total"]["cycles"], sum(layer["cycles"] for layer in document["layers"]))

    def test_a_row_stationary_array_takes_the_same_file(self):
        self.write("alexnet.csv", CONV)
        document = self.json_of("probe", "compute", "--eyeriss", "eyeriss", "--layers", "alexnet.csv")
        self.assertEqual(document["layers"][0]["macs"], 55 * 55 * 96 * 3 * 11 * 11)

    def refuse(self, text, because):
        self.write("net.csv", text)
        self.assert_refused(*ARRAY, "--layers", "net.csv", because=because)

    def test_what_is_wrong_is_named_with_its_place(self):
        self.refuse(CONV.replace("Num Filter", "Num Fliter"), ["net.csv:1:79", "did you mean 'Num Filter'?"])
        self.refuse(CONV.replace("227, 227", "227, many"), ["net.csv:2:13", "many"])
        self.refuse(CONV.replace("31, 31, 5, 5, 96", "31, 31, 5, 5"), ["net.csv:3:", "cells"])
        self.refuse(CONV.replace("96, 256, 1", "96, 256, 0"), ["net.csv:3:31", "Strides"])
        self.refuse(CONV.replace("31, 31", "3, 31"), ["net.csv:3:8", "larger than the input"])
        self.refuse("", ["net.csv", "empty"])
        self.refuse(CONV.replace("Conv2", '"Conv2"'), ["net.csv:3:1", "quote"])
        self.refuse("Layer,M,N,K\nx,1000000000,1000000000,1000000000\n", ["net.csv:2:1", "too large"])

    def test_what_is_no_file(self):
        os.mkdir(self.path("folder.csv"))
        self.assert_refused(*ARRAY, "--layers", "folder.csv", because="is a directory")
        self.assert_refused(*ARRAY, "--layers", "nowhere.csv", because="nowhere.csv")
        with open(self.path("bytes.csv"), "wb") as file:
            file.write(bytes(range(256)))
        self.assert_refused(*ARRAY, "--layers", "bytes.csv", because="bytes.csv")

    def test_the_largest_layers_are_answered_for(self):
        self.write("net.csv", "Layer,M,N,K\na,1000000000,1000000,1\nb,1,1000000000,1000000\nc,99999989,1,9999991\n")
        for core in CORES:
            for memory in ("ideal", "core"):
                document = self.json_of("probe", "compute", "--core", core, "--layers", "net.csv", "--memory", memory)
                self.assertEqual(document["total"]["macs"], 2 * 10 ** 15 + 99999989 * 9999991)


class Networks(ProgramTest):
    def test_every_phase_of_a_network(self):
        self.write("small.yaml", NETWORK)
        document = self.json_of("probe", "compute", "--core", "tpu-v3", "-w", "small.yaml", "--phase", "all", "--batch", "16")
        rows = [(layer["layer"], layer["phase"]) for layer in document["layers"]]
        self.assertEqual([phase for layer, phase in rows if layer == "fc2"], list(PHASES))
        self.assertNotIn(("fc1", "backward_data"), rows)  # nothing before it learns
        self.assertEqual(document["work"], "small, batch 16")

    def test_batch_and_set_are_the_same(self):
        probe = ("probe", "compute", "--core", "hypar-pu", "-w", "hypar/lenet-c")
        self.assertEqual(self.json_of(*probe, "--batch", "8"), self.json_of(*probe, "--set", "workload.batch=8"))

    def test_keys_of_the_core_can_be_set(self):
        probe = ("probe", "compute", "--core", "tpu-v3", "-w", "hypar/vgg-a", "--batch", "8")
        slow, fast = (self.json_of(*probe, "--set", f"core.array.arrays={arrays}")["total"]["cycles"] for arrays in (1, 2))
        self.assertLess(fast, slow)


ATTENTION = """\
schema: tessera.network/1
name: attention
batch: 1
element: fp32
input: {name: x, positions: 256, features: 512}
operators:
  - {name: q, kind: linear, input: x, outputs: 512}
  - {name: scores, kind: scores, inputs: [q, x], heads: 8}
  - {name: probabilities, kind: softmax, input: scores}
  - {name: context, kind: context, inputs: [probabilities, x]}
  - {name: out, kind: linear, input: context, outputs: 512}
  - {name: sum, kind: add, inputs: [out, x]}
  - {name: norm, kind: layer_norm, input: sum}
"""


class Simulated(ProgramTest):
    def test_one_core_at_its_bandwidth_takes_what_the_probe_says(self):
        # The probe rounds each transfer to whole cycles; a memory of one bandwidth does not.
        self.write("attention.yaml", ATTENTION)
        settings = ("arch.accelerators=1", "arch.accelerator.processing_unit.view=core", "arch.execution.kernels=free",
                    "arch.accelerator.memory={kind: bandwidth, bandwidth: 450 GB/s, latency: 0 ns, capacity: 16 GiB}")
        overrides = [word for setting in settings for word in ("--set", setting)]
        run = self.json_of("simulate", "-w", "attention.yaml", "-a", "tpu-v3-128", "-p", "dp", *overrides)
        probe = ("probe", "compute", "--core", "tpu-v3", "--memory", "core", "-w", "attention.yaml", "--phase")
        for phase in ("forward", "backward-data", "backward-weight", "update"):
            simulated = run["breakdown"]["phases"][phase.replace("-", "_")]
            probed = self.json_of(*probe, phase)["total"]["time_s"]
            self.assertAlmostEqual(simulated["compute"] + simulated["memory"], probed, delta=0.002 * probed, msg=phase)


class Slips(ProgramTest):
    def refuse(self, *arguments, because):
        self.assert_refused("probe", *arguments, because=because)

    def test_of_names(self):
        self.refuse("compue", because="did you mean 'compute'?")
        self.refuse(because="no subcommand")
        self.refuse("compute", "--arry", "8x8", because=["tessera probe compute", "did you mean '--array'?"])
        self.refuse("compute", "--core", "tpu-v4", "--gemm", "1,1,1", because="did you mean 'tpu-v")
        self.refuse("compute", "--core", "tpu-v3", "-w", "hypar/vgga", because="did you mean 'hypar/vgg-a'?")
        self.refuse("compute", "--core", "tpu-v3", "-w", "hypar/sfc", "--set", "core.aray.rows=3",
                    because="did you mean 'array'?")
        self.refuse("compute", "--core", "tpu-v3", "-w", "hypar/sfc", "--set", "cor.array.rows=3",
                    because="did you mean 'core'?")

    def test_of_arrays(self):
        for array in ("128", "x", "128x", "axb", "8x8x8", ""):
            self.refuse("compute", "--array", array, "--gemm", "1,1,1", because="--array")
        for array in ("0x8", "8x-1", "8x4097", "99999999999999999999x8"):
            self.refuse("compute", "--array", array, "--gemm", "1,1,1", because="--array")
        self.refuse("compute", "--array", "8x8", "--dataflow", "rs", "--gemm", "1,1,1", because="--dataflow")

    def test_of_a_core_that_takes_forever(self):
        self.refuse("compute", "--core", "tpu-v3", "--set", "core.memory_bandwidth=1 b/s", "--gemm",
                    "1000000000,1000000,1", "--memory", "core", because="use a higher memory bandwidth")

    def test_of_products(self):
        for gemm in ("1,2", "1,2,3,4", "1,2,x", "0,1,1", "-1,1,1", "1000000000,1000000000,1000000000"):
            self.refuse("compute", "--array", "8x8", "--gemm", gemm, because="--gemm")

    def test_of_combinations(self):
        self.refuse("compute", "--gemm", "1,1,1", because="one of --array, --core and --eyeriss")
        self.refuse("compute", "--array", "8x8", because="one of --gemm, --layers and --workload")
        self.refuse("compute", "--array", "8x8", "--core", "tpu-v3", "--gemm", "1,1,1", because="one of --array")
        self.refuse("compute", "--array", "8x8", "--gemm", "1,1,1", "-w", "hypar/sfc", because="one of --gemm")
        self.refuse("compute", "--core", "tpu-v3", "--dataflow", "ws", "--gemm", "1,1,1", because="--dataflow")
        self.refuse("compute", "--eyeriss", "tpu-v3", "--gemm", "1,1,1", because="no row-stationary core")
        self.refuse("compute", "--core", "tpu-v3", "--gemm", "1,1,1", "--batch", "4", because="--batch")
        self.refuse("compute", "--core", "tpu-v3", "-w", "hypar/sfc", "--batch", "0", because="batch")
        self.refuse("compute", "--core", "tpu-v3", "-w", "hypar/sfc", "--phase", "sideways", because="--phase")


if __name__ == "__main__":
    unittest.main()
