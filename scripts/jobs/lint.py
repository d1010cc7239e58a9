"""Lint: the emitted RTL gives no warning in any tool, at any configuration.

Every target at its presets and at the configurations of tests/<target>/lint.txt
goes through tests/lint/check.sh: verilator -Wall, iverilog -g2005 -Wall, Yosys and
a search for words of later standards.  Two configurations of one block with
different prefixes compile together; that is a property of ndpgen, so few blocks do.
"""

import subprocess
from pathlib import Path

from base import digest, digest_files, lines_of, run, said_by, targets, tools_digest
from job import Job, Step
from rtl import emitted_folder, for_each, forget, generator_digest, rtl_digest

TOGETHER = ("credit", "nbu", "offload", "mesh", "system")


class Lint(Step):
    name = "lint"
    ledger_path = "tests/lint/ledger.tsv"

    def plan(self):
        jobs = []
        for target, paper in targets().items():
            if not self.wanted(target):
                continue
            listed = [f"{paper} --preset {paper}", "small --preset small"]
            for line in listed + lines_of(f"tests/{target}/lint.txt"):
                name, *options = line.split()
                jobs.append(Job(self, f"{target}-{name}", about=target, cost=10,
                                options=["--target", target, *options]))
            if target in TOGETHER:
                both = [["--target", target, "--preset", p, "--prefix", prefix]
                        for p, prefix in (("small", "one_"), (paper, "two_"))]
                jobs.append(Job(self, f"{target}-prefixes", about=target, cost=5, both=both))
        self.tools = tools_digest("verilator", "verilator_bin", "iverilog", "yosys")
        self.recipe = digest_files(["tests/lint/check.sh", "tests/lint/keywords.txt"])
        self.head = {
            "tools": ", ".join((" ".join(said_by("verilator", "--version").split()[:2]),
                                "Icarus " + (said_by("iverilog", "-V").split() + [""] * 4)[3],
                                " ".join(said_by("yosys", "-V").split()[:2]))),
            "text": digest(generator_digest(), self.tools, self.recipe, digest_files(
                f for t in targets() for f in [f"tests/{t}/lint.txt"] if Path(f).is_file()))}
        for_each(lambda job: self.take(job, lambda: self.digest_of(job)), jobs)
        return jobs

    def digest_of(self, job):
        return digest(self.recipe, self.tools, *(
            rtl_digest(options, "rtl/*", "*.f")
            for options in getattr(job, "both", None) or [job.options]))

    def work(self, job):
        if hasattr(job, "both"):
            return self.together(job)
        folder, refused = emitted_folder(job.options)
        if refused:
            job.log.write_text(f"FAILED: ndpgen {' '.join(job.options)}\n{refused}")
            job.failed = 1
            return None
        run(["sh", "tests/lint/check.sh", str(folder), f"ndp_{job.about}"], job.log)
        said = Path(f"{folder}.result").read_text().split("\n")
        forget(job.options)
        job.failed = sum(line.startswith("fail ") for line in said)
        names = [line[5:] for line in said if line.startswith("pass ")]
        job.passed = len(names)
        for line in said:
            if line.startswith("skip "):
                self.said.append(f"skipped, no such tool on this machine: {line[5:]}")
        return None if job.failed or any(s.startswith("skip ") for s in said) else ";".join(names)

    def together(self, job):
        tops, files = [], []
        with open(job.log, "w", encoding="utf-8") as log:
            for options in job.both:
                folder, refused = emitted_folder(options)
                if refused:
                    log.write(f"FAILED: ndpgen {' '.join(options)}\n{refused}")
                    job.failed = 1
                    return None
                tops += ["-s", f"{options[-1]}ndp_{job.about}"]
                files += [str(f) for f in sorted((folder / "rtl").glob("*.v"))]
            names = []
            for tool, command in (
                    # two designs side by side have two tops, on purpose
                    ("iverilog", ["iverilog", "-g2005", "-Wall", *tops, "-t", "null"]),
                    ("verilator", ["verilator", "--lint-only", "-Wall", "-Wno-MULTITOP"])):
                done = subprocess.run(command + files, capture_output=True, text=True)
                if done.returncode or done.stdout + done.stderr:
                    log.write(f"FAILED: two prefixes, {tool}\n{done.stdout}{done.stderr}")
                    job.failed += 1
                else:
                    names.append(f"two prefixes, {tool}")
        for options in job.both:
            forget(options)
        job.passed = len(names)
        return None if job.failed else ";".join(names)

    def tests(self, result):
        return result.count(";") + 1
