#!/bin/sh
# run_test.sh - a sweep run as a whole, interrupted and resumed, with half-made
# folders, and by GNU parallel: one table.
#
# usage: run_test.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
me=run_test.sh
. tests/sweep/room.sh

# A build folder whose ndpgen notes each call, and does once what is asked.
real=$BUILD
mkdir "$room/build"
for f in "$real"/*; do
    case $f in */ndpgen | */cosim) ;; *) ln -s "$f" "$room/build/" ;; esac
done
cat >"$room/build/ndpgen" <<END
#!/bin/sh
case \$* in *--target*)
    echo call >>"$room/calls"
    if [ -e "$room/stop" ] && [ "\$(grep -c . "$room/calls")" = 3 ]; then
        rm "$room/stop"
        kill -INT 0
        sleep 5
    fi
    if [ -e "$room/full" ]; then
        rm "$room/full"
        echo "o/x.v: error: cannot write: No space left on device" >&2
        exit 2
    fi ;;
esac
exec "$real/ndpgen" "\$@"
END
chmod +x "$room/build/ndpgen"
BUILD=$room/build
sweep() { # FOLDER OPTION...
    : >"$room/calls"
    to=$room/$1
    shift
    sh scripts/sweep.sh "$room/six.yml" --out "$to" "$@"
}
# cosim.sh calls ndpgen only for RTL, and here there is none
calls() { grep -c . "$room/calls"; }
same() { # FOLDER: its table is that of the first run
    expect "the table of '$1' is another" cmp -s "$room/whole/sweep.csv" \
        "$room/$1/sweep.csv"
}
no_rest() { # FOLDER
    expect "something half-made is left in '$1'" [ -z "$(find "$room/$1" \
        -name 'work.*' -o -name '*.new')" ]
}

# --- whole -----------------------------------------------------------------------

status 0 sweep whole
says '6 configurations: 4 measured, 2 refused, 0 failed, 0 to do'
expect 'each is generated once' [ "$(calls)" = 6 ]
csv=$room/whole/sweep.csv
expect 'a row each' [ "$(wc -l <"$csv")" = 7 ]
expect 'columns' [ "$(head -n 1 "$csv")" = "configuration,sweep,target,preset,\
hash,seed,mesh.memory_nodes,mesh.width,mesh.height,status,reason,rtl_files,\
rtl_lines,rtl_bytes,lockstep,lockstep_cycles,lockstep_covers,tools,command" ]
expect 'a refused one has its reason' grep -q \
    '^emn-width2-height2-.*,2,2,refused,".mesh.memory_nodes. lists 6, expected' \
    "$csv"
expect 'a measured one has its values' grep -q \
    '^emn-width4-height2-.*,4,2,ok,,[0-9]*,[0-9]*,[0-9]*,equal,300,[0-9]*,ndpgen ' "$csv"
expect 'and its commands' grep -q "build/ndpgen --target emn -o \
out/emn-width4-height4-[0-9a-f]* --preset mesh --set 'mesh.memory_nodes=\[1,6\]' \
--set mesh.width=4 --set mesh.height=4; sh scripts/cosim.sh TARGET=emn" "$csv"
lines=$(sed -n 's/^emn-width4-height4-.*,ok,,[0-9]*,\([0-9]*\),.*/\1/p' "$csv")
"$real/ndpgen" --target emn --preset mesh --set 'mesh.memory_nodes=[1,6]' \
    --set mesh.width=4 --set mesh.height=4 -o "$room/rtl"
expect 'lines are those of the RTL' [ "$lines" = "$(cat "$room"/rtl/rtl/* | wc -l)" ]
no_rest whole
if command -v gnuplot >/dev/null 2>&1; then
    expect 'a picture each' [ -s \
        "$room/whole/emn-rtl_lines-over-mesh.width-by-mesh.height.svg" ]
    expect 'a picture of some rows' grep -q '3 configurations' \
        "$room/whole/emn-rtl_bytes-over-mesh.width-2.svg"
fi

# those that none beats in both columns, by the first
printf '%s\n' sweep,x,y s,4,7 s,1,9 s,2,9 s,2,5 s,3,6 s,5,1 >"$room/front.csv"
expect 'a front' [ "$(awk -v sweep=s -v x=x -v y=y -v by=- -v log_axes=f -v where= \
    -f scripts/sweep/csv.awk -f scripts/sweep/plot.awk "$room/front.csv" |
    sed -n '/^\$front/,/^END/p' | tr '\n' ' ')" = '$front << END 1 9 2 5 5 1 END ' ]

status 0 sweep whole
expect 'nothing is done again' [ "$(calls)" = 0 ]
same whole

# --- interrupted -----------------------------------------------------------------

touch "$room/stop"
: >"$room/calls"
# in a group of its own, and with a SIGINT that this shell may not have
status 1 setsid -w env --default-signal=INT sh scripts/sweep.sh "$room/six.yml" \
    --out "$room/cut"
says 'interrupted; the same command goes on from here'
says '1 measured, 1 refused, 0 failed, 4 to do'
no_rest cut

# One that a kill left: values and all, but not in place; and a result that was
# made of something else.
half=$(echo "$room"/cut/emn-width3-height4-*)
mkdir "$half/work.$(uname -n).99999999"
cp "$(echo "$room"/whole/emn-width3-height4-*)/result" \
    "$half/work.$(uname -n).99999999/"
sed 's/^rtl_lines.*/rtl_lines	7/' \
    "$half/work.$(uname -n).99999999/result" >"$half/result.new"
other=$(echo "$room"/cut/emn-width4-height4-*)
printf 'key\t0123\nstatus\tok\nrtl_lines\t7\n' >"$other/result"
status 0 sweep cut
expect 'what was done is not done again' [ "$(calls)" = 4 ]
same cut
rm -f "$half/result.new"
no_rest cut

# --- a machine that fails ---------------------------------------------------------

touch "$room/full"
status 1 sweep ill
says '4 measured, 1 refused, 1 failed, 0 to do'
says 'cannot write: No space left on device'
status 0 sweep ill
expect 'only what failed is done again' [ "$(calls)" = 1 ]
same ill

# --- two at a time, and by GNU parallel --------------------------------------------

status 0 sweep two --jobs 2
same two
if command -v parallel >/dev/null 2>&1; then
    : >"$room/calls"
    status 0 sh scripts/sweep.sh --plan "$room/six.yml" --out "$room/a far 'one"
    status 0 parallel --will-cite -j 2 --joblog "$room/joblog" \
        <"$room/a far 'one/manifest"
    expect 'a line of the manifest each' [ "$(wc -l <"$room/joblog")" = 7 ]
    status 0 sh scripts/sweep.sh --collect "$room/a far 'one"
    expect 'each is generated once' [ "$(calls)" = 6 ]
    same "a far 'one"
else
    echo "$me: NOT TESTED: GNU parallel is not on this machine; sh" \
        "scripts/setup.sh --tests installs it" >&2
fi
done_with
