"""A path inside a file is taken from beside that file, and every name that is printed is a name."""

import os
import unittest

import yaml

from program import NETWORK, ProgramTest

PRESETS = os.path.join(os.path.dirname(__file__), "..", "..", "arch", "presets")


def preset(name):
    with open(os.path.join(PRESETS, name + ".yaml"), encoding="utf-8") as file:
        return yaml.safe_load(file)


class PathsInFiles(ProgramTest):
    """An array in a folder of its own, which names a core and a memory beside it."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("mine"))
        array = preset("hmc-htree-16")
        array["schema"], array["fabric"]["link"]["bandwidth"] = "tessera.array/2", "125 Mb/s"  # no remark on stderr
        array["accelerator"]["processing_unit"]["core"] = "core.yaml"
        array["accelerator"]["memory"]["dram"] = "parts/memory.yaml"
        os.mkdir(self.path("mine/parts"))
        self.write("mine/array.yaml", yaml.safe_dump(array))
        self.write("mine/core.yaml", yaml.safe_dump(preset("cores/hypar-pu")))
        self.write("mine/parts/memory.yaml", yaml.safe_dump(preset("memory/hmc-2.1")))

    def cycles(self, array, *settings):
        return self.json_of("simulate", "-w", "hypar/lenet-c", "-a", array, "-p", "dp", *settings)["simulated"]["cycles"]

    def test_are_beside_the_file_that_names_them(self):
        self.assertEqual(self.cycles("mine/array.yaml"), self.cycles("hmc-htree-16"))
        self.assertEqual(self.cycles(self.path("mine/array.yaml")), self.cycles("hmc-htree-16"))

    def test_are_not_in_the_working_directory(self):
        self.write("core.yaml", yaml.safe_dump({**preset("cores/hypar-pu"), "clock": "1 MHz"}))
        self.assertEqual(self.cycles("mine/array.yaml"), self.cycles("hmc-htree-16"))
        os.remove(self.path("mine/core.yaml"))
        self.assert_refused("simulate", "-w", "hypar/lenet-c", "-a", "mine/array.yaml", "-p", "dp", because="mine/core.yaml")

    def test_that_are_typed_are_taken_from_the_working_directory(self):
        slow = {**preset("cores/hypar-pu"), "clock": "1 MHz"}
        self.write("core.yaml", yaml.safe_dump(slow))
        setting = ("--set", "arch.accelerator.processing_unit.core=core.yaml")
        self.assertEqual(self.cycles("mine/array.yaml", *setting),
                         self.cycles("hmc-htree-16", "--set", "arch.accelerator.processing_unit.core.clock=1 MHz"))

    def test_a_built_in_name_stays_one_whatever_lies_in_the_working_directory(self):
        os.mkdir(self.path("hypar"))
        self.write("hypar/lenet-c", NETWORK)
        self.write("hmc-htree-16", "not an array")
        self.write("hypar-pu", "not a core")
        document = self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "dp")
        self.assertEqual(document["workload"], "hypar/lenet-c")

    def test_in_a_table_of_references_too(self):
        self.write("mine/net.yaml", NETWORK)
        self.write("mine/suite.yaml", """\
schema: tessera.references/1
description: one
checks:
  - {source: here, metric: speedup, arch: array.yaml, baseline: {planner: dp}, tolerance: 1 %,
     cases: [{workload: net.yaml, planner: dp, value: 1}]}
""")
        self.output_of("validate", "mine/suite.yaml")


class Names(ProgramTest):
    def refuse(self, *arguments, because="has a control character"):
        self.assert_refused(*arguments, because=because)

    def test_of_arrays_hold_no_control_characters(self):
        for name in ("a\0b", "a\x1b[31mb", "a\nb", "", "a b", "-a", "../a"):
            self.write("array.yaml", yaml.safe_dump({**preset("hypar-paper"), "name": name}))
            self.refuse("simulate", "-w", "hypar/lenet-c", "-a", "array.yaml", "-p", "dp", "-o", "run.h5",
                        because="is no name (letters, digits" if name.isprintable() else "has a control character")

    def test_of_cores_memories_and_fabrics_hold_none_either(self):
        for kind, name in (("accelerator.processing_unit.core.name", "a\\eb"), ("accelerator.memory.dram.name", "a\\nb")):
            self.refuse("plan", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "dp", "--set", f'arch.{kind}="{name}"')
        self.refuse("probe", "memory", "-a", "hbm2", "--set", 'memory.name="a\\eb"', "--pattern", "random")
        self.refuse("probe", "fabric", "-a", "hmc-mesh", "--set", 'fabric.name="a\\eb"', "--pattern", "uniform", "--rate", "0.1")

    def test_of_measured_times_hold_none_either(self):
        self.write("net.yaml", NETWORK)
        self.write("times.yaml", """\
schema: tessera.profile/1
name: "a\\eb"
batch: 256
operators: [{name: fc1, forward: 1 ms, backward: 2 ms}, {name: fc2, forward: 1 ms, backward: 2 ms}]
""")
        self.refuse("plan", "-w", "net.yaml", "-a", "hypar-paper", "-p", "dp", "--set",
                    "arch.accelerator.processing_unit={kind: profile, times: times.yaml}")

    def test_of_planners_in_plans_hold_none_either(self):
        self.output_of("plan", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp", "-o", "plan.yaml")
        with open(self.path("plan.yaml"), encoding="utf-8") as file:
            plan = file.read()
        self.write("odd.yaml", plan.replace("planner: dp", 'planner: "d\\ep"'))
        self.refuse("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "--plan", "odd.yaml")


if __name__ == "__main__":
    unittest.main()
