"""What `cilkc bench --table4` writes of what it measured: the table, the paper's figures in brackets beside ours, and
the charts."""

import math

from . import plot

# The paper's Table 4: T_serial, T_1, T_inf and threads, then for 32 and 256 processors T_P, space/proc, requests/proc
# and steals/proc. *Socrates's work depends on P; T_1 and T_inf are those of its 32 processors.
TABLE = """
fib(33)        8.487  73.16 0.000326 17108660   2.298  70 185.8 56.63   0.2892 66 73.66  24.10
queens(15)     252.1  254.6 0.0345   210740     8.012  95 48.0  18.47   1.045  76 80.40  21.20
pfold(3,3,4)   615.15 647.8 0.04354  9515098    20.26  47 88.6  26.06   2.590  47 97.79  23.05
ray(500,500)   729.2  732.5 0.0415   424475     21.68  39 218.1 79.25   2.765  32 82.75  18.34
knary(10,5,2)  288.6  314.6 4.458    5859374    15.13  41 92639 18031   8.590  48 151803 6378
knary(10,4,1)  40.993 45.43 0.255    873812     1.633  42 3127  1034    0.4636 40 7527   550
*Socrates      1665   3644  3.134    26151774   126.1 386 23484 2395
"""


def paper(line):
    """(name, {"one": the four figures of one processor, P: the four on P})"""
    name, *words = line.split()
    figures = [float(word) if "." in word else int(word) for word in words]
    return name, {p: figures[4 * i:4 * i + 4] for i, p in enumerate(("one", 32, 256)) if len(figures) > 4 * i}


Paper: dict = dict(paper(line) for line in TABLE.strip().split("\n"))


def number(x, digits=3):
    if x is None:
        return "-"
    return "{:,}".format(x) if isinstance(x, int) else "%.*g" % (digits, x) if abs(x) < 100 else "{:,.0f}".format(x)


class Column:
    """A program: its row's values by name, ours and the paper's."""

    def __init__(self, name, measured):
        self.name, self.real = name, measured["real"]
        self.paper = Paper.get(measured["paper"], {})
        self.lines = {line["P"]: line for line in measured["simulated"]}
        self.one = self.lines[1]
        self.instance = name == measured["paper"]      # the same computation as the paper's

    def ours(self):
        one, t1 = self.one, self.real["1"]
        return {**alone(self.real.get("serial"), t1, one["Tinf"], one["threads"], one["T1"]),
                "T_1 simulated / real": one["TP"] / t1,
                "T_2 simulated / real": self.lines[2]["TP"] / self.real["2"] if 2 in self.lines else None}

    def papers(self):
        return alone(*self.paper["one"]) if self.paper else {}

    def ours_on(self, p):
        line = self.lines[p]
        return {**together(p, line["T1"], line["Tinf"], line["TP"], line["space"], line["requests"] / p,
                           line["steals"] / p), "S_P/(S_1 P)": line["total_space"] / (self.one["space"] * p)}

    def papers_on(self, p):
        return together(p, *self.paper["one"][1:3], *self.paper[p]) if p in self.paper else {}


def alone(serial, t1, inf, threads, work=None):
    """The rows of one processor. work: T_1 as the simulator counts it, where it is another one."""
    work = work or t1
    return {"T_serial (s)": serial, "T_1 (s)": t1, "T_serial/T_1": serial / t1 if serial else None, "T_inf (s)": inf,
            "T_1/T_inf": work / inf, "threads": threads, "thread length (us)": work / threads * 1e6}


def together(p, t1, inf, took, space, requests, steals):
    """The rows of P processors."""
    model = t1 / p + inf
    return {"T_P (s)": took, "T_1/P + T_inf (s)": model, "T_P / (T_1/P + T_inf)": took / model, "T_1/T_P": t1 / took,
            "T_1/(P T_P)": t1 / took / p, "space/proc": space, "requests/proc": requests, "steals/proc": steals}


def rows(columns, ours, papers):
    lines = []
    for what in ours[0]:
        cells = []
        for i in range(len(columns)):
            cell = number(ours[i][what])
            cells.append("%s (%s)" % (cell, number(papers[i][what])) if what in papers[i] else cell)
        lines.append("| %s | %s |" % (what, " | ".join(cells)))
    return lines


def report(found):
    columns = [Column(name, measured) for name, measured in found["programs"].items()]
    text = "# Table 4\n"
    if columns:
        lines = ["| | " + " | ".join(c.name for c in columns) + " |", "|---" * (len(columns) + 1) + "|",
                 *rows(columns, [c.ours() for c in columns], [c.papers() for c in columns])]
        for p in found["numbers"]:
            lines.append("| **P = %d, simulated** |%s" % (p, " |" * len(columns)))
            lines += rows(columns, [c.ours_on(p) for c in columns], [c.papers_on(p) for c in columns])
        text += "\nIn brackets: the paper's, of its CM5.\n\n" + "\n".join(lines) + "\n"
    runs = [run for run in found["model"] if run["P"] > 1]
    if found["fit"]:
        text += ("\nknary in %d shapes, %d simulated runs with P > 1, in counted units: T_P = %.3f T_1/P + %.3f T_inf\n"
                 % (len({tuple(run["shape"]) for run in runs}), len(runs), found["fit"]["c1"], found["fit"]["c_inf"]))
    # Where there is work for all: others end before all processors have stolen once.
    enough = [run for run in runs if run["P"] == found["numbers"][0] and run["T1"] / run["Tinf"] > run["P"]]
    for what in ("requests", "steals"):
        powers = growth(enough, what)
        if powers:
            text += ("%s/proc on %d processors, in the %d shapes with T_1/T_inf above that: like T_1^%.2f T_inf^%.2f\n"
                     % (what, enough[0]["P"], len(enough), *powers))
    every = sum(len(c.lines) for c in columns) + len(found["model"])
    text += "\n" + ("\n".join(found["problems"]) or "S_P <= S_1 P in all %d simulated runs" % every) + "\n"
    return text


def growth(runs, what):
    """The powers of T_1 and T_inf, least squares of the logarithms; None where the runs do not separate them."""
    points = [(math.log(run["T1"]), math.log(run["Tinf"]), math.log(run[what] / run["P"])) for run in runs if run[what]]
    n = len(points)
    if n < 4:
        return None
    x0, y0, z0 = (sum(column) / n for column in zip(*points))
    xx = sum((x - x0) ** 2 for x, _, _ in points)
    yy = sum((y - y0) ** 2 for _, y, _ in points)
    xy = sum((x - x0) * (y - y0) for x, y, _ in points)
    xz = sum((x - x0) * (z - z0) for x, _, z in points)
    yz = sum((y - y0) * (z - z0) for _, y, z in points)
    det = xx * yy - xy * xy
    return ((xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det) if det > 1e-9 * xx * yy else None


def draw(folder, found):
    runs = [run for run in found["model"] if run["P"] > 1]
    if not plot.available or not runs or not found["fit"]:
        return []
    return draw_model(folder, runs, found["fit"]) + draw_requests(folder, runs)


def draw_model(folder, runs, fit):
    """As in the paper: both axes in units of the average parallelism, so that all runs lie along one curve."""
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 5))
    for p, marker in zip(sorted({run["P"] for run in runs}), "+x.12"):
        some = [run for run in runs if run["P"] == p]
        axes.loglog([p * r["Tinf"] / r["T1"] for r in some], [r["Tinf"] / r["TP"] for r in some], marker,
                    color="#1f6f8b", label="P = %d" % p)
    xs = [10 ** (i / 20) for i in range(-70, 61)]
    axes.loglog(xs, [1 / (fit["c1"] / x + fit["c_inf"]) for x in xs], color="#c2571a", lw=1,
                label="%.3f T_1/P + %.3f T_inf" % (fit["c1"], fit["c_inf"]))
    axes.loglog(xs, [min(x, 1) for x in xs], color="#888888", lw=0.8, ls="--", label="linear speed-up; critical path")
    axes.set_xlabel("machine size: P / (T_1/T_inf)")
    axes.set_ylabel("speed-up: (T_1/T_P) / (T_1/T_inf)")
    axes.legend(frameon=False, fontsize=8)
    return plot.save(figure, folder, "table4-model")


def draw_requests(folder, runs):
    """Two families of knary: the critical path grows and the work stays, and the other way round."""
    from matplotlib import pyplot
    figure, both = pyplot.subplots(1, 2, figsize=(9, 4), sharey=True)
    most = max(run["P"] for run in runs)
    panels = (([(7, 4, r) for r in range(4)], "Tinf", "T_inf (units); knary(7,4,r), one T_1"),
              ([(n, 4, 0) for n in range(4, 9)], "T1", "T_1 (units); knary(n,4,0), T_inf like n"))
    for axes, (shapes, by, label) in zip(both, panels):
        for p, line in zip(sorted({8, 32, most}), ("-", "--", ":")):
            some = [run for shape in shapes for run in runs if run["P"] == p and tuple(run["shape"]) == shape]
            for what, colour in (("requests", "#1f6f8b"), ("steals", "#c2571a")):
                axes.loglog([r[by] for r in some], [max(r[what] / p, 0.01) for r in some], line, marker="+",
                            color=colour, label="%s/proc, P = %d" % (what, p))
        axes.set_xlabel(label)
    both[0].legend(frameon=False, fontsize=7)
    return plot.save(figure, folder, "table4-requests")
