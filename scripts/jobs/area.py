"""Area: each block out of context in several flows of Yosys, held against
tests/area/baseline.tsv.

Gates and iCE40 at preset small and at the sizes of the paper (or what
tests/<target>/area.txt lists); the other flows at small alone, as they say about
the same.  A job writes what tests/area/synth.sh writes, build/area/<target>-<preset>/
<flow>.row, so that `make area` finds it there.
"""

import os
import re
import subprocess
from pathlib import Path

from base import BUILD, digest, digest_files, lines_of, run, said_by, targets, tools_digest
from job import Job, Step
from rtl import for_each, generator_digest

HERE = "tests/area"
FLOWS = ("gates", "ice40", "xc7", "ecp5", "gowin")
AT_BOTH = ("gates", "ice40")


def presets_of(target, paper):
    """Those of which rows are kept; tests/<target>/area.txt names them, and says why."""
    listed = f"tests/{target}/area.txt"
    if os.path.exists(listed):
        return [line.split()[0] for line in lines_of(listed)]
    return list(dict.fromkeys([paper, "small"]))


def flows_of(target, paper, preset):
    """Flows of which rows are kept: where there is no small preset, all at the one."""
    small = "small" in presets_of(target, paper)
    return [f for f in FLOWS if f in AT_BOTH or preset == "small" or not small]


class Area(Step):
    name = "area"
    ledger_path = f"{HERE}/ledger.tsv"

    def plan(self):
        recipe = [f"{HERE}/synth.sh", f"{HERE}/cells.tsv", "scripts/cost.sh"] + \
            [f"{HERE}/{f}.ys" for f in FLOWS]
        self.yosys = "yosys-" + said_by("yosys", "-V").split()[1]
        version = re.search(r"\(Version (.*)\)", said_by("nextpnr-ice40", "--version"))
        self.pnr = self.yosys + (f",nextpnr-{version[1]}" if version else "")
        self.head = {"tools": self.pnr, "text": digest(
            generator_digest(), tools_digest("yosys", "yosys-abc", "nextpnr-ice40"),
            digest_files(recipe))}
        self.blocks = [(t, p, flows_of(t, paper, p)) for t, paper in targets().items()
                       if self.wanted(t) for p in presets_of(t, paper)]
        os.environ["AREA_TOOLS"] = subprocess.run(
            ["sh", f"{HERE}/synth.sh", "--tools"], capture_output=True, text=True).stdout.strip()
        if not self.untouched():
            for_each(self.prepare, self.blocks)
        jobs = [Job(self, f"{t}-{p} {f}", about=t, cost=60, block=(t, p), flow=f)
                for t, p, flows in self.blocks for f in flows]
        for_each(lambda job: self.take(job, lambda: self.digest_of(job)), jobs)
        return jobs

    @staticmethod
    def folder(block):
        return BUILD / "area" / f"{block[0]}-{block[1]}"

    def prepare(self, block):
        subprocess.run(["sh", "-c", '. scripts/cost.sh && prepare "$1" "$2"', "cost",
                        *block[:2]], check=True)

    def digest_of(self, job):
        return subprocess.run(["sh", f"{HERE}/synth.sh", "--key", str(self.folder(job.block)),
                               job.flow], capture_output=True, text=True, check=True).stdout.strip()

    def work(self, job):
        folder = self.folder(job.block)
        if not (folder / "key").exists():
            self.prepare(job.block)
        for old in ("row", "key"):
            (folder / f"{job.flow}.{old}").unlink(missing_ok=True)
        if run(["sh", f"{HERE}/synth.sh", str(folder), job.flow], job.log):
            job.failed = 1
            return None
        job.passed = 0  # counted by the comparison
        return ";".join(" ".join(line.split("\t")) for line in
                        (folder / f"{job.flow}.row").read_text().splitlines())

    def tests(self, result):
        return 0

    def settled(self, jobs):
        """Rows of what was vouched for where the others are; then the comparison."""
        rows = []
        for job in jobs:
            folder = self.folder(job.block)
            os.makedirs(folder, exist_ok=True)
            lines = [line.split(" ") for line in (job.result or "").split(";") if line]
            (folder / f"{job.flow}.row").write_text("".join("\t".join(r) + "\n" for r in lines))
            (folder / f"{job.flow}.key").write_text(job.digest + "\n")
            for r in lines:
                tool = self.pnr if r[0] == "hx8k" else self.yosys
                rows.append("\t".join([tool, *job.block, *r]))
        figures = BUILD / "area" / "figures.tsv"
        head = [line for line in Path(f"{HERE}/baseline.tsv").read_text().splitlines()
                if line.startswith("tool")]
        figures.write_text("\n".join(head + rows) + "\n")
        if self.options.update:
            return
        stale = ""
        if not self.untouched() and self.whole:
            stale = subprocess.run(["sh", "-c", ". scripts/cost.sh && stale_reports"],
                                   capture_output=True, text=True).stdout
        done = subprocess.run(
            ["awk", "-v", "command=make area UPDATE=1", "-v", f"whole={int(self.whole) or ''}",
             "-v", f"stale={stale}", "-f", f"{HERE}/compare.awk", f"{HERE}/baseline.tsv",
             str(figures)], capture_output=True, text=True)
        self.said += (done.stdout + done.stderr).strip().split("\n")
        m = re.search(r"(\d+) passed, (\d+) failed", done.stdout)
        if m:
            self.passed, self.failed = int(m[1]), int(m[2])
        elif done.returncode:
            self.failed = 1
