"""Grades submissions: several at a time, each check after the other, and those that measure time alone on the
machine."""

import concurrent.futures
import contextlib
import os
import shutil
import sys
import tempfile
import threading
import time

from cilkc_driver import console

from . import checks, workshop


class Turns:
    """Ordinary checks share the machine. One that measures time waits until they have ended, and has it alone."""

    def __init__(self):
        self.condition, self.sharing, self.waiting, self.alone = threading.Condition(), 0, 0, False

    @contextlib.contextmanager
    def shared(self):
        with self.condition:
            self.condition.wait_for(lambda: not self.alone and not self.waiting)
            self.sharing += 1
        try:
            yield
        finally:
            with self.condition:
                self.sharing -= 1
                self.condition.notify_all()

    @contextlib.contextmanager
    def exclusive(self):
        with self.condition:
            self.waiting += 1
            self.condition.wait_for(lambda: not self.alone and not self.sharing)
            self.waiting -= 1
            self.alone = True
        try:
            yield
        finally:
            with self.condition:
                self.alone = False
                self.condition.notify_all()


class Progress:
    """A moving line on a terminal; elsewhere one line for each submission."""

    def __init__(self, total, quiet):
        self.total, self.done, self.begun, self.quiet = total, 0, time.monotonic(), quiet
        self.moving = os.isatty(2)

    def show(self, result, from_store):
        self.done += 1
        if self.quiet:
            return
        text = "cilkc grade: %d of %d: %s %g/%g%s" % (self.done, self.total, result["submission"],
                                                      round(result["score"], 2), round(result["max"], 2),
                                                      " (from the store)" if from_store else "")
        if self.moving:
            spent = time.monotonic() - self.begun
            left = spent / self.done * (self.total - self.done)
            sys.stderr.write("\r\033[K%s%s" % (text[:100], ", about %d s left" % left if left >= 2 else ""))
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def close(self):
        if self.moving and not self.quiet:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


class Grading:
    def __init__(self, spec, cell, store, jobs, quiet):
        self.spec, self.cell, self.store, self.jobs, self.quiet = spec, cell, store, jobs, quiet
        self.turns, self.number, self.lock = Turns(), 0, threading.Lock()
        self.folder = tempfile.mkdtemp(prefix="cilkc-grade-%d-" % os.getpid())
        self.reference: "checks.Reference | None" = None

    def fresh(self):
        with self.lock:
            self.number += 1
            return workshop.fresh_folder(self.folder, self.number)

    def grade(self, submissions):
        """submissions: [(name, path)]. The results, in this order."""
        try:
            if self.spec.reference:
                own = {name: os.path.join(self.spec.folder, name) for name in self.spec.reference}
                work = workshop.Workshop(self.spec, self.cell, "the reference", self.spec.folder, self.fresh(), own)
                self.reference = checks.Reference(work, threading.Lock())
            return self.all(submissions)
        finally:
            self.cell.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def all(self, submissions):
        progress, results = Progress(len(submissions), self.quiet), {}
        pool = concurrent.futures.ThreadPoolExecutor(self.jobs)
        try:
            waiting = {}
            for name, path in submissions:
                key = self.store.key(path)
                result = self.store.get(name, key)
                if result:
                    results[name] = result
                    progress.show(result, True)
                else:
                    waiting[pool.submit(self.one, name, path, key)] = name
            for future in concurrent.futures.as_completed(waiting):
                results[waiting[future]] = future.result()
                progress.show(results[waiting[future]], False)
        except BaseException:
            progress.close()
            if results and len(results) < len(submissions):
                console.message("note", "%d of %d submissions are graded; the same command goes on from there"
                                % (len(results), len(submissions)))
            raise
        finally:
            self.cell.close()
            pool.shutdown(wait=True, cancel_futures=True)
        progress.close()
        return [results[name] for name, _ in submissions]

    def one(self, name, path, key):
        result = self.grade_one(name, path, key)
        self.store.put(result)
        return result

    def grade_one(self, name, path, key):
        begun = time.monotonic()
        result = {"submission": name, "title": self.spec.title, "key": key, "failed": None, "checks": [], "remarks": [],
                  "incidents": [], "fingerprints": ""}
        folder = self.fresh()
        try:
            work = workshop.Workshop(self.spec, self.cell, name, path, folder)
            work.reference = self.reference
            result["checks"] = [self.run_check(check, work)
                                for check in sorted(self.spec.checks, key=lambda check: check.timed)]
            order = [check.name for check in self.spec.checks]
            result["checks"].sort(key=lambda row: order.index(row["name"]))
            with self.turns.shared():
                result["remarks"] = work.remarks + work.suspicions()
                result["fingerprints"] = work.fingerprints()
            result["incidents"] = work.incidents
        except workshop.Failed as failed:
            result["failed"] = failed.text
            result["checks"] = [self.row(check, checks.Verdict(0.0, failed.text), 0.0) for check in self.spec.checks]
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        measured = [row for row in result["checks"] if row["score"] is not None]
        result.update(score=round(sum(row["score"] for row in measured), 4), max=sum(row["points"] for row in measured),
                      seconds=time.monotonic() - begun)
        return result

    def run_check(self, check, work):
        if check.timed:
            with self.turns.shared():       # what it needs is built while others work, too
                for form in ("parallel", "elision"):
                    with contextlib.suppress(workshop.Failed):
                        work.built(form)
        with self.turns.exclusive() if check.timed else self.turns.shared():
            begun = time.monotonic()
            verdict = check.verdict(work)
            return self.row(check, verdict, time.monotonic() - begun)

    @staticmethod
    def row(check, verdict, seconds):
        score = None if verdict.credit is None else round(check.points * verdict.credit, 4)
        return {"name": check.name, "kind": check.kind, "points": check.points, "score": score, "text": verdict.text,
                "detail": verdict.detail, "hidden": check.hidden, "seconds": seconds}
