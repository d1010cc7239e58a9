/* checker.h - a checker of a bank's commands that knows the paper's times and
 * no table of rules.
 *
 * MPU, Table II: tRCD, tCCD, tRTP, tRP, tRAS, tRFC, tREFI, and what a row
 * buffer is: one open row, closed before another, all closed for a refresh.
 */
#ifndef NDP_STIM_BANK_CHECKER_H
#define NDP_STIM_BANK_CHECKER_H

#include "config/config.h"

#include <stdint.h>

enum { BANK_BUFFERS = 4 };

struct bank_checker {
    int open_rows;
    int64_t rcd, ccd, rtp, rp, ras, rfc, refi;
    int64_t late; /* a refresh comes no later than that after it is due */
    struct {
        int64_t row; /* -1: closed */
        int64_t opened, closed, read;
    } buffer[BANK_BUFFERS];
    int64_t read, written, refreshed;
    int64_t refreshes;
    char broken[160]; /* what the last command broke */
};

void bank_checker_reset(struct bank_checker *k, const struct config *c);

/* A command on an edge, edges counted from reset.  NULL, or what is broken,
 * good until the next call. */
const char *bank_checker_take(struct bank_checker *k, int64_t edge, int kind,
                              int buffer, int64_t row);

/* An edge has passed. */
const char *bank_checker_edge(struct bank_checker *k, int64_t edge);

#endif
