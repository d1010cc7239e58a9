# plain_path.sh - for scripts whose tools take no blanks in a path; read with
# '.', not run, from the top of the checkout and before any word is taken.
#
# Where the path of the checkout has a blank, the script runs again below a link
# that has none, with the same words, and ends as that run does.  BUILD, where it
# lies in the checkout, is told from there.
case $PWD in
*[[:space:]]*)
    [ -z "${BUILD:-}" ] || BUILD=${BUILD#"$PWD"/}
    plain_room=$(mktemp -d)
    trap 'rm -rf "$plain_room"' EXIT
    ln -s "$PWD" "$plain_room/checkout"
    cd "$plain_room/checkout"
    plain_status=0
    sh "scripts/${0##*/}" "$@" || plain_status=$?
    exit $plain_status
    ;;
esac
