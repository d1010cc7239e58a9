/* core_rig.h - a core of the compositions with hooks that write a log, for
 * tests.
 *
 * In the log, a dot behind each cycle:
 *     i    an instruction has issued       !2   slot 2 has come to its end
 *     L5   line 5 is asked for             S2   slot 2 stores a line
 *     A    an atomic is sent
 * and, where the rig is told to tell all, in the order of the calls:
 *     r    ready     d    deliver     o5   offer of line 5     p    spare
 *     w1+  watch: slot 1's, the first line of its instruction; w1 another
 */
#ifndef NDP_TESTS_CORE_RIG_H
#define NDP_TESTS_CORE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hand.h"
#include "sim/system/core.h"

#include <stdio.h>
#include <string.h>

enum { L = CACHE_LINE };

struct rig {
    struct hand *h;
    struct cta_reader *reader;
    struct cta *cta[4]; /* of which the groups are */
    struct core *core;
    struct core_config config;
    struct core_hooks hooks;
    uint64_t cycle;
    char log[4096];
    bool tell_all;
    bool busy;       /* ready says no */
    bool holds;      /* stop holds the slot */
    uint64_t atomic; /* number of the last one sent */
    /* The path: one line waits in it. */
    bool path_full;
    bool path_has;
    uint32_t load;
    uint64_t address;
};

static inline void note(struct rig *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void note(struct rig *r, const char *format, ...) {
    size_t n = strlen(r->log);
    va_list a;
    va_start(a, format);
    vsnprintf(r->log + n, sizeof r->log - n, format, a);
    va_end(a);
}

/* ------------------------------------------------------------------- hooks */

static inline bool ready(void *ctx, enum stream_access what, uint64_t address) {
    struct rig *r = ctx;
    (void)what;
    (void)address;
    if (r->tell_all)
        note(r, "r");
    return !r->busy;
}

static inline void sends(void *ctx, enum stream_access what, uint64_t address,
                         uint32_t sectors, uint64_t number) {
    struct rig *r = ctx;
    assert_true(sectors > 0 && sectors < 16);
    if (what == STREAM_LOAD) {
        assert_int_equal(number, address / L);
        note(r, "L%u", (unsigned)number);
    } else if (what == STREAM_STORE) {
        note(r, "S%u", (unsigned)number);
    } else {
        note(r, "A");
        r->atomic = number;
    }
}

static inline bool stops(void *ctx, uint32_t slot) {
    struct rig *r = ctx;
    note(r, "!%u", slot);
    return r->holds;
}

static inline bool offers(void *ctx, uint32_t load, uint64_t address) {
    struct rig *r = ctx;
    note(r, "o%u", (unsigned)(address / L));
    if (r->path_full)
        return false;
    r->load = load;
    r->address = address;
    return true;
}

static inline bool delivers(void *ctx) {
    struct rig *r = ctx;
    note(r, "d");
    if (!r->path_has)
        return false;
    r->path_has = !core_load(r->core, r->cycle, r->load, r->address);
    return true;
}

static inline void watches(void *ctx, uint32_t slot,
                           const struct stream_insn *insn, uint64_t address,
                           bool first) {
    struct rig *r = ctx;
    (void)address;
    assert_ptr_equal(insn, &hand_insns[LD]);
    note(r, "w%u%s", slot, first ? "+" : "");
}

static inline void spares(void *ctx) {
    note(ctx, "p");
}

/* --------------------------------------------------------------------- rig */

static inline struct rig *rig_begin(void) {
    struct rig *r = xcalloc(1, sizeof *r);
    r->h = hand_begin();
    r->config = (struct core_config){
        .slots = 8,
        .latency = CORE_LATENCIES,
        .interval = CORE_CYCLE,
        .cache = {.size = 8192, .ways = 8, .mshrs = 8, .targets = 8}};
    r->hooks = (struct core_hooks){
        .ctx = r, .ready = ready, .send = sends, .stop = stops};
    return r;
}

/* CTAs of so many warps: their instructions come next. */
static inline void warps(struct rig *r, uint32_t n) {
    hand_launch(r->h, 4, 1, 32 * n);
}

/* An instruction of CTA 0; one with an access touches a line a lane of `lines`,
 * from line `line` on. */
static inline void op(struct rig *r, uint32_t warp, int which, uint64_t line,
                      uint32_t lines) {
    struct stream_event *e = hand_insn(r->h, 0, warp, which, line * L, L);
    e->mask = (1u << lines) - 1;
}

static inline uint64_t group(struct rig *r, uint32_t i) {
    return core_launch(r->core, r->cta[i], r->cta[i]->warps,
                       r->cta[i]->n_warps);
}

/* All instructions are there: the core, with CTA 0 on it. */
static inline void rig_start(struct rig *r) {
    r->reader = cta_reader_create(&r->h->stream);
    for (int i = 0; i < 4; i++)
        r->cta[i] = cta_read(r->reader);
    r->core = core_create(&r->config, &r->hooks, r->reader);
    assert_non_null(r->core);
    group(r, 0);
}

static inline void rig_end(struct rig *r) {
    core_free(r->core);
    for (int i = 0; i < 4; i++)
        cta_free(r->cta[i]);
    cta_reader_free(r->reader);
    hand_free(r->h);
    free(r);
}

static inline void step(struct rig *r, int n) {
    while (n--) {
        uint64_t before = core_statistics(r->core)->instructions;
        core_step(r->core, r->cycle++);
        for (; core_statistics(r->core)->instructions != before; before++)
            note(r, "i");
        note(r, ".");
    }
}

/* The log since the last look is this. */
static inline void logged(struct rig *r, const char *wanted) {
    assert_string_equal(r->log, wanted);
    r->log[0] = '\0';
}

/* Cycles until the next instruction issues. */
static inline uint64_t until_issue(struct rig *r) {
    uint64_t before = core_statistics(r->core)->instructions;
    uint64_t n = 0;
    while (core_statistics(r->core)->instructions == before) {
        step(r, 1);
        assert_true(++n < 1000);
    }
    r->log[0] = '\0';
    return n;
}

#endif
