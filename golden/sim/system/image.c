/* image.c - the composition: SMs, their CTAs, and the memory behind them.
 *
 * One loop steps what can do something in this cycle and skips to the next
 * cycle in which anything can.  CTAs come from image_order.h; a kernel starts
 * when the one before has left all SMs, with empty caches.
 */
#include "image.h"

#include "image_state.h"

#include "base/arena.h"
#include "settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- options */

static const struct option_spec specs[] = {
    {"prefetch", 0, "none|pws|pattern",
     "Beside each L1: none, pws (per-warp stride by program counter) or "
     "pattern (the pattern-aware prefetcher, with the images that the run "
     "description names). Default: none."},
    {"stride", 0, "exact|printed",
     "With --prefetch pattern: modified stride, exact, or printed as the paper "
     "has it. Default: exact."},
    {"cta", 0, "rr|row|column|tile",
     "CTAs to SMs: rr (round robin), or in hardware by row, column or tile. "
     "Default: rr."},
    {"sms", 0, "N", "Streaming multiprocessors. Default: 16."},
    {"warps", 0, "N", "Warps resident on an SM. Default: 8."},
    {"l1", 0, "BYTES", "L1 data cache of an SM. Default: 8192."},
    {"ways", 0, "N", "Ways of the L1. Default: 8."},
    {"index", 0, "hashed|linear",
     "Sets of the L1 by hashed or linear line numbers. Default: hashed."},
    {"mshrs", 0, "N", "Lines on their way to an L1. Default: 32."},
    {"targets", 0, "N", "Loads that wait for one of them. Default: 8."},
    {"reserve", 0, "N", "MSHRs that prefetches leave to demands. Default: 8."},
    {"queue", 0, "N",
     "With --prefetch pws: prefetches waiting for the L1. Default: 16."},
    {"entries", 0, "N",
     "With --prefetch pws: entries of its table. Default: 256."},
    {"l2", 0, "none|real|perfect",
     "An L2 between all L1s and memory: none, real, or perfect, which has "
     "every line. IP-NDP has none, the SMs that it is held against have one. "
     "Default: none."},
    {"l2-bytes", 0, "BYTES", "With --l2 real: its size. Default: 1048576."},
    {"l2-ways", 0, "N", "With --l2 real: its ways. Default: 16."},
    {"l2-latency", 0, "N",
     "With an L2: cycles until it answers a load, or sends it to memory. "
     "Default: 60."},
    {"l2-bandwidth", 0, "GB/S", "With an L2: of its port. Default: 512."},
    {"alu", 0, "N",
     "Cycles from an arithmetic instruction to its result. Default: 4."},
    {"shared", 0, "N",
     "Of a load from shared, constant or parameter memory. Default: 8."},
    {"hit", 0, "N", "Of a load that hits in the L1. Default: 8."},
    {"latency", 0, "N", "Cycles to memory and back. Default: 200."},
    {"bandwidth", 0, "GB/S", "Of the stack's memory. Default: 256."},
    {"clock", 0, "MHZ", "Of the SMs. Default: 1000."},
    {NULL, 0, NULL, NULL}};

/* Numbers and where they go. */
static const struct setting_number numbers[] = {
#define NUMBER(name, field, least, most)                                       \
    { name, offsetof(struct image_settings, field), least, most }
    NUMBER("sms", sms, 1, 1024),
    NUMBER("warps", warps, 1, 64),
    NUMBER("l1", l1, CACHE_LINE, 1 << 26),
    NUMBER("ways", ways, 1, 1024),
    NUMBER("mshrs", mshrs, 1, 1024),
    NUMBER("targets", targets, 1, 1024),
    NUMBER("reserve", reserve, 0, 1024),
    NUMBER("queue", queue, 1, 64),
    NUMBER("entries", entries, 1, 1 << 20),
    NUMBER("l2-bytes", l2_bytes, CACHE_LINE, 1 << 30),
    NUMBER("l2-ways", l2_ways, 1, 1024),
    NUMBER("l2-latency", l2_latency, 1, 100000),
    NUMBER("l2-bandwidth", l2_bandwidth, 1, 100000),
    NUMBER("alu", core.alu, 1, 1000),
    NUMBER("shared", core.shared, 1, 1000),
    NUMBER("hit", core.hit, 1, 1000),
    NUMBER("latency", latency, 1, 100000),
    NUMBER("bandwidth", bandwidth, 1, 100000),
    NUMBER("clock", clock, 1, 100000),
    {NULL, 0, 0, 0},
#undef NUMBER
};

static const struct setting_choice choices[] = {
    {"prefetch", "none|pws|pattern", offsetof(struct image_settings, prefetch)},
    {"stride", "exact|printed", offsetof(struct image_settings, printed)},
    {"cta", "rr|row|column|tile", offsetof(struct image_settings, order)},
    {"index", "hashed|linear", offsetof(struct image_settings, linear)},
    {"l2", "none|real|perfect", offsetof(struct image_settings, l2)},
    {NULL, NULL, 0},
};

/* Latencies are after GPGPU-Sim, the paper's simulator (4), in its
 * configuration of the GTX 480, whose SMs have the 48 warps of the paper's
 * Base-8: f32 operations take 4 to 5 cycles; hits and shared memory have no
 * latency of their own, only the pipeline's.  To memory and back it has 120 and
 * 100, with a GPU's crossbar. */
static void *create(void) {
    struct image_settings *s = xmalloc(sizeof *s);
    *s = (struct image_settings){
        .sms = 16,
        .warps = 8,
        .l1 = 8192,
        .ways = 8,
        .mshrs = 32,
        .targets = 8,
        .reserve = 8,
        .queue = 16,
        .entries = 256,
        .l2_bytes = 1 << 20,
        .l2_ways = 16,
        .l2_latency = 60,
        .l2_bandwidth = 512,
        .core = {.alu = 4, .sfu = 20, .shared = 8, .hit = 8},
        .latency = 200,
        .bandwidth = 256,
        .clock = 1000};
    return s;
}

/* Remember options that are checked against --prefetch and --l2. */
static void note_given(struct image_settings *s, const char *name) {
    s->gave_stride = s->gave_stride || strcmp(name, "stride") == 0;
    s->gave_queue = s->gave_queue || strcmp(name, "queue") == 0;
    s->gave_entries = s->gave_entries || strcmp(name, "entries") == 0;
    if (strcmp(name, "l2-bytes") == 0 || strcmp(name, "l2-ways") == 0)
        s->gave_l2_lines = name;
    else if (strncmp(name, "l2-", 3) == 0)
        s->gave_l2 = name;
}

static bool take(void *settings, const char *name, const char *value,
                 struct diag *d) {
    note_given(settings, name);
    return setting_take(settings, numbers, choices, name, value, d);
}

/* An option that goes with another's value, which was not asked for. */
static void check_given(bool stray, const char *name, const char *with,
                        struct diag *d) {
    if (stray)
        diag_error(d, (struct place){0},
                   "'--%s' goes with --%s, which is not "
                   "given",
                   name, with);
}

static void check_l2(const struct image_settings *s, struct diag *d) {
    check_given(s->gave_l2 && s->l2 == IMAGE_L2_NONE, s->gave_l2, "l2", d);
    check_given(s->gave_l2_lines && s->l2 != IMAGE_L2_REAL, s->gave_l2_lines,
                "l2 real", d);
    if (s->l2 == IMAGE_L2_REAL)
        setting_check_cache("l2-bytes", s->l2_bytes, s->l2_ways, d);
}

static bool check(const void *settings, struct diag *d) {
    const struct image_settings *s = settings;
    struct place at = {0};
    check_given(s->gave_stride && s->prefetch != PREFETCH_PATTERN, "stride",
                "prefetch pattern", d);
    check_given(s->gave_queue && s->prefetch != PREFETCH_PWS, "queue",
                "prefetch pws", d);
    check_given(s->gave_entries && s->prefetch != PREFETCH_PWS, "entries",
                "prefetch pws", d);
    check_l2(s, d);
    setting_check_cache("l1", s->l1, s->ways, d);
    if (s->reserve >= s->mshrs)
        diag_error(d, at, "'--reserve' is %u, expected less than %u MSHRs",
                   s->reserve, s->mshrs);
    if (s->entries & (s->entries - 1))
        diag_error(d, at, "'--entries' is %u, expected a power of two",
                   s->entries);
    return d->errors == 0;
}

/* ----------------------------------------------------------------- machine */

struct machine {
    const struct image_settings *settings;
    const struct system_job *job;
    struct cta_reader *reader;
    struct cta_supply *supply;
    const struct run_images *images; /* NULL: not wanted */
    struct image_memory *memory;
    struct sm **sms;
    uint64_t *wakes; /* when the SM has to be stepped next */
    uint64_t cycle;
    uint32_t turn; /* SM that is asked first */
    struct image_result *result;
};

static struct sm *make_sm(const struct machine *m, uint32_t index) {
    const struct image_settings *s = m->settings;
    struct sm_config config = {
        .warps = s->warps,
        .latency = s->core,
        .cache = {.size = s->l1,
                  .ways = s->ways,
                  .mshrs = s->mshrs,
                  .targets = s->targets,
                  .reserve = s->reserve,
                  .hashed = !s->linear},
        .prefetch = {.kind = (enum prefetch_kind)s->prefetch,
                     .queue = s->queue,
                     .entries = s->entries}};
    return sm_create(&config, index, m->memory, m->reader);
}

/* The L2 never blocks: it holds what the L1s wait for, each line once. */
static struct image_memory *make_memory(const struct image_settings *s) {
    struct image_memory_config c = {
        .memory = {.rate = pipe_bytes(s->bandwidth, s->clock),
                   .latency = s->latency,
                   .depth = 4096},
        .l2 = (enum image_l2)s->l2,
        .port = {.rate = pipe_bytes(s->l2_bandwidth, s->clock),
                 .latency = s->l2_latency,
                 .depth = 4096},
        .cache = {.size = s->l2_bytes,
                  .ways = s->l2_ways,
                  .mshrs = s->sms * s->mshrs,
                  .targets = s->sms,
                  .hashed = !s->linear}};
    return image_memory_create(&c);
}

static void build(struct machine *m, const struct image_settings *s,
                  const struct system_job *job) {
    m->settings = s;
    m->job = job;
    m->reader = cta_reader_create(job->stream);
    m->supply = cta_supply_create(m->reader, (enum cta_order)s->order, s->sms);
    m->memory = make_memory(s);
    m->sms = xcalloc(s->sms, sizeof *m->sms);
    m->wakes = xcalloc(s->sms, sizeof *m->wakes);
    for (uint32_t i = 0; i < s->sms; i++)
        m->sms[i] = make_sm(m, i);
    m->result = xcalloc(1, sizeof *m->result);
    m->result->settings = *s;
}

static void tear_down(struct machine *m) {
    for (uint32_t i = 0; i < m->settings->sms; i++)
        sm_free(m->sms[i]);
    cta_supply_free(m->supply);
    cta_reader_free(m->reader);
    image_memory_free(m->memory);
    free(m->sms);
    free(m->wakes);
}

/* CTAs to SMs with room, one an SM and cycle, from the one after the last that
 * got one. */
static void dispatch(struct machine *m) {
    uint32_t n = m->settings->sms, first = m->turn;
    for (uint32_t k = 0; k < n && cta_supply_more(m->supply); k++) {
        uint32_t i = (first + k) % n;
        const struct cta *c = cta_supply_peek(m->supply, i);
        if (!c || !sm_fits(m->sms[i], c->n_warps))
            continue;
        sm_launch(m->sms[i], cta_supply_take(m->supply, i));
        m->wakes[i] = 0;
        m->turn = (i + 1) % n;
    }
}

static void answers(struct machine *m) {
    uint64_t token;
    while (image_memory_receive(m->memory, m->cycle, &token)) {
        uint32_t i = sm_token_index(token);
        sm_answer(m->sms[i], m->cycle, token);
        m->wakes[i] = 0;
    }
}

/* One cycle of all SMs; each cycle another goes first to the memory. */
static void step(struct machine *m) {
    uint32_t n = m->settings->sms;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = (uint32_t)((m->cycle + k) % n);
        if (m->wakes[i] <= m->cycle) {
            sm_step(m->sms[i], m->cycle);
            m->wakes[i] = sm_wakes(m->sms[i]);
        }
    }
}

/* To the next cycle in which anything can happen. */
static void advance(struct machine *m) {
    uint64_t next = image_memory_next(m->memory);
    for (uint32_t i = 0; i < m->settings->sms; i++)
        next = m->wakes[i] < next ? m->wakes[i] : next;
    if (next == UINT64_MAX)
        BUG("the SMs wait for something that does not come");
    m->cycle = next > m->cycle ? next : m->cycle + 1;
}

static bool busy(const struct machine *m) {
    if (cta_supply_more(m->supply))
        return true;
    for (uint32_t i = 0; i < m->settings->sms; i++)
        if (!sm_idle(m->sms[i]))
            return true;
    return !image_memory_idle(m->memory);
}

/* The images of the run for a pattern-aware prefetcher.  False after an
 * error. */
static bool find_images(struct machine *m) {
    const struct run *run = m->job->run;
    if (m->settings->prefetch != PREFETCH_PATTERN)
        return true;
    m->images = run ? run_images(run) : NULL;
    if (!m->images)
        diag_error(m->job->diag, (struct place){0},
                   "%s: the pattern-aware prefetcher needs a run description "
                   "with a section 'prefetch' (docs/run.md)",
                   m->job->path);
    else if (m->settings->order == ORDER_RR &&
             m->images->parts > m->settings->sms)
        diag_error(m->job->diag, (struct place){0},
                   "%s: the CTAs walk over %llu parts, found %u SMs (see "
                   "--sms)",
                   m->job->path, (unsigned long long)m->images->parts,
                   m->settings->sms);
    return m->job->diag->errors == 0;
}

/* Images as SM i walks over them.  A hardware scheduler by rows, columns or
 * tiles divides what a plain kernel walks over by rows. */
static bool table_of(struct machine *m, uint32_t i, struct image_table *t) {
    static const enum run_walk walks[] = {RUN_WALK_ROW, RUN_WALK_ROW,
                                          RUN_WALK_COLUMN, RUN_WALK_TILE};
    struct config c;
    struct run_images images = *m->images;
    struct run_image image[IMAGE_TABLE_MAX];
    struct image_part part = {images.parts, i, m->settings->printed};
    image_driver_config(&c);
    if (m->settings->order != ORDER_RR)
        part.parts = m->settings->sms;
    for (int k = 0; k < images.n && k < IMAGE_TABLE_MAX; k++) {
        image[k] = images.images[k];
        if (image[k].walk == RUN_WALK_ROW)
            image[k].walk = walks[m->settings->order];
    }
    images.images = image;
    return image_driver_table(&c, &images, &part, m->job->path, t,
                              m->job->diag);
}

/* Caches empty, tables loaded. */
static bool begin_kernel(struct machine *m) {
    struct image_table t;
    for (uint32_t i = 0; i < m->settings->sms; i++) {
        if (m->images && !table_of(m, i, &t))
            return false;
        sm_kernel(m->sms[i], m->images ? &t : NULL);
    }
    m->turn = 0;
    m->result->launches++;
    return true;
}

static bool run_launch(struct machine *m, const struct cta *c) {
    if (c->n_warps > m->settings->warps) {
        diag_error(m->job->diag, (struct place){0},
                   "%s: kernel '%s' has %u warps a CTA, an SM holds %u (see "
                   "--warps)",
                   m->job->path, c->launch.kernel, c->n_warps,
                   m->settings->warps);
        return false;
    }
    if (!begin_kernel(m))
        return false;
    while (busy(m)) {
        answers(m);
        dispatch(m);
        step(m);
        if (busy(m))
            advance(m);
        else
            m->cycle++;
    }
    return true;
}

/* ------------------------------------------------------------------ result */

/* Structs of uint64_t alone: into += from. */
static void add_counts(void *into, const void *from, size_t size) {
    uint64_t *a = into;
    const uint64_t *b = from;
    for (size_t i = 0; i < size / sizeof *a; i++)
        a[i] += b[i];
}

static void collect(struct machine *m) {
    struct image_result *r = m->result;
    r->cycles = m->cycle;
    r->memory = *image_memory_traffic(m->memory);
    if (m->settings->l2 != IMAGE_L2_NONE)
        r->l2_traffic = *image_memory_l2_traffic(m->memory);
    if (m->settings->l2 == IMAGE_L2_REAL)
        r->l2 = *image_memory_l2(m->memory);
    for (uint32_t i = 0; i < m->settings->sms; i++) {
        sm_kernel(m->sms[i], NULL); /* what is left was of no use */
        cache_stats_add(&r->cache, sm_cache(m->sms[i]));
        add_counts(&r->core, sm_statistics(m->sms[i]), sizeof r->core);
        struct prefetch_unit_stats p =
            prefetch_unit_statistics(sm_prefetch(m->sms[i]));
        add_counts(&r->prefetch, &p, sizeof p);
    }
}

static void *run(const void *settings, const struct system_job *job) {
    struct machine m = {0};
    const struct cta *c;
    build(&m, settings, job);
    bool ok = find_images(&m);
    while (ok && (c = cta_supply_launch(m.supply)))
        ok = run_launch(&m, c);
    if (ok)
        collect(&m);
    tear_down(&m);
    if (ok)
        return m.result;
    free(m.result);
    return NULL;
}

const struct system_preset image_preset = {
    .name = "image",
    .doc = "IP-NDP: SMs of 8 warps and 8 KB of L1 on a stack's logic die, "
           "with a prefetcher for images",
    .specs = specs,
    .create = create,
    .take = take,
    .check = check,
    .run = run,
    .destroy_result = free,
    .page = image_page,
    .heading = image_heading,
    .row = image_row,
    .json = image_json,
};
