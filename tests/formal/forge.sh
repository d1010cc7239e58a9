#!/bin/sh
# forge.sh TARGET - prove a block with a ledger that claims to be up to date.
#
# The lines of the block's jobs get the digests of the RTL as it is now, whatever
# they were made of; then formal.sh runs with that ledger, a copy in the build
# folder.  Nobody has to believe it: what the sample redoes must be what the
# lines say.  SAMPLE is 1 unless the environment has another.
#
# Exit status: that of formal.sh.
set -eu
cd "$(dirname "$0")/../.."
forged=${BUILD:-build}/formal/forged.tsv
mkdir -p "${forged%/*}"
sh scripts/formal.sh --digests --target "$1" >"$forged.digests"
{
    echo "# tools: Yosys $(yosys -V | awk '{ print $2 }')"
    awk -F '\t' -v OFS='\t' 'FILENAME == ARGV[1] { now[$1] = $2; next }
        $1 in now && !seen[$1]++ { print $1, now[$1], $3, $4 }' \
        "$forged.digests" tests/formal/ledger.tsv
} >"$forged"
[ "$(grep -vc '^#' "$forged")" = "$(grep -c . "$forged.digests")" ] || {
    echo "forge.sh: error: tests/formal/ledger.tsv has not all jobs of '$1'" >&2
    exit 2
}
LEDGER=$forged SAMPLE=${SAMPLE:-1} ALL='' UPDATE='' \
    sh scripts/formal.sh --ledger --target "$1"
