#!/bin/sh
# mpu_test.sh - the composition `mpu`: counts of a kernel small enough to count by
# hand, from the table of messages in docs/system.md; sums that hold for all.
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
sim=$BUILD/ndpsim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

ok() {
	passed=$((passed + 1))
}

wrong() { # WORDS
	failed=$((failed + 1))
	echo "mpu: $1"
}

# play KERNEL OPTION...: its report into $work/report
play() {
	kernel=$1
	shift
	what="$kernel${*:+ $*}"
	"$sim" --preset mpu --json "kernels/$kernel/$kernel.yml" "$@" \
		>"$work/report" 2>"$work/said" || wrong "$what: $(head -n 1 "$work/said")"
}

# The first number of that name behind "system".
get() {
	sed -n '/"system"/,$p' "$work/report" |
		sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" | head -n 1
}

is() { # NAME VALUE
	got=$(get "$1")
	if [ "$got" = "$2" ]; then ok; else wrong "$what: $1 is $got, expected $2"; fi
}

within() { # NAME LEAST MOST
	got=$(get "$1")
	if [ "$got" -ge "$2" ] && [ "$got" -le "$3" ]; then
		ok
	else
		wrong "$what: $1 is $got, expected $2 to $3"
	fi
}

# Sums that hold for every run.
sums() {
	is accesses $(($(get messages) + $(get short_mask) + $(get not_coalesced) +
		$(get other_unit)))
	is bursts $((4 * $(get messages) + $(get transactions)))
	# an offloaded instruction is two beats of 64, and two completions at most share one
	is instr $((2 * $(get near)))
	within "done" $((($(get near) + 1) / 2)) "$(get near)"
	awk '
		/"system"/ { on = 1 }
		on && /"events"/ { n = $2 + 0 }
		on && /"price_pj"/ { price = $2 + 0 }
		on && /^ *"energy_pj"/ {
			e = $2 + 0
			if (price != "") {
				if (e - n * price > 1e-6 * e + 1 || n * price - e > 1e-6 * e + 1)
					bad = 1
				sum += e
				parts++
			} else
				all = e
			price = ""
		}
		END { exit bad || parts != 8 || sum - all > 10 || all - sum > 10 }
	' "$work/report" && ok || wrong "$what: energy is not events times prices"
}

# 1000 elements: 32 warps, of which the last has 8 lanes; two loads, a store.
play axpy --align 2048
is accesses 96
is messages 93
is short_mask 3
is transactions 3
is lsu_down $((93 + 2 * (1 + 17) + 1 + 5))
is lsu_up $((62 + 2 * (5 + 1) + 17 + 1))
sums
# an access takes the banks at least tRCD + tCL + a burst, and crosses twice
awk '/"load_latency"/ { found = $2 + 0 >= 14 + 14 + 2 + 8 } END { exit !found }' \
	"$work/report" && ok || wrong "$what: loads wait for less than a bank takes"
awk '/"tsv": \{/ { on = 1 } on && /"price_pj"/ { found = $2 + 0 == 64 * 4.53; exit }
	END { exit !found }' "$work/report" && ok || wrong "$what: price of a beat"
play axpy --align 2048 --tsv 128
is lsu_down $((93 + 2 * (1 + 9) + 1 + 3))
is lsu_up $((62 + 2 * (3 + 1) + 9 + 1))

cp "$work/report" "$work/first"
play axpy --align 2048 --tsv 128
if cmp -s "$work/first" "$work/report" ||
	[ "$(grep -v seconds "$work/first")" = "$(grep -v seconds "$work/report")" ]
then ok; else wrong "two runs differ"; fi

for policy in annotated default near far; do
	for kernel in hist reduce ttrans nw; do
		play $kernel --policy $policy
		sums
	done
done
is near 0
# a load-store unit for each warp: the same traffic, in less time
play upsamp
sums
for name in cycles lsu_down lsu_up; do get $name; done >"$work/one"
play upsamp --accesses 12
sums
for name in cycles lsu_down lsu_up; do get $name; done >"$work/twelve"
if paste "$work/one" "$work/twelve" |
	awk 'NR == 1 { less = $2 < $1 } NR > 1 && $1 != $2 { less = 0 } END { exit !less }'
then ok; else wrong "accesses together: $(paste "$work/one" "$work/twelve" | tr '\t\n' '  ')"; fi
play blur --open 1
one=$(get rows_opened)
play blur --open 4
if [ "$one" -gt "$(get rows_opened)" ]; then ok; else wrong "open rows change nothing"; fi

# refused WORDS ARGUMENT...
refused() {
	words=$1
	shift
	"$sim" --preset mpu "$@" >"$work/said" 2>&1
	status=$?
	if [ $status = 2 ] && grep -qF -e "$words" "$work/said"; then
		ok
	else
		wrong "'$*' gave status $status, expected 2 and '$words'"
	fi
}

axpy=kernels/axpy/axpy.yml
refused "'--open' is 3, expected 1, 2 or 4" $axpy --open 3
refused "'--tsv' is 48, expected a power of two" $axpy --tsv 48
refused 'from 1 to 12' $axpy --accesses 13
refused "did you mean 'near'" $axpy --policy nar
"$sim" $axpy --trace "$work/a.ndpt" >/dev/null
refused 'a trace has no registers to place' "$work/a.ndpt"

echo "mpu_test.sh: $passed passed, $failed failed"
[ $failed = 0 ]
