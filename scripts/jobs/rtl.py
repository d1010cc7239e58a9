"""Emitted RTL that several steps look at, generated once for each configuration."""

import atexit
import concurrent.futures
import hashlib
import os
import shutil
import threading

from as_read import as_read
from base import (BUILD, JOBS, cone, digest, digest_files, digest_texts, emit, emitted,
                  files_below)

_locks, _made, _guard = {}, {}, threading.Lock()


# of this process: another one may be at work in the same tree
ROOM = BUILD / "emitted" / str(os.getpid())
atexit.register(shutil.rmtree, ROOM, ignore_errors=True)


def folder_of(options):
    return ROOM / hashlib.sha256(" ".join(options).encode()).hexdigest()[:16]


def emitted_folder(options):
    """(folder, None) of a configuration, or (folder, what ndpgen said)."""
    key = tuple(options)
    with _guard:
        lock = _locks.setdefault(key, threading.Lock())
    with lock:
        if key not in _made:
            _made[key] = emit(options, folder_of(options))
    return folder_of(options), _made[key]


def forget(options):
    """Once it is not needed: who wants it again generates it again."""
    _made.pop(tuple(options), None)
    shutil.rmtree(folder_of(options), ignore_errors=True)


_digests = {}


def rtl_digest(options, *patterns):
    """Of the emitted files of a configuration, or of the words that refused it."""
    key = (*options, *patterns)
    with _guard:
        lock = _locks.setdefault(key, threading.Lock())
    with lock:
        if key not in _digests:
            folder, refused = emitted_folder(options)
            _digests[key] = digest(refused) if refused else digest_texts(
                emitted(folder, *patterns))
            forget(options)
        return _digests[key]


def for_each(work, items):
    """work(item) for all of them, several at a time, in their order."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(work, items))


_generator = []


def generator_digest():
    """Of all that emitted files come from: while it holds, so do they."""
    if not _generator:
        _generator.append(digest_files(
            f for f in files_below("gen", "lib", "rtl-templates", "scripts/blocks.sh",
                                   "scripts/embed.sh")
            if not (f.startswith("gen/ndp") and not f.startswith("gen/ndpgen/"))
            and not f.startswith("lib/cuda/")
            and not f.endswith(".md")))
    return _generator[0]


def proof_digest(folder, module):
    """Of what a prover reads for a module: its cone, without comments."""
    texts = emitted(folder, "rtl/*", "formal/*")
    plain_module = module.replace("_common_", " ").split(" ")
    name = "ndp_" + plain_module[1] if len(plain_module) == 2 else module
    return digest_texts({n: as_read(t) for n, t in cone(texts, name).items()})
