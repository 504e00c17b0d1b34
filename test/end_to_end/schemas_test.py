"""traces/schemas against what the program writes and reads."""

import json
import pathlib
import unittest

import yaml
from jsonschema import Draft202012Validator, ValidationError

from program import CHECK_FAILED, NETWORK, ProgramTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def validator(name):
    schema = json.loads((ROOT / f"traces/schemas/{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


class Schemas(ProgramTest):
    def test_lists_and_what_is_shown(self):
        for kind in ("networks", "archs", "cores", "memories", "fabrics", "planners", "schedules"):
            validator("list").validate(self.json_of("list", kind))
        for words in (("hypar-paper",), ("hypar-paper", "--resolved"), ("hypar-paper", "--svg", "a.svg")):
            validator("show").validate(self.json_of("show", *words))

    def test_exports_and_reports(self):
        self.output_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp", "-o", "run.h5", "--quiet")
        for words in (("--perfetto", "run.pftrace"), ("--csv", "tables")):
            validator("export").validate(self.json_of("export", "run.h5", *words))
        validator("report").validate(self.json_of("report", "run.h5", "-o", "report.html"))

    def test_simulated_steps(self):
        tree, pipeline = ("-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "hypar"), ("-w", "accpar/vgg-16", "-a", "v100-64", "-p", "pipedream-2bw")
        for words in (tree, (*tree, "--modules"), (*tree, "--steps", "4"), (*pipeline, "--steps", "3"),
                      ("-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp", "--set", "arch.accelerators=1")):
            validator("simulate").validate(self.json_of("simulate", *words))

    def test_no_key_of_a_simulation_is_unknown_to_its_schema(self):
        document = self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp")
        for part in (document, document["simulated"], document["use"], document["breakdown"]["total"], document["what_if"]["compute"]):
            part["new"] = 1
            self.assertFalse(validator("simulate").is_valid(document))
            del part["new"]
        validator("simulate").validate(document)

    def test_compare_with_failures(self):
        self.write("a.yaml", NETWORK.replace("small", "a"))
        self.write("b.yaml", NETWORK.replace("small", "b").replace("batch: 256", "batch: 8"))
        run = self.run_program("compare", "-w", "a.yaml,b.yaml", "-a", "hypar-paper", "-p", "mp,dp", "--json")
        self.assertEqual(run.returncode, CHECK_FAILED)
        document = json.loads(run.stdout)
        validator("compare").validate(document)
        del document["results"][0]["simulated"]
        with self.assertRaises(ValidationError):
            validator("compare").validate(document)

    def test_a_study(self):
        self.write("s.yaml", "schema: tessera.sweep/1\nname: s\noptions: {arch: hypar-paper, workload: hypar/sfc}\naxes: {planner: [dp]}\n")
        self.run_program("sweep", "plan", "s.yaml", "study")
        validator("study").validate(self.json_of("sweep", "status", "study"))

    def test_every_network_that_is_built_in_and_as_it_is_written_out(self):
        network = validator("network")
        for path in sorted((ROOT / "workloads/zoo").glob("**/*.yaml")):
            network.validate(yaml.load(path.read_text(encoding="utf-8"), LOADER))
        for name in ("accpar/resnet-18", "bert-base"):
            network.validate(yaml.load(self.output_of("show", name, "--resolved"), LOADER))

    def test_what_the_program_refuses_in_a_network_an_editor_marks(self):
        for before, after in (("kind: linear", "kind: liner"), ("outputs: 32", "outputs: 0"), ("element: fp32", "element: fp64"),
                              ("outputs: 16", "outputs: 16, colour: red"), ("batch: 256\n", "")):
            text = NETWORK.replace(before, after, 1)
            self.write("own.yaml", text)
            self.assertNotEqual(self.run_program("plan", "-w", "own.yaml", "-a", "hypar-paper", "-p", "dp").returncode, 0)
            self.assertFalse(validator("network").is_valid(yaml.load(text, LOADER)), after)


if __name__ == "__main__":
    unittest.main()
