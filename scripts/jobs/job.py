"""A job, a step that has many of them, and how they run.

  fixed    runs in every check
  run      no line of the ledger has this job with this digest
  vouched  one has, and the budget may draw it to be redone
  drawn    runs when the budget draws it: fresh seeds, random configurations
  implied  of lock-step: a run of the model alone stands for it
"""

import os
import re
import threading
import time
import zlib

from base import BUILD, JOBS, spent, stopping, warn
from ledger import Ledger

FIXED, RUN, VOUCHED, DRAWN, IMPLIED = "fixed", "run", "vouched", "drawn", "implied"


class Job:
    def __init__(self, step, name, **more):
        self.step, self.name = step, name
        self.digest = None   # with a ledger: of all that the result depends on
        self.state = FIXED
        self.cost = 1        # seconds that it is expected to take
        self.group = None    # jobs of one group follow one another
        self.about = ""      # a block, for what a change touched
        self.line = 0        # in its ledger
        self.done = False    # it really ran
        self.renews = False  # its result takes the place of the line's
        self.result = None   # what it gave; None: not as it should
        self.seconds = 0     # of a core
        self.passed = self.failed = 0
        self.__dict__.update(more)

    @property
    def log(self):
        safe = re.sub(r"[^A-Za-z0-9_.=-]+", "-", self.name)[:120]
        return self.step.room / f"{safe}-{zlib.crc32(self.name.encode()):08x}.log"


class Step:
    """What a kind of job has to say: its list, how one runs, what it counts."""

    name = ledger_path = None
    slow = False  # no part of `make check`

    def __init__(self, options):
        self.options = options
        self.room = BUILD / "check" / self.name
        os.makedirs(self.room, exist_ok=True)
        self.ledger = Ledger(self.ledger_path) if self.ledger_path else None
        self.head = {}      # for the ledger
        self.said = []      # what the step has to say beside its jobs' logs
        self.passed = self.failed = 0

    def plan(self):
        """All jobs, those that a narrow call asks for."""
        raise NotImplementedError

    def work(self, job):
        """Runs one: its result, None when it did not end as it should."""
        raise NotImplementedError

    def settled(self, jobs):
        """After all of them: reports that need all results."""

    def wanted(self, target):
        return not self.options.target or target in self.options.target

    @property
    def whole(self):
        """Whether nothing was left out."""
        return not (self.options.target or self.options.name or self.options.shard)

    def vouch(self, job):
        """Takes the line of the ledger that has this job with this digest, if any."""
        job.state = RUN
        row = self.ledger.find(job.name, job.digest)
        known = self.ledger.seconds(job.name)
        job.cost = 1 + (row[2] if row else job.cost if known is None else known)
        if row:
            job.state, job.result, job.line = VOUCHED, row[1], row[3]
        return job

    def untouched(self):
        """Whether the ledger's digests are of the text that is there: then each
        line's own digest is right without being computed."""
        return self.ledger.head.get("text") == self.head["text"]

    def take(self, job, compute):
        """The digest of a job, computed only if it has to be."""
        rows = self.ledger.rows.get(job.name, ())
        job.digest = rows[0][0] if self.untouched() and len(rows) == 1 else compute()
        return self.vouch(job)


def counts(log):
    """Passed and failed by what the runners in a log say; None when none says it."""
    passed = failed = 0
    seen = False
    with open(log, encoding="utf-8", errors="replace") as f:
        for line in f:
            m = re.match(r"\[  (PASSED|FAILED)  \] (\d+) test", line)
            if m:
                seen = True
                if m[1] == "PASSED":
                    passed += int(m[2])
                else:
                    failed += int(m[2])
            m = re.search(r"(?:^|: )(\d+) passed, (\d+) failed", line)
            if m:
                seen, passed, failed = True, passed + int(m[1]), failed + int(m[2])
    return (passed, failed) if seen else None


def run_all(jobs, progress=None):
    """Runs jobs, so many at a time; the longest groups first."""
    groups = {}
    for job in jobs:
        groups.setdefault((job.step.name, job.group) if job.group else id(job), []).append(job)
    todo = sorted(groups.values(), key=lambda g: -sum(j.cost for j in g))
    lock = threading.Lock()
    started, total = time.time(), len(jobs)
    state = {"done": 0, "shown": started}

    def show(job):
        state["done"] += 1
        if progress and time.time() - state["shown"] >= progress:
            state["shown"] = time.time()
            warn(f"  {state['done']} of {total} jobs, {int(time.time() - started)} s: "
                 f"{job.step.name} {job.name[:60]}")

    def worker():
        while True:
            with lock:
                if not todo:
                    return
                group = todo.pop(0)
            for job in group:
                if stopping.is_set():
                    return
                begun = time.time()
                spent()
                try:
                    job.result = job.step.work(job)
                except Exception as error:  # a fault of this program, or a full disk
                    job.failed = 1
                    with open(job.log, "a", encoding="utf-8") as log:
                        log.write(f"error: the job runner failed: {error!r}\n")
                if stopping.is_set():  # what was ended says nothing
                    job.passed = job.failed = 0
                    job.result = None
                    return
                # of a core, so that it says the same on a busy machine; a command's
                # children are counted, what this program does itself is not
                job.seconds, job.done = int((spent() or time.time() - begun) + 0.5), True
                with lock:
                    show(job)

    threads = [threading.Thread(target=worker, daemon=True) for _ in range(JOBS)]
    for t in threads:
        t.start()
    for t in threads:
        while t.is_alive():  # in slices, so that signals come through
            t.join(0.5)
