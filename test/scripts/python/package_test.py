"""The Python package: what it returns is what the program says, and what is refused is one line."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/python"), str(ROOT / "test/support"), str(ROOT / "test/end_to_end")]
import tessera  # noqa: E402  (the path comes first)
from program import NETWORK  # noqa: E402
from synthetic_runs import KINDS, PHASES, write_run  # noqa: E402
from tessera import timeline  # noqa: E402
from tessera.progress import Progress  # noqa: E402

LENET = ("hypar/lenet-c", "hypar-paper")
FOUR = {"arch.accelerators": 4}


def document(*arguments):
    """What the program itself says."""
    done = subprocess.run([os.environ["TESSERA"], *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tessera-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_error(self, because, call, code=2):
        """One line that says `because`."""
        with self.assertRaises(tessera.TesseraError) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        self.assertRegex(str(caught.exception), r"\A[^\n]+\Z")
        self.assertIn(because, str(caught.exception))


class Commands(PackageTest):
    def test_simulate_returns_what_the_program_says(self):
        run = tessera.simulate(*LENET, "hypar", set={"arch.accelerators": 4, "workload.batch": 64})
        said = document("simulate", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "hypar", "--set", "arch.accelerators=4",
                        "--set", "workload.batch=64")
        self.assertEqual((run.fingerprint, run.cycles, run.batch, run.accelerators),
                         (said["simulated"]["fingerprint"], said["simulated"]["cycles"], 64, 4))
        self.assertAlmostEqual(run.time_s, said["simulated"]["time_s"], places=15)
        self.assertAlmostEqual(run.energy_j, said["simulated"]["energy_j"], places=12)
        self.assertEqual(run.predicted.time_s, said["predicted"]["time_s"])
        self.assertEqual(run.samples_per_second, 64 / run.time_s)
        self.assertEqual(run.result["simulated"], said["simulated"])

    def test_a_plan_that_was_edited_is_simulated(self):
        plan = tessera.plan(*LENET, "hypar", set=FOUR)
        self.assertEqual(plan.types.loc["fc1"].tolist(), [level["types"]["fc1"] for level in plan.report["levels"]])
        run = tessera.simulate(*LENET, plan=plan, set=FOUR, trace="none")
        self.assertEqual(run.predicted.time_s, plan.predicted["time_s"])
        plan.text = tessera.plan(*LENET, "dp", set=FOUR).text
        self.assertEqual(tessera.simulate(*LENET, plan=plan, set=FOUR, trace="none").fingerprint,
                         tessera.simulate(*LENET, "dp", set=FOUR, trace="none").fingerprint)

    def test_a_run_file_is_kept_where_it_was_asked_for_and_not_replaced(self):
        run = tessera.simulate(*LENET, "dp", set=FOUR, trace="none", output=self.folder / "run.h5")
        self.assertEqual(tessera.Run(self.folder / "run.h5").fingerprint, run.fingerprint)
        self.assert_error("--force", lambda: tessera.simulate(*LENET, "mp", set=FOUR, output=self.folder / "run.h5"))
        tessera.simulate(*LENET, "mp", set=FOUR, output=self.folder / "run.h5", force=True)
        self.assertEqual(tessera.Run(self.folder / "run.h5").planner, "mp")

    def test_without_a_name_it_goes_away_with_the_run(self):
        run = tessera.simulate(*LENET, "dp", set=FOUR, trace="none")
        path = run.path
        self.assertTrue(os.path.exists(path))
        del run
        self.assertFalse(os.path.exists(path))

    def test_a_pool_keeps_the_order_and_failed_points_are_errors(self):
        points = [{"workload": "hypar/lenet-c", "arch": "hypar-paper", "planner": planner, "set": FOUR, "trace": "none"}
                  for planner in ("dp", "nope", "mp")]
        dp, failed, mp = tessera.simulate_all(points, workers=2, progress=False)
        self.assertEqual((dp.planner, mp.planner), ("dp", "mp"))
        self.assertIsInstance(failed, tessera.TesseraError)
        self.assertIn("unknown planner 'nope'", str(failed))
        self.assert_error("'nope'", lambda: tessera.simulate_all(points, progress=False, on_error="raise"))

    def test_compare_is_a_frame(self):
        frame = tessera.compare(["hypar/lenet-c"], "hypar-paper", ["dp", "mp"], set=FOUR)
        said = document("compare", "-w", "hypar/lenet-c", "-a", "hypar-paper", "-p", "dp,mp", "--set", "arch.accelerators=4")
        self.assertEqual(frame["speedup"].tolist(), [result["speedup"] for result in said["results"]])
        self.assertEqual(frame["simulated.time_s"].tolist(), [result["simulated"]["time_s"] for result in said["results"]])
        self.assertEqual(frame.attrs["geomean"], said["geomean"])

    def test_a_point_of_compare_that_fails_is_a_row(self):
        network = self.folder / "network.yaml"
        network.write_text(NETWORK.replace("batch: 256", "batch: 8"))
        frame = tessera.compare(str(network), "hypar-paper", ["mp", "dp"])
        self.assertEqual(frame["failure.exit_code"].isna().tolist(), [True, False])

    def test_what_the_program_refuses_is_its_line(self):
        self.assert_error("unknown network 'hypar/lenet'", lambda: tessera.simulate("hypar/lenet", "hypar-paper", "dp"))
        (self.folder / "network.yaml").write_text(NETWORK + "colour: red\n")
        self.assert_error("network.yaml:9:1: colour: unknown key",
                          lambda: tessera.plan(self.folder / "network.yaml", "hypar-paper", "dp"))
        self.assert_error("give a planner or a plan", lambda: tessera.simulate(*LENET))

    def test_remarks_are_warnings(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            tessera.plan(*LENET, "dp", set={"arch.fabric.link.bandwidth": "8 Gb/s"})
        self.assertEqual([warning.category for warning in said], [tessera.TesseraRemark])
        self.assertIn("accelerator's own link has 1 Gb/s", str(said[0].message))

    def test_a_program_that_is_not_there(self):
        before = os.environ["TESSERA"]
        self.addCleanup(os.environ.__setitem__, "TESSERA", before)
        os.environ["TESSERA"] = "/nowhere/tessera"
        self.assert_error("cannot run /nowhere/tessera: No such file or directory", tessera.program_version)

    def test_it_is_of_the_program_s_version(self):
        self.assertIn(f"tessera {tessera.__version__} (", tessera.program_version())
        self.assertIn(f'version = "{tessera.__version__}"', (ROOT / "scripts/python/pyproject.toml").read_text())


class Runs(PackageTest):
    def test_every_table_is_a_frame_with_units_and_names(self):
        run = tessera.simulate("hypar/lenet-c", "hmc-htree-16", "hypar", set=FOUR, trace="commands")
        with h5py.File(run.path) as file:
            for name in run.tables:
                frame = run.table(name)
                self.assertEqual(list(frame.columns), list(file[name].dtype.names))
                self.assertEqual(len(frame), len(file[name]))
                self.assertEqual(list(frame.attrs["units"].values()), list(file[name].attrs["units"].astype(str)))
        tasks = run.tasks
        self.assertEqual(tasks.macs.sum(), run.macs)
        self.assertLessEqual({"conv1", "fc2"}, set(tasks.operator.cat.categories))
        self.assertEqual(tasks[tasks.kind == "transfer"].bytes.sum(), run.communication_bytes)
        self.assertEqual(run.traffic.bytes.sum(), run.communication_bytes)
        times = run.breakdown[["compute_ps", "memory_ps", "communication_ps", "idle_ps"]].to_numpy().sum()
        self.assertEqual(times, run.accelerators * run.attributes["time_ps"])
        self.assertTrue((run.commands.kind == "activate").any())
        counted = run.counters[run.counters.name == "busy"].set_index("resource").value
        width = run.utilisation.index[1]
        for resource, share in run.utilisation.items():
            self.assertAlmostEqual(share.sum() * width * 1e12 / max(counted[resource], 1), min(counted[resource], 1), places=9)
        self.assertIn("schema: tessera.array/2", run.config("array"))
        self.assertIn("predicted</th>", run._repr_html_())

    def test_tables_say_why_a_run_took_so_long(self):
        run = tessera.simulate("hypar/lenet-c", "hmc-htree-16", "hypar", set=FOUR)
        time = run.attributes["time_ps"]
        path = run.critical_path
        self.assertEqual(path.begin_ps.tolist(), [0, *path.end_ps[:-1]])
        self.assertEqual((path.end_ps - path.begin_ps).sum(), time)
        self.assertLessEqual(set(path.task), set(run.tasks.task))
        faster = run.what_if.set_index("resource")
        self.assertLessEqual({"compute", "memory", "links"}, set(faster.index))
        self.assertTrue((faster.estimate_infinite_ps <= faster.estimate_2x_ps).all() and (faster.estimate_2x_ps <= time).all())
        self.assertLessEqual(set(run.links["from"]) | set(run.links["to"]), set(run.places.name))
        self.assertAlmostEqual(run.plan_costs.predicted_time_s.sum(), run.predicted.time_s, places=12)
        self.assertEqual(len(run.accelerator_work), run.accelerators)
        self.assertEqual(run.accelerator_work.macs.sum(), run.macs)

    def test_columns_and_tables_of_a_newer_program_are_read_too(self):
        path = write_run(self.folder / "run.h5")
        with h5py.File(path, "a") as file:
            file["critical_path"] = np.array([(3, 1)], [("task", "<u4"), ("new", "<i8")])
        self.assertEqual(tessera.Run(path).critical_path.new.tolist(), [1])
        self.assert_error("it has no table 'stages'", lambda: tessera.Run(path).stages)

    def test_files_that_are_no_runs(self):
        path = self.folder / "run.h5"
        self.assert_error("run.h5: not a run file: not found", lambda: tessera.Run(path))
        path.write_text("text")
        self.assert_error("not an HDF5 file", lambda: tessera.Run(path))
        write_run(path, attributes={"schema": "tessera.run/99"})
        self.assert_error("its schema is tessera.run/99 (tessera.run/1 or tessera.run/2 is needed)", lambda: tessera.Run(path))
        write_run(path)
        path.write_bytes(path.read_bytes()[:3000])
        self.assert_error("not an HDF5 file, or not all of one", lambda: tessera.Run(path))

    def test_a_run_without_tasks_has_no_timeline(self):
        path = write_run(self.folder / "run.h5", tasks=0)
        self.assert_error("no tasks were recorded; simulate with trace 'tasks'", tessera.Run(path).timeline)

    def test_the_timeline_draws_what_its_tasks_did(self):
        def task(kind, phase, accelerator, start, end):
            return {"kind": KINDS.index(kind), "phase": PHASES.index(phase), "accelerator": accelerator,
                    "start_ps": start * 10**9, "end_ps": end * 10**9}
        path = write_run(self.folder / "run.h5", time_s=0.99, tasks=[
            task("compute", "forward", 0, 0, 200), task("compute", "update", 0, 0, 500), task("transfer", "forward", 1, 200, 300),
            task("compute", "forward", 1, 600, 700), task("compute", "forward", 1, 700, 900)])
        boxes = {}
        axes = tessera.Run(path).timeline()
        for drawn in axes.collections:
            for box in drawn.get_paths():
                extents = box.get_extents()
                row = round(extents.y0 + 0.1)
                boxes.setdefault((row, extents.y0 > row), []).append((round(extents.x0), round(extents.x1)))
        # Both computations of accelerator 0 were issued at 0: the second began when the first had ended.
        self.assertEqual(boxes, {(0, False): [(0, 200), (200, 500)], (1, False): [(600, 900)], (1, True): [(200, 300)]})
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["forward", "update", "sends"])

    def test_a_million_boxes_are_as_many_as_can_be_seen(self):
        starts = np.arange(10**6) * 2.0
        first, last = timeline.merged(starts, starts + 1, gap=5.0)
        self.assertEqual((first.tolist(), last.tolist()), ([0.0], [2.0 * (10**6 - 1) + 1]))
        first, last = timeline.merged(starts[:3], starts[:3] + 1, gap=0.5)
        self.assertEqual((first.tolist(), last.tolist()), ([0, 2, 4], [1, 3, 5]))


class Sweeps(PackageTest):
    SWEEP = {"name": "small", "options": {"arch": "hypar-paper", "arch.accelerators": 4},
             "axes": {"workload": ["hypar/lenet-c"], "planner": ["dp", "hypar"], "workload.batch": [64, 128]}}

    def test_a_mapping_is_swept_and_a_second_call_finds_it_done(self):
        study = tessera.sweep(self.SWEEP, self.folder / "study", progress=False)
        table = study.table
        alone = tessera.simulate(*LENET, "hypar", set={**FOUR, "workload.batch": 128}, trace="none")
        row = table[(table.planner == "hypar") & (table["workload.batch"] == 128)].iloc[0]
        self.assertEqual((row.fingerprint, row.state), (alone.fingerprint, "done"))
        self.assertAlmostEqual(row.time_s, alone.time_s, places=15)
        self.assertEqual(study.status["done"], 4)
        files = os.listdir(self.folder / "study/results")
        tessera.sweep(self.SWEEP, self.folder / "study", progress=False)
        self.assertEqual(os.listdir(self.folder / "study/results"), files)
        study.to_csv(self.folder / "table.csv")
        self.assertEqual(len((self.folder / "table.csv").read_text().splitlines()), 5)

    def test_points_that_cannot_be_are_rows_and_mistakes_errors(self):
        study = tessera.sweep({**self.SWEEP, "axes": {**self.SWEEP["axes"], "workload.batch": [2, 64]}}, progress=False)
        self.assertIn("infeasible", set(study.table.state))
        self.assertEqual(study.status["done"] + study.status["infeasible"], 4)
        self.assert_error("unknown planner 'dpp'", lambda: tessera.sweep(
            {**self.SWEEP, "axes": {**self.SWEEP["axes"], "planner": ["dpp"]}}, progress=False))

    def test_parquet_where_it_can_be_written(self):
        study = tessera.sweep({**self.SWEEP, "axes": {"workload": ["hypar/lenet-c"], "planner": ["dp"]}}, progress=False)
        path = self.folder / "table.parquet"
        try:
            from pyarrow import parquet
        except ImportError:
            self.assert_error("Parquet needs pyarrow, which is not installed", lambda: study.to_parquet(path))
            self.assertEqual(os.listdir(self.folder), [])
        else:
            study.to_parquet(path)
            self.assertEqual(parquet.read_table(path)["fingerprint"].to_pylist(), study.table.fingerprint.tolist())

    def test_numbers_of_quantities(self):
        self.assertEqual([tessera.number(text) for text in ("16", "2 Gb/s", "250 MB/s", "dp")], [16, 2e9, 2e9, None])


class Shown(unittest.TestCase):
    def test_progress_is_a_line_on_a_terminal_and_nothing_elsewhere(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            with Progress("runs", 4) as shown:
                shown.update(2)
            self.assertEqual(said.getvalue(), "")
            with Progress("runs", 4, wanted=True) as shown:
                shown.update(1)
                shown.update(4)
        self.assertRegex(said.getvalue(), r"\A\r\x1b\[K1/4 runs, \d+ s left\r\x1b\[K4/4 runs\n\Z")


if __name__ == "__main__":
    import matplotlib
    matplotlib.use("Agg")
    unittest.main()
