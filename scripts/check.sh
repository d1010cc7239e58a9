#!/bin/sh
# check.sh - every test of the project, one line a step.
#
# usage: check.sh [STEP ...]     (default: all; --list names them)
#
# `make check` builds the programs and calls this.  Each step writes its log to
# build/check/<step>.log; a failing one shows what of it failed, its end and how
# to repeat it, and what failed stands once more at the end of the whole run.
# Closes with 'N passed, N failed': tests where a step counts them, else the
# step itself.  FRESH=seed repeats a run with that fresh seed.
#
# JUNIT=FILE writes what ran as JUnit XML, too: a suite a step, a case each test
# that a log names, else each sum of a runner (docs/ci.md).
#
# What a committed ledger vouches for is not run again, but for a sample that
# SAMPLE=seed repeats (docs/ledger.md); ALL=1 runs everything.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
export BUILD
log_dir=$BUILD/check
steps="units style ptx lint determinism cosim configs formal area speed probes breaks"
FRESH=${FRESH:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
SAMPLE=${SAMPLE:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
export SAMPLE
passed=0 failed=0 bad=

[ "${1:-}" != --list ] || { echo "$steps"; exit 0; }
for s; do
    case " $steps " in
    *" $s "*) ;;
    *) echo "error: unknown step '$s', expected one of: $steps" >&2; exit 2 ;;
    esac
done
mkdir -p "$log_dir"

# Sum of what the runners of a log say; 'none' when none says anything.
count() {
    awk '
    /^\[  PASSED  \] [0-9]+ test/ { p += $4; seen = 1 }
    /^\[  FAILED  \] [0-9]+ test/ { f += $4; seen = 1 }
    /(^|: )[0-9]+ passed, [0-9]+ failed/ {
        line = $0; sub(/^.*: /, "", line); split(line, w, " ")
        p += w[1]; f += w[3]; seen = 1
    }
    END { if (seen) print p + 0, f + 0; else print "none" }' "$1"
}

# Each test writes a log of its own, so that several run at a time and the whole
# log still has them in order.
run_units() {
    rm -rf "$log_dir/units"
    mkdir "$log_dir/units"
    {
        for t in tests/*/test_*.c; do
            echo "$BUILD/${t%.c} $log_dir/units/$(echo "$t" | tr / -)"
        done
        for t in tests/*/*_test.sh; do
            [ ! -e "$t" ] || echo "$t $log_dir/units/$(echo "$t" | tr / -)"
        done
    } >"$log_dir/units/list"
    # shellcheck disable=SC2016 # the variables are those of the inner shell
    xargs -P "${JOBS:-2}" -L 1 sh -c '
        start=$(date +%s)
        case $0 in
        *.sh) sh "$0" ;;
        */*) "$0" ;;
        *) "./$0" ;;
        esac >"$1.log" 2>&1 || : >"$1.failed"
        echo "$(($(date +%s) - start)) s $0" >"$1.took"' <"$log_dir/units/list"
    sed 's/.* //; s/$/.log/' "$log_dir/units/list" | xargs cat
    echo "the longest:"
    cat "$log_dir"/units/*.took | sort -rn | sed 12q
    ! ls "$log_dir"/units/*.failed >/dev/null 2>&1
}

run_style() { sh scripts/style.sh; }
run_ptx() { sh scripts/ptx.sh --check; }
run_lint() { sh scripts/lint.sh --ledger; }
run_determinism() { sh scripts/determinism.sh; }
run_cosim() { FRESH=$FRESH sh scripts/cosim_matrix.sh --ledger; }
run_configs() { sh scripts/configs.sh --light --number 6 --seed "$FRESH"; }
run_formal() { sh scripts/formal.sh --ledger; }
run_area() { sh scripts/area.sh --ledger; }
run_speed() { sh scripts/speed.sh; }
run_probes() {
    if [ -n "${ALL:-}" ]; then
        sh scripts/probes.sh --quick
    else
        sh scripts/probes.sh --sample
    fi
}
run_breaks() { sh scripts/formal.sh --breaks --ledger; }

# What the ledgers of a log say: ', N jobs vouched for, N redone', lines to commit.
by_ledger() {
    sed -n 's/^ledger: .*: \([0-9]* vouched for, [0-9]* redone\), .*/, \1/p' \
        "$1" | tr -d '\n'
}

# The lines of a log that name what failed, in the words of its runner.
what_failed() {
    grep -nE '^FAILED|^\[  FAILED  \] [^0-9]|[ :][1-9][0-9]* failed' "$1" |
        head -n 20
}

suites=$log_dir/suites
: >"$suites"

printf '%-12s  %-6s %8s  %s\n' step result seconds tests
for s in ${*:-$steps}; do
    log=$log_dir/$s.log
    start=$(date +%s)
    if "run_$s" >"$log" 2>&1; then result=ok; else result=FAILED; fi
    took=$(($(date +%s) - start))
    counts=$(count "$log")
    if [ "$counts" = none ]; then
        [ $result = ok ] && counts="1 0" || counts="0 1"
    fi
    p=${counts% *} f=${counts#* }
    [ $result = ok ] || [ "$f" -gt 0 ] || f=1
    passed=$((passed + p)) failed=$((failed + f))
    [ -z "${JUNIT:-}" ] ||
        awk -v step="$s" -v result=$result -v took=$took -v p="$p" -v f="$f" \
            -f scripts/junit.awk "$log" >>"$suites"
    printf '%-12s  %-6s %8d  %d passed, %d failed%s\n' "$s" $result $took "$p" \
        "$f" "$(by_ledger "$log")"
    sed -n '/^ledger: .* commit it$/p; /^ledger: .* left as it is/p' "$log"
    if [ $result != ok ]; then
        bad="$bad $s"
        echo "--- what failed in $log"
        what_failed "$log"
        echo "--- end of $log"
        tail -n 40 "$log"
        echo "--- again: make check STEPS=$s FRESH=$FRESH SAMPLE=$SAMPLE"
    fi
done
echo "fresh seed $FRESH, sample $SAMPLE${ALL:+, everything redone}"
for s in $bad; do
    echo "--- $s"
    what_failed "$log_dir/$s.log"
done
echo "$passed passed, $failed failed"
if [ -n "${JUNIT:-}" ]; then
    {
        echo '<?xml version="1.0" encoding="UTF-8"?>'
        echo '<testsuites name="ndpgen">'
        cat "$suites"
        echo '</testsuites>'
    } >"$JUNIT" || { echo "error: cannot write '$JUNIT'" >&2; exit 2; }
fi
[ -z "$bad" ]
