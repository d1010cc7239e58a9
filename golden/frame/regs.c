/* regs.c - the register block of a golden model (docs/architecture.md).
 *
 * One Wishbone access takes two edges: the first serves it and raises ack, the
 * second lowers ack again, whatever the master does.
 */
#include "regs.h"

#include "base/bits.h"

#include <string.h>

static size_t offset_of(const struct design *d, const char *name) {
    const struct design_port *p = design_port(d, name);

    if (!p)
        BUG("'%s' has no port '%s'", d->iface->name, name);
    return p->offset;
}

void regs_open(struct regs *r, const struct design *d) {
    const struct iface *b = d->iface;

    if (b->n_settings > REGS_MAX_SETTINGS ||
        b->n_counters > REGS_MAX_COUNTERS || b->n_statuses > REGS_MAX_STATUSES)
        BUG("block '%s' has more registers than the model holds", b->name);
    memset(r, 0, sizeof *r);
    r->design = d;
    for (int i = 0; i < b->n_settings; i++) {
        r->setting_mask[i] = ones(d->setting[i].width);
        r->setting_reset[i] = d->setting[i].reset & r->setting_mask[i];
    }
    r->counter_max = ones(d->config.regs_counter_bits);
    r->cyc = offset_of(d, "wb_cyc");
    r->stb = offset_of(d, "wb_stb");
    r->we = offset_of(d, "wb_we");
    r->adr = offset_of(d, "wb_adr");
    r->dat_w = offset_of(d, "wb_dat_w");
    r->sel = offset_of(d, "wb_sel");
    r->dat_r = offset_of(d, "wb_dat_r");
    r->ack = offset_of(d, "wb_ack");
    regs_reset(r);
}

void regs_reset(struct regs *r) {
    memcpy(r->setting, r->setting_reset, sizeof r->setting);
    memset(r->counter, 0, sizeof r->counter);
    memset(r->status, 0, sizeof r->status);
    r->command = -1;
    r->acked = false;
}

static uint32_t read_register(const struct regs *r, uint32_t adr) {
    const struct iface *b = r->design->iface;
    int setting = (int)adr - REG_FIRST;
    int counter = setting - b->n_settings;
    int status = counter - b->n_counters;

    switch (adr) {
    case REG_ID:
        return iface_id(b);
    case REG_HASH_LO:
        return (uint32_t)r->design->hash;
    case REG_HASH_HI:
        return (uint32_t)(r->design->hash >> 32);
    case REG_CONTROL:
        return 0;
    }
    if (counter < 0)
        return r->setting[setting];
    if (status < 0)
        return r->counter[counter];
    return status < b->n_statuses
               ? r->status[status] & (uint32_t)ones(r->design->status[status])
               : 0;
}

static enum regs_effect write_register(struct regs *r, uint32_t adr,
                                       uint32_t data, uint32_t sel, int *index,
                                       uint32_t *before) {
    int setting = (int)adr - REG_FIRST;
    uint32_t bytes = 0;

    if (adr == REG_CONTROL)
        return data & sel & 1 ? REGS_CLEARED : REGS_NOTHING;
    if (setting < 0 || setting >= r->design->iface->n_settings)
        return REGS_NOTHING;
    for (int i = 0; i < 4; i++)
        if (sel >> i & 1)
            bytes |= (uint32_t)0xff << (8 * i);
    bytes &= r->setting_mask[setting];
    *index = setting;
    *before = r->setting[setting];
    r->setting[setting] = (*before & ~bytes) | (data & bytes);
    return REGS_WROTE_SETTING;
}

void regs_count(struct regs *r, uint64_t events, uint64_t edges) {
    for (; events; events &= events - 1) {
        uint32_t *counter = &r->counter[__builtin_ctzll(events)];
        uint64_t left = r->counter_max - *counter;
        *counter += (uint32_t)(edges < left ? edges : left);
    }
}

static uint32_t wire(const void *ports, size_t offset) {
    return (uint32_t) *
           (const uint64_t *)(const void *)((const char *)ports + offset);
}

static void set(void *ports, size_t offset, uint64_t value) {
    *(uint64_t *)(void *)((char *)ports + offset) = value;
}

static bool is_access(const struct regs *r, const void *in) {
    return wire(in, r->cyc) & wire(in, r->stb) & 1 && !r->acked;
}

static uint32_t address(const struct regs *r, const void *in) {
    return wire(in, r->adr) & (uint32_t)ones(r->design->address_bits);
}

bool regs_rest(const struct regs *r, const void *in) {
    return !r->acked && !(wire(in, r->cyc) & 1);
}

void regs_look(struct regs *r, const void *in) {
    const struct iface *b = r->design->iface;
    int command = (int)address(r, in) - iface_first_command(b);

    r->command = -1;
    if (!is_access(r, in) || !(wire(in, r->we) & 1) ||
        (wire(in, r->sel) & 15) != 15 || command < 0 ||
        command >= b->n_commands)
        return;
    r->command = command;
    r->command_data =
        wire(in, r->dat_w) & (uint32_t)ones(r->design->command[command]);
}

enum regs_effect regs_cycle(struct regs *r, bool selected, const void *in,
                            uint64_t events, void *out, int *index,
                            uint32_t *before) {
    enum regs_effect effect = REGS_NOTHING;
    bool access = selected && is_access(r, in);
    uint32_t data = 0;

    r->acked = access;
    if (access) {
        uint32_t adr = address(r, in);
        if (wire(in, r->we) & 1)
            effect = write_register(r, adr, wire(in, r->dat_w),
                                    wire(in, r->sel), index, before);
        else
            data = read_register(r, adr);
    }
    set(out, r->ack, access);
    set(out, r->dat_r, data);
    if (effect == REGS_CLEARED)
        memset(r->counter, 0, sizeof r->counter);
    else
        regs_count(r, events, 1);
    return effect;
}
