"""Outputs replace what the same experiment wrote, and nothing else without --force."""

import os
import unittest

from program import DONE, NETWORK, ProgramTest

PROBLEM = ("-w", "hypar/lenet-c", "-a", "hypar-paper")
SIMULATE = ("simulate", *PROBLEM, "-p", "dp")


class Overwriting(ProgramTest):
    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def assert_kept(self, name, *arguments, because):
        """The command is refused and the file stays what it is; with --force it is replaced."""
        before = self.content(name)
        self.assert_refused(*arguments, because=[name, "--force", *([because] if isinstance(because, str) else because)])
        self.assertEqual(self.content(name), before)
        self.output_of(*arguments, "--force")
        self.assertNotEqual(self.content(name), before)

    def test_the_same_run_may_be_written_again(self):
        self.output_of(*SIMULATE, "-o", "run.h5")
        first = self.content("run.h5")
        self.output_of(*SIMULATE, "-o", "run.h5")
        self.assertEqual(self.content("run.h5"), first)

    def test_a_run_of_another_array_is_kept(self):
        self.output_of(*SIMULATE, "-o", "run.h5")
        self.assert_kept("run.h5", *SIMULATE, "--set", "arch.accelerators=4", "-o", "run.h5",
                         because="array: accelerators is '16' there, '4' here")

    def test_a_run_of_another_network_is_kept(self):
        self.output_of(*SIMULATE, "-o", "run.h5")
        self.assert_kept("run.h5", *SIMULATE, "--set", "workload.batch=512", "-o", "run.h5",
                         because="network: batch is '256' there, '512' here")

    def test_a_run_of_another_plan_is_kept(self):
        self.output_of(*SIMULATE, "-o", "run.h5")
        self.assert_kept("run.h5", "simulate", *PROBLEM, "-p", "mp", "-o", "run.h5", because="planner is 'dp' there, 'mp' here")
        self.output_of("plan", *PROBLEM, "-p", "mp", "-o", "plan.yaml")
        with open(self.path("plan.yaml"), encoding="utf-8") as file:
            plan = file.read()
        self.write("edited.yaml", plan.replace("conv1: [c, ", "conv1: [n, "))
        self.assert_kept("run.h5", "simulate", *PROBLEM, "--plan", "edited.yaml", "-o", "run.h5",
                         because="plan: operators.conv1.0 is 'c' there, 'n' here")

    def test_a_run_with_other_options_is_kept(self):
        self.output_of(*SIMULATE, "-o", "run.h5")
        self.assert_kept("run.h5", *SIMULATE, "--trace", "none", "-o", "run.h5", because="trace is 'tasks' there, 'none' here")

    def test_a_plan_does_not_turn_a_run_into_yaml(self):
        self.output_of(*SIMULATE, "-o", "run.h5")
        self.assert_kept("run.h5", "plan", *PROBLEM, "-p", "dp", "-o", "run.h5", because="it is an HDF5 file")

    def test_a_run_does_not_replace_a_plan(self):
        self.output_of("plan", *PROBLEM, "-p", "dp", "-o", "plan.yaml")
        self.assert_kept("plan.yaml", *SIMULATE, "-o", "plan.yaml", because="it is a tessera.plan/1")

    def test_another_plan_is_kept(self):
        plan = ("plan", *PROBLEM, "-p", "dp", "-o", "plan.yaml")
        self.output_of(*plan)
        self.output_of(*plan)
        self.assert_kept("plan.yaml", "plan", *PROBLEM, "-p", "mp", "-o", "plan.yaml", because="planner is 'dp' there, 'mp' here")

    def test_another_plan_is_kept_before_a_search_of_hours(self):
        self.output_of("plan", *PROBLEM, "-p", "dp", "-o", "plan.yaml")
        self.assert_refused("plan", *PROBLEM, "-p", "auto", "--set", "planner.budget=36000 s", "-o", "plan.yaml",
                            because=["plan.yaml", "planner is 'dp' there, 'auto' here", "--force"])

    def test_a_stranger_s_file_is_kept_and_an_empty_one_is_not(self):
        self.write("notes", "mine\n")
        self.assert_kept("notes", "plan", *PROBLEM, "-p", "dp", "-o", "notes", because="a file of another kind")
        self.write("empty", "")
        self.output_of("plan", *PROBLEM, "-p", "dp", "-o", "empty")
        self.assertGreater(os.path.getsize(self.path("empty")), 0)

    def test_probes_keep_what_another_probe_wrote(self):
        fabric = ("probe", "fabric", "--topology", "ring:4", "--pattern", "uniform", "--links", "links.csv")
        self.output_of(*fabric, "--rate", "0.1")
        self.output_of(*fabric, "--rate", "0.1")
        self.assert_kept("links.csv", *fabric, "--rate", "0.2", because="line 2 differs")
        memory = ("probe", "memory", "-a", "hbm2", "--pattern", "random", "--trace", "commands", "-o", "memory.h5")
        self.output_of(*memory, "--requests", "100")
        self.output_of(*memory, "--requests", "100")
        self.assert_kept("memory.h5", *memory, "--requests", "200", because=["options", "requests 100"])

    def test_imports_keep_what_another_import_wrote(self):
        for name, filters in (("a", 6), ("b", 7)):
            self.write(f"{name}.csv", "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, "
                                      f"Num Filter, Strides,\nconv1, 8, 8, 3, 3, 3, {filters}, 1,\n")
        self.output_of("import", "scalesim", "a.csv", "-o", "net.yaml")
        self.output_of("import", "scalesim", "a.csv", "-o", "net.yaml")
        self.assert_kept("net.yaml", "import", "scalesim", "b.csv", "-o", "net.yaml", because="name is 'a' there, 'b' here")


class ComparedFiles(ProgramTest):
    def test_other_settings_are_other_files(self):
        compare = ("compare", *PROBLEM, "-p", "dp", "-o", "runs")
        self.output_of(*compare)
        self.output_of(*compare, "--set", "arch.accelerators=4")
        self.output_of(*compare, "--set", "arch.accelerators=64")
        self.assertEqual(self.files(), ["runs", "runs/hypar_lenet-c.hypar-paper.dp.arch.accelerators=4.h5",
                                        "runs/hypar_lenet-c.hypar-paper.dp.arch.accelerators=64.h5",
                                        "runs/hypar_lenet-c.hypar-paper.dp.h5"])

    def test_names_that_differ_in_slashes_and_underscores_are_other_files(self):
        for file, name in (("a.yaml", "hypar/net"), ("b.yaml", "hypar_net")):
            self.write(file, NETWORK.replace("small", name))
        self.output_of("compare", "-w", "a.yaml,b.yaml", "-a", "hypar-paper", "-p", "dp", "-o", "runs")
        self.assertEqual(len(os.listdir(self.path("runs"))), 2)

    def test_an_edited_array_of_the_same_name_is_refused_before_anything_is_simulated(self):
        compare = ("compare", "-w", "net.yaml", "-a", "hypar-paper", "-p", "dp,mp", "-o", "runs")
        self.write("net.yaml", NETWORK)
        self.output_of(*compare)
        self.write("net.yaml", NETWORK.replace("outputs: 32", "outputs: 48"))
        self.assert_refused(*compare, because=["runs/small.hypar-paper.dp.h5", "operators.0.outputs is '32' there", "--force"])
        self.assertEqual(self.run_program(*compare, "--force").returncode, DONE)


if __name__ == "__main__":
    unittest.main()
