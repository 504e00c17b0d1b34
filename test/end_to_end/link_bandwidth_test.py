"""What a link carries: reports say it, tessera.array/2 has it in the file, and a file of tessera.array/1 is told so."""

import unittest

import h5py

from program import DONE, ProgramTest

# A torus of 656 Gb/s links, as tessera.array/1 has them: times 128.
OF_ROOT = """\
schema: tessera.array/1
name: pod
accelerators: 128
accelerator:
  clock: 1 GHz
  processing_unit: {kind: mac-rate, macs_per_cycle: 65536}
  memory: {kind: ideal, capacity: 16 GB}
fabric:
  topology: torus
  clock: 1 GHz
  link: {bandwidth: 83.968 Tb/s, latency: 1 us}
energy: {multiply: 1 pJ, add: 1 pJ, buffer_access: 1 pJ, memory_access: 1 pJ, link_word: 1 pJ}
"""
OWN = OF_ROOT.replace("array/1", "array/2").replace("83.968 Tb/s", "656 Gb/s")
REMARK = ("remark: pod.yaml:11:21: fabric.link.bandwidth: '83.968 Tb/s' is of an H-tree's links at the root (tessera.array/1); "
          "each link of the torus has 656 Gb/s, which tessera.array/2 writes 'bandwidth: 656 Gb/s'\n")
LENET = ("-w", "hypar/lenet-c", "-p", "dp")
SIMULATE = ("simulate", *LENET, "-a", "pod.yaml")


class LinkBandwidth(ProgramTest):
    def test_a_report_on_656_gb_links_does_not_say_83_tb(self):
        self.write("pod.yaml", OF_ROOT)
        for command in ("plan", "simulate", "compare"):
            run = self.run_program(command, *LENET, "-a", "pod.yaml")
            self.assertEqual((run.returncode, run.stderr), (DONE, REMARK))
            self.assertIn("\nlinks: 656.0 Gb/s each way\n", run.stdout)
            self.assertNotIn("83.97 Tb/s", run.stdout)
            self.write("own.yaml", OWN)
            document = self.json_of(command, *LENET, "-a", "own.yaml")
            self.assertEqual(document["link_bandwidth"], {"own_gbit_per_s": 656, "widest_gbit_per_s": 656})

    def test_links_of_an_htree_are_an_accelerator_s_own_and_the_widest(self):
        hypar = (*LENET, "-a", "hypar-paper")
        self.assertIn("\nlinks: 125.0 Mb/s each way, an accelerator's own; the widest 1.000 Gb/s\n", self.output_of("plan", *hypar))
        self.assertEqual(self.json_of("simulate", *hypar)["link_bandwidth"], {"own_gbit_per_s": 0.125, "widest_gbit_per_s": 1})
        alone = self.json_of("simulate", *LENET, "-a", "eyeriss")
        self.assertNotIn("link_bandwidth", alone)

    def test_model_parallelism_has_no_jump_where_the_arity_of_the_root_has_one(self):
        """It took 182.5 s on 12 accelerators (three groups) and 53.7 s on 13 (thirteen parts): each had the root's bandwidth."""
        times = [self.json_of("plan", "-w", "hypar/vgg-a", "-a", "hypar-paper", "-p", "mp", "--set",
                              f"arch.accelerators={accelerators}")["predicted"]["time_s"] for accelerators in range(8, 17)]
        for fewer, more in zip(times, times[1:]):
            self.assertGreater(more, fewer, times)
            self.assertLess(more, 1.2 * fewer, times)

    def test_what_the_remark_says_to_write_is_the_same_array(self):
        self.write("pod.yaml", OF_ROOT)
        first = self.run_program(*SIMULATE, "-o", "run.h5")
        self.assertEqual(first.stderr, REMARK)
        self.write("pod.yaml", OWN)
        again = self.output_of(*SIMULATE, "-o", "run.h5")  # the same run: replaced without --force
        self.assertEqual(first.stdout.split("fingerprint")[1], again.split("fingerprint")[1])

    def test_set_means_what_the_schema_of_the_file_says(self):
        for text, expected in ((OF_ROOT, 1), (OWN, 128)):
            self.write("pod.yaml", text)
            run = self.run_program(*SIMULATE, "--set", "arch.fabric.link.bandwidth=128 Gb/s", "--json")
            self.assertIn(f'"own_gbit_per_s": {expected}.0', run.stdout)
            self.assertEqual("--set arch.fabric.link.bandwidth=128 Gb/s: " in run.stderr, expected == 1)

    def test_the_array_of_a_run_file_is_loaded_as_the_same_array(self):
        self.write("pod.yaml", OF_ROOT)
        self.run_program(*SIMULATE, "-o", "run.h5")
        with h5py.File(self.path("run.h5")) as run:
            written = run["config/array"].asstr()[()]
            self.assertEqual(set(run["links"]["lane_bandwidth"]), {656_000_000_000})
        self.write("again.yaml", written)
        self.output_of("simulate", *LENET, "-a", "again.yaml", "-o", "run.h5")

    def test_a_run_that_an_earlier_version_wrote_is_the_same_run(self):
        self.write("pod.yaml", OWN)
        self.output_of(*SIMULATE, "-o", "run.h5")
        with h5py.File(self.path("run.h5"), "r+") as run:
            text = run["config/array"].asstr()[()]
            del run["config/array"]
            earlier = text.replace("array/2", "array/1").replace("bandwidth: 82 GB/s", "bandwidth: 10496 GB/s")
            run["config"].create_dataset("array", data=earlier, dtype=h5py.string_dtype())
        self.output_of(*SIMULATE, "-o", "run.h5")
        self.write("pod.yaml", OWN.replace("656", "328"))
        self.output_of(*SIMULATE, "-o", "other.h5")
        self.assert_refused(*SIMULATE, "-o", "run.h5", because="array: fabric.link.bandwidth is '82 GB/s' there, '41 GB/s' here")

    def test_a_key_or_a_schema_that_is_neither_is_refused_at_its_place(self):
        for text, because in ((OWN.replace("array/2", "array/3"), "pod.yaml:1:9: schema: is not an array"),
                              (OWN.replace("bandwidth: 656 Gb/s", "at_root: 84 Tb/s"),
                               "pod.yaml:11:9: fabric.link: missing key 'bandwidth'"),
                              (OWN.replace("bandwidth: 656 Gb/s", "bandwidth: 656 Gb/s, at_root: 84 Tb/s"),
                               "pod.yaml:11:31: fabric.link.at_root: unknown key; known: bandwidth, latency, levels"),
                              (OWN.replace("torus", "htree").replace("656 Gb/s", "1000000 Tb/s"),
                               "pod.yaml:11:21: fabric.link.bandwidth: makes links at the root of the H-tree, 64 times")):
            self.write("pod.yaml", text)
            self.assert_refused(*SIMULATE, because=because)

    def test_links_too_fast_to_matter_are_simulated(self):
        self.write("pod.yaml", OWN.replace("656 Gb/s", "9000000 Tb/s"))
        self.assertIn("links: 9000 Pb/s each way", self.output_of(*SIMULATE))


if __name__ == "__main__":
    unittest.main()
