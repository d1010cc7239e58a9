# ledger.sh - what a check need not do again; read with '.', not run.
#
# Expects to be read from the top of the checkout.  docs/ledger.md says what a
# ledger is, what a digest covers and what it cannot see.
#
# A ledger is a committed text file with one line a job, in the order of names:
#
#     job <tab> digest <tab> result <tab> seconds
#
# digest   of everything that the result depends on
# result   of a real run that ended as it should, in the words of its script
# seconds  that it took, as a weight for the sample; never compared
#
# A script that can vouch asks twice:
#
#     ledger_plan FILE JOBS PLAN           which jobs have to run
#     ...                                  runs them, notes what they gave
#     ledger_settle FILE TOOLS PLAN DONE WHOLE
#
# Environment: SAMPLE  seed of what is redone, else a fresh one, printed
#              ALL     not empty: redo everything
#              UPDATE  not empty: a line that a real run contradicts is replaced
#                      instead of being a failure; so is a ledger of other tools

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

# SAMPLE as it is, else a fresh one; an error unless it is a number.
draw_seed() {
    SAMPLE=${SAMPLE:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
    case $SAMPLE in
    *[!0-9]* | ?????????*)
        echo "error: SAMPLE is '$SAMPLE', expected up to eight digits" >&2
        return 2
        ;;
    esac
}

# For awk: mix(text), a number below 67108859 that text and seed choose.
# shellcheck disable=SC2016
draw_mix='
    # squares do not keep the order of what they are taken from; below 2^53
    function mix(text,    i, h) {
        h = seed % 67108859
        for (i = 1; i <= 3; i++)
            h = (h * h + 1000003 * h + i) % 67108859
        for (i = 1; i <= length(text); i++)
            h = (h * 257 + index(letters, substr(text, i, 1)) + 1) % 67108859
        for (i = 1; i <= 4; i++)
            h = (h * h + 1000003 * h + seed + i) % 67108859
        return h
    }
    BEGIN {
        letters = " !\"#$%&\047()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRST" \
            "UVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    }
'

# ledger_plan FILE JOBS PLAN
#
# JOBS: job, digest; a job a line, its fields apart by tabs.  PLAN gets for each,
# in their order: job, digest, what to do, result, seconds.  What to do:
#   run      no line has this job with this digest
#   redo     one has, and the sample hits it
#   vouched  one has: the result stands in the plan
# The sample: a random order of the lines; the first two, then each that fits
# into a twelfth of the seconds of all, and into five minutes, so that a ledger
# that grows costs a check no more.  Two lines that contradict are redone.
ledger_plan() {
    draw_seed || return
    awk -F '\t' -v OFS='\t' -v seed="$SAMPLE" -v all="${ALL:-}" "$draw_mix"'
    FILENAME == ARGV[1] {
        if (/^#/ || NF != 4)
            next
        key = $1 SUBSEP $2
        if (key in result && result[key] != $3)
            doubt[key] = 1
        result[key] = $3
        seconds[key] = $4
        next
    }
    {
        n++
        job[n] = $1
        digest[n] = $2
        if (($1, $2) in result) {
            known[++m] = n
            rank[n] = mix($1)
            total += seconds[$1, $2] + 1 # for what stands around it
        }
    }
    END {
        share = total / 12 < 300 ? total / 12 : 300
        # few enough for the simplest sort
        for (i = 2; i <= m; i++) {
            k = known[i]
            for (j = i - 1; j && rank[known[j]] > rank[k]; j--)
                known[j + 1] = known[j]
            known[j + 1] = k
        }
        for (i = 1; i <= m; i++) {
            k = known[i]
            s = seconds[job[k], digest[k]] + 1
            if (i <= 2 || all != "" || spent + s <= share ||
                (job[k], digest[k]) in doubt) {
                what[k] = "redo"
                spent += s
            } else
                what[k] = "vouched"
        }
        for (k = 1; k <= n; k++)
            if (k in what)
                print job[k], digest[k], what[k], result[job[k], digest[k]], \
                    seconds[job[k], digest[k]]
            else
                print job[k], digest[k], "run", "-", 0
    }' "$(ledger_file "$1")" "$2" >"$3"
}

ledger_file() { # FILE; the file, or an empty one in its place
    if [ -f "$1" ]; then echo "$1"; else echo /dev/null; fi
}

# ledger_jobs PLAN WHAT - the jobs that are to be done so ('run|redo')
ledger_jobs() {
    awk -F '\t' -v what="^($2)\$" '$3 ~ what { print $1 }' "$1"
}

# ledger_settle FILE TOOLS PLAN DONE WHOLE
#
# DONE: job, result, seconds of each job that really ran; result '-' if it did
# not end as it should.  Holds it against the plan, writes what is new into FILE
# and says so.  TOOLS is a word on the versions; a ledger of others is left as
# it is.  WHOLE not empty: the plan has all jobs that there are, so that lines of
# others are dropped.  Returns 1 if a line is wrong, and sets ledger_wrong to the
# number of such lines.
ledger_settle() {
    ledger_new=${3}.ledger
    ledger_said=${3}.said
    : >"$ledger_new"
    awk -F '\t' -v OFS='\t' -v file="$1" -v tools="$2" -v whole="$5" \
        -v update="${UPDATE:-}" -v sample="$SAMPLE" -v lines="$ledger_new" '
    FILENAME == ARGV[1] { # plan
        digest[$1] = $2
        what[$1] = $3
        count[$3]++
        next
    }
    FILENAME == ARGV[2] { # done
        result[$1] = $2
        seconds[$1] = $3
        next
    }
    /^# tools: / {
        made_with = substr($0, 10)
        next
    }
    /^#/ || /^$/ { next }
    NF != 4 || $2 !~ /^[0-9a-f]+$/ || $4 !~ /^[0-9]+$/ {
        printf "error: %s:%d: expected job, digest, result and seconds apart " \
            "by tabs, found \047%s\047\n", file, FNR, substr($0, 1, 60)
        wrong++
        torn = update == "" # a merge, say; for a person to mend
        next
    }
    !($1 in what) {
        if (whole == "")
            keep[$0]
        else
            dropped++
        next
    }
    $2 != digest[$1] { # of another text; kept until there is a better one
        old[$1] = old[$1] $0 "\n"
        next
    }
    what[$1] == "redo" && !($1 in result) { result[$1] = "-" }
    what[$1] == "redo" && result[$1] != $3 {
        if (update != "" && result[$1] != "-") {
            fresh[$1]
            next
        }
        printf "error: %s:%d: \047%s\047 is recorded with\n    %s\n" \
            "a real run of the same digest gives\n    %s\n", file, FNR, $1, \
            $3, result[$1] == "-" ? "no such result, see above" : result[$1]
        wrong++
        keep[$0]
        next
    }
    {
        keep[$0]
        good[$1]
    }
    END {
        for (job in what) {
            if (what[job] == "run" && job in result && result[job] != "-")
                fresh[job]
            if (job in fresh) {
                keep[job OFS digest[job] OFS result[job] OFS seconds[job]]
                news++
            } else if (!(job in good)) {
                n = split(old[job], line, "\n")
                for (i = 1; i < n; i++)
                    keep[line[i]]
            }
        }
        for (line_ in keep)
            print line_ >lines
        foreign = made_with != "" && made_with != tools && update == ""
        printf "ledger: %s: %d vouched for, %d redone, %d new; again: " \
            "SAMPLE=%s\n", file, count["vouched"], count["redo"], count["run"], \
            sample
        if (foreign)
            printf "ledger: %s is of %s, these are %s: left as it is, " \
                "\047make ledger\047 replaces it\n", file, made_with, tools
        else if (torn)
            printf "ledger: %s is left as it is\n", file
        else if (news || dropped)
            printf "ledger: %d new lines in %s, %d dropped; commit it\n", \
                news, file, dropped
        printf "%d %d\n", wrong, \
            !foreign && !torn && (news || dropped || update != "")
    }' "$3" "$4" "$(ledger_file "$1")" >"$ledger_said"
    ledger_wrong=$(tail -n 1 "$ledger_said" | cut -d ' ' -f 1)
    if [ "$(tail -n 1 "$ledger_said")" != "$ledger_wrong 0" ]; then
        {
            echo "# Jobs that really ran and ended as they should, see" \
                "docs/ledger.md."
            echo "# tools: $2"
            sort "$ledger_new"
        } >"$1.new"
        mv "$1.new" "$1"
    fi
    sed '$d' "$ledger_said"
    rm -f "$ledger_new" "$ledger_said"
    [ "$ledger_wrong" = 0 ]
}
