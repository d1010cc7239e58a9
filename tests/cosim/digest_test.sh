#!/bin/sh
# digest_test.sh - what a replay depends on: the folders of its run description,
# of what that is based on, and of the PTX; and the sources of a block's bench.
#
# Prints a line a check that failed, and a count.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=digest

mkdir -p own/deep base ptx other
echo 'base: ../../base/b.yml # of another folder' >own/deep/a.yml
printf 'ptx: "../ptx/k.ptx"\nsizes: {}\n' >base/b.yml
: >ptx/k.ptx
: >other/file
replay() {
    BUILD=. results=. sh -c ". '$top/scripts/ledger.sh'
        . '$top/scripts/cosim_digest.sh'
        kernel_of TARGET=nbu RUN=own/deep/a.yml SEED=1" 2>err
}
replay >before
for folder in own/deep base ptx; do
    : >$folder/new
    replay >now
    holds "a file beside $folder counts" [ "$(cmp -s before now; echo $?)" = 1 ]
    rm $folder/new
    replay >now
    holds "and nothing else" cmp -s before now
done
: >other/new
replay >now
holds "another folder does not" cmp -s before now
echo 'base: b.yml' >base/b.yml
replay >now
holds "a description based on itself comes to an end" grep -q 'base/b.yml$' now
holds "and nothing is said" [ ! -s err ]

# --- RTL of a run whose SET has several words ------------------------------------

emitted() { # words of a run
    (cd "$top" && BUILD=$build results=$work sh -c '. scripts/ledger.sh
        . scripts/cosim_digest.sh
        note_rtl "$@" && cat "$rtl"' run "$@")
}
work=$PWD
emitted TARGET=credit PRESET=small "SET=credit.depth=5 credit.width=9" >both
emitted TARGET=credit PRESET=small SET=credit.depth=5 >one
holds "several parameters make RTL" [ -s both ]
holds "other than one of them" [ "$(cmp -s one both; echo $?)" = 1 ]

# --- sources of a bench: what the linker takes and the compiler reads for it -----

sources() { # block
    (cd "$top" && BUILD=$build results=$work sh -c ". scripts/ledger.sh
        . scripts/cosim_digest.sh
        all_targets=\$(ls lib/blocks | sed -n 's/[.]def\$//p')
        note_block $1; note_bench $1") && mv "$work/$1.sources" "$1"
}
work=$PWD
for block in router simt cluster; do
    sources $block 2>err
    holds "nothing is said about $block" [ ! -s err ]
    holds "$block's own stimulus counts" grep -q "^verilator-tb/$block/" $block
    for file in verilator-tb/bench/bench.c verilator-tb/bench/dut_verilator.cpp \
        verilator-tb/kit/master.c golden/frame/golden.c lib/config/config.c \
        lib/shared/noc.def; do
        holds "$file counts for $block" grep -qx "$file" $block
    done
done
holds "the machine's words do not count for a router" [ "$(grep -c isa router)" = 0 ]
holds "nor does another block" [ "$(grep -c '/simt' router)" = 0 ]
holds "they count for a core" grep -qx lib/isa/isa.c simt
holds "the code generator does not" [ "$(grep -c codegen simt)" = 0 ]
holds "it counts for a machine that runs kernels" grep -qx lib/codegen/emit.c cluster
holds "and so does the core in it" grep -q '^golden/simt/' cluster

# what a system says of a controller makes it a part, whose stimulus is another's
sources system
holds "a controller that a system can have counts" grep -q '^golden/offload/' system
holds "its stimulus does not" [ "$(grep -c '^verilator-tb/offload/' system)" = 0 ]
sources tom_corner
holds "it counts where it is what stimulates" grep -qx verilator-tb/offload/random.c tom_corner
sources chained
holds "so does the stimulus of a base" grep -q '^verilator-tb/system/' chained
holds "and what that one is made with" grep -q '^verilator-tb/simt/' chained

# the digest of these folders themselves, in a copy that can be changed
mkdir -p copy/lib
cp -r "$top/lib/blocks" copy/lib/
cp -r "$top/golden" "$top/verilator-tb" copy/
cd copy || exit 2
digest_of() { # block
    results=.. sh -c ". '$top/scripts/ledger.sh'
        . '$top/scripts/cosim_digest.sh'
        all_targets=\$(ls lib/blocks | sed -n 's/[.]def\$//p')
        note_block $1 && cat ../$1.block"
}
was=$(digest_of system) corner=$(digest_of tom_corner)
echo '// one more line' >>verilator-tb/offload/random.c
holds "another stimulus changes nothing for a system" [ "$(digest_of system)" = "$was" ]
holds "but for who is stimulated by it" [ "$(digest_of tom_corner)" != "$corner" ]
echo '// one more line' >>golden/offload/offload.h
holds "another model does" [ "$(digest_of system)" != "$was" ]
cd ..

done_testing
