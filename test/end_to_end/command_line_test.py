"""What can be typed: help, names, and slips of the keyboard."""

import json
import re
import unittest

from program import CHECK_FAILED, DONE, NO_PROGRESS, OUR_FAULT, USERS_FAULT, ProgramTest

SUBCOMMANDS = ("list", "plan", "simulate", "compare", "validate", "probe", "import", "export", "report")
PROBLEM = ("-w", "hypar/lenet-c", "-a", "hypar-paper")


class Help(ProgramTest):
    def test_every_subcommand_shows_an_example(self):
        self.assertRegex(self.output_of("--help"), r"Example:\n  tessera ")
        for subcommand in SUBCOMMANDS:
            self.assertIn(f"\n  tessera {subcommand} ", self.output_of(subcommand, "--help"))

    def test_the_examples_work(self):
        for subcommand in SUBCOMMANDS:
            if subcommand in ("validate", "import", "export", "report"):  # tests of their own
                continue
            example = re.search(rf"\n  (tessera {subcommand} .*)", self.output_of(subcommand, "--help"))[1]
            self.output_of(*example.split()[1:])

    def test_the_program_lists_its_subcommands(self):
        for subcommand in SUBCOMMANDS:
            self.assertRegex(self.output_of("--help"), rf"\n  {subcommand} ")

    def test_the_program_says_what_its_exit_codes_mean(self):
        said = self.output_of("--help")
        for code in (DONE, USERS_FAULT, CHECK_FAILED, NO_PROGRESS, OUR_FAULT):
            self.assertRegex(said, rf"\n  {code}   +[A-Z]")

    def test_the_version_names_the_commit(self):
        self.assertRegex(self.output_of("--version"), r"\Atessera \d+\.\d+\.\d+ \((unknown|[0-9a-f]{40}(-dirty)?)\)\n\Z")


class Lists(ProgramTest):
    def test_every_entry_says_what_it_is(self):
        for kind in ("networks", "archs", "cores", "fabrics", "planners", "schedules"):
            document = self.json_of("list", kind)
            self.assertEqual(document["schema"], "tessera.list/1")
            self.assertTrue(document[kind])
            table = self.output_of("list", kind)
            for entry in document[kind]:
                self.assertTrue(entry["description"])
                self.assertIn(entry["name"], table)
                self.assertIn(entry["description"], table)

    def test_what_the_contract_names_is_there(self):
        networks = {entry["name"] for entry in self.json_of("list", "networks")["networks"]}
        for name in ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e"):
            self.assertIn(f"hypar/{name}", networks)
        archs = {entry["name"] for entry in self.json_of("list", "archs")["archs"]}
        self.assertLessEqual({"hypar-paper", "hmc-htree-16"}, archs)
        cores = {entry["name"] for entry in self.json_of("list", "cores")["cores"]}
        self.assertLessEqual({"tpu-v2", "tpu-v3", "eyeriss", "hypar-pu"}, cores)
        planners = {entry["name"] for entry in self.json_of("list", "planners")["planners"]}
        self.assertLessEqual({"dp", "mp", "owt", "hypar", "accpar", "soybean", "tofu", "optcnn", "exhaustive"}, planners)
        schedules = {entry["name"] for entry in self.json_of("list", "schedules")["schedules"]}
        self.assertEqual(self.json_of("list", "arrays"), self.json_of("list", "archs"))
        self.assertLessEqual({"layerwise", "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "pipedream", "2bw", "explicit"}, schedules)


class Slips(ProgramTest):
    def test_no_subcommand(self):
        self.assert_refused(because="no subcommand")

    def test_an_unknown_subcommand(self):
        self.assert_refused("simulat", *PROBLEM, because="did you mean 'simulate'?")
        self.assert_refused("sweep", "colect", "links.study", because="did you mean 'collect'?")

    def test_an_unknown_option(self):
        self.assert_refused("plan", *PROBLEM, "--planer", "dp", because="did you mean '--planner'?")
        self.assert_refused("plan", *PROBLEM, "-p", "dp", "--jsn", because="did you mean '--json'?")
        self.assert_refused("plan", "--wrkload=x", because="did you mean '--workload'?")
        self.assert_refused("--versio", because="did you mean '--version'?")

    def test_an_argument_too_much(self):
        self.assert_refused("plan", *PROBLEM, "-p", "dp", "more", because="unexpected argument 'more'")

    def test_a_missing_option(self):
        self.assert_refused("plan", *PROBLEM, because="--planner is required")
        self.assert_refused("simulate", *PROBLEM, because="--planner and --plan")
        self.assert_refused("simulate", *PROBLEM, "-p", "dp", "--plan", "plan.yaml", because="--planner or --plan, not both")

    def test_unknown_names_answer_with_the_nearest(self):
        self.assert_refused("plan", "-w", "hypar/vgga", "-a", "hypar-paper", "-p", "dp",
                            because=["unknown network 'hypar/vgga'", "did you mean 'hypar/vgg-a'?"])
        self.assert_refused("plan", "-w", "hypar/vgg-a", "-a", "hypr-paper", "-p", "dp",
                            because=["unknown array 'hypr-paper'", "did you mean 'hypar-paper'?"])
        for subcommand in ("plan", "simulate", "compare"):
            self.assert_refused(subcommand, *PROBLEM, "-p", "hyper",
                                because=["unknown planner 'hyper'", "did you mean 'hypar'?"])
        self.assert_refused("list", "network", because="did you mean 'networks'?")
        self.assert_refused("list", because="say what to list: networks, archs")
        self.assert_refused("validate", "hypr", because="did you mean 'hypar'?")

    def test_several_planners_where_one_is_meant(self):
        self.assert_refused("simulate", *PROBLEM, "-p", "hypar,dp", because=["unknown planner 'hypar,dp'", "several are for tessera compare"])

    def test_a_key_of_all_accelerators_where_there_are_groups(self):
        mixed = ("plan", "-w", "hypar/lenet-c", "-a", "tpu-v2v3-256", "-p", "dp")
        self.assert_refused(*mixed, "--set", "arch.accelerator.memory.dram=hbm2", because="groups.0.accelerator")
        self.assert_refused(*mixed, "--set", "arch.accelerators=512", because="groups.0.count")

    def test_values_that_make_no_sense(self):
        compare = ("compare", *PROBLEM, "-p", "dp")
        self.assert_refused(*compare, "-j", "0", because="--jobs")
        self.assert_refused(*compare, "-j", "many", because="--jobs")
        self.assert_refused(*compare, "-p", "dp", because="'dp' is named twice")
        self.assert_refused(*compare, "-w", "hypar/lenet-c", because="'hypar/lenet-c' is named twice")
        self.assert_refused(*compare, "--module-order", "backward", because="--module-order")
        self.assert_refused(*compare, "--shuffle-same-time", "-1", because="--shuffle-same-time")

    def test_traces_that_are_not_available(self):
        simulate = ("simulate", *PROBLEM, "-p", "dp")
        self.assert_refused(*simulate, "-o", "run.h5", "--trace", "commands",
                            because="hypar-paper has no memories with commands")
        self.assert_refused(*simulate, "-o", "run.h5", "--trace", "all", because="--trace")
        self.assert_refused(*simulate, "--trace", "tasks", because="--output")


class Reports(ProgramTest):
    def test_json_is_one_document_and_nothing_else(self):
        for arguments in (("list", "networks"), ("plan", *PROBLEM, "-p", "hypar"), ("simulate", *PROBLEM, "-p", "hypar"),
                          ("compare", *PROBLEM, "-p", "dp,hypar")):
            run = self.run_program(*arguments, "--json")
            self.assertEqual((run.returncode, run.stderr), (DONE, ""))
            json.loads(run.stdout)

    def test_simulate_shows_the_longest_layers_or_all(self):
        simulate = ("simulate", "-w", "hypar/vgg-a", "-a", "hypar-paper", "-p", "hypar")
        self.assertIn("and 6 more layers", self.output_of(*simulate))  # VGG-A has 11
        everything = self.output_of(*simulate, "--layers")
        for layer in ("conv1_1", "conv5_2", "fc1", "fc3"):
            self.assertIn(f"\n{layer} ", everything)

    def test_no_fast_forward_changes_nothing(self):
        simulate = ("simulate", *PROBLEM, "-p", "hypar")
        self.assertEqual(self.json_of(*simulate)["simulated"], self.json_of(*simulate, "--no-fast-forward")["simulated"])


if __name__ == "__main__":
    unittest.main()
