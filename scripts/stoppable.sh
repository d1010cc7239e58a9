# stoppable.sh - for scripts that Ctrl-C, SIGTERM and SIGHUP end together with all
# that they have started; read with '.', not run, before any word is taken, with
# $again the path of the script.
#
# A shell answers a signal only when the command that it waits for has ended.  So
# the script runs again as a child, with the same words, and this process waits:
# it passes a signal on, as SIGTERM, to every process below, and ends as the child
# does, or with 130.

# the child and all below it
stoppable_processes() {
    ps -A -o pid= -o ppid= 2>/dev/null | awk -v top="$stoppable_child" '
        { parent[$1] = $2 }
        END {
            for (p in parent) {
                for (q = p; q != top && q in parent;)
                    q = parent[q]
                if (q == top)
                    print p
            }
        }'
    echo "$stoppable_child"
}

stoppable_stop() {
    stoppable_stopped=1
    trap '' INT TERM HUP
    # shellcheck disable=SC2046
    kill -TERM $(stoppable_processes) 2>/dev/null
}

if [ "${STOPPABLE:-}" != "$again" ]; then
    STOPPABLE=$again
    export STOPPABLE
    stoppable_stopped=
    sh "$again" "$@" <&0 &
    stoppable_child=$!
    trap stoppable_stop INT TERM HUP
    stoppable_status=0
    wait "$stoppable_child" || stoppable_status=$?
    if [ -n "$stoppable_stopped" ]; then
        wait "$stoppable_child" || :
        stoppable_status=130
    fi
    exit $stoppable_status
fi
