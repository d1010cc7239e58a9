/* tom.c - the composition's options, and a run: streams to CTAs with their
 * instances, the mapping, launches one after another.
 *
 * With a learned mapping the whole stream is read before the first cycle: how
 * many instances a share of all is has to be known, and in the paper too the
 * data are placed after the learning phase (section 4.3).  What the first
 * instances do while learning, on the main cores, is not simulated twice.
 */
#include "tom.h"

#include "tom_state.h"

#include "base/arena.h"
#include "sim/trace/offset_share.h"
#include "settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const double tom_choices[4] = {0.1, 0.5, 1, 100};

/* ----------------------------------------------------------------- options */

static const struct option_spec specs[] = {
    {"mode", 0, "off|controlled|uncontrolled",
     "Decisions of the offload controllers: off, controlled or uncontrolled. "
     "Default: controlled."},
    {"map", 0, "baseline|learned|oracle",
     "Addresses to stacks: baseline; learned by the golden analyzer from the "
     "first instances of candidates; or oracle, from all of them. Default: "
     "baseline."},
    {"learn", 0, "PERMILLE",
     "Instances to learn from, in a thousandth of all. Default: 1."},
    {"count", 0, "words|names",
     "Registers of candidates by words or by names, see ndpcc. Default: "
     "words."},
    {"conditions", 0, "register|placed",
     "What conditions of candidates are on: a register of the kernel, or "
     "placed, also a value of several that an instruction in front of the "
     "block computes, see ndpcc --place. Default: register."},
    {"probes", 0, "wait|refuse",
     "A warp whose block has to be probed while another is: wait or refuse. "
     "Default: wait."},
    {"coherence", 0, "told|free",
     "Of caches around an offloaded block: told, at the cost of a flush, of an "
     "empty L1 on the stack and of the lines that it has written; or free. "
     "Default: told."},
    {"ideal", 0, "no|yes",
     "Yes: offloading costs nothing on links and caches, and a block finds all "
     "data on its own stack. Default: no."},
    {"cores", 0, "N", "Main cores. Default: 8."},
    {"whole", 0, "N",
     "Main cores of the machine of which these are a slice: links, L2, stacks' "
     "memories and cores are scaled by cores / whole. Default: 64."},
    {"warps", 0, "N", "Warps resident on a main core. Default: 48."},
    {"stack-warps", 0, "N",
     "Warps that a stack of the whole machine runs. Default: 48."},
    {"issue", 0, "N",
     "Instructions that a core issues in a cycle, main or a stack's. Default: "
     "2."},
    {"l1", 0, "BYTES", "L1 of a core. Default: 32768."},
    {"ways", 0, "N", "Ways of the L1. Default: 4."},
    {"mshrs", 0, "N", "Lines on their way to an L1. Default: 64."},
    {"l2", 0, "BYTES", "L2 of the whole machine; 0: none. Default: 1048576."},
    {"link", 0, "GB/S", "Of a link to a stack, each way. Default: 80."},
    {"cross", 0, "GB/S", "Of a link between stacks. Default: 40."},
    {"internal", 0, "GB/S", "Of a stack's memory. Default: 160."},
    {"window", 0, "CYCLES",
     "Of the channel busy monitors, a power of two. Default: 1024."},
    {"busy-on", 0, "PERCENT",
     "Of the window from which a link is busy. Default: 90."},
    {"busy-off", 0, "PERCENT", "Below which it no longer is. Default: 80."},
    {NULL, 0, NULL, NULL}};

static const struct setting_number numbers[] = {
#define NUMBER(name, field, least, most)                                       \
    { name, offsetof(struct tom_settings, field), least, most }
    NUMBER("learn", learn, 1, 1000),
    NUMBER("cores", cores, 1, TOM_MAX_CORES),
    NUMBER("whole", whole, 1, 4096),
    NUMBER("warps", warps, 2, TOM_MAX_WARPS),
    NUMBER("stack-warps", limit, 1, TOM_MAX_STACK_WARPS),
    NUMBER("issue", issue, 1, 4),
    NUMBER("l1", l1, CACHE_LINE, 1 << 26),
    NUMBER("ways", ways, 1, 1024),
    NUMBER("mshrs", mshrs, 1, 1024),
    NUMBER("l2", l2, 0, 1 << 30),
    NUMBER("link", link, 1, 100000),
    NUMBER("cross", cross, 1, 100000),
    NUMBER("internal", internal, 1, 100000),
    NUMBER("window", window, 16, 65536),
    NUMBER("busy-on", busy_on, 1, 100),
    NUMBER("busy-off", busy_off, 0, 100),
    {NULL, 0, 0, 0},
#undef NUMBER
};

static const struct setting_choice choices[] = {
    {"mode", "off|controlled|uncontrolled",
     offsetof(struct tom_settings, mode)},
    {"map", "baseline|learned|oracle", offsetof(struct tom_settings, map)},
    {"count", "words|names", offsetof(struct tom_settings, names)},
    {"conditions", "register|placed", offsetof(struct tom_settings, placed)},
    {"probes", "wait|refuse", offsetof(struct tom_settings, refuse)},
    {"coherence", "told|free", offsetof(struct tom_settings, coherent)},
    {"ideal", "no|yes", offsetof(struct tom_settings, ideal)},
    {NULL, NULL, 0},
};

static void *create(void) {
    struct tom_settings *s = xmalloc(sizeof *s);
    struct config c;
    tom_defaults(&c);
    *s = (struct tom_settings){.mode = (uint32_t)c.offload_mode,
                               .learn = 1,
                               .cores = 8,
                               .whole = 64,
                               .warps = (uint32_t)c.offload_warps,
                               .limit = (uint32_t)c.offload_limit,
                               .issue = 2, /* the schedulers of a GPU with
                                              48 warps a core, as the paper's */
                               .l1 = 32768,
                               .ways = 4,
                               .mshrs = 64,
                               .l2 = 1 << 20,
                               .link = 80,
                               .cross = 40,
                               .internal = 160,
                               .window = (uint32_t)c.offload_window,
                               .busy_on = (uint32_t)c.offload_busy_on,
                               .busy_off = (uint32_t)c.offload_busy_off};
    return s;
}

static bool take(void *settings, const char *name, const char *value,
                 struct diag *d) {
    return setting_take(settings, numbers, choices, name, value, d);
}

static bool check(const void *settings, struct diag *d) {
    const struct tom_settings *s = settings;
    struct place at = {0};
    setting_check_cache("l1", s->l1, s->ways, d);
    if (s->window & (s->window - 1))
        diag_error(d, at, "'--window' is %u, expected a power of two",
                   s->window);
    if (s->busy_off > s->busy_on)
        diag_error(d, at,
                   "'--busy-off' is %u, expected at most %u, the "
                   "threshold of '--busy-on'",
                   s->busy_off, s->busy_on);
    if (s->whole < s->cores)
        diag_error(d, at,
                   "'--whole' is %u, expected at least the %u cores of "
                   "'--cores'",
                   s->whole, s->cores);
    if (s->whole >= s->cores && tom_limit(s) > TOM_MAX_WARPS)
        diag_error(d, at,
                   "'--stack-warps' is %u, its slice %u, expected a slice of "
                   "at most %d",
                   s->limit, tom_limit(s), TOM_MAX_WARPS);
    if (s->l2 && (uint64_t)s->l2 * s->cores / s->whole < 16 * CACHE_LINE)
        diag_error(d, at,
                   "'--l2' is %u bytes, its slice holds less than a set of %d",
                   s->l2, 16 * CACHE_LINE);
    return d->errors == 0;
}

/* ------------------------------------------------------------------ stream */

/* The job's stream on its way to the reader, watched by offset_share. */
struct tap {
    struct stream base;
    struct stream *in;
    struct offset_share *offsets; /* NULL: nobody watches */
};

static enum stream_result tap_next(struct stream *s, struct stream_event *e) {
    struct tap *t = (struct tap *)(void *)s;
    enum stream_result r = stream_next(t->in, e);
    if (r == STREAM_EVENT && t->offsets)
        offset_share_add(t->offsets, e);
    return r;
}

static const struct stream_ops tap_ops = {tap_next, NULL};

struct runner {
    const struct tom_settings *settings;
    const struct system_job *job;
    struct tap tap;
    struct cta_reader *reader;
    struct tom_plan *plan;
    struct tom_map map;
    struct tom_result *result;
    struct tom_cta *list, **tail; /* read ahead */
    bool all_read;
    uint64_t n_read; /* CTAs */
    uint32_t launch; /* that is running */
};

/* Whether an instance stays on one stack under the mapping that is in force. */
static bool is_single(const struct tom_map *m, const struct cta_warp *w,
                      const struct tom_instance *x) {
    uint32_t stacks = 0, last = w->ops[x->end].lines;
    for (uint32_t i = w->ops[x->begin].lines; i < last; i++)
        stacks |= 1u << tom_map_stack(m, w->lines[i].address);
    return stacks && !(stacks & (stacks - 1));
}

/* Instances of a CTA's warps, and what they touch. */
static void annotate(struct runner *r, struct tom_cta *c) {
    c->first = xcalloc(c->cta->n_warps + 1, sizeof *c->first);
    c->function = tom_plan_kernel(r->plan, c->cta->launch.kernel);
    for (uint32_t w = 0; w < c->cta->n_warps; w++) {
        const struct cta_warp *code = &c->cta->warps[w];
        tom_plan_cut(c->function, r->reader, code, &c->instances);
        c->first[w + 1] = (uint32_t)c->instances.list.n;
        for (uint32_t i = c->first[w]; i < c->first[w + 1]; i++) {
            const struct tom_instance *x = &c->instances.list.v[i];
            r->result->instances++;
            if (!x->pays)
                continue;
            r->result->paying++;
            tom_map_note(&r->map, code, x);
            if (!r->all_read)
                r->result->single_run += is_single(&r->map, code, x);
        }
    }
}

/* The next CTA from the stream; NULL at its end. */
static struct tom_cta *read_cta(struct runner *r) {
    struct cta *c = cta_read(r->reader);
    if (!c)
        return NULL;
    struct tom_cta *t = xcalloc(1, sizeof *t);
    t->cta = c;
    annotate(r, t);
    return t;
}

/* One more into the list; false at the stream's end. */
static bool read_ahead(struct runner *r) {
    struct tom_cta *c = read_cta(r);
    if (!c)
        return false;
    *r->tail = c;
    r->tail = &c->next;
    r->n_read++;
    return true;
}

/* The next CTA of the present launch. */
static struct tom_cta *next_cta(void *ctx) {
    struct runner *r = ctx;
    if (!r->list && !r->all_read)
        read_ahead(r);
    struct tom_cta *c = r->list;
    if (!c || c->cta->launch.id != r->launch)
        return NULL;
    r->list = c->next;
    if (!r->list)
        r->tail = &r->list;
    return c;
}

/* What the job is asked and told; the executor, unless it is through, knows
 * how many CTAs there are. */
static bool go_on(void *ctx, uint64_t done) {
    const struct runner *r = ctx;
    uint64_t total = r->all_read ? r->n_read : 0, executed;
    if (!r->all_read && r->job->run)
        run_progress(r->job->run, &executed, &total);
    return !r->job->go_on || r->job->go_on(r->job, done, total);
}

/* ---------------------------------------------------------------- learning */

/* Paying instances of all CTAs read, in the stream's order. */
static struct tom_lesson *lessons(const struct runner *r) {
    struct tom_lesson *all = xcalloc(tom_map_seen(&r->map) + 1, sizeof *all);
    uint64_t n = 0;
    for (const struct tom_cta *c = r->list; c; c = c->next)
        for (uint32_t w = 0; w < c->cta->n_warps; w++)
            for (uint32_t i = c->first[w]; i < c->first[w + 1]; i++)
                if (c->instances.list.v[i].pays)
                    all[n++] = (struct tom_lesson){&c->cta->warps[w],
                                                   c->instances.list.v[i]};
    return all;
}

static void learn(struct runner *r) {
    struct tom_result *t = r->result;
    while (read_ahead(r))
        ;
    r->all_read = true;
    double percent =
        r->settings->map == TOM_ORACLE ? 100 : r->settings->learn / 10.0;
    uint64_t n = tom_map_share(&r->map, percent);
    struct tom_lesson *all = lessons(r);
    t->learned_from = n;
    tom_map_ranges(&r->map, r->job->run);
    if (n)
        tom_map_learn(&r->map, all, n);
    t->single_run = 0;
    for (uint64_t i = 0; i < tom_map_seen(&r->map); i++)
        t->single_run += is_single(&r->map, all[i].warp, &all[i].instance);
    free(all);
}

/* ----------------------------------------------------------------- the run */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct ptx_candidate_options judge(const struct tom_settings *s) {
    struct ptx_candidate_options o = ptx_candidate_defaults();
    o.count = s->names ? PTX_COUNT_NAMES : PTX_COUNT_WORDS;
    return o;
}

static bool place(const void *settings, struct ptx_candidate_options *out) {
    const struct tom_settings *s = settings;
    *out = judge(s);
    return s->placed;
}

static void open_plan(struct runner *r) {
    const struct run *run = r->job->run;
    struct ptx_candidate_options o = judge(r->settings);
    struct config c;
    tom_configure(r->settings, &c);
    r->plan = tom_plan_create(run ? run_module(run) : NULL, &o, &c);
    if (run)
        r->tap.offsets = offset_share_create(run_module(run), &o);
    r->result->offsets = r->tap.offsets;
}

static bool fits(const struct runner *r, const struct tom_cta *c) {
    if (c->cta->n_warps <= r->settings->warps)
        return true;
    diag_error(r->job->diag, (struct place){0},
               "%s: kernel '%s' has %u warps a CTA, a core holds %u (see "
               "--warps)",
               r->job->path, c->cta->launch.kernel, c->cta->n_warps,
               r->settings->warps);
    return false;
}

/* All launches; false after an error. */
static bool launches(struct runner *r) {
    struct tom_supply supply = {r, next_cta, go_on};
    struct tom_machine *m =
        tom_machine_create(r->settings, r->reader, &r->map, r->result);
    bool ok = m != NULL, stopped = false;
    if (!ok)
        diag_error(r->job->diag, (struct place){0},
                   "%s: no cache of these sizes can be made", r->job->path);
    while (ok && !stopped && (r->list || (!r->all_read && read_ahead(r)))) {
        r->launch = r->list->cta->launch.id;
        ok = fits(r, r->list);
        if (ok)
            stopped = !tom_machine_launch(m, r->list->function, &supply);
    }
    if (ok)
        tom_machine_collect(m);
    tom_machine_free(m);
    return ok;
}

static void sum_up(struct runner *r) {
    struct tom_result *t = r->result;
    struct tom_map *m = &r->map;
    const struct ptx_module *module =
        r->job->run ? run_module(r->job->run) : NULL;
    for (int i = 0; module && i < module->n_functions; i++) {
        const struct tom_function *f =
            tom_plan_kernel(r->plan, module->functions[i]->name);
        t->candidates += f ? (uint64_t)f->n : 0;
        t->dropped += f ? (uint64_t)f->dropped : 0;
    }
    t->with_access = tom_map_any(m, tom_map_seen(m));
    for (int i = 0; i <= TOM_MAPS; i++)
        t->single[i] = tom_map_single(m, tom_map_seen(m), i);
    t->lines = m->lines;
    memcpy(t->home, m->home, sizeof t->home);
    for (int i = 0; i < 4; i++)
        t->choice[i] = tom_map_seen(m)
                           ? tom_map_best(m, tom_map_share(m, tom_choices[i]))
                           : 0;
    t->map_bit = m->bit;
    t->ranges = m->n;
    for (int i = 0; i < m->n; i++)
        t->ranges_learned += m->ranges[i].learned;
}

static void destroy_result(void *result) {
    struct tom_result *r = result;
    if (r)
        offset_share_free(r->offsets);
    free(r);
}

static void close_runner(struct runner *r) {
    while (r->list) {
        struct tom_cta *c = r->list;
        r->list = c->next;
        tom_cta_free(c);
    }
    cta_reader_free(r->reader);
    tom_plan_free(r->plan);
    tom_map_free(&r->map);
}

static void *run(const void *settings, const struct system_job *job) {
    struct runner r = {.settings = settings, .job = job};
    double start = now();
    if (!job->run && r.settings->mode != TOM_OFF) {
        diag_error(job->diag, (struct place){0},
                   "%s: candidates for offloading are found in PTX, which a "
                   "trace does not have; use a run description, or --mode off",
                   job->path);
        return NULL;
    }
    r.result = xcalloc(1, sizeof *r.result);
    r.result->settings = *r.settings;
    r.tail = &r.list;
    r.tap = (struct tap){{&tap_ops}, job->stream, NULL};
    r.reader = cta_reader_create(&r.tap.base);
    open_plan(&r);
    if (r.settings->map != TOM_BASELINE)
        learn(&r);
    bool ok = launches(&r);
    if (ok)
        sum_up(&r);
    r.result->seconds = now() - start;
    close_runner(&r);
    if (ok)
        return r.result;
    destroy_result(r.result);
    return NULL;
}

const struct system_preset tom_preset = {
    .name = "tom",
    .doc = "TOM: main cores with offload controllers, links, and four memory "
           "stacks with cores of their own",
    .specs = specs,
    .create = create,
    .take = take,
    .check = check,
    .place = place,
    .run = run,
    .destroy_result = destroy_result,
    .page = tom_page,
    .heading = tom_heading,
    .row = tom_row,
    .json = tom_json,
};
