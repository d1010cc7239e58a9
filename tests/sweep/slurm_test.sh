#!/bin/sh
# slurm_test.sh - a sweep as an array of a real Slurm, its controller and one
# node on the loopback: the table is that of a run without.
#
# usage: slurm_test.sh
#
# Everything that the daemons keep lies in a temporary folder, and they run as
# whoever runs this test.  ~10 s.
set -u
cd "$(dirname "$0")/../.." || exit 2
me=slurm_test.sh
for program in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null 2>&1 || {
        echo "$me: NOT TESTED: $program is not on this machine; sh" \
            "scripts/setup.sh --tests installs it" >&2
        echo "$me: 0 passed, 0 failed"
        exit 0
    }
done
PATH=$PATH:/usr/sbin
. tests/sweep/room.sh

# --- a cluster --------------------------------------------------------------------

# stop NAME: the daemon whose id stands in its file
stop() {
    [ -s "$room/$1.pid" ] || return 0
    pid=$(cat "$room/$1.pid")
    kill "$pid" 2>/dev/null || return 0
    for wait in 1 2 3 4 5 6 7 8 9 10; do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.2
    done
    kill -9 "$pid" 2>/dev/null
}
# A machine that lets no cluster run says nothing of sweeps.
give_up() { # daemon
    echo "$me: NOT TESTED: $1 does not start: $(tail -n 3 "$room/$1.log" 2>&1)" >&2
    done_with
}
trap 'stop slurmd; stop slurmctld; stop munged; rm -rf "$room"' EXIT
trap 'exit 1' INT TERM HUP

# munged trusts no folder that others may write into, and others ask it
chmod 755 "$room"
host=$(uname -n)
port=$((20000 + $$ % 20000))
mkdir "$room/state" "$room/spool"
head -c 64 /dev/urandom >"$room/munge.key"
chmod 400 "$room/munge.key"
cat >"$room/slurm.conf" <<END
ClusterName=sweep
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$room/munge.socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$room/slurmctld.pid
SlurmdPidFile=$room/slurmd.pid
SlurmctldLogFile=$room/slurmctld.log
SlurmdLogFile=$room/slurmd.log
StateSaveLocation=$room/state
SlurmdSpoolDir=$room/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
SLURM_CONF=$room/slurm.conf
export SLURM_CONF
munged --force --key-file="$room/munge.key" --socket="$room/munge.socket" \
    --pid-file="$room/munged.pid" --log-file="$room/munged.log" \
    --seed-file="$room/munge.seed" --num-threads=1 2>/dev/null || give_up munged
slurmctld -c || give_up slurmctld
slurmd -c || give_up slurmd
up=
for wait in $(seq 60); do
    if sinfo -h -o %T 2>/dev/null | grep -q idle; then
        up=1
        break
    fi
    sleep 0.25
done
[ -n "$up" ] || give_up slurmd
ok

# --- the sweep ----------------------------------------------------------------------

status 0 sh scripts/sweep.sh "$room/six.yml" --out "$room/here"
status 0 sh scripts/sweep.sh --plan "$room/six.yml" --out "$room/there"
# submit ARRAY...: and wait for its end; sbatch --wait asks every ten seconds only
submit() {
    status 0 sbatch "$@" "$room/there/sweep.sbatch"
    for wait in $(seq 200); do
        [ -n "$(squeue -h 2>&1)" ] || return 0
        sleep 0.25
    done
    fail 'the array does not end'
}
submit
expect 'six results' [ "$(ls "$room"/there/*/result | wc -l)" = 6 ]
status 0 sh scripts/sweep.sh --collect "$room/there"
expect 'the table of Slurm is another' cmp -s "$room/here/sweep.csv" \
    "$room/there/sweep.csv"

# fewer tasks than lines take several each, and only what is not done
rm "$room"/there/emn-width*-height4-*/result
touch "$room/before"
submit --array=1-2
expect 'three results are new' [ "$(find "$room/there" -name result -newer \
    "$room/before" | wc -l)" = 3 ]
status 0 sh scripts/sweep.sh --collect "$room/there"
expect 'the table of two tasks is another' cmp -s "$room/here/sweep.csv" \
    "$room/there/sweep.csv"
done_with
