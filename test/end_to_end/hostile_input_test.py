"""Whatever is wrong with the input: one line, exit code 2, nothing written."""

import os
import unittest

from program import NETWORK, ProgramTest

SIMULATE = ("simulate", "-a", "hypar-paper", "-p", "dp", "-o", "run.h5")


class HostileNetworks(ProgramTest):
    def refuse(self, text, because):
        self.write("network.yaml", text)
        self.assert_refused(*SIMULATE, "-w", "network.yaml", because=because)

    def test_an_unknown_key_is_named_with_its_place_and_the_nearest(self):
        self.refuse(NETWORK.replace("batch:", "bacth:"), ["network.yaml:3:1", "bacth", "did you mean 'batch'?"])

    def test_a_cycle_is_named(self):
        self.refuse(NETWORK + "  - {name: sum, kind: add, inputs: [fc2, tail]}\n"
                    "  - {name: tail, kind: linear, input: sum, outputs: 16}\n", ["network.yaml:", "cycle", "sum", "tail"])

    def test_a_tensor_of_10_to_the_15_bytes_is_too_large(self):
        # 250e6 * 1e6 weights of 4 bytes
        huge = NETWORK.replace("features: 64", "features: 250000000").replace("outputs: 32", "outputs: 1000000")
        self.refuse(huge, ["network.yaml:", "too large"])

    def test_an_empty_file(self):
        self.refuse("", ["network.yaml", "empty"])

    def test_an_alias_bomb(self):
        bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        bomb += "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]\n" for n in range(30))
        self.refuse(bomb, ["network.yaml:1:", "anchor"])

    def test_deep_nesting(self):
        self.refuse("[" * 100_000, ["network.yaml:1:"])

    def test_bytes_that_are_no_text(self):
        with open(self.path("network.yaml"), "wb") as file:
            file.write(bytes(range(256)) * 10)
        self.assert_refused(*SIMULATE, "-w", "network.yaml", because="network.yaml")

    def test_a_missing_key(self):
        self.refuse(NETWORK.replace("batch: 256\n", ""), ["network.yaml:", "batch"])

    def test_a_key_twice(self):
        self.refuse(NETWORK + "batch: 512\n", ["network.yaml:9:1", "batch"])

    def test_an_input_that_nobody_makes(self):
        self.refuse(NETWORK.replace("input: fc1", "input: fcl"), ["network.yaml:", "fcl", "did you mean 'fc1'?"])

    def test_a_directory(self):
        os.mkdir(self.path("network.yaml"))
        self.assert_refused(*SIMULATE, "-w", "network.yaml", because="is a directory")

    def test_a_file_that_does_not_exist(self):
        self.assert_refused(*SIMULATE, "-w", "nowhere/network.yaml", because="nowhere/network.yaml")


class HostileSettings(ProgramTest):
    def refuse(self, setting, because):
        self.assert_refused(*SIMULATE, "-w", "hypar/lenet-c", "--set", setting, because=because)

    def test_a_missing_unit(self):
        self.refuse("arch.fabric.link.bandwidth=2", ["fabric.link.bandwidth", "no unit", "'2 GB/s'"])

    def test_a_wrong_unit(self):
        self.refuse("arch.fabric.link.bandwidth=2 ns", ["fabric.link.bandwidth", "2 ns"])

    def test_a_negative_bandwidth(self):
        self.refuse("arch.fabric.link.bandwidth=-2 GB/s", ["fabric.link.bandwidth", "negative"])

    def test_a_bandwidth_of_zero(self):
        self.refuse("arch.fabric.link.bandwidth=0 GB/s", "fabric.link.bandwidth")

    def test_a_batch_that_does_not_divide(self):
        self.refuse("workload.batch=100", ["batch 100 is not divisible by 16", "use 96 or 112"])

    def test_a_number_that_no_integer_holds(self):
        self.refuse("workload.batch=99999999999999999999", "batch")

    def test_an_unknown_key_names_the_nearest(self):
        self.refuse("arch.fabric.link.bandwith=2 GB/s", "did you mean 'bandwidth'?")
        self.refuse("planner.inter_layers=printed", "did you mean 'inter_layer'?")

    def test_an_unknown_prefix_names_the_nearest(self):
        self.refuse("arhc.accelerators=4", "did you mean 'arch'?")

    def test_no_value(self):
        self.refuse("arch.accelerators", "no value")

    def test_a_step_longer_than_time_can_be_counted(self):
        self.assert_refused("simulate", "-w", "hypar/sfc", "-a", "hypar-paper", "-p", "mp", "-o", "run.h5",
                            "--set", "arch.fabric.link.bandwidth=1 kb/s", "--set", "workload.batch=4096",
                            because=["arch.fabric.link.bandwidth", "cannot be counted", "use faster links"])

    def test_an_array_that_is_no_hierarchy(self):
        self.refuse("arch.accelerators=17", ["accelerators", "power of two"])


class HostilePlans(ProgramTest):
    def plan(self, workload):
        self.output_of("plan", "-w", workload, "-a", "hypar-paper", "-p", "hypar", "-o", "plan.yaml")

    def simulate_refused(self, *arguments, because):
        self.assert_refused("simulate", "-a", "hypar-paper", "--plan", "plan.yaml", "-o", "run.h5", *arguments,
                            because=because)

    def test_a_plan_for_another_network(self):
        self.plan("hypar/sfc")
        self.simulate_refused("-w", "hypar/lenet-c", because=["plan.yaml:", "hypar/sfc", "hypar/lenet-c"])

    def test_a_plan_for_another_batch(self):
        self.plan("hypar/sfc")
        self.simulate_refused("-w", "hypar/sfc", "--set", "workload.batch=512", because=["plan.yaml:", "batch"])

    def test_a_plan_for_another_number_of_accelerators(self):
        self.plan("hypar/sfc")
        self.simulate_refused("-w", "hypar/sfc", "--set", "arch.accelerators=8", because=["plan.yaml:", "16"])

    def test_a_plan_that_was_edited_wrongly(self):
        self.plan("hypar/sfc")
        with open(self.path("plan.yaml"), encoding="utf-8") as file:
            text = file.read()
        self.write("plan.yaml", text.replace("fc1:", "fc9:"))
        self.simulate_refused("-w", "hypar/sfc", because=["plan.yaml:", "fc9"])
        self.write("plan.yaml", text.replace("fc1: [", "fc1: [r, "))
        self.simulate_refused("-w", "hypar/sfc", because="plan.yaml:")

    def test_no_plan(self):
        self.simulate_refused("-w", "hypar/sfc", because="plan.yaml")

    def test_an_empty_plan(self):
        self.write("plan.yaml", "")
        self.simulate_refused("-w", "hypar/sfc", because=["plan.yaml", "empty"])


if __name__ == "__main__":
    unittest.main()
