"""Which schedules `cilkc explore` tries, and how it shrinks one that fails.

Four kinds take turns: one switch, at each place of the program first; a few switches at random; the seeds of pct;
and those of replay, which switch all the time. When the places are through, a fifth kind stops several workers at one
place, one after the other. For a switch at random each place of the source is as likely as any
other, however often it is passed. The later switches of a random schedule are often near. A failing schedule becomes
a list of switches, and delta debugging (Zeller and Hildebrandt, TSE 2002) takes out what is not needed. From a record
of a parallel run the search begins with the list that repeats it, and goes on with lists that are near.
"""

import random

from .explore_runs import Schedule

NEAR = 12               # points between two switches that are near each other
PLACES_FIRST = 400      # so many single switches are tried in order
SINGLES_ALONE = 40      # so many schedules are tried before several workers are stopped at one place
GATHERED = 4            # workers that are stopped there, but the last one
SHRINK_RUNS = 400


class Places:
    """The points of the run on one worker, by place in the source."""

    def __init__(self, outcome):
        self.sites, self.points = {}, outcome.points
        self.seen = outcome         # the last run whose points are known
        self.alone = 0              # so many of singles() were tried
        for words in outcome.lines:
            if words[0] == "point":
                self.sites.setdefault(site(words), []).append(int(words[1]))

    def next(self, at, after, worker):
        """The first point of the run seen last, after that point, where `worker` is at the place; or None."""
        for words in self.seen.lines:
            if words[0] == "point" and int(words[1]) > after and words[2] == str(worker) and site(words) == at:
                return int(words[1])
        return None

    def any(self, chance):
        if not self.sites or chance.random() < 0.2:
            return chance.randint(1, max(1, self.points))
        return chance.choice(chance.choice(list(self.sites.values())))

    def singles(self):
        """For each place its first point, then the last, then the middle."""
        rows = list(self.sites.values())
        found = [row[0] for row in rows] + [row[-1] for row in rows] + [row[len(row) // 2] for row in rows]
        return list(dict.fromkeys(found))[:PLACES_FIRST]


def site(words):
    """Where a point is, from its line in the log: kind, file, line and column."""
    return words[3], words[4], words[6], words[7]


def gathered(places, chance):
    """Switches at one place: the worker that comes to it is stopped there, and the next one goes on until it comes to
    the same place. Each schedule has one switch more than the run that was seen last."""
    while True:
        for at in chance.sample(list(places.sites), len(places.sites)):
            switches, point = [], chance.choice(places.sites[at])
            for worker in range(1, GATHERED):
                switches.append((point, worker))
                yield Schedule(GATHERED, list(switches), asks=True)
                point = places.next(at, point, worker)
                if point is None:
                    break


def schedules(places, seed):
    """One after the other, without end. After a schedule that asks for its points, places.seen is its run."""
    chance = random.Random(seed)
    singles, together = iter(places.singles()), gathered(places, random.Random(seed))
    number = 0
    while True:
        number += 1
        kind = number % 4
        if kind == 1 or (kind == 3 and number < SINGLES_ALONE):
            point = next(singles, None)
            if point is None and places.sites:
                yield next(together)
            else:
                places.alone += point is not None
                yield Schedule(2, [(point if point is not None else places.any(chance), 1)])
        elif kind == 2:
            workers, depth = chance.choice((2, 2, 3, 4)), chance.choice((1, 2, 3, 5))
            yield seeded("pct:%d:%d:%d:%d" % (chance.randrange(10**6), workers, depth, max(1, places.points * 3 // 2)),
                         workers)
        elif kind == 3 and places.sites and number > SINGLES_ALONE and number % 8 == 3:
            yield next(together)
        elif kind == 3:
            yield Schedule(2, several(places, chance))
        else:
            workers = chance.choice((2, 2, 3, 4))
            yield seeded("replay:%d:%d" % (chance.randrange(10**6), workers), workers)


def seeded(spec, workers):
    return Schedule(workers, None, spec)


def several(places, chance):
    at, worker, made = places.any(chance), 1, []
    for _ in range(chance.choice((2, 2, 3, 4, 6))):
        made.append((at, worker))
        worker = 1 - worker if chance.random() < 0.7 else 1
        later = at + 1 + int(chance.expovariate(1 / NEAR))
        far = places.any(chance)
        at = far if far > at and chance.random() < 0.4 else later
    return made


def neighbours(schedule, places, seed):
    """A schedule, then others that are near, without end: with a switch at each place of the program; without some of
    its switches, with one at another point, or with further ones."""
    yield schedule
    chance = random.Random(seed)
    singles = iter(places.singles())
    while True:
        for to in range(schedule.workers) if (point := next(singles, None)) else ():
            yield with_switches(schedule, [*schedule.switches, (point, to)])
        made = list(schedule.switches)
        for _ in range(chance.choice((1, 1, 2, 3))):
            at = chance.randrange(len(made) + 1)
            what = chance.randrange(4) if made else 0
            point = made[min(at, len(made) - 1)][0] if made and chance.random() < 0.5 else places.any(chance)
            if what < 2:
                made.append((max(1, point + round(chance.gauss(0, NEAR))), chance.randrange(schedule.workers)))
            elif what == 2:
                del made[at:at + chance.choice((1, 1, 2, 4))]
            elif at < len(made):
                made[at] = (max(1, made[at][0] + round(chance.gauss(0, NEAR))), made[at][1])
        yield with_switches(schedule, made)


def with_switches(schedule, switches):
    return Schedule(schedule.workers, sorted(switches, key=lambda switch: switch[0]), file=schedule.file)


class Shrinker:
    """Takes switches out of a schedule as long as it still fails in the same way."""

    def __init__(self, runs, reference, kind, tick, file=None):
        self.runs, self.reference, self.kind, self.tick, self.file = runs, reference, kind, tick, file
        self.left, self.known = SHRINK_RUNS, {}

    def fails(self, workers, switches):
        key = (workers, tuple(switches))
        if key not in self.known:
            if self.left <= 0:
                return False
            self.left -= 1
            found = self.runs.run(Schedule(workers, switches, file=self.file)).failure(self.reference)
            self.known[key] = bool(found and found[0] == self.kind)
            self.tick()
        return self.known[key]

    def shrink(self, workers, switches):
        """(workers, switches) of a smaller list; None where the list does not fail as the run did from which it
        comes."""
        if not self.fails(workers, switches):
            return None
        low, high = 0, len(switches)
        while low < high:                   # a short begin that fails; the shortest one, if all longer ones fail
            middle = (low + high) // 2
            if self.fails(workers, switches[:middle]):
                high = middle
            else:
                low = middle + 1
        switches = self.minimal(workers, list(switches[:high]))
        for fewer in range(2, workers):
            mapped = [(point, worker if worker < fewer else 1) for point, worker in switches]
            if self.fails(fewer, mapped):
                workers, switches = fewer, self.minimal(fewer, mapped)
                break
        return workers, switches

    def minimal(self, workers, switches):
        """ddmin: no switch of the result can be taken out alone. The last ones are tried first, as all points after a
        switch that is taken out become others. So a chunk alone seldom fails; the rest is tried instead."""
        parts = 2
        while switches:
            size = max(1, len(switches) // parts)
            for end in range(len(switches), 0, -size):
                rest = switches[:max(0, end - size)] + switches[end:]
                if self.fails(workers, rest):
                    switches, parts = rest, max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts = min(len(switches), 2 * parts)
        return switches
