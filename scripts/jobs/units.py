"""Unit tests: tests/*/test_*.c and tests/*/*_test.sh, a job each.

A suite of C depends on its program, without symbols, and on the files that it reads:
those of its folder and of kernels/.  One that starts programs, and every suite in
shell, depends on all programs and scripts, and on all texts that it may name.

A suite that takes long is several jobs: it says 'parts: WORD...' in the comment at its
head, and each job hands it one of these words.
"""

import os
import re
from pathlib import Path

from base import BUILD, digest, digest_files, files_below, program_digest, run, tools_digest
from job import Job, Step, counts
from rtl import for_each, generator_digest

PARTS = re.compile(r"^(?:#| \*) parts: (.+)$", re.M)
STARTS = re.compile(r"\b(system|popen|execv?p?|fork|posix_spawn)\w*\s*\(|scripts/|build/")


class Units(Step):
    name = "units"
    ledger_path = "tests/common/units.tsv"

    def plan(self):
        tools = tools_digest("gcc", "g++", "verilator_bin", "iverilog", "vvp", "yosys",
                             "yosys-abc", "nextpnr-ice40", "gnuplot", "dot", "parallel", "slurmd")
        self.head = {"text": digest(tools, digest_files(
            f for f in files_below(*(d for d in os.listdir(".") if d not in (
                ".git", "out", os.path.relpath(BUILD)))) if not self.record(f)))}
        jobs = []
        for path in sorted([*Path("tests").glob("*/test_*.c"), *Path("tests").glob("*/*_test.sh")]):
            if self.wanted(path.parent.name):
                parts = PARTS.search(path.read_text())
                jobs += [Job(self, " ".join([str(path), *word]), about=path.parent.name,
                             cost=5, path=path, words=word)
                         for word in ([[w] for w in parts[1].split()] if parts else [[]])]
        self.tools = tools
        self.of_all = None if self.untouched() else self.everything()
        for_each(lambda job: self.take(job, lambda: self.digest_of(job)), jobs)
        return jobs

    @staticmethod
    def record(path):
        """What a check writes, or another job reads."""
        return path.endswith((".tsv", ".pyc")) and not path.startswith("kernels/")

    def digest_of(self, job):
        own = [f for f in files_below(str(job.path.parent), "tests/common", "kernels")
               if not self.record(f)]
        if job.path.suffix == ".sh" or STARTS.search(job.path.read_text()):
            documents = [] if job.path.suffix == ".c" else list(files_below("docs", "README.md"))
            return digest(job.name, self.of_all, digest_files(own + documents))
        data = [f for f in own if not f.endswith((".c", ".h"))]
        return digest(job.name, program_digest(BUILD / job.path.with_suffix("")),
                      digest_files(data), self.tools)

    def everything(self):
        programs = [p for p in BUILD.iterdir() if p.is_file() and os.access(p, os.X_OK)
                    and p.suffix != ".tmp"]
        return digest(self.tools, generator_digest(), *map(program_digest, sorted(programs)),
                      digest_files(f for f in files_below(
                          "scripts", "boards", "constraints", "tests/bench", "Makefile",
                          "lib/runtime", "verilator-tb/bench") if not self.record(f)))

    def work(self, job):
        if job.path.suffix == ".sh":
            command = ["sh", str(job.path)]
        else:
            command = [os.path.join(".", BUILD / job.path.with_suffix(""))]
        status = run(command + job.words, job.log)
        job.passed, job.failed = counts(job.log) or (int(not status), int(bool(status)))
        if status and not job.failed:
            job.failed = 1
        return None if status else "passed"

    def settled(self, jobs):
        ran = sorted((j for j in jobs if j.done), key=lambda j: -j.seconds)[:10]
        if ran:
            self.said += ["the ten longest suites:"] + [f"{j.seconds:4} s {j.name}" for j in ran]

    def tests(self, result):
        return 1
