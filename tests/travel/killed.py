"""A program is killed again and again, and goes on from its last checkpoint (tests/runtime/test_travel.py, soak.py)."""

import os
import subprocess
import time


def stamp(image):
    try:
        return image.stat().st_ino, image.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def first_image(run, image, arguments):
    """The first checkpoint of a run, which is ended then. A run may end before its first one."""
    for _ in range(20):
        words = [*run, "--nproc", "2", "--checkpoint", image, "--every", "1ms", *arguments]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            until = time.monotonic() + 100
            while not image.exists() and process.poll() is None and time.monotonic() < until:
                time.sleep(0.0005)
            process.kill()
        if image.exists():
            return
    raise AssertionError("no checkpoint in 20 runs")


def run_with_kills(
    program, arguments, image, rng, kills, every="10ms", workers=(1, 2, 4), first=None, options=None, seconds=None
):
    """Each process but the last is killed some time after its first to third checkpoint, if it is not at its end by
    then; with `seconds`, at any time in its first `seconds`. Where the first ends before it could be killed (on a busy
    machine), all starts again.

    `options`: the environment's variable that has the options, where the command line is the program's own.

    (exit status, stdout, stderr of the last process; how many were killed, and how many of all began with a
    checkpoint).
    """
    killed = restarts = attempts = 0
    while True:
        words, own = [
            "--nproc",
            str(first if first and not image.exists() else rng.choice(workers)),
            "--checkpoint",
            str(image),
            "--every",
            every,
        ], []
        if image.exists():
            words += ["--restart", str(image)]
            restarts += 1
        else:
            own = [str(word) for word in arguments]
        call = [str(program), *([] if options else words), *own]
        env = dict(os.environ, **{options: " ".join(words)}) if options else None
        with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
            left, seen = rng.randint(1, 3), stamp(image)
            if seconds and killed < kills:
                try:
                    process.wait(rng.uniform(0, seconds))
                except subprocess.TimeoutExpired:
                    process.kill()
            while not seconds and killed < kills and left and process.poll() is None:
                time.sleep(0.0005)
                if seen != (seen := stamp(image)):
                    left -= 1
            if not left:
                time.sleep(rng.uniform(0, 0.01))
                process.kill()
            out, err = process.communicate(timeout=3000 if seconds else 300)
            if process.returncode == -9:
                killed += 1
                continue
            if kills and not restarts and process.returncode == 0 and (attempts := attempts + 1) < 20:
                image.unlink(missing_ok=True)
                continue
        return process.returncode, out, err, killed, restarts
