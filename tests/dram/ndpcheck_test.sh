#!/bin/sh
# ndpcheck_test.sh - the command line of ndpcheck, from outside: traces of three
# kinds, exit statuses, messages with places, nothing half written.
#
# usage: ndpcheck_test.sh [PATH-OF-NDPCHECK]   (default: $BUILD/ndpcheck, build/ndpcheck)
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpcheck
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh

status 0 '' --help
status 0 '' --version
status 2 "expected a trace, or --rules"
status 2 "unknown option '--josn', did you mean '--json'" --josn
status 2 "unknown preset 'ddr4_240', did you mean 'ddr4_2400'" --rules --preset ddr4_240
status 2 "^--set timing.rc=20: error: 'timing.rc' is 20, expected 39 or more, \
which is 'timing.ras'" --rules --set timing.rc=20
status 2 "'timing.refi' is 100, expected more than the 420" --rules --set timing.refi=100
status 2 "^none: error: cannot read: No such file" none

# --- another tool's own -------------------------------------------------------
# It keeps no gap between writes of two ranks, and no more is wrong with it.
theirs=$top/tests/dram/dramsim3.trace
status 1 '' "$theirs" --limit 0
holds "five writes too near to another rank's" grep -qx '  rank_wr            5 of 15' out
holds "the data bus says the same" grep -qx '  data               5 of 79' out
holds "nothing else" grep -q ' 134 commands .* 10 violations' out
status 0 '' "$theirs" --set timing.rtrs=0
holds "without the gap it is clean" grep -q ' 0 violations' out

# --- rules --------------------------------------------------------------------
status 0 '' --rules
holds "a rule of two parameters" grep -q '^wra_act .* 50  tCWL + tBL + tWR + tRP' out
status 0 '' --rules --preset ddr4_3200
holds "another part" grep -q '^rank_wtr .* -1  tCWL + tBL + tRTRS - tCL' out
status 0 '' --rules --json
holds "reasons are told" grep -q '"reason": "banks open and close rows' out
status 2 "tells of no trace, got 'x'" --rules x

# --- the same commands, of three tools -----------------------------------------
names=cycle,command,channel,rank,group,bank,row,column,source
cat >good <<'EOF'
# an activation, a read, a write in another rank
cycle,command,channel,rank,group,bank,row,column,source

100,ACT,0,0,1,2,0x5,,host
101,ACT,0,1,0,0,7,,host
116,RD,0,0,1,2,5,3,host
126,WR,0,1,0,0,7,127,host
141,PREA,0,0,,,,,host
160,PRE,0,1,0,0,,,host
160,ACT,0,0,0,0,1,,nda
EOF
status 0 '' good
holds "a summary" grep -q '^good: 7 commands in cycles 100 to 160, data bus 13.1 %, .* 0 violations$' out
holds "unchecked refreshes are told of" grep -q 'no refreshes' out
cat >ramulator <<'EOF'
clock,command,Channel,Rank,BankGroup,Bank,Row,Column,type,source
100,ACT,0,0,1,2,5,-1,0,0
101,ACT,0,1,0,0,7,-1,0,0
116,RD,0,0,1,2,5,3,0,0
126,WR,0,1,0,0,7,127,1,0
141,PREab,0,0,-1,-1,-1,-1,-1,-1
160,PREpb,0,1,0,0,-1,-1,-1,-1
EOF
status 0 '' ramulator
status 0 '' ramulator --convert ndp -o from_21
# 2.0: no line of names, no type and source, a blank behind each comma
sed '1d; s/,[^,]*,[^,]*$//; s/,/, /g; s/PREab/PREA/; s/PREpb/PRE/' ramulator >ramulator20
holds "the form of 2.0" grep -qx '116, RD, 0, 0, 1, 2, 5, 3' ramulator20
status 0 '' ramulator20 --json
holds "it is Ramulator's" grep -q '"format": "ramulator"' out
status 0 '' ramulator20 --convert ndp -o from_20
holds "both are the same commands" cmp from_20 from_21
sed 's/^116/115/' ramulator20 >early20
status 1 '' early20
holds "and are judged" grep -q "^early20:3: cycle 115: RD .*'rcd': 15 cycles, expected 16" out
cat >dramsim3 <<'EOF'
100                activate               0   0   1   2      0x5      0x0
101                activate               0   1   0   0      0x7        0
116                read                   0   0   1   2      0x5      0x3
126                write_p                0   1   0   0      0x7     0x7f
125                refresh                0   0   0   0      0x0      0x0
EOF
status 2 '^dramsim3:5:1: error: cycle 125 comes after cycle 126' dramsim3
sed 's/^125 /161 /' dramsim3 >late
status 1 '' late
holds "a row in the way" grep -qx "late:5: cycle 161: REF channel 0 rank 0: 'open': a row \
is open, after the ACT channel 0 rank 0 group 1 bank 2 row 5 of cycle 100, line 1" out

# DRAMsim3 writes -1 for the channel of a refresh and of the precharges before it: that
# of the file, also before another command has told which
cat >refreshed <<'EOF'
20                 refresh               -1   0  -1  -1 0xffffffff 0xffffffff
500                activate               1   0   1   2      0x5        0
516                read                   1   0   1   2      0x5      0x3
560                precharge             -1   0   1   2 0xffffffff 0xffffffff
576                refresh               -1   0  -1  -1 0xffffffff 0xffffffff
996                activate               1   0   1   2      0x6        0
EOF
status 0 '' refreshed --json
holds "refreshes are of the file's channel" python3 -c '
import json
t = json.load(open("out"))["traces"][0]
assert t["channels"] == 1, t["channels"]
assert t["commands"]["REF"] == 2 and t["commands"]["PRE"] == 1, t["commands"]'
status 0 '' refreshed --convert ndp
holds "in whatever form, in their order" sh -c '
    [ "$(cut -d, -f1-3 out | tr "\n" " ")" = "cycle,command,channel 20,REF,1 500,ACT,1 \
516,RD,1 560,PRE,1 576,REF,1 996,ACT,1 " ]'
sed 's/^996 /995 /' refreshed >short
status 1 '' short
holds "a row too soon behind such a refresh" grep -q "^short:6: cycle 995: ACT channel 1 .*'rfc'" out
head -n 1 refreshed >lonely
status 0 '' lonely --convert ndp
holds "0 if no command tells" grep -qx '20,REF,0,0,-1,-1,-1,-1,host' out
{ cat refreshed; echo '997 activate 0 1 0 0 0 0'; } >mixed
status 2 '^mixed:7:14: error: channel 0, expected 1 as before: line 1 has no channel' mixed
{ sed 1,5d mixed; echo '998 refresh -1 0 0 0 0 0'; } >mixed2
status 2 "^mixed2:3:13: error: no channel, and the commands before are of several: \
expected 0 to 1 ('dram.channels')" mixed2
seq 1048577 | sed 's/$/ refresh -1 0 0 0 0 0/' >nameless
status 2 '^nameless:1048576:17: error: 1048576 commands, and none has a channel' nameless

status 2 "^good:10:1: error: an accelerator's command, .* expected --convert ndp or ramulator" \
    good --convert dramsim3 -o lost
holds "nothing is written" sh -c '! [ -e lost ]'
status 0 '' good --convert ramulator
holds "it stays the accelerator's" grep -q '^160,ACT,.*,nda$' out
for kind in ndp ramulator dramsim3; do
    status 0 '' ramulator --convert $kind -o as_$kind
    status 0 '' as_$kind
    holds "a converted trace keeps its commands" grep -q ': 6 commands in cycles 100 to 160' out
done
status 0 '' as_dramsim3 --convert ramulator -o back
holds "there and back" sh -c 'cut -d, -f1-5 back | grep -v PRE >a
    cut -d, -f1-5 ramulator | grep -v PRE >b; cmp a b'
status 2 "'--convert' has no value 'dramsim', did you mean\|dramsim" good --convert dramsim
status 2 "goes without --json" good --convert ndp --json
status 2 "takes one trace, got 2" good good --convert ndp

# --- violations -----------------------------------------------------------------
sed 's/^116,RD/115,RD/' good >early
status 1 '' early
holds "cycle, both commands, bank, rule and slack" grep -qx "early:6: cycle 115: RD \
channel 0 rank 0 group 1 bank 2 row 5: 'rcd': 15 cycles, expected 16, after the ACT \
channel 0 rank 0 group 1 bank 2 row 5 of cycle 100, line 4" out
status 0 '' early --set timing.rcd=15
status 1 '' early good --json
holds "JSON" python3 -c '
import json
r = json.load(open("out"))
assert r["schema"] == "ndpcheck-1"
early, good = r["traces"]
assert early["violations"] == 1 and good["violations"] == 0
v = early["shown"][0]
assert v["rule"] == "rcd" and v["slack"] == -1 and v["cycles"] == 15
assert v["command"]["line"] == 6 and v["before"]["command"] == "ACT"
assert early["rules"]["rcd"]["least_slack"] == -1
assert early["rules"]["rcd"]["slack"]["below 0"] == 1
assert good["rules"]["rcd"]["slack"]["0"] == 1
assert good["commands"]["ACT"] == 3 and good["channels"] == 1'
status 1 '' early --histogram
holds "slacks" grep -q '^rcd  *-1  *1  *0  *0  *0  *0  *1  ' out
{ echo $names; seq 0 99 | sed 's/$/,RD,0,0,0,0,1,0,host/'; } >many
status 1 '' many --limit 3
holds "a limit" sh -c '[ "$(grep -c "^many:[0-9]*: cycle" out)" = 3 ]'
holds "and what it hides" grep -q '^many: [0-9]* more$' out

# --- refreshes ------------------------------------------------------------------
{ echo $names; seq 0 84239 900000 | sed 's/$/,REF,0,0,,,,,host/'; } >postponed
status 1 '' postponed
holds "each in its nine intervals, too few of them" \
    grep -q "^postponed:4: cycle 168478: .*'postponed': .* 149758 cycles, expected 84240 at most" out
holds "nothing else" grep -qx '  postponed          9 of 12' out
{ echo 0,ACT,0,1,0,0,1,,host
seq 9000 9000 180000 | sed 's/$/,REF,0,0,,,,,host/'
echo 190000,RD,0,1,0,0,1,0,host; } >commands
{ echo $names; cat commands; } >forgotten
status 1 '' forgotten
holds "a rank that is never refreshed" grep -qx "forgotten:23: cycle 190000: RD channel 0 rank 1 group 0 bank 0 \
row 1: 'refresh': no refresh for 190000 cycles, expected 84240 at most" out
{ echo $names; { sed '$d' commands; echo 84241,PRE,0,1,0,0,,,host; } | sort -n; } >forgotten
status 1 '' forgotten
holds "at its first command that is too late" grep -q "^forgotten:12: cycle 84241: PRE .*'refresh'" out

# --- other files, and what to do about them --------------------------------------
printf '0x1000 R\n0x2000 W\n' >other
status 2 '^other:1:1: error: a trace of requests for Ramulator 1, expected the commands' other
printf 'W 140736775976056,140736775976056\n' >other
status 2 'a trace of requests for Ramulator 2, expected' other
printf '3 4096\n0 8192 12288\n' >other
status 2 "a trace of requests for Ramulator's processors, expected" other
printf '1950 refresh_bank -1 0 0 0 -0x1 -0x1\n' >other
status 2 "^other:1:1: error: a refresh of single banks, .* RANK_LEVEL_STAGGERED), or --preset" other
printf '\050\265\057\375\n' >other
status 2 'compressed by zstd: zstd -dc FILE | ndpcheck -' other
printf 'BZh91AY\n' >other
status 2 'compressed by bzip2: bzip2 -dc FILE | ndpcheck -' other
printf 'MemcpyHtoD,0x00007f0010000000,128\nkernel-1.trace\n' >other
status 2 'a list of GPU traces for Accel-Sim, expected the commands of a DRAM controller: ndpsim' other
printf '\377\376c\0y\0' >other
status 2 'UTF-16: iconv -f UTF-16 -t UTF-8 FILE' other
tr , ';' <good | sed 1d >other
status 2 "columns between ';', expected ','" other
sed 1d good | tr , '\t' >other
status 2 "columns between tabs, expected ','" other
{ printf '\357\273\277'; sed 1d good; } >other
status 0 '' other

# --- other parts --------------------------------------------------------------------
cat >banks <<'EOF'
10 refresh_bank -1 0 0 1 -0x1 -0x1
26 activate 0 0 0 2 0x5 0
233 activate 0 0 0 1 0x5 0
EOF
status 1 '' banks --preset lpddr4_3200
holds "a row while its bank refreshes" grep -qx "banks:3: cycle 233: ACT channel 0 rank 0 group 0 bank 1 row 5: 'rfc_bank': \
223 cycles, expected 224, after the REFB channel 0 rank 0 group 0 bank 1 of cycle 10, line 1" out
holds "and nothing else" grep -q ' 1 violations$' out
status 0 '' banks --preset lpddr4_3200 --convert ramulator -o banks_ramulator
holds "Ramulator's name" grep -q '^10,REFsb,0,0,0,1,' banks_ramulator
status 0 '' banks_ramulator --convert dramsim3 -o banks_again
status 1 '' banks_again --preset lpddr4_3200 --json
holds "counted" grep -q '"REFB": 1' out
sed 's/^233/234/' banks >other
status 0 '' other --preset lpddr4_3200
status 1 '' other --preset ddr5_3200_fgr
status 2 'a refresh of single banks, which the part does not have' other --preset ddr5_3200
# LPDDR5's halves of commands
cat >halves <<'EOF'
10, ACT-1, 0, 0, 1, 2, 5, 0
12, ACT-2, 0, 0, 1, 2, 5, 0
23, CASRD, 0, 0, 1, 2, 5, 0
25, RD16, 0, 0, 1, 2, 5, 0
EOF
status 0 '' halves --preset lpddr5_6400
holds "half a command is none" grep -q '^halves: 2 commands ' out
status 0 '' --rules --preset hbm2_2000
holds "rules of a part" grep -q '^rcd_rd .* 12  tRCD_RD' out

# --- compressed -------------------------------------------------------------------
gzip -c good >other
status 0 '' other
holds "as it is" grep -q '^other: 7 commands in cycles 100 to 160' out
gzip -c early >other
status 1 '' other
holds "violations have their lines" grep -q '^other:6: cycle 115: RD' out
"$path" - <other >out 2>err
holds "through a pipe" grep -q '^-:6: cycle 115\|^standard input:6: cycle 115' out
head -c 90 other >cut
status 2 '^cut: error: cannot read: what is compressed there is damaged, or was cut off' cut

# --- traces that are none ---------------------------------------------------------
bad() { # pattern, lines of a trace...
    want=$1
    shift
    printf '%s\n' "$@" >bad
    status 2 "$want" bad
}
: >empty
status 2 '^empty: error: an empty trace' empty
bad '^bad:1:1: error: neither a line of column names' 'hello world'
bad '^bad:1:1: error: neither a line of column names' 'a,b,c'
bad "^bad:1:4: error: unknown command 'b'" '5, b, c'
bad "^bad:1:1: error: no column 'bank'" cycle,command,rank,group
bad "^bad:2:1: error: a refresh of single banks" $names 5,REFpb,0,0,0,0,0,0
bad "^bad:2:1: error: the line ends before the bank" $names 5,REFpb,0,0
bad "^bad:2:9: error: rank 2, expected 0 to 1 ('dram.ranks')" $names 5,ACT,0,2,0,0,0,0
bad "^bad:2:7: error: channel 9, expected 0 to 1 ('dram.channels')" $names 5,ACT,9,0,0,0,0,0
bad "^bad:2:13: error: expected the bank, got 'x'" $names 5,ACT,0,0,0,x,0,0
bad "^bad:2:1: error: expected the cycle, got '5.5'" $names 5.5,ACT,0,0,0,0,0,0
bad "^bad:2:1: error: the line ends before the bank" $names 5,ACT,0,0,0
bad "^bad:2:1: error: cycle -5, expected 0 to" $names -5,ACT,0,0,0,0,0,0
bad "^bad:2:11: error: expected the group, got ''" $names 5,ACT,0,0,,0,0,0
bad "^bad:3:1: error: cycle 4 comes after cycle 5" $names 5,ACT,0,0,0,0,0,0 4,PRE,0,0,0,1,0,0
bad "^bad:2:1: error: more than 16 fields" $names 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17

printf '%s\n' keep >kept
cp kept was
status 2 "more than 16 fields" bad -o kept
holds "bad input leaves the file alone" cmp kept was
"$path" - <good >out 2>err || fail "it does not read standard input"
full_disk good

done_testing
