#!/bin/sh
# booksim_test.sh - scripts/booksim.sh as far as it goes without a BookSim: the mesh
# as BookSim's file, what is refused; and the whole of it with a program in
# BookSim's place that reads the file and answers in BookSim's form.
#
# usage: booksim_test.sh
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
BUILD=$(cd "${BUILD:-build}" && pwd)
export BUILD
program=booksim
set -- "$PWD/scripts/booksim.sh"
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh

status 2 ''
status 0 '' --help
status 2 "no program 'none': build BookSim 2" none
status 2 "unknown option '--configs'" --configs
status 2 "unknown option '--json'" /bin/true --json x
status 2 "'--load' needs a value" /bin/true --load

# --- the mesh -------------------------------------------------------------------
status 0 '' --config
for line in 'topology = mesh;' 'k = 8;' 'routing_function = xy_yx;' 'num_vcs = 8;' 'vc_buf_size = 8;' \
    'routing_delay = 0;' 'traffic = uniform;' 'packet_size = 5;' 'injection_rate_uses_flits = 1;'; do
    holds "the mesh has '$line'" grep -qxF "$line" out
done
holds "each key once" sh -c '[ -z "$(cut -d = -f 1 out | sort | uniq -d)" ]'
holds "each line a key and a value" sh -c '! grep -vqE "^[a-z_]+ = [a-z0-9_.]+;$" out'
status 0 '' --config --set mesh.width=4 --set mesh.height=4 --set 'mesh.memory_nodes=[0,15]' --set noc.lanes=1 \
    --set noc.routes=yx --pattern complement --flits 1
for line in 'k = 4;' 'routing_function = dor;' 'num_vcs = 2;' 'traffic = bitcomp;' 'packet_size = 1;'; do
    holds "another mesh has '$line'" grep -qxF "$line" out
done
status 2 "the mesh is 5 x 4" --config --set mesh.width=5 --set mesh.height=4 --set 'mesh.memory_nodes=[0,15]'
status 2 "the complement of powers of two only" --config --set mesh.width=6 --set mesh.height=6 \
    --set 'mesh.memory_nodes=[0,15]' --pattern complement
status 2 "pattern 'memory' is none that both have" --config --pattern memory
status 2 "unknown" --config --set mesh.no=1

# --- all of it --------------------------------------------------------------------
# Says first what a sample of its run would, then what the whole gave, and ends with
# BookSim's status.  It takes some time, so that there is a speed.
cat >fake <<'EOS'
#!/bin/sh
grep -q '^k = 8;$' "$1" || exit 1
case $2 in
injection_rate=0.1) ;;
injection_rate=0.5)
    echo "Average latency for class 0 exceeded 1000 cycles. Aborting simulation."
    echo "Simulation unstable, ending ..."
    exit 255
    ;;
*) exit 1 ;;
esac
i=0
while [ $i -lt 400000 ]; do i=$((i + 1)); done
echo "Packet latency average = 11.5"
echo "Time taken is 14000 cycles"
echo "====== Overall Traffic Statistics ======"
echo "====== Traffic class 0 ======"
printf 'Packet latency average = 41.25 (1 samples)\n\tminimum = 9 (1 samples)\n'
echo "Network latency average = 39.5 (1 samples)"
exit 255
EOS
chmod +x fake
export RUNS=1
few='--warm 100 --cycles 500'
# shellcheck disable=SC2086
status 0 '' ./fake --load 0.1,0.5 $few
holds "their mean of the whole run" grep -qE '^ +0\.1 +41\.2 +[34][0-9]\.[0-9] ' out
holds "and their speed" grep -qE '^ +0\.1 +41\.2 +[0-9.]+ +[1-9][0-9]* ' out
holds "past saturation neither has one" grep -qE '^ +0\.5 +- +- ' out
ours=$("$BUILD/ndpnet" --load 0.1 $few --json | sed -n 's/.*"latency": \([0-9]*\.[0-9]\).*/\1/p')
holds "ours is ndpnet's" grep -qE "^ +0\.1 +41\.2 +${ours%.*}\.[0-9] " out
# shellcheck disable=SC2086
status 2 "did not come to an end" ./fake --load 0.2 $few

done_testing
