/* run.c - the loads of a kernel that is run, as demands.
 *
 * The description's section 'prefetch' (docs/run.md) says which buffers are
 * images and how CTAs share them.  One SM's prefetcher stands for all: with
 * each CTA that the executor comes to, the table is loaded with the part that
 * this CTA walks over.  A load becomes one demand for each 128-byte line that
 * its lanes touch.  Addresses are cut to the width of the block's.
 */
#include "env.h"

#include "base/arena.h"
#include "kit/stream.h"
#include "prefetch/image_driver.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    struct stim_stream *stream;
    bool in_cta;
    uint64_t launch, cta; /* whose part the table holds */
    uint64_t line[STREAM_LANES];
    int n_lines, next_line; /* of the load that is under way */
    bool over;
};

/* Entry i of the table, for the part of this CTA. */
static void set_walk(struct prefetch_stim *s, int i,
                     const struct run_images *images, uint64_t cta) {
    struct image_part part = {images->parts, cta % images->parts, false};
    struct prefetch_walk from = image_driver_walk(&images->images[i], &part);
    struct walk *w = &s->walk[i];
    uint64_t e = images->images[i].element;
    *w = (struct walk){.valid = from.x_lo < from.x_hi && from.y_lo < from.y_hi,
                       .along_y = from.along_y,
                       .start = from.start & ones(s->size.ADDR_W),
                       .pitch = (int64_t)from.pitch,
                       .rows = (int64_t)images->images[i].height,
                       .element = (int64_t)e,
                       .bw = (int64_t)(from.block_x / e),
                       .bh = (int64_t)from.block_y,
                       .x_lo = (int64_t)from.x_lo,
                       .x_hi = (int64_t)from.x_hi,
                       .y_lo = (int64_t)from.y_lo,
                       .y_hi = (int64_t)from.y_hi};
}

static void load_part(struct prefetch_stim *s, const struct replay *r,
                      uint64_t cta) {
    const struct run_images *images = run_images(stim_stream_run(r->stream));
    memset(s->walk, 0, sizeof s->walk);
    for (int i = 0; i < images->n && i < s->size.IMAGES; i++)
        set_walk(s, i, images, cta);
    s->reload = true;
}

/* The lines that a load touches, each by the first address in it. */
static void find_lines(struct replay *r, const struct stream_event *e) {
    r->n_lines = r->next_line = 0;
    for (int lane = 0; lane < STREAM_LANES; lane++) {
        if (!(e->mask >> lane & 1))
            continue;
        int n = 0;
        while (n < r->n_lines && r->line[n] >> 7 != e->address[lane] >> 7)
            n++;
        if (n == r->n_lines)
            r->line[r->n_lines++] = e->address[lane];
    }
}

static bool is_demand(const struct stream_event *e) {
    return e->kind == STREAM_INSTRUCTION && e->mask &&
           e->insn->access == STREAM_LOAD &&
           (e->insn->space == PTX_SPACE_GLOBAL ||
            e->insn->space == PTX_SPACE_NONE);
}

/* Read on to the next load; true once its lines are known. */
static bool next_load(struct prefetch_stim *s) {
    struct replay *r = s->base.script;
    for (int tries = 0; tries < 4096; tries++) {
        const struct stream_event *e = stim_stream_next(r->stream);
        if (!e) {
            r->over = true;
            return false;
        }
        if (!is_demand(e))
            continue;
        find_lines(r, e);
        if (!r->in_cta || r->cta != e->cta || r->launch != e->launch->id) {
            r->in_cta = true;
            r->cta = e->cta;
            r->launch = e->launch->id;
            load_part(s, r, e->cta);
        }
        return true;
    }
    return false;
}

static bool next(struct prefetch_stim *s, uint64_t *address) {
    struct replay *r = s->base.script;
    if (r->next_line == r->n_lines && !next_load(s))
        return false;
    if (s->reload) /* this CTA's part first */
        return false;
    *address = r->line[r->next_line++] & ones(s->size.ADDR_W);
    return true;
}

/* What the block must be able to hold, or a message. */
static bool fits(const struct prefetch_stim *s, const struct run_images *images,
                 const char *path, struct diag *d) {
    if (!images) {
        diag_error(d, (struct place){0},
                   "'%s' has no section 'prefetch' that names its images",
                   path);
        return false;
    }
    for (int i = 0; i < images->n; i++) {
        const struct run_image *m = &images->images[i];
        uint64_t pitch = m->pitch * m->element;
        if (i >= s->size.IMAGES || pitch >> s->size.PITCH_W > 1 ||
            pitch * m->height >> s->size.SIZE_W || m->height >> s->size.ROW_W ||
            (s->pow2 && (pitch & (pitch - 1)))) {
            diag_error(d, (struct place){0},
                       "%s: image '%s' does not fit the information table: "
                       "enlarge 'prefetch.images', 'prefetch.size_bits', "
                       "'prefetch.pitch_bits' or 'prefetch.row_bits'",
                       path, m->buffer);
            return false;
        }
    }
    return true;
}

static bool open(struct stim *base) {
    struct prefetch_stim *s = (struct prefetch_stim *)base;
    struct replay *r = base->script = xcalloc(1, sizeof *r);
    r->stream = stim_stream_open(base->options, base->diag);
    return r->stream && fits(s, run_images(stim_stream_run(r->stream)),
                             base->options->run, base->diag);
}

static void close(struct stim *base) {
    struct replay *r = base->script;
    stim_stream_close(r->stream);
    free(r);
}

static enum stim_state state(const struct stim *base) {
    const struct replay *r = base->script;
    if (!r->over)
        return STIM_GOING;
    return stim_stream_state(r->stream) == STIM_FAILED ? STIM_FAILED
                                                       : STIM_OVER;
}

const struct prefetch_mode prefetch_run = {
    .base = {.name = "replay",
             .measures = true,
             .open = open,
             .close = close,
             .state = state},
    .next = next,
};
