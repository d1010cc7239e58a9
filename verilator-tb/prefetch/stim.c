/* stim.c - stimulus of the pattern-aware prefetcher: the core that
 * loads, the cache that takes requests and answers prefetches, the driver that
 * loads the information table.
 *
 * random    images, parts and walks of any kind; demands that follow a walk,
 *           jump in it, miss it or miss all images; a cache that is quick or
 *           slow; entries replaced in between
 * directed  whole walks, step by step and thread by thread: both axes, tiles,
 *           odd widths, elements of 1 to 16 bytes; then random
 * replay    the loads of a kernel that is run, with the table that its
 *           description gives (run.c)
 *
 * Besides the comparison with the model: demands reach the cache unaltered and
 * in order, and every prefetch is where a thread goes next that made a demand
 * before it, in that order (walk.c follows the thread).
 */
#include "stim.h"

#include "env.h"

#include <inttypes.h>
#include <string.h>

/* What the surroundings are like for a while, in percent. */
static const struct tune {
    uint8_t demand, ready, follow, stray, swift;
} tunes[] = {
    {100, 100, 90, 0, 80}, /* all flows */
    {90, 100, 70, 5, 50},  /* the usual */
    {100, 40, 80, 2, 10},  /* a slow cache, slow memory */
    {100, 5, 80, 0, 0},    /* a cache that hardly takes anything */
    {15, 100, 60, 20, 90}, /* a core that hardly asks */
    {60, 60, 30, 10, 30},  /* anywhere in the images */
};

static const struct prefetch_mode *mode_of(const struct prefetch_stim *s) {
    return (const struct prefetch_mode *)s->base.mode;
}

/* ----------------------------------------------------------------- demands */

static uint64_t address_mask(const struct prefetch_stim *s) {
    return ones(s->size.ADDR_W);
}

/* Some address in or around an image. */
static uint64_t near_image(struct prefetch_stim *s, const struct walk *w) {
    uint64_t bytes = (uint64_t)(w->pitch * w->rows);
    switch (rng_below(&s->base.rng, 8)) {
    case 0:
        return w->start;
    case 1:
        return w->start + bytes - 1;
    case 2:
        return w->start + bytes;
    case 3:
        return w->start - 1;
    default:
        return w->start + rng_next(&s->base.rng) % bytes;
    }
}

static uint64_t inside_part(struct prefetch_stim *s, const struct walk *w) {
    uint64_t wide = (uint64_t)((w->x_hi - w->x_lo) / w->element);
    uint64_t high = (uint64_t)(w->y_hi - w->y_lo);
    uint64_t x = (uint64_t)w->x_lo +
                 rng_next(&s->base.rng) % wide * (uint64_t)w->element;
    uint64_t y = (uint64_t)w->y_lo + rng_next(&s->base.rng) % high;
    return w->start + y * (uint64_t)w->pitch + x;
}

static uint64_t random_address(struct prefetch_stim *s) {
    const struct walk *w =
        &s->walk[rng_below(&s->base.rng, (uint32_t)s->size.IMAGES)];
    int dice = (int)rng_below(&s->base.rng, 100);
    if (s->follows && dice < s->tune->follow)
        return s->follow;
    /* where an entry of zeros would lie if it had a size */
    if (!w->valid && dice < 80)
        return rng_next(&s->base.rng) &
               ones(rng_range(&s->base.rng, 1, s->size.SIZE_W));
    if (!w->valid || dice >= 97)
        return rng_next(&s->base.rng) & address_mask(s);
    return dice >= 85 ? near_image(s, w) : inside_part(s, w);
}

static bool next_random(struct prefetch_stim *s, uint64_t *address) {
    *address = random_address(s) & address_mask(s);
    return rng_percent(&s->base.rng, s->tune->demand);
}

/* ---------------------------------------------------------------- the walks */

/* The walks of 'directed', scaled down to fit any block: axis, element, width,
 * height, block, and the part in elements and rows. */
static const struct {
    uint8_t along_y, element, width, height, bw, bh, x_lo, x_hi, y_lo, y_hi;
} scripted[] = {
    {0, 4, 13, 9, 4, 2, 0, 13, 0, 9},  /* row-major, nothing divides */
    {1, 4, 13, 9, 4, 2, 0, 13, 0, 9},  /* column-major */
    {0, 1, 15, 11, 4, 3, 3, 12, 2, 9}, /* a tile */
    {1, 2, 15, 11, 4, 3, 3, 12, 2, 9}, {0, 16, 7, 8, 2, 2, 0, 7, 4, 8},
    {0, 8, 9, 6, 16, 2, 0, 9, 0, 6}, /* a block wider than the part */
    {1, 4, 6, 5, 2, 8, 0, 6, 0, 5},  /* one higher than the part */
    {0, 4, 1, 6, 1, 1, 0, 1, 0, 6},
};

enum { N_SCRIPTED = sizeof scripted / sizeof scripted[0] };

/* Blocks and rows within the widths of a form, as its contract demands. */
static bool fits(const struct prefetch_stim *s, const struct walk *w) {
    int64_t most = ((int64_t)1 << s->size.SIZE_W) - 1;
    return w->pitch <= (int64_t)1 << s->size.PITCH_W &&
           w->pitch * w->rows <= most &&
           w->bw * w->element + w->bh * w->pitch <= most;
}

/* Elements shrink until the walk fits; those of a byte always do. */
static void script_walk(struct prefetch_stim *s, int n) {
    struct walk *w = &s->walk[0];
    int64_t e = scripted[n].element;
    memset(s->walk, 0, sizeof s->walk);
    w->valid = true;
    w->along_y = scripted[n].along_y;
    w->rows = scripted[n].height;
    w->bw = scripted[n].bw;
    w->bh = scripted[n].bh;
    for (;; e /= 2) {
        w->element = e;
        w->pitch = scripted[n].width * e;
        if (s->pow2)
            w->pitch = (int64_t)1 << clog2(w->pitch);
        if (e == 1 || fits(s, w))
            break;
    }
    w->x_lo = scripted[n].x_lo * e;
    w->x_hi = scripted[n].x_hi * e;
    w->y_lo = scripted[n].y_lo;
    w->y_hi = scripted[n].y_hi;
    w->start = 96u * (uint64_t)(n + 1);
}

/* The place of thread (tx, ty) in block n of the walk; false: cut off. */
static bool place_in_walk(const struct walk *w, int64_t n, int64_t tx,
                          int64_t ty, uint64_t *address) {
    int64_t wide = w->bw * w->element;
    int64_t across = (w->x_hi - w->x_lo + wide - 1) / wide;
    int64_t down = (w->y_hi - w->y_lo + w->bh - 1) / w->bh;
    int64_t bx = w->along_y ? n / down : n % across;
    int64_t by = w->along_y ? n % down : n / across;
    int64_t x = w->x_lo + bx * wide + tx * w->element;
    int64_t y = w->y_lo + by * w->bh + ty;
    *address = w->start + (uint64_t)(y * w->pitch + x);
    return x < w->x_hi && y < w->y_hi;
}

static int64_t blocks_of(const struct walk *w) {
    int64_t wide = w->bw * w->element;
    return (w->x_hi - w->x_lo + wide - 1) / wide *
           ((w->y_hi - w->y_lo + w->bh - 1) / w->bh);
}

/* The next demand of the walk that is gone through; at its end the next walk
 * is loaded, and after the last one all goes on at random. */
static bool next_directed(struct prefetch_stim *s, uint64_t *address) {
    if (s->script >= N_SCRIPTED)
        return next_random(s, address);
    const struct walk *w = &s->walk[0];
    int64_t threads = w->bw * w->bh, total = threads * blocks_of(w);
    while (s->step < total) {
        int64_t n = s->step / threads, t = s->step % threads;
        if (place_in_walk(w, n, t % w->bw, t / w->bw, address))
            return true;
        s->step++;
    }
    if (++s->script < N_SCRIPTED)
        script_walk(s, s->script);
    else
        s->tune_left = 0;
    s->step = 0;
    s->reload = true;
    return false;
}

/* ------------------------------------------------------- the loading driver */

/* Let the analyses run out, then load all entries, one an edge, beginning with
 * any; a demand may come with the last of them, and sees it. */
static void drive_load(struct prefetch_stim *s, struct prefetch_in *in) {
    in->load_valid = 0;
    if (!s->reload || s->quiet < (uint64_t)s->size.DIV_EDGES + 3)
        return;
    int image = (s->loading + s->loads_from) % s->size.IMAGES;
    in->load_valid = 1;
    in->load_index = (uint64_t)image;
    walk_entry(&s->walk[image], &s->size,
               &s->base.design->record[PREFETCH_REC_entry], in->load_entry);
    if (++s->loading == s->size.IMAGES) {
        s->loading = 0;
        s->reload = false;
        s->loads++;
    }
}

static void draw_images(struct prefetch_stim *s) {
    for (int i = 0; i < s->size.IMAGES; i++) {
        walk_draw(&s->walk[i], &s->size, s->pow2, &s->base.rng);
        if (rng_percent(&s->base.rng, 10))
            s->walk[i].valid = false;
        if (!s->walk[i].along_y && rng_percent(&s->base.rng, 10))
            s->walk[i].bh = 0; /* the same rows again */
    }
    if (s->size.IMAGES > 1 && rng_percent(&s->base.rng, 20))
        s->walk[s->size.IMAGES - 1].start = s->walk[0].start;
    /* which may take the last one over the end of the address space */
    struct walk *last = &s->walk[s->size.IMAGES - 1];
    uint64_t bytes = (uint64_t)(last->pitch * last->rows);
    if (last->start + bytes > address_mask(s))
        last->start = address_mask(s) - bytes;
    s->reload = true;
    s->loading = 0; /* a load that was under way had other entries */
    s->loads_from = (int)rng_below(&s->base.rng, (uint32_t)s->size.IMAGES);
    s->follows = false;
}

/* Not in a replay, and not yet while a script is gone through. */
static bool is_random(const struct prefetch_stim *s) {
    return s->script >= N_SCRIPTED && !s->base.mode->measures;
}

/* Entries are replaced now and then; the surroundings change more often. */
static void change_scene(struct prefetch_stim *s) {
    if (!is_random(s))
        return;
    if (s->tune_left-- == 0) {
        s->tune = &tunes[rng_below(&s->base.rng, sizeof tunes / sizeof *tunes)];
        s->tune_left = 30 + rng_below(&s->base.rng, 400);
        /* a demand on the wires still belongs to the old table */
        if (!s->offered && rng_percent(&s->base.rng, 60))
            draw_images(s);
    }
}

static void drive_registers(struct prefetch_stim *s) {
    if (!is_random(s))
        return;
    if (rng_below(&s->base.rng, 200) == 0)
        master_set(&s->base.master, PREFETCH_SET_enable,
                   !rng_percent(&s->base.rng, 25));
    else if (rng_below(&s->base.rng, 2000) == 0)
        master_clear(&s->base.master);
}

/* --------------------------------------------------------------- the cache */

static void drive_cache(struct prefetch_stim *s, struct prefetch_in *in) {
    in->mem_ready = rng_percent(&s->base.rng, s->tune->ready);
    in->fill_valid = 0;
    if (s->n_fills > 0 && s->fill[s->fill_head].due <= s->base.now) {
        in->fill_valid = 1;
        in->fill_line = s->fill[s->fill_head].line;
    } else if (rng_percent(&s->base.rng, s->tune->stray)) {
        in->fill_valid = 1;
        in->fill_line =
            (rng_next(&s->base.rng) & address_mask(s)) >> s->size.BYTE_W;
    }
    s->filled = in->fill_valid && s->n_fills > 0 &&
                s->fill[s->fill_head].due <= s->base.now;
}

/* A prefetch was taken: its answer comes in the order of the requests. */
static void expect_fill(struct prefetch_stim *s, uint64_t line) {
    if (s->n_fills == MOST_FILLS)
        return;
    int at = (s->fill_head + s->n_fills++) % MOST_FILLS;
    uint32_t flight = (uint32_t)s->size.FLIGHT,
             most = flight > 16 ? 8 * flight : 120;
    uint64_t wait = rng_percent(&s->base.rng, s->tune->swift)
                        ? 1
                        : 5 + rng_below(&s->base.rng, most);
    s->fill[at].line = line;
    s->fill[at].due = s->base.now + wait;
}

/* ---------------------------------------------------------------- the oracle
 */

static void expect(struct prefetch_stim *s, uint64_t address) {
    const struct walk *w = NULL;
    uint64_t next;
    for (int i = 0; i < s->size.IMAGES && !w; i++)
        if (walk_holds(&s->walk[i], address))
            w = &s->walk[i];
    s->follows = w && walk_next(w, address, &next);
    if (!s->follows)
        return;
    s->follow = next;
    s->next[s->next_tail++ % MOST_NEXT] = next & address_mask(s);
    if (s->next_tail - s->next_head > MOST_NEXT)
        s->next_head = s->next_tail - MOST_NEXT;
}

static const char *check_prefetch(struct prefetch_stim *s, uint64_t address) {
    while (s->next_head != s->next_tail)
        if (s->next[s->next_head++ % MOST_NEXT] == address) {
            s->prefetches++;
            expect_fill(s, address >> s->size.BYTE_W);
            return NULL;
        }
    return stim_complain(
        &s->base, "a prefetch of %#" PRIx64 ", where no thread goes next",
        address);
}

static const char *check_demand(struct prefetch_stim *s,
                                const struct prefetch_out *out) {
    const struct demand *d = &s->waiting[s->waiting_head % MOST_WAITING];
    if (s->waiting_head == s->waiting_tail)
        return "a demand at the cache that nobody made";
    s->waiting_head++;
    if (d->id == out->mem_id && d->address == out->mem_address)
        return NULL;
    return stim_complain(&s->base,
                         "demand %" PRIu64 " to %#" PRIx64
                         " reached the cache as %" PRIu64 " to %#" PRIx64,
                         d->id, d->address, out->mem_id, out->mem_address);
}

/* ------------------------------------------------------------- the stimulus */

static void reset(struct stim *base) {
    struct prefetch_stim *s = (struct prefetch_stim *)base;
    memset(s->walk, 0, sizeof s->walk);
    s->n_fills = 0;
    s->waiting_head = s->waiting_tail = 0;
    s->next_head = s->next_tail = 0;
    s->loading = 0;
    s->follows = false;
    s->quiet = 0;
    s->offered = false;
    if (is_random(s) && rng_percent(&base->rng, 40)) {
        s->reload = false; /* the table stays for a while as reset left it */
        s->tune_left = 40;
    } else if (is_random(s)) {
        draw_images(s);
    } else if (!base->mode->measures) {
        s->step = 0;
        script_walk(s, s->script);
        s->reload = true;
    }
}

static void open(struct stim *base, const struct config *c) {
    struct prefetch_stim *s = (struct prefetch_stim *)base;
    s->size = prefetch_local(c);
    s->pow2 = !s->size.RECIPROCAL && !s->size.ITERATIVE;
    s->tune = &tunes[0];
    s->script = mode_of(s)->scripted ? 0 : N_SCRIPTED;
    base->wishbone = 40;
    base->reset_every = 3000;
}

/* A demand stays until it is taken. */
static void drive_demand(struct prefetch_stim *s, struct prefetch_in *in) {
    uint64_t address = 0;
    if (s->offered)
        return;
    in->demand_valid = !s->reload && mode_of(s)->next(s, &address);
    in->demand_id = rng_next(&s->base.rng) & ones(s->size.ID_W);
    in->demand_address = address;
    s->offered = in->demand_valid;
}

static void drive(struct stim *base, void *ports) {
    struct prefetch_stim *s = (struct prefetch_stim *)base;
    struct prefetch_in *in = ports;
    change_scene(s);
    drive_load(s, in);
    drive_demand(s, in);
    drive_cache(s, in);
    drive_registers(s);
}

static void take_demand(struct prefetch_stim *s, const struct prefetch_in *in) {
    s->waiting[s->waiting_tail++ % MOST_WAITING] =
        (struct demand){in->demand_id, in->demand_address};
    s->offered = false;
    s->demands++;
    s->step++;
    s->quiet = 0;
    expect(s, in->demand_address);
}

/* Counters that can be told from outside; none of the others can exceed the
 * number of demands. */
static void count(struct prefetch_stim *s, const struct prefetch_in *in,
                  const struct prefetch_out *before) {
    struct master *m = &s->base.master;
    m->count[PREFETCH_CNT_demands] += in->demand_valid && before->demand_ready;
    m->count[PREFETCH_CNT_demand_blocked] +=
        in->demand_valid && !before->demand_ready;
    m->count[PREFETCH_CNT_fills] += in->fill_valid;
    for (int n = PREFETCH_CNT_known; n <= PREFETCH_CNT_no_room; n++)
        m->late[n] = s->demands;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after) {
    struct prefetch_stim *s = (struct prefetch_stim *)base;
    const struct prefetch_in *in = in_ports;
    const struct prefetch_out *before = before_ports;
    (void)after;
    s->quiet++;
    if (in->demand_valid && before->demand_ready)
        take_demand(s, in);
    if (s->filled) {
        s->fill_head = (s->fill_head + 1) % MOST_FILLS;
        s->n_fills--;
    }
    count(s, in, before);
    if (!before->mem_valid || !in->mem_ready)
        return NULL;
    return before->mem_prefetch ? check_prefetch(s, before->mem_address)
                                : check_demand(s, before);
}

static void report(struct stim *base, struct text *t) {
    const struct prefetch_stim *s = (const struct prefetch_stim *)base;
    text_printf(t, "demands\t%" PRIu64 "\n", s->demands);
    text_printf(t, "prefetches\t%" PRIu64 "\n", s->prefetches);
    text_printf(t, "tables_loaded\t%" PRIu64 "\n", s->loads);
}

static const struct prefetch_mode random_mode = {
    .base = {.name = "random", .resets = true}, .next = next_random};

static const struct prefetch_mode directed_mode = {
    .base = {.name = "directed", .resets = true},
    .next = next_directed,
    .scripted = true};

static const struct stim_mode *const modes[] = {
    &random_mode.base, &directed_mode.base, &prefetch_run.base, NULL};

const struct stim_class prefetch_stim = {
    .size = sizeof(struct prefetch_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
