/* toy.c - model and stimulus of the toy block: sums and xors of random values,
 * and a register port that is read and written all the time. */
#include "base/bits.h"
#include "toy.h"

#include "frame/model.h"
#include "kit/toggle.h"

#include <string.h>

enum { WIDE_WORDS = 2048 / 64 };

struct toy {
    struct golden base;
    struct toy_out out;
};

static void toy_open(struct golden *g, const struct config *c) {
    (void)g;
    (void)c;
}

static void toy_reset(struct golden *g) {
    (void)g;
}

static void toy_written(struct golden *g, int setting, uint32_t before) {
    (void)setting;
    (void)before;
    g->covers[TOY_COV_spare_written]++;
}

static void toy_sums(struct toy *t, const struct toy_in *in) {
    struct toy_out *o = &t->out;
    hit_if(t, o->out_byte + in->in_byte > 0xff, TOY_COV_carry);
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

static void toy_edge(struct golden *g, const void *in) {
    const struct toy_in *i = in;
    toy_sums((struct toy *)g, i);
    g->events = i->in_bit;
}

const struct golden_class toy_golden = {
    .iface = &toy_iface,
    MODEL_STRUCT(struct toy),
    .open = toy_open,
    .reset = toy_reset,
    .edge = toy_edge,
    .written = toy_written,
};

struct driver {
    struct stim base;
    struct toy_local size;
    uint64_t parity;
};

static void driver_open(struct stim *base, const struct config *c) {
    ((struct driver *)base)->size = toy_local(c);
    base->reset_every = 512;
    base->wishbone = 500;
}

static void driver_reset(struct stim *base) {
    ((struct driver *)base)->parity = 0;
}

static void drive_wide(struct driver *s, uint64_t *w) {
    for (int bit = 0; bit < s->size.LONG; bit += 64) {
        int left = s->size.LONG - bit;
        w[bit / 64] = rng_next(&s->base.rng) & ones(left < 64 ? left : 64);
    }
}

static void driver_drive(struct stim *base, void *ports) {
    struct driver *s = (struct driver *)base;
    struct toy_in *in = ports;
    uint64_t r = rng_next(&base->rng);
    in->in_bit = r & 1;
    in->in_byte = r >> 8 & 0xff;
    in->in_nine = r >> 16 & 0x1ff;
    in->in_half = r >> 25 & 0xffff;
    in->in_odd = r >> 31;
    in->in_word = rng_next(&base->rng) >> 32;
    in->in_long = rng_next(&base->rng);
    in->in_thin[0] = rng_next(&base->rng);
    drive_wide(s, in->in_wide);
    if (r >> 8 & 1)
        master_set(&base->master, TOY_SET_spare, (uint32_t)(r >> 16));
    if (r % 32 == 0)
        master_clear(&base->master);
}

static const char *driver_watch(struct stim *base, const void *in,
                                const void *before, const void *after) {
    struct driver *s = (struct driver *)base;
    const struct toy_in *i = in;
    const struct toy_out *o = after;
    (void)before;
    s->parity ^= i->in_bit;
    base->master.count[TOY_CNT_bits] += i->in_bit;
    return o->out_bit == s->parity ? NULL : "parity of the bits is lost";
}

static void driver_report(struct stim *base, struct text *t) {
    text_printf(t, "parity\t%u\n", (unsigned)((struct driver *)base)->parity);
}

static const struct stim_mode random_mode = {.name = "random", .resets = true};
static const struct stim_mode *const modes[] = {&random_mode, NULL};

const struct stim_class toy_stim = {
    .size = sizeof(struct driver),
    .modes = modes,
    .open = driver_open,
    .reset = driver_reset,
    .drive = driver_drive,
    .watch = driver_watch,
    .report = driver_report,
};
