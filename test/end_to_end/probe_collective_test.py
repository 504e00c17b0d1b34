"""`tessera probe collective`: closed forms, the choice of an algorithm, and what it refuses."""

import unittest

from program import ProgramTest

POD = ("probe", "collective", "--bytes", "100 MB", "--bandwidth", "82 GB/s", "--latency", "1 us")


class ProbeCollective(ProgramTest):
    def test_a_ring_takes_its_closed_form(self):
        found = self.json_of(*POD, "--topology", "ring:16", "--algorithm", "ring")
        self.assertEqual((found["schema"], found["algorithm"]), ("tessera.probe.collective/1", "ring"))
        self.assertAlmostEqual(found["time_s"], 30 * (1e-6 + 1e8 / 16 / 82e9), delta=1e-9)
        self.assertEqual(found["messages"], 30 * 16)
        self.assertEqual(found["bytes_sent"], 30 * 100_000_000)
        self.assertAlmostEqual(found["busiest_link_bytes"], 30 * 1e8 / 16, delta=1)

    def test_auto_is_as_fast_as_the_fastest(self):
        torus = (*POD, "--topology", "torus:4x4")
        times = {name: self.json_of(*torus, "--algorithm", name)["time_ps"]
                 for name in ("ring", "bidirectional-ring", "halving-doubling", "torus", "direct")}
        chosen = self.json_of(*torus)
        self.assertLessEqual(chosen["time_ps"], min(times.values()))
        self.assertEqual(chosen["time_ps"], times[chosen["algorithm"]])

    def test_a_reshard_moves_every_byte_once(self):
        found = self.json_of(*POD, "--topology", "full:8", "--kind", "reshard", "--from", "4", "--to", "2")
        self.assertEqual((found["algorithm"], found["messages"], found["bytes_sent"]), ("direct", 4, 100_000_000))

    def test_what_has_no_meaning_is_refused(self):
        def refused(*arguments, because):
            self.assert_refused(*POD, *arguments, because=because)

        refused("--topology", "ring:12", "--algorithm", "halving-doubling", because="power of two")
        refused("--topology", "ring:8", "--algorithm", "rings", because="did you mean 'ring'?")
        refused("--topology", "ring:8", "--kind", "allredcue", because="did you mean 'allreduce'?")
        refused("--topology", "ring:8", "--latency", "1", because="--latency")
        refused("--topology", "htree:8", "--algorithm", "torus", because="mesh or torus")
        refused("--topology", "ring:8", "--kind", "reshard", "--from", "9", "--to", "1", because="1 to 8 ranks")
        self.assert_refused("probe", "collective", "--bytes", "1 MB", "--topology", "ring:8", because="--bandwidth")


if __name__ == "__main__":
    unittest.main()
