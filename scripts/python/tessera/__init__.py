"""Tessera from Python: runs the program `tessera`, reads what it writes.

    import tessera

    run = tessera.simulate("hypar/vgg-a", "hmc-htree-16", "hypar", set={"workload.batch": 64})
    run.time_s, run.predicted.time_s                  # totals
    run.tasks.groupby("phase").macs.sum()             # tables are pandas frames, units in .attrs["units"]
    run.timeline()                                    # matplotlib

    runs = tessera.simulate_all({"workload": w, "arch": "hypar-paper", "planner": p} for w in ... for p in ...)
    tessera.compare(["hypar/lenet-c"], "hypar-paper", ["dp", "hypar"])
    study = tessera.sweep("links.yaml", "links.study")
    study.table

Whatever the program refuses is a TesseraError with its one line. The program is `$TESSERA`, or that of PATH, or that of the
checkout which this package stands in. traces/schema.md explains every table and column of a run.
"""

from .commands import Plan, compare, plan, simulate, simulate_all
from .errors import CheckFailed, InternalError, NoProgress, RunFileError, TesseraError, TesseraRemark
from .program import program, program_version
from .run import Prediction, Run, open_run_file
from .study import Study, sweep
from .units import number

__version__ = "0.1.0"
__all__ = ["CheckFailed", "InternalError", "NoProgress", "Plan", "Prediction", "Run", "RunFileError", "Study", "TesseraError",
           "TesseraRemark", "compare", "number", "open_run_file", "plan", "program", "program_version", "simulate",
           "simulate_all", "sweep"]
