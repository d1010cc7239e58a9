#!/bin/sh
# summary_test.sh - the first part of docs/proofs.md (summary.sh) on two blocks
# made up for it: what is proved, and each kind of hole.
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd) || exit 2
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

# says LINE - it stands in the page
says() {
    if grep -qxF -e "$1" "$room/page"; then
        passed=$((passed + 1))
    else
        echo "summary_test.sh: no '$1' in:" >&2
        cat "$room/page" >&2
        failed=$((failed + 1))
    fi
}

cd "$room" || exit 2
mkdir -p tests/formal tests/one tests/formal work rtl-templates/one \
    rtl-templates/common
cp "$here/summary.sh" "$here/summary.awk" tests/formal
echo '| `bounded` | why |' >tests/formal/proofs.head
cat >tests/one/proofs.txt <<'END'
# the jobs
part    ndp_one_part pdr 4 60 tiny cut=away
bounded ndp_one_late bmc 7 60 tiny
unsaid  ndp_one_late bmc 8 60 tiny only=q_*
rules   ndp_one_rules pdr 4 60 tiny only=p_*
END
echo 'ndp_one_part.v part p_right s/a/b/' >tests/one/breaks.txt
for m in one one_part one_late one_inner one_cut two; do
    touch "rtl-templates/one/ndp_$m.v"
done
touch rtl-templates/common/ndp_queue.v

# module FILE OUTPUTS [INSTANCE-LINES]
module() {
    {
        echo "module $(basename "$1" .v) ("
        echo "    input  wire        clk, // output wire unseen"
        for o in $2; do echo "    output reg  [3:0]  $o, // an output"; done
        echo ");"
        printf '%s\n' "${3:-}"
    } >"$1"
}
d=made/one
mkdir -p $d/rtl $d/formal made/two/rtl made/two/formal
module $d/rtl/ndp_one.v "ready valid data" '    ndp_one_part part (
    ndp_one_late late ('
module $d/rtl/ndp_one_part.v "sum carry" '    ndp_one_inner inner (
    ndp_one_common_queue #(
        .DEPTH (2)
    ) waiting (
    ndp_one_cut away ('
for m in inner cut common_queue; do module $d/rtl/ndp_one_$m.v x; done
module $d/rtl/ndp_one_late.v "late"
module $d/rtl/ndp_one_regs.v "dat"
echo 'p_right: assert (sum == a); // carry' >$d/formal/ndp_one_part_formal.vh
echo 'p_late: assert (late);' >$d/formal/ndp_one_late_formal.vh
printf '%s\n' '    always @* if (f_runs && !valid) begin' \
    '        p_zero: assert (data == 0);' '    end' \
    '    always @* q_x: assume (ready);' >$d/formal/ndp_one_rules.v
echo '#define NDP_ONE_N_REGISTERS 5' >$d/ndp_one.h
module made/two/rtl/ndp_two.v "y" '    ndp_two_one_part part ('
module made/two/rtl/ndp_two_one_part.v "sum carry"
module made/two/rtl/ndp_two_one_regs.v "dat"
printf '        p_zero: assert (y == 0);\n' >made/two/formal/ndp_two_rules.v
cp -R made/one work/rtl-one-tiny
cat >ndpgen <<'END'
#!/bin/sh
case $1 in
--list-targets) printf 'one small a block\ntwo small of parts\n' ;;
*) mkdir -p "$6" && cp -R "made/$2/." "$6" ;;
esac
END
chmod +x ndpgen
printf '%s\t%s\t%s\t%s\n' part p_right proved pdr part p_other proved pdr \
    part c_goal reached 'after 2 edges' part time seconds 3 \
    bounded 'p_late[0].x' bounded 'depth 7' bounded 'p_late[1].x' bounded 'depth 7' \
    unsaid q_late bounded 'depth 8' rules p_zero proved pdr >work/table.tsv
if ! NDPGEN=./ndpgen sh tests/formal/summary.sh work >page 2>err; then
    echo "summary_test.sh: summary.sh failed: $(cat err)" >&2
    failed=1
fi

says '| `one` | 3 | 3 | 1 | 2 | 1 | 3 | 5, no job | 1 |'
says '| `two` | - | - | - | 0 | 0 | 1 | none | - |'
says '| `shared` | - | - | - | 0 | 1 | 0 | none | - |'
says '| **all** | **3** | **3** | **1** | **2** | **2** | **4** | | **1** |'
says '- **Blocks without a proof of their own**: `two`. The parts that they have from other blocks are'
says '- **Rules of channels without a job**: `ndp_two_rules.v`.'
says '  - one: `ndp_one` (but for the rules of its channels), `ndp_one_cut`, `ndp_one_regs`'
says '  - one: `ndp_one_inner`'
says '  - shared: `common_queue`'
says '- **Properties that are only bounded (3)**:'
says '  - `bounded`, depth 7: `p_late[*].x`'
says '  - `unsaid`, depth 8: `q_late` (**no reason given below**)'
says '  - ndp_one: `ready`'
says '  - ndp_one_part: `carry`'
says '- **Properties that no break has made fail**: 5 of 6.'
says '  Jobs without any: `bounded`, `unsaid`, `rules`.'

# a register map with a job is one that is proved
echo 'regs ndp_one_regs pdr 4 60 tiny' >>tests/one/proofs.txt
NDPGEN=./ndpgen sh tests/formal/summary.sh work >page 2>err
says '| `one` | 3 | 3 | 1 | 3 | 1 | 2 | 5, proved | 1 |'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
