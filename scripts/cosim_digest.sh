# cosim_digest.sh - what a lock-step run depends on, as digests; read with '.', not
# run, after ledger.sh and from the top of the checkout.
#
# Expects: BUILD; results, a folder for what is found; all_targets, names.

# Folders and declarations of a block, by its name.
owned() { # block
    ls -d "lib/blocks/$1.def" "golden/$1" "verilator-tb/$1" 2>/dev/null
}

# The sources of bench and models that no block owns.  A board's bench is built
# by board_sim.sh alone; programs and ndpsim's compositions are no part of any
# bench.
note_common() {
    others=$(for def in lib/blocks/*.def; do
        owned "$(basename "$def" .def)"
    done | tr '\n' '|')
    {
        find lib golden verilator-tb kernels/*.[ch] \
            \( -path verilator-tb/board -o -path 'golden/sim/ndp*' -o \
            -path golden/sim/system \) -prune -o \( -name '*.[ch]' -o \
            -name '*.cpp' -o -name '*.def' -o -name '*.v' \) -print |
            awk -v others="${others%|}" '
                BEGIN { n = split(others, of, "|") }
                {
                    for (i = 1; i <= n; i++)
                        if ($0 == of[i] || index($0, of[i] "/") == 1)
                            next
                    print
                }' | sort | xargs sha256sum
        cat scripts/cosim.sh scripts/blocks.sh verilator-tb/cosim.mk
        sed -n '/^CFLAGS\|^C_STD\|^WARN/p' Makefile
        ledger_tools verilator verilator_bin iverilog vvp
        verilator --version 2>&1
        iverilog -V 2>&1 | sed -n 1p
        "${CC:-cc}" --version
        "${CXX:-g++}" --version
    } | ledger_digest >"$results/common"
}

# Those of a block, and of each block that one of them includes, has an instance
# of or names in a string (but for the preset of its declaration): a part of a
# system, a model that another one asks.
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
    find $(for b in $known; do owned "$b"; done) -type f | sort |
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
        SET=*) options="$options --set ${word#*=}" ;;
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

# Folders that a run description reads of: its own, that of its base and so on,
# and of the PTX that one of them names.
described() ( # run description, or PTX
    file=$1 depth=0
    while [ $depth -lt 9 ]; do
        dirname "$file"
        case $file in *.yml) ;; *) break ;; esac
        for key in ptx base; do
            other=$(sed -n "s/^$key: *\\([^ #]*\\).*/\\1/p" "$file" | tr -d "\"'")
            case $other in
            '' | /*) ;;
            *) other=$(dirname "$file")/$other ;;
            esac
            [ $key = base ] || [ -z "$other" ] || dirname "$other"
        done
        [ -f "$other" ] || break
        file=$other depth=$((depth + 1))
    done
)

# All of the folders of the kernel that a run replays.
kernel_of() { # words of the run
    for word; do
        case $word in
        RUN=* | KERNEL=*)
            described "${word#*=}" |
                while read -r folder; do (cd "$folder" && pwd -P); done | sort -u |
                while read -r folder; do
                    find "${folder#"$PWD/"}" -type f
                done | sort | xargs sha256sum
            ;;
        esac
    done
}
