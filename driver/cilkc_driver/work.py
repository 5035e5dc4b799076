"""Carries out a plan: each Job runs `cc -E | cilkc1` as a pipe (another compiler for other languages), several at a
time where there are processors.

Input: the Jobs of plan.py. Output: files under their final names, messages on stderr in the order of the inputs, and
the exit status. A failed job leaves nothing, and never a half-written file.
"""

import os

from . import console, disk, options as opts, plan, processes, words as words_for
from .console import Stop


class Work:
    """Runs jobs as their Options say."""

    def __init__(self, options, temp):
        self.o = options
        self.temp = temp

    def run_jobs(self, jobs):
        processors = self.o.jobs or processes.processors()
        if len(jobs) <= 1 or processors <= 1 or self.o.verbose or self.o.dry or any(job.made == "-" for job in jobs):
            for job in jobs:
                self.run_job(job)
                self.finish(job)
        else:
            self.run_parallel(jobs, min(processors, len(jobs)))
        return 1 if any(job.status for job in jobs) else 0

    def run_parallel(self, jobs, processors):
        import threading
        queue = list(jobs)
        lock = threading.Lock()
        finished = [threading.Event() for _ in jobs]
        failures = []

        def work():
            while True:
                with lock:
                    if not queue:
                        return
                    job = queue.pop(0)
                try:
                    self.run_job(job)
                except BaseException as error:
                    job.status = 1
                    failures.append(error)
                finished[jobs.index(job)].set()

        threads = [threading.Thread(target=work, daemon=True) for _ in range(processors)]
        for thread in threads:
            thread.start()
        for job, event in zip(jobs, finished):
            event.wait()
            try:
                self.finish(job)
            except Stop as error:
                job.status = 1
                failures.append(error)
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def run_job(self, job):
        """Compiles one input; its messages are kept in the job, its results under names that no other job has."""
        o = self.o
        language = job.item.language
        if language not in opts.OURS:
            self.run_foreign(job)
        elif o.other_cc and language in ("c", "cpp-output", "c-header") and not o.mode.startswith("emit:") \
                and o.mode != "check":
            self.run_foreign(job)
        else:
            self.run_ours(job)

    def finish(self, job):
        """Says what a job has to say and renames its results into place. In the order of the inputs: where several have
        one name the last one counts."""
        report(job)
        if self.o.dry:
            return
        for made, target in job.kept.values():
            disk.put_in_place(made, target)
        if job.status:
            return
        if job.made not in (None, "-") and job.target is not None:
            disk.put_in_place(job.made, job.target)
        if job.deps and os.path.exists(job.deps[0]):
            if job.deps[1] == "-":
                disk.put_on_stdout(job.deps[0])
            elif job.deps[0] != job.deps[1]:
                disk.put_in_place(job.deps[0], job.deps[1])

    def run_foreign(self, job):
        o = self.o
        stop = {"obj": "-c", "link": "-c", "asm": "-S", "check": "-fsyntax-only"}.get(o.mode)
        if stop is None:
            raise Stop("%s: '%s' works on C and Cilk files only" % (job.item.name, o.mode.replace("emit:", "--emit=")),
                       2)
        if "-fopencilk" in o.cilk1 and words_for.mentions(job.item.name, b"cilk_", b"_Cilk_"):
            raise Stop("%s: only C files can be in OpenCilk's spelling: put what spawns into one, and call it from here"
                       % job.item.name, 1)
        words = [stop] + ([] if job.made is None else ["-o", job.made])
        if any(w in ("-MD", "-MMD") for w in o.deps):
            deps = plan.deps_words(o, job.item)
            words += deps[0] + ["-MF", job.deps[0] if job.deps else deps[1]]
        command = words_for.other_compiler(o, job.item, words + ["-fdiagnostics-color=" + o.colours])
        if o.verbose or o.dry:
            console.write_stderr((" %s\n" % processes.quoted(command)).encode("utf-8", "surrogateescape"))
            if o.dry:
                return
        code, job.messages = processes.capture(command)
        job.messages = job.messages or processes.wordless(command, job.item.name, code)
        job.status = 1 if code else 0

    # ---- .c and .cilk
    def run_ours(self, job):
        o = self.o
        item = job.item
        cpp = None
        if item.language not in opts.PREPROCESSED:
            cpp = words_for.preprocessor(o, item, self.temp)
            if job.deps:
                at = len(cpp) - 3
                cpp[at:at] = job.deps[2] + ["-MF", job.deps[0]]
        text = job.kept["text"][0] if "text" in job.kept else None
        source = item.name if cpp is None else text or "-"
        made = job.made
        command = words_for.native(o, job, source)
        if o.verbose or o.dry:
            lines = ([" " + processes.quoted(cpp)] if cpp else []) + [" " + processes.quoted(command)]
            console.write_stderr(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
            if o.dry:
                return
        if cpp is None or text:
            if cpp and text:
                code, job.messages = processes.capture(cpp + ["-o", text])
                if words_for.NO_EMBED in job.messages:
                    made_text = self.expand_embeds(cpp, job)
                    code = 1
                    if made_text:
                        code, _ = processes.capture(["cp", made_text, text])
                if code:
                    job.messages = job.messages or processes.wordless(cpp, item.name, code)
                    job.status = 1
                    return
            code, messages = processes.capture(command)
            job.messages = without_repeats(job.messages, messages)
        else:
            cpp_code, code, job.messages, messages = processes.pipe(cpp, command)
            made_text = self.expand_embeds(cpp, job) if cpp_code and words_for.NO_EMBED in job.messages else None
            if made_text:
                cpp_code = 0
                code, messages = processes.capture(words_for.native(o, job, made_text))
            if cpp_code:
                # What cilkc1 says about a text that ends in the middle would only confuse.
                job.messages = job.messages or processes.wordless(cpp, item.name, cpp_code)
                job.messages += words_for.of_cplusplus(job.messages)
                if words_for.headerless(o):
                    job.messages += (words_for.NO_HEADERS % (o.target, o.target)).encode()
                job.status = 1
                return
            job.messages = without_repeats(job.messages, messages)
        if (
            code == 0
            and made not in (None, "-")
            and o.mode != "check"
            and item.language not in opts.HEADERS
            and not os.path.exists(made)
        ):
            job.messages += ("cilkc: error: %s succeeded but made no output from %s\n" % (command[0], item.name)).encode(
                "utf-8", "surrogateescape"
            )
            job.status = 1
            return
        if item.language in opts.HEADERS and o.mode == "obj" and code == 0:
            open(made, "w").close()
        self.judge(job, code)
        if code == 0 and "asm" in job.kept:
            asm = [w if w != "--emit=obj" else "--emit=asm" for w in command]
            asm[asm.index("-o") + 1] = job.kept["asm"][0]
            processes.capture(asm)
        if code == 0 and "object" in job.kept:
            processes.capture(["cp", made, job.kept["object"][0]])

    def expand_embeds(self, cpp, job):
        """The file of the preprocessed text where the preprocessor does not know #embed; None, with messages, after an
        error."""
        from . import embed
        made, job.messages = embed.expand(cpp, self.o, self.temp, job.deps)
        return made

    def judge(self, job, code):
        """Turns cilkc1's exit status into ours, and says so when it died."""
        if code == 0:
            return
        job.status = 1
        if code == 141 and processes.reader_gone():     # by SIGPIPE
            return
        if code >= 128:
            job.messages += ("cilkc: internal error: cilkc1 ended by signal %d while compiling %s\n"
                             % (code - 128, job.item.name)).encode("utf-8", "surrogateescape")
        elif code == 127:  # the dynamic loader's; it has said what it misses
            job.messages += (
                b"cilkc: error: the native compiler cannot be started here; 'cilkc doctor' shows what is missing\n"
            )
        elif code not in (1, 2, 70):
            job.messages += ("cilkc: internal error: cilkc1 exited with status %d while compiling %s\n"
                             % (code, job.item.name)).encode("utf-8", "surrogateescape")
        elif not job.messages:
            job.messages += ("cilkc: error: cilkc1 failed on %s without saying why (status %d)\n"
                             % (job.item.name, code)).encode("utf-8", "surrogateescape")
        if code not in (1, 2, 127):
            job.messages += b"cilkc: this is a fault of the compiler, not of the program; please report it with the output of cilkc -E\n"
        if job.made not in (None, "-"):
            try:
                os.unlink(job.made)
            except OSError:
                pass


def report(job):
    if job.messages:
        if job.target and job.made:         # its temporary name means nothing to the user
            job.messages = job.messages.replace(os.fsencode(job.made), os.fsencode(job.target))
        console.write_stderr(job.messages)
        job.messages = b""


def without_repeats(before, ours):
    """What the preprocessor said and what we say. A literal without its end is a warning there and an error here: where
    both are about one line, ours."""
    if b": warning: missing terminating " not in before:
        return before + ours
    errors = {line.split(b": error: ")[0].rpartition(b":")[0] for line in ours.splitlines()
              if b": error: missing terminating " in line}
    kept = []
    skipping = False
    for line in before.splitlines(keepends=True):
        if b": warning: missing terminating " in line:
            skipping = line.split(b": warning: ")[0].rpartition(b":")[0] in errors
        elif not line.startswith(b" "):
            skipping = False
        if not skipping:
            kept.append(line)
    return b"".join(kept) + ours
