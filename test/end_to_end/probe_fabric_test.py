"""`tessera probe fabric`: its JSON, its laws, and what it refuses."""

import csv
import os
import tempfile
import unittest

from program import ProgramTest

TORUS = ("probe", "fabric", "--topology", "torus:4x4", "--packet-flits", "4", "--cycles", "5000")


FABRIC = """\
schema: tessera.interconnect/1
name: mine
flit: 16 B
packet: 256 B
topology:
  kind: torus
  shape: [5]
  link: {bandwidth: 8 Gb/s, latency: 10 ns}
router: {pipeline: 1 ns, virtual_channels: 1, buffer_packets: 4}
energy: {router_flit: 1 pJ, link_bit: 1 pJ, idle_bit: 0 pJ}
"""


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

    def test_every_preset_runs_by_name_and_says_its_energy(self):
        listed = self.json_of("list", "fabrics")["fabrics"]
        self.assertIn("hmc-mesh", [fabric["name"] for fabric in listed])
        for fabric in listed:
            arguments = ("-a", fabric["name"], "--set", "fabric.topology.shape=[2, 2]")
            found = self.json_of("probe", "fabric", *arguments, "--rate", "0.2")
            self.assertFalse(found["saturated"])
            self.assertAlmostEqual(found["accepted_rate"], 0.2, delta=0.02)
            self.assertGreater(found["energy"]["links_j"], 0)
            self.assertGreater(found["energy"]["idle_links_j"], 0)
            for header, bits_of_a_packet in (("0 B", 8 * 1000), ("100 B", 8 * 1100)):
                found = self.json_of("probe", "collective", *arguments, "--set", f"fabric.header={header}",
                                     "--packet", "1000 B", "--bytes", "1 MB")
                self.assertEqual(found["energy"]["bits_over_links"], bits_of_a_packet * found["bytes_sent"] // 1000)

    def test_links_and_matrix_hold_every_flit(self):
        with tempfile.TemporaryDirectory() as folder:
            links, matrix = (os.path.join(folder, name) for name in ("links.csv", "matrix.csv"))
            self.output_of(*TORUS, "--rate", "0.1", "--links", links, "--matrix", matrix)
            with open(links) as file:
                carried = [(row["from"], row["to"], int(row["flits"]), float(row["utilisation"]))
                           for row in csv.DictReader(file)]
            with open(matrix) as file:
                sent = [(int(row["source"]), int(row["flits"])) for row in csv.DictReader(file)]
        # 16 routers with 4 links each way, and the endpoints' own.
        self.assertEqual(len(carried), 16 * 4 + 2 * 16)
        for endpoint in range(16):
            own = sum(flits for start, _, flits, _ in carried if start == f"endpoint-{endpoint}")
            meant = sum(flits for source, flits in sent if source == endpoint)
            self.assertTrue(meant - 40 <= own <= meant, (own, meant))  # some had not left yet
        self.assertTrue(all(0 < share < 0.3 for _, _, _, share in carried))

    def test_a_file_that_would_deadlock_is_refused_where_it_says_so(self):
        path = self.write("mine.yaml", FABRIC)
        for probe in (("fabric", "--rate", "0.1"), ("collective", "--bytes", "1 MB")):
            self.json_of("probe", *probe, "-a", path, "--set", "fabric.router.virtual_channels=2")
            self.assert_refused("probe", *probe, "-a", path,
                                because=["mine.yaml:9:44: router.virtual_channels: 1 is too few",
                                         "router-1>router-2 waits for", "use 2 or more"])
            self.assert_refused("probe", *probe, "-a", path, "--set", "fabric.topology.kind=edges",
                                "--set", "fabric.topology.edges=[[0, 1], [2, 3], [3, 4]]",
                                because="mine.yaml:6:3: topology: the interconnect is not connected")

    def test_a_flit_whose_time_is_too_long_to_count_is_refused(self):
        mine = self.write("mine.yaml", FABRIC.replace("virtual_channels: 1", "virtual_channels: 2"))
        probe = ("probe", "fabric", "--rate", "0.1", "--warm-up", "10", "--cycles", "100", "-a", mine)
        self.json_of(*probe, "--set", "fabric.flit=1 MiB")
        self.assert_refused(*probe, "--set", "fabric.flit=999999999999 B", because="flit: is more than 1 MiB")

    def test_age_changes_who_waits_under_load(self):
        for flow_control in ("wormhole", "cut-through"):
            loaded = ("probe", "fabric", "--topology", "mesh:6x1", "--packet-flits", "4", "--rate", "0.5",
                      "--cycles", "10000", "--flow-control", flow_control, "--arbitration")
            turns, ages = (self.json_of(*loaded, name) for name in ("round-robin", "oldest-first"))
            self.assertLess(ages["max_latency_cycles"], turns["max_latency_cycles"])

    def test_half_duplex_links_bear_half_the_load(self):
        # Uniform traffic leaves and enters an endpoint alike: a shared port saturates at half a flit a cycle.
        loaded = (*TORUS, "--flow-control", "cut-through", "--links", "links.csv", "--force", "--duplex")
        full, half = (self.json_of(*loaded, duplex, "--rate", "0.4") for duplex in ("full", "half"))
        self.assertAlmostEqual(full["accepted_rate"], 0.4, delta=0.01)
        self.assertGreater(half["mean_latency_cycles"], full["mean_latency_cycles"])
        half = self.json_of(*loaded, "half", "--rate", "0.9")
        self.assertLess(half["accepted_rate"], 0.5)
        with open(self.path("links.csv")) as file:
            share = {(row["from"], row["to"]): float(row["utilisation"]) for row in csv.DictReader(file)}
        for (start, end), busy in share.items():
            self.assertLessEqual(busy + share[end, start], 1)

    def test_a_file_says_the_duplex_of_its_links(self):
        path = self.write("mine.yaml", FABRIC.replace("10 ns}", "10 ns, duplex: halve}"))
        self.assert_refused("probe", "fabric", "--rate", "0.1", "-a", path,
                            because="mine.yaml:8:53: topology.link.duplex: unknown duplex 'halve'")
        time = {}
        for duplex in ("full", "half"):
            path = self.write("mine.yaml", FABRIC.replace("10 ns}", f"10 ns, duplex: {duplex}}}"))
            found = self.json_of("probe", "collective", "-a", path, "--set", "fabric.topology.shape=[2]",
                                 "--bytes", "1 MB", "--algorithm", "direct")
            time[duplex] = found["time_ps"]
        # Two endpoints send each other half a MB at 1 GB/s, twice.
        self.assertAlmostEqual(time["full"], 1e9, delta=1e6)
        self.assertAlmostEqual(time["half"], 2e9, delta=2e6)

    def test_what_has_no_meaning_is_refused(self):
        def refused(*arguments, because):
            self.assert_refused("probe", "fabric", "--rate", "0.1", *arguments, because=because)

        for rate, because in (("0", "above 0"), ("nan", "above 0"), ("1.1", "one packet per cycle"), ("1e-18", "10^9 cycles")):
            self.assert_refused("probe", "fabric", "--topology", "torus:4x4", "--rate", rate, because=because)
        refused("--topology", "tours:4x4", because="did you mean 'torus'?")
        refused("--topology", "mesh:4x", because="mesh:4x4")
        refused("--topology", "mesh:4x4", "--pattern", "uniforn", because="did you mean 'uniform'?")
        refused("--topology", "mesh:4x2", "--pattern", "transpose", because="8 endpoints")
        refused("--topology", "torus:4x4", "--virtual-channels", "1", because="2 classes")
        refused("--topology", "torus:5x5", "--virtual-channels", "1",
                because="deadlock: router-0>router-1 waits for router-1>router-2 waits for")
        refused("--topology", "mesh:4x4", "--packet-flits", "16", "--flow-control", "cut-through",
                because="--buffer-flits")
        refused("--topology", "star:40", because="virtual channels")
        refused("-a", "hmc-mehs", because="did you mean 'hmc-mesh'?")
        refused("-a", "hmc-mesh", "--link-cycles", "2", because="--link-cycles")
        refused("-a", "hmc-mesh", "--packet-flits", "18", because="17 flits")
        refused("--topology", "mesh:4x4", "--duplex", "half", because="--flow-control cut-through")
        refused("--topology", "mesh:4x4", "--duplex", "hlaf", because="did you mean 'half'?")
        refused("-a", "hmc-mesh", "--duplex", "half", because="--duplex")
        refused(because="--topology or -a")


if __name__ == "__main__":
    unittest.main()
