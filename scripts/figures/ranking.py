"""Spearman's rank correlation, for figures that hold predictions against simulations."""

import numpy as np


def ranks(values):
    """1 for the smallest; equal values share the mean of their ranks."""
    values = np.asarray(values)
    ordered = np.sort(values)
    return (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1) / 2


def correlation(first, second):
    """None where one of them ranks nothing: fewer than two values, or all equal."""
    first, second = ranks(first), ranks(second)
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])
