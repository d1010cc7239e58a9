"""Lines of templates that nothing checks.

usage: python3 scripts/jobs/template_lines.py

A line that neither a lock-step run nor a proof emits is one whose mistakes nobody
would see.  Emits their configurations from templates in which every line carries its
own place as a comment, and prints the places that never came, with what stands there.
Blank lines, lines of Lua and lines inside a ${} that goes over several do not count.
A configuration is left out when every line of the templates that its target uses has
come already.

Environment: BUILD.  Exit status: 0 every line was emitted, 1 some were not, 2 bad use.
"""

import re
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from base import BUILD, BadUse, emit, targets, warn
from cosim import matrix, options_of, words_of
from formal import proofs

PLACE = re.compile(r"//@(\d+):(\d+)@")


def depth_after(line, depth):
    """Braces of ${ ... } that are open at the end of a line."""
    i = 0
    while i < len(line):
        if not depth and line.startswith("${", i):
            depth, i = 1, i + 1
        elif depth and line[i] in "{}":
            depth += 1 if line[i] == "{" else -1
        i += 1
    return depth


def mark(text, number, places):
    """The template with a place behind each line that counts."""
    out, depth = [], 0
    for n, line in enumerate(text.splitlines(), 1):
        was, depth = depth, depth_after(line, depth)
        lua = re.match(r"[ \t]*//%", line)
        if lua or was or depth or not line.strip():
            if lua and not was:
                depth = 0
            out.append(line)
        else:
            out.append(f"{line} //@{number}:{n}@")
            places[number, n] = line.strip()
    return "\n".join(out) + "\n"


def configurations():
    """Of each target what lock-step and proofs emit, each once."""
    found = {}
    for target, paper in targets().items():
        for line in matrix(target, paper, 1):
            found.setdefault(tuple(options_of(words_of(line))), target)
    for proof in proofs().values():
        found.setdefault(tuple(proof.options), proof.target)
    return found


def see(options, target, missing, uses, work):
    """Emits a configuration and takes the places that come out of what is missing."""
    refused = emit(options, work / "out", work / "templates")
    if refused:
        raise BadUse(f"'{' '.join(options)}' is not emitted: {refused}")
    for path in [*(work / "out/rtl").glob("*"), *(work / "out/formal").glob("*")]:
        for number, line in PLACE.findall(path.read_text()):
            uses.setdefault(target, set()).add(int(number))
            missing.discard((int(number), int(line)))


def main():
    work = BUILD / "template_lines"
    shutil.rmtree(work, ignore_errors=True)
    files, places = [], {}
    for path in sorted(Path("rtl-templates").glob("*/*")):
        to = work / "templates" / path.relative_to("rtl-templates")
        to.parent.mkdir(parents=True, exist_ok=True)
        # ndpgen gives names of its own to what is shared, so a template is a number
        if path.suffix in (".v", ".vh", ".inc") and path.parent.name != "outputs":
            files.append(path)
            to.write_text(mark(path.read_text(), len(files), places))
        elif path.suffix in (".v", ".vh", ".inc", ".lua"):
            shutil.copy(path, to)
    missing, uses, later = set(places), {}, []
    for options, target in configurations().items():
        if target in uses and not any(number in uses[target] for number, _ in missing):
            later.append((options, target))
            continue
        see(options, target, missing, uses, work)
    while missing and later:  # of a template that its target uses in a few of them
        see(*later.pop(0), missing, uses, work)
    for number, line in sorted(missing):
        print(f"{files[number - 1]}:{line}: nothing emits: {places[number, line]}")
    print(f"{len(places)} lines of templates, {len(missing)} that no check emits")
    return int(bool(missing))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadUse as wrong:
        warn(f"error: {wrong}")
        sys.exit(2)
