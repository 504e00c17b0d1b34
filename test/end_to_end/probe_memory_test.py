"""`tessera probe memory` and `tessera import dramsim3`, from outside."""

import json
import os
import sys
import unittest

import h5py

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from program import DONE, ProgramTest  # noqa: E402


class ProbeMemory(ProgramTest):
    def probe(self, *arguments):
        run = self.run_program("probe", "memory", *arguments, "--json")
        self.assertEqual((run.returncode, run.stderr), (DONE, ""), arguments)
        return json.loads(run.stdout)

    def test_one_read_takes_the_time_of_its_commands(self):
        result = self.probe("-a", "hmc-2.1", "--pattern", "sequential", "--requests", "1", "--bytes", "32")
        # tRCD 17 + tCL 17 + tBL 4 + the controller's 10.
        self.assertEqual(result["latency_cycles"]["read"]["mean"], 48)
        self.assertEqual(result["cycles"], 48)
        self.assertEqual((result["commands"]["activate"], result["commands"]["read"]), (1, 1))

    def test_streams_are_near_the_peak_and_random_is_not(self):
        arguments = ("-a", "hbm2", "--requests", "20000", "--pattern")
        sequential, random = self.probe(*arguments, "sequential"), self.probe(*arguments, "random")
        self.assertGreater(sequential["bandwidth_gb_per_s"], 0.85 * sequential["peak_gb_per_s"])
        self.assertLess(random["bandwidth_gb_per_s"], 0.6 * sequential["bandwidth_gb_per_s"])

    def test_reads_and_writes_are_counted_and_cost_energy(self):
        result = self.probe("-a", "hmc-2.1", "--pattern", "stride:4096", "--requests", "1000", "--read-fraction", "0.75")
        self.assertEqual(result["commands"]["read"], 3 * result["commands"]["write"])
        energy = result["energy_j"]
        self.assertAlmostEqual(energy["total"], sum(joules for kind, joules in energy.items() if kind != "total"))
        self.assertNotIn("link_active", energy)  # not 0: there were no links

    def test_links_take_longer_and_cost_energy(self):
        arguments = ("-a", "hmc-2.1", "--pattern", "random", "--requests", "2000", "--outstanding", "16", "--through")
        local, links = self.probe(*arguments, "local"), self.probe(*arguments, "links")
        self.assertGreater(links["latency_cycles"]["read"]["min"], local["latency_cycles"]["read"]["min"] + 2 * 11 / 0.8)
        self.assertGreater(links["energy_j"]["link_active"], 0)
        # 256 bytes are 16 FLITs; a FLIT asks for them, and one comes with them.
        for kind, joules in links["energy_j"].items():
            self.assertAlmostEqual(links["energy_pj_per_bit"][kind], joules * 1e12 / (8 * links["bytes"]), places=9)
        self.assertAlmostEqual(links["energy_pj_per_bit"]["link_active"], 5.48 * 18 / 16)

    def test_a_file_of_requests_and_the_commands_they_cause(self):
        trace, output = self.path("requests.txt"), self.path("run.h5")
        with open(trace, "w", encoding="utf-8") as file:
            file.write("0x0 READ 0\n0x100 WRITE 0\n0x0 READ 500\n")
        result = self.probe("-a", "hmc-2.1", "--trace", trace, "--trace", "commands", "-o", output)
        with h5py.File(output) as run:
            kinds = run["names/command_kinds"].asstr()[:]
            named = [(str(run["names/channels"].asstr()[row["channel"]]), str(kinds[row["kind"]]))
                     for row in run["commands"][:]]
            self.assertEqual(run["commands"]["time_ps"][0], 0)
        self.assertEqual(named.count(("channel-0", "activate")), 2)
        self.assertEqual(named.count(("channel-1", "write-precharge")), 1)
        self.assertEqual(len([kind for _, kind in named if kind == "activate"]), result["commands"]["activate"])

    def test_refuses_what_makes_no_sense(self):
        memory = ("probe", "memory", "-a", "hbm2")
        self.assert_refused(*memory, because="--pattern")
        self.assert_refused(*memory, "--pattern", "randm", because="random")
        self.assert_refused(*memory, "--pattern", "random", "--through", "links", because="no links")
        self.assert_refused(*memory, "--pattern", "random", "--trace", "commands", because="-o")
        self.assert_refused(*memory, "--pattern", "random", "--bytes", "48", because="--bytes")
        self.assert_refused("probe", "memory", "-a", "hbm9", "--pattern", "random", because="hbm")


class ImportDramsim3(ProgramTest):
    def test_names_what_is_wrong_with_a_file(self):
        path = self.path("memory.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[dram_structure]\nprotocol = HBM\n")
        self.assert_refused("import", "dramsim3", path, because="system")
        self.assert_refused("import", because="subcommand")


if __name__ == "__main__":
    unittest.main()
