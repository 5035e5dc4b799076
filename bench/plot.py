"""Charts as SVG and PNG.  matplotlib is optional: without it `available` is False and nothing is drawn."""

import math
import os

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    available = True
except ImportError:
    available = False

COLOURS = {"eager": "#c2571a", "lazy": "#1f6f8b"}


note = ""           # is below every chart: the load of the machine, for example


def save(figure, folder, name, ends=("svg", "png")):
    files = []
    if note:
        figure.text(0.99, 0.0, note, ha="right", va="top", fontsize=7, color="#666666")
    for end in ends:
        figure.savefig(os.path.join(folder, "%s.%s" % (name, end)), dpi=120, bbox_inches="tight")
        files.append("%s.%s" % (name, end))
    pyplot.close(figure)
    return files


def bars(folder, name, title, label, rows, lines=()):
    """Horizontal bars with their quartiles. rows: [(case, {series: {median, q1, q3}})], lines: values to mark."""
    rows = [(case, values) for case, values in rows if any(values.values())]
    if not rows or not available:
        return []
    series = list(dict.fromkeys(s for _, values in rows for s in values))
    figure, axes = pyplot.subplots(figsize=(7.5, 1.2 + 0.34 * len(rows)))
    height = 0.8 / len(series)
    for number, one in enumerate(series):
        places, widths, low, high = [], [], [], []
        for place, (_, values) in enumerate(rows):
            if values.get(one):
                v = values[one]
                places.append(place + (number - (len(series) - 1) / 2) * height)
                widths.append(v["median"])
                low.append(max(0, v["median"] - v["q1"]))
                high.append(max(0, v["q3"] - v["median"]))
        axes.barh(places, widths, height, xerr=[low, high], label=one, color=COLOURS.get(one), error_kw=dict(lw=0.8))
    for value in lines:
        axes.axvline(value, color="#888888", lw=0.8, ls="--")
    medians = [v["median"] for _, values in rows for v in values.values() if v]
    if max(medians) > 20 * min(medians) > 0:
        axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [case for case, _ in rows])
    axes.invert_yaxis()
    axes.set_xlabel(label)
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)
    return save(figure, folder, name)


def points(folder, name, title, label, rows):
    """Ratios as points with their quartiles, on a scale where twice as long and half as long are equally far from 1."""
    rows = [(case, values) for case, values in rows if any(values.values())]
    if not rows or not available:
        return []
    figure, axes = pyplot.subplots(figsize=(7.5, 1.2 + 0.28 * len(rows)))
    for one in dict.fromkeys(s for _, values in rows for s in values):
        found = [(place, values[one]) for place, (_, values) in enumerate(rows) if values.get(one)]
        axes.errorbar([v["median"] for _, v in found], [place for place, _ in found],
                      xerr=[[max(0, v["median"] - v["q1"]) for _, v in found],
                            [max(0, v["q3"] - v["median"]) for _, v in found]], fmt="o", ms=4, lw=0.8,
                      color=COLOURS.get(one), label=one)
    medians = [v["median"] for _, values in rows for v in values.values() if v]
    ticks = [2.0**k
             for k in range(min(-2, math.floor(math.log2(min(medians)))),
                            max(2, math.ceil(math.log2(max(medians)))) + 1)]
    axes.axvline(1, color="#888888", lw=0.8, ls="--")
    axes.set_xscale("log")
    axes.set_xticks(ticks, ["1/%g" % (1 / t) if t < 1 else "%g" % t for t in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(rows)), [case for case, _ in rows])
    axes.invert_yaxis()
    axes.grid(axis="x", lw=0.4, color="#dddddd")
    axes.set_xlabel(label)
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)
    return save(figure, folder, name)


def speedups(folder, name, points, c1, c_inf):
    """The paper's Figure 8: points are (normalised machine size, normalised speedup) per strategy."""
    if not available or not any(points.values()):
        return []
    figure, axes = pyplot.subplots(figsize=(6, 4.5))
    for one, pairs in points.items():
        axes.loglog([x for x, _ in pairs], [y for _, y in pairs], "o", ms=4, color=COLOURS.get(one), label=one)
    every = [x for pairs in points.values() for x, _ in pairs]
    low, high = min(every) / 1.5, max(every) * 1.5
    xs = [low * (high / low) ** (i / 60) for i in range(61)]
    axes.loglog(xs, [1 / (1 / x + 1) for x in xs], "-", color="#444444", lw=0.9, label="T_P = T_1/P + T_inf")
    axes.loglog(xs, [min(x, 1) for x in xs], ":", color="#888888", lw=0.9, label="the bounds P and T_1/T_inf")
    if c1 and c_inf and c_inf > 0:
        axes.loglog(xs, [1 / (c1 / x + c_inf) for x in xs], "--", color="#1f6f8b", lw=0.9,
                    label="fit (lazy): %.2f T_1/P + %.2f T_inf" % (c1, c_inf))
    axes.set_xlabel("normalised machine size, P / (T_1 / T_inf)")
    axes.set_ylabel("normalised speedup, (T_1 / T_P) / (T_1 / T_inf)")
    axes.legend(frameon=False, fontsize=8)
    return save(figure, folder, name)


def stacked(folder, name, title, rows):
    """Stacked bars: rows are (label, [(part, height)])."""
    if not available or not rows:
        return []
    figure, axes = pyplot.subplots(figsize=(7, 1.2 + 0.6 * len(rows)))
    colours, used = {}, ["#bbbbbb", "#1f6f8b", "#c2571a", "#6a8f3a", "#7b5ea7", "#d1a532"]
    for place, (_, parts) in enumerate(rows):
        left = 0.0
        for part, width in parts:
            if width <= 0.005:              # nothing to see, so nothing to explain
                continue
            first = part not in colours
            colours.setdefault(part, used[len(colours) % len(used)])
            axes.barh(place, max(width, 0), 0.6, left=left, color=colours[part], label=part if first else None)
            left += max(width, 0)
    axes.set_yticks(range(len(rows)), [label for label, _ in rows])
    axes.invert_yaxis()
    axes.set_xlabel("time in units of the C elision")
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)
    return save(figure, folder, name)
