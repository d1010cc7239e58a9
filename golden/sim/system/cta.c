/* cta.c - reading a stream CTA by CTA, and coalescing its accesses. */
#include "cta.h"

#include "base/arena.h"

#include <stdlib.h>

enum { LINE = 128, SECTOR = 32, MAX_LINES = STREAM_MAX_LINES };

struct cta_reader {
    struct stream *stream;
    const struct stream_insn **insns; /* by id */
    uint32_t n_insns;
    struct stream_event event; /* the last one read */
    bool has_ahead;            /* it belongs to the next CTA */
    enum stream_result end;
};

struct cta_reader *cta_reader_create(struct stream *s) {
    struct cta_reader *r = xcalloc(1, sizeof *r);
    r->stream = s;
    r->end = STREAM_EVENT;
    return r;
}

void cta_reader_free(struct cta_reader *r) {
    if (r)
        free(r->insns);
    free(r);
}

enum stream_result cta_reader_end(const struct cta_reader *r) {
    return r->end;
}

const struct stream_insn *cta_insn(const struct cta_reader *r, uint32_t insn) {
    return r->insns[insn];
}

void cta_free(struct cta *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < c->n_warps; i++) {
        free(c->warps[i].ops);
        free(c->warps[i].lines);
    }
    free(c->warps);
    free(c);
}

/* --------------------------------------------------------------- coalescing */

/* Bytes at to last, all in one line, join the line's entry. */
static uint32_t touch(struct cta_line *lines, uint32_t n, uint64_t at,
                      uint64_t last) {
    uint32_t i = n;
    while (i > 0 && lines[i - 1].address / LINE != at / LINE)
        i--;
    if (i == 0) {
        lines[n] = (struct cta_line){.address = at, .sectors = 0};
        i = ++n;
    }
    struct cta_line *l = &lines[i - 1];
    if (at < l->address)
        l->address = at;
    for (uint64_t s = at % LINE / SECTOR; s <= last % LINE / SECTOR; s++)
        l->sectors |= (uint8_t)(1u << s);
    return n;
}

/* Distinct lines of an access, in the order of the lanes, those of further
 * texels last; how many. */
static uint32_t coalesce(const struct stream_event *e, struct cta_line *lines) {
    uint32_t n = 0, width = stream_width(e), addresses = stream_addresses(e);
    for (uint32_t row = 0; row < addresses; row++)
        for (uint32_t left = e->mask; left; left &= left - 1) {
            uint64_t at = stream_row(e, row)[__builtin_ctz(left)];
            uint64_t last = at + width - 1;
            uint64_t edge = at / LINE * LINE + LINE;
            if (last < edge) {
                n = touch(lines, n, at, last);
            } else { /* not aligned: a trace of other hardware */
                n = touch(lines, n, at, edge - 1);
                n = touch(lines, n, edge, last);
            }
        }
    return n;
}

/* ---------------------------------------------------------------- reading */

static void grow(struct cta_warp *w) {
    if (w->n + 2 > w->cap) {
        w->cap = w->cap ? 2 * w->cap : 64;
        w->ops = xrealloc(w->ops, w->cap * sizeof *w->ops);
    }
    if (w->n_lines + MAX_LINES > w->cap_lines) {
        w->cap_lines = w->cap_lines ? 2 * w->cap_lines : 2 * MAX_LINES;
        w->lines = xrealloc(w->lines, w->cap_lines * sizeof *w->lines);
    }
}

static void know(struct cta_reader *r, const struct stream_insn *insn) {
    if (insn->id >= r->n_insns) {
        uint32_t n = r->n_insns ? r->n_insns : 256;
        while (n <= insn->id)
            n *= 2;
        r->insns = xrealloc(r->insns, n * sizeof *r->insns);
        r->n_insns = n;
    }
    r->insns[insn->id] = insn;
}

static void add(struct cta_reader *r, struct cta *c,
                const struct stream_event *e) {
    if (e->warp >= c->n_warps)
        return; /* a trace whose header and lines disagree */
    struct cta_warp *w = &c->warps[e->warp];
    know(r, e->insn);
    grow(w);
    w->ops[w->n++] =
        (struct cta_op){e->insn->id, w->n_lines, e->mask != UINT32_MAX};
    if (cta_in_dram(e->insn))
        w->n_lines += coalesce(e, w->lines + w->n_lines);
    w->ops[w->n] = (struct cta_op){.lines = w->n_lines};
}

/* The next instruction into r->event. */
static bool pull(struct cta_reader *r) {
    if (r->has_ahead) {
        r->has_ahead = false;
        return true;
    }
    while (r->end == STREAM_EVENT) {
        enum stream_result got = stream_next(r->stream, &r->event);
        if (got != STREAM_EVENT)
            r->end = got;
        else if (r->event.kind == STREAM_INSTRUCTION)
            return true;
    }
    return false;
}

static struct cta *begin(const struct stream_event *e) {
    const struct stream_launch *l = e->launch;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    struct cta *c = xcalloc(1, sizeof *c);
    c->launch = *l;
    c->id = e->cta;
    c->n_warps = (uint32_t)((threads + STREAM_LANES - 1) / STREAM_LANES);
    c->warps = xcalloc(c->n_warps ? c->n_warps : 1, sizeof *c->warps);
    return c;
}

struct cta *cta_read(struct cta_reader *r) {
    const struct stream_event *e = &r->event;
    struct cta *c = NULL;
    while (pull(r)) {
        if (!c)
            c = begin(e);
        if (e->launch->id != c->launch.id || e->cta != c->id) {
            r->has_ahead = true;
            break;
        }
        add(r, c, e);
    }
    return c;
}
