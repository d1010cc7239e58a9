"""Probes: break one thing at a time and see the named check go red.

tests/*/probes.txt list the breakages, one stanza each:

  probe NAME           what is broken, in a word
  rtl FILE             edit the emitted RTL of the block whose folder it is, at
                       preset small, or
  source FILE          edit a copy of the project and rebuild it
  edit SED             the breakage; it must change the file
  check COMMAND        run in the project (source: in the copy); $RTL is the
                       edited output folder
  expect REGEX         must stand in what the check says
  slow                 only `make probes` runs it

A probe is caught when its check passes unbroken, and exits with 1 or 2 and says what
is expected when broken.  It has a digest of its stanza, of the file that it edits and
of the files that its check names, so that a probe whose files changed since it was
last caught runs.
"""

import os
import queue
import re
import shutil
import subprocess
import threading
from pathlib import Path

from base import BUILD, TOP, BadUse, digest, digest_files, files_below, lines_of, run
from job import JOBS, Job, Step
from rtl import emitted_folder, for_each, generator_digest

LIMIT = "900"  # seconds of a check: an edit can make a machine hang


def stanzas():
    """{name: {'block': folder, 'rtl'|'source': file, 'edit', 'check', 'expect'}}"""
    found = {}
    for path in sorted(Path("tests").glob("*/probes.txt")):
        probe = None
        for line in lines_of(path):
            word, _, rest = line.partition(" ")
            if word == "probe":
                if rest in found:
                    raise BadUse(f"{path}: two probes '{rest}'")
                probe = found[rest] = {"block": path.parent.name}
            elif probe is None or word not in ("rtl", "source", "edit", "check", "expect", "slow"):
                raise BadUse(f"{path}: unknown word '{word}'")
            else:
                probe[word] = rest.strip()
    return found


class Probes(Step):
    name = "probes"
    ledger_path = "tests/common/probes.tsv"

    def __init__(self, options):
        super().__init__(options)
        self.trees, self.unbroken, self.stale = None, {}, set()
        self.guard = threading.Lock()

    def plan(self):
        self.room_of_probes, found = BUILD / "probes", stanzas()
        shutil.rmtree(self.room_of_probes, ignore_errors=True)
        self.head = {"text": digest(generator_digest(), digest_files(
            f for f in files_below("tests", "scripts", "golden", "verilator-tb", "boards",
                                   "kernels", "docs", "Makefile")
            if not f.endswith(".tsv")), digest_files(
            p["source"] for p in found.values() if os.path.isfile(p.get("source", ""))))}
        jobs = [Job(self, name, about=p["block"], cost=10, probe=p)
                for name, p in found.items() if self.wanted(p["block"])
                and ("slow" not in p or self.options.slow or self.options.name)]
        for_each(lambda job: self.take(job, lambda: self.digest_of(job)), jobs)
        o = self.options
        known = [j for j in jobs if j.name in self.ledger.rows]
        if (o.target or o.name or o.redo or o.update or o.no_ledger or not known
                or len(known) == len(jobs)):
            return jobs
        # those that no ledger knows yet: make ledger STEPS=probes; their edits still edit
        self.said.append(f"ledger: {self.ledger_path} lacks {len(jobs) - len(known)} probes: "
                         "make ledger STEPS=probes")
        for job in jobs:
            if job not in known and "source" in job.probe and not self.edited(job.probe):
                self.said.append(f"FAILED: probe {job.name}: its edit changes nothing")
                self.failed += 1
        return known

    @staticmethod
    def edited(probe):
        """Whether the edit of a probe changes its file."""
        path = Path(probe["source"])
        text = path.read_bytes() if path.is_file() else b""
        return subprocess.run(["sed", "-E", probe["edit"]], input=text,
                              capture_output=True).stdout != text

    def original(self, probe):
        if "source" in probe:
            return Path(probe["source"])
        return self.base(probe) / probe["rtl"]

    @staticmethod
    def base(probe):
        """The RTL of its block at preset small."""
        folder, refused = emitted_folder(["--target", probe["block"], "--preset", "small"])
        if refused:
            raise BadUse(f"ndpgen refuses '{probe['block']}': {refused}")
        return folder

    def digest_of(self, job):
        p = job.probe
        original = self.original(p)
        named = set()
        for word in re.findall(r"[\w./=-]+", p["check"]):
            if word.startswith("TARGET="):
                named |= set(files_below(f"verilator-tb/{word[7:]}"))
            path = word.removeprefix(f"{BUILD}/").removeprefix("build/")
            named |= {f for f in (path, path + ".c") if os.path.isfile(f)}
        return digest(str(sorted(p.items())),
                      original.read_bytes() if original.is_file() else "missing",
                      digest_files(f for f in named if not f.endswith(".tsv")))

    def tree(self):
        """A copy of the project, one for each that runs at a time."""
        with self.guard:
            if self.trees is None:
                self.trees = queue.Queue()
                for i in range(JOBS):
                    self.trees.put(self.room_of_probes / str(i))
        folder = self.trees.get()
        if not folder.exists():
            os.makedirs(folder / "build")
            for source, to, left in (
                    (TOP, folder, ("out", ".git", "build", os.path.relpath(BUILD, TOP))),
                    (BUILD, folder / "build", ("probes", "cosim", "check", "emitted", "formal",
                                               "area", "determinism", "configs"))):
                subprocess.run(
                    ["sh", "-c", 'tar cf - -C "$0" "$@" . | tar xf - -C "$to"', str(source),
                     *(f"--exclude=./{d}" for d in left)],
                    check=True, env={**os.environ, "to": str(to.resolve())})
            # some tests want a checkout
            subprocess.run(["sh", "-c", 'cd "$0" && git init -q && git add -A && '
                            "git -c user.name=probe -c user.email=probe commit -qm all",
                            str(folder)], capture_output=True)
        return folder

    def work(self, job):
        p = job.probe
        where = self.tree()
        try:
            return self.red(job, p, where)
        finally:
            self.trees.put(where)

    def red(self, job, p, where):
        if "source" in p:
            target, rtl = where / p["source"], ""
        else:
            if where in self.stale:
                self.stale.discard(where)
                if run(["make", "-s", "-C", str(where), "all", "cosim-tools"], job.log,
                       BUILD="build"):
                    return self.verdict(job, "the project does not build again")
            rtl = (where / "broken").resolve()
            shutil.rmtree(rtl, ignore_errors=True)
            shutil.copytree(self.base(p), rtl)
            target = rtl / p["rtl"]
        check = lambda log: run(  # noqa: E731
            ["timeout", LIMIT, "sh", "-c", f'cd "$0" && {p["check"]}', str(where)], log,
            RTL=str(rtl), NDPGEN_NO_SETUP="1", BUILD="build")
        key = (p["block"] if rtl else "", p["check"])
        if key not in self.unbroken:
            self.unbroken[key] = check(job.log)
            if rtl:  # what it left beside the RTL
                shutil.rmtree(rtl)
                shutil.copytree(self.base(p), rtl)
        if self.unbroken[key]:
            return self.verdict(job, f"its check is red without it: {p['check']}")
        if not target.is_file():
            return self.verdict(job, f"there is no file {target.name}")
        before = target.read_bytes()
        subprocess.run(["sed", "-i", "-E", p["edit"], str(target)], check=False)
        if target.read_bytes() == before:
            return self.verdict(job, f"the edit changes nothing in {target.name}")
        status = check(job.log)
        if "source" in p:
            target.write_bytes(before)  # newer than what was built from the edit,
            self.stale.add(where)  # which is still there until someone builds
        text = job.log.read_text(encoding="utf-8", errors="replace")
        if status == 0:
            return self.verdict(job, f"nobody noticed: {p['check']}")
        if subprocess.run(["grep", "-qE", "--", p["expect"]], input=text.encode(
                "utf-8", "replace")).returncode:
            return self.verdict(job, "red for another reason")
        return self.verdict(job, None)

    @staticmethod
    def verdict(job, wrong):
        job.passed, job.failed = int(not wrong), int(bool(wrong))
        with open(job.log, "a", encoding="utf-8") as log:
            log.write(f"FAILED: probe {job.name}: {wrong}\n" if wrong else f"caught {job.name}\n")
        return None if wrong else "caught"

    def tests(self, result):
        return 1
