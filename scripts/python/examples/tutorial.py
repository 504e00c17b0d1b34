#!/usr/bin/python3
"""From a network to a figure: a residual network, a plan, a run, a sweep, and energy against time.

    tutorial.py [FOLDER]     what it makes goes to FOLDER (the current one without)
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # draws to files; a notebook needs no such line
from matplotlib import pyplot as plt  # noqa: E402  (the backend comes first)

import tessera  # noqa: E402

NETWORK = """\
schema: tessera.network/1
name: small-residual
batch: 128
element: fp32
input: {name: image, channels: 3, rows: 32, columns: 32}
operators:
  - {name: conv1, kind: conv, input: image, filters: 32, kernel: 3, padding: 1}
  - {name: conv2, kind: conv, input: conv1, filters: 32, kernel: 3, padding: 1}
  - {name: conv3, kind: conv, input: conv2, filters: 32, kernel: 3, padding: 1}
  - {name: sum, kind: add, inputs: [conv1, conv3]}
  - {name: pool, kind: pool, input: sum, size: 4}
  - {name: fc1, kind: linear, input: pool, outputs: 4096}
  - {name: fc2, kind: linear, input: fc1, outputs: 10}
"""


def main(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)

    # 1. A network is a file. The array is a built-in one: sixteen memory cubes with accelerators, on an H-tree.
    network = folder / "network.yaml"
    network.write_text(NETWORK, encoding="utf-8")
    array = "hmc-htree-16"

    # 2. A planner says how to split each layer over the array: samples (I) or input channels (II), level by level.
    plan = tessera.plan(network, array, "hypar")
    print(plan.types.to_string(), "\n")

    # 3. The plan is simulated. What was predicted and what came out are from different code.
    run = tessera.simulate(network, array, plan=plan, output=folder / "run.h5", force=True)
    print(run)
    print(f"predicted {run.predicted.time_s:.4g} s, simulated {run.time_s:.4g} s, {run.samples_per_second:.4g} samples/s")
    phases = run.breakdown.groupby("phase", observed=True).sum(numeric_only=True)
    print((phases / (run.accelerators * run.time_s * 1e12)).round(3).to_string(), "\n")
    run.timeline(accelerators=range(4)).figure.savefig(folder / "timeline.png")

    # 4. A sweep: every combination of the axes, on all cores. A second call would find all of it done.
    study = tessera.sweep({
        "name": "tutorial",
        "options": {"workload": network, "arch": array},
        "axes": {"planner": ["dp", "hypar"], "arch.accelerators": [4, 8, 16, 32]},
    }, folder / "tutorial.study")
    points = study.table.query("state == 'done'")
    print(points[["planner", "arch.accelerators", "time_s", "energy_j"]].to_string(index=False))

    # 5. The figure.
    figure, axes = plt.subplots(figsize=(4, 3), constrained_layout=True)
    for planner, rows in points.groupby("planner"):
        axes.plot(rows["time_s"] * 1e3, rows["energy_j"], marker="o", label=planner)
        for _, row in rows.iterrows():
            axes.annotate(str(row["arch.accelerators"]), (row["time_s"] * 1e3, row["energy_j"]), fontsize=7,
                          xytext=(3, 3), textcoords="offset points")
    axes.set(xscale="log", yscale="log", xlabel="step time [ms]", ylabel="energy [J]", title="Energy against time, by accelerators")
    axes.legend()
    figure.savefig(folder / "energy_against_time.png")
    print(f"\nfigures: {folder / 'timeline.png'}, {folder / 'energy_against_time.png'}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
