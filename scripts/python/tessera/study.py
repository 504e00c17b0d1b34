"""A design space: `tessera sweep`, its folder and its table."""

from __future__ import annotations

import io
import json
import os
import pathlib
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import TesseraError
from .program import Calls, call, call_json
from .progress import Progress
from .scratch import ScratchFolder

if TYPE_CHECKING:
    import pandas as pd

_FAILED_POINTS = 3  # the exit code of a sweep some points of which failed
_POLL_S = 0.5


class Study:
    """A study's folder."""

    def __init__(self, folder: str | os.PathLike[str], owner: ScratchFolder | None = None) -> None:
        """`owner`: goes away with the study."""
        self.path = os.fspath(folder)
        self._owner = owner

    @property
    def status(self) -> dict[str, int]:
        """How many "points" there are, and how many are "done", "infeasible", "failed" and "left"."""
        tally = call_json(["sweep", "status", self.path], accept=(0, _FAILED_POINTS))
        return {key: value for key, value in tally.items() if key != "schema"}

    @property
    def table(self) -> pd.DataFrame:
        """A row for each point: its keys, "state", and where that is "done" what was simulated and predicted.

        What has a unit in the sweep's file keeps it ("2 Gb/s"; tessera.number gives 2e9).
        """
        import pandas as pd

        return pd.read_csv(io.StringIO(self._csv()), dtype={"id": str, "fingerprint": str}, float_precision="round_trip")

    def _csv(self) -> str:
        return call(["sweep", "collect", self.path]).stdout

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as `tessera sweep collect DIR -o PATH` does."""
        call(["sweep", "collect", self.path, "-o", path])

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as Parquet, where pyarrow is installed; what is there is replaced."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise TesseraError(f"cannot write {path}: Parquet needs pyarrow, which is not installed (Debian 12 has no package of "
                               "it); install it with pip, or write CSV with to_csv()") from error
        beside = pathlib.Path(f"{os.fspath(path)}.partial-{os.getpid()}")
        try:
            parquet.write_table(pyarrow.Table.from_pandas(self.table, preserve_index=False), beside)
            beside.replace(path)
        except OSError as error:
            raise TesseraError(f"cannot write {path}: {error.strerror or error}") from error
        finally:
            beside.unlink(missing_ok=True)

    def __repr__(self) -> str:
        status = self.status
        return f"<Study {self.path}: {status['done']} of {status['points']} points done>"


def _with_whole_paths(value: Any) -> Any:
    """Files of the working directory, as any other folder has them."""
    if isinstance(value, Mapping):
        return {key: _with_whole_paths(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_whole_paths(item) for item in value]
    if isinstance(value, os.PathLike) or (isinstance(value, str) and value.endswith(".yaml")):
        return os.path.abspath(value) if os.path.exists(value) else os.fspath(value)
    return value


def sweep(spec: str | os.PathLike[str] | Mapping[str, Any], folder: str | os.PathLike[str] | None = None, *,
          jobs: int | None = None, progress: bool | None = None) -> Study:
    """Simulates a design space: `tessera sweep SPEC FOLDER`. What is done already is not done again.

    `spec`: a file of schema tessera.sweep/1, or the same as a mapping (paths are from the working directory). `folder`: without it the study goes away with what this
    returns. Points that failed are rows of the table whose "state" says so; a mistake in the sweep is a TesseraError.
    """
    owner = ScratchFolder() if folder is None else None
    study = Study(owner.path + "/study" if owner else os.fspath(folder or ""), owner)
    with ScratchFolder() as scratch:
        if isinstance(spec, Mapping):
            path = os.path.join(scratch, "sweep.yaml")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(_with_whole_paths({"schema": "tessera.sweep/1", **spec}), file)  # JSON is YAML
            spec = path
        call(["sweep", "plan", spec, study.path])
    _work(study, ["--quiet", *(["-j", jobs] if jobs else [])], progress)
    return study


def _work(study: Study, options: list[object], progress: bool | None) -> None:
    """Simulates what is left, and shows how much that is."""
    ended = threading.Event()
    status = study.status
    with Progress("points", status["points"], progress) as shown:
        def watch() -> None:
            while not ended.wait(_POLL_S):
                now = study.status
                shown.update(now["points"] - now["left"])
        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        calls = Calls()
        try:
            call(["sweep", "work", study.path, *options], calls, accept=(0, _FAILED_POINTS))
        except BaseException:
            calls.stop()
            raise
        finally:
            ended.set()
            watcher.join()
        now = study.status
        shown.update(now["points"] - now["left"])
