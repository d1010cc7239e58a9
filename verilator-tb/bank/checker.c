/* checker.c - a bank's commands against the times of Table II. */
#include "checker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ACT = 0, PRE = 1, PREA = 2, RD = 3, WR = 5, REF = 7 };

static const int64_t never = INT64_MIN / 4;

void bank_checker_reset(struct bank_checker *k, const struct config *c) {
    *k = (struct bank_checker){.open_rows = c->bank_open_rows,
                               .rcd = c->timing_rcd,
                               .ccd = c->timing_ccdl,
                               .rtp = c->timing_rtp,
                               .rp = c->timing_rp,
                               .ras = c->timing_ras,
                               .rfc = c->timing_rfc,
                               .refi = c->timing_refi};
    /* the last burst is written, its row restored and closed */
    k->late = c->timing_cwl + c->timing_bl + c->timing_wr + k->rtp + k->ras +
              k->rp + c->timing_rc + 4;
    k->read = k->written = k->refreshed = never;
    for (int b = 0; b < BANK_BUFFERS; b++) {
        k->buffer[b].row = -1;
        k->buffer[b].opened = k->buffer[b].closed = k->buffer[b].read = never;
    }
}

static bool wrong(struct bank_checker *k, const char *what, int64_t since,
                  int64_t least) {
    if (since >= least)
        return false;
    snprintf(k->broken, sizeof k->broken,
             "%s: %" PRId64 " cycles, Table II has %" PRId64, what, since,
             least);
    return true;
}

static bool says(struct bank_checker *k, const char *what) {
    snprintf(k->broken, sizeof k->broken, "%s", what);
    return true;
}

static bool breaks_column(struct bank_checker *k, int64_t edge, bool write,
                          int buffer, int64_t row) {
    if (k->buffer[buffer].row != row)
        return says(k, "a burst of a row that is not open");
    return wrong(k, "tRCD", edge - k->buffer[buffer].opened, k->rcd) ||
           wrong(k, "tCCD", edge - (write ? k->written : k->read), k->ccd);
}

static bool breaks_close(struct bank_checker *k, int64_t edge, int buffer) {
    return wrong(k, "tRAS", edge - k->buffer[buffer].opened, k->ras) ||
           wrong(k, "tRTP", edge - k->buffer[buffer].read, k->rtp);
}

static bool breaks_refresh(struct bank_checker *k, int64_t edge) {
    for (int b = 0; b < k->open_rows; b++) {
        if (k->buffer[b].row >= 0)
            return says(k, "a refresh with a row open");
        if (wrong(k, "tRP to a refresh", edge - k->buffer[b].closed, k->rp))
            return true;
    }
    return wrong(k, "tREFI", edge, (k->refreshes + 1) * k->refi);
}

static bool breaks(struct bank_checker *k, int64_t edge, int kind, int buffer,
                   int64_t row) {
    if (wrong(k, "tRFC", edge - k->refreshed, k->rfc))
        return true;
    switch (kind) {
    case ACT:
        if (k->buffer[buffer].row >= 0)
            return says(k, "a row over an open one");
        if (row % k->open_rows != buffer)
            return says(k, "a row in another's row buffer");
        return wrong(k, "tRP", edge - k->buffer[buffer].closed, k->rp);
    case PRE:
        return breaks_close(k, edge, buffer);
    case PREA:
        for (int b = 0; b < k->open_rows; b++)
            if (k->buffer[b].row >= 0 && breaks_close(k, edge, b))
                return true;
        return false;
    case RD:
    case WR:
        return breaks_column(k, edge, kind == WR, buffer, row);
    case REF:
        return breaks_refresh(k, edge);
    default:
        return says(k, "no command of a bank");
    }
}

static void close_row(struct bank_checker *k, int64_t edge, int b) {
    k->buffer[b].row = -1;
    k->buffer[b].closed = edge;
}

static void note(struct bank_checker *k, int64_t edge, int kind, int buffer,
                 int64_t row) {
    if (kind == ACT) {
        k->buffer[buffer].row = row;
        k->buffer[buffer].opened = edge;
    } else if (kind == RD) {
        k->read = k->buffer[buffer].read = edge;
    } else if (kind == WR) {
        k->written = edge;
    } else if (kind == REF) {
        k->refreshed = edge;
        k->refreshes++;
    }
    for (int b = 0; b < k->open_rows; b++)
        if (k->buffer[b].row >= 0 &&
            (kind == PREA || (kind == PRE && b == buffer)))
            close_row(k, edge, b);
}

const char *bank_checker_take(struct bank_checker *k, int64_t edge, int kind,
                              int buffer, int64_t row) {
    bool bad = breaks(k, edge, kind, buffer, row);

    note(k, edge, kind, buffer, row);
    return bad ? k->broken : NULL;
}

const char *bank_checker_edge(struct bank_checker *k, int64_t edge) {
    if (!k->refi || edge <= (k->refreshes + 1) * k->refi + k->late)
        return NULL;
    says(k, "a refresh is overdue");
    return k->broken;
}
