"""`tessera bench`: what it measures and what it refuses."""

import json
import unittest

from program import DONE, ProgramTest


class Bench(ProgramTest):
    def test_a_component_is_timed(self):
        run = self.run_program("bench", "systolic", "--json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        document = json.loads(run.stdout)
        self.assertEqual(document["schema"], "tessera.bench/1")
        (case,) = document["cases"]
        self.assertEqual((case["case"], case["unit"]), ("systolic", "layers"))
        self.assertAlmostEqual(case["cycles_per_s"] * case["wall_s"], case["simulated_cycles"], delta=1)
        self.assertGreater(case["peak_rss_bytes"], 0)
        self.assertNotIn("fast_forward", case)

    def test_training_steps_are_timed_even_of_what_does_not_fit(self):
        run = self.run_program("bench", "resnet-50-rings", "gpt-2-tpu", "--json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        rings, gpt = json.loads(run.stdout)["cases"]
        self.assertEqual((rings["case"], gpt["case"]), ("resnet-50-rings", "gpt-2-tpu"))
        self.assertIn("512 accelerators", rings["description"])
        for case in (rings, gpt):
            self.assertEqual(case["unit"], "tiles")
            self.assertGreater(case["amount"], 0)
            self.assertGreater(case["simulated_cycles"], 0)

    def test_an_unknown_case_is_refused_with_the_nearest(self):
        self.assert_refused("bench", "systolc", because="systolic")


if __name__ == "__main__":
    unittest.main()
