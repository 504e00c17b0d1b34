#!/usr/bin/python3
"""HyPar Fig. 9: every parallelism of Lenet-c at levels H1 and H4, with H2 and H3 as HyPar chooses them."""

import exploration
import figure_kit as kit

NETWORK = "hypar/lenet-c"
LABELS = ("H1", "H4")


def levels(run, *wanted):
    """The pattern over the layers (conv1, conv2, fc1, fc2) at each wanted level."""
    return tuple("".join(run.parallelism(operator)[level - 1] for operator in run.splits) for level in wanted)


def draw(runs):
    hypar = runs.sixteen(NETWORK, "hypar")
    for run in runs.select(network=NETWORK, planner="explored"):
        if levels(run, 2, 3) != levels(hypar, 2, 3):
            raise kit.FigureError(f"{run.path}: levels 2 and 3 are not as HyPar chooses them")
    values = exploration.performances(runs, NETWORK, lambda run: levels(run, 1, 4))
    printed = [("Published peak", tuple(metric.split(",")), value)
               for (_, _, metric), value in kit.published(9).items()]
    return exploration.draw(runs, values, LABELS, levels(hypar, 1, 4), printed,
                            "Lenet-c: parallelism of conv1, conv2, fc1, fc2 at levels H1 and H4")


if __name__ == "__main__":
    kit.main(__doc__, draw)
