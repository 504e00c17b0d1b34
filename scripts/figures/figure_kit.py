"""What the figures share: reading runs, reading published values, and one look.

A figure is a pure function of run files (traces/schema.md) and of the published values next to this file. It asks for
the runs that it needs by what they are (network, planner, accelerators, topology) and says which one is missing.
"""

import argparse
import csv
import dataclasses
import os
import pathlib
import sys

import matplotlib
import numpy as np
import yaml

matplotlib.use("Agg")
from matplotlib import pyplot as plt, ticker  # noqa: E402  (the backend comes first)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import tessera  # noqa: E402  (that of this checkout)

NETWORKS = {
    "hypar/sfc": "SFC", "hypar/sconv": "SCONV", "hypar/lenet-c": "Lenet-c", "hypar/cifar-c": "Cifar-c",
    "hypar/alexnet": "AlexNet", "hypar/vgg-a": "VGG-A", "hypar/vgg-b": "VGG-B", "hypar/vgg-c": "VGG-C",
    "hypar/vgg-d": "VGG-D", "hypar/vgg-e": "VGG-E",
}
ACCPAR_NETWORKS = {
    "accpar/lenet": "LeNet", "accpar/alexnet": "AlexNet", "accpar/vgg-11": "VGG-11", "accpar/vgg-13": "VGG-13",
    "accpar/vgg-16": "VGG-16", "accpar/vgg-19": "VGG-19", "accpar/resnet-18": "ResNet-18",
    "accpar/resnet-34": "ResNet-34", "accpar/resnet-50": "ResNet-50",
}
GMEAN = "gmean"
PLANNERS = {"dp": "Data parallelism", "mp": "Model parallelism", "hypar": "HyPar", "owt": "One weird trick",
            "accpar": "AccPar", "soybean": "SoyBean", "optcnn": "OptCNN"}

# Okabe and Ito's palette: told apart with every kind of colour vision, and in print.
BLUE, ORANGE, SKY, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#9A9A9A"
INK = "#222222"
COLOURS = {"dp": GREY, "mp": ORANGE, "hypar": BLUE, "owt": SKY, "accpar": VERMILION, "soybean": GREEN,
           "optcnn": "#CC79A7"}
TEXT_COLOURS = {"dp": "#666666", "mp": "#A36B00", "hypar": BLUE, "owt": "#2A7CA8", "accpar": VERMILION,
                "soybean": "#00785A", "optcnn": "#A85586"}  # dark enough for small print

STYLE = {
    "font.family": "DejaVu Sans", "font.size": 9, "text.color": INK,
    "axes.edgecolor": "#666666", "axes.labelcolor": INK, "axes.linewidth": 0.8, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 10, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.titlepad": 7,
    "xtick.color": INK, "ytick.color": INK, "xtick.major.size": 0, "ytick.major.size": 3, "ytick.minor.size": 1.5,
    "grid.color": "#DDDDDD", "grid.linewidth": 0.7,
    "legend.frameon": False, "legend.handlelength": 1.2, "legend.columnspacing": 1.6,
    "figure.dpi": 100, "savefig.dpi": 200, "pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "tessera",
}


LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is ten times faster


class FigureError(Exception):
    """Something about the given files: one line for the user."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One run file, as far as figures need it."""

    path: str
    network: str
    planner: str
    array: str
    accelerators: int
    batch: int
    topology: str
    time_s: float
    predicted_time_s: float
    communication_gb: float
    energy_j: float
    splits: dict  # operator -> one letter per hierarchy level, top first ("nncn"): n = data, c = model parallelism
    version: str

    @property
    def name(self):
        return {**NETWORKS, **ACCPAR_NETWORKS}.get(self.network, self.network)

    def parallelism(self, operator):
        """"0010": one digit per level, 0 = data, 1 = model parallelism."""
        return "".join({"n": "0", "c": "1"}.get(split, split) for split in self.splits[operator])


def load_run(path):
    try:
        return read_run(tessera.Run(path))
    except tessera.TesseraError as error:
        raise FigureError(str(error)) from error
    except (OSError, KeyError, ValueError, TypeError, AttributeError, yaml.YAMLError) as error:
        raise FigureError(f"{path}: not a run file ({error})") from error


def short_commit(commit):
    """Nine digits, and whether something was changed since: "d497ce612-dirty"."""
    digits, _, changed = commit.partition("-")
    return f"{digits[:9]}-{changed}" if changed else digits[:9]


def letter_of(split):
    """Of "n" or, where the halves are unequal, {"n": 0.3}."""
    return next(iter(split)) if isinstance(split, dict) else split


def read_run(file):
    """What figures need of a tessera.Run."""
    if not file.complete:
        raise FigureError(f"{file.path}: the run is incomplete")
    array, plan = (yaml.load(file.config(name), LOADER) for name in ("array", "plan"))
    version, commit = file.attributes["tessera_version"], file.attributes["commit"]
    return Run(
        path=file.path,
        network=file.network,
        planner=file.planner,
        array=file.array,
        accelerators=file.accelerators,
        batch=file.batch,
        topology=array["fabric"]["topology"],
        time_s=file.time_s,
        predicted_time_s=float(file.attributes["predicted_time_s"]),
        communication_gb=file.communication_bytes * 1e-9,
        energy_j=file.energy_j,
        splits={name: "".join(map(letter_of, splits)) for name, splits in plan["operators"].items()},
        version=f"{version} ({short_commit(commit)})",
    )


class Runs:
    """The given runs, and which of them the figure used."""

    def __init__(self, paths):
        self.all = [load_run(path) for path in paths]
        self.used = []

    def select(self, **wanted):
        found = [run for run in self.all if all(getattr(run, key) == value for key, value in wanted.items())]
        self.used += found
        return found

    def one(self, **wanted):
        """The run that is `wanted`; the others are for other figures."""
        found = self.select(**wanted)
        what = ", ".join(f"{key} {value}" for key, value in wanted.items())
        if not found:
            raise FigureError(f"no run has {what}; scripts/figures/hypar_runs.py and accpar_runs.py make the runs")
        if len(found) > 1:
            raise FigureError(f"{len(found)} runs have {what} ({found[0].path}, {found[1].path}); give one of them")
        return found[0]

    def sixteen(self, network, planner, topology="htree"):
        """The run on sixteen accelerators, as most figures want it."""
        return self.one(network=network, planner=planner, accelerators=16, topology=topology)


def published(figure, paper="hypar"):
    """(network, planner, metric) -> the printed text."""
    path = pathlib.Path(__file__).parent / f"published/{paper}.csv"
    with open(path, encoding="utf-8", newline="") as file:
        return {
            (row["network"], row["planner"], row["metric"]): row["value"]
            for row in csv.DictReader(file)
            if row["figure"] == str(figure)
        }


def geometric_mean(values):
    return float(np.exp(np.mean(np.log(values))))


def with_mean(values):
    """A value per network, and their geometric mean."""
    return {**values, GMEAN: geometric_mean(list(values.values()))}


def group_names(keys):
    names = {**NETWORKS, **ACCPAR_NETWORKS, GMEAN: "Geometric\nmean"}
    return [names.get(key, key) for key in keys]


def short(value):
    """Three significant digits, no exponent: "23.5", "0.0374", "157"."""
    if value >= 100:
        return f"{value:.0f}"
    digits = 2 - int(np.floor(np.log10(value)))
    return f"{value:.{max(digits, 0)}f}"


def series_places(count, index, series):
    """Where series `index` of `series` stands in each of `count` groups: centres of bars, their width, and the places
    beside them for published values."""
    pitch = 0.86 / series
    centres = [place + (index - (series - 1) / 2) * pitch for place in range(count)]
    return [centre - 0.13 * pitch for centre in centres], 0.68 * pitch, [centre + 0.37 * pitch for centre in centres]


def draw_published(axes, positions, values, **options):
    """Hollow markers; a place without a published value has none."""
    known = [(x, float(y)) for x, y in zip(positions, values) if y is not None]
    style = {"marker": "D", "s": 22, "facecolors": "white", "edgecolors": INK, "linewidths": 0.9, "zorder": 7}
    axes.scatter([x for x, _ in known], [y for _, y in known], **{**style, **options})


def label_bar(axes, place, end, text, colour, above=True, gap=3, **options):
    """A small number beyond the end of a bar, `gap` points away."""
    style = {"ha": "center", "va": "bottom" if above else "top", "fontsize": 7, "color": colour, "zorder": 6,
             "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.4}}
    axes.annotate(text, (place, end), xytext=(0, gap if above else -gap), textcoords="offset points",
                  **{**style, **options})


def separate_mean(axes, keys):
    """A thin line before the group of the mean."""
    if GMEAN in keys:
        axes.axvline(list(keys).index(GMEAN) - 0.5, color="#BBBBBB", linewidth=0.8, zorder=0)


def legend_above(axes, handles):
    axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncol=len(handles), borderaxespad=0.2)


def factors(axes, steps=(1, 2, 5)):
    """A logarithmic axis of ratios with `steps` per decade: 0.5x, 1x, 2x, 5x, ..."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=steps))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}×"))
    axes.yaxis.set_minor_locator(ticker.NullLocator())


def wide_figure(height=3.6):
    """One row of axes over the width of a page, with room for the footnote."""
    return plt.subplots(figsize=(9.6, height), constrained_layout={"rect": (0, 0.035, 1, 0.965)})


def network_axis(axes, keys):
    axes.set_xticks(range(len(keys)), group_names(keys))
    axes.set_xlim(-0.6, len(keys) - 0.4)
    axes.grid(axis="y")
    separate_mean(axes, keys)


def swatch(colour, label):
    return matplotlib.patches.Patch(facecolor=colour, label=label)


def published_handle(label="published"):
    return matplotlib.lines.Line2D([], [], linestyle="none", marker="D", markersize=4.7, markerfacecolor="white",
                                   markeredgecolor=INK, markeredgewidth=0.9, label=label)


def footnote(figure, text, runs):
    arrays = ", ".join(sorted({run.array for run in runs.used}))
    versions = ", ".join(sorted({run.version for run in runs.used}))
    figure.text(0.995, 0.006, f"{text}. Array {arrays}, simulated by Tessera {versions}.", ha="right", va="bottom",
                fontsize=6.5, color="#888888")


def save(figure, path):
    """Written beside and renamed: a figure that exists is whole. Without the date: equal runs give equal figures."""
    suffix = pathlib.Path(path).suffix
    partial = f"{path}.partial-{os.getpid()}{suffix}"
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    try:
        figure.savefig(partial, metadata=dates.get(suffix))
        os.replace(partial, path)
    except (OSError, ValueError) as error:
        pathlib.Path(partial).unlink(missing_ok=True)
        raise FigureError(f"cannot write {path}: {error}") from error


def render(draw, paths, output):
    """draw(runs) returns a matplotlib figure, which goes to `output`."""
    with plt.rc_context(STYLE):
        figure = draw(Runs(paths))
        try:
            save(figure, output)
        finally:
            plt.close(figure)


def main(description, draw):
    """The program of a figure."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("runs", metavar="RUN.h5", nargs="+", help="run files; the figure takes those that it needs")
    parser.add_argument("-o", "--output", required=True, metavar="FIG", help="png, pdf or svg")
    options = parser.parse_args()
    try:
        render(draw, options.runs, options.output)
    except FigureError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
