"""What of all that is vouched for or may be drawn a check redoes.

One budget for all steps, in seconds of one core: a check takes no longer when
ledgers grow.  The order is random, by seed and name; a job is likelier the older
its line is, and when it is about a block whose files changed since the ledgers
were last written.
"""

import functools
import hashlib
import subprocess

from job import DRAWN, VOUCHED

WALL = 360  # seconds, of two cores


@functools.lru_cache(maxsize=None)
def touched():
    """Words of paths that changed since a ledger did: block names among them."""
    def git(*words):
        out = subprocess.run(["git", *words], capture_output=True, text=True)
        return out.stdout.split() if out.returncode == 0 else []
    base = git("log", "-1", "--format=%H", "--", "tests/*/ledger.tsv", "tests/*/breaks.tsv")
    changed = git("diff", "--name-only", *(base or ["HEAD"]))
    return {part for path in changed for part in path.split("/")[:-1]}


def rank(seed, job, weight):
    """Random in 0..1; the larger the weight, the nearer to 1."""
    h = hashlib.sha256(f"{seed} {job.step.name} {job.name}".encode()).digest()
    return ((int.from_bytes(h[:7], "big") + 1) / float(1 << 56)) ** (1.0 / weight)


def draw(jobs, seed, seconds):
    """Those that are redone, within so many seconds of a core: of each step the
    first one that is not long, then whatever fits."""
    changed, ages = touched(), {}
    order = []
    for job in jobs:
        if job.state not in (VOUCHED, DRAWN):
            continue
        step = job.step
        if job.line and step.name not in ages:
            ages[step.name] = step.ledger.ages()
        age = ages.get(step.name, {}).get(job.line, 0) if job.line else 30
        weight = (1 + min(age, 90) / 10) * (4 if job.about in changed else 1)
        order.append((rank(seed, job, weight), job))
    order.sort(key=lambda pair: (-pair[0], pair[1].name))
    drawn, spent, steps = set(), 0, set()
    for of_each in (True, False):
        for _, job in order:
            if of_each and (job.step.name in steps or job.cost > seconds / 8):
                continue
            if job not in drawn and spent + job.cost <= seconds:
                spent += job.cost
                steps.add(job.step.name)
                drawn.add(job)
    return drawn
