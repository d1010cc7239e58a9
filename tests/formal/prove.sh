#!/bin/sh
# prove.sh JOB RTL WORK - run one line of a proofs.txt on the RTL in a folder.
#
# Yosys makes bit-level models (AIGER) of the module, ABC looks at them:
# properties by property-directed reachability, without a bound (engines pdr and
# each), or up to a depth (bmc); goals, under the same assumptions, up to a
# depth: a proof says nothing when its assumptions leave nothing to happen.
#
# A model starts with what one reset edge leaves, by four-valued simulation from
# a state in which everything is unknown; what is not reset is arbitrary.  A
# later reset leads to the same states again, so rst stays low.
#
# FORMAL_ONLY=GLOB,... proves only these properties, FORMAL_NO_GOALS=1 leaves out
# the goals, FORMAL_SECONDS is the limit instead of the job's own: for a break,
# which has to violate one property.
#
# WORK/JOB.result gets one line for each property and goal:
# job, name, proved | bounded | reached | failed | unreachable | undecided, how.
set -eu

here=$(dirname "$0")
name=$1 rtl=$2 work=$3/$1
result=$work.result
# shellcheck disable=SC2046
set -- $(sed -n "s/^$name  *//p" tests/*/proofs.txt)
[ $# -ge 5 ] || {
    echo "prove.sh: unknown job '$name'" >&2
    exit 2
}
module=$1 engine=$2 depth=$3 seconds=${FORMAL_SECONDS:-$4}
shift 5
chparam='' cut='' only=${FORMAL_ONLY:-} flags=-DFORMAL_$(echo "$module" | tr a-z A-Z)
for option; do
    value=${option#*=}
    case $option in
    cut=*) cut="cutpoint $(echo "$value" | sed "s|[^,]*|$module/&|g; s/,/ /g")" ;;
    define=*) flags="$flags -D$value" ;;
    only=*) only=${only:-$value} ;;
    *) chparam="$chparam -set ${option%%=*} $value" ;;
    esac
done
[ -z "$only" ] || only="select -set dropped t:\$assert $(echo "$only" |
    sed 's/[^,]*/c:& %d/g; s/,/ /g')
delete @dropped"

# the rules of a block's channels stand around it, beside the RTL; they assume no
# more than that its environment obeys the same, so goals are its modules' alone
rules= goals=
case $module in
*_rules) rules=$rtl/formal/$module.v goals='delete t:$cover' ;;
esac
# a module of mere data has no reset, one of mere logic no clock
reset=
! grep -q '[^a-z_]rst[ ,]' "${rules:-$rtl/rtl/$module.v}" ||
    reset='-reset rst -rstlen 2'
clock='-clock clk' search="bmc3 -a -x -g -F $((depth + 1))"
grep -q '[^a-z_]clk[ ,]' "${rules:-$rtl/rtl/$module.v}" || # bmc3 wants a state
    clock='' search='pdr -a'

rm -rf "$work" "$result"
mkdir -p "$work"
cat >"$work/model.ys" <<END
read_verilog -formal $flags -I$rtl/formal $rtl/rtl/*.v $rules
${chparam:+chparam$chparam $module}
hierarchy -top $module
proc
$cut
flatten
$only
$goals
setattr -set keep 1 t:\$assert t:\$cover
tee -q -o $work/all select -list t:\$assert t:\$cover
prep -flatten -top $module
check -assert
sim $clock $reset -n 1 -w
delete -output
memory_map
setundef -undriven -anyseq
opt -full
dffunmap
techmap
opt_clean
design -save model
chformal -cover -remove
abc -g AND -fast
opt_clean
tee -q -o $work/properties select -list t:\$assert
write_aiger -I -B -zinit $work/properties.aig
design -load model
chformal -assert -remove
techmap -map $here/cover.v
techmap
abc -g AND -fast
opt_clean
tee -q -o $work/goals select -list t:\$assert
write_aiger -I -B -zinit $work/goals.aig
END

start=$(date +%s)
fail() { # why
    printf '%s\tmodel\tfailed\t%s\n' "$name" "$1" >"$result"
    exit 0
}
yosys -q "$work/model.ys" >"$work/yosys.log" 2>&1 ||
    fail "$(grep -m1 ERROR "$work/yosys.log")"
[ "$(cat "$work/properties" "$work/goals" | wc -w)" = \
    "$(wc -w <"$work/all")" ] || fail "a property was lost"

abc() { # MODEL COMMAND
    yosys-abc -c "read_aiger $work/$1.aig; fold; strash; $2" 2>&1 || true
}
each() { # one run for each property, in the format of pdr -a
    abc properties "dc2; scorr; scorr -F 3; write_aiger $work/small.aig" \
        >"$work/small.log"
    k=0
    while [ $k -lt "$(wc -w <"$work/properties")" ]; do
        yosys-abc -c "read_aiger $work/small.aig; cone -s -O $k;
            pdr -T $seconds" 2>&1 | sed "s/^Property proved/Output $k proved/
                s/^Output 0 .*was asserted/Output $k was asserted/" || true
        k=$((k + 1))
    done
}
: >"$work/properties.log"
: >"$work/goals.log"
if [ -s "$work/properties" ]; then
    case $engine in
    pdr) abc properties "pdr -a -T $seconds" ;;
    each) each ;;
    bmc) abc properties "bmc3 -a -x -g -F $((depth + 1)) -T $seconds" ;;
    *) fail "unknown engine '$engine'" ;;
    esac >"$work/properties.log"
fi
[ ! -s "$work/goals" ] || [ -n "${FORMAL_NO_GOALS:-}" ] ||
    abc goals "$search -T $seconds" >"$work/goals.log"
{
    for model in properties goals; do
        [ $model = properties ] || [ -z "${FORMAL_NO_GOALS:-}" ] || continue
        awk -v job="$name" -v model="$model" -v engine="$engine" \
            -v depth="$depth" -f "$here/abc.awk" \
            "$work/$model" "$work/$model.log"
    done
    printf '%s\ttime\tseconds\t%s\n' "$name" $(($(date +%s) - start))
} >"$work/lines"
mv "$work/lines" "$result"
