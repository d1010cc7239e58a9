#!/bin/sh
# ndpgen_test.sh - the command line of ndpgen, from outside: exit statuses, messages,
# equal bytes, nothing left behind.
#
# usage: ndpgen_test.sh [PATH-OF-NDPGEN]   (default: $BUILD/ndpgen, build/ndpgen)
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
program=ndpgen
presets=$(ls lib/config/presets/*.yml | wc -l)
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
ndpgen=$path

same_tree() { diff -r "$1" "$2"; }
only() { [ "$(find . -mindepth 1 -maxdepth 1 | sort | tr '\n' ' ')" = "$1" ]; }

# --- what it says -------------------------------------------------------------
status 0 '' --help
status 0 '' --version
status 0 '' --list-targets
holds "the block is listed" grep -q '^nbu ' out
status 0 '' --list-presets
holds "every preset is listed" sh -c \
    "[ \"\$(wc -l <out)\" = $presets ]"
holds "a preset says what it is" grep -q \
    '^mesh_corners *memory nodes in pairs at the four corners of the mesh$' out
status 0 '' --list-presets --json
holds "presets as JSON" grep -q '"name": "mesh_top_bottom"' out
status 0 '' --address 0x12345680
holds "an address has a place" grep -qx 'address 0x12345680: channel 1 rank 1 group 0 bank 3 row 582 column 46 byte 0' out
status 0 '' --location 1,1,0,3,582,46
holds "and a place its address" grep -q '^address 0x12345680: ' out
status 0 '' --address 0x7ffffffff --json
holds "as JSON" grep -q '"row": 4095, "column": 127, "byte": 63, "shared": true}' out
status 2 "option '--address' is 0x800000000, expected\|0x800000000" --address 0x800000000
status 2 "'--location' expects CHANNEL,RANK" --location 1,1,0
status 2 "no bijection" --address 0 --set 'dram_map.bank=[[17, 21], [7, 14]]'
status 2 "expected one of --list-targets, .* --address, --location, --operands and --allocate" --address 0 --list-params
status 2 "makes no folder, expected no option '--out'" --address 0 -o x
status 0 '' --allocate x=1048576,y=1048576
holds "operands get system rows of one colour" sh -c \
    '[ "$(grep -c "^operand [xy]: 0x100000 bytes at \(0x[0-9a-f]* (colour 0) *\)\{2\}\$" out)" = 2 ]'
holds "each rank has a share" grep -qx 'channel 1 rank 1: 0x40000 bytes of each' out
status 0 '' --allocate x=64,y=64 --colour 3 --json
holds "a colour is kept, as JSON" grep -q '"rows": \[{"address": 34359214080, "colour": 3}\]' out
status 0 '' --operands x=0x7c0000000+65536,y=0x7c0200000+65536
status 2 "'x' and 'y' are in two ranks: byte 0x0 of 'x' is 0x7c0000000 in channel 0, rank 0, of 'y' 0x7c0100000 in channel 0, rank 1: system rows of colours 0 and 1" \
    --operands x=0x7c0000000+65536,y=0x7c0100000+65536
status 2 "operand 'x': the host alone has 0x40" --operands x=0x40+64
status 2 "'--operands' expects NAME=ADDRESS+BYTES,..., got 'x'" --operands x
status 2 "colour 4, expected 0 to 3" --allocate x=64 --colour 4
status 2 "'--colour' goes with '--allocate'" --operands x=0x7c0000000+64 --colour 1
status 0 '' --list-params --preset small
holds "a parameter is listed" grep -q '^nbu.warps = 8 ' out
status 0 '' --list-params --json --set nbu.policy=far
holds "the value is listed" grep -q '"value": "far"' out

# --- bad input ----------------------------------------------------------------
status 2 "no target, expected"
status 2 "no output folder, expected -o" --target nbu
status 2 "unknown target 'nbuu', did you mean 'nbu'" --target nbuu -o x
status 2 "unknown preset 'smal', did you mean 'small'" --target nbu \
    --preset smal -o x
status 2 "unknown option '--taget', did you mean '--target'" --taget nbu
status 2 "given twice" --target nbu --target nbu -o x
status 2 "unexpected argument" --target nbu -o x more
status 2 "prefix '9a' cannot begin a name" --target nbu --prefix 9a -o x
status 2 "prefix 'a-' cannot begin a name" --target nbu --prefix a- -o x
status 2 "cannot read 'none.yml'" --target nbu --config none.yml -o x
status 2 "templates folder 'none'" --target nbu --templates none -o x
status 2 "'nbu.tsv_width' must divide" --target nbu --set nbu.lanes=4 \
    --set nbu.tsv_width=1024 -o x
status 2 "makes no folder" --list-params -o x

# a preset that says nothing of the target
status 0 "^warning: preset 'tom' sets nothing that target 'system' uses: these are \
its defaults, and its paper's sizes are preset 'plain'" --target system --preset tom -o x
rm -r x
status 0 '' --target system --preset plain -o x
rm -r x
status 0 '' --target nbu --preset mpu -o x
rm -r x

# a machine by its paper, by its name, and one of the machine's smaller forms
machine() { # PRESET, which it is
    status 0 "^note: the machine of preset '$1' is target '$2' at preset '$3'" \
        --target system --preset "$1" -o x
    holds "'$1' is the machine '$2' at '$3'" \
        grep -q "^# ndpgen --target $2 --preset $3\$" x/config.yml
    rm -r x
}
machine omni chained chained
machine omni-small chained chained_small
machine omni_small chained chained_small
machine cluster_tiny cluster cluster_tiny
status 0 "^warning: preset 'tom' sets nothing" --target system --preset tom -o x
rm -r x # of a paper without a machine
status 2 "unknown preset 'omni-smal'" --target system \
    --preset omni-smal -o x
holds "no note without a machine" sh -c '! grep -q ^note: err'
status 2 "'noc.lanes' must be 1" --target system --preset omni-small \
    --set noc.lanes=2 -o x
status 0 '' --target nbu --preset mpu -o x # no other target has such presets
holds "no other target is another" sh -c '! grep -q ^note: err'
rm -r x

# several mistakes are all told
status 2 "unknown target" --target nb --preset smal --set a.b=1 \
    --set nbu.lanes=7 --prefix '!' -o x
for word in "preset 'smal'" "'a.b'" "'nbu.lanes'" "prefix '!'"; do
    holds "all mistakes are told, '$word' too" grep -q "$word" err
done

printf 'nbu:\n  warps: many\n  lane: 8\n' >bad.yml
status 2 "^bad.yml:2:10: error:" --target nbu --config bad.yml -o x
holds "the second mistake of a file is told" grep -q '^bad.yml:3:3: error:' err

mkdir mine
printf 'module m;\n${L.WARPZ}\nendmodule\n' >mine/ndp_nbu.v
status 2 "^mine/ndp_nbu.v:2:5: error: unknown derived size 'WARPZ', did" \
    --target nbu --templates mine -o x
holds "bad input makes no folder" absent x

# --- a mesh -------------------------------------------------------------------
status 0 '' --list-params --json --set mesh.memory_nodes=4,2
holds "a list is a list" sh -c 'tr -d " \n" <out | grep -q "\"value\":\[4,2\]"'
printf 'mesh:\n  memory_nodes: [4, 63]\n' >nodes.yml
status 2 "^nodes.yml:2:3: error: 'mesh.memory_nodes' lists 63, expected nodes 0 \
to 15 of the mesh of 4 x 4" --target emn --preset small --config nodes.yml -o x
status 2 "^--set mesh.height=7: error: 'mesh.memory_nodes' lists 63" \
    --target emn --config nodes.yml --set mesh.height=7 -o x
status 2 "use 'emn.form' = logic" --target emn --set mesh.width=32 \
    --set mesh.height=32 --set "mesh.memory_nodes=$(seq -s, 0 16)" -o x
status 2 "^--set emn.core=64: error: 'emn.core' is 64, expected a node 0 to 63" \
    --target emn --set emn.core=64 -o x
holds "bad questions make no file" absent x
rm -f nodes.yml

# --- parameters of other targets ----------------------------------------------
status 0 '' --target emn -o emn
status 0 "^warning: target 'emn' does not use 'nbu.warps'" --target emn \
    --set nbu.warps=7 -o emn_too
holds "they leave every byte as it is" same_tree emn emn_too
holds "and are in no file" sh -c '! grep -rq --exclude-dir=docs nbu emn'
status 0 '' --list-params --target emn
holds "a target's own are listed" sh -c 'grep -q ^mesh.width out && ! grep -q ^nbu out'
rm -r emn emn_too

# --- the paper's figures ------------------------------------------------------
status 0 '' --target offload --preset tom -o figures --json
holds "the manifest has the paper's figures" sh -c \
    'tr -d " \n" <out | grep -q "\"name\":\"table_bits\",\"what\":\"metadatatable\
\",\"ours\":9840,\"paper\":10320,\"unit\":\"bits\""'
holds "and so has the data sheet" grep -q \
    '^| metadata table | 9840 | 10320 | bits |$' figures/ndp_offload.md
status 0 '' --target prefetch --preset image -o figures --json
holds "the entry beside 76 bits" sh -c \
    'tr -d " \n" <out | grep -q "\"ours\":100,\"paper\":76,"'
status 0 '' --target credit -o figures --json
holds "no figures, an empty list" grep -q '"figures": \[\]' out
rm -r figures

# --- registers for LiteX's tools ----------------------------------------------
# the same as in the C headers, in bytes; the format is that of csr_builder.py
status 0 '' --target system --preset tiny -o machine
cat >rows.awk <<'END'
$2 == "NDP_SYSTEM_BASE_HOST" { base["HOST"] = $3 }
$2 ~ /^NDP_(SYSTEM|HOST)_ADR_/ {
    part = $2 ~ /^NDP_HOST/ ? "HOST" : "SYSTEM"
    sub(/^NDP_[A-Z]*_ADR_/, "", $2)
    printf "%s 0x%08x\n", tolower(part "_" $2), 4 * ($3 + base[part])
}
END
awk -f rows.awk machine/ndp_system.h machine/ndp_host.h | sort >want
sed -n 's/^csr_register,\([a-z_]*\),\(0x[0-9a-f]*\),1,r[ow]$/\1 \2/p' \
    machine/csr.csv | sort >got
holds "csr.csv has all registers" sh -c '[ -s want ] && diff want got'
holds "and no line of another form" sh -c "! grep -vE '^(#|csr_base,[a-z_]+,\
0x[0-9a-f]{8},,\$|csr_register,([a-z_]+,0x[0-9a-f]{8},1,r[ow])\$|\
constant,config_(csr_data|bus_address)_width,32,,\$)' machine/csr.csv |
    grep ."
holds "a write is rw, what is only read is ro" sh -c \
    'grep -q "^csr_register,host_op,.*,rw$" machine/csr.csv &&
     grep -q "^csr_register,host_warps,.*,ro$" machine/csr.csv'
status 0 '' --target uartbone -o bridge
holds "none without registers" sh -c '[ ! -e bridge/csr.csv ]'
rm -r machine bridge rows.awk want got

# --- the folder ---------------------------------------------------------------
status 0 '' --target nbu --preset small -o one
status 0 '' --target nbu --preset small -o one
mkdir -p deep/er
(cd deep/er && LC_ALL=de_DE.UTF-8 TZ=Asia/Kolkata "$ndpgen" \
    --preset=small -o ../../two -t nbu) || fail "it runs elsewhere"
holds "folder, locale and time zone do not matter" same_tree one two
cp one/config.yml again.yml
status 0 '' --target nbu --config again.yml -o three
holds "the echoed configuration gives the same hash" sh -c \
    'grep \"hash\" one/manifest.json | head -n 1 >a
     grep \"hash\" three/manifest.json | head -n 1 >b; cmp a b'
if command -v script >/dev/null 2>&1; then
    holds "on a terminal it says what it made" sh -c "script -qec \
        '$ndpgen --target emn -o said' /dev/null | grep -q '^said: [0-9]* files'"
    rm -rf said
fi
status 0 '' --target nbu --preset small -o two --json
holds "--json prints the manifest" cmp out two/manifest.json
printf 'nbu:\n  warps: 16\n' >c.yml
status 0 '' --target nbu --preset small --config c.yml --set nbu.lanes=4 -o two
holds "file and --set go over the preset" grep -q '"nbu.warps": 16' \
    two/manifest.json
holds "--set goes over the file" grep -q '"nbu.lanes": 4' two/manifest.json
holds "no folder is named in the output" sh -c "! grep -r '$room' two"

mkdir theirs && echo x >theirs/file
status 2 "'theirs' exists and was not made by ndpgen" --target nbu -o theirs
"$ndpgen" --target emn -o own >out 2>err && echo x >own/notes
status 2 "'own/notes' was not made by ndpgen" --target emn -o own
holds "a file of the user's stays" grep -q x own/notes
status 0 '' --target emn -o own --force
holds "--force replaces it" absent own/notes
rm -rf own
status 2 "'c.yml' exists and is no folder" --target nbu -o c.yml
status 2 "cannot use 'c.yml/x'" --target nbu -o c.yml/x
full_disk --list-params

status 0 '' --target dram_monitor --preset small -o codes
holds "the sheet has the values of a field" grep -qx '| 7 | `REF` | refresh a rank |' codes/ndp_dram_monitor.md
rm -r codes

# a run that was killed leaves its folder to the next one; one at work keeps its own
mkdir -p killed/.ndpgen-AbCdEf/rtl killed/.ndpgen-stranger killed/.ndpgen-GhIjKl
echo x >killed/.ndpgen-AbCdEf/rtl/half.v
touch -d '2001-01-01' killed/.ndpgen-AbCdEf killed/.ndpgen-stranger
status 0 '' --target credit --preset small -o killed/credit
holds "what a killed run left is gone" absent killed/.ndpgen-AbCdEf
holds "a new one may be of a run at work" [ -d killed/.ndpgen-GhIjKl ]
holds "another name is not ours" [ -d killed/.ndpgen-stranger ]
rm -r killed
(ulimit -f 8; "$ndpgen" --target nbu -o new/four >out 2>err)
[ $? = 2 ] || fail "a full disk in the folder exits with 2"
holds "a full disk leaves nothing" absent new

# --- killed in the middle -----------------------------------------------------
"$ndpgen" --target nbu --preset mpu -o one || fail "it replaces its folder"
cp -r one before
for signal in TERM INT HUP; do
    for delay in 0 0.002 0.004 0.006 0.008 0.01; do
        "$ndpgen" --target nbu --preset mpu -o one 2>/dev/null &
        sleep $delay
        kill -$signal $! 2>/dev/null
        wait $! 2>/dev/null
    done
done
holds "a killed run changes nothing" same_tree before one
holds "nothing is left behind" only "./a ./again.yml ./b ./bad.yml ./before \
./c.yml ./deep ./err ./mine ./one ./out ./theirs ./three ./two ./why "

# --- two configurations in one design -----------------------------------------
if command -v iverilog >/dev/null 2>&1; then
    status 0 '' --target nbu --preset small --prefix left_ -o left
    status 0 '' --target nbu --preset small --set nbu.warps=4 \
        --prefix right_ -o right
    holds "two configurations compile together" iverilog -g2005 -t null \
        -s left_ndp_nbu_tb -s right_ndp_nbu_tb left/rtl/*.v left/tb/*.v \
        right/rtl/*.v right/tb/*.v
    holds "the file list compiles" sh -c \
        'cd one && iverilog -g2005 -t null -s ndp_nbu -f ndp_nbu.f'
fi
if command -v cc >/dev/null 2>&1; then
    printf '#include "one/ndp_nbu.h"\nint x[NDP_NBU_WARPS == 48 ? 1 : -1];\n' \
        >h.c
    holds "the C header compiles" cc -std=c99 -Wall -Werror -pedantic \
        -fsyntax-only h.c
fi

done_testing
