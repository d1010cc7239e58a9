"""Steps that are one command, or a command for each target: no ledger."""

from base import run, seed_of, targets
from job import DRAWN, Job, Step, counts
from lint import TOGETHER


class Command(Step):
    """A step whose jobs are commands that count for themselves."""

    def command(self, name, words, **more):
        return Job(self, name, words=words, **more)

    def work(self, job):
        status = run(job.words, job.log, **getattr(job, "env", {}))
        job.passed, job.failed = counts(job.log) or (int(not status), int(bool(status)))
        if status and not job.failed:
            job.failed = 1
        return None if status else "passed"

    def tests(self, result):
        return 1


class Style(Command):
    name = "style"

    def plan(self):
        return [self.command("style", ["sh", "scripts/style.sh"], cost=40)]


class Ptx(Command):
    name = "ptx"

    def plan(self):
        return [self.command("ptx", ["sh", "scripts/ptx.sh", "--check"], cost=20)]


class Speed(Command):
    name = "speed"

    def plan(self):
        return [self.command("speed", ["sh", "scripts/speed.sh"], cost=70)]


class Determinism(Command):
    """The same bytes in every place, and nothing half-written: a property of ndpgen,
    so few targets show it in each check and the budget draws of the others."""

    name = "determinism"

    def plan(self):
        return [self.command(t, ["sh", "scripts/determinism.sh", "--target", t], about=t, cost=8,
                             **({} if t in TOGETHER or not self.whole else {"state": DRAWN}))
                for t in targets() if self.wanted(t)]


class Configs(Command):
    """Random configurations: refused with a reason, or clean and right."""

    name = "configs"

    def plan(self):
        seed = seed_of("FRESH", 10)  # each draws into a folder of its seed
        return [self.command(
            f"configuration {i}", ["sh", "scripts/configs.sh", "--light", "--number", "1",
                                   "--seed", str(seed + i), "--only", "1"], cost=25, state=DRAWN)
                for i in range(12)]
