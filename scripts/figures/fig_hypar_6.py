#!/usr/bin/python3
"""HyPar Fig. 6: performance of model parallelism and HyPar relative to data parallelism."""

import figure_kit as kit
import relative_bars


def draw(runs):
    return relative_bars.draw(runs, 6, "performance", lambda run: 1 / run.time_s,
                              "Performance relative to data parallelism")


if __name__ == "__main__":
    kit.main(__doc__, draw)
