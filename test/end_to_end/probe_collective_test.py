"""`tessera probe collective`: closed forms, the choice of an algorithm, and what it refuses."""

import unittest

from program import ProgramTest

POD = ("probe", "collective", "--bytes", "100 MB", "--bandwidth", "82 GB/s", "--latency", "1 us")


FABRIC = """\
schema: tessera.interconnect/1
name: mine
flit: 16 B
packet: 256 B
topology: {kind: star, shape: [4], link: {bandwidth: 8 Gb/s, latency: 10 ns}}
router: {pipeline: 1 ns, virtual_channels: 1, buffer_packets: 4}
energy: {router_flit: 1 pJ, link_bit: 2 pJ, idle_bit: 0 pJ}
"""


class ProbeCollective(ProgramTest):
    def test_a_ring_takes_its_closed_form(self):
        found = self.json_of(*POD, "--topology", "ring:16", "--algorithm", "ring")
        self.assertEqual((found["schema"], found["algorithm"]), ("tessera.probe.collective/1", "ring"))
        self.assertAlmostEqual(found["time_s"], 30 * (1e-6 + 1e8 / 16 / 82e9), delta=1e-9)
        self.assertEqual(found["messages"], 30 * 16)
        self.assertEqual(found["bytes_sent"], 30 * 100_000_000)
        self.assertAlmostEqual(found["busiest_link_bytes"], 30 * 1e8 / 16, delta=1)

    def test_a_ring_takes_as_long_over_half_duplex_links_which_it_uses_one_way(self):
        for algorithm, factor in (("ring", 1), ("bidirectional-ring", 2)):
            full, half = (self.json_of(*POD, "--topology", "ring:16", "--algorithm", algorithm, "--duplex", duplex)
                          for duplex in ("full", "half"))
            self.assertLessEqual(half["time_ps"], factor * full["time_ps"])
            self.assertGreaterEqual(half["time_ps"], full["time_ps"] * (1 if factor == 1 else 1.5))

    def test_halving_of_twelve_goes_in_thirds_and_halves(self):
        found = self.json_of(*POD, "--topology", "star:12", "--algorithm", "halving-doubling")
        # With 2 + 1 + 1 partners there and back; every rank sends 11 / 12 of its vector each way.
        self.assertEqual((found["messages"], found["bytes_sent"]), (2 * 12 * 4, 2 * 11 * 100_000_000))

    def test_auto_is_as_fast_as_the_fastest(self):
        torus = (*POD, "--topology", "torus:4x4")
        times = {name: self.json_of(*torus, "--algorithm", name)["time_ps"]
                 for name in ("ring", "bidirectional-ring", "halving-doubling", "torus", "direct")}
        chosen = self.json_of(*torus)
        self.assertLessEqual(chosen["time_ps"], min(times.values()))
        self.assertEqual(chosen["time_ps"], times[chosen["algorithm"]])

    def test_switches_that_add_take_the_vector_once(self):
        found = self.json_of(*POD, "--topology", "star:16", "--algorithm", "in-switch", "--chunks", "10")
        self.assertEqual(found["time_ps"], 2 * 10**6 + 11 * -(-10**7 * 10**12 // (82 * 10**9)))
        self.assertEqual((found["bytes_sent"], found["busiest_link_bytes"]), (16 * 10**8, 10**8))
        # It is taken only where it is asked for: not every switch adds.
        self.assertNotEqual(self.json_of(*POD, "--topology", "star:16")["algorithm"], "in-switch")

    def test_energy_of_switches_that_add_is_that_of_every_link_and_router(self):
        path = self.write("mine.yaml", FABRIC)
        found = self.json_of("probe", "collective", "-a", path, "--bytes", "1 MB", "--algorithm", "in-switch",
                             "--links", "links.csv")
        energy = found["energy"]
        # Every byte up and down each of 4 wires; 62500 flits leave the switch over each of them.
        self.assertEqual(energy["bits_over_links"], 8 * 8 * 10**6)
        self.assertEqual(energy["flits_through_routers"], 4 * 62500)
        self.assertAlmostEqual(energy["links_j"], 64e6 * 2e-12)
        self.assertEqual(self.files(), ["links.csv", "mine.yaml"])

    def test_a_reshard_moves_every_byte_once(self):
        found = self.json_of(*POD, "--topology", "full:8", "--kind", "reshard", "--from", "4", "--to", "2")
        self.assertEqual((found["algorithm"], found["messages"], found["bytes_sent"]), ("direct", 4, 100_000_000))

    def test_what_has_no_meaning_is_refused(self):
        def refused(*arguments, because):
            self.assert_refused(*POD, *arguments, because=because)

        refused("--topology", "ring:1", "--algorithm", "halving-doubling", because="two ranks")
        refused("--topology", "ring:8", "--algorithm", "rings", because="did you mean 'ring'?")
        refused("--topology", "ring:8", "--kind", "allredcue", because="did you mean 'allreduce'?")
        refused("--topology", "ring:8", "--latency", "1", because="--latency")
        refused("--topology", "htree:8", "--algorithm", "torus", because="mesh or torus")
        refused("--topology", "ring:8", "--algorithm", "in-switch", because="needs switches that add")
        refused("--topology", "star:8", "--algorithm", "in-switch", "--kind", "alltoall", because="does not make")
        refused("--topology", "star:8", "--algorithm", "in-switch", "--duplex", "half", because="full-duplex links")
        refused("--topology", "star:8", "--algorithm", "in-switch", "--matrix", "m.csv", because="use --links")
        refused("--topology", "ring:8", "--kind", "reshard", "--from", "9", "--to", "1", because="1 to 8 ranks")
        self.assert_refused("probe", "collective", "--bytes", "1 MB", "--topology", "ring:8", because="--bandwidth")


if __name__ == "__main__":
    unittest.main()
