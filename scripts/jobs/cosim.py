"""Lock-step: the runs of RTL beside its golden model that a check makes.

Every target, in both simulators, at preset 'small' and at the sizes of its paper:
random stimulus with seed 1, directed stimulus, and the runs of
tests/<target>/cosim.txt: other forms, and what the kernels of its paper execute.
In Icarus at 'small' with the contract's checks (CHECKS=1).  A large system names
its runs in tests/<target>/matrix.txt instead.  Runs with a fresh seed are made on
the models of all targets, and on the RTL of those that the budget draws.

What a run on record stands for.  Its line has a digest of the RTL as emitted, the
simulator, the adapters and the words, and in its result a digest of every input
and output of every cycle.  While the golden models are those of the ledger's head,
the line vouches for the run.  When they are not, the model runs alone: the same
digest means that the RTL, given the same inputs, gives what the model gives, so
lock-step is implied.  Another digest means the real run.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

from base import (BUILD, NDPGEN, digest, digest_files, files_below, lines_of, program_digest, run,
                  said_by, seed_of, targets, tools_digest)
from job import DRAWN, IMPLIED, VOUCHED, Job, Step
from rtl import for_each, generator_digest, rtl_digest

RECIPE = "scripts/cosim.sh"  # its part on how a simulation is built
ADAPTERS = ("verilator-tb/bench/dut_verilator.cpp", "verilator-tb/bench/dut_icarus.c",
            "verilator-tb/bench/ports.c", "verilator-tb/bench/bench.h")
STIMULUS = re.compile(r"^(STIM|SEED|CYCLES|EVENTS|REQUIRE_COVER|RUN|KERNEL|SIZE|COUNT|VALUES|FROM)=")


def words_of(line):
    """{'TARGET': 'nbu', ...} of a run in the words of make cosim."""
    return dict(word.split("=", 1) for word in shlex.split(line))


def matrix(target, paper, fresh):
    """The runs of a target; fresh stands in those with a seed that nobody vouches for."""
    def run_line(*words):
        return " ".join((f"TARGET={target}",) + words)
    large = lines_of(f"tests/{target}/matrix.txt")
    if large:
        return [run_line(line.replace("FRESH", str(fresh))) for line in large]
    lines = []
    for preset in ("small", paper):
        v, i = f"PRESET={preset} SIM=verilator", f"PRESET={preset} SIM=icarus"
        many, few = (400000, 20000) if preset == "small" else (100000, 5000)
        i += " CHECKS=1" * (preset == "small")
        lines += [run_line(v, "STIM=random SEED=1 CYCLES=400000 REQUIRE_COVER=1"),
                  run_line(v, f"STIM=random SEED={fresh} CYCLES={many}"),
                  run_line(v, "STIM=directed CYCLES=20000 REQUIRE_COVER=1"),
                  run_line(i, "STIM=random SEED=1 CYCLES=20000"),
                  run_line(i, f"STIM=random SEED={fresh} CYCLES={few}"),
                  run_line(i, "STIM=directed CYCLES=20000 REQUIRE_COVER=1")]
    if "regs.counter_bits " in list_params(target):  # narrow ones reach their maximum
        lines.append(run_line("PRESET=small SET=regs.counter_bits=8 CYCLES=400000"))
    return lines + [run_line(line) for line in lines_of(f"tests/{target}/cosim.txt")]


def adapters_digest():
    """Of what stands between RTL and bench, and of how a simulation is built."""
    text = Path(RECIPE).read_text(encoding="utf-8")
    return digest(text[text.index("# --- building"):text.index("# --- running")],
                  digest_files(ADAPTERS))


def list_params(target):
    out = subprocess.run([NDPGEN, "--list-params", "--target", target],
                         capture_output=True, text=True).stdout
    return "\n".join(line for line in out.split("\n") if line.startswith("regs.counter_bits "))


def options_of(words):
    """What ndpgen is given for a run."""
    options = ["--target", words["TARGET"]]
    for word, option in (("PRESET", "--preset"), ("CONFIG", "--config")):
        if words.get(word):
            options += [option, words[word]]
    for pair in words.get("SET", "").split():
        options += ["--set", pair]
    return options


def kernel_files(words):
    """Files that a replay reads: all in the folders of its description, of that one's
    base and so on, and of the PTX that one of them names."""
    folders = []
    for start in filter(None, (words.get("RUN"), words.get("KERNEL"))):
        path, seen = Path(start), set()
        while path.is_file() and path.resolve() not in seen:
            seen.add(path.resolve())
            folders.append(path.parent)
            if path.suffix != ".yml":
                break
            named = dict(re.findall(r"^(ptx|base): *([^ #\n]*)", path.read_text(), re.M))
            if "ptx" in named:
                folders.append((path.parent / named["ptx"].strip("\"'")).parent)
            path = path.parent / named["base"].strip("\"'") if "base" in named else Path("-")
    return {os.path.relpath(f.resolve()) for d in folders for f in d.glob("**/*") if f.is_file()}


def model_words(words):
    """The same run on the model alone."""
    own = {k: v for k, v in words.items() if k not in ("SIM", "CHECKS")}
    if "CYCLES" not in own:
        icarus = words.get("SIM") == "icarus"
        own["CYCLES"] = "0" if "RUN" in own else "20000" if icarus else "1000000"
    return ["SIM=golden"] + [f"{k}={v}" for k, v in own.items()]


def outcome(result):
    """What a run gave, whoever simulated it: cycles and the digest of all values."""
    m = re.search(r": cycles (\d+), .*mismatches 0, .*digest ([0-9a-f]+)", result or "")
    return m.groups() if m else None


class Cosim(Step):
    name = "cosim"
    ledger_path = "tests/cosim/ledger.tsv"

    def plan(self):
        self.fresh = seed_of("FRESH", 10)
        lines = [line for target, paper in targets().items() if self.wanted(target)
                 for line in matrix(target, paper, self.fresh)]
        self.tools = tools_digest("verilator", "verilator_bin", "iverilog", "vvp",
                                  os.environ.get("CXX") or "g++")
        self.adapters = adapters_digest()
        model = program_digest(BUILD / "cosim_golden")
        lists = [f for t in targets() for n in ("cosim", "matrix")
                 for f in [f"tests/{t}/{n}.txt"] if Path(f).is_file()]
        self.head = {
            "tools": " ".join(said_by("verilator", "--version").split()[:2]) + ", Icarus "
                     + (said_by("iverilog", "-V").split() + [""] * 4)[3],
            "text": digest(generator_digest(), self.tools, self.adapters, digest_files(
                [*lists, *files_below("kernels"),
                 *(f for f in files_below("tests", "docs/examples") if f.endswith(".yml"))])),
            "model": model}
        same_model = self.ledger.head.get("model") == model
        jobs, by_recipe = [], {}
        for line in lines:
            words = words_of(line)
            job = Job(self, " ".join(f"{k}={v}" for k, v in words.items()), words=words,
                      about=words["TARGET"], cost=30)
            job.group = " ".join(f"{k}={v}" for k, v in words.items()
                                 if not STIMULUS.match(k + "=") and (k, v) != ("SIM", "verilator"))
            jobs.append(job)
        fixed = [job for job in jobs if job.words.get("SEED") != str(self.fresh)]
        for_each(lambda job: self.take(job, lambda: self.digest_of(job)), fixed)
        for job in fixed:
            by_recipe[self.recipe(job.words)] = job.cost
            if job.state == VOUCHED and not same_model:
                job.state, job.recorded = IMPLIED, job.result
        for job in jobs:
            if job.words.get("SEED") == str(self.fresh):
                job.state = DRAWN
                job.cost = by_recipe.get(self.recipe(job.words), 60)
        return jobs + self.on_models(jobs)

    @staticmethod
    def recipe(words):
        return tuple(words.get(k) for k in ("TARGET", "PRESET", "SIM", "SET", "CONFIG"))

    def on_models(self, jobs):
        """The fresh seed on the model and the environment of every target."""
        seen, more = set(), []
        for job in jobs:
            key = self.recipe({**job.words, "SIM": None})
            if job.state == DRAWN and job.words.get("SIM") != "icarus" and key not in seen:
                seen.add(key)
                words = {**job.words, "CYCLES": str(int(job.words.get("CYCLES", 100000)) // 5)}
                more.append(Job(self, "model alone: " + " ".join(
                    f"{k}={v}" for k, v in words.items() if k != "SIM"),
                    words=words, about=job.about, alone=True))
        return more

    def digest_of(self, job):
        text = rtl_digest(options_of(job.words), "rtl/*", "tb/*", "*.f", "config.yml")
        return digest(job.name, text, self.adapters, self.tools,
                      digest_files(kernel_files(job.words)))

    def work(self, job):
        if job.state == IMPLIED:
            given = self.run(job, model_words(job.words))
            if given and outcome(given) == outcome(job.recorded):
                job.passed = 1
                return job.recorded
            with open(job.log, "a", encoding="utf-8") as log:
                log.write("the model alone gives something else than the ledger: the real run\n")
            job.renews = True
        words = model_words(job.words) if getattr(job, "alone", False) else shlex.split(
            " ".join(shlex.quote(f"{k}={v}") for k, v in job.words.items()))
        result = self.run(job, words)
        job.passed, job.failed = (1, 0) if result else (0, 1)
        return result

    def run(self, job, words):
        """One run: its last line, None when it failed or offloads nothing."""
        log = job.log
        status = run(["sh", "scripts/cosim.sh", *words], log)
        text = log.read_text(encoding="utf-8", errors="replace")
        if status == 0 and not re.search(r"^offloaded\s0$", text, re.M):
            return re.sub(r", \d+ cycles/s$", "", text.strip().split("\n")[-1])
        with open(log, "a", encoding="utf-8") as f:
            if status == 0:
                f.write("error: the replay offloads nothing, expected some blocks\n")
            f.write(f"FAILED: make cosim {' '.join(shlex.quote(w) for w in words)}\n")
        return None

    def tests(self, result):
        return 1
