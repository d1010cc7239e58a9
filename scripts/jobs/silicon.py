"""Standard cells: area, clock and critical path of each block (scripts/silicon).

At preset small, and at the sizes of the paper where that is below LARGEST gate
equivalents.  The ledger is the record; docs/cost.md has it as a table.  Without
OpenSTA or the cells nothing is measured, and nothing is wrong.
"""

import json
import os
import shutil
import sys
from pathlib import Path

from area import HERE, Area, presets_of
from base import digest, digest_files, run, said_by, targets, tools_digest, warn
from job import Job
from rtl import for_each, generator_digest

PROGRAM = "scripts/silicon"
CELLS = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
FLOW = ("flow.py", "netlist.py", "synth.ys")
PAGE = Path("docs/cost.md")
LARGEST = 100000
# A memory's area: a bit of six transistors at 0.18 um, and what of a macro is bits.
BIT_UM2, BITS_SHARE = 4.65, 0.6


class Silicon(Area):
    name = "silicon"
    ledger_path = f"{HERE}/silicon.tsv"

    def plan(self):
        if not shutil.which("sta") or not os.path.isfile(CELLS):
            warn("silicon: skipped, no OpenSTA or no cells: sh scripts/setup.sh --silicon")
            return []
        tools = tools_digest("yosys", "yosys-abc", "sta")
        self.recipe = digest(tools, digest_files(f"{PROGRAM}/{f}" for f in FLOW),
                             digest_files([CELLS]))
        self.head = {"tools": f"Yosys {said_by('yosys', '-V').split()[1]}, "
                     f"OpenSTA {said_by('sta', '-version').strip()}, OSU 0.18 um",
                     "text": digest(generator_digest(), self.recipe)}
        self.blocks = [(t, p) for t, paper in targets().items() if self.wanted(t)
                       for p in presets_of(t, paper) if p == "small" or gates(t, p) <= LARGEST]
        if not self.untouched():
            for_each(self.prepare, self.blocks)
        jobs = [Job(self, f"{t}-{p}", about=t, cost=5 + gates(t, p) // 1500, block=(t, p))
                for t, p in self.blocks]
        for_each(lambda job: self.take(job, lambda: self.digest_of(job)), jobs)
        return jobs

    def digest_of(self, job):
        return digest(self.recipe, (self.folder(job.block) / "key").read_text())

    def work(self, job):
        folder = self.folder(job.block)
        if not (folder / "key").exists():
            self.prepare(job.block)
        if run([sys.executable, PROGRAM, "--target", job.block[0], "--rtl", str(folder / "src"),
                "--out", str(folder / "silicon"), "--json"], job.log):
            job.failed = 1
            return None
        job.passed = 1
        figures = json.loads(job.log.read_text().strip().split("\n")[-1])
        del figures["target"]
        return " ".join(f"{key}={'-' if value is None else value}"
                        for key, value in figures.items())

    def tests(self, result):
        return 1

    def settled(self, jobs):
        rows = {name: lines[-1][1] for name, lines in self.ledger.rows.items()}
        if self.options.update:  # else what the ledger lacks is said, and no failure
            rows.update({job.name: job.result for job in jobs if job.result})
        text = PAGE.read_text(encoding="utf-8")
        new = between(text, "silicon", table(rows))
        if self.options.update:
            PAGE.write_text(new, encoding="utf-8")
        elif new != text:
            self.said.append(f"error: the table of standard cells in {PAGE} is not what the ledger "
                             "gives, expected it from 'make ledger STEPS=silicon'")
            self.failed += 1


def gates(target, preset):
    """Gate equivalents on record."""
    for line in Path(f"{HERE}/baseline.tsv").read_text().splitlines():
        row = line.split("\t")
        if row[1:4] == [target, preset, "gates"]:
            return int(row[4])
    return 0


def between(text, word, lines):
    """The text with these lines between its two comments."""
    begin, end = f"<!-- {word}: ", f"<!-- end of {word} -->"
    head, _, rest = text.partition(begin)
    note, _, rest = rest.partition("\n")
    return f"{head}{begin}{note}\n{lines}{end}{rest.partition(end)[2]}"


def table(rows):
    """Small and paper side by side, in the order of ndpgen --list-targets."""
    lines = ["| block | mm² | memory bits | MHz | critical path, from → to | mm², paper | "
             "memory bits, paper | MHz, paper |",
             "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |"]
    for target, paper in targets().items():
        presets = presets_of(target, paper) or [paper]
        small = "small" if "small" in presets else presets[0]
        of = [dict(w.split("=", 1) for w in rows.get(f"{target}-{p}", "").split())
              for p in (small, paper if paper != small else "")]
        if not any(of):
            continue
        name = f"`{target}`" + (f", `{small}`" if small != "small" else "")
        cells = [name]
        for one in of:
            cells += [f"{float(one['area']) / 1e6:.3f}" if one else "-",
                      one.get("memory_bits", "-"), one.get("mhz", "-")]
            if len(cells) == 4:
                cells.append(f"{one.get('from', '-')} → {one.get('to', '-')}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines + beside_papers(rows)) + "\n"


# TOM, 6.6: bits of the analyzer and of the metadata table in an SM, of its allocation table,
# and SMs (Table 1).
TOM_SM_BITS, TOM_SHARED_BITS, TOM_SMS = 1920 + 10320, 9700, 68
# MPU, Table III: mm2 of one near the banks at 20 nm, twice the area for the DRAM process;
# bits by Table II, lanes of a warp.
MPU_SMEM, MPU_RF, MPU_ALU, MPU_DRAM = 0.84 / 4, 9.71 / 16, 3.74 / 16, 2
MPU_SMEM_BITS, MPU_RF_BITS, MPU_LANES = 64 * 8192, 16 * 8192, 32
# IP-NDP, 5.5: an SM of 16 mm2 at 40 nm, of which its own has 55 %, at 22 nm.
IP_SM, IP_SHARE = 16 * (22 / 40) ** 2, 0.55


def logic(rows, *names):
    """mm2 on record of these blocks together, None if one is not there."""
    of = [dict(w.split("=", 1) for w in rows.get(name, "").split()) for name in names]
    return sum(float(one["area"]) for one in of) / 1e6 if all(of) else None


def memory(bits):
    """mm2 by the rule, at 0.18 um."""
    return bits * BIT_UM2 / BITS_SHARE / 1e6


def beside_papers(rows):
    """Areas at the papers' nodes beside theirs, by the square of the feature size."""
    def at(nm):
        return (nm / 180) ** 2
    bits = TOM_SM_BITS * TOM_SMS + TOM_SHARED_BITS
    lines = [(f"TOM, 6.6, 40 nm: tables of {TOM_SMS} SMs, {bits} bits", "0.11",
              memory(bits) * at(40), "memory"),
             ("TOM, 40 nm: `offload` and `analyzer` of one SM", "not counted",
              logic(rows, "offload-tom", "analyzer-tom"), at(40)),
             ("MPU, Table III, 20 nm DRAM: shared memory of a core, 64 KB", f"{MPU_SMEM:.3f}",
              memory(MPU_SMEM_BITS) * at(20) * MPU_DRAM, "memory"),
             ("MPU: near register file of a unit, 16 KB", f"{MPU_RF:.3f}",
              memory(MPU_RF_BITS) * at(20) * MPU_DRAM, "memory"),
             (f"MPU: vector ALU of a unit; here the {MPU_LANES} `fma` of its lanes", f"{MPU_ALU:.3f}",
              logic(rows, "fma-mpu"), at(20) * MPU_DRAM * MPU_LANES),
             ("IP-NDP, 5.5, 22 nm: `prefetch`, of the paper's SM of "
              f"{IP_SM * IP_SHARE:.2f} mm²", "negligible", logic(rows, "prefetch-image"), at(22))]
    table = [f"| {what} | {paper} | {value if how == 'memory' else value * how:.3f} |"
             for what, paper, value, how in lines if value is not None]
    return ["", "In mm², scaled from 0.18 µm by the square of the feature size; memories by the "
            "rule above, with one port:", "", "| | paper | here |", "| --- | ---: | ---: |",
            *table, "", f"TOM's 0.11 mm² (CACTI) is {0.11e6 / bits:.2f} µm² a bit, less than a six-"
            "transistor cell at 40 nm (about 0.24 µm²).",
            "MPU's register file is "
            f"{MPU_RF / memory(MPU_RF_BITS) / at(20) / MPU_DRAM:.0f} times the rule; the paper "
            "does not say how many ports it has."]
