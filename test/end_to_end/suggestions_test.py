"""What a message suggests works: every number that one names is tried, and passes."""

import re
import unittest

from program import DONE, NETWORK, USERS_FAULT, ProgramTest


class Suggestions(ProgramTest):
    def tried(self, command, setting, refused):
        """The numbers behind "use" in what `command` says with `setting` set to `refused`; each was set, and passed."""
        run = self.run_program(*command, "--set", f"{setting}={refused}")
        self.assertEqual(run.returncode, USERS_FAULT, run.stdout)
        suggested = re.search(r"; use ((?:\d+(?: b/s)?(?: or )?)+)$", run.stderr.strip())
        numbers = suggested.group(1).split(" or ") if suggested else []
        for number in numbers:
            again = self.run_program(*command, "--set", f"{setting}={number}")
            self.assertEqual(again.returncode, DONE, (command, refused, number, again.stderr))
        return numbers

    def test_batches(self):
        self.write("net.yaml", NETWORK)
        cases = [("dp", accelerators, batch) for accelerators, batch in ((16, 3), (16, 100), (8, 6), (4, 7), (1000, 700))]
        count = 0
        for planner, accelerators, batch in cases:
            command = ("plan", "-w", "net.yaml", "-a", "hypar-paper", "-p", planner, "--set",
                       f"arch.accelerators={accelerators}", "--set", "arch.fabric.link.bandwidth=1000000000 b/s" if
                       accelerators != 1000 else "arch.fabric.link.bandwidth=1600000000 b/s")
            count += len(self.tried(command, "workload.batch", batch))
        self.assertGreater(count, 5)

    def test_planners_that_choose_need_no_other_batch(self):
        for planner in ("hypar", "accpar", "soybean", "tofu", "optcnn"):
            for batch in (3, 100):
                run = self.run_program("plan", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", planner, "--set",
                                       f"workload.batch={batch}")
                self.assertEqual(run.returncode, DONE, (planner, batch, run.stderr))

    def test_a_batch_that_would_not_fit_is_not_suggested(self):
        command = ("plan", "-w", "hypar/vgg-a", "-a", "hypar-paper", "-p", "dp", "--set", "planner.fit=reject", "--set",
                   "arch.accelerator.memory.capacity=1 MB")
        self.assertEqual(self.tried(command, "workload.batch", 100), [])

    def test_bandwidths(self):
        command = ("plan", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp", "--set", "arch.fabric.link.levels=alike")
        self.assertEqual(len(self.tried(command, "arch.fabric.link.bandwidth", "1000000001 b/s")), 1)

    def test_groups_of_a_convolution(self):
        self.write("net.yaml", NETWORK.replace("{name: x, features: 64}", "{name: x, channels: 4, rows: 8, columns: 8}").replace(
            "{name: fc1, kind: linear, input: x, outputs: 32}",
            "{name: fc1, kind: conv, input: x, filters: 3, kernel: 3, groups: 1}"))
        command = ("plan", "-w", "net.yaml", "-a", "hypar-paper", "-p", "dp")
        self.assertEqual(self.tried(command, "workload.operators.0.groups", 6), ["1"])


if __name__ == "__main__":
    unittest.main()
