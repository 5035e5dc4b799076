"""All closures of a computation: those that workers, deques and parents lead to, and the threads of Cilk-1 that wait for
arguments."""

import itertools
import os

import gdb

from gdb_data import MOST, Unknown, chain, closure_at, constant, global_value, state_of, text, workers
from gdb_frames import named


def all_closures():
    """Each full closure once, parents before their children, and its depth in the tree."""
    found, tops = {}, {}

    def upwards(closure):
        while closure is not None and int(closure) and len(found) < MOST:
            if int(closure) in found:
                return
            found[int(closure)] = closure
            link = closure["link"]
            if int(link) == 0 or int(link["parent"]) == 0:
                tops[int(closure)] = closure
                return
            closure = link["parent"]

    for worker in workers():
        for closure in worker.deque():
            if int(closure["state"]) != constant("CILK_ATTACHED"):
                upwards(closure)
        if int(worker.ext["next"]):
            upwards(worker.ext["next"])
        for segment in worker.segments():
            if int(segment["full"]):
                upwards(segment["full"])
            if int(segment["link"]) and int(segment["link"]["parent"]):
                upwards(segment["link"]["parent"])
    for context in chain(global_value("cilk_contexts") or gdb.Value(0), "other"):
        for closure in chain(context["orphans"], "next"):
            upwards(closure)
    ordered, seen = [], set()

    def downwards(closure, depth):
        if int(closure) in seen:
            return
        seen.add(int(closure))
        ordered.append((closure, depth))
        for link in chain(closure["children"], "next"):
            if int(link["child"]):
                downwards(link["child"], depth + 1)

    for closure in list(tops.values()) + list(found.values()):
        try:
            downwards(closure, 0)
        except RecursionError:
            break
    return ordered


def thread_closures():
    """(closure of Cilk-1, where it is), of all pools: what is ready, the next one to run first, then what waits."""
    made = []
    for worker in workers():
        for home in chain(worker.ext["cilk1"]["pools"], "of_worker"):
            pool, here = home["pool"], "worker %d" % worker.id
            for level in reversed(range(min(int(pool["deepest"]), MOST) + 1)):
                made += [(c, "ready, " + here) for c in chain(pool["levels"][level]["head"], "next")]
            made += [(c, "ready, placed on " + here) for c in chain(home["placed"], "next")]
            made += [(c, "ready, shown by " + here) for c in chain(home["first"], "next")]
            listed = {int(c) for c, _ in made}
            known = [home["known"][i] for i in range(min(int(home["nknown"]), MOST))]
            run = home["run"]
            known += [run["large"][i] for i in range(min(int(run["nlarge"]), MOST))]
            for c in known:
                if int(c["join"]) and int(c["pool"]) == int(home.cast(c["pool"].type)) and int(c) not in listed:
                    listed.add(int(c))
                    made.append((c, "waits for %s, %s" % (missing(c), here)))
    return made


def missing(closure):
    """Names of the arguments whose slots' offsets add up to the closure's join sum, as few as possible."""
    thread, join = closure["thread"], int(closure["join"])
    slots = [thread["slots"][i] for i in range(min(int(thread["nslots"]), 16))]
    part = 2                                    # CILK1_SLOT_PART
    rows = [(int(s["offset"]), text(s["name"])) for s in slots if not int(s["flags"]) & part]
    for n in range(1, len(rows) + 1):
        for some in itertools.combinations(rows, n):
            if sum(offset for offset, _ in some) == join:
                return ", ".join(name for _, name in some)
    return "arguments" if rows else "the result"


def print_thread_closure(closure, where):
    thread = closure["thread"]
    line = int(thread["line"])                  # 0: a thread of the runtime, which takes the computation's result
    place = " at %s:%d" % (os.path.basename(text(thread["file"])), line) if line else ""
    gdb.write("     0x%x  %s%s  level %d; %s\n" % (int(closure), text(thread["name"]), place, int(closure["level"]),
                                                   where))


def closure_named(word):
    """N of `cilk closures`, or an address."""
    try:
        if word.isascii() and word.isdigit():
            return all_closures()[int(word)][0]
        return closure_at(gdb.parse_and_eval(word))
    except IndexError:
        raise Unknown("There is no closure %s; `cilk closures` lists them." % word)


def print_child(closure, link):
    entry = link["entry"]
    where = ""
    if int(link["child"]):
        where = "%s, %s" % (text(link["child"]["sig"]["name"]), state_of(link["child"]))
    elif int(link["worker"]):
        where = "runs on worker %d" % int(link["worker"]["id"])
    gdb.write("    line %d%s: %s%s%s\n"
              % (int(entry["line"]), " " + text(entry["text"]) if int(entry["text"]) else "", where,
                 receiver(closure, link), ", aborted" if int(link["aborted"]) else ""))


def receiver(closure, link):
    entry = link["entry"]
    if int(entry["flags"]) & constant("CILK_ENTRY_RECEIVER"):
        header = constant("CILK_LINK_HEADER")
        record = gdb.Value(int(link) + header).cast(gdb.lookup_type("unsigned long").pointer())
        address = int(record.dereference())
        return "; its result goes to %s" % (named(closure, address) or "%s (0x%x)" % (text(entry["receiver"]), address))
    if int(entry["receiver"]):
        return "; its result goes to %s" % text(entry["receiver"])
    if int(entry["flags"]) & constant("CILK_ENTRY_INLET"):
        return "; its result goes to the inlet"
    return ""
