"""What all kinds of jobs share: where things are, digests, emitted Verilog as
tools read it, and commands that leave nothing running behind them."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
os.chdir(TOP)
os.environ["LC_ALL"] = "C"
BUILD = Path(os.environ.setdefault("BUILD", "build"))
NDPGEN = os.environ.get("NDPGEN", str(BUILD / "ndpgen"))
JOBS = max(1, int(os.environ.get("JOBS") or os.cpu_count() or 2))


class BadUse(Exception):
    """Wrong words of the caller, or a tool that cannot work at all: status 2."""


def seed_of(name, digits):
    """The seed in the environment, else a fresh one; numbers only."""
    text = os.environ.get(name) or str(int.from_bytes(os.urandom(3), "big"))
    if not text.isdigit() or len(text) > digits:
        raise BadUse(f"{name} is '{text}', expected up to {digits} digits")
    return int(text)


# --- digests -----------------------------------------------------------------


def digest(*parts):
    """128 bits of texts and bytes, in their order; the bounds between them count."""
    h = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        h.update(b"%d:" % len(data))
        h.update(data)
    return h.hexdigest()[:32]


def digest_files(paths):
    """Of names and contents; in the order of the names."""
    parts = []
    for path in sorted(set(str(p) for p in paths)):
        parts += [path, Path(path).read_bytes()]
    return digest(*parts)


def files_below(*folders):
    """Every file in these folders, or these files themselves."""
    for folder in folders:
        if os.path.isfile(folder):
            yield str(folder)
        for where, _, names in os.walk(folder):
            yield from (os.path.join(where, name) for name in names)


_versions = {}


def tools_digest(*programs):
    """Of versions and bytes of programs; one that is missing is known by that."""
    for program in programs:
        if program in _versions:
            continue
        at = shutil.which(program)
        said = hashlib.sha256(Path(at).read_bytes()).hexdigest() if at else "missing"
        if at and program in ("gcc", "g++", os.environ.get("CC"), os.environ.get("CXX")):
            # a compiler may stand behind a wrapper
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        _versions[program] = said
    return digest(*(part for p in programs for part in (p, _versions[p])))


def said_by(*command):
    """First line that a program prints, '' without the program."""
    try:
        out = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return (out.stdout + out.stderr).split("\n", 1)[0]


def program_digest(path):
    """Of what a program does: its file without symbols, notes of the linker and
    what the debugger reads, which hold the folder that it was built in."""
    with tempfile.TemporaryDirectory() as room:
        bare = Path(room) / "bare"
        done = subprocess.run(["objcopy", "-S", "-R", ".note.gnu.build-id", str(path), str(bare)],
                              capture_output=True)
        # a script is what it does
        return digest(Path(path if done.returncode else bare).read_bytes())


# --- emitted files -------------------------------------------------------------

COMMON = re.compile(r"ndp_[a-z0-9_]*_common_")
FORMAL_COMMON = re.compile(r"FORMAL_NDP_[A-Z0-9_]*_COMMON_")
HEADER = re.compile(r"^(?://|#) ndpgen .*\n", re.M)


def plain(text):
    """Without the lines that say which version and command made the file, and
    with the names that shared modules have in their templates: ndp_ram, not as
    each target's own ndp_<target>_common_ram."""
    return FORMAL_COMMON.sub("FORMAL_NDP_", COMMON.sub("ndp_", HEADER.sub("", text)))


def emitted(folder, *patterns):
    """Texts of emitted files by their plain names: {'rtl/ndp_x.v': text}."""
    found = {}
    for pattern in patterns:
        for path in sorted(Path(folder).glob(pattern)):
            name = COMMON.sub("ndp_", str(path.relative_to(folder)))
            found[name] = plain(path.read_text())
    return found


def digest_texts(texts):
    return digest(*(part for name in sorted(texts) for part in (name, texts[name])))


WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


def cone(texts, *tops):
    """Those of the texts that a design with these top modules needs: files of the
    modules and included files whose names stand in what is needed already.  A
    file is known by its name without folder and ending."""
    by_stem = {}
    for name in texts:
        by_stem.setdefault(Path(name).stem, []).append(name)
    todo, taken = list(tops), {}
    while todo:
        for name in by_stem.pop(todo.pop(), ()):
            taken[name] = texts[name]
            todo += [w for w in set(WORD.findall(texts[name])) if w in by_stem]
    return taken


def emit(options, folder, templates=None):
    """Runs ndpgen into a folder: None, or what it said when it refused."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.dirname(folder) or ".", exist_ok=True)
    command = [NDPGEN, *options, "-o", str(folder)]
    if templates:
        command += ["--templates", str(templates)]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout + done.stderr or "no reason given"


_targets = []


def targets():
    """Names of all targets with the preset of each one's paper."""
    if not _targets:
        try:
            out = subprocess.run([NDPGEN, "--list-targets"], capture_output=True, text=True)
        except OSError:
            raise BadUse(f"no '{NDPGEN}', run make first") from None
        for line in out.stdout.split("\n"):
            if re.match(r"[a-z]", line):
                _targets.append(tuple(line.split()[:2]))
    return dict(_targets)


def lines_of(path):
    """Lines of a list, comments and blank ones apart; none without the file."""
    if not os.path.isfile(path):
        return []
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]


# --- commands ------------------------------------------------------------------

_running = set()
_spent = threading.local()  # seconds of a core, of the commands of this thread
stopping = threading.Event()
_signals = []  # when each came


def spent():
    """Seconds of a core that this thread's commands took since it last asked."""
    seconds, _spent.seconds = getattr(_spent, "seconds", 0.0), 0.0
    return seconds


def run(command, log, **env):
    """Runs a command with its output in a file; its exit status.  It has a process
    group of its own, so that what it started can be ended with it."""
    with open(log, "wb") as out:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True,
                                 env={**os.environ, "JOBS": "1", **env})
        _running.add(child)
        if stopping.is_set():
            end(child)
        try:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            _spent.seconds = getattr(_spent, "seconds", 0.0) + usage.ru_utime + usage.ru_stime
            return child.returncode
        finally:
            _running.discard(child)


def end(child):
    """Ends a command and what it started."""
    try:
        os.killpg(child.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass


def stop_all(*_):
    """Ends every command that is under way.  What has ended until then stands; a
    second signal, a second later or more, ends this program, too."""
    _signals.append(time.time())
    if _signals[-1] - _signals[0] > 1:  # timeout(1) sends two at once
        os._exit(130)
    stopping.set()
    for child in list(_running):
        end(child)


def stop_cleanly():
    signal.signal(signal.SIGINT, stop_all)
    signal.signal(signal.SIGTERM, stop_all)


def say(*words):
    print(*words, flush=True)


def warn(*words):
    print(*words, file=sys.stderr, flush=True)
