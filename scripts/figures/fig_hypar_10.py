#!/usr/bin/python3
"""HyPar Fig. 10: every parallelism of VGG-A's conv5_2 and fc1 over the levels H1 to H4, the other layers as HyPar
chooses them."""

import exploration
import figure_kit as kit

NETWORK = "hypar/vgg-a"
LABELS = ("conv5_2", "fc1")
WHAT = {"hypar": "Published choice", "peak": "Published peak"}


def layers(run):
    return tuple(run.parallelism(operator) for operator in LABELS)


def draw(runs):
    hypar = runs.sixteen(NETWORK, "hypar")
    for run in runs.select(network=NETWORK, planner="explored"):
        if any(run.splits[operator] != splits for operator, splits in hypar.splits.items() if operator not in LABELS):
            raise kit.FigureError(f"{run.path}: a layer other than {' and '.join(LABELS)} is not as HyPar chooses it")
    values = exploration.performances(runs, NETWORK, layers)
    printed = [(WHAT[planner], tuple(metric.split(",")), value)
               for (_, planner, metric), value in kit.published(10).items()]
    return exploration.draw(runs, values, LABELS, layers(hypar), printed,
                            "VGG-A: parallelism of conv5_2 and fc1 over the levels H1 to H4")


if __name__ == "__main__":
    kit.main(__doc__, draw)
