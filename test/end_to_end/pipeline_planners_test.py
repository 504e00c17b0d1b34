"""Planners of pipelines from the command line: what a plan shows, its JSON, its file, and what is refused."""

import unittest

from program import ProgramTest

SMALL = ("-w", "hypar/lenet-c", "-a", "hypar-paper")


class PipelinePlanners(ProgramTest):
    def test_a_plan_shows_its_pipeline(self):
        text = self.output_of("plan", *SMALL, "-p", "gpipe", "--set", "planner.stages=2", "--set", "planner.micro_batches=32")
        self.assertIn("schedule gpipe: 32 micro-batches of 8 samples", text)
        self.assertRegex(text, r"stage +accelerators +replicas +in flight +versions +activations +order +layers")
        self.assertRegex(text, r"\n +0 +0-7 +8 +4 +1 +stored +F0 F8 F16 F24 B0 B8 B16 B24 \.\.\. +conv1 ")
        self.assertNotIn("split over", text)  # no layer is: the stages say all

    def test_json_has_the_stages_and_the_schedule(self):
        document = self.json_of("plan", *SMALL, "-p", "pipedream")
        self.assertEqual(set(document["schedule"]) >= {"kind", "micro_batches", "weight_versions"}, True)
        self.assertEqual(document["schedule"]["kind"], "pipedream")
        operators = [name for stage in document["stages"] for name in stage["operators"]]
        self.assertEqual(operators, ["conv1", "conv2", "fc1", "fc2"])
        accelerators = [number for stage in document["stages"] for number in stage["accelerators"]]
        self.assertEqual(sorted(accelerators), list(range(16)))
        for stage in document["stages"]:
            self.assertEqual(stage["replicas"], len(stage["accelerators"]))

    def test_a_plans_file_is_simulated_as_the_plan(self):
        for planner in ("pipedream", "gpipe", "pipedream-2bw", "megatron", "tp"):
            self.output_of("plan", *SMALL, "-p", planner, "-o", f"{planner}.yaml")
            planned = self.json_of("simulate", *SMALL, "-p", planner)
            from_file = self.json_of("simulate", *SMALL, "--plan", f"{planner}.yaml")
            self.assertEqual(from_file["simulated"]["cycles"], planned["simulated"]["cycles"], planner)

    def test_compare_takes_them_beside_others(self):
        document = self.json_of("compare", *SMALL, "-p", "dp,pipedream,gpipe,pipedream-2bw,megatron,tp")
        self.assertEqual([result["planner"] for result in document["results"]],
                         ["dp", "pipedream", "gpipe", "pipedream-2bw", "megatron", "tp"])
        for result in document["results"]:
            self.assertEqual(result["batch"], 256)
            self.assertEqual(result["simulated"]["communication_bytes"], result["predicted"]["communication_bytes"])

    def test_options_of_others_are_refused(self):
        self.assert_refused("plan", *SMALL, "-p", "gpipe", "--set", "planner.rule=released",
                            because="is not an option of gpipe (but of pipedream, auto)")
        self.assert_refused("plan", *SMALL, "-p", "pipedream", "--set", "planner.stages=2",
                            because="is not an option of pipedream (but of gpipe, megatron, auto)")
        self.assert_refused("plan", *SMALL, "-p", "pipedream", "--set", "planner.micro_batches=100",
                            because=["planner.micro_batches: batch 256 cannot be cut in 100", "use 64 or another"])
        self.assert_refused("plan", *SMALL, "-p", "gpipe", "--set", "planner.stages=3",
                            because="planner.stages: 16 accelerators cannot be 3 stages")
        self.assert_refused("plan", *SMALL, "-p", "gnmt-expert", because="has none; use pipedream or gpipe")

    def test_repeated_layers_are_folded(self):
        text = self.output_of("plan", "-w", "gpt-355m", "-a", "hypar-paper", "-p", "tp")
        self.assertRegex(text, r"\nlayer1\.\.24/inner +III +III +III +III +x24\n")
        self.assertNotIn("layer2/", text)
        self.assertLess(text.count("\n"), 40)
        document = self.json_of("plan", "-w", "gpt-355m", "-a", "hypar-paper", "-p", "tp")
        self.assertEqual(len(document["levels"][0]["types"]), 317)
        self.assertNotIn("times", self.output_of("plan", *SMALL, "-p", "hypar"))

    def test_a_replica_that_sits_a_round_out_updates_its_weights_one_version_after_another(self):
        # Twelve replicas, sixteen micro-batches: eight replicas have two updates in a row. The run checks how many versions it held.
        point = self.json_of("simulate", "-w", "accpar/vgg-16", "-a", "pipedream-a", "-p", "pipedream", "--set", "workload.batch=1024",
                             "--set", "planner.fit=ignore")
        self.assertEqual([stage["weight_versions"] for stage in point["stages"]], [2, 2, 1])


if __name__ == "__main__":
    unittest.main()
