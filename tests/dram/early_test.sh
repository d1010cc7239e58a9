#!/bin/sh
# early_test.sh - traces with one command a cycle too early, as a user meets them: for
# each rule of the table, and each pair of commands that it names, one of a few commands
# that ndpcheck must find broken a cycle early and kept in time; and of a long trace of
# ours, clean, for each rule that it comes to the limit of, the same trace with the one
# command there moved a cycle earlier.
#
# usage: early_test.sh [PATH-OF-NDPCHECK]   (default: $BUILD/ndpcheck, build/ndpcheck)
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
channel=$PWD/${BUILD:-build}/ndpchannel
program=ndpcheck
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh

# --- each rule, few commands ------------------------------------------------------
# Only the rule in question is looked at: that rows are open and nothing else is near
# is what tests/dram/test_rules.c sees to.
cat >each.py <<'EOP'
import json
import subprocess
import sys

NAMES = "cycle,command,channel,rank,group,bank,row,column,source"
START = 5000
WHOLE = ("PREA", "REF")
# rank, group, bank of the second command, as near as the rule looks
OTHER = {"bank": (0, 0, 0), "group": (0, 0, 1), "rank": (0, 1, 0),
         "other rank": (1, 0, 0), "channel": (1, 0, 0)}


def ndpcheck(*words):
    return subprocess.run([sys.argv[1], *words], stdout=subprocess.PIPE, text=True).stdout


def line(cycle, kind, rank, group, bank):
    place = "," if kind in WHOLE else "%d,%d" % (group, bank)
    return "%d,%s,0,%d,%s,%s,,host" % (cycle, kind, rank, place, "" if kind in WHOLE else 5)


def trace(name, rule, before, after, cycles, apart):
    lines = [line(START, before, 0, 0, 0)]
    for i in range(1, rule["count"]):
        lines.append(line(START + i * apart, before, 0, i, 2))
    lines.append(line(START + cycles, after, *OTHER[rule["scope"]]))
    with open(name, "w") as f:
        f.write("\n".join([NAMES] + lines) + "\n")
    return len(lines) + 1


rules = json.loads(ndpcheck("--rules", "--json"))["rules"]
apart = [r["cycles"] for r in rules if r["name"] == "rrdl"][0]
files, wrong = [], []
for r in rules:
    if r["cycles"] < 1:
        wrong.append("%s holds nothing apart" % r["name"])
    for before in r["from"]:
        for after in r["to"]:
            for early in (True, False):
                name = "-".join((r["name"], before, after, "early" if early else "due"))
                at = trace(name, r, before, after, r["cycles"] - early, apart)
                files.append((name, r["name"], early, at))
traces = json.loads(ndpcheck("--json", *(f[0] for f in files)))["traces"]
for (name, rule, early, at), t in zip(files, traces):
    said = [v["rule"] for v in t["shown"] if v["command"]["line"] == at]
    if (rule in said) != early:
        wrong.append("%s: %s" % (name, said))
pairs = len(traces) // 2
print(len(rules), "rules", pairs, "pairs", *wrong, sep="\n")
sys.exit(bool(wrong) or len(rules) != 34 or pairs < 180)
EOP
holds "each rule is broken a cycle early, and kept in time" python3 each.py "$path"

# --- a trace of ours --------------------------------------------------------------
# With a part a cycle slower every command at the limit of a rule shows.  Of each rule
# the first of them is moved in the trace, and the right part's rules must tell it.
slower='rcd=17 ras=40 rc=56 rp=17 rtp=10 wr=19 ccds=5 ccdl=7 wtrs=4 wtrl=10 rrds=5 rrdl=7
    faw=27 rtrs=3 turn=3 rfc=421'
short='timing.refi=2400' # refreshes come often
"$channel" --mix mix0 --op axpby --throttle none --bytes 8192 --cycles 60000 \
    --set $short --trace ours >/dev/null || fail "no trace of ours"
status 0 '' ours --set $short
# shellcheck disable=SC2046
status 1 '' ours --set $short $(printf ' --set timing.%s' $slower) --limit 1000000
sed -n "s/^ours:\([0-9]*\): cycle .*: '\([a-z_]*\)': \([0-9-]*\) cycles, expected \([0-9]*\), after.*/\2 \1 \3 \4/p" out |
    awk '$3 == $4 - 1 && !seen[$1]++ { print $1, $2 }' >limits
told=$(cut -d ' ' -f 1 limits | sort | tr '\n' ' ')
while read -r rule at; do
    # it comes behind those of its new cycle
    awk -F, -v OFS=, -v at="$at" 'NR == at { $1--; $0 = $0 } { print (NR == 1 ? -1 : $1), NR, $0 }' ours |
        sort -t, -k1,1n -k2,2n >sorted
    moved=$(awk -F, -v at="$at" '$2 == at { print NR }' sorted)
    cut -d, -f3- sorted >moved
    checks=$((checks + 1))
    "$path" moved --set $short --limit 1000000 >out 2>err && fail "'$rule': a command moved goes unseen"
    grep -q "^moved:$moved: cycle .*: '$rule': " out || fail "'$rule' is not told of line $moved"
done <limits
# All but those of rows that close themselves, those of all wires, which no parameter
# has, and rp_all: it closes all rows for a refresh alone.
holds "each rule that this controller comes to the limit of" [ "$told" = "ccdl_rd ccdl_wr \
ccds_rd ccds_wr faw rank_rd rank_rtw rank_wr rank_wtr ras ras_all rc rc_ref rcd rfc rp rp_ref \
rrdl rrds rtp rtp_all rtw wr wr_all wtrl wtrs " ]

done_testing
