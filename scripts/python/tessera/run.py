"""Run files (traces/schema.md): what was simulated and what happened."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import RunFileError, TesseraError
from .scratch import ScratchFolder

if TYPE_CHECKING:
    import h5py
    import matplotlib.axes
    import pandas as pd

SCHEMAS = ("tessera.run/1", "tessera.run/2")  # of which the second has no tasks of accelerators that mirror others

# Column -> the names that its numbers stand for; those of "kind" are the table's.
_NAMES = {"operator": "operators", "phase": "phases", "channel": "channels"}
_KINDS = {"commands": "command_kinds"}
_CAUSES = {"critical_path": "path_causes"}


def open_run_file(path: str | os.PathLike[str]) -> h5py.File:
    """The HDF5 file, open for reading; RunFileError if it is missing, no HDF5 file, cut off, or of another schema."""
    try:
        import h5py
    except ImportError as error:
        raise TesseraError("run files are read with h5py, which this Python does not have; install it with pip, or with apt "
                           "(python3-h5py, for /usr/bin/python3)") from error
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        reason = "not found" if isinstance(error, FileNotFoundError) else "not an HDF5 file, or not all of one"
        raise RunFileError(f"{path}: not a run file: {reason}") from error
    schema = file.attrs.get("schema", "none")
    if schema not in SCHEMAS:
        file.close()
        raise RunFileError(f"{path}: not a run file: its schema is {schema} ({' or '.join(SCHEMAS)} is needed)")
    return file


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


@dataclasses.dataclass(frozen=True)
class Prediction:
    """What the plan's cost model said, of all steps one after another."""

    time_s: float
    communication_bytes: float
    energy_j: float


class Run:
    """A run file. Read when asked, and closed in between, so that nothing keeps it locked."""

    def __init__(self, path: str | os.PathLike[str], result: Mapping[str, Any] | None = None,
                 folder: ScratchFolder | None = None) -> None:
        """`result`: what `simulate --json` printed. `folder`: goes away with the run."""
        self.path = os.fspath(path)
        self.result = dict(result) if result is not None else None
        self._folder = folder
        with open_run_file(path) as file:
            #: Attributes of the file.
            self.attributes: dict[str, Any] = {name: _plain(value) for name, value in file.attrs.items()}
            self._tables = [name for name, item in file.items() if hasattr(item, "dtype") and item.dtype.names]

    def _attribute(self, name: str) -> Any:
        if name not in self.attributes:
            raise RunFileError(f"{self.path}: not a run file: it has no attribute '{name}'")
        return self.attributes[name]

    @property
    def network(self) -> str:
        """Name of the network."""
        return str(self._attribute("network"))

    @property
    def array(self) -> str:
        """Name of the array."""
        return str(self._attribute("array"))

    @property
    def planner(self) -> str:
        """Name of the planner."""
        return str(self._attribute("planner"))

    @property
    def batch(self) -> int:
        """Samples of a training step."""
        return int(self._attribute("batch"))

    @property
    def steps(self) -> int:
        """Training steps that were simulated."""
        return int(self.attributes.get("steps", 1))

    @property
    def accelerators(self) -> int:
        """Of the array."""
        return int(self._attribute("accelerators"))

    @property
    def complete(self) -> bool:
        """Did it come to its end?"""
        return bool(self._attribute("complete"))

    @property
    def time_s(self) -> float:
        """Of all steps [s]."""
        return int(self._attribute("time_ps")) * 1e-12

    @property
    def cycles(self) -> int:
        """Of the accelerators' clock."""
        return int(self._attribute("cycles"))

    @property
    def samples_per_second(self) -> float:
        """Samples of all steps over their time [1/s]."""
        return self.batch * self.steps / self.time_s

    @property
    def communication_bytes(self) -> int:
        """Sum over all transfers between accelerators [B]."""
        return int(self._attribute("communication_bytes"))

    @property
    def macs(self) -> int:
        """Multiply-accumulates that were executed."""
        return int(self._attribute("macs"))

    @property
    def energy_j(self) -> float:
        """Of the run [J]: the sum of the table `energy`."""
        return float(np.sum(self.rows("energy")["total_j"]))

    @property
    def fingerprint(self) -> str:
        """Equal for equal simulations."""
        return str(self._attribute("fingerprint"))

    @property
    def version(self) -> str:
        """What simulated: "0.1.0 (COMMIT)"."""
        return f"{self._attribute('tessera_version')} ({self._attribute('commit')})"

    @property
    def predicted(self) -> Prediction | None:
        """What the plan predicted; None where it did not."""
        time_s = float(self.attributes.get("predicted_time_s", 0))
        if time_s == 0:
            return None
        return Prediction(time_s, float(self._attribute("predicted_communication_bytes")), float(self._attribute("predicted_energy_j")))

    def config(self, what: str) -> str:
        """The resolved YAML of the "workload", the "array" or the "plan"."""
        with open_run_file(self.path) as file:
            if f"config/{what}" not in file:
                raise RunFileError(f"{self.path}: it has no config/{what}")
            return _text(file[f"config/{what}"][()])

    @property
    def tables(self) -> list[str]:
        """Names of the tables that the file has."""
        return list(self._tables)

    def rows(self, table: str) -> np.ndarray:
        """A table as it is in the file, a structured array; RunFileError if there is none."""
        with open_run_file(self.path) as file:
            return self._dataset(file, table)[:]

    def _dataset(self, file: h5py.File, table: str) -> h5py.Dataset:
        if table not in self._tables:
            raise RunFileError(f"{self.path}: it has no table '{table}' (tables: {', '.join(self._tables)}); a newer Tessera "
                               "or another option of simulate may write it")
        try:
            return file[table]
        except (OSError, KeyError) as error:
            raise RunFileError(f"{self.path}: its table '{table}' cannot be read; the file is damaged") from error

    def names(self, what: str) -> list[str]:
        """What ids stand for: "operators", "phases", "task_kinds", "channels", "command_kinds", "causes", "path_causes"."""
        with open_run_file(self.path) as file:
            if f"names/{what}" not in file:
                raise RunFileError(f"{self.path}: it has no names of {what}")
            return [_text(name) for name in file[f"names/{what}"][:]]

    def table(self, name: str) -> pd.DataFrame:
        """A table as a frame: names in the place of their numbers (as categories), units in .attrs["units"]."""
        import pandas as pd

        with open_run_file(self.path) as file:
            data = self._dataset(file, name)
            rows, units = data[:], data.attrs.get("units")
        frame = pd.DataFrame(rows)
        for column in frame.columns:
            if frame[column].dtype == object:
                frame[column] = frame[column].str.decode("utf-8")
            elif names := self._names_of(name, column):
                codes = frame[column].to_numpy().astype(np.int64)
                codes[codes >= len(names)] = -1  # no name: none of them
                frame[column] = pd.Categorical.from_codes(codes, pd.Index(names))
        if units is not None:
            frame.attrs["units"] = dict(zip(frame.columns, map(_text, units)))
        return frame

    def _names_of(self, table: str, column: str) -> list[str] | None:
        if column == "kind":
            return self.names(_KINDS.get(table, "task_kinds"))
        if column == "cause":
            return self.names(_CAUSES.get(table, "causes"))
        return self.names(_NAMES[column]) if column in _NAMES else None

    @property
    def tasks(self) -> pd.DataFrame:
        """Every task; empty with trace "none". With "repeats" those of accelerators that were simulated (`mirrors`)."""
        return self.table("tasks")

    @property
    def links(self) -> pd.DataFrame:
        """What each link of the fabric carried."""
        return self.table("links")

    @property
    def traffic(self) -> pd.DataFrame:
        """Who sent how much to whom."""
        return self.table("traffic")

    @property
    def energy(self) -> pd.DataFrame:
        """Where the energy went, by component and event."""
        return self.table("energy")

    @property
    def breakdown(self) -> pd.DataFrame:
        """Where the time went, by operator and phase, summed over accelerators."""
        return self.table("breakdown")

    @property
    def counters(self) -> pd.DataFrame:
        """What each resource counted."""
        return self.table("counters")

    @property
    def stages(self) -> pd.DataFrame:
        """What every accelerator did in its stage."""
        return self.table("stages")

    @property
    def commands(self) -> pd.DataFrame:
        """Every command of the DRAM channels, with trace "commands"."""
        return self.table("commands")

    @property
    def critical_path(self) -> pd.DataFrame:
        """The pieces that the run's time is the sum of, in order of time: whose task, and why; empty where the run stopped."""
        return self.table("critical_path")

    @property
    def places(self) -> pd.DataFrame:
        """Where each accelerator and switch of the fabric is drawn."""
        return self.table("places")

    @property
    def plan_costs(self) -> pd.DataFrame:
        """What the plan predicts, by operator and phase."""
        return self.table("plan")

    @property
    def accelerator_work(self) -> pd.DataFrame:
        """What each accelerator computed and moved, and its peaks."""
        return self.table("accelerators")

    @property
    def mirrors(self) -> pd.DataFrame:
        """With trace "repeats": accelerators whose tasks are not in the run, and which one's tasks they mirror."""
        return self.table("mirrors")

    @property
    def what_if(self) -> pd.DataFrame:
        """The run's time if resources were faster: a bound, and estimates at twice their rate and at an infinite one [ps]."""
        return self.table("what_if")

    @property
    def utilisation(self) -> pd.DataFrame:
        """Busy time of each resource (column) over the time, by the beginning of each bin [s]; a link has that of all its lanes."""
        import pandas as pd

        with open_run_file(self.path) as file:
            if "utilisation/busy_ps" not in file:
                raise RunFileError(f"{self.path}: it has no utilisation over time")
            busy, names = file["utilisation/busy_ps"], file["utilisation/resource"][:]
            bin_ps, shares = int(busy.attrs["bin_ps"]), busy[:]
        index = pd.Index(np.arange(shares.shape[1]) * bin_ps * 1e-12, name="time_s")
        return pd.DataFrame(shares.T / bin_ps, index=index, columns=[_text(name) for name in names])

    def timeline(self, axes: matplotlib.axes.Axes | None = None, **options: Any) -> matplotlib.axes.Axes:
        """Draws who did what when; see tessera.timeline.draw_timeline."""
        from .timeline import draw_timeline

        return draw_timeline(self, axes, **options)

    def __repr__(self) -> str:
        return (f"<Run: {self.network} on {self.array} with {self.planner}, batch {self.batch}: "
                f"{self.time_s:.4g} s, {self.energy_j:.4g} J>")

    def _repr_html_(self) -> str:
        """The first table of `tessera simulate`, for notebooks."""
        said = self.predicted
        rows = [("time [s]", said and said.time_s, self.time_s),
                ("communication [B]", said and said.communication_bytes, self.communication_bytes),
                ("energy [J]", said and said.energy_j, self.energy_j)]
        cells = "".join(f"<tr><th>{what}</th><td>{'' if predicted is None else format(predicted, '.4g')}</td>"
                        f"<td>{simulated:.4g}</td></tr>" for what, predicted, simulated in rows)
        return (f"<p>{self.network} on {self.array} with {self.planner}, batch {self.batch}</p><table><tr><th></th>"
                f"<th>predicted</th><th>simulated</th></tr>{cells}</table>")
