/* bench.c - lock-step of a golden block and its RTL.
 *
 * Both see the same inputs; after every edge, from the first reset edge on,
 * every bit of every output must agree.  The fast path is one golden step, one
 * memcmp of the output structs and a running digest.  A ring of the last edges
 * is kept so that a difference can be shown with what led to it; the inputs and
 * outputs are built in the ring itself, nothing is copied for it.
 */
#include "impl.h"

#include "base/outfile.h"
#include "frame/values.h"
#include "base/arena.h"
#include "iface/system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Set from the signal handler: Ctrl-C ends a run with what it has. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig) {
    (void)sig;
    interrupted = 1;
}

/* Processor time: what a run costs, whatever else the machine does. */
uint64_t bench_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void *ring_memory(struct bench *b) {
    size_t in = b->design->in_size, out = b->design->out_size;
    char *p = xcalloc(BENCH_RING, in + out);
    for (int i = 0; i < BENCH_RING; i++) {
        b->ring[i].in = p + (size_t)i * (in + out);
        b->ring[i].out = p + (size_t)i * (in + out) + in;
    }
    return p;
}

/* A file beside the result; path NULL: none is wanted. */
static bool open_file(FILE **f, const char *path) {
    if (!path)
        return true;
    *f = fopen(path, "w");
    if (!*f)
        fprintf(stderr, "error: cannot write '%s': %s\n", path,
                strerror(errno));
    return *f != NULL;
}

static bool open_stim(struct bench *b) {
    b->stim = stim_create(b->block.stim, b->block.iface, &b->opt.config,
                          &b->opt.stim, &b->diag);
    diag_flush(&b->diag, stderr);
    return b->stim != NULL;
}

/* One that is not whole is none. */
static bool close_file(FILE **f, const char *path) {
    if (!*f)
        return true;
    errno = 0;
    bool whole = fflush(*f) == 0 && !ferror(*f);
    int why = errno;
    whole = fclose(*f) == 0 && whole;
    *f = NULL;
    if (whole)
        return true;
    fprintf(stderr, "error: cannot write '%s': %s\n", path,
            strerror(why ? why : EIO));
    outfile_remove(path);
    return false;
}

static void bench_free(struct bench *b) {
    if (b->events)
        fclose(b->events);
    if (b->values)
        fclose(b->values);
    if (b->stim)
        stim_free(b->stim);
    golden_free(b->golden);
    design_free(b->design);
    text_free(&b->scratch);
    diag_free(&b->diag);
    free(b->ring[0].in);
    free(b->unknown);
    free(b->expected);
    free(b);
}

static void catch_interrupt(void) {
    struct sigaction a = {0};
    a.sa_handler = on_interrupt;
    a.sa_flags = (int)SA_RESETHAND; /* the second one kills */
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
}

static void print_ports(struct bench *b) {
    struct text t = {0};
    bench_ports(b->design, &t);
    fputs(text_str(&t), stdout);
    text_free(&t);
    design_free(b->design);
    free(b);
}

struct bench *bench_open(const struct bench_block *blocks, int argc,
                         char **argv, int *status) {
    struct bench *b = xcalloc(1, sizeof *b);
    if (!bench_options(&b->opt, blocks, argc, argv, status)) {
        free(b);
        return NULL;
    }
    b->block = *b->opt.block;
    if (!b->block.golden)
        b->block.golden = golden_find(b->block.iface->name);
    b->design = design_make(b->block.iface, &b->opt.config);
    if (b->opt.ports) {
        print_ports(b);
        *status = 0;
        return NULL;
    }
    b->golden = golden_create(b->block.golden, &b->opt.config);
    b->expected = xcalloc(1, b->design->out_size);
    ring_memory(b);
    if (!open_file(&b->events, b->opt.events) ||
        !open_file(&b->values, b->opt.values) || !open_stim(b)) {
        bench_free(b);
        *status = 2;
        return NULL;
    }
    if (b->values)
        values_open(b->values, b->design);
    identity_open(b);
    b->started = bench_clock();
    progress_begin(&b->progress, b->block.iface->name, b->opt.cycles);
    return b;
}

const struct design *bench_design(const struct bench *b) {
    return b->design;
}

const struct bench_block *bench_target(const struct bench *b) {
    return &b->block;
}

uint64_t bench_seed(const struct bench *b) {
    return b->opt.stim.seed;
}

const char *bench_wave(const struct bench *b, uint64_t *from) {
    *from = b->opt.wave_from;
    return b->opt.wave;
}

const void *bench_inputs(struct bench *b, bool *rst) {
    if (b->cycle == 0) /* not earlier: vvp sets its own handler at its start */
        catch_interrupt();
    struct bench_slot *now = bench_slot(b, b->cycle);
    struct bench_slot *last = bench_slot(b, b->cycle + BENCH_RING - 1);
    memcpy(now->in, last->in, b->design->in_size);
    now->rst = false;
    if (!b->identity.done)
        identity_drive(b, &now->rst, now->in);
    else
        stim_drive(b->stim, &now->rst, now->in);
    system_inputs(b->design, now->in, last->out);
    *rst = now->rst;
    return now->in;
}

void *bench_outputs(struct bench *b) {
    return bench_slot(b, b->cycle)->out;
}

void *bench_unknown(struct bench *b) {
    if (!b->unknown)
        b->unknown = xcalloc(1, b->design->out_size);
    return b->unknown;
}

/* Four independent lanes keep the multiplier busy; in variables of their own,
 * since d could lie in data for all that the compiler knows. */
static void digest_words(uint64_t d[4], const void *data, size_t size) {
    const uint64_t k = 0x9fb21c651e98df25u;
    const uint64_t *w = data;
    size_t n = size / sizeof *w, i = 0;
    uint64_t a = d[0], b = d[1], c = d[2], e = d[3];
#pragma GCC unroll 4
    for (; i + 4 <= n; i += 4) {
        a = (a ^ w[i]) * k;
        b = (b ^ w[i + 1]) * k;
        c = (c ^ w[i + 2]) * k;
        e = (e ^ w[i + 3]) * k;
    }
    uint64_t lane[4] = {a, b, c, e};
    for (; i < n; i++)
        lane[i & 3] = (lane[i & 3] ^ w[i]) * k;
    for (i = 0; i < 4; i++)
        d[i] = lane[i] ^ lane[i] >> 29;
}

uint64_t bench_digest(const struct bench *b) {
    uint64_t h = 0;
    for (int lane = 0; lane < 4; lane++) {
        h = (h ^ b->digest[lane]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return h;
}

static bool any_unknown(const struct bench *b) {
    const uint64_t *w = b->unknown;
    uint64_t any = 0;
    for (size_t i = 0; i < b->design->out_size / sizeof *w; i++)
        any |= w[i];
    return any != 0;
}

/* Keep the first difference; a later one is its consequence. */
static void compare(struct bench *b, const struct bench_slot *now,
                    const void *golden) {
    size_t size = b->design->out_size;
    if (memcmp(now->out, golden, size) == 0 && (!b->unknown || !any_unknown(b)))
        return;
    if (b->differs)
        return;
    b->differs = true;
    b->bad_cycle = b->cycle;
    memcpy(b->expected, golden, size);
}

void bench_trace(struct bench *b, uint64_t edge, struct text *t) {
    if (edge == 0 || bench_slot(b, edge)->rst)
        return;
    struct text lines = {0};
    design_trace(b->design, bench_slot(b, edge)->in,
                 bench_slot(b, edge - 1)->out, &lines);
    for (const char *p = text_str(&lines), *nl; (nl = strchr(p, '\n'));
         p = nl + 1)
        text_printf(t, "%8llu %.*s\n", (unsigned long long)edge, (int)(nl - p),
                    p);
    text_free(&lines);
}

static void dump_events(struct bench *b) {
    text_free(&b->scratch);
    b->scratch = (struct text){0};
    bench_trace(b, b->cycle, &b->scratch);
    fputs(text_str(&b->scratch), b->events);
}

/* Once in a while: did somebody press Ctrl-C, how far are we? */
static void look_up(struct bench *b) {
    if (interrupted && b->end == BENCH_RUNNING)
        b->end = BENCH_INTERRUPTED;
    progress_step(&b->progress, b->cycle);
}

/* Has the stimulus come to an end of its own? */
static void ask_stim(struct bench *b) {
    enum stim_state state = stim_state(b->stim);
    if (state == STIM_FAILED)
        b->end = BENCH_FAILED;
    else if (state == STIM_OVER)
        b->end = BENCH_COMPLETE;
}

/* Is the run over?  Differences found while the identity is being read wait
 * until it is known whether the two are of one configuration at all. */
static void judge(struct bench *b, const struct bench_slot *now) {
    if (!b->identity.done) {
        identity_watch(b, now->out);
        if (b->identity.done && !identity_matches(b) &&
            (identity_answered(b) || !b->differs))
            b->end = BENCH_STRANGER;
    } else if (b->cycle > 0) {
        b->broken = stim_watch(b->stim, now->rst, now->in,
                               bench_slot(b, b->cycle - 1)->out, now->out);
        ask_stim(b);
        if (b->broken)
            b->end = BENCH_BROKEN;
    }
    if (b->differs && b->identity.done && b->end != BENCH_STRANGER)
        b->end = BENCH_MISMATCH;
}

static void print_values(struct bench *b) {
    const struct bench_slot *now = bench_slot(b, b->cycle);
    const struct bench_slot *last = bench_slot(b, b->cycle + BENCH_RING - 1);
    const struct bench_slot *before = bench_slot(b, b->cycle + BENCH_RING - 2);
    const struct values column = {now->rst, now->in, last->out};
    const struct values previous = {last->rst, last->in, before->out};
    values_column(b->values, b->design, b->cycle, &column,
                  b->cycle == b->opt.wave_from ? NULL : &previous);
}

bool bench_step(struct bench *b) {
    const struct bench_slot *now = bench_slot(b, b->cycle);
    compare(b, now, golden_cycle(b->golden, now->rst, now->in));
    digest_words(b->digest, now->in, b->design->in_size);
    digest_words(b->digest, now->out, b->design->out_size);
    judge(b, now);
    if (b->events)
        dump_events(b);
    if (b->values && b->cycle >= b->opt.wave_from)
        print_values(b);
    b->cycle++;
    if (b->cycle % 512 == 0)
        look_up(b);
    if (b->end == BENCH_RUNNING && b->opt.cycles && b->cycle >= b->opt.cycles)
        b->end = b->differs ? BENCH_MISMATCH : BENCH_COMPLETE;
    return b->end == BENCH_RUNNING;
}

int bench_close(struct bench *b) {
    progress_end(&b->progress);
    bool whole = close_file(&b->events, b->opt.events);
    if (!close_file(&b->values, b->opt.values) || !whole)
        b->end = BENCH_FAILED;
    int status = bench_report(b);
    bench_free(b);
    return status;
}
