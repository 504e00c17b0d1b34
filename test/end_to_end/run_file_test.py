"""What `tessera simulate` writes about the fabric: every link and the traffic matrix of the whole array."""

import re
import unittest

import h5py
import numpy as np
import pandas as pd

from program import ProgramTest

ARRAYS = (("-a", "hypar-paper"), ("-a", "hypar-paper", "--no-symmetry"),
          ("-a", "hypar-paper", "--set", "arch.fabric.topology=torus"), ("-a", "hmc-htree-16"),
          ("-a", "hypar-paper", "--set", "arch.fabric={clock: 1 GHz, topology: "
           "{kind: fat-tree, shape: [4, 2], link: {bandwidth: 8 Gb/s, latency: 10 ns}}}"),
          ("-a", "hypar-paper", "--set", "arch.fabric={clock: 1 GHz, topology: "
           "{kind: mesh, shape: [4, 4], link: {bandwidth: 8 Gb/s, latency: 10 ns}}, packet: 4 KiB, "
           "router: {pipeline: 3 ns, virtual_channels: 2, buffer_packets: 4}}"))


def node(name):
    """How deep a node of an H-tree of four levels is, and its place there."""
    level, place = re.fullmatch(r"(?:accelerator-|switch-(\d)\.)(\d+)", name.decode()).groups()
    return int(level or 5), int(place)


class RunFile(ProgramTest):
    def run_of(self, array, planner="hypar"):
        printed = self.json_of("simulate", "-w", "hypar/lenet-c", *array, "-p", planner, "-o", "run.h5", "--force")
        with h5py.File(self.path("run.h5")) as run:
            tables = {name: pd.DataFrame(run[name][:]) for name in ("tasks", "links", "traffic", "energy")}
            tables["kinds"] = list(run["names/task_kinds"].asstr()[:])
            return printed, tables, dict(run.attrs)

    def test_the_traffic_matrix_is_the_sum_of_all_transfers(self):
        for array in ARRAYS:
            _, tables, totals = self.run_of(array)
            tasks = tables["tasks"]
            transfers = tasks[tasks.kind == tables["kinds"].index("transfer")]
            sums = transfers.groupby(["accelerator", "destination"]).bytes.agg(["size", "sum"]).reset_index()
            traffic = tables["traffic"]
            np.testing.assert_array_equal(sums.to_numpy(), traffic.to_numpy(), err_msg=str(array))
            self.assertEqual(traffic.bytes.sum(), totals["communication_bytes"])
            self.assertGreater(len(traffic), 16)

    def test_links_carry_what_went_over_them_in_a_tree(self):
        _, tables, totals = self.run_of(ARRAYS[0])
        traffic, levels = tables["traffic"], 4
        self.assertEqual(len(tables["links"]), 2 * (16 + 8 + 4 + 2))
        for link in tables["links"].rename(columns={"from": "source"}).itertuples():
            (depth, index), (other, other_index) = node(link.source), node(link.to)
            is_up = depth > other
            index = index if is_up else other_index
            below = levels - link.level  # bits of the index of an accelerator below the lower end
            senders = traffic.source.to_numpy() >> below == index
            receivers = traffic.destination.to_numpy() >> below == index
            crossing = senders & ~receivers if is_up else receivers & ~senders
            self.assertEqual(link.bytes, traffic.bytes[crossing].sum(), link)
            self.assertEqual(link.messages, traffic.messages[crossing].sum(), link)
            self.assertAlmostEqual(link.utilisation, link.busy_ps / (link.lanes * totals["time_ps"]))

    def test_the_links_are_those_of_the_json_and_of_the_energy(self):
        for array in ARRAYS:
            printed, tables, _ = self.run_of(array)
            links = tables["links"]
            self.assertEqual({f"{a.decode()}>{b.decode()}": n for a, b, n in zip(links["from"], links.to, links.bytes)},
                             {name: link["bytes"] for name, link in printed["links"].items()})
            fabric = tables["energy"][tables["energy"].component == b"fabric"].total_j.sum()
            self.assertAlmostEqual(links.energy_j.sum(), fabric, delta=1e-9 * fabric)

    def test_the_critical_path_leads_from_the_beginning_to_the_end(self):
        for array in ARRAYS:
            self.run_of(array)
            with h5py.File(self.path("run.h5")) as run:
                path, tasks, time = pd.DataFrame(run["critical_path"][:]), pd.DataFrame(run["tasks"][:]), run.attrs["time_ps"]
                causes, links = list(run["names/path_causes"].asstr()), len(run["links"])
            np.testing.assert_array_equal(path.begin_ps, [0, *path.end_ps[:-1]], err_msg=str(array))
            self.assertEqual((path.end_ps - path.begin_ps).sum(), time)
            on_path = path.join(tasks.set_index("task"), on="task", rsuffix="_of_task")
            self.assertTrue((on_path.begin_ps >= on_path.start_ps).sum() >= len(path) - (path.cause == causes.index("dispatch")).sum())
            np.testing.assert_array_equal(on_path.operator, on_path.operator_of_task)
            sent = path.cause.isin([causes.index("communication"), causes.index("wait")])
            self.assertTrue((path.link[sent].between(0, links - 1)).all() and (path.link[~sent] == -1).all())

    def test_what_tasks_waited_for_was_over_when_they_went_on(self):
        for array in ARRAYS:
            self.run_of(array)
            with h5py.File(self.path("run.h5")) as run:
                tasks, causes = pd.DataFrame(run["tasks"][:]).set_index("task"), list(run["names/causes"].asstr())
            self.assertTrue(((tasks.waited_for == -1) == (tasks.cause == causes.index("none"))).all())
            self.assertTrue((tasks.start_ps[tasks.waited_for == -1] == 0).all(), array)
            self.assertTrue((tasks.slack_ps >= 0).all())
            waiting = tasks[tasks.cause == causes.index("data")]
            before = tasks.loc[waiting.waited_for]
            arrived = before.end_ps.to_numpy() == waiting.start_ps.to_numpy()
            left = (before.accelerator.to_numpy() == waiting.accelerator.to_numpy()) & (before.destination != before.accelerator).to_numpy()
            self.assertTrue((arrived | left).all(), array)

    def test_repeats_are_the_tasks_of_those_that_others_mirror(self):
        simulate = ("simulate", "-w", "hypar/lenet-c", "-a", "hmc-htree-16", "-p", "hypar", "--set", "workload.batch=16")
        for name in ("tasks", "repeats"):
            printed = self.json_of(*simulate, "-o", f"{name}.h5", "--trace", name)
            self.assertEqual(printed["trace"], name)
        with h5py.File(self.path("tasks.h5")) as whole, h5py.File(self.path("repeats.h5")) as repeats:
            tasks, own = (pd.DataFrame(run["tasks"][:]) for run in (whole, repeats))
            mirrors = dict(repeats["mirrors"][:].tolist())
            self.assertEqual(set(tasks.accelerator), set(own.accelerator) | set(mirrors))
            self.assertEqual(set(mirrors.values()), set(own.accelerator))
            pd.testing.assert_frame_equal(tasks[tasks.accelerator.isin(own.accelerator)].reset_index(drop=True), own)
            told = ["kind", "phase", "operator", "start_ps", "end_ps", "bytes", "macs", "micro_batch", "cause", "slack_ps"]
            for accelerator, simulated in mirrors.items():
                theirs, image = (tasks[tasks.accelerator == which].sort_values("task")[told].reset_index(drop=True)
                                 for which in (accelerator, simulated))
                pd.testing.assert_frame_equal(theirs, image)
            for table in ("links", "traffic", "counters", "energy", "breakdown", "critical_path"):
                np.testing.assert_array_equal(whole[table][:], repeats[table][:], err_msg=table)

    def test_more_than_ten_million_tasks_are_repeats_unless_asked_for(self):
        simulate = ("simulate", "-w", "gpt-2", "-a", "tpu-v3-128", "-p", "dp", "--set", "arch.accelerators=16384",
                    "--set", "arch.execution.collectives=torus", "--set", "workload.batch=16384")
        printed = self.output_of(*simulate, "-o", "run.h5")
        self.assertIn("of 16384 accelerators 1 was simulated; the others mirror it (--no-symmetry simulates all); the run file "
                      "has the tasks of the former", printed)
        self.output_of(*simulate, "-o", "run.h5")  # the same again
        with h5py.File(self.path("run.h5")) as run:
            self.assertEqual((run.attrs["schema"], run.attrs["trace"], len(run["mirrors"])), ("tessera.run/2", "repeats", 16383))
            self.assertGreater(len(run["tasks"]) * 16384, 10**7)
        self.assert_refused(*simulate, "-o", "run.h5", "--trace", "none", because="'repeats' there, 'none' here")

    def test_places_and_predictions_by_phase(self):
        _, tables, totals = self.run_of(ARRAYS[2])  # a torus
        with h5py.File(self.path("run.h5")) as run:
            places, plan, breakdown = (pd.DataFrame(run[name][:]) for name in ("places", "plan", "breakdown"))
        self.assertEqual(set(places.name), set(tables["links"]["from"]) | set(tables["links"].to))
        self.assertEqual(sorted(zip(places.x, places.y)), [(x, y) for x in range(4) for y in range(4)])
        self.assertAlmostEqual(plan.predicted_time_s.sum() / totals["predicted_time_s"], 1)
        self.assertAlmostEqual(plan.predicted_communication_bytes.sum(), totals["predicted_communication_bytes"], delta=len(plan))
        self.assertEqual(breakdown.macs.sum(), totals["macs"])
        self.assertGreater(breakdown.memory_bytes.sum(), 0)


if __name__ == "__main__":
    unittest.main()
