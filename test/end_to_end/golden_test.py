"""Every build gives the same results: debug, release and sanitizer builds, gcc and clang, on every machine.

test/golden/fingerprints.csv holds what one build gave. A change that is meant to change results rewrites it:
    TESSERA=build/release/tessera python3 test/end_to_end/golden_test.py --write
and its commit says why.
"""

import csv
import os
import sys
import unittest

from program import ProgramTest

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "golden", "fingerprints.csv")
COLUMNS = ("workload", "arch", "planner", "cycles", "fingerprint")
SMALL = "hypar/sconv,hypar/lenet-c,hypar/cifar-c,hypar/alexnet"
COMPARISONS = (("hypar-paper", SMALL + ",hypar/vgg-a", "dp,mp,hypar"),
               ("hmc-htree-16", SMALL, "dp,mp,hypar"),
               ("tpu-v3-128", "accpar/resnet-18", "dp"))


class Golden(ProgramTest):
    def simulated(self):
        rows = []
        for arch, workloads, planners in COMPARISONS:
            document = self.json_of("compare", "-w", workloads, "-a", arch, "-p", planners)
            for result in document["results"]:
                rows.append({"workload": result["workload"], "arch": result["arch"], "planner": result["planner"],
                             "cycles": str(result["simulated"]["cycles"]),
                             "fingerprint": result["simulated"]["fingerprint"]})
        return rows

    def test_fingerprints_are_those_of_every_other_build(self):
        with open(GOLDEN, newline="", encoding="utf-8") as file:
            golden = list(csv.DictReader(file))
        self.assertEqual(self.simulated(), golden)


def write():
    test = Golden("test_fingerprints_are_those_of_every_other_build")
    test.setUp()
    rows = test.simulated()
    test.doCleanups()
    with open(GOLDEN, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
