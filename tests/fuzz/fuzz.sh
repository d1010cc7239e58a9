#!/bin/sh
# fuzz.sh - fuzz the PTX reader and the executor with libFuzzer.
#
# usage: fuzz.sh [SECONDS]      (default 60; 0: the corpus only)
#
# Needs clang.  Starts from tests/fuzz/corpus and the kernels' own PTX; what is
# found on the way stays in build/fuzz/corpus, a crash in build/fuzz.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
CLANG=${CLANG:-$(command -v clang || command -v clang-14 || true)}
seconds=${1:-60}

[ -n "$CLANG" ] || { echo "fuzz: skipped, no clang"; exit 0; }
mkdir -p "$BUILD/fuzz/corpus" "$BUILD/fuzz/seeds"
for f in tests/fuzz/corpus/*.ptx kernels/*/*.ptx; do
	cp "$f" "$BUILD/fuzz/seeds/"
done
if [ ! -e "$BUILD/fuzz/fuzz_exec" ] ||
	[ -n "$(find lib golden tests/fuzz -name '*.[ch]' -newer "$BUILD/fuzz/fuzz_exec")" ]
then
	"$CLANG" -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g \
		-fsanitize=fuzzer,address,undefined -DNDP_NO_CLONES \
		-fno-sanitize-recover=undefined -Ilib -Igolden \
		tests/fuzz/fuzz_exec.c golden/sim/exec/*.c golden/sim/trace/stats.c \
		lib/ptx/*.c lib/flow/*.c lib/papers/*.c lib/papers/mpu/*.c lib/base/arena.c lib/base/diag.c lib/base/suggest.c lib/base/text.c \
		lib/iface/opclass.c -lm -o "$BUILD/fuzz/fuzz_exec"
fi
[ "$seconds" -gt 0 ] && limit="-max_total_time=$seconds" || limit="-runs=0"
"$BUILD/fuzz/fuzz_exec" "$limit" -timeout=10 -rss_limit_mb=1024 \
	-max_len=16384 -artifact_prefix="$BUILD/fuzz/" -print_final_stats=1 \
	"$BUILD/fuzz/corpus" "$BUILD/fuzz/seeds" 2>&1 |
	tail -n "${FUZZ_LINES:-12}"
