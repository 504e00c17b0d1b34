"""No key of a file does nothing (dead_keys.py; here a part of its studies, on the smallest network)."""

import unittest

import dead_keys
from program import ProgramTest

SMALLEST = (("hypar/lenet-c", 16),)


class DeadKeys(ProgramTest):
    def expect_none_dead(self, study, keys):
        chosen = [key for key, _ in study.keys() if keys(key) and dead_keys.reason(key) is None]
        self.assertTrue(chosen)
        found = dead_keys.judge(study, chosen)
        self.assertEqual([key for key, what in found.items() if what == "dead"], [], study.name)

    def test_of_arrays(self):
        for name in ("hypar-paper", "hmc-htree-16", "tpu-v3-128"):
            self.expect_none_dead(dead_keys.array_study(name, SMALLEST), lambda key: ".core." not in key and ".dram." not in key)

    def test_of_a_cube_over_its_links(self):
        study = dead_keys.array_study("hmc-htree-16", (("hypar/lenet-c", 4),), dead_keys.OVER_LINKS)
        chosen = [key for key, _ in study.keys() if ".dram.hmc." in key or key.endswith((".through", ".outstanding"))]
        found = dead_keys.judge(study, chosen)
        # Eight requests never run out of tokens.
        self.assertEqual([key for key, what in found.items() if what == "dead" and not key.endswith(".tokens")], [])

    def test_of_planners(self):
        for study in dead_keys.planner_studies():
            self.expect_none_dead(study, lambda key: True)

    def test_of_fabrics(self):
        self.expect_none_dead(dead_keys.fabric_study("hmc-mesh"), lambda key: True)

    def test_the_search_finds_a_key_that_does_nothing(self):
        study = dead_keys.array_study("hypar-paper", SMALLEST)
        self.assertEqual(dead_keys.judge(study, ["description"]), {"description": "dead"})


class EnergyOfCores(ProgramTest):
    """The symptom: predicted with the array's constants, simulated with the cores'."""

    SIMULATE = ("simulate", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "hypar", "--set", "workload.batch=16")

    def test_an_array_of_cores_refuses_what_its_cores_have(self):
        for key, own in (("multiply", "mac"), ("buffer_access", "buffer")):
            self.assert_refused(*self.SIMULATE, "--set", f"arch.energy.{key}=1000000 pJ",
                                because=[f"energy.{key}: does nothing here",
                                         f"set accelerator.processing_unit.core.energy.{own}"])

    def test_the_energy_of_a_mac_is_predicted_and_simulated_from_one_place(self):
        def energies(*settings):
            document = self.json_of(*self.SIMULATE, *settings)
            return document["predicted"]["energy_j"], document["simulated"]["energy_j"]

        at_once = energies()
        dearer = energies("--set", "arch.accelerator.processing_unit.core.energy.mac=1000 pJ")
        predicted, simulated = (after - before for before, after in zip(at_once, dearer))
        # Simulated MACs are those executed, with what padding and element-wise work add to those of the network.
        self.assertGreater(predicted, 0.5 * simulated)
        self.assertLess(predicted, simulated)


if __name__ == "__main__":
    unittest.main()
