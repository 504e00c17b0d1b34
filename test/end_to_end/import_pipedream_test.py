"""`tessera import pipedream`: a profile becomes a network and its times, which simulate, or one line says why not."""

import json
import unittest

from program import DONE, ProgramTest

NODES = """\
node,desc,forward_ms,backward_ms,activation_bytes,parameter_bytes
node1,Input0,0.000,0.000,0.0,0.000
node2,"Conv2d(3, 8, kernel_size=(3, 3))",2.000,6.000,8192.0,864.000
node3,ReLU(inplace),0.500,0.500,8192.0,0.000
node4,__getitem__(1),0.000,0.000,16.0,0.000
node5,Size(0),0.000,0.000,4.0,0.000
node6,"Linear(in_features=128, out_features=10, bias=True)",1.000,2.000,640.0,5160.000
"""
EDGES = """\
src,dst
node1,node2
node2,node3
node3,node4
node3,node5
node5,node6
node3,node6
"""
GRAPH = """\
node1 -- Input0 -- forward_compute_time=0.000, backward_compute_time=0.000, activation_size=0.0, parameter_size=0.000
node2 -- Conv2d(3, 8, kernel_size=(3, 3)) -- forward_compute_time=2.000, backward_compute_time=6.000, activation_size=[8000.0; 192.0], parameter_size=864.000 -- stage_id=0
node3 -- ReLU(inplace) -- forward_compute_time=0.500, backward_compute_time=0.500, activation_size=8192.0, parameter_size=0
node4 -- __getitem__(1) -- forward_compute_time=0.000, backward_compute_time=0.000, activation_size=16.0, parameter_size=0.000
node5 -- Size(0) -- forward_compute_time=0.000, backward_compute_time=0.000, activation_size=4.0, parameter_size=0.000
node6 -- Linear(in_features=128, out_features=10, bias=True) -- forward_compute_time=1.000, backward_compute_time=2.000, activation_size=640.0, parameter_size=5160.000
\tnode1 -- node2
 \tnode2 -- node3
\tnode3 -- node4
\tnode3 -- node5
\tnode5 -- node6
\tnode3 -- node6
"""
ARRAY = """\
schema: tessera.array/2
name: four
accelerators: 4
accelerator:
  clock: 1 GHz
  processing_unit: {kind: profile, times: net.times.yaml}
  memory: {kind: ideal, capacity: 1 GB}
fabric: {topology: htree, clock: 1 GHz, link: {bandwidth: 40 Gb/s, latency: 0 s}}
energy: {multiply: 0 J, add: 0 J, buffer_access: 0 J, memory_access: 0 J, link_word: 0 J}
"""


class ImportPipeDream(ProgramTest):
    def import_tables(self, nodes=NODES, edges=EDGES):
        self.write("net.nodes.csv", nodes)
        self.write("net.edges.csv", edges)
        return json.loads(self.imported("net.nodes.csv", "net.edges.csv", "--json"))

    def imported(self, *arguments):
        """What is printed, with the remark on node5 on stderr."""
        run = self.run_program("import", "pipedream", *arguments, "--batch", "16", "-o", "net.yaml")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertRegex(run.stderr, r"\Aremark: [^\n]+\n\Z")
        self.assertNotIn("remark: ", run.stdout)
        return run.stdout

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def refuse_tables(self, because, nodes=NODES, edges=EDGES):
        self.write("net.nodes.csv", nodes)
        self.write("net.edges.csv", edges)
        self.assert_refused("import", "pipedream", "net.nodes.csv", "net.edges.csv", "--batch", "16", "-o", "net.yaml",
                            because=because)

    def refuse_graph(self, because, graph):
        self.write("graph.txt", graph)
        self.assert_refused("import", "pipedream", "graph.txt", "--batch", "16", "-o", "net.yaml", because=because)

    def test_inputs_and_unread_items_are_left_out(self):
        document = self.import_tables()
        self.assertEqual(document["operators"], 4)
        self.assertEqual(document["weights"], (864 + 5160) // 4)
        self.assertAlmostEqual(document["minibatch_s"], 12e-3)
        self.assertEqual(len(document["remarks"]), 1)  # Size: 4 bytes for 16 samples

    def test_text_and_tables_say_the_same(self):
        self.import_tables()
        tables = [self.read("net.yaml"), self.read("net.times.yaml")]
        self.write("net.txt", GRAPH)
        self.imported("net.txt")
        self.assertEqual([self.read("net.yaml"), self.read("net.times.yaml")], tables)
        self.imported("net.edges.csv", "net.nodes.csv")
        self.assertEqual(self.read("net.yaml"), tables[0])

    def test_what_was_imported_takes_its_share_of_the_measured_times(self):
        self.import_tables()
        self.write("array.yaml", ARRAY)
        document = self.json_of("simulate", "-w", "./net.yaml", "-a", "./array.yaml", "-p", "dp")
        compute = document["breakdown"]["total"]["compute"]
        self.assertAlmostEqual(compute, 12e-3 / 4, delta=1e-6)  # 4 of 16 samples each; tasks begin at clock edges
        self.assertAlmostEqual(document["predicted"]["time_s"], document["simulated"]["time_s"], delta=1e-6)

    def test_a_chip_that_is_modelled_cannot_compute_what_was_only_measured(self):
        self.import_tables()
        self.assert_refused("simulate", "-w", "./net.yaml", "-a", "hypar-paper", "-p", "dp",
                            because="cannot compute operator 'node2.Conv2d' of network 'net' (it is profiled")

    def test_an_operator_that_the_times_lack_is_refused(self):
        self.import_tables()
        self.write("array.yaml", ARRAY)
        self.write("net.times.yaml", self.read("net.times.yaml").replace("node6.Linear", "node7.Linear"))
        self.assert_refused("plan", "-w", "./net.yaml", "-a", "./array.yaml", "-p", "dp",
                            because="net.times.yaml:6:3: accelerator.processing_unit.times.operators: has no operator "
                                    "'node6.Linear' (the network has; a time cannot be guessed); the nearest name is "
                                    "'node7.Linear'")

    def test_what_is_wrong_with_a_table_is_said_at_its_place(self):
        self.refuse_tables("net.nodes.csv:4:21: forward_ms:", nodes=NODES.replace("ReLU(inplace),0.5", "ReLU(inplace),-0.5"))
        self.refuse_tables("net.nodes.csv:4:1: node: a second node 'node2'", nodes=NODES.replace("node3,", "node2,"))
        self.refuse_tables("unknown key", nodes=NODES.replace("parameter_bytes", "parameters"))
        self.refuse_tables("net.edges.csv:4:7: dst: there is no node 'nod4'; did you mean 'node4'?",
                           edges=EDGES.replace("node3,node4", "node3,nod4"))
        self.refuse_tables("the nodes form a cycle: node2 -> node3 -> node2", edges=EDGES + "node3,node2\n")
        self.refuse_tables("a second edge from 'node3' to 'node6'", edges=EDGES + "node3,node6\n")
        self.refuse_tables("'node1' is an input node", edges=EDGES + "node3,node1\n")
        self.refuse_tables("no number of bytes", nodes=NODES.replace("640.0", "640.5"))

    def test_what_is_wrong_with_a_text_is_said_at_its_place(self):
        self.refuse_graph("graph.txt:3:27: expected 'forward_compute_time='",
                          GRAPH.replace("ReLU(inplace) -- forward_", "ReLU(inplace) -- ward_"))
        self.refuse_graph("graph.txt:9:2: there is no node 'nod3'", GRAPH.replace("\tnode3 -- node4", "\tnod3 -- node4"))
        self.refuse_graph("graph.txt:7:2: expected ID -- ID", GRAPH.replace("\tnode1 -- node2", "\tnode1 - node2"))
        self.refuse_graph("graph.txt:2:", GRAPH.replace("[8000.0; 192.0]", "[8000.0; x]"))

    def test_files_that_are_no_profile_together_are_refused(self):
        self.write("a.csv", NODES)
        self.assert_refused("import", "pipedream", "a.csv", "--batch", "16", "-o", "net.yaml",
                            because="two tables (NODES.csv EDGES.csv)")
        self.write("graph.txt", GRAPH)
        self.assert_refused("import", "pipedream", "graph.txt", "--batch", "0", "-o", "net.yaml",
                            because="--batch: must be at least 1")


if __name__ == "__main__":
    unittest.main()
