"""Nothing about how a simulation is run may change what comes out."""

import copy
import unittest

from program import ProgramTest

DRAGONFLY = (
    "arch.fabric={clock: 1 GHz, topology: {kind: dragonfly, shape: [4, 2, 2], link: {bandwidth: 1 Gb/s, latency: 40 ns}, "
    "port: {bandwidth: 1 Gb/s, latency: 10 ns}}}"
)
# One array without overlap, one with it, one with two ways between accelerators, one with switches of many ports.
ARRAYS = (
    ("-a", "hypar-paper"),
    ("-a", "hmc-htree-16"),
    ("-a", "hmc-htree-16", "--set", "arch.fabric.topology=torus"),
    ("-a", "hmc-htree-16", "--set", DRAGONFLY),
)


def without_wall_times(document):
    document = copy.deepcopy(document)
    for result in document.get("results", [document]):
        for key in ("plan_wall_s", "simulate_wall_s", "explain_wall_s", "peak_rss_bytes"):
            result.pop(key, None)  # a plan from a file has no time of planning
    return document


class Determinism(ProgramTest):
    def simulate(self, array, *arguments):
        return without_wall_times(self.json_of("simulate", "-w", "hypar/alexnet", *array, *arguments))

    def test_module_order_and_same_time_order_do_not_matter(self):
        for array in ARRAYS:
            expected = self.simulate(array, "-p", "hypar")
            for change in (("--host", "engine"), ("--module-order", "reverse"), ("--shuffle-same-time", "1"), ("--shuffle-same-time", "2"),
                           ("--shuffle-same-time", "3"), ("--module-order", "reverse", "--shuffle-same-time", "4")):
                self.assertEqual(self.simulate(array, "-p", "hypar", *change), expected, (array, change))

    def test_the_number_of_workers_does_not_matter(self):
        compare = ("compare", "-w", "hypar/vgg-a,hypar/lenet-c,hypar/sfc", "-a", "hypar-paper", "-p", "dp,mp,hypar")
        one, two, many = (without_wall_times(self.json_of(*compare, "-j", workers)) for workers in ("1", "2", "9"))
        self.assertEqual(one, two)
        self.assertEqual(one, many)

    def test_writing_a_run_file_does_not_matter(self):
        expected = self.simulate(ARRAYS[0], "-p", "hypar")
        for trace in ("tasks", "repeats", "none"):
            printed = self.simulate(ARRAYS[0], "-p", "hypar", "-o", f"{trace}.h5", "--trace", trace)
            self.assertEqual(printed.pop("trace"), trace)
            self.assertEqual(printed, expected)

    def test_different_plans_have_different_fingerprints(self):
        fingerprints = {self.simulate(ARRAYS[0], "-p", planner)["simulated"]["fingerprint"]
                        for planner in ("dp", "mp", "hypar")}
        self.assertEqual(len(fingerprints), 3)

    def test_a_plan_from_a_file_is_the_planners(self):
        for array in ARRAYS:
            self.output_of("plan", "-w", "hypar/alexnet", *array, "-p", "hypar", "-o", "plan.yaml", "--force")
            self.assertEqual(self.simulate(array, "--plan", "plan.yaml"), self.simulate(array, "-p", "hypar"))

    def test_simulate_and_compare_agree(self):
        compared = self.json_of("compare", "-w", "hypar/alexnet", "-a", "hypar-paper", "-p", "hypar")["results"][0]
        self.assertEqual(compared["simulated"], self.simulate(ARRAYS[0], "-p", "hypar")["simulated"])


class RunFiles(ProgramTest):
    def test_compare_writes_one_per_point(self):
        self.output_of("compare", "-w", "hypar/lenet-c,hypar/sfc", "-a", "hypar-paper", "-p", "dp,hypar", "-o", "runs")
        self.assertEqual(self.files(), ["runs", "runs/hypar_lenet-c.hypar-paper.dp.h5",
                                        "runs/hypar_lenet-c.hypar-paper.hypar.h5",
                                        "runs/hypar_sfc.hypar-paper.dp.h5", "runs/hypar_sfc.hypar-paper.hypar.h5"])


if __name__ == "__main__":
    unittest.main()
