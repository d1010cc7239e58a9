"""Tests of scripts/jobs, on ledgers, texts and trees of their own."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts/jobs"))

import as_read  # noqa: E402
import base  # noqa: E402
import budget  # noqa: E402
import cosim  # noqa: E402
from job import IMPLIED, RUN, VOUCHED, Job, Step, run_all  # noqa: E402

EVERYTHING = SimpleNamespace(target=[], name=[], shard="", rtl="", update=False)


class Toy(Step):
    """A step whose jobs give what they are told."""

    name = "toy"

    def __init__(self, room, options=EVERYTHING):
        self.ledger_path = str(room / "book")
        super().__init__(options)
        self.head = {"tools": "Tool 1", "text": "t1"}

    def job(self, name, digest, result="ok", **more):
        job = Job(self, name, gives=result, **more)
        job.digest = digest
        return self.vouch(job)

    def work(self, job):
        if isinstance(job.gives, Exception):
            raise job.gives
        return job.gives

    def tests(self, result):
        return 1


class Room(unittest.TestCase):
    def setUp(self):
        self.room = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.room)
        self.book = self.room / "book"

    def write(self, *rows):
        self.book.write_text("# tools: Tool 1\n# text: t1\n"
                             + "".join("\t".join(r) + "\n" for r in rows))

    def settle(self, toy, jobs, update=False, whole=True):
        said, wrong = toy.ledger.settle(jobs, toy.head, whole, update)
        return "\n".join(said), wrong

    def rows(self):
        return [line for line in self.book.read_text().split("\n") if line and line[0] != "#"]


class Ledgers(Room):
    def test_what_is_there_is_vouched_for(self):
        self.write(("one", "1a", "ok", "5"), ("two", "2b", "ok", "0"))
        toy = Toy(self.room)
        self.assertEqual(toy.job("one", "1a").state, VOUCHED)
        self.assertEqual(toy.job("one", "1b").state, RUN)
        self.assertEqual(toy.job("three", "3").state, RUN)
        self.assertEqual(toy.job("one", "1b").cost, 6)

    def test_only_update_writes(self):
        self.write(("one", "1a", "ok", "5"))
        before = self.book.read_bytes()
        toy = Toy(self.room)
        jobs = [toy.job("one", "1a"), toy.job("new", "2")]
        run_all(jobs)
        said, wrong = self.settle(toy, jobs)
        self.assertIn("lacks 1 new lines", said)
        self.assertEqual((wrong, self.book.read_bytes()), (0, before))
        self.settle(toy, jobs, update=True)
        self.assertEqual(self.rows(), ["new\t2\tok\t0", "one\t1a\tok\t5"])

    def test_a_lie_is_named(self):
        self.write(("one", "1a", "lie", "5"), ("two", "2b", "ok", "0"))
        toy = Toy(self.room)
        jobs = [toy.job("one", "1a"), toy.job("two", "2b")]
        run_all(jobs)
        said, wrong = self.settle(toy, jobs)
        self.assertIn("book:3: 'one' is recorded with", said)
        self.assertEqual(wrong, 1)

    def test_what_ends_badly_is_named(self):
        self.write(("one", "1a", "ok", "5"))
        toy = Toy(self.room)
        jobs = [toy.job("one", "1a", None)]
        run_all(jobs)
        said, wrong = self.settle(toy, jobs)
        self.assertIn("no such result", said)
        self.assertEqual(wrong, 1)

    def test_failure_is_not_written(self):
        self.write(("one", "1a", "ok", "5"))
        toy = Toy(self.room)
        toy.head["text"] = "t2"
        jobs = [toy.job("one", "1b", None)]
        run_all(jobs)
        self.settle(toy, jobs, update=True)
        self.assertEqual(self.rows(), ["one\t1a\tok\t5"])
        self.assertIn("# text: t1\n", self.book.read_text())  # 1a is not of t2

    def test_of_two_lines_of_a_merge_the_one_of_this_text_counts(self):
        self.write(("one", "1b", "old", "6"), ("one", "1c", "ok", "6"))
        toy = Toy(self.room)
        self.assertEqual(toy.job("one", "1c").state, VOUCHED)

    def test_two_lines_that_contradict_run(self):
        self.write(("one", "1a", "ok", "6"), ("one", "1a", "other", "6"))
        toy = Toy(self.room)
        jobs = [toy.job("one", "1a")]
        self.assertEqual(jobs[0].state, RUN)
        run_all(jobs)
        said, wrong = self.settle(toy, jobs)
        self.assertIn("book:4: 'one' is recorded with\n    other", said)
        self.assertEqual(wrong, 1)

    def test_a_torn_file_is_left_to_a_person(self):
        self.write(("one", "1a", "ok", "6"), ("<<<<<<< HEAD",))
        before = self.book.read_bytes()
        toy = Toy(self.room)
        said, wrong = self.settle(toy, [toy.job("one", "1a")], update=True)
        self.assertIn("book:4: expected job, digest, result", said)
        self.assertEqual((wrong, self.book.read_bytes()), (1, before))

    def test_narrow_runs_keep_the_lines_of_others(self):
        self.write(("one", "1a", "ok", "6"), ("two", "2b", "ok", "0"))
        toy = Toy(self.room)
        jobs = [toy.job("one", "1b")]
        run_all(jobs)
        self.settle(toy, jobs, update=True, whole=False)
        self.assertEqual(self.rows(), ["one\t1b\tok\t0", "two\t2b\tok\t0"])
        toy = Toy(self.room)
        self.settle(toy, [toy.job("one", "1b")], update=True)
        self.assertEqual(self.rows(), ["one\t1b\tok\t0"])

    def test_digests_are_computed_when_the_text_is_another(self):
        self.write(("one", "1a", "ok", "6"))
        toy = Toy(self.room)
        job = toy.take(Job(toy, "one"), lambda: self.fail("computed in vain"))
        self.assertEqual(job.state, VOUCHED)
        toy.head["text"] = "t2"
        self.assertEqual(toy.take(Job(toy, "one"), lambda: "1b").state, RUN)

    def test_a_merge_of_two_heads_holds_for_neither(self):
        self.book.write_text("# text: t1\n# text: t1\none\t1a\tok\t6\n")
        toy = Toy(self.room)
        self.assertFalse(toy.untouched())


class Draws(Room):
    def jobs(self, n, seconds):
        self.write(*((f"job {i}", "aa", "ok", str(seconds)) for i in range(n)))
        toy = Toy(self.room)
        return [toy.job(f"job {i}", "aa") for i in range(n)]

    def test_the_budget_bounds_what_is_redone(self):
        for n in (40, 400):
            drawn = budget.draw(self.jobs(n, 9), 1, 100)
            self.assertEqual(len(drawn), 10)

    def test_every_job_is_drawn_by_some_seed(self):
        jobs, hits = self.jobs(40, 9), {}
        for seed in range(150):
            for job in budget.draw(jobs, seed, 40):
                hits[job.name] = hits.get(job.name, 0) + 1
        self.assertEqual(len(hits), 40)
        self.assertLess(max(hits.values()), 40)

    def test_a_seed_repeats_its_draw(self):
        jobs = self.jobs(40, 9)
        names = [sorted(j.name for j in budget.draw(jobs, s, 90)) for s in (5, 5, 6)]
        self.assertEqual(names[0], names[1])
        self.assertNotEqual(names[0], names[2])

    def test_what_a_change_touched_is_likelier(self):
        jobs = self.jobs(40, 9)
        for job in jobs[:4]:
            job.about = "here"
        was, budget.touched = budget.touched, lambda: {"here"}
        try:
            hits = sum(job.about == "here" for s in range(100)
                       for job in budget.draw(jobs, s, 40))
        finally:
            budget.touched = was
        self.assertGreater(hits, 80)  # 40 of 400 without a weight


class Texts(unittest.TestCase):
    ONE = ("    (* no_rw_check *)\n    reg [3:0] words [0:7];\n`ifdef FORMAL\n"
           "`include \"a//b.vh\"\n`endif\n    assign a = {b, c} == d; // why\n"
           "    initial $display(\"a // b\");\n")

    def test_layout_comments_and_a_users_macros_do_not_count(self):
        laid_out = ("`ifdef NDP_RAM_STYLE\n    (* no_rw_check, ram_style = `NDP_RAM_STYLE *)\n"
                    "`else\n    (* no_rw_check *)\n`endif\n"
                    "    reg [3:0] words [0:7];      // a comment\n\n`ifdef FORMAL\n"
                    "`ifdef NDP_CHECKS\n    wire of_user;\n`ifdef ALSO\n    wire of_both;\n"
                    "`endif\n`endif\n`include \"a//b.vh\"\n`endif\n    assign a = {b,\n"
                    "                c} ==\n        d;\n`ifndef NDP_CHECKS\n"
                    "    initial $display(\"a // b\");\n`endif\n")
        self.assertEqual(as_read.as_read(self.ONE), as_read.as_read(laid_out))

    def test_everything_else_counts(self):
        for old, new in (("==", "!="), ("b, c", "bc"), ("3:0", "4:0"), ("FORMAL", "NDP_FORMAL"),
                         ("a//b.vh", "b.vh"), ("*)", ", keep *)"), ("a = ", "a <= "),
                         ("assign", "`ifdef OWN\nassign"), ("== ", " = "), ("a // b", "a /  b")):
            self.assertNotEqual(as_read.as_read(self.ONE), as_read.as_read(self.ONE.replace(old, new)),
                                old)

    def test_version_and_command_do_not_count(self):
        one = "// a\n// ndpgen 1.0, configuration 12\n// ndpgen --set x=1\nwire a;\n"
        self.assertEqual(base.plain(one), "// a\nwire a;\n")
        self.assertEqual(base.plain("ndp_nbu_common_ram x();\n"), "ndp_ram x();\n")

    def test_a_cone_is_what_a_module_needs(self):
        texts = {"rtl/top.v": "module top; leaf a(); `include \"top_formal.vh\"",
                 "rtl/leaf.v": "module leaf; rom b();", "rtl/rom.v": "module rom;",
                 "rtl/other.v": "module other; top c();", "formal/top_formal.vh": "assert"}
        self.assertEqual(set(base.cone(texts, "leaf")), {"rtl/leaf.v", "rtl/rom.v"})
        self.assertEqual(set(base.cone(texts, "top")), set(texts) - {"rtl/other.v"})

    def test_digests_keep_parts_apart(self):
        self.assertNotEqual(base.digest("ab", "c"), base.digest("a", "bc"))

    def test_a_tool_counts_by_its_bytes(self):
        with tempfile.TemporaryDirectory() as room:
            tool = Path(room) / "tool"
            path = os.environ["PATH"]
            os.environ["PATH"] = room + ":" + path
            try:
                found = []
                for text in ("#!/bin/sh\n", "#!/bin/sh\necho 2\n"):
                    tool.write_text(text)
                    tool.chmod(0o755)
                    base._versions.clear()
                    found.append(base.tools_digest("tool", "nowhere"))
            finally:
                os.environ["PATH"] = path
        self.assertNotEqual(*found)


class LockStep(Room):
    LINE = ("credit verilator random small 12ab: cycles 100, outputs 12, mismatches 0, "
            "covers 27/27, seed 1, digest {}")

    def step(self, gives, model="m1"):
        step = cosim.Cosim.__new__(cosim.Cosim)
        step.room, step.ran = self.room, []
        step.name = "cosim"

        def run(job, words):
            step.ran.append(words)
            return gives[len(step.ran) - 1]
        step.run = run
        return step

    def job(self, step):
        words = cosim.words_of("TARGET=credit SIM=icarus CHECKS=1 SET='a=1 b=2' CYCLES=100")
        return Job(step, "run", words=words, state=IMPLIED, recorded=self.LINE.format("aa"))

    def test_the_same_digest_stands_for_the_run(self):
        step = self.step([self.LINE.format("aa").replace("verilator", "golden")])
        job = self.job(step)
        self.assertEqual(step.work(job), job.recorded)
        self.assertEqual(step.ran, [["SIM=golden", "TARGET=credit", "SET=a=1 b=2", "CYCLES=100"]])

    def test_another_digest_means_the_real_run(self):
        step = self.step([self.LINE.format("bb"), None])
        job = self.job(step)
        self.assertIsNone(step.work(job))
        self.assertTrue(job.renews)
        self.assertIn("SIM=icarus", step.ran[1])

    def test_so_does_a_model_that_fails(self):
        step = self.step([None, self.LINE.format("aa")])
        self.assertEqual(step.work(self.job(step)), self.LINE.format("aa"))
        self.assertEqual(len(step.ran), 2)

    def test_a_replay_depends_on_its_descriptions_and_their_ptx(self):
        for folder in ("own/deep", "base", "ptx", "other"):
            (self.room / folder).mkdir(parents=True)
            (self.room / folder / "file").touch()
        (self.room / "own/deep/a.yml").write_text("base: ../../base/b.yml # of another folder\n")
        (self.room / "base/b.yml").write_text('ptx: "../ptx/k.ptx"\nbase: b.yml\n')
        with contextlib.chdir(self.room) if hasattr(contextlib, "chdir") else here(self.room):
            files = cosim.kernel_files({"RUN": "own/deep/a.yml"})
        self.assertEqual(files, {"own/deep/a.yml", "own/deep/file", "base/b.yml", "base/file",
                                 "ptx/file"})


@contextlib.contextmanager
def here(folder):
    was = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(was)


class Tree(Room):
    """The whole program, on a project of a few files."""

    def setUp(self):
        super().setUp()
        shutil.copytree(TOP / "scripts/jobs", self.room / "scripts/jobs",
                        ignore=shutil.ignore_patterns("__pycache__"))
        (self.room / "tests/a").mkdir(parents=True)
        (self.room / "tests/common").mkdir()
        (self.room / "word").write_text("right\n")

    def jobs(self, *words, **env):
        done = subprocess.run([sys.executable, "scripts/jobs", *words], cwd=self.room,
                              capture_output=True, text=True, env={**os.environ, **env})
        return done.returncode, done.stdout + done.stderr

    def probes(self, *stanzas):
        (self.room / "tests/a/probes.txt").write_text("".join(
            f"probe {name}\nsource word\nedit {edit}\ncheck {check}\nexpect {expect}\n{more}\n"
            for name, edit, check, expect, more in stanzas))

    RIGHT = "grep -q right w?rd || { echo it is wrong; exit 1; }"

    def test_probes_are_caught_once_and_then_vouched_for(self):
        self.probes(("first", "s/right/wrong/", f"cat; {self.RIGHT}", "it is wrong", ""),
                    ("second", "s/right/wrong/", self.RIGHT, "is wrong", ""),
                    ("third", "s/right/wrong/", self.RIGHT, "it is", "slow\n"))
        status, said = self.jobs("probes", "--update")
        self.assertEqual(status, 0, said)
        self.assertIn("2 passed, 0 failed", said)
        status, said = self.jobs("probes", "--draw", "0")
        self.assertIn("2 vouched for", said)
        (self.room / "word").write_text("right,\n")
        status, said = self.jobs("probes", "--draw", "0")
        self.assertIn("2 run", said)
        status, said = self.jobs("probes", "--slow", "--no-ledger")
        self.assertIn("3 passed, 0 failed", said)

    def test_probes_that_are_not_caught(self):
        self.probes(("unseen", "s/right/right,/", self.RIGHT, "it is wrong", ""),
                    ("other", "s/right/wrong/", self.RIGHT, "it is late", ""),
                    ("nothing", "s/left/wrong/", self.RIGHT, "it is wrong", ""),
                    ("red", "s/right/wrong/", "false", "x", ""))
        status, said = self.jobs("probes")
        self.assertEqual(status, 1)
        for what in ("probe unseen: nobody noticed", "probe other: red for another reason",
                     "probe nothing: the edit changes nothing in word",
                     "probe red: its check is red without it", "0 passed, 4 failed"):
            self.assertIn(what, said)

    def test_shards_are_parts_of_the_whole(self):
        self.probes(*((f"n{i}", "s/right/wrong/", self.RIGHT, "it is wrong", "")
                      for i in range(9)))
        names = []
        for i in (1, 2, 3):
            status, said = self.jobs("probes", "--list", SHARD=f"{i}/3")
            names += [line.split()[-1] for line in said.strip().split("\n")]
        self.assertEqual(sorted(names), [f"n{i}" for i in range(9)])

    def test_units_pass_and_fail_by_themselves(self):
        test = self.room / "tests/a/a_test.sh"
        test.write_text("echo '3 passed, 0 failed'\n")
        status, said = self.jobs("units", "--update")
        self.assertEqual(status, 0, said)
        self.assertIn("3 passed, 0 failed", said)
        status, said = self.jobs("units", "--draw", "0")
        self.assertIn("1 vouched for", said)
        test.write_text("echo '2 passed, 1 failed'\nexit 1\n")
        status, said = self.jobs("units", "--junit", "out.xml")
        self.assertEqual(status, 1, said)
        self.assertIn("2 passed, 1 failed", said)
        self.assertIn('failures="1"', (self.room / "out.xml").read_text())

    def test_parts_of_a_suite_are_jobs(self):
        (self.room / "tests/a/a_test.sh").write_text(
            "# parts: left right\n[ $1 = left ]\n")
        status, said = self.jobs("units")
        self.assertEqual(status, 1, said)
        self.assertIn("1 passed, 1 failed", said)
        self.assertIn("units --name 'tests/a/a_test.sh right'", said)
        status, said = self.jobs("units", "--name", "tests/a/a_test.sh left")
        self.assertEqual(status, 0, said)

    def test_an_interrupt_keeps_what_has_ended(self):
        for name, text in (("a", "true\n"), ("b", ": >began\nsleep 60\n")):
            (self.room / f"tests/a/{name}_test.sh").write_text(text)
        program = subprocess.Popen([sys.executable, "scripts/jobs", "units", "--update"],
                                   cwd=self.room, stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "JOBS": "1"})
        while not (self.room / "began").exists() and program.poll() is None:
            time.sleep(0.05)
        program.send_signal(signal.SIGINT)
        said = program.communicate()[0]
        self.assertEqual(program.returncode, 130, said)
        self.assertIn("stopped: 1 of 2 jobs ran", said)
        book = (self.room / "tests/common/units.tsv").read_text()
        self.assertIn("tests/a/a_test.sh", book)
        self.assertNotIn("tests/a/b_test.sh", book)

    def test_seconds_are_of_a_core(self):
        (self.room / "tests/a/a_test.sh").write_text("sleep 2\n")
        status, said = self.jobs("units", "--update")
        self.assertEqual(status, 0, said)
        self.assertIn("\tpassed\t0\n", (self.room / "tests/common/units.tsv").read_text())

    def test_bad_use_is_refused(self):
        for words, reason in ((("nothing",), "unknown step 'nothing'"),
                              (("units", "--shard", "3"), "--shard 3, expected I/N"),
                              (("units", "--fast"), "--fast"),
                              (("units", "--name", "x"), "no job has such a name")):
            status, said = self.jobs(*words)
            self.assertEqual(status, 2, said)
            self.assertIn(reason, said)
        status, said = self.jobs("units", SAMPLE="x")
        self.assertEqual(status, 2, said)
        self.assertIn("SAMPLE is 'x'", said)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"jobs: {result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)
