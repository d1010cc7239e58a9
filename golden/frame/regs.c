/* regs.c - the register block of a golden model (docs/architecture.md).
 *
 * One Wishbone access takes two edges: the first serves it and raises ack, the
 * second lowers ack again, whatever the master does.
 */
#include "regs.h"

#include <string.h>

static uint32_t ones(int bits) {
    return bits >= 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
}

void regs_init(struct regs *r, const struct iface *iface,
               const struct config *c) {
    struct iface_sizes s;
    uint64_t hash = config_hash(c);

    if (iface->n_settings > REGS_MAX_SETTINGS ||
        iface->n_counters > REGS_MAX_COUNTERS)
        BUG("block '%s' has more registers than the model holds", iface->name);
    memset(r, 0, sizeof *r);
    memset(&s, 0, sizeof s);
    iface->sizes(c, &s);
    r->iface = iface;
    for (int i = 0; i < iface->n_settings; i++) {
        r->setting_mask[i] = ones(s.setting_width[i]);
        r->setting_reset[i] = s.setting_reset[i] & r->setting_mask[i];
    }
    r->counter_max = ones(c->regs_counter_bits);
    r->id = iface_id(iface);
    r->hash_lo = (uint32_t)hash;
    r->hash_hi = (uint32_t)(hash >> 32);
    regs_reset(r);
}

void regs_reset(struct regs *r) {
    memcpy(r->setting, r->setting_reset, sizeof r->setting);
    memset(r->counter, 0, sizeof r->counter);
    r->ack = false;
}

static uint32_t read_register(const struct regs *r, uint32_t adr) {
    int setting = (int)adr - REG_FIRST;
    int counter = setting - r->iface->n_settings;

    switch (adr) {
    case REG_ID:
        return r->id;
    case REG_HASH_LO:
        return r->hash_lo;
    case REG_HASH_HI:
        return r->hash_hi;
    case REG_CONTROL:
        return 0;
    }
    if (counter < 0)
        return r->setting[setting];
    return counter < r->iface->n_counters ? r->counter[counter] : 0;
}

static enum regs_effect write_register(struct regs *r, uint32_t adr,
                                       const struct regs_in *in, int *index) {
    int setting = (int)adr - REG_FIRST;
    uint32_t bytes = 0;

    if (adr == REG_CONTROL)
        return in->dat_w & in->sel & 1 ? REGS_CLEARED : REGS_NOTHING;
    if (setting < 0 || setting >= r->iface->n_settings)
        return REGS_NOTHING;
    for (int i = 0; i < 4; i++)
        if (in->sel >> i & 1)
            bytes |= (uint32_t)0xff << (8 * i);
    bytes &= r->setting_mask[setting];
    r->setting[setting] = (r->setting[setting] & ~bytes) | (in->dat_w & bytes);
    *index = setting;
    return REGS_WROTE_SETTING;
}

static void count(struct regs *r, uint64_t events) {
    for (; events; events &= events - 1) {
        uint32_t *counter = &r->counter[__builtin_ctzll(events)];
        *counter += *counter != r->counter_max;
    }
}

enum regs_effect regs_cycle(struct regs *r, const struct regs_in *in,
                            uint64_t events, struct regs_out *out, int *index) {
    enum regs_effect effect = REGS_NOTHING;
    bool access = in->cyc && in->stb && !r->ack;

    out->ack = r->ack = access;
    out->dat_r = 0;
    if (access) {
        uint32_t adr = in->adr & ones(iface_address_bits(r->iface));
        if (in->we)
            effect = write_register(r, adr, in, index);
        else
            out->dat_r = read_register(r, adr);
    }
    if (effect == REGS_CLEARED)
        memset(r->counter, 0, sizeof r->counter);
    else
        count(r, events);
    return effect;
}
