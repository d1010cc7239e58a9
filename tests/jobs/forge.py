"""Proofs with a ledger that claims to be of the RTL as it is now.

usage: python3 tests/jobs/forge.py TARGET

The lines of the target's proofs get the digests of the text that is there, whatever
they were made of; then they are redone.  Nobody has to believe such a ledger: what a
real run gives must be what the lines say.  Exit status: that of the job runner.
"""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/jobs"))
sys.dont_write_bytecode = True

from formal import Formal  # noqa: E402

target = sys.argv[1]
step = Formal(SimpleNamespace(target=[target], name=[], shard="", rtl="", update=True))
jobs = step.plan()
rows = {job.name: (job.digest, *step.ledger.rows[job.name][-1][1:3], 0) for job in jobs}
os.environ["LEDGER"] = step.ledger.path = os.path.join(os.environ["BUILD"], "forged.tsv")
step.ledger._write(rows, step.head)
sys.exit(subprocess.call([sys.executable, "scripts/jobs", "formal", "--redo", "--target", target]))
