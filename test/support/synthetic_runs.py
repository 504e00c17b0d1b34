"""Run files (traces/schema.md) with made-up results, for tests of the scripts that read them."""

import pathlib
import tempfile
import unittest

import h5py
import numpy as np
import yaml

TASK = np.dtype([("task", "<u4"), ("kind", "u1"), ("phase", "u1"), ("level", "u1"), ("accelerator", "<u2"),
                 ("destination", "<u2"), ("operator", "<u2"), ("start_ps", "<i8"), ("end_ps", "<i8"), ("bytes", "<i8"),
                 ("macs", "<i8"), ("micro_batch", "<u4"), ("step", "<u4"), ("version", "<u4"), ("stage", "<u2")])
KINDS, PHASES = ["load", "compute", "store", "transfer"], ["forward", "backward_data", "backward_weight", "update"]
ENERGY = np.dtype([("component", "S32"), ("event", "S32"), ("count", "<i8"), ("each_j", "<f8"), ("total_j", "<f8")])


def write_run(path, *, network="hypar/sfc", planner="dp", accelerators=16, topology="htree", time_s=1.0,
              communication_gb=1.0, energy_j=1.0, splits=None, batch=256, tasks=4, predicted_time_s=0.0, array="hypar-paper",
              attributes=None):
    """`splits`: operator -> letters per level ("nncn"). `tasks`: how many, or a dictionary of columns for each.
    `attributes` replace or add attributes of the file."""
    levels = accelerators.bit_length() - 1
    plan = {"schema": "tessera.plan/1", "planner": planner, "network": network,
            "operators": {name: list(letters) for name, letters in (splits or {"fc1": "n" * levels}).items()}}
    with h5py.File(path, "w") as run:
        run.attrs.update({
            "schema": "tessera.run/1", "tessera_version": "0.0.0", "commit": "synthetic", "command_line": "",
            "host": "", "seed": 0, "trace": "tasks", "network": network, "array": array, "planner": planner,
            "batch": batch, "accelerators": accelerators, "complete": 1, "time_ps": round(time_s * 1e12), "cycles": 1,
            "communication_bytes": round(communication_gb * 1e9),
            "predicted_time_s": predicted_time_s, "macs": 1, "fingerprint": "0" * 16,
            **(attributes or {})})
        run["config/workload"] = yaml.safe_dump({"name": network})
        run["config/array"] = yaml.safe_dump({"fabric": {"topology": topology}})
        run["config/plan"] = yaml.safe_dump(plan, sort_keys=False)
        run["names/operators"] = list(plan["operators"])
        run["names/task_kinds"], run["names/phases"] = KINDS, PHASES
        run["tasks"] = task_table(tasks)
        run["energy"] = np.array([("memory", "access", 1, energy_j, energy_j)], ENERGY)
    return path


def task_table(tasks):
    table = np.zeros(tasks if isinstance(tasks, int) else len(tasks), TASK)
    table["task"] = table["end_ps"] = np.arange(len(table))
    for row, columns in zip(table, [] if isinstance(tasks, int) else tasks):
        for name, value in columns.items():
            row[name] = value
    return table


class RunsTest(unittest.TestCase):
    """A folder, and made-up runs in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.runs = []

    def add(self, **run):
        self.runs.append(write_run(self.folder / f"{len(self.runs)}.h5", **run))
