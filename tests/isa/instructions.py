"""PTX, instruction by instruction, on the executor and on a machine.

usage: python3 tests/isa/instructions.py [--update]

Each line of instructions.txt is a kernel.  Both must leave the same words, or the
machine must refuse it; docs/instructions.md must say so.  --update writes that page.
"""

import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / os.environ.get("BUILD", "build")
PAGE = TOP / "docs/instructions.md"
MACHINE = "untimed:plain"
N = 64

HEAD = """\
.version 8.3
.target sm_90
.address_size 64
.const .align 4 .b32 table[4] = {11, 22, 33, 44};
.func (.reg .b32 ro) twice(.reg .b32 ri) { add.u32 ro,ri,ri; ret; }
.func (.param .b32 r) one(.param .b32 n)
{ .reg .b32 x; ld.param.u32 x,[n]; add.u32 x,x,1; st.param.b32 [r],x; ret; }
.func (.param .align 8 .b8 o[16]) swap(.param .align 8 .b8 s[16])
{ .reg .b64 u,v; ld.param.v2.b64 {u,v},[s]; st.param.b64 [o],v; st.param.b64 [o+8],u; ret; }
.func (.param .b32 r) sum(.param .b32 n)
{
  .reg .b32 x,y; .reg .pred p; ld.param.u32 x,[n]; setp.eq.u32 p,x,0; @p bra Z; sub.u32 y,x,1;
  { .param .b32 q; .param .b32 s; st.param.b32 [q],y; call.uni (s), sum, (q); ld.param.b32 y,[s]; }
  add.u32 x,x,y; Z: st.param.b32 [r],x; ret;
}
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 po)
{
  .reg .b64 %rd<40>; .reg .b32 %r<40>; .reg .pred %p<20>; .reg .b16 %h<8>; .reg .f32 %f<20>;
  .reg .f64 %d<8>; .reg .b32 a,b,c,d,e,i;
  .shared .align 16 .b8 sh[1024]; .local .align 8 .b8 lo[32];
  ld.param.u64 %rd1,[pa]; ld.param.u64 %rd2,[pb]; ld.param.u64 %rd3,[pc]; ld.param.u64 %rd4,[po];
  mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mov.u32 %r3,%tid.x; mad.lo.u32 i,%r1,%r2,%r3;
  mul.wide.u32 %rd5,i,4; add.u64 %rd10,%rd1,%rd5; add.u64 %rd7,%rd2,%rd5; add.u64 %rd8,%rd3,%rd5;
  add.u64 %rd9,%rd4,%rd5;
  ld.global.u32 a,[%rd10]; ld.global.u32 b,[%rd7]; ld.global.u32 c,[%rd8]; mov.u32 d,0;
  mov.b32 %f1,a; mov.b32 %f2,b; mov.b32 %f4,c; cvt.u16.u32 %h1,a; cvt.u16.u32 %h2,b;
  mov.b64 %rd20,{a,b}; mov.b64 %rd21,{b,c}; mov.b64 %rd22,{c,a};
"""
TAIL = "\n  st.global.u32 [%rd9],d;\n  ret;\n}\n"
RUN = """\
kernel: k
ptx: {name}.ptx
sizes: {{small: {{n: {n}}}}}
grid: [2]
block: [{half}]
buffers:
  a: {{type: u32, count: n, fill: {{file: a}}}}
  b: {{type: u32, count: n, fill: {{file: b}}}}
  c: {{type: u32, count: n, fill: {{file: c}}}}
  o: {{type: u32, count: n}}
arguments: [a, b, c, o]
"""
CORNERS = (0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000, 0x7f800000,
           0x00000001, 0x807fffff, 0x7fc00000, 0x0000ffff, 0xffff8000, 33, 200, 0x4b000001)


def probes():
    """[(group, name, statements)]"""
    found, group = [], None
    for line in (TOP / "tests/isa/instructions.txt").read_text().split("\n"):
        if line.startswith("# ") and found is not None and re.match(r"# \w[^.]*$", line):
            group = line[2:]
        elif line and not line.startswith("#"):
            name, _, text = line.partition(": ")
            found.append((group, name, text))
    return found


def buffers(room):
    numbers = random.Random(1)
    for name, turn in (("a", 0), ("b", 5), ("c", 11)):
        words = [CORNERS[(k * (turn + 1) + turn) % 16] if k < 32 else numbers.getrandbits(32)
                 for k in range(N)]
        (room / name).write_bytes(struct.pack(f"<{N}I", *words))


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        error = re.search(r"error: (.*)", done.stderr)
        return None, error[1] if error else f"wrong: exit status {done.returncode}"
    return [int(v, 16) for v in re.findall(r'"checksum": "(?:0x)?([0-9a-f]+)"', done.stdout)], None


def why(error):
    """A reason without the place and the instruction's name."""
    text = re.sub(r"^no instructions for '[^']*': ", "", error)
    return re.sub(r"^.*?the call of '(\w+)'( in line \d+)?, which", "a function that", text)


def verdict(room, number, text):
    """(what the executor, what the machine says); None: it runs."""
    (room / f"{number}.ptx").write_text(HEAD + "  " + text + TAIL)
    description = room / f"{number}.yml"
    description.write_text(RUN.format(name=number, n=N, half=N // 2))
    want, refused = run(BUILD / "ndpsim", description, "--json")
    got, error = run(BUILD / "ndprun", description, "--device", MACHINE, "--json")
    if error:
        return refused, why(error)
    return refused, None if refused or got == want else f"wrong: {got} for {want}"


def page(found):
    both = sum(not e and not m for *_, e, m in found)
    lines = [
        "# PTX, instruction by instruction", "",
        "Made by `python3 tests/isa/instructions.py --update`; a test compares. Each instruction is a kernel of "
        "64 threads on words",
        "of all kinds (`tests/isa/instructions.txt`). The executor runs it (`ndpsim`, device `exec`), and a "
        f"machine (`{MACHINE}`)", "must leave the same words or refuse it. `NDP_FALLBACK=exec` runs what a "
        "machine refuses ([cuda.md](cuda.md)); [isa.md](isa.md) says", "what becomes of an instruction.", "",
        f"Of {len(found)}, {sum(not e for *_, e, _ in found)} run on the executor and {both} on the machine.",
        "", "| group | on both |", "| --- | --- |"]
    for group in dict.fromkeys(g for g, *_ in found):
        names = [f"`{n}`" if " " not in n else n for g, n, e, m in found if g == group and not e and not m]
        if names:
            lines.append(f"| {group} | {'; '.join(names)} |")
    lines += ["", "| not on the machine | executor | why not |", "| --- | --- | --- |"]
    for _, name, executor, machine in found:
        if executor or machine:
            lines.append(f"| `{name}` | {'no' if executor else 'yes'} | {machine or executor} |")
    return "\n".join(lines) + "\n"


def main(words):
    with tempfile.TemporaryDirectory() as temporary:
        room = Path(temporary)
        buffers(room)
        with ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda k: verdict(room, k[0], k[1][2]), enumerate(probes())))
    found = [(g, n, *v) for (g, n, _), v in zip(probes(), said)]
    failed = [f"{n}: {m}" for _, n, e, m in found if m and m.startswith("wrong")]
    text = page(found)
    if "--update" in words:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        failed.append("docs/instructions.md is not what runs, expected it from "
                      "python3 tests/isa/instructions.py --update")
    for line in failed:
        print(f"instructions: {line}", file=sys.stderr)
    print(f"instructions: {len(found) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
