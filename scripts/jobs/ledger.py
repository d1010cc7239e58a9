"""The committed lists of jobs that ended as they should: docs/ledger.md.

One job a line, sorted: job, digest, result, seconds, apart by tabs.  The head
names what made it:

  # tools: VERSIONS     for people
  # text: DIGEST        of everything that the digests of the lines were computed
                        from; while it holds, no digest has to be computed anew
  # model: DIGEST       (lock-step) of the golden models that ran
"""

import os
import re
import subprocess
import time

RUN, VOUCHED, IMPLIED = "run", "vouched", "implied"
TITLE = "# Jobs that really ran and ended as they should, see docs/ledger.md."


class Ledger:
    def __init__(self, path):
        self.path = path
        self.head = {}
        self.rows = {}  # job: [(digest, result, seconds, line number)]
        self.errors = []
        if not os.path.isfile(path):
            return
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                self._line(number, line.rstrip("\n"))

    def _line(self, number, line):
        if line.startswith("#"):
            key, _, value = line[2:].partition(": ")
            # two of a merge: neither holds
            self.head[key] = None if key in self.head else value
            return
        field = line.split("\t")
        if len(field) != 4 or not re.fullmatch(r"[0-9a-f]+", field[1]) or not field[3].isdigit():
            self.errors.append(
                f"error: {self.path}:{number}: expected job, digest, result and seconds "
                f"apart by tabs, found '{line[:60]}'")
            return
        self.rows.setdefault(field[0], []).append((field[1], field[2], int(field[3]), number))

    def find(self, job, digest):
        """The line of a job with this digest, or None; of two that contradict None,
        so that the job runs."""
        same = [row for row in self.rows.get(job, ()) if row[0] == digest]
        return same[0] if same and len({row[1] for row in same}) == 1 else None

    def seconds(self, job):
        return max((row[2] for row in self.rows.get(job, ())), default=None)

    def ages(self):
        """Days since each line was written, by line number; none outside of git."""
        out = subprocess.run(["git", "blame", "--line-porcelain", "--", self.path],
                             capture_output=True, text=True, errors="replace")
        if out.returncode:
            return {}
        ages, now, number = {}, time.time(), 0
        for line in out.stdout.split("\n"):
            if line.startswith("committer-time "):
                number += 1
                ages[number] = max(0, (now - int(line.split()[1])) / 86400)
        return ages

    def settle(self, jobs, head, whole, update):
        """Holds what ran against the lines: errors to print.  With update the file
        is written anew; lines of jobs that are not there go when jobs is whole."""
        said = list(self.errors)
        rows, new, wrong = {}, 0, 0
        for job in jobs:
            old = self.find(job.name, job.digest)
            if not job.done:  # nothing ran: what stands stays
                if old:
                    rows[job.name] = old
                continue
            for row in self.rows.get(job.name, ()):
                if row[0] != job.digest or row[1] == job.result or update or job.renews:
                    continue
                said.append(
                    f"error: {self.path}:{row[3]}: '{job.name}' is recorded with\n    {row[1]}\n"
                    "a real run of the same digest gives\n    "
                    + (job.result or "no such result, see its log"))
                wrong += 1
            if job.result is None:
                continue
            if not old or old[1] != job.result:
                new += 1
                rows[job.name] = (job.digest, job.result, job.seconds, 0)
            else:
                rows[job.name] = old
        known = {job.name for job in jobs}
        gone = [name for name in self.rows if name not in known] if whole else []
        stale = {key: value for key, value in head.items() if self.head.get(key) != value}
        if not update:
            lacks = [f"{new} new lines"] * bool(new) + [f"{len(gone)} to drop"] * bool(gone)
            if lacks or (stale and whole):
                said.append(f"ledger: {self.path} lacks "
                            f"{', '.join(lacks) or 'the digest of this text'}: make ledger")
            return said, wrong + len(self.errors)
        if self.errors:  # a merge, say; for a person to mend
            return said + [f"ledger: {self.path} is left as it is"], wrong + len(self.errors)
        for name, lines in self.rows.items():
            if name not in rows and name not in gone:
                rows[name] = lines[-1]
        # a head speaks for all lines: those of jobs that failed are of another text
        failed = any(job.done and job.result is None for job in jobs)
        self._write(rows, head if whole and not failed else {**head, **self.head})
        said.append(f"ledger: {self.path}: {new} new lines, {len(gone)} dropped")
        return said, wrong

    def _write(self, rows, head):
        with open(self.path + ".new", "w", encoding="utf-8") as f:
            f.write(TITLE + "\n")
            for key, value in head.items():
                if key != TITLE[2:] and value:
                    f.write(f"# {key}: {value}\n")
            for name in sorted(rows):
                digest, result, seconds, _ = rows[name]
                f.write(f"{name}\t{digest}\t{result}\t{seconds}\n")
        os.replace(self.path + ".new", self.path)
