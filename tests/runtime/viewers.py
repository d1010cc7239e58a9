# viewers.py - what ndptrace has written for other people's viewers, read as they do.
#
#   viewers.py perfetto FILE LIST    LIST: what ndptrace --json says of the same trace
#   viewers.py konata FILE LIST
#
# Prints what is wrong, a line each; exit status 1 if anything is.
import collections
import json
import sys

kind, path, listed = sys.argv[1:]
wrong = []
launches = json.load(open(listed))["launches"]
expected = sum(len(l["retired"]) for l in launches)


def perfetto():
    """Slices of a track nest, and have the names and places that the list has."""
    events = json.load(open(path))["traceEvents"]
    tracks = collections.defaultdict(list)
    named = {}
    for e in events:
        if e["ph"] == "M" and e["name"] == "thread_name":
            if e["tid"] in named:
                wrong.append("track %d is named twice" % e["tid"])
            named[e["tid"]] = e["args"]["name"]
        elif e["ph"] == "X":
            if e["dur"] <= 0 or e["ts"] < 0:
                wrong.append("no time: %s" % e)
            tracks[e["tid"]].append(e)
        elif e["ph"] == "C":
            if not 0 <= e["args"]["busy"] <= 100:
                wrong.append("%s %% of the lanes" % e["args"]["busy"])
    for tid, slices in tracks.items():
        if tid not in named:
            wrong.append("track %d has no name" % tid)
        open_until = []
        for e in sorted(slices, key=lambda e: (e["ts"], -e["dur"])):
            while open_until and open_until[-1] <= e["ts"]:
                open_until.pop()
            end = e["ts"] + e["dur"]
            if open_until and end > open_until[-1]:
                wrong.append("%s: slices overlap at %d" % (named.get(tid), e["ts"]))
            open_until.append(end)
    # an instruction of the list is one slice, with its cycle, warp and text
    got = collections.Counter()
    for tid, slices in tracks.items():
        for e in slices:
            if "args" in e:
                got[named[tid], e["args"]["cycle"], e["name"]] += 1
    want = collections.Counter(
        ("warp %d" % i["warp"], i["cycle"], i.get("instruction", "start"))
        for l in launches for i in l["retired"])
    for missing in want - got:
        wrong.append("no slice of %s" % (missing,))
    for more in got - want:
        wrong.append("a slice too many, %s" % (more,))
    starts = [e["ts"] for t in tracks if named[t] == "launches" for e in tracks[t]]
    if len(starts) != len(launches) or starts != sorted(starts):
        wrong.append("launches begin at %s" % starts)
    loads = sum("answer" in i and i["answer"] > i["cycle"] for l in launches for i in l["retired"])
    if loads and not any(n.endswith("outstanding") for n in named.values()):
        wrong.append("no track of what is outstanding")


def konata():
    """Each instruction begins, goes through its stages and retires, in order of cycles."""
    lines = open(path).read().split("\n")
    if lines[0] != "Kanata\t0004" or lines[-1] != "":
        wrong.append("no Kanata log")
    now = None
    open_stage, texts, retired, executed = {}, {}, [], {}
    for line in lines[1:-1]:
        f = line.split("\t")
        if f[0] == "C=" and now is None:
            now = int(f[1])
        elif f[0] == "C" and int(f[1]) > 0:
            now += int(f[1])
        elif f[0] == "I" and int(f[1]) not in open_stage:
            open_stage[int(f[1])] = None
        elif f[0] == "L" and f[2] in "01" and len(f) == 4:
            texts.setdefault(int(f[1]), []).append(f[3])
        elif f[0] == "S" and int(f[1]) in open_stage and f[3] in ("Wt", "Ex", "Mm"):
            open_stage[int(f[1])] = f[3]
            if f[3] == "Ex":
                executed[int(f[1])] = now
        elif f[0] == "R" and open_stage.get(int(f[1])) in ("Ex", "Mm"):
            open_stage[int(f[1])] = "retired"
            retired.append(int(f[2]))
        else:
            wrong.append("not understood: %r" % line)
    if retired != list(range(len(launches[0]["retired"]))):
        wrong.append("%d retire, expected %d" % (len(retired), len(launches[0]["retired"])))
    if set(open_stage.values()) - {"retired"}:
        wrong.append("some do not retire")
    for n, i in enumerate(launches[0]["retired"]):
        text = "%d: %s" % (i["word"], i.get("instruction", "(start)"))
        if texts.get(n, [None])[0] != text or executed.get(n) != i["cycle"]:
            wrong.append("instruction %d: %s at %s, expected %s at %d" % (
                n, texts.get(n), executed.get(n), text, i["cycle"]))


if expected == 0:
    wrong.append("an empty list")
{"perfetto": perfetto, "konata": konata}[kind]()
for w in wrong[:10]:
    print(w)
sys.exit(1 if wrong else 0)
