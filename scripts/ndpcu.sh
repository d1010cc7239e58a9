#!/bin/sh
# ndpcu - compile CUDA programs for near-data machines, without a CUDA toolkit.
#
# usage: ndpcu [options] FILE.cu... -o PROGRAM
#        NDP_DEVICE=golden:mpu_core ./PROGRAM
#
# Files: .cu (CUDA C++), .cpp .cc .cxx .c (host code), .o .a .so (linked).
# Options are nvcc's where they mean something here:
#   -o FILE          what to write; default a.out
#   -c               objects only
#   --ptx, -ptx      PTX of the one .cu file, to its name with .ptx, or to -o
#   -I -D -U -L -l -O -g -std= -include -isystem -f... -W... -m64   as of clang
#   -O is for host code; device code is always optimised
#   -Xcompiler A,B   for the host compiler;  -Xlinker A,B   for the linker
#   -arch=sm_NN, --gpu-architecture=sm_NN, -gencode ...         default sm_70
#   --use_fast_math, -use_fast_math      fast, approximate device functions
#   --nvcc           compile .cu files by nvcc, where it is installed, to PTX of sm_75 on
#   --print-flags    print how device and host code would be compiled
#   --help           these lines
# Refused: -dc, -rdc=true, --device-c (device code of one file calls another's).
#
# Environment: NDPCU_CLANG (clang++-14), NDPCU_CLC (libclc's bitcode).
# Exit status: that of the compiler; 2 bad use.
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu

die() {
    echo "ndpcu: error: $1" >&2
    exit 2
}

# here: beside the libraries of a build, or in bin/ of an installation
here=$(dirname "$(readlink -f "$0")")
if [ -f "$here/libndpcudart.a" ]; then
    libraries=$here include=$here/ndpcuda
else
    libraries=$here/../lib include=$here/../include/ndpcuda
fi
clang=${NDPCU_CLANG:-clang++-14}
clc=${NDPCU_CLC:-/usr/lib/clc/nvptx64--nvidiacl.bc}
command -v "$clang" >/dev/null || die "no '$clang', install clang-14 or set NDPCU_CLANG"
[ -f "$clc" ] || die "no '$clc', install libclc-14 or set NDPCU_CLC"

# Words for the compiler and for the linker, quoted for eval.
flags= link= sources= objects= out= mode=link arch=sm_70 std=-std=c++17 optimise=-O2
fast= print= nvcc=
quote() {
    printf "'%s' " "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}
add() { flags="$flags $(quote "$1")"; }
add_link() { link="$link $(quote "$1")"; }
split() { # function A,B,C
    rest=$2
    while [ -n "$rest" ]; do
        "$1" "${rest%%,*}"
        case $rest in *,*) rest=${rest#*,} ;; *) rest= ;; esac
    done
}
# clang 14 knows up to sm_86
set_arch() {
    number=$(printf '%s' "$1" | sed 's/.*_\([0-9]*\).*/\1/')
    case $number in
    '' | *[!0-9]*) ;;
    *)
        [ "$number" -ge 70 ] || number=70
        [ "$number" -le 86 ] || number=86
        case $number in 70 | 72 | 75 | 80 | 86) arch=sm_$number ;; *) arch=sm_80 ;; esac
        ;;
    esac
}
need() { [ "$1" -ge 2 ] || die "'$2' wants a value"; }

while [ $# -gt 0 ]; do
    case $1 in
    -o) need $# "$1"; out=$2; shift ;;
    -o?*) out=${1#-o} ;;
    -c) mode=object ;;
    -ptx | --ptx) mode=ptx ;;
    --print-flags) print=1 ;;
    --nvcc) nvcc=1 ;;
    -dc | --device-c | -dlink | --device-link | -rdc=true | --relocatable-device-code=true)
        die "'$1' is not supported: device code of each file stands for itself" ;;
    -rdc=false | --relocatable-device-code=false | -m64 | --extended-lambda | --expt-extended-lambda | \
        --expt-relaxed-constexpr | -expt-relaxed-constexpr | -extended-lambda | -lineinfo | --generate-line-info | \
        -lcudart | -lcuda | -lcudadevrt | -cudart | --cudart | --cudart=* | -cudart=* | -v | --resource-usage)
        case $1 in -cudart | --cudart) shift ;; esac ;;
    -Xptxas | --ptxas-options | -Xcudafe | -maxrregcount | --maxrregcount) need $# "$1"; shift ;;
    -Xptxas=* | --ptxas-options=* | -maxrregcount=* | --maxrregcount=* | -Xcudafe=*) ;;
    -arch | --gpu-architecture | -gencode | --generate-code | -code | --gpu-code)
        need $# "$1"; case $1 in *code) case $1 in -code | --gpu-code) ;; *) set_arch "$2" ;; esac ;; *) set_arch "$2" ;; esac
        shift ;;
    -arch=* | --gpu-architecture=* | -gencode=* | --generate-code=* | --cuda-gpu-arch=*) set_arch "${1#*=}" ;;
    -code=* | --gpu-code=*) ;;
    -use_fast_math | --use_fast_math | -ffast-math) fast=1 ;;
    -Xcompiler | --compiler-options) need $# "$1"; split add "$2"; shift ;;
    -Xcompiler=* | --compiler-options=*) split add "${1#*=}" ;;
    -Xlinker | --linker-options) need $# "$1"; add_link -Xlinker; add_link "$2"; shift ;;
    -Wl,*) add_link "$1" ;;
    -std=*) std=$1 ;;
    --std=*) std=-${1#-} ;;
    -std | --std) need $# "$1"; std=-std=$2; shift ;;
    -O*) optimise=$1 ;;
    -G) ;;
    -x) need $# "$1"; shift ;; # a .cu file is CUDA
    -L | -l) need $# "$1"; add_link "$1"; add_link "$2"; shift ;;
    -L* | -l*) add_link "$1" ;;
    -shared | -static | -pthread | -fopenmp) add "$1"; add_link "$1" ;;
    -I | -D | -U | -include | -isystem | -MF | -MT) need $# "$1"; add "$1"; add "$2"; shift ;;
    --compiler-bindir | -ccbin) need $# "$1"; shift ;;
    -*) add "$1" ;;
    *.o | *.a | *.so | *.so.*) objects="$objects $(quote "$1")" ;;
    *.cu | *.cpp | *.cc | *.cxx | *.c) sources="$sources $(quote "$1")" ;;
    *) die "unknown file '$1', expected .cu, .cpp, .cc, .cxx, .c, .o, .a or .so" ;;
    esac
    shift
done
[ -n "$sources$objects" ] || [ -n "$print" ] || die "no file, see --help"

common="$std $optimise -isystem '$include' $flags"
# -O is the host's, as of nvcc: machines follow no calls, so all must be inlined
of_device="$std -O2 -isystem '$include' $flags"
cuda="-x cuda --cuda-path=/nonexistent --cuda-gpu-arch=$arch -nocudainc -nocudalib \
-Xclang -target-sdk-version=11.0 -include cuda_runtime.h -Wno-unknown-cuda-version ${fast:+-ffast-math}"
device="$cuda --cuda-device-only -ffp-contract=on -Xclang -target-feature -Xclang +ptx71 -Wno-linker-warnings \
-Xclang -mlink-builtin-bitcode -Xclang '$clc' -S"
# CUDA's host code is not what -ffast-math is about
host="$(printf '%s' "$cuda" | sed 's/-ffast-math//') --cuda-host-only -c"
libs="'$libraries/libndpcudart.a' '$libraries/libgolden.a' '$libraries/libndp.a' -lyaml -ljansson -lelf -lzstd -llz4 -lpthread -lm"
if [ -n "$print" ]; then
    eval "printf '%s ' $clang $device $of_device; echo; printf '%s ' $clang $host $common; echo"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
by_nvcc() { # nvcc's own options, then source and object
    eval "nvcc $std ${fast:+-use_fast_math} $(printf '%s' "$flags" | sed "s/'-[Wf][^']*' //g") \"\$@\""
}
compile_cuda() { # source object
    if [ -n "$nvcc" ]; then
        by_nvcc "$optimise" -gencode "arch=compute_$number,code=compute_$number" -c "$1" -o "$2" || exit $?
        return
    fi
    eval "$clang $device $of_device \"\$1\" -o \"\$work/$n.ptx\"" || exit $?
    eval "$clang $host -Xclang -fcuda-include-gpubinary -Xclang \"\$work/$n.ptx\" $common \"\$1\" -o \"\$2\"" || exit $?
}
compile() { # source object
    case $1 in
    *.cu) compile_cuda "$1" "$2" ;;
    *.c) eval "${CC:-clang-14} $(printf '%s' "$common" | sed 's/-std=c++[0-9a-z]*//') -c \"\$1\" -o \"\$2\"" || exit $? ;;
    *) eval "$clang $common -c \"\$1\" -o \"\$2\"" || exit $? ;;
    esac
}

if [ -n "$nvcc" ]; then
    command -v nvcc >/dev/null || die "no 'nvcc' here, which --nvcc asks for"
    number=${arch#sm_}
    [ "$number" -ge 75 ] || number=75
fi
eval "set -- $sources"
case $mode in
ptx)
    [ $# = 1 ] || die "--ptx takes one .cu file"
    base=$(basename "$1")
    if [ -n "$nvcc" ]; then
        by_nvcc -arch="compute_$number" -ptx "$1" -o "${out:-${base%.*}.ptx}"
        exit $?
    fi
    eval "$clang $device $of_device \"\$1\" -o \"\${out:-\${base%.*}.ptx}\""
    exit $?
    ;;
object)
    [ -z "$out" ] || [ $# = 1 ] || die "'-c' with '-o' takes one file"
    for source; do
        n=$((n + 1))
        base=$(basename "$source")
        compile "$source" "${out:-${base%.*}.o}"
    done
    ;;
link)
    made=
    for source; do
        n=$((n + 1))
        compile "$source" "$work/$n.o"
        made="$made $(quote "$work/$n.o")"
    done
    eval "$clang $made $objects -o \"\${out:-a.out}\" $link $libs" || exit $?
    ;;
esac
