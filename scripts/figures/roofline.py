"""The roofline of a run (Williams et al., CACM 52(4), 2009): what operators attain of what peak and memory allow at their intensity."""

import os

import numpy as np
from matplotlib import ticker

import figure_kit as kit
from plot_axes import log_ticks

NEEDED = {"accelerators": ("peak_macs_per_s", "peak_memory_bandwidth"), "breakdown": ("macs", "memory_bytes")}
PHASES = {"forward": (kit.BLUE, "o"), "backward_data": (kit.VERMILION, "s"), "backward_weight": (kit.GREEN, "D"),
          "update": (kit.ORANGE, "^")}
MOST_NAMES = 6  # of the operators that take longest


class RunFile:
    """What a roofline needs of a run file."""

    def __init__(self, path):
        try:
            self.run = kit.tessera.Run(path)
            self.tables = {name: self.run.rows(name) for name in NEEDED}
        except kit.tessera.TesseraError as error:
            raise kit.FigureError(str(error)) from error
        for name, columns in NEEDED.items():
            if not set(columns) <= set(self.tables[name].dtype.names):
                raise kit.FigureError(f"{path}: its table '{name}' lacks {', '.join(columns)}; simulate it with a newer Tessera")
        if not self.run.complete:
            raise kit.FigureError(f"{path}: the run is incomplete")

    def footer(self):
        version, _, commit = self.run.version.rstrip(")").partition(" (")
        return (f"{self.run.network} on {self.run.array} with {self.run.planner}, batch {self.run.batch} "
                f"({os.path.basename(self.run.path)}), simulated by Tessera {version} ({kit.short_commit(commit)}).")

    def roofs(self):
        """(peak [MAC/s], bandwidth [B/s]) of each kind of accelerator; infinite where there is no limit."""
        found = {(float(row["peak_macs_per_s"]), row["peak_memory_bandwidth"] / 8) for row in self.tables["accelerators"]}
        return sorted((peak or np.inf, bandwidth or np.inf) for peak, bandwidth in found)

    def points(self):
        """(operator, phase, intensity [MAC/B], attained [MAC/s] of an accelerator while it is at it, seconds)."""
        operators, phases = self.run.names("operators"), self.run.names("phases")
        points = []
        for row in self.tables["breakdown"]:
            seconds = (row["compute_ps"] + row["memory_ps"]) * 1e-12
            if row["macs"] and row["memory_bytes"] and seconds:
                points.append((operators[row["operator"]], phases[row["phase"]], row["macs"] / row["memory_bytes"],
                               row["macs"] / seconds, seconds))
        if not points:
            raise kit.FigureError(f"{self.run.path}: no operator of it multiplies with operands from a memory that counts bytes")
        return points


def named_places(points):
    """(place, names): marks that lie close to one another have their names in one place, each once."""
    places = []
    for operator, _, intensity, attained, _ in points:
        for (x, y), names in places:
            if 0.5 < intensity / x < 2 and 0.9 < attained / y < 1.1:
                if operator not in names:
                    names.append(operator)
                break
        else:
            places.append(((intensity, attained), [operator]))
    return places


def draw_roofline(run, axes):
    points = run.points()
    intensities = np.array([point[2] for point in points])
    low, high = intensities.min() / 4, intensities.max() * 4
    for peak, bandwidth in run.roofs():
        xs = np.geomspace(low, high, 200)
        axes.plot(xs, np.minimum(peak, xs * bandwidth), color=kit.INK, linewidth=1.2, zorder=2)
        if peak < np.inf:
            axes.annotate(f"peak {ticker.EngFormatter('MAC/s', places=1)(peak)}", (high, peak), ha="right", va="bottom", fontsize=6.5)
        if bandwidth < np.inf:
            axes.annotate(f"memory {ticker.EngFormatter('B/s', places=1)(bandwidth)}", (low, low * bandwidth), fontsize=6.5,
                          xytext=(6, 0), textcoords="offset points", va="top")
    most = max(point[4] for point in points)
    for phase, (colour, marker) in PHASES.items():
        own = [point for point in points if point[1] == phase]
        if own:
            axes.scatter([point[2] for point in own], [point[3] for point in own], s=[8 + 60 * point[4] / most for point in own],
                         color=colour, marker=marker, alpha=0.8, linewidths=0, zorder=3, label=phase.replace("_", " "))
    for place, names in named_places(sorted(points, key=lambda point: -point[4])[:MOST_NAMES]):
        axes.annotate("\n".join(names), place, fontsize=6, xytext=(4, -4), textcoords="offset points", va="top", zorder=4)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_major_locator(log_ticks([min(point[3] for point in points), max(point[3] for point in points)]))
    axes.yaxis.set_major_formatter(ticker.EngFormatter("MAC/s"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.set_xlabel("MACs per byte of memory")
    axes.set_ylabel("attained by an accelerator")
