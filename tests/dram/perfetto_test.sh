#!/bin/sh
# perfetto_test.sh - what ndpcheck writes for Perfetto, held against the trace that it
# read: rows and column commands of each bank, refreshes of each rank.
#
# usage: perfetto_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=perfetto_test.sh
. tests/common/room.sh
needs "$build/ndpcheck" "$build/ndpchannel"
check=$build/ndpcheck

cat >"$room/look.py" <<'END'
import collections, csv, json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
slices = collections.defaultdict(list)
for e in events:
    if e["ph"] == "X":
        slices[e["pid"], e["tid"]].append(e)
got, rows = collections.Counter(), 0
for track, list_ in slices.items():
    open_ = [e for e in list_ if e["name"].startswith("row ")]
    rows += len(open_)
    for a, b in zip(open_, open_[1:]):
        assert a["ts"] + a["dur"] <= b["ts"], ("rows overlap", names[track], a, b)
    for e in list_:
        if e["name"] in ("RD", "WR", "RDA", "WRA"):
            assert any(r["ts"] <= e["ts"] and e["ts"] + 1 <= r["ts"] + r["dur"] for r in open_), \
                ("outside of a row", names[track], e)
        if not e["name"].startswith("row "):
            got["channel %d %s" % (track[0] - 1, names[track]), e["ts"], e["name"]] += 1
want, acts, since, spans, last = collections.Counter(), 0, {}, [], 0
def close(bank, at):
    if bank in since:
        spans.append((bank, since.pop(bank), at))
for c in csv.DictReader(open(sys.argv[2])):
    last, rank, bank = int(c["cycle"]), (c["channel"], c["rank"]), (c["group"], c["bank"])
    if c["command"] == "ACT":
        acts += 1
        since[rank + bank] = last
    elif c["command"] == "PRE":
        close(rank + bank, last)
    elif c["command"] in ("PREA", "REF"):
        for b in [b for b in since if b[:2] == rank]:
            close(b, last)
    elif c["command"] in ("RDA", "WRA"):
        close(rank + bank, last + 1)
    place = "channel %s rank %s " % (c["channel"], c["rank"])
    if c["command"] == "REF":
        want[place + "refresh", int(c["cycle"]), "REF"] += 1
    elif c["command"] in ("RD", "WR", "RDA", "WRA"):
        want[place + "group %s bank %s" % (c["group"], c["bank"]), int(c["cycle"]), c["command"]] += 1
assert got == want, (list((got - want))[:3], list((want - got))[:3])
for b in list(since):
    close(b, last + 1)
shown = sorted(("channel %d %s" % (t[0] - 1, names[t]), e["ts"], e["ts"] + e["dur"])
               for t, l in slices.items() for e in l if e["name"].startswith("row "))
assert shown == sorted(("channel %s rank %s group %s bank %s" % b, i, o) for b, i, o in spans)
assert rows == acts, (rows, acts)
print(rows, "rows,", sum(got.values()), "commands")
END

# two channels, accelerators, refreshes; closed rows by precharge of all banks
status 0 "$build/ndpchannel" --mix mix1 --op copy --cycles 20000 --trace "$room/run.csv"
status 0 "$check" "$room/run.csv" --perfetto -o "$room/run.json"
status 0 python3 "$room/look.py" "$room/run.json" "$room/run.csv"
# all banks of a rank closed at once, and a row that a read closes
cat >"$room/all.csv" <<'END'
cycle,command,channel,rank,group,bank,row,column,source
0,ACT,0,0,3,3,7,-1,host
10,ACT,0,1,0,0,8,-1,host
40,RDA,0,1,0,0,8,5,host
60,RD,0,0,3,3,7,5,host
90,PREA,0,0,-1,-1,-1,-1,host
120,REF,0,0,-1,-1,-1,-1,host
END
status 0 "$check" "$room/all.csv" --perfetto -o "$room/all.json"
status 0 python3 "$room/look.py" "$room/all.json" "$room/all.csv"
# another program's, on standard output
status 0 "$check" tests/dram/dramsim3.trace --convert ndp -o "$room/sim.csv"
status 0 "$check" tests/dram/dramsim3.trace --perfetto
cp "$room/out" "$room/sim.json"
status 0 python3 "$room/look.py" "$room/sim.json" "$room/sim.csv"

status 2 "$check" "$room/run.csv" --perfetto --json
says err "--perfetto takes one trace"
status 2 "$check" "$room/run.csv" "$room/run.csv" --perfetto
status 2 "$check" "$room/run.csv" --perfetto --convert ndp
echo before >"$room/kept"
printf '5,ACT,0\n' >"$room/bad"
status 2 "$check" "$room/bad" --perfetto -o "$room/kept"
status 0 grep -qx before "$room/kept"
done_testing
