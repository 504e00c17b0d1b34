"""The JSON keys that scripts rely on, and what must hold between their values."""

import math
import unittest

from program import ProgramTest

WORKLOADS = "hypar/lenet-c,hypar/sfc"
PLANNERS = "dp,mp,hypar"
RESULT = {"workload": str, "arch": str, "batch": int, "planner": str, "predicted": dict, "simulated": dict,
          "speedup": float, "energy_efficiency": float, "plan_wall_s": float, "simulate_wall_s": float,
          "peak_rss_bytes": int}
PREDICTED = {"time_s": float, "communication_bytes": int, "energy_j": float}
SIMULATED = {**PREDICTED, "cycles": int, "fingerprint": str}


class Contract(ProgramTest):
    def assert_has(self, entry, keys):
        for key, kind in keys.items():
            self.assertIsInstance(entry[key], kind, key)

    def assert_is_result(self, result, keys=None):
        self.assert_has(result, keys or RESULT)
        self.assert_has(result["predicted"], PREDICTED)
        self.assert_has(result["simulated"], SIMULATED)
        self.assertRegex(result["simulated"]["fingerprint"], r"\A[0-9a-f]{16}\Z")
        self.assertGreater(result["peak_rss_bytes"], 0)

    def test_what_was_not_computed_is_absent_and_not_zero(self):
        problem = ("-w", "hypar/lenet-c", "-a", "hypar-paper")
        plan = self.json_of("plan", *problem, "-p", "dp", "-o", "plan.yaml")
        for level in plan["levels"]:
            self.assertNotIn("simulated_bytes", level)  # nothing was simulated
        simulated = self.json_of("simulate", *problem, "--plan", "plan.yaml")
        for key in ("speedup", "energy_efficiency",  # compared with nothing
                    "plan_wall_s",  # planned before
                    "tiles", "addresses"):  # of cores, which this array has none of
            self.assertNotIn(key, simulated)
        memory = self.json_of("probe", "memory", "-a", "hmc-2.1", "--pattern", "random", "--requests", "100")
        self.assertEqual(memory["latency_cycles"]["write"], {"requests": 0})
        self.assertNotIn("link_idle", memory["energy_j"])

    def test_compare(self):
        document = self.json_of("compare", "-w", WORKLOADS, "-a", "hypar-paper", "-p", PLANNERS)
        self.assertEqual(document["schema"], "tessera.compare/1")
        for result in document["results"]:
            self.assertNotIn("explain_wall_s", result)  # no table says why
        results = document["results"]
        self.assertEqual([(result["workload"], result["planner"]) for result in results],
                         [(workload, planner) for workload in WORKLOADS.split(",") for planner in PLANNERS.split(",")])
        for result in results:
            self.assert_is_result(result)
            self.assertEqual((result["arch"], result["batch"]), ("hypar-paper", 256))

    def test_compare_is_against_the_first_planner(self):
        document = self.json_of("compare", "-w", WORKLOADS, "-a", "hypar-paper", "-p", PLANNERS)
        first = {result["workload"]: result for result in document["results"] if result["planner"] == "dp"}
        logarithms = {}
        for result in document["results"]:
            baseline = first[result["workload"]]["simulated"]
            self.assertAlmostEqual(result["speedup"], baseline["time_s"] / result["simulated"]["time_s"])
            self.assertAlmostEqual(result["energy_efficiency"],
                                   baseline["energy_j"] / result["simulated"]["energy_j"])
            logarithms.setdefault(result["planner"], []).append(math.log(result["speedup"]))
        self.assertEqual([mean["planner"] for mean in document["geomean"]], PLANNERS.split(","))
        for mean in document["geomean"]:
            self.assertEqual(mean["arch"], "hypar-paper")
            self.assertIsInstance(mean["energy_efficiency"], float)
            values = logarithms[mean["planner"]]
            self.assertAlmostEqual(mean["speedup"], math.exp(sum(values) / len(values)))

    def test_simulate_says_where_time_and_energy_went(self):
        document = self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "hypar")
        self.assertEqual(document["schema"], "tessera.simulate/1")
        self.assert_is_result(document, {key: kind for key, kind in RESULT.items()
                                         if key not in ("speedup", "energy_efficiency")})
        self.assertEqual(document["skipped"], {"repeated_tiles": 0, "mirrored_tiles": 0, "tiles_repeated_within": 0,
                                               "repeated_blocks": 0, "mirrored_accelerators": 12})
        simulated = document["simulated"]
        breakdown = document["breakdown"]
        shares = ("compute", "communication", "memory", "idle")
        # Averaged over the accelerators, the shares add up to the time of the step; so do phases and layers.
        self.assertAlmostEqual(sum(breakdown["total"][share] for share in shares), simulated["time_s"])
        self.assertEqual(list(breakdown["phases"]), ["forward", "backward_data", "backward_weight", "update"])
        self.assertEqual(list(breakdown["layers"]), ["conv1", "conv2", "fc1", "fc2"])
        for share in shares:
            for parts in ("phases", "layers"):
                self.assertAlmostEqual(sum(part[share] for part in breakdown[parts].values()),
                                       breakdown["total"][share])
        self.assertAlmostEqual(sum(document["energy"].values()), simulated["energy_j"])
        self.assertEqual(sum(level["simulated_bytes"] for level in document["levels"]),
                         simulated["communication_bytes"])

    def test_simulate_says_how_many_blocks_of_an_hbm_were_not_worked_out(self):
        point = ("-w", "hypar/lenet-c", "-a", "tpu-v3-128", "-p", "dp", "--set", "workload.batch=16",
                 "--set", "arch.accelerators=4", "--set", "arch.fabric.topology=htree")
        document = self.json_of("simulate", *point)
        blocks = document["blocks"]
        self.assertGreater(blocks["repeated"], 0)
        self.assertLess(blocks["repeated"], blocks["asked"])
        self.assertEqual(document["skipped"]["repeated_blocks"], blocks["repeated"])
        text = self.output_of("simulate", *point)
        self.assertIn(f"\n{blocks['asked']} blocks were asked of the channels that were simulated; {blocks['repeated']} (", text)
        self.assertNotIn("repeat a step", text)
        # Worked out in full, nothing repeats; an HMC has turns of few blocks, and repeats steps of tiles instead.
        for full in (self.json_of("simulate", *point, "--no-fast-forward"),
                     self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "dp", "--set", "workload.batch=16")):
            self.assertNotIn("blocks", full)
            self.assertEqual(full["skipped"]["repeated_blocks"], 0)

    def test_simulate_says_why_it_took_so_long(self):
        document = self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp")
        path = document["critical_path"]
        self.assertAlmostEqual(sum(share["time_s"] for share in path), document["simulated"]["time_s"], places=12)
        self.assertEqual(path, sorted(path, key=lambda share: -share["time_s"]))
        # dp on a slow fabric: it sums gradients.
        self.assertEqual((path[0]["cause"], path[0]["phase"]), ("communication", "backward_weight"))
        self.assertIn(path[0]["link"], document["links"])
        self.assertTrue(all("layer" not in share for share in path if share["cause"] in ("dispatch", "barrier")))
        faster = document["what_if"]
        self.assertEqual(list(faster), ["compute", "links"] + [f"links of level {level}" for level in (1, 2, 3, 4)])
        for times in faster.values():
            self.assertLessEqual(times["estimate_infinite_s"], times["estimate_2x_s"])
            self.assertLessEqual(times["estimate_2x_s"], document["simulated"]["time_s"])
            self.assertLessEqual(times["bound_s"], document["simulated"]["time_s"])
        self.assertGreater(document["explain_wall_s"], 0)  # beside simulate_wall_s

    def test_the_critical_path_says_which_of_different_accelerators_computed(self):
        document = self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "tpu-v2v3-256", "-p", "dp")
        for share in document["critical_path"]:
            self.assertEqual("accelerators" in share, share["cause"] in ("compute", "memory"), share)
        # Halves of the batch: the slower chips, which are the first, are waited for.
        computed = {}
        for share in document["critical_path"]:
            if share["cause"] == "compute":
                computed[share["accelerators"]] = computed.get(share["accelerators"], 0) + share["time_s"]
        self.assertEqual(max(computed, key=computed.get), "0 to 127")

    def test_simulate_says_what_links_did(self):
        document = self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp")
        links = document["links"]
        self.assertEqual(len(links), 2 * (16 + 8 + 4 + 2))  # an H-tree over 16: every node but the root has two links
        for link in links.values():
            self.assertGreaterEqual(link["busy_fraction"], 0)
            self.assertLessEqual(link["busy_fraction"], 1)
        # In an H-tree a message to the counterpart at level h crosses levels h to 4, up and down; all messages of
        # dp have equal sizes per level, so what enters the fabric by accelerators' links is what they sent.
        entering = sum(link["bytes"] for name, link in links.items() if name.startswith("accelerator-"))
        self.assertEqual(entering, document["simulated"]["communication_bytes"])

    def test_plan(self):
        document = self.json_of("plan", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "hypar")
        self.assert_has(document, {"schema": str, "predicted": dict, "timeline": dict, "planner_wall_s": float, "evaluations": int})
        self.assert_has(document["timeline"], {"time_s": float, "busiest_core_s": float, "busiest_link_s": float, "tasks": int})
        self.assert_has(document["predicted"], PREDICTED)
        self.assertEqual([level["level"] for level in document["levels"]], [1, 2, 3, 4])
        # HyPar, Fig. 5: H1 = 0011
        self.assertEqual(document["levels"][0]["types"], {"conv1": "I", "conv2": "I", "fc1": "II", "fc2": "II"})
        self.assertEqual(document["levels"][0]["ratio"], {"conv1": 0.5, "conv2": 0.5, "fc1": 0.5, "fc2": 0.5})

    def test_plan_and_simulate_predict_the_same(self):
        problem = ("-w", "hypar/sfc", "-a", "hypar-paper", "-p", "hypar")
        self.assertEqual(self.json_of("plan", *problem)["predicted"], self.json_of("simulate", *problem)["predicted"])

    def test_one_accelerator_has_no_levels_and_no_links(self):
        document = self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "hypar", "--set",
                                "arch.accelerators=1")
        self.assertEqual((document["levels"], document["links"]), ([], {}))
        self.assertEqual(document["simulated"]["communication_bytes"], 0)


if __name__ == "__main__":
    unittest.main()
