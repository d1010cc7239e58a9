# cosim_digest.sh - what a lock-step run depends on, as digests; read with '.', not
# run, after ledger.sh and from the top of the checkout.
#
# Expects: BUILD; results, a folder for what is found; all_targets, names.

# Folders and declarations of a block, by its name.
owned() { # block
    ls -d "lib/blocks/$1.def" "golden/$1" "verilator-tb/$1" 2>/dev/null
}

# What every run depends on: how benches are built, and the tools.
note_common() {
    {
        cat scripts/cosim.sh scripts/blocks.sh verilator-tb/cosim.mk
        sed -n '/^CFLAGS\|^C_STD\|^WARN/p' Makefile
        ledger_tools verilator verilator_bin iverilog vvp
        verilator --version 2>&1
        iverilog -V 2>&1 | sed -n 1p
        "${CC:-cc}" --version
        "${CXX:-g++}" --version
    } | ledger_digest >"$results/common"
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

# The sources that no block owns of the bench of a block, whose note_block was
# called before: those of the objects that the linker has to take for bench and
# block, of what these need, and so on, and every header that one of them reads.
# The table of all blocks is left out, and what other blocks own; the references
# of kernels are part of a replay's kernel.  A board's bench is not of these.
note_bench() { # block
    if [ ! -f "$results/symbols" ]; then
        find "$BUILD/pic" -name '*.o' ! -path '*/tests/*' -exec nm -A -P {} + \
            >"$results/symbols"
        find "$BUILD/pic" -name '*.d' ! -path '*/tests/*' -exec cat {} + \
            >"$results/reads"
    fi
    # shellcheck disable=SC2046
    {
        find verilator-tb/bench -type f
        awk -v build="$BUILD/" -v pic="$BUILD/pic/" -v known="$(echo $known)" -v stimuli="$(
            stimuli_of "$1" | tr '\n' ' ')" -v others="$(
            for def in lib/blocks/*.def; do basename "$def" .def; done |
                tr '\n' ' ')" '
            # folder of a path, and whether a block that is none of ours owns it
            function foreign(path,    part) {
                if (path ~ /^kernels\/[^\/]*\// || path !~ /\// ||
                    path ~ /bench\/blocks\.[a-z]*$/)
                    return 1
                split(path, part, "/")
                if (path ~ /^lib\/blocks\//) {
                    sub(/\..*/, "", part[3])
                    return !(part[3] in ours)
                }
                return part[1] == "golden" && part[2] in theirs ||
                    part[1] == "verilator-tb" && part[2] in quiet
            }
            BEGIN {
                n = split(others, name, " ")
                for (i = 1; i <= n; i++)
                    theirs[name[i]] = quiet[name[i]] = 1
                n = split(known, name, " ")
                for (i = 1; i <= n; i++) {
                    delete theirs[name[i]]
                    ours[name[i]]
                }
                n = split(stimuli, name, " ")
                for (i = 1; i <= n; i++)
                    delete quiet[name[i]]
            }
            FILENAME == ARGV[1] {
                object = substr($1, length(pic) + 1)
                sub(/\.o(\[.*\])?:$/, "", object)
                if ($3 == "U")
                    needs[object] = needs[object] " " $2
                else if ($3 ~ /[A-Z]/)
                    home[$2] = object
                is[object]
                next
            }
            # a rule of the compiler: object, source, headers
            {
                for (i = 1; i <= NF; i++)
                    if ($i ~ /\.o:$/) {
                        object = substr($i, length(pic) + 1)
                        sub(/\.o:$/, "", object)
                    } else if ($i ~ /:$/)
                        object = ""
                    else if ($i != "\\" && object != "")
                        reads[object] = reads[object] " " $i
            }
            END {
                for (object in is)
                    if (!foreign(object) && (object ~ /^verilator-tb\/bench\// ||
                        object ~ /^(golden|verilator-tb)\// &&
                        (split(object, part, "/") && part[2] in ours) ||
                        object ~ /^lib\/blocks\//))
                        todo[++m] = object
                for (i = 1; i <= m; i++) {
                    if (todo[i] in taken)
                        continue
                    taken[todo[i]]
                    n = split(needs[todo[i]], name, " ")
                    for (j = 1; j <= n; j++) {
                        if (!(name[j] in home))
                            continue
                        # a stimulus that is called counts, header or not, but
                        # for those that the table of all blocks has
                        if (home[name[j]] ~ /^verilator-tb\// &&
                            todo[i] !~ /bench\/blocks$/) {
                            split(home[name[j]], part, "/")
                            delete quiet[part[2]]
                        }
                        if (!foreign(home[name[j]]))
                            todo[++m] = home[name[j]]
                    }
                    n = split(reads[todo[i]], name, " ")
                    for (j = 1; j <= n; j++)
                        if (name[j] !~ /^\// && index(name[j], build) != 1 &&
                            !foreign(name[j]))
                            print name[j]
                }
            }' "$results/symbols" "$results/reads"
    } | sort -u >"$results/$1.sources"
    xargs sha256sum <"$results/$1.sources" | ledger_digest >"$results/$1.bench"
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
