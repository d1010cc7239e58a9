/* unit.h - a golden SIMT core on the test bench: a host that gives commands, a
 * memory that answers after a while, programs as text.
 *
 * A program is a list of lines as isa_parse reads them; a name with a colon is
 * a label.  Edges are counted from the last reset; u.start is the number of the
 * edge that took the command start.
 */
#ifndef NDP_TEST_SIMT_UNIT_H
#define NDP_TEST_SIMT_UNIT_H

#include "base/array.h"
#include "base/bits.h"
#include "blocks/simt.h"
#include "isa/alu.h"
#include "isa/isa.h"
#include "simt/simt.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY = 1 << 16, MAX_LABELS = 32 };

enum { SET, CODE, PARAM, START, HALT, RESUME, STEP, READ, CLEAR };
enum { IDLE, RUNNING, DONE, FAULTED };

/* What W showed after an edge. */
struct retired {
    long edge;
    int kind, warp, pc, pass, d;
    uint32_t mask;
    uint32_t value[32];
};

struct asked {
    long due;
    struct simt_in answer;
};

struct unit {
    struct golden *g;
    struct simt_local l;
    struct simt_in in;
    const struct simt_out *out;
    long edge;  /* edges since reset */
    long start; /* the edge of start */
    ARRAY(struct retired) retired;
    ARRAY(struct asked) asked;
    int delay;    /* of memory, in edges */
    bool deaf;    /* memory takes nothing */
    bool silent;  /* it answers nothing */
    bool rejects; /* answers are faults */
    long requests, conflicts, issued, blocked, idle, diverged, barriers;
    uint8_t memory[MEMORY];
};

static inline void unit_take_request(struct unit *u) {
    const struct simt_out *o = u->out;
    struct asked a = {.due = u->edge + u->delay};
    uint32_t at = (uint32_t)(o->mem_address << u->l.SECTOR_W) % MEMORY;
    a.answer.rsp_valid = 1;
    a.answer.rsp_id = o->mem_id;
    a.answer.rsp_fault = u->rejects;
    for (int i = 0; i < u->l.SECTOR; i++)
        a.answer.rsp_data[i / 8] |= (uint64_t)u->memory[at + (uint32_t)i]
                                    << 8 * (i % 8);
    for (int i = 0; i < u->l.SECTOR && o->mem_op == 1; i++)
        if (o->mem_strobe >> i & 1)
            u->memory[at + (uint32_t)i] =
                (uint8_t)(o->mem_data[i / 8] >> 8 * (i % 8));
    if (o->mem_op > 1) {
        int word = __builtin_ctzll(o->mem_strobe) / 4;
        uint32_t old = bits_lane(a.answer.rsp_data, word);
        uint32_t now =
            alu_atomic(ISA_atg_add + (int)o->mem_op - 2, old,
                       (uint32_t)o->mem_compare, bits_lane(o->mem_data, word));
        memcpy(u->memory + at + 4 * word, &now, 4);
    }
    *array_push(&u->asked) = a;
}

/* The first that is due. */
static inline void unit_answer(struct unit *u) {
    u->in.rsp_valid = u->in.rsp_id = u->in.rsp_fault = 0;
    memset(u->in.rsp_data, 0, sizeof u->in.rsp_data);
    for (int i = 0; i < u->asked.n && !u->silent; i++)
        if (u->asked.v[i].due <= u->edge) {
            struct simt_in *a = &u->asked.v[i].answer;
            u->in.rsp_valid = 1;
            u->in.rsp_id = a->rsp_id;
            u->in.rsp_fault = a->rsp_fault;
            memcpy(u->in.rsp_data, a->rsp_data, sizeof a->rsp_data);
            u->asked.n--;
            memmove(&u->asked.v[i], &u->asked.v[i + 1],
                    (size_t)(u->asked.n - i) * sizeof *u->asked.v);
            return;
        }
}

static inline void unit_edge(struct unit *u) {
    u->in.mem_ready = !u->deaf;
    unit_answer(u);
    if (u->out->mem_valid && u->in.mem_ready)
        unit_take_request(u);
    u->out = golden_cycle(u->g, false, &u->in);
    u->edge++;
    u->in.ctl_valid = 0;
    const struct simt_out *o = u->out;
    if (o->ret_valid) {
        struct retired *r = array_push(&u->retired);
        *r = (struct retired){u->edge - 1,           (int)o->ret_kind,
                              (int)o->ret_warp,      (int)o->ret_pc,
                              (int)o->ret_pass,      (int)o->ret_d,
                              (uint32_t)o->ret_mask, {0}};
        for (int i = 0; i < u->l.ALUS; i++)
            r->value[i] = bits_lane(o->ret_value, i);
    }
    u->requests += (long)o->count_request;
    u->conflicts += (long)o->count_conflict;
    u->issued += (long)o->count_issued;
    u->blocked += (long)o->count_blocked;
    u->idle += (long)o->count_idle;
    u->diverged += (long)o->count_diverged;
    u->barriers += (long)o->count_barrier;
}

static inline void unit_command(struct unit *u, int op, uint32_t index,
                                uint64_t data) {
    u->in.ctl_valid = 1;
    u->in.ctl_op = (uint64_t)op;
    u->in.ctl_index = index;
    u->in.ctl_data = data;
    unit_edge(u);
}

static inline void unit_reset(struct unit *u) {
    memset(&u->in, 0, sizeof u->in);
    u->out = golden_cycle(u->g, true, NULL);
    u->edge = 0;
    u->retired.n = u->asked.n = 0;
}

static inline void unit_open(struct unit *u, const char *preset,
                             const char *sets) {
    struct config c;
    struct diag d = {0};
    memset(u, 0, sizeof *u);
    assert_true(config_preset(&c, preset, &d));
    for (const char *s = sets; s && *s;) {
        char one[64];
        size_t len = strcspn(s, " ");
        snprintf(one, sizeof one, "%.*s", (int)len, s);
        assert_true(config_set(&c, one, &d));
        s += len + (s[len] == ' ');
    }
    u->l = simt_local(&c);
    u->g = golden_create(&simt_golden, &c);
    u->delay = 4;
    unit_reset(u);
}

static inline void unit_close(struct unit *u) {
    golden_free(u->g);
    array_free(&u->retired);
    array_free(&u->asked);
}

/* --- programs ------------------------------------------------------------- */

struct labels {
    struct {
        char name[24];
        uint32_t pc;
    } v[MAX_LABELS];
    int n;
};

static inline bool unit_label(void *ctx, const char *name, size_t len,
                              uint32_t *value) {
    const struct labels *l = ctx;
    for (int i = 0; i < l->n; i++)
        if (strlen(l->v[i].name) == len &&
            memcmp(l->v[i].name, name, len) == 0) {
            *value = l->v[i].pc;
            return true;
        }
    return false;
}

/* Lines end with newlines.  Returns the number of words. */
static inline int unit_assemble(const char *text, uint64_t *words) {
    struct labels labels = {.n = 0};
    int n = 0;
    for (int round = 0; round < 2; round++) {
        n = 0;
        for (const char *s = text; *s; s += strcspn(s, "\n") + 1) {
            size_t len = strcspn(s, "\n");
            struct isa_word w;
            struct isa_error e;
            if (s[len - 1] == ':') {
                if (round == 0) {
                    snprintf(labels.v[labels.n].name, 24, "%.*s", (int)len - 1,
                             s);
                    labels.v[labels.n++].pc = (uint32_t)n;
                }
                continue;
            }
            if (round == 1) {
                if (!isa_parse(s, len, unit_label, &labels, &w, &e))
                    fail_msg("%.*s: column %d: %s", (int)len, s, e.column,
                             e.what);
                assert_int_equal(isa_encode(&w, &words[n]), ISA_LEGAL);
            }
            n++;
            if (!s[len])
                break;
        }
    }
    return n;
}

static inline void unit_program(struct unit *u, const char *text) {
    uint64_t words[4096];
    int n = unit_assemble(text, words);
    for (int i = 0; i < n; i++)
        unit_command(u, CODE, (uint32_t)i, words[i]);
}

/* --- launches ------------------------------------------------------------- */

static inline void unit_geometry(struct unit *u, const uint32_t *grid,
                                 const uint32_t *block, uint32_t resident,
                                 uint32_t shared) {
    uint32_t threads = block[0] * block[1] * block[2];
    uint32_t lanes = (uint32_t)u->l.LANES;
    const uint32_t regs[] = {0,        grid[0],  grid[1],
                             grid[2],  block[0], block[1],
                             block[2], threads,  (threads + lanes - 1) / lanes,
                             resident, shared,   MEMORY,
                             0};
    for (uint32_t i = 0; i < 13; i++)
        unit_command(u, SET, i, regs[i]);
}

static inline void unit_start(struct unit *u) {
    u->start = u->edge;
    u->retired.n = 0;
    unit_command(u, START, 0, 0);
}

/* Until the launch has come to its end; the state it has then. */
static inline int unit_run(struct unit *u, long limit) {
    while (u->out->state == RUNNING && limit-- > 0)
        unit_edge(u);
    return (int)u->out->state;
}

/* Threads of one CTA run a program to its end. */
static inline void unit_go(struct unit *u, const char *text, uint32_t threads) {
    uint32_t one[3] = {1, 1, 1}, block[3] = {threads, 1, 1};
    unit_program(u, text);
    unit_geometry(u, one, block, 1, 64);
    unit_start(u);
}

/* The n-th retirement of warp at pc; NULL if there is none. */
static inline const struct retired *unit_retired(const struct unit *u, int warp,
                                                 int pc, int n) {
    for (int i = 0; i < u->retired.n; i++) {
        const struct retired *r = &u->retired.v[i];
        if (r->warp == warp && r->pc == pc && n-- == 0)
            return r;
    }
    return NULL;
}

static inline uint32_t unit_word(const struct unit *u, uint32_t at) {
    uint32_t v;
    memcpy(&v, u->memory + at, 4);
    return v;
}

static inline uint64_t unit_covered(const struct unit *u, enum simt_cover c) {
    return golden_covers(u->g)[c];
}

#endif
