#!/bin/sh
# refused_test.sh - machines that are not there, die or are others, and what a
# machine refuses or stops, on the RTL.
#
# usage: refused_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=refused_test.sh
. tests/common/room.sh
needs "$build/ndprun"
ndprun=$build/ndprun

add=tests/runtime/add.yml

# --- configurations and descriptions ---------------------------------------------

printf 'simt:\n  lanes: 4\n  alu: 2\n' >"$room/slip.yml"
status 2 "$ndprun" $add --device "golden:$room/slip.yml"
says err "$room/slip.yml:3:3: unknown"
says err "did you mean 'simt.alus'"
printf 'simt:\n  lanes: 3\n' >"$room/odd.yml"
status 2 "$ndprun" $add --device "golden:$room/odd.yml"
says err "$room/odd.yml:2:"
printf 'base: %s\nblock: [9]\n' "$PWD/$add" >"$room/wide.yml"
status 2 "$ndprun" "$room/wide.yml" --device golden:tiny
says err "a block of 9 x 1 x 1 threads is more than the 8 that the device has"
says err "of another size (--set KEY=VALUE) or the executor (--device exec)"
printf 'base: %s\nkernel: k\nptx: %s\narguments: []\n' "$PWD/$add" \
    "$room/self.ptx" >"$room/self.yml"
cat >"$room/self.ptx" <<'END'
.version 8.3
.target sm_90
.address_size 64
.func f()
{
	call.uni f, ();
	ret;
}
.visible .entry k()
{
	call.uni f, ();
	ret;
}
END
status 2 "$ndprun" "$room/self.yml" --device golden:tiny
says err "self.ptx:6:2: error: no instructions for 'call.uni': the call of 'f', which calls itself"
says err "self.ptx: note: the executor may run it (--device exec)"
printf 'base: %s\narguments: [n, a, b]\n' "$PWD/$add" >"$room/few.yml"
status 2 "$ndprun" "$room/few.yml" --device golden:tiny
says err "has 4 parameters, found 3 arguments"

# --- programs that are no machine ------------------------------------------------

"$build/ndpgen" --target system --preset tiny -o "$room/tiny" >/dev/null || exit 2
"$build/ndpgen" --target system --preset small -o "$room/small" >/dev/null || exit 2
status 2 "$ndprun" $add --device "verilator:$room/tiny"
says err "there is no '$room/tiny/verilator/machine', make it with: sh scripts/machine.sh verilator $room/tiny"

# as SCRIPT - the program of $room/tiny is that
as() {
    mkdir -p "$room/tiny/verilator"
    printf '#!/bin/sh\n%s\n' "$1" >"$room/tiny/verilator/machine"
    chmod +x "$room/tiny/verilator/machine"
}
as 'exit 3'
status 2 "$ndprun" $add --device "verilator:$room/tiny"
says err "the simulation has ended with status 3"
as 'read -r line; kill -9 $$'
status 2 "$ndprun" $add --device "verilator:$room/tiny"
says err "the simulation has ended by signal 9"
as 'read -r line; echo "%Error: out of luck"'
status 2 "$ndprun" $add --device "verilator:$room/tiny"
says err "the simulation says '%Error: out of luck'"
as 'while read -r line; do case $line in r*) echo 0 ;; esac; done'
status 2 "$ndprun" $add --device "verilator:$room/tiny"
says err "the device has no host port"
rm -rf "$room/tiny/verilator"

# --- RTL: each fault and refusal, and one that dies or is another -----------------

sim=
! command -v iverilog >/dev/null || sim=icarus
! command -v verilator >/dev/null || sim=verilator
if [ -n "$sim" ]; then
    status 0 sh scripts/machine.sh $sim "$room/small"
    status 0 env NDP_TEST_DEVICE="$sim:$room/small" \
        "$build/tests/runtime/test_refused"
    # the program of another machine
    cp -r "$room/small/$sim" "$room/tiny/$sim"
    status 2 "$ndprun" $add --device "$sim:$room/tiny"
    says err "is of configuration"
    says err "make it anew with: sh scripts/machine.sh $sim $room/tiny"
    # its input ends in the middle of a run
    mv "$room/small/$sim/machine" "$room/small/$sim/whole"
    printf '#!/bin/sh\ndd bs=1 count=9000 2>/dev/null | %s\n' \
        "$room/small/$sim/whole" >"$room/small/$sim/machine"
    chmod +x "$room/small/$sim/machine"
    status 2 "$ndprun" $add --device "$sim:$room/small"
    says err "the device is lost: the simulation has ended"
fi

done_testing
