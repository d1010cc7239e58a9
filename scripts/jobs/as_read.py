"""Emitted Verilog as a prover or a synthesis reads it.

usage: python3 scripts/jobs/as_read.py FILE...

What these do not see is left out, so that a digest of the rest stands while the logic
does: comments, the ends and indents of lines, and what is behind macros that only a
user defines.  A directive keeps a line of its own; else a line ends after each
semicolon.
"""

import re
import sys
from pathlib import Path

# What only a user defines; nothing of it is proved or synthesised.
OF_USER = ("NDP_CHECKS", "NDP_RAM_STYLE")
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//.*')
DIRECTIVE = re.compile(
    r"`(ifdef|ifndef|else|elsif|endif|define|undef|include|default_nettype|timescale|resetall)\b")


def as_read(text):
    out, run, stack = [], [], []

    def flush():
        line = re.sub(r"\s+", " ", " ".join(run))
        line = re.sub(r" ?([()\[\]{},]) ?", r"\1", line)
        out.append(re.sub(r" ?; ?", ";\n", line).strip())
        run.clear()

    for line in text.split("\n"):
        if "//" in line:
            line = STRING_OR_COMMENT.sub(
                lambda m: "" if m.group().startswith("//") else m.group(), line)
        line = line.strip()
        if not line:
            continue
        word = line.split()
        if word[0] in ("`ifdef", "`ifndef"):
            mine = len(word) > 1 and word[1] in OF_USER
            stack.append([mine, mine and word[0] == "`ifdef"])
            if mine:
                continue
        elif stack and word[0] in ("`else", "`endif"):
            mine = stack[-1][0]
            if word[0] == "`endif":
                stack.pop()
            elif mine:
                stack[-1][1] = not stack[-1][1]
            if mine:
                continue
        if any(hidden for _, hidden in stack):
            continue
        if DIRECTIVE.match(line):
            flush()
            out.append(line)
        else:
            run.append(line)
    flush()
    return "\n".join(part for part in out if part)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(as_read(Path(name).read_text(encoding="utf-8")))
