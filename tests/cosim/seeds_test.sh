#!/bin/sh
# seeds_test.sh - golden models over fresh seeds, from outside, with short runs.
#
# usage: seeds_test.sh   ($BUILD holds ndpgen and cosim_golden, default: build)
#
# Prints a line a check that failed, and a count.
set -u

cd "$(dirname "$0")/../.." || exit 2
top=$PWD
program=ndpgen
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh
program=seeds
golden=$(dirname "$path")/cosim_golden

mkdir made
ln -s "$path" made/ndpgen
# the model as it is, but few cycles; of seed 8 one run does not hold
cat >made/cosim_golden <<END
#!/bin/sh
case "\$*" in
*"--target window"*"noc.flit_bits=33"*"--seed 8") echo "an answer never came"; exit 1 ;;
esac
exec "$golden" \$(echo "\$*" | sed 's/--cycles [0-9]*/--cycles 2000/')
END
chmod +x made/cosim_golden
seeds() { BUILD=$room/made sh "$top/scripts/seeds.sh" "$@" >out 2>err; }

seeds --list --seed 41 --target window
holds "the runs of a target are listed" [ "$(grep -c '^--target window ' out)" -ge 3 ]
holds "all random, with that seed" [ "$(grep -vc ' --seed 41$' out)" = 0 ]
holds "each once" sh -c '[ "$(sort -u out | wc -l)" = "$(wc -l <out)" ]'
holds "other forms among them" grep -q ' --set mesh.width=5 .*--set noc.flit_bits=33 ' out
holds "none of what is directed" sh -c '! grep -q directed out'
runs=$(wc -l <out)
seeds --list --seed 41
holds "without --target it is every block" sh -c "
    made/ndpgen --list-targets | awk '\$1 ~ /^[a-z]/ { print \$1 }' |
        while read -r t; do grep -q \"^--target \$t \" out || exit 1; done"

seeds --seed 5 --number 2 --target window
holds "seeds that hold are success" [ $? = 0 ]
holds "a line a seed" grep -q "^seed 6: $runs runs, 0 failed" out
holds "and no more of them" [ "$(wc -l <out)" = 2 ]
seeds --seed 7 --number 2 --target window
holds "one that does not is failure" [ $? = 1 ]
holds "counted" grep -q "^seed 8: $runs runs, 1 failed" out
holds "with what it said" grep -q 'an answer never came' out
holds "and its command" grep -q 'again: .*cosim_golden --target window .*--seed 8$' out

for words in "--number 0" "--number x" "--seed" "--seed -1" "--nonsense" "--target windows"; do
    # shellcheck disable=SC2086
    seeds $words
    holds "'$words' is bad use" [ $? = 2 ]
    holds "and said: $words" grep -q 'error: ' err
done

done_testing
