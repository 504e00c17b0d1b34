"""`simulate --modules`: the tree shows the hardware, whatever of it was simulated."""

import unittest

from program import ProgramTest

PROBLEM = ("simulate", "-w", "hypar/lenet-c", "-p", "hypar", "--set", "workload.batch=128", "--modules")


class Modules(ProgramTest):
    def run_on(self, array, *options):
        """The modules by name, and the fingerprint."""
        run = self.json_of(*PROBLEM, "-a", array, *options)
        return {module["name"]: module for module in run["modules"]}, run["simulated"]["fingerprint"]

    def test_a_cube_is_crossbar_links_and_a_module_for_every_vault_and_without_fast_forward_each_runs(self):
        mirrored, fingerprint = self.run_on("hmc-htree-16")
        full, of_full = self.run_on("hmc-htree-16", "--no-fast-forward")
        self.assertEqual(fingerprint, of_full)
        vaults = {f"array.accelerator-{i}.memory.vault-{vault}" for i in range(16) for vault in range(32)}
        self.assertEqual({name for name, module in full.items() if module["kind"] == "vault"}, vaults)
        self.assertFalse([name for name, module in full.items() if "mirrors" in module])
        memory = "array.accelerator-15.memory."
        self.assertLessEqual({memory + "crossbar", *(f"{memory}link-{link}" for link in range(4))}, set(full))
        # The same hardware, of which less was simulated.
        self.assertEqual({name: module["kind"] for name, module in mirrored.items()},
                         {name: module["kind"] for name, module in full.items()})
        self.assertTrue(all(mirrored[name]["mirrors"] in mirrored for name in vaults if not name.endswith("vault-0")))

    def test_over_links_a_cube_is_simulated_as_a_whole_and_says_so(self):
        links = ("--set", "arch.accelerator.memory.through=links", "--set", "arch.execution.kernels=free", "--set", "workload.batch=16")
        modules, fingerprint = self.run_on("hmc-htree-16", *links)
        _, of_full = self.run_on("hmc-htree-16", *links, "--no-fast-forward")
        self.assertEqual(fingerprint, of_full)
        memory = "array.accelerator-0.memory."
        for part in ("crossbar", "link-3", "vault-31"):
            self.assertEqual(modules[memory + part]["core"], "memory", part)

    def test_the_order_in_which_modules_are_built_does_not_show(self):
        self.assertEqual(self.run_on("hmc-htree-16", "--no-symmetry"),
                         self.run_on("hmc-htree-16", "--no-symmetry", "--module-order", "reverse"))

    def test_hbm_has_a_module_for_every_channel(self):
        modules, _ = self.run_on("tpu-v3-128")
        self.assertEqual(sum(module["kind"] == "channel" for module in modules.values()), 128 * 64)
        self.assertIn("array.accelerator-127.router", modules)

    def test_people_see_equal_neighbours_in_one_line(self):
        report = self.output_of(*PROBLEM, "-a", "hmc-htree-16", "--no-fast-forward")
        self.assertRegex(report, r"\n      vault-0 \.\. vault-31 +512  vault +simulated\n")
        self.assertRegex(report, r"\n      crossbar +16  crossbar +unused: requests come from the logic layer\n")
        self.assertLess(report.count("\n"), 80)

    def test_nothing_is_listed_unasked(self):
        self.assertNotIn("modules", self.json_of("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp"))


if __name__ == "__main__":
    unittest.main()
