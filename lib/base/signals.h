/* signals.h - signals that wait while something is put in place, so that
 * nothing half-written stays behind. */
#ifndef NDP_SIGNALS_H
#define NDP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct held_signals {
    sigset_t before;
    struct sigaction too_large;
};

/* SIGINT, SIGTERM and SIGHUP wait; a file that grows too large is an error of
 * write and no signal. */
void signals_hold(struct held_signals *h);
void signals_release(struct held_signals *h);

/* One that the user sent waits for us to finish. */
bool signals_wait(void);

#endif
