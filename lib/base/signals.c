/* signals.c - hold and release. */
#define _XOPEN_SOURCE 700 /* sigaction */
#include "signals.h"

#include <stddef.h>

static const int held[] = {SIGINT, SIGTERM, SIGHUP};

enum { N_HELD = sizeof held / sizeof held[0] };

void signals_hold(struct held_signals *h) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t block;
    sigemptyset(&block);
    for (int i = 0; i < N_HELD; i++)
        sigaddset(&block, held[i]);
    sigprocmask(SIG_BLOCK, &block, &h->before);
    sigaction(SIGXFSZ, &ignore, &h->too_large); /* write reports EFBIG */
}

void signals_release(struct held_signals *h) {
    sigaction(SIGXFSZ, &h->too_large, NULL);
    sigprocmask(SIG_SETMASK, &h->before, NULL);
}

bool signals_wait(void) {
    sigset_t waiting;
    bool some = false;
    if (sigpending(&waiting) != 0)
        return false;
    for (int i = 0; i < N_HELD; i++)
        some = some || sigismember(&waiting, held[i]) == 1;
    return some;
}
