"""Planners from the command line: conventions of an array's file, and ratios."""

import unittest

from program import ProgramTest

RELEASED = ("plan", "-w", "accpar-released/alexnet", "-a", "accpar-released")
TYPES = ("I", "II", "III")
# The authors' plan (github.com/linghaosong/AccPar), a digit per layer, level by level.
ACCPAR = ["00000121", "00000211", "00000121", "00000212", "00000121", "00021212", "00001121"]
HYPAR = ["00000111", "00000111", "00000111", "00000100", "00000111", "00001000", "00011111"]

TWO_KINDS = ("-w", "accpar/vgg-11", "-a", "tpu-v2v3-256", "-p", "accpar")


class Plan(ProgramTest):
    def types_of(self, *arguments):
        levels = self.json_of(*arguments)["levels"]
        return ["".join(str(TYPES.index(type)) for type in level["types"].values()) for level in levels]

    def test_follows_the_conventions_of_the_array(self):
        self.assertEqual(self.types_of(*RELEASED, "-p", "accpar"), ACCPAR)
        self.assertEqual(self.types_of(*RELEASED, "-p", "hypar"), HYPAR)

    def test_a_setting_goes_before_the_convention_of_the_array(self):
        own = self.types_of(*RELEASED, "-p", "accpar", "--set", "planner.inter_layer=as_evaluated")
        self.assertNotEqual(own, ACCPAR)

    def test_an_unknown_key_is_refused_wherever_it_stands(self):
        self.assert_refused(*RELEASED, "-p", "accpar", "--set", "planner.compte=ignored", because="compute")
        self.assert_refused(*RELEASED, "-p", "accpar", "--set", "arch.planner.compte=ignored", because="compute")

    def test_shows_ratios(self):
        self.assertRegex(self.output_of("plan", *TWO_KINDS), r"conv1_1 +I 0\.2713 +I ")
        levels = self.json_of("plan", *TWO_KINDS)["levels"]
        self.assertAlmostEqual(levels[0]["ratio"]["conv1_1"], 700 / (700 + 2 * 940))
        self.assertEqual(levels[1]["ratio"]["conv1_1"], 0.5)

    def test_unequal_halves_are_simulated(self):
        self.output_of("plan", *TWO_KINDS, "-o", "plan.yaml")
        planned = self.json_of("simulate", *TWO_KINDS)
        from_file = self.json_of("simulate", *TWO_KINDS[:4], "--plan", "plan.yaml")
        self.assertEqual(from_file["simulated"]["cycles"], planned["simulated"]["cycles"])

    def test_a_plan_that_does_not_fit_is_refused_before_anything_is_written(self):
        small = ("-w", "hypar/lenet-c", "-a", "hypar-paper", "--set", "arch.accelerator.memory.capacity=3 MB")
        reject = ("--set", "planner.fit=reject")
        self.output_of("plan", *small, "-p", "dp", "-o", "dp.yaml")  # the paper's machine looks away
        why = "planner.fit: the plan of dp for hypar/lenet-c, batch 256, makes accelerator 0 hold "
        self.assert_refused("plan", *small, *reject, "-p", "dp", "-o", "plan.yaml", because=why)
        self.assert_refused("simulate", *small, *reject, "-p", "dp", "-o", "run.h5", because=why)
        self.assert_refused("simulate", *small, *reject, "--plan", "dp.yaml", "-o", "run.h5", because=why)
        self.assert_refused("compare", *small, *reject, "-p", "dp", because=why)
        self.assertEqual(self.files(), ["dp.yaml"])

    def test_a_search_finds_a_plan_that_fits(self):
        small = ("-w", "hypar/vgg-a", "-a", "hypar-paper", "-p", "hypar",
                 "--set", "arch.accelerator.memory.capacity=300 MB")
        own, found = (self.json_of("simulate", *small, "--set", f"planner.fit={fit}") for fit in ("ignore", "search"))
        held = [point["memory"]["needed_bytes"] - point["memory"]["working_bytes"] for point in (own, found)]
        self.assertGreater(held[0], 300e6)
        self.assertLessEqual(held[1], 300e6)
        self.assertGreater(found["simulated"]["time_s"], own["simulated"]["time_s"])


if __name__ == "__main__":
    unittest.main()
