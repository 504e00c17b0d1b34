#!/usr/bin/python3
"""HyPar Fig. 7: energy efficiency of model parallelism and HyPar relative to data parallelism."""

import figure_kit as kit
import relative_bars


def draw(runs):
    return relative_bars.draw(runs, 7, "energy_efficiency", lambda run: 1 / run.energy_j,
                              "Energy efficiency relative to data parallelism")


if __name__ == "__main__":
    kit.main(__doc__, draw)
