"""The model T_P = c1 T_1/P + c_inf T_inf, fitted to knary(n, k, r) as in Figure 8 of the Cilk-5 paper.

T_1 is the time on one worker.  The tree has N = (k^n - 1)/(k - 1) nodes of equal work, so a node costs T_1/N, and
the span is a path of S nodes: S(n) = 1 + r S(n-1) + (k > r) S(n-1), S(1) = 1.  T_inf = S T_1/N.  The fit is by least
squares on relative
errors.  Runs on one worker have T_P = T_1 by definition and would only pull c_inf towards 0; so the fit that counts
         is over
the runs with P > 1, and the one over all P is given beside it.  The largest (T_P - T_1/P)/T_inf of a single run,
where the paper saw 1.05, is given too, of runs with parallelism up to 10: beyond, T_inf is less than the noise of
T_P.
"""

from .measure import Job, interleave, median, say

# (n, k, r): from parallelism 1 to thousands.
GRID = [
    (10, 4, 0),
    (9, 4, 1),
    (8, 4, 2),
    (7, 4, 3),
    (7, 4, 4),
    (6, 8, 1),
    (6, 8, 2),
    (5, 8, 4),
    (5, 8, 6),
    (13, 2, 1),
    (4, 16, 2),
    (4, 16, 8),
    (12, 2, 0),
]
SIZES = {   # seconds of work wanted of each run, rounds, points of the grid
    "full": (0.5, 5, len(GRID)), "quick": (0.06, 2, 8), "tiny": (0.002, 1, 2)}
STEP_NS = 2.2       # about what a step of a node's work takes


def nodes(n, k):
    return sum(k ** i for i in range(n))


def span(n, k, r):
    length = 1
    for _ in range(n - 1):
        length = 1 + r * length + (length if k > r else 0)
    return length


def fit(points):
    """c1, c_inf of least relative squares; points are (work/P, span, time). None when they do not determine both."""
    a = b = d = e = f = 0.0
    for x, y, t in points:
        x, y = x / t, y / t
        a, b, d, e, f = a + x * x, b + x * y, d + y * y, e + x, f + y
    determinant = a * d - b * b
    if len(points) < 2 or abs(determinant) < 1e-12:
        return None
    return {"c1": (e * d - f * b) / determinant, "c_inf": (a * f - b * e) / determinant}


def model(programs, size, workers):
    """programs: {strategy: program}. Returns {strategy: {runs, fit, fit_all, worst}}."""
    seconds, rounds, count = SIZES[size]
    result = {}
    jobs = {}
    for n, k, r in GRID[:count]:
        steps = max(1, int(seconds * 1e9 / STEP_NS / nodes(n, k)))
        point = []
        for spawn, program in programs.items():
            for p in sorted({1, *range(2, workers + 1)}):
                job = Job("%s%d" % (spawn, p), [program, "--nproc", p, n, k, r, steps])
                jobs[spawn, n, k, r, p] = job
                point.append(job)
        interleave(point, rounds)
        say("  knary(%d,%d,%d): %s"
            % (n, k, r, "  ".join("%s %.3f s" % (j.variant, median(j.times)) for j in point if j.times)))
    for spawn in programs:
        runs, several, every = [], [], []
        for n, k, r in GRID[:count]:
            alone = jobs[spawn, n, k, r, 1]
            if not alone.times:
                continue
            work = median(alone.times)
            longest = work * span(n, k, r) / nodes(n, k)
            for p in range(1, workers + 1):
                times = jobs[spawn, n, k, r, p].times
                if not times or median(times) <= 0 or work <= 0:
                    continue
                took = median(times)
                run = {"n": n, "k": k, "r": r, "P": p, "T1": work, "Tinf": longest, "TP": took,
                       "parallelism": work / longest, "single": (took - work / p) / longest}
                runs.append(run)
                every.append((work / p, longest, took))
                if p > 1:
                    several.append((work / p, longest, took))
        result[spawn] = {
            "runs": runs,
            "fit": fit(several),
            "fit_all": fit(every),
            "worst": max((r["single"] for r in runs if r["P"] > 1 and r["parallelism"] <= 10), default=None),
        }
    return result


def normalised(result):
    """{strategy: [(P/(T1/Tinf), (T1/TP)/(T1/Tinf))]} for the plot."""
    return {spawn: [(r["P"] / r["parallelism"], r["Tinf"] / r["TP"]) for r in one["runs"]]
            for spawn, one in result.items()}
