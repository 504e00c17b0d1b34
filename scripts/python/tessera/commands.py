"""plan, simulate and compare, as functions."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import TesseraError
from .program import Calls, call_json, setting_options
from .progress import Progress
from .run import Run
from .scratch import ScratchFolder

if TYPE_CHECKING:
    import pandas as pd


class Plan:
    """A plan: its file's text, and what `tessera plan --json` says of it."""

    def __init__(self, text: str, report: Mapping[str, Any]) -> None:
        #: The plan's file (tessera.plan/1, with stages /2); may be edited before it is simulated.
        self.text = text
        #: The document that `tessera plan --json` prints.
        self.report = dict(report)

    @property
    def types(self) -> pd.DataFrame:
        """How each layer (row) is split at each level (column, 1 at the top): I samples, II inputs, III outputs."""
        import pandas as pd

        return pd.DataFrame({level["level"]: level["types"] for level in self.report.get("levels", [])})

    @property
    def predicted(self) -> dict[str, Any]:
        """time_s, communication_bytes, energy_j of a step."""
        return dict(self.report["predicted"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file; what is there is replaced."""
        beside = pathlib.Path(f"{os.fspath(path)}.partial-{os.getpid()}")
        beside.write_text(self.text, encoding="utf-8")
        beside.replace(path)

    def __repr__(self) -> str:
        return f"<Plan of {self.report['planner']} for {self.report['workload']} on {self.report['arch']}>"


def plan(workload: str | os.PathLike[str], arch: str | os.PathLike[str], planner: str, *,
         set: Mapping[str, Any] | None = None) -> Plan:
    """Solves: `tessera plan -w WORKLOAD -a ARCH -p PLANNER`. `set`: keys to change, {"workload.batch": 64}."""
    with ScratchFolder() as folder:
        path = pathlib.Path(folder, "plan.yaml")
        report = call_json(["plan", "-w", workload, "-a", arch, "-p", planner, *setting_options(set), "-o", path])
        return Plan(path.read_text(encoding="utf-8"), report)


def simulate(workload: str | os.PathLike[str], arch: str | os.PathLike[str], planner: str | None = None, *,
             plan: Plan | str | os.PathLike[str] | None = None, set: Mapping[str, Any] | None = None, steps: int = 1,
             trace: str | None = None, output: str | os.PathLike[str] | None = None, force: bool = False,
             options: Sequence[str] = ()) -> Run:
    """Simulates a training step, or several: `tessera simulate`.

    `planner`, or `plan`: one that plan() returned, or a file's path. `set`: keys to change, {"workload.batch": 64}. `trace`:
    "tasks", "commands", "repeats" (no tasks of accelerators that mirror others) or "none" (no tables of tasks, a small file);
    without one "tasks", or of more than 10^7 "repeats". `output`: the run file, which `force` lets replace that of
    another experiment; without it the file goes away with the Run. `options`: further words of the command line.
    """
    return _simulate(Calls(), workload, arch, planner, plan=plan, set=set, steps=steps, trace=trace, output=output, force=force,
                     options=options)


def _simulate(calls: Calls, workload: Any, arch: Any, planner: str | None = None, *, plan: Any = None,
              set: Mapping[str, Any] | None = None, steps: int = 1, trace: str | None = None, output: Any = None, force: bool = False,
              options: Sequence[str] = ()) -> Run:
    if (planner is None) == (plan is None):
        raise TesseraError("give a planner or a plan")
    folder = ScratchFolder()
    if isinstance(plan, Plan):
        path = os.path.join(folder.path, "plan.yaml")
        plan.save(path)
        plan = path
    run_file = os.path.join(folder.path, "run.h5") if output is None else os.fspath(output)
    words = ["simulate", "-w", workload, "-a", arch, *(["-p", planner] if planner is not None else ["--plan", plan]),
             *setting_options(set), "--steps", steps, "-o", run_file, *(["--trace", trace] if trace else []), "--quiet", *(["--force"] if force else []),
             *options]
    return Run(run_file, call_json(words, calls), folder if output is None else None)


def simulate_all(points: Iterable[Mapping[str, Any]], *, workers: int | None = None, progress: bool | None = None,
                 on_error: str = "return") -> list[Run | TesseraError]:
    """simulate(**point) of every point, at most `workers` (all cores) at a time, each a process of its own; in their order.

    A point that fails is its TesseraError in the list, or with on_error="raise" ends the others and is raised.
    """
    if on_error not in ("return", "raise"):
        raise TesseraError(f"on_error is '{on_error}'; write return or raise")
    wanted, calls = list(points), Calls()
    with concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count()) as pool, \
            Progress("runs", len(wanted), progress) as shown:
        pending = [pool.submit(_simulate, calls, **point) for point in wanted]
        try:
            for done, future in enumerate(concurrent.futures.as_completed(pending), 1):
                error = future.exception()
                if error is not None and (on_error == "raise" or not isinstance(error, TesseraError)):
                    raise error
                shown.update(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            calls.stop()
            raise
    return [future.exception() or future.result() for future in pending]


def compare(workloads: str | Sequence[str], arch: str | os.PathLike[str] | Sequence[str], planners: str | Sequence[str], *,
            set: Mapping[str, Any] | None = None, steps: int = 1, jobs: int | None = None) -> pd.DataFrame:
    """Every planner on every workload on every array, a row each: `tessera compare`. Speedups are against the first planner.

    Columns are the keys of `compare --json`: "workload", "planner", "simulated.time_s", "predicted.time_s", "speedup", ...; the
    geometric means are in .attrs["geomean"]. A point that failed has its reason in "failure.text".
    """
    import pandas as pd

    def names(given: str | os.PathLike[str] | Sequence[str]) -> str:
        return os.fspath(given) if isinstance(given, (str, os.PathLike)) else ",".join(given)
    words = ["compare", "-w", names(workloads), "-a", names(arch), "-p", names(planners), *setting_options(set), "--steps", steps,
             *(["-j", jobs] if jobs else []), "--quiet"]
    document = call_json(words, accept=(0, 3))
    frame = pd.json_normalize(document["results"])
    frame.attrs["geomean"] = document.get("geomean", [])
    return frame
