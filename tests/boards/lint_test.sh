#!/bin/sh
# lint_test.sh - the tops of the boards, and the command line of board.sh.
#
# The RTL of each board, as 'board.sh --rtl' leaves it, goes through Icarus and
# Verilator with all warnings on, with the simulation's clock and with the
# board's own; any word of a tool is a failure.  The tops of an HX8K and of MPU's
# core answer over their pins.  Prints a line a check that failed, and a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=lint
NDPGEN=$path
BUILD=$room/build
JOBS=1
export NDPGEN BUILD JOBS
path=$room/board
printf '#!/bin/sh\nexec sh "%s/scripts/board.sh" "$@"\n' "$top" >"$path"
chmod +x "$path"

# what a tool says is a failure, too
silent() { said=$("$@" 2>&1) && [ -z "$said" ] || { echo "$said"; false; }; }
have() { command -v "$1" >/dev/null 2>&1; }

status 0 '' --list
boards=$(awk '{ print $1 }' out)
holds "there are four" [ "$(echo "$boards" | wc -l)" = 4 ]
for b in $boards ulx3s-mpu_core ulx3s-image ulx3s-cluster; do
    case $b in
    *-mpu_core) set -- --machine "mpu_core:$top/docs/examples/mpu_85f.yml" ;;
    *-image) set -- --machine "image:$top/docs/examples/image_85f.yml" ;;
    *-cluster) set -- --machine cluster:cluster_tiny ;;
    *) set -- ;;
    esac
    status 0 '' "${b%-*}" "$@" --rtl -o "$room/$b"
    cd "$room/$b" || exit 2
    ! have iverilog || holds "Icarus takes $b" silent \
        iverilog -g2005 -Wall -t null -s top -f board.f
    if have verilator; then
        holds "Verilator takes $b" silent \
            verilator --lint-only -Wall --top-module top -F board.f
        holds "Verilator takes $b with its clock" silent \
            verilator --lint-only -Wall --top-module top \
            "$top/tests/boards/primitives.v" -F synth.f
    fi
    cd "$room" || exit 2
done

# --- FuseSoC, where it is installed --------------------------------------------
if have fusesoc; then
    for t in lint sim; do
        holds "FuseSoC has target $t" fusesoc --cores-root hx8k run \
            --build-root "$room/fusesoc" --target $t ndp_board_hx8k
    done
fi

# --- it answers ---------------------------------------------------------------
if have iverilog; then
    for b in hx8k ulx3s-mpu_core; do
        (cd $b && iverilog -g2005 -s top_tb -o ../top.vvp -f board.f sim/top_tb.v) \
            >why 2>&1
        vvp -n top.vvp >said 2>&1
        target=system id=4e445012
        [ $b = hx8k ] || target=mpu_core id=4e445023
        hash=$(sed -n 's/.*"hash": "\([0-9a-f]\{16\}\)".*/\1/p' \
            $b/rtl/$target/manifest.json | head -n 1)
        cat >wanted <<END_OF_WANTED
20000000: 4e445001
00000000: $id
00000001: ${hash#????????}
00000002: ${hash%????????}
END_OF_WANTED
        holds "the top of $b answers" diff wanted said
    done
fi

# --- the command line ---------------------------------------------------------
status 2 "did you mean 'icebreaker'" icebraker
status 2 'no board, expected one of: arty hx8k' -o here
status 2 "unknown argument '--fast'" hx8k --fast
status 2 "'--seeds' is '0'" hx8k --seeds 0
status 2 "'-o' needs a value" hx8k -o
status 2 "expected one board" hx8k ulx3s
status 2 "expected TARGET:CONFIGURATION" ulx3s --machine mpu_mesh
status 2 "'mpu_core_tiny' is of target mpu_core" ulx3s --machine system:mpu_core_tiny
status 2 "'nbu' is no machine that its bus alone drives" ulx3s --machine nbu:small
status 2 "got both" ulx3s --machine mpu_core:tiny --block nbu
status 2 "unknown preset 'tinny'" ulx3s --rtl -o none --machine mpu_core:tinny
status 2 "unknown key 'simt.warp'" hx8k --rtl -o none --set simt.warp=3
mkdir mine && : >mine/letter
status 2 "was not made by board.sh" hx8k --rtl -o "$room/mine"
holds "what others made is left" [ -e mine/letter ]
holds "nothing half-written" [ -z "$(ls -d ./*.new.* 2>/dev/null)" ]
status 2 "no bitstream in" hx8k --flash -o "$room/hx8k"
done_testing
