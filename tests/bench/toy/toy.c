/* toy.c - model and stimulus of the toy block: sums and xors of random values,
 * and a register port that is read and written all the time. */
#include "toy.h"

#include "bench/bench.h"

#include "base/arena.h"
#include "frame/instance.h"
#include "frame/regs.h"
#include "kit/rng.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE_WORDS = 2048 / 64, N_COVERS = 2 };

struct toy {
    struct golden base;
    struct toy_local size;
    struct regs regs;
    struct toy_out out;
    uint64_t covers[N_COVERS];
};

static struct golden *toy_create(const struct config *c) {
    struct toy *t = xcalloc(1, sizeof *t);
    t->base.hash = config_hash(c);
    t->size = toy_local(c);
    regs_init(&t->regs, &toy_iface, c);
    return &t->base;
}

static void toy_destroy(struct golden *g) {
    free(g);
}

static void toy_registers(struct toy *t, const struct toy_in *in) {
    const struct regs_in port = {.cyc = in->wb_cyc != 0,
                                 .stb = in->wb_stb != 0,
                                 .we = in->wb_we != 0,
                                 .adr = (uint32_t)in->wb_adr,
                                 .dat_w = (uint32_t)in->wb_dat_w,
                                 .sel = (uint32_t)in->wb_sel};
    struct regs_out answer;
    int index;
    if (regs_cycle(&t->regs, &port, in->in_bit, &answer, &index) ==
        REGS_WROTE_SETTING)
        t->covers[1]++;
    t->out.wb_ack = answer.ack;
    t->out.wb_dat_r = answer.dat_r;
}

static void toy_sums(struct toy *t, const struct toy_in *in) {
    struct toy_out *o = &t->out;
    t->covers[0] += o->out_byte + in->in_byte > 0xff;
    o->out_bit ^= in->in_bit;
    o->out_byte = (o->out_byte + in->in_byte) & 0xff;
    o->out_nine = (o->out_nine + in->in_nine) & 0x1ff;
    o->out_half = (o->out_half + in->in_half) & 0xffff;
    o->out_word = (o->out_word + in->in_word) & 0xffffffff;
    o->out_odd = (o->out_odd + in->in_odd) & 0x1ffffffff;
    o->out_long += in->in_long;
    o->out_thin[0] = ~in->in_thin[0];
    for (int i = 0; i < WIDE_WORDS; i++)
        o->out_wide[i] ^= in->in_wide[i];
}

static const void *toy_cycle(struct golden *g, bool rst, const void *in) {
    struct toy *t = (struct toy *)g;
    if (rst) {
        memset(&t->out, 0, sizeof t->out);
        regs_reset(&t->regs);
        return &t->out;
    }
    toy_sums(t, in);
    toy_registers(t, in);
    return &t->out;
}

static const uint64_t *toy_covers(const struct golden *g) {
    return ((const struct toy *)g)->covers;
}

const struct golden_class toy_golden = {.iface = &toy_iface,
                                        .create = toy_create,
                                        .destroy = toy_destroy,
                                        .cycle = toy_cycle,
                                        .covers = toy_covers};

struct driver {
    struct rng rng;
    struct toy_local size;
    uint64_t parity;
};

static void *driver_create(const struct config *c, const struct stim_options *o,
                           struct diag *d) {
    if (strcmp(o->mode, "random") != 0) {
        diag_error(d, (struct place){0}, "unknown stimulus '%s'", o->mode);
        return NULL;
    }
    struct driver *s = xcalloc(1, sizeof *s);
    rng_seed(&s->rng, o->seed);
    s->size = toy_local(c);
    return s;
}

static void drive_wide(struct driver *s, uint64_t *w) {
    for (int bit = 0; bit < s->size.LONG; bit += 64) {
        int left = s->size.LONG - bit;
        uint64_t mask = left < 64 ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
        w[bit / 64] = rng_next(&s->rng) & mask;
    }
}

static void driver_drive(void *stim, bool *rst, void *ports) {
    struct driver *s = stim;
    struct toy_in *in = ports;
    uint64_t r = rng_next(&s->rng);
    *rst = r % 512 == 0;
    in->in_bit = r & 1;
    in->in_byte = r >> 8 & 0xff;
    in->in_nine = r >> 16 & 0x1ff;
    in->in_half = r >> 25 & 0xffff;
    in->in_odd = r >> 31;
    in->in_word = rng_next(&s->rng) >> 32;
    in->in_long = rng_next(&s->rng);
    in->in_thin[0] = rng_next(&s->rng);
    drive_wide(s, in->in_wide);
    r = rng_next(&s->rng);
    in->wb_cyc = r & 1;
    in->wb_stb = r >> 1 & 1;
    in->wb_we = r >> 2 & 1;
    in->wb_sel = r >> 3 & 15;
    in->wb_adr = r >> 7 & (((uint64_t)1 << s->size.WB_ADR_W) - 1);
    in->wb_dat_w = r >> 32;
}

static const char *driver_watch(void *stim, bool rst, const void *in,
                                const void *before, const void *after) {
    struct driver *s = stim;
    const struct toy_in *i = in;
    const struct toy_out *o = after;
    (void)before;
    s->parity = rst ? 0 : s->parity ^ i->in_bit;
    return o->out_bit == s->parity ? NULL : "parity of the bits is lost";
}

static void driver_report(void *stim, bool all, struct text *t) {
    struct driver *s = stim;
    if (!all)
        return;
    text_printf(t, "parity\t%u\n", (unsigned)s->parity);
}

const struct stim_class toy_stim = {.create = driver_create,
                                    .destroy = free,
                                    .drive = driver_drive,
                                    .watch = driver_watch,
                                    .report = driver_report};
