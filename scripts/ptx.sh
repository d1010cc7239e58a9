#!/bin/sh
# ptx.sh - makes kernels/<name>/<name>.ptx from the CUDA source beside it, and
# what machines compute by: lib/ptx/double.ptx (f64) and lib/cuda/vprintf.ptx, as
# NAME double and vprintf.
#
#   sh scripts/ptx.sh [NAME...]           rebuild (default: all)
#   sh scripts/ptx.sh --check [NAME...]   compile aside and compare
#
# nvcc runs inside the workload's folder on a bare file name and without line
# information, so that the output holds neither paths nor dates.  --check says
# so and skips where nvcc is missing or of another release than the committed
# files: another release may well make other PTX.
# Exit status: 0 equal, rebuilt or skipped, 1 different, 2 bad use.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu

# The nvcc release that made the committed files.
release=13.0
flags="-ptx -arch=sm_75 -O3"

usage() {
    echo "usage: sh scripts/ptx.sh [--check] [NAME...]" >&2
    exit 2
}

compile() { # name, output file
    case $1 in
    double | vprintf) set -- "$1" "$2" -rdc=true -Dvprintf=vprintf_of_host ;;
    esac
    (cd "$(folder "$1")" && name=$1 to=$2 && shift 2 &&
        nvcc $flags "$@" -o "$to" "$name.cu")
}
folder() { # name
    case $1 in
    double) echo "$kernels/../lib/ptx" ;;
    vprintf) echo "$kernels/../lib/cuda" ;;
    *) echo "$kernels/$1" ;;
    esac
}

check_one() { # name
    compile "$1" "$scratch/$1.ptx"
    made=$(folder "$1")/$1.ptx
    if ! cmp -s "$scratch/$1.ptx" "$made"; then
        echo "$1.ptx: differs from what nvcc makes of $1.cu" >&2
        diff "$made" "$scratch/$1.ptx" | head -n 10 >&2 || :
        return 1
    fi
}

check=0
case "${1-}" in
--check)
    check=1
    shift
    ;;
-*) usage ;;
esac

kernels=$(cd "$(dirname "$0")/../kernels" && pwd)
if [ $# -eq 0 ]; then
    set -- $(cd "$kernels" && for f in */*.cu; do dirname "$f"; done) double vprintf
fi
for name in "$@"; do
    if [ ! -f "$(folder "$name")/$name.cu" ]; then
        echo "ptx.sh: error: no workload '$name' in kernels/" >&2
        exit 2
    fi
done

if ! command -v nvcc >/dev/null 2>&1; then
    if [ "$check" -eq 1 ]; then
        echo "ptx.sh: skipped, no nvcc on this machine"
        exit 0
    fi
    echo "ptx.sh: error: 'nvcc' not found, expected CUDA $release" >&2
    exit 2
fi
have=$(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
if [ "$check" -eq 1 ] && [ "$have" != "$release" ]; then
    echo "ptx.sh: skipped, nvcc is $have and the files are from $release"
    exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
count=0
for name in "$@"; do
    count=$((count + 1))
    if [ "$check" -eq 1 ]; then
        check_one "$name" || failed=$((failed + 1))
    else
        compile "$name" "$scratch/$name.ptx"
        cp "$scratch/$name.ptx" "$(folder "$name")/$name.ptx"
    fi
done
if [ "$failed" -ne 0 ]; then
    echo "ptx.sh: $failed of $count files differ" >&2
    exit 1
fi
if [ "$check" -eq 1 ]; then
    echo "ptx.sh: $count files equal"
else
    echo "ptx.sh: $count files made"
fi
