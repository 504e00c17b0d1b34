"""`tessera probe fabric`: its JSON, its laws, and what it refuses."""

import unittest

from program import ProgramTest

TORUS = ("probe", "fabric", "--topology", "torus:4x4", "--packet-flits", "4", "--cycles", "5000")


class ProbeFabric(ProgramTest):
    def test_a_light_load_passes_at_the_latency_of_the_empty_network(self):
        for flow_control in ("wormhole", "cut-through"):
            found = self.json_of(*TORUS, "--rate", "0.02", "--flow-control", flow_control)
            self.assertEqual(found["schema"], "tessera.probe.fabric/1")
            self.assertFalse(found["saturated"])
            self.assertAlmostEqual(found["accepted_rate"], found["offered_rate"], delta=0.002)
            self.assertAlmostEqual(found["mean_hops"], 3, delta=0.2)
            self.assertAlmostEqual(found["mean_latency_cycles"], 17.2, delta=1)

    def test_too_much_load_saturates(self):
        found = self.json_of(*TORUS, "--rate", "1.5")
        self.assertTrue(found["saturated"])
        self.assertLess(found["accepted_rate"], 1)

    def test_the_seed_and_nothing_else_makes_a_difference(self):
        runs = [self.output_of(*TORUS, "--rate", "0.4", "--seed", seed) for seed in ("1", "1", "2")]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_what_has_no_meaning_is_refused(self):
        def refused(*arguments, because):
            self.assert_refused("probe", "fabric", "--rate", "0.1", *arguments, because=because)

        refused("--topology", "tours:4x4", because="did you mean 'torus'?")
        refused("--topology", "mesh:4x", because="mesh:4x4")
        refused("--topology", "mesh:4x4", "--pattern", "uniforn", because="did you mean 'uniform'?")
        refused("--topology", "mesh:4x2", "--pattern", "transpose", because="8 endpoints")
        refused("--topology", "torus:4x4", "--virtual-channels", "1", because="deadlock")
        refused("--topology", "mesh:4x4", "--packet-flits", "16", "--flow-control", "cut-through",
                because="--buffer-flits")
        refused("--topology", "star:40", because="virtual channels")


if __name__ == "__main__":
    unittest.main()
