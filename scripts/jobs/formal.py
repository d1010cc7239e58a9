"""Proofs: what holds in every reachable state, and breaks that must be seen.

A line of tests/<block>/proofs.txt is a job: it proves the properties of one module
(rtl-templates/*/*_formal.vh) and shows that what they speak of can happen.

  name module engine depth seconds config [option...]

name    of the job, unlike any other's
engine  pdr   all properties together, without a bound
        each  one after the other, without a bound
        bmc   all together up to depth edges after reset
depth   edges in which every cover goal has to be reached
seconds limit of one run of the engine
config  tests/<block>/formal/<config>.yml
options PARAMETER=n       of the module, when it has parameters
        cut=INSTANCE,...  outputs of these instances are anything
        define=NAME       for the properties' files
        only=GLOB,...     of the properties, the others are another job's

A module's properties stand in <module>_formal.vh beside its template, included
where FORMAL_<MODULE in upper case> is defined.  Names: p_ property, q_ demand on a
neighbour (an assumption while its module is the top), c_ goal.  A module that blocks
share needs one job only, of any block that uses it, under that block's name
(ndp_nbu_common_queue).

A line of tests/<block>/breaks.txt breaks a template on purpose, and wants the
property that it names to fail:

  template job property sed-command
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from base import (BUILD, NDPGEN, BadUse, digest, digest_files, emit, files_below, lines_of, run, said_by,
                  tools_digest)
from job import Job, Step
from rtl import emitted_folder, for_each, forget, generator_digest, proof_digest

HERE = "tests/formal"
PAGE = "docs/proofs.md"
RECIPE = (f"{HERE}/prove.sh", f"{HERE}/abc.awk", f"{HERE}/cover.v")
WORK = BUILD / "formal"


class Proof:
    """A line of a proofs.txt."""

    def __init__(self, target, line):
        self.target, self.line = target, line
        self.name, self.module, _, _, self.seconds, config = line.split()[:6]
        self.config = f"tests/{target}/formal/{config}.yml"
        self.options = ["--target", target, "--config", self.config]


def proofs():
    found = {}
    for path in sorted(Path("tests").glob("*/proofs.txt")):
        for line in lines_of(path):
            proof = Proof(path.parent.name, " ".join(line.split()))
            if proof.name in found:
                raise BadUse(f"two jobs '{proof.name}' in tests/*/proofs.txt")
            found[proof.name] = proof
    return found


class Formal(Step):
    """All proofs; the table that tests/formal/table.awk makes of them."""

    name = "formal"
    ledger_path = os.environ.get("LEDGER") or f"{HERE}/ledger.tsv"
    environment = {}

    def __init__(self, options):
        super().__init__(options)
        os.makedirs(WORK, exist_ok=True)
        self.proofs = proofs()
        self.tools = digest(tools_digest("yosys", "yosys-abc"), digest_files(RECIPE),
                            *(os.environ.get(n, "") for n in ("FORMAL_SECONDS", "FORMAL_NO_GOALS")))
        self.head = {"tools": " ".join(said_by("yosys", "-V").split()[:2]),
                     "text": digest(generator_digest(), self.tools, digest_files(
                         f for f in files_below("tests")
                         if f.endswith(self.lists) or "/formal/" in f and f.endswith(".yml")))}

    lists = ("/proofs.txt",)

    def wanted_proofs(self):
        own = self.options.rtl and target_of(self.options.rtl)
        return [p for p in self.proofs.values()
                if (p.target == own if own else self.wanted(p.target))]

    def plan(self):
        jobs = [Job(self, p.name, about=p.target, cost=int(p.seconds) / 4, proof=p)
                for p in self.wanted_proofs()]
        if self.options.rtl:
            return jobs
        for_each(lambda job: self.take(job, lambda: self.digest_of(job.proof)), jobs)
        for p in self.proofs.values():
            forget(p.options)
        return jobs

    def digest_of(self, proof, folder=None):
        if not folder:
            folder, refused = emitted_folder(proof.options)
            if refused:
                raise BadUse(f"ndpgen refuses {' '.join(proof.options)}: {refused}")
        return digest(proof.line, self.tools, proof_digest(folder, proof.module))

    def work(self, job):
        folder = self.options.rtl or emitted_folder(job.proof.options)[0]
        return self.prove(job, job.proof.name, folder, WORK)

    def prove(self, job, name, folder, work, only=""):
        run(["sh", f"{HERE}/prove.sh", name, str(folder), str(work)], job.log,
            **self.environment, FORMAL_ONLY=only)
        rows = [line.split("\t") for line in (work / f"{name}.result").read_text().splitlines()]
        rows = [row for row in rows if row[1] != "time"]
        job.log.write_text("".join("\t".join(row) + "\n" for row in rows))
        bad = [row for row in rows if row[2] not in ("proved", "bounded", "reached")]
        job.passed, job.failed = len(rows) - len(bad), len(bad) or int(not rows)
        with open(job.log, "a", encoding="utf-8") as log:
            log.writelines(f"FAILED: {row[0]} {row[1]} {row[2]} {row[3]}\n" for row in bad)
        return None if bad or not rows else ";".join("|".join(row[1:4]) for row in rows)

    def tests(self, result):
        return result.count(";") + 1

    def settled(self, jobs):
        """Results of what was vouched for beside the others, as a table for people."""
        for job in jobs:
            if not job.done and job.result:
                rows = [[job.name, *row.split("|")] for row in job.result.split(";")]
                rows.append([job.name, "time", "vouched", str(job.cost - 1)])
                (WORK / f"{job.name}.result").write_text(
                    "".join("\t".join(row) + "\n" for row in rows))
        with open(WORK / "table.tsv", "w", encoding="utf-8") as table:
            for job in jobs:
                path = WORK / f"{job.name}.result"
                table.write(path.read_text() if path.exists() else "")
        if self.whole and not self.options.rtl and (self.options.update or not self.untouched()):
            self.page()

    def page(self):
        """docs/proofs.md: written on request, else held against what was proved."""
        text = table("markdown")
        if self.options.update:
            Path(PAGE).write_text(text, encoding="utf-8")
        elif Path(PAGE).read_text(encoding="utf-8") != text:
            self.said.append(f"error: {PAGE} is not what the proofs give, expected it "
                             "from 'python3 scripts/jobs formal --update'")
            self.failed += 1


def table(form):
    """What the proofs gave: text, json, or markdown for the page of all of them."""
    summary = WORK / "summary.md"
    if form == "markdown":
        made = subprocess.run(["sh", f"{HERE}/summary.sh", str(WORK)], capture_output=True,
                              text=True, check=True, env={**os.environ, "NDPGEN": NDPGEN})
        summary.write_text(made.stdout)
    tools = said_by("yosys", "-V").split(" (")[0] + ", ABC of the same package"
    return subprocess.run(
        ["awk", "-F", "\t", "-v", f"form={form}", "-v", f"tools={tools}", "-v", "wrong=0",
         "-v", f"summary={summary}", "-f", f"{HERE}/table.awk", str(WORK / "table.tsv")],
        capture_output=True, text=True).stdout


def target_of(folder):
    text = (Path(folder) / "manifest.json").read_text()
    found = re.search(r'^ *"target": "(.*)",$', text, re.M)
    if not found or not any(p.target == found[1] for p in proofs().values()):
        raise BadUse(f"no job for the block in '{folder}'")
    return found[1]


class Breaks(Formal):
    name = "breaks"
    ledger_path = f"{HERE}/breaks.tsv"
    environment = {"FORMAL_NO_GOALS": "1",
                   "FORMAL_SECONDS": os.environ.get("FORMAL_SECONDS", "20")}
    lists = ("/proofs.txt", "/breaks.txt")

    def plan(self):
        jobs = []
        os.makedirs(WORK / "breaks", exist_ok=True)
        for path in sorted(Path("tests").glob("*/breaks.txt")):
            if not self.wanted(path.parent.name):
                continue
            for line in lines_of(path):
                template, name, prop, edit = line.split(None, 3)
                if name not in self.proofs:
                    raise BadUse(f"{path}: no job '{name}' in tests/*/proofs.txt")
                key = posix_cksum((edit + "\n").encode())
                jobs.append(Job(self, f"{template} {name}.{prop} {key}", cost=20,
                                about=path.parent.name, proof=self.proofs[name],
                                template=template, property=prop, edit=edit, key=key))
        for_each(lambda job: self.take(job, lambda: self.digest_of_break(job)), jobs)
        return jobs

    def break_it(self, job):
        """Emits the broken RTL: its folder, or None if the edit changes nothing."""
        folder = WORK / "breaks" / digest(job.name)[:16]
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder / "templates")
        changed = False
        for original in Path("rtl-templates").glob(f"*/{job.template}"):
            done = subprocess.run(["sed", job.edit, str(original)], capture_output=True)
            (folder / "templates" / job.template).write_bytes(done.stdout)
            changed = done.stdout != original.read_bytes() and done.returncode == 0
        if not changed:
            return None
        refused = emit(job.proof.options, folder / "out", folder / "templates")
        return None if refused else folder

    def digest_of_break(self, job):
        folder = self.break_it(job)
        if not folder:
            return digest("unchanged", job.name)
        own = self.digest_of(job.proof, folder / "out")
        shutil.rmtree(folder)
        return digest(own, str(sorted(self.environment.items())))

    def work(self, job):
        folder = self.break_it(job)
        if not folder:
            job.failed = 1
            job.log.write_text(f"FAILED: unchanged {job.template} {job.proof.name}."
                               f"{job.property}: the edit breaks nothing\n")
            return None
        # the property alone; all of them, where their prover finds sooner what is wrong
        caught = False
        for only in (job.property, ""):
            if not caught:
                self.prove(job, job.proof.name, folder / "out", folder, only)
                rows = [line.split("\t") for line in job.log.read_text().splitlines()]
                caught = any(row[1:3] == [job.property, "failed"] for row in rows)
        shutil.rmtree(folder)
        job.passed, job.failed = int(caught), int(not caught)
        job.log.write_text(f"{'caught' if caught else 'FAILED: missed'}  {job.template}  "
                           f"{job.proof.name}.{job.property}\n")
        return "caught" if caught else None

    def tests(self, result):
        return 1

    def settled(self, jobs):
        pass


def posix_cksum(data):
    """The number that cksum prints."""
    return int(subprocess.run(["cksum"], input=data, capture_output=True).stdout.split()[0])
