"""Bars of ratios, for Figs 6, 7, 12 and 13. They stand on the line of 1 of a logarithmic axis: what is better than the
baseline grows upwards, what is worse downwards, and a factor of two has the same length in both directions."""

import figure_kit as kit


def draw_bars(axes, index, heights, colour, text_colour, references=None):
    """Series `index` of two. `references`: the published value of each bar, or None where there is none."""
    places, width, beside = kit.series_places(len(heights), index, 2)
    axes.bar(places, [height - 1 for height in heights], width, bottom=1, color=colour, zorder=2)
    kit.draw_published(axes, beside, references or [])
    for place, height in zip(places, heights):
        above = height >= 0.98
        end = max(height, 1) if above else height
        if index == 0:  # grows to the left, where the gap between groups is, and not into the published value's marker
            kit.label_bar(axes, place + width / 2, end, kit.short(height), text_colour, above, ha="right")
        else:
            kit.label_bar(axes, place, end, kit.short(height), text_colour, above)


def finish(axes):
    axes.axhline(1, color=kit.INK, linewidth=1, zorder=3)
    low, high = axes.get_ylim()
    axes.set_ylim(low / 1.5, high * 1.5)


def relative(runs, planner, merit):
    """merit(planner) / merit(dp) of every network, and the geometric mean."""
    return kit.with_mean({
        network: merit(runs.sixteen(network, planner)) / merit(runs.sixteen(network, "dp")) for network in kit.NETWORKS
    })


def draw(runs, number, metric, merit, title):
    """Fig. 6 or 7: mp and hypar of every network."""
    printed = kit.published(number)
    figure, axes = kit.wide_figure()
    kit.factors(axes)
    for index, planner in enumerate(("mp", "hypar")):
        values = relative(runs, planner, merit)
        draw_bars(axes, index, list(values.values()), kit.COLOURS[planner], kit.TEXT_COLOURS[planner],
                  [printed.get((network, planner, metric)) for network in values])
    finish(axes)
    kit.network_axis(axes, list(values))
    axes.set_title(title)
    kit.legend_above(axes, [kit.swatch(kit.COLOURS[planner], kit.PLANNERS[planner]) for planner in ("mp", "hypar")] +
                     [kit.published_handle()])
    kit.footnote(figure, "16 accelerators, H-tree", runs)
    return figure
