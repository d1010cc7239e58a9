#!/bin/sh
# blank_test.sh - a checkout in a folder with a blank in its name: Yosys and make
# split paths there.
#
# usage: blank_test.sh
#
# The folder holds links to all rooms of this checkout, and a build folder of
# its own; Verilator, which takes long, is a stand-in that looks at its paths.
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS NDPGEN
real=${BUILD:-build}
case $real in /*) ;; *) real=$PWD/$real ;; esac
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0
place="$room/a far place"
mkdir -p "$place/build" "$room/bin"
for f in *; do
    case $f in build | out) ;; *) ln -s "$PWD/$f" "$place/$f" ;; esac
done
for f in "$real"/*; do
    case $f in */area | */lint | */cosim | */probes | */check) ;; *)
        ln -s "$f" "$place/build/" ;;
    esac
done
cat >"$room/bin/verilator" <<'END'
#!/bin/sh
obj=
while [ $# -gt 0 ]; do
    case $1 in
    --Mdir) mkdir -p "$2" && obj=$(cd "$2" && pwd -P) ;;
    *.cpp)
        case $1 in *[[:space:]]*) echo "a blank in '$1'"; exit 1 ;; esac
        [ -r "$1" ] || { echo "no '$1'"; exit 1; }
        ;;
    esac
    shift
done
case $obj in '' | *[[:space:]]*) echo "a blank in '$obj'"; exit 1 ;; esac
echo made >"$obj/machine"
END
chmod +x "$room/bin/verilator"

# holds WHAT COMMAND...: from the folder
holds() {
    said=$1
    shift
    if (cd "$place" && BUILD=build "$@") >"$room/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "blank_test.sh: $said:" >&2
        tail -n 8 "$room/out" | sed 's/^/    /' >&2
    fi
}

if command -v yosys >/dev/null 2>&1; then
    holds 'area' sh scripts/area.sh --target credit --set credit.width=4 \
        --flow gates
    mv "$room/out" "$room/area"
    holds 'area says what there is' grep -q '^  gates *[1-9]' "$room/area"
    holds 'area from elsewhere, with a build folder named' \
        env BUILD="$place/build" sh "$place/scripts/area.sh" --target credit \
        --set credit.width=4 --flow gates
    holds 'lint' python3 scripts/jobs lint --no-ledger --target credit --name credit-small
fi
holds 'its RTL' build/ndpgen --target system --preset tiny -o out/machine
holds 'a machine' env PATH="$room/bin:$PATH" \
    sh scripts/machine.sh verilator out/machine
holds 'the machine lies there' grep -q made out/machine/verilator/machine
printf 'target: credit\nvary: {credit.width: [4]}\nmeasure: [emitted, area]\n' \
    >"$place/my sweep.yml"
holds 'a sweep' sh scripts/sweep.sh 'my sweep.yml'
holds 'its table' grep -q ',ok,,' 'out/sweep/my sweep/sweep.csv'
echo "blank: $passed passed, $failed failed"
[ $failed = 0 ]
