# digests.sh - what the records of long runs and of mutants are of, as digests; read
# with '.', not run, from the top of the checkout.
#
# Expects for note_block and note_rtl: BUILD; results, a folder for what is found;
# all_targets, names.  The job runner has digests of its own (scripts/jobs).

LC_ALL=C
export LC_ALL

# 128 bits of what comes in.
ledger_digest() {
    sha256sum | cut -c 1-32
}

# Version and bytes of programs; one that is missing is known by that.
ledger_tools() { # program...
    for ledger_tool; do
        if ledger_at=$(command -v "$ledger_tool"); then
            echo "$ledger_tool $(sha256sum <"$ledger_at" | cut -c 1-64)"
        else
            echo "no $ledger_tool"
        fi
    done
}

# The text of emitted files, each after its name, without the two lines of the
# header that say which version and which command made them: comments, and no
# tool reads a comment that begins like them.  What blocks share counts under the
# one name of its template, ndp_ram, not as each target's ndp_<target>_common_ram.
ledger_sources() { # file...
    ledger_dir= ledger_n=100
    for ledger_file; do
        [ "${ledger_file%/*}" = "$ledger_dir" ] || ledger_n=$((ledger_n + 1))
        ledger_dir=${ledger_file%/*}
        printf '%s\t%s\t%s\n' $ledger_n "${ledger_file##*/}" "$ledger_file"
    done | awk -F '\t' -v OFS='\t' '{ sub(/_[a-z0-9_]*_common_/, "_", $2); print }' |
        sort | cut -f 3 | tr '\n' '\0' |
        xargs -0 awk '
            function show(line) {
                gsub(/ndp_[a-z0-9_]*_common_/, "ndp_", line)
                gsub(/FORMAL_NDP_[A-Z0-9_]*_COMMON_/, "FORMAL_NDP_", line)
                print line
            }
            FNR == 1 { n = split(FILENAME, path, "/"); show("file " path[n]) }
            !/^\/\/ ndpgen / && !/^# ndpgen / { show($0) }'
}

# Folders and declarations of a block, by its name.
owned() { # block
    ls -d "lib/blocks/$1.def" "golden/$1" "verilator-tb/$1" 2>/dev/null
}

# Environments and stimuli that a block's own are compiled with: that of a block
# whose header one of them includes, and so on.  Others are linked into a bench,
# too, but nobody there calls them.
stimuli_of() ( # block
    known='' more=$1
    while [ "$known" != "$more" ]; do
        known=$more
        # shellcheck disable=SC2046
        more=$({
            echo "$known"
            find $(for b in $known; do echo "verilator-tb/$b"; done) -type f \
                -exec sed -n 's,^#include "\([a-z_0-9]*\)/\([^"]*\)".*,\1 \2,p' {} + |
                sort -u | while read -r b header; do
                [ ! -f "verilator-tb/$b/$header" ] || [ ! -f "lib/blocks/$b.def" ] ||
                    echo "$b"
            done
        } | sort -u)
    done
    echo "$known"
)

# Declarations and models of a block, and of each block that one of them
# includes, has an instance of or names in a string (but for the preset of its
# declaration): a part of a system, a model that another one asks.  Stimuli are
# those that are its own.
note_block() { # block
    names=$(echo $all_targets | tr ' ' '|')
    named="\"(blocks/)?($names)([/.][^\"]*)?\"|INSTANCES?\([a-z_0-9]+, ($names),"
    known= more=$1
    while [ "$known" != "$more" ]; do
        known=$more
        # shellcheck disable=SC2046
        more=$({
            echo "$known"
            find $(for b in $known; do owned "$b"; done) -type f \
                -exec sed '/^\(SYSTEM\|BLOCK\|UNIT\)(/,/)$/d' {} + |
                grep -ohE "$named" | grep -owE "$names"
        } | sort -u)
    done
    # shellcheck disable=SC2046
    find $(for b in $known; do owned "$b" | grep -v '^verilator-tb/'; done
        for b in $(stimuli_of "$1"); do echo "verilator-tb/$b"; done) -type f | sort |
        xargs sha256sum | ledger_digest >"$results/$1.block"
}

# What ndpgen emits for a run's configuration, once for each.
note_rtl() { # words of the run; sets $rtl
    options=
    for word; do
        case $word in
        TARGET=*) options="$options --target ${word#*=}" ;;
        PRESET=*) options="$options --preset ${word#*=}" ;;
        CONFIG=*) options="$options --config ${word#*=}" ;;
        SET=*) for set in ${word#*=}; do options="$options --set $set"; done ;;
        esac
    done
    rtl=$results/rtl-$(echo "$options" | cksum | cut -d ' ' -f 1)
    [ ! -f "$rtl" ] || return 0
    # shellcheck disable=SC2086
    "$BUILD/ndpgen" $options -o "$rtl.out" >"$rtl.log" 2>&1 || return 0
    ledger_sources "$rtl.out"/rtl/* "$rtl.out"/tb/* "$rtl.out"/*.f \
        "$rtl.out"/config.yml | ledger_digest >"$rtl"
    rm -rf "$rtl.out"
}
