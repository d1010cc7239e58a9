#!/bin/sh
# jobs_test.sh - what the job runner (scripts/jobs) vouches for, draws, runs and says.
#
# usage: jobs_test.sh [TEST...]   as of python3 -m unittest: Ledgers.test_a_lie
cd "$(dirname "$0")" || exit 2
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
unset ALL UPDATE SAMPLE FRESH SHARD JOBS
exec python3 test_jobs.py "$@"
