"""The job runner: what a check does, and any part of it.

usage: python3 scripts/jobs [OPTION...] [STEP...]

Each step has jobs.  A committed ledger vouches for those whose text has not changed
since they last ran; the others run, and a budget of time draws some of the rest to be
redone (docs/ledger.md).  Prints a line a step, what failed and how to repeat it, and
closes with 'N passed, N failed'.

  --target T     jobs of this target or folder of tests/ only; repeatable
  --name GLOB    jobs with such a name only; repeatable
  --list         print the jobs: state, seconds, step, name
  --runs         print the lock-step runs of the targets in the words of make cosim
  --no-ledger    run them all, whatever a ledger says
  --redo         all that a ledger vouches for, held against it
  --update       write what ran into the ledgers
  --draw SECONDS budget for what is drawn, default 360 when no job is named, else 0
  --shard I/N    the I-th of N parts, for several machines
  --slow         probes that take minutes, too
  --rtl DIR      prove the RTL in this folder, made by ndpgen: the jobs of its block
  --form F       print the table of proofs as text, json or markdown
  --junit FILE   what ran as JUnit XML: a suite a step

Environment: BUILD (build), NDPGEN, JOBS; SAMPLE and FRESH, seeds of what is drawn and
of fresh stimulus; ALL=1 is --redo, UPDATE=1 --update, SHARD=i/n --shard.
An interrupt ends what is under way; what has ended until then is reported, and with
--update recorded.  Seconds are of a core, of commands and what they start.
Exit status: 0 all passed, 1 not, 2 bad use, 130 interrupted.
"""

import argparse
import fnmatch
import os
import re
import sys
import time
from xml.sax.saxutils import quoteattr

sys.dont_write_bytecode = True  # a check leaves the tree as it is

# pylint: disable=wrong-import-position
from area import Area
from base import BadUse, say, seed_of, stop_cleanly, stopping, targets, warn
from budget import WALL, draw
from cosim import Cosim, matrix
from formal import Breaks, Formal, table
from job import DRAWN, FIXED, IMPLIED, RUN, VOUCHED, run_all
from lint import Lint
from others import Configs, Determinism, Ptx, Speed, Style
from probes import Probes
from silicon import Silicon
from units import Units

STEPS = {s.name: s for s in (Units, Style, Ptx, Lint, Determinism, Cosim, Configs, Formal, Area, Silicon,
                             Speed, Probes, Breaks)}


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadUse(f"{message}; try --help")

    def print_help(self, file=None):
        say(__doc__.strip())


def options_of(words):
    parser = Parser(prog="jobs", add_help=True)
    for option in ("--target", "--name"):
        parser.add_argument(option, action="append", default=[])
    for option in ("--list", "--runs", "--no-ledger", "--redo", "--update", "--slow"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("--draw", type=int)
    parser.add_argument("--shard", default=os.environ.get("SHARD") or "")
    parser.add_argument("--rtl", default="")
    parser.add_argument("--form", choices=("text", "json", "markdown"))
    parser.add_argument("--junit", default="")
    parser.add_argument("steps", nargs="*")
    options = parser.parse_args(words)
    options.redo |= bool(os.environ.get("ALL"))
    options.update |= bool(os.environ.get("UPDATE"))
    for step in options.steps:
        if step not in STEPS:
            raise BadUse(f"unknown step '{step}', expected one of: {' '.join(STEPS)}")
    if options.shard and not re.fullmatch(r"[1-9]\d*/[1-9]\d*", options.shard):
        raise BadUse(f"--shard {options.shard}, expected I/N as in 1/4")
    if options.rtl and options.steps != ["formal"]:
        raise BadUse("--rtl goes with the step formal alone")
    return options


def chosen(jobs, options):
    """Those that the caller's names and shard leave."""
    if options.name:
        jobs = [j for j in jobs if any(fnmatch.fnmatchcase(j.name, g) or j.name == g
                                       for g in options.name)]
    if options.shard:
        part, parts = map(int, options.shard.split("/"))
        loads, mine = [0.0] * parts, []
        by_group = {}
        for j in jobs:
            by_group.setdefault((j.step.name, j.group or j.name), []).append(j)
        # the longest first, each to the part that has least
        for key in sorted(by_group, key=lambda k: (-sum(j.cost for j in by_group[k]), k)):
            least = loads.index(min(loads))
            loads[least] += sum(j.cost for j in by_group[key])
            if least == part - 1:
                mine += by_group[key]
        jobs = mine
    return jobs


def to_run(jobs, options, sample):
    """The jobs that run; of the others stands what the ledgers say."""
    if options.no_ledger or options.rtl:
        for job in jobs:
            job.state = RUN
    for job in jobs:
        if options.name and job.state == DRAWN:  # asked for by its name
            job.state = RUN
    must = [j for j in jobs if j.state in (FIXED, RUN, IMPLIED)]
    if options.redo:
        return must + [j for j in jobs if j.state in (VOUCHED, DRAWN)]
    seconds = options.draw
    if seconds is None:
        narrow = options.target or options.name or options.rtl
        # what really runs shows more than what is drawn
        spent = sum(j.cost for j in must if j.state == RUN) / 2
        seconds = 0 if narrow else max(WALL // 3, WALL - int(spent / 2))
    return must + list(draw(jobs, sample, 2 * seconds))


def junit(path, steps, jobs):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="ndpgen">']
    for step in steps:
        ran = [j for j in jobs if j.step is step and j.done]
        bad = [j for j in ran if j.failed]
        lines.append(f'  <testsuite name={quoteattr(step.name)} tests="{len(ran)}" '
                     f'failures="{len(bad)}" time="{sum(j.seconds for j in ran)}">')
        for j in ran:
            case = (f'    <testcase classname={quoteattr(step.name)} name={quoteattr(j.name)} '
                    f'time="{j.seconds}"')
            if not j.failed:
                lines.append(case + "/>")
                continue
            text = j.log.read_text(encoding="utf-8", errors="replace")[-2000:]
            text = re.sub(r"[^\t\n\x20-\x7e]", "?", text)
            lines.append(f"{case}><failure message={quoteattr(text)}/></testcase>")
        lines.append("  </testsuite>")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines + ["</testsuites>", ""]))


def settle(step, jobs, options):
    """Counts of a step, and its log out of those of its jobs."""
    step.settled(jobs)
    whole = step.whole and len(jobs) == step.total and not stopping.is_set()
    if step.ledger and not options.rtl and not options.no_ledger:
        said, wrong = step.ledger.settle([j for j in jobs if j.digest], step.head, whole,
                                         options.update)
        step.said += said
        step.failed += wrong
    step.passed += sum(j.passed for j in jobs if j.done)
    step.passed += sum(step.tests(j.result) for j in jobs if not j.done and j.state == VOUCHED)
    step.failed += sum(j.failed for j in jobs)
    with open(step.room.parent / f"{step.name}.log", "w", encoding="utf-8") as out:
        for j in jobs:
            if j.done and j.log.exists():
                out.write(f"--- {j.name}: {j.seconds} s\n")
                out.write(j.log.read_text(encoding="utf-8", errors="replace"))
        out.writelines(line + "\n" for line in step.said)


def report(step, jobs, options):
    ran = [j for j in jobs if j.done]
    kinds = ", ".join(f"{n} {word}" for word, n in (
        ("vouched for", sum(j.state == VOUCHED and not j.done for j in jobs)),
        ("redone", sum(j.state == VOUCHED and j.done for j in jobs)),
        ("implied", sum(j.state == IMPLIED and j.done and not j.renews for j in jobs)),
        ("run", sum(j.done and (j.state in (FIXED, RUN) or j.renews) for j in jobs)),
        ("drawn", sum(j.state == DRAWN and j.done for j in jobs))) if n)
    say(f"{step.name:12} {'FAILED' if step.failed else 'ok':6} {sum(j.seconds for j in ran):6}  "
        f"{step.passed} passed, {step.failed} failed; {kinds or 'no jobs'}")
    for line in step.said:
        if line.startswith(("ledger: ", "error: ")) or step.failed or step.name == "units":
            say(f"  {line}")
    for j in ran:
        if j.failed:
            text = j.log.read_text(encoding="utf-8", errors="replace").rstrip().split("\n")
            say(f"--- {step.name}: {j.name}: end of {j.log}")
            say("\n".join(text[-20:]))
            say(f"--- again: python3 scripts/jobs {step.name} --name '{j.name}'")


def main(words):
    options = options_of(words)
    unknown = [t for t in options.target if t not in targets() and not os.path.isdir(f"tests/{t}")]
    if unknown:
        raise BadUse(f"unknown target '{unknown[0]}', expected one of: {' '.join(targets())}")
    if options.runs:
        for target, paper in targets().items():
            if not options.target or target in options.target:
                say("\n".join(matrix(target, paper, seed_of("FRESH", 10))))
        return 0
    sample, started = seed_of("SAMPLE", 8), time.time()
    os.environ["SAMPLE"], os.environ["FRESH"] = str(sample), str(seed_of("FRESH", 10))
    names = options.steps or list(STEPS)
    steps, jobs = [], []
    for name in names:
        step = STEPS[name](options)
        own = step.plan()
        step.total = len(own)
        steps.append(step)
        jobs += own
    jobs = chosen(jobs, options)
    if options.list:
        for j in jobs:
            say(f"{j.state:8} {int(j.cost):5} {j.step.name:12} {j.name}")
        return 0
    if not jobs:
        raise BadUse("no job has such a name, try --list")
    running = to_run(jobs, options, sample)
    planned = time.time()
    warn(f"jobs: {len(jobs)}, of which {len(running)} run, about "
         f"{int(sum(j.cost for j in running))} s of a core; planned in {int(planned - started)} s")
    run_all(running, 60 if not sys.stderr.isatty() else 2)
    if not options.form:
        say(f"{'step':12} {'result':6} {'core s':>6}  tests; jobs")
    for step in steps:
        own = [j for j in jobs if j.step is step]
        settle(step, own, options)
        if not options.form:
            report(step, own, options)
    passed, failed = sum(s.passed for s in steps), sum(s.failed for s in steps)
    if stopping.is_set():
        say(f"stopped: {sum(j.done for j in running)} of {len(running)} jobs ran")
    if options.junit:
        junit(options.junit, steps, jobs)
    if options.form:
        say(table(options.form).rstrip("\n"))
        return int(failed > 0)
    bad = [f"{j.step.name}: {j.name}" for j in jobs if j.failed]
    if bad:
        say("\n  ".join(["failed:"] + bad))
    say(f"{int(time.time() - started)} s, fresh seed {os.environ['FRESH']}, sample {sample}"
        + (", everything redone" if options.redo else "")
        + (f", shard {options.shard}" if options.shard else ""))
    say(f"{passed} passed, {failed} failed")
    return 130 if stopping.is_set() else int(failed > 0)


if __name__ == "__main__":
    stop_cleanly()
    try:
        sys.exit(main(sys.argv[1:]))
    except BadUse as wrong:
        warn(f"error: {wrong}")
        sys.exit(2)
