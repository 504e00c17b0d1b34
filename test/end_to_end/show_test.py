"""`tessera show`: built-in things as their files, with defaults and sources, as drawings."""

import json
import os
import pathlib
import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import DONE, NETWORK, ProgramTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {"network": "workloads/zoo", "array": "arch/presets", "core": "arch/presets/cores", "memory": "arch/presets/memory",
           "fabric": "arch/presets/fabrics", "profile": "arch/presets/profiles"}
SVG = "{http://www.w3.org/2000/svg}"


def files_of(kind):
    """(name, path) of the files that are built in."""
    folder = ROOT / FOLDERS[kind]
    pattern = "*.yaml" if kind == "array" else "**/*.yaml"
    return [(str(path.relative_to(folder).with_suffix("")), path) for path in sorted(folder.glob(pattern))]


class Show(ProgramTest):
    def without_remarks(self, *arguments):
        run = self.run_program(*arguments)
        self.assertEqual(run.returncode, DONE, run.stderr)
        return run.stdout

    def test_a_file_is_shown_as_it_is_written(self):
        for kind in FOLDERS:
            for name, path in files_of(kind)[:3]:
                self.assertEqual(self.output_of("show", name, "--kind", kind), path.read_text(encoding="utf-8"))

    def test_what_is_resolved_means_the_same_again(self):
        for name, options, key in (("hypar-paper", ("-w", "hypar/lenet-c", "-p", "hypar"), "-a"),
                                   ("tpu-v3-128", ("-w", "hypar/lenet-c", "-p", "dp"), "-a"),
                                   ("accpar/resnet-18", ("-a", "hypar-paper", "-p", "hypar"), "-w")):
            self.write("resolved.yaml", self.output_of("show", name, "--resolved"))
            original, again = (json.loads(self.without_remarks("plan", *options, key, given, "--json"))
                               for given in (name, "resolved.yaml"))
            for volatile in ("planner_wall_s", "plan_wall_s"):
                original.pop(volatile, None), again.pop(volatile, None)
            self.assertEqual(again, original)
            self.assertEqual(self.strip(self.without_remarks("show", "resolved.yaml", "--resolved")),
                             self.strip(self.output_of("show", name, "--resolved")))

    @staticmethod
    def strip(text):
        return [line.split("  # ")[0].rstrip() for line in text.splitlines()]

    def test_every_value_says_where_it_is_from(self):
        text = self.without_remarks("show", "hypar-paper", "--resolved", "--set", "arch.accelerators=64")
        lines = {line.split("#")[0].strip(): line.split("# ", 1)[1] for line in text.splitlines() if "# " in line}
        written = (ROOT / "arch/presets/hypar-paper.yaml").read_text(encoding="utf-8").splitlines()
        for line, source in lines.items():
            found = re.match(r"hypar-paper\.yaml:(\d+)", source)
            if found:
                self.assertIn(line.split(":")[0].lstrip("- "), written[int(found[1]) - 1])
        self.assertEqual(lines["accelerators: 64"], "--set arch.accelerators=64")
        self.assertEqual({key for key, source in lines.items() if source == "default"}, {"latency: 1", "kernels: free", "sums: exact", "collectives: hierarchical"})

    def test_blocks_and_defaults_of_networks_are_written_out(self):
        self.write("own.yaml", """\
schema: tessera.network/1
name: own
batch: 8
element: fp32
input: {name: x, channels: 3, rows: 8, columns: 8}
blocks:
  twice:
    - {name: a, kind: conv, input: $input, filters: 4, kernel: 3, padding: 1}
    - {name: b, kind: conv, input: a, filters: 4, kernel: 1}
operators:
  - {name: c1..2, block: twice, input: x}
""")
        lines = [re.sub(r" +# ", " # ", line) for line in self.output_of("show", "own.yaml", "--resolved").splitlines()]
        self.assertEqual([line for line in lines if "name:" in line][2:],
                         [f"  - name: {name} # own.yaml:{line}" for name, line in
                          (("c1/a", 8), ("c1", 9), ("c2/a", 8), ("c2", 9))])
        self.assertEqual(lines.count("    padding: 1 # own.yaml:8"), 2)
        self.assertEqual(lines.count("    padding: 0 # default"), 2)
        self.assertEqual(lines.count("    stride: 1 # default"), 4)
        self.assertIn("  input_error: skipped # default", lines)

    def test_planners_and_schedules_say_what_they_choose(self):
        hypar = self.output_of("show", "hypar", "--kind", "planner")
        self.assertRegex(hypar, r"\A# Planner hypar: dp or mp per operator and level")
        self.assertRegex(hypar, r"\n  fit: reject +# reject \| ignore \| search\n")
        for line in hypar.split("planner:\n")[1].splitlines():  # each is an option, with a value that it can have
            key, value = re.match(r"  (\w+): (\S+)", line).groups()
            self.output_of("plan", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "hypar", "--set", f"planner.{key}={value}")
        self.assertIn("  - [F0, F1, F2, F3, F4, F5, F6, F7, B0, ", self.output_of("show", "gpipe", "--kind", "schedule"))

    def test_json_has_the_text(self):
        document = self.json_of("show", "hypar/lenet-c")
        self.assertEqual(document, {"schema": "tessera.show/1", "kind": "network", "name": "hypar/lenet-c",
                                    "text": (ROOT / "workloads/zoo/hypar/lenet-c.yaml").read_text(encoding="utf-8")})

    def drawn(self, *arguments):
        """(circles and boxes, lines), as their titles."""
        self.output_of("show", *arguments, "--svg", "drawing.svg", "--force")
        root = ElementTree.parse(self.path("drawing.svg")).getroot()
        shapes = {kind: root.findall(SVG + kind) for kind in ("circle", "rect", "line", "path")}
        inside = [float(node.get(axis)) for axis, kind in (("cx", "circle"), ("x", "rect")) for node in shapes[kind]]
        self.assertTrue(all(0 <= x <= float(root.get("width")) for x in inside))
        title = [[shape.find(SVG + "title").text for shape in shapes[a] + shapes[b]]
                 for a, b in (("circle", "rect"), ("line", "path"))]
        places = {(node.get("cx"), node.get("cy")) for node in shapes["circle"]} | {
            (node.get("x"), node.get("y")) for node in shapes["rect"]}
        self.assertEqual(len(places), len(title[0]))  # none hides another
        return title

    def test_drawings_have_every_node_and_link(self):
        nodes, edges = self.drawn("hypar/lenet-c")
        self.assertEqual(nodes, ["input", "conv1: conv, output 20x12x12", "conv2: conv, output 800", "fc1: linear, output 500",
                                 "fc2: linear, output 10"])
        self.assertEqual(len(edges), 4)
        nodes, edges = self.drawn("hypar-paper")  # a binary tree of 16 leaves
        self.assertEqual((len(nodes), len(edges)), (16 + 15, 30))
        nodes, edges = self.drawn("hypar-paper", "--set", "arch.fabric.topology=torus")  # 4 x 4
        self.assertEqual((len(nodes), len(edges)), (16, 32))
        nodes, edges = self.drawn("hmc-mesh")
        self.assertEqual(len(edges), 2 * len(nodes) - 2 * round(len(nodes) ** 0.5))  # a square mesh
        self.drawn("accpar/resnet-50")

    def test_a_drawing_of_something_else_is_not_replaced(self):
        self.output_of("show", "hypar-paper", "--svg", "drawing.svg")
        self.output_of("show", "hypar-paper", "--svg", "drawing.svg")  # the same again
        self.assert_refused("show", "hypar/lenet-c", "--svg", "drawing.svg", because="--force")
        self.assertEqual(os.listdir(self.folder), ["drawing.svg"])

    def test_mistakes_are_one_line(self):
        self.assert_refused("show", "tpu-v3", because="'tpu-v3' is a core and a memory; say which with --kind core")
        self.assert_refused("show", "hypar-papre", because="did you mean 'hypar-paper'?")
        self.assert_refused("show", "hypar", "--kind", "planer", because="did you mean 'planner'?")
        self.assert_refused("show", "hypar-paper", "--kind", "network", because="unknown network 'hypar-paper'")
        self.assert_refused("show", "hypar", "--svg", "x.svg", because="code")
        self.assert_refused("show", "hbm2", "--svg", "x.svg", because="draws networks, arrays and fabrics")
        self.assert_refused("show", "hypar-paper", "--set", "arch.accelerators=4", because="needs --resolved or --svg")
        self.assert_refused("show", "hypar-paper", "--resolved", "--set", "arch.acelerators=4", because="arch.acelerators")
        self.write("network.yaml", NETWORK + "colour: red\n")
        self.assert_refused("show", "network.yaml", "--resolved", because="network.yaml:9:1: colour: unknown key")
        self.assert_refused("show", "missing.yaml", because="missing.yaml: no such file")


if __name__ == "__main__":
    unittest.main()
