/* master.c - see master.h. */
#include "master.h"

#include "base/bits.h"
#include "iface/system.h"
#include "toggle.h"

#include <stdio.h>
#include <string.h>

static int port_at(const struct design *d, const char *name) {
    const struct design_port *p = design_port(d, name);
    if (!p)
        BUG("block '%s' has no port '%s'", d->iface->name, name);
    return (int)p->offset;
}

static uint64_t word(const void *ports, int offset) {
    return *(const uint64_t *)(const void *)((const char *)ports + offset);
}

static void open_registers(struct master *m, const struct design *d) {
    m->design = d;
    m->counter_max = ones(d->config.regs_counter_bits);
    for (int n = 0; n < d->iface->n_settings; n++) {
        m->mask[n] = (uint32_t)ones(d->setting[n].width);
        m->reset[n] = d->setting[n].reset & m->mask[n];
    }
    master_reset(m);
}

void master_open(struct master *m, const struct design *d, struct rng *rng) {
    *m = (struct master){.rng = rng};
    m->cyc = port_at(d, "wb_cyc");
    m->stb = port_at(d, "wb_stb");
    m->we = port_at(d, "wb_we");
    m->adr = port_at(d, "wb_adr");
    m->dat_w = port_at(d, "wb_dat_w");
    m->sel = port_at(d, "wb_sel");
    m->dat_r = port_at(d, "wb_dat_r");
    m->ack = port_at(d, "wb_ack");
    open_registers(m, d);
}

/* Whether a part of m stands for the instance of that name. */
static bool is_taken(const struct master *m, const char *name) {
    for (m = m->next; m; m = m->next)
        if (m->path && strcmp(m->path, name) == 0)
            return true;
    return false;
}

void master_add(struct master *m, struct master *part, const struct design *d,
                uint32_t base) {
    const struct design *whole = m->design;
    *part = *m;
    part->base = base;
    part->path = NULL;
    for (int i = 0; i < system_n(whole) && !part->path; i++)
        if (system_instance(whole, i)->design == d &&
            !is_taken(m, system_instance(whole, i)->name))
            part->path = system_instance(whole, i)->name;
    open_registers(part, d);
    m->next = part;
}

void master_reset(struct master *m) {
    for (; m; m = m->next) {
        memcpy(m->setting, m->reset, sizeof m->setting);
        memset(m->count, 0, sizeof m->count);
        memset(m->early, 0, sizeof m->early);
        memset(m->late, 0, sizeof m->late);
        m->active = m->clearing = false;
        m->look = -1;
        m->changed = m->commanded = -1;
        m->n_wanted = 0;
    }
}

uint64_t master_reads(const struct master *m) {
    uint64_t n = 0;
    for (; m; m = m->next)
        n += m->reads;
    return n;
}

static void want(struct master *m, uint32_t adr, uint32_t data) {
    if (m->n_wanted == MAX_WANTED)
        return; /* a chance missed */
    m->wanted[m->n_wanted].adr = adr;
    m->wanted[m->n_wanted++].data = data;
}

void master_set(struct master *m, int setting, uint32_t value) {
    want(m, (uint32_t)(REG_FIRST + setting), value);
}

void master_clear(struct master *m) {
    want(m, REG_CONTROL, 1);
}

void master_command(struct master *m, int command, uint32_t data) {
    want(m, (uint32_t)(iface_first_command(m->design->iface) + command), data);
}

bool master_idle(const struct master *m) {
    return !m->active && m->n_wanted == 0;
}

static bool is_setting(const struct master *m, uint32_t adr) {
    int n = m->design->iface->n_settings;
    return adr >= REG_FIRST && adr < REG_FIRST + (uint32_t)n;
}

static bool is_command(const struct master *m, uint32_t adr) {
    int first = iface_first_command(m->design->iface);
    return adr >= (uint32_t)first &&
           adr < (uint32_t)(first + m->design->iface->n_commands);
}

/* The bits of the selected bytes. */
static uint32_t selected(uint32_t sel) {
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        if (sel >> i & 1)
            bits |= 0xffu << 8 * i;
    return bits;
}

/* What is wanted of a setting comes in one write or byte by byte; junk stands
 * on the bytes that are not selected. */
static void write_wanted(struct master *m, uint64_t r) {
    m->write = m->meant = true;
    m->at = m->wanted[0].adr;
    m->sel_now = r % 4 == 0 ? 15 : (uint32_t)(r >> 16 & 15);
    uint32_t junk = (uint32_t)(r >> 32), bits = selected(m->sel_now);
    m->data = (m->wanted[0].data & bits) | (junk & ~bits);
    if (m->at == REG_CONTROL) /* other bits do nothing */
        m->data = 1 | junk;
    if (is_command(m, m->at) && m->sel_now == 15)
        m->data = m->wanted[0].data;
}

/* Whose register an address is; the whole's if no part has it. */
static struct master *owner(struct master *m, uint32_t adr) {
    for (struct master *p = m->next; p; p = p->next)
        if (adr - p->base < 1u << p->design->address_bits)
            return p;
    return m;
}

static struct master *wanting(struct master *m) {
    while (m && m->n_wanted == 0)
        m = m->next;
    return m;
}

static struct master *looking(struct master *m) {
    while (m && m->look < 0)
        m = m->next;
    return m;
}

/* What is wanted first, then a look at what was written; else any address, at
 * times a write to one that ignores it. */
static struct master *start_access(struct master *m) {
    uint64_t r = rng_next(m->rng);
    uint32_t adr = (uint32_t)(r >> 8 & ones(m->design->address_bits));
    struct master *p = wanting(m);
    if (!p)
        p = looking(m);
    if (!p)
        p = owner(m, adr);
    p->active = true;
    p->meant = p->write = false;
    p->at = adr - p->base;
    p->data = (uint32_t)(r >> 32);
    p->sel_now = r >> 16 & 15;
    if (p->n_wanted > 0)
        write_wanted(p, r);
    else if (p->look >= 0)
        p->at = (uint32_t)p->look;
    else if (r % 16 == 0)
        p->write = !is_setting(p, p->at) && !is_command(p, p->at);
    p->look = -1;
    if (p->write && !p->meant && p->at == REG_CONTROL)
        p->data &= ~1u; /* clears nothing */
    return p;
}

static void store(void *ports, int offset, uint64_t value) {
    *(uint64_t *)(void *)((char *)ports + offset) = value;
}

/* A bus cycle without a strobe, or a strobe without a cycle: no access. */
static void idle(struct master *m, void *in, int per_mille) {
    uint32_t r = rng_below(m->rng, 2000);
    bool odd = (int)r < per_mille;
    store(in, m->cyc, odd && r % 2);
    store(in, m->stb, odd ? !(r % 2) : word(in, m->stb));
    if (!odd) /* the other wires keep what they had */
        return;
    store(in, m->we, r % 3 == 0);
}

static struct master *at_work(struct master *m) {
    while (m && !m->active)
        m = m->next;
    return m;
}

void master_drive(struct master *m, void *in, int per_mille) {
    struct master *p = at_work(m);
    if (!p &&
        (wanting(m) || looking(m) || (int)rng_below(m->rng, 1000) < per_mille))
        p = start_access(m);
    if (!p) {
        idle(m, in, per_mille);
        return;
    }
    store(in, p->cyc, 1);
    store(in, p->stb, 1);
    store(in, p->we, p->write);
    store(in, p->adr, p->base + p->at);
    store(in, p->dat_w, p->data);
    store(in, p->sel, p->sel_now);
}

static uint64_t saturated(const struct master *m, uint64_t count) {
    return count < m->counter_max ? count : m->counter_max;
}

static const char *expected_range(struct master *m, const char *name,
                                  uint64_t low, uint64_t high, uint64_t got) {
    const char *path = m->path ? m->path : "", *dot = m->path ? "." : "";
    m->reads++;
    if (got >= low && got <= high)
        return NULL;
    if (low == high)
        snprintf(m->message, sizeof m->message,
                 "register '%s%s%s': expected %llu, read %llu", path, dot, name,
                 (unsigned long long)low, (unsigned long long)got);
    else
        snprintf(m->message, sizeof m->message,
                 "register '%s%s%s': expected %llu to %llu, read %llu", path,
                 dot, name, (unsigned long long)low, (unsigned long long)high,
                 (unsigned long long)got);
    return m->message;
}

static const char *expected(struct master *m, const char *name, uint64_t value,
                            uint64_t got) {
    return expected_range(m, name, value, value, got);
}

static const char *check_read(struct master *m, uint64_t got) {
    const struct iface *i = m->design->iface;
    int n = (int)m->at - REG_FIRST;
    if (m->at == REG_ID)
        return expected(m, "id", iface_id(i), got);
    if (m->at == REG_HASH_LO)
        return expected(m, "hash_lo", (uint32_t)m->design->hash, got);
    if (m->at == REG_HASH_HI)
        return expected(m, "hash_hi", m->design->hash >> 32, got);
    if (m->at == REG_CONTROL)
        return expected(m, "control", 0, got);
    if (n < i->n_settings)
        return expected(m, i->settings[n].name, m->setting[n], got);
    n -= i->n_settings;
    if (m->passes_over && n < i->n_counters + i->n_statuses)
        return NULL;
    if (n >= i->n_counters) {
        n -= i->n_counters;
        if (n < i->n_statuses)
            return expected(m, i->statuses[n].name, m->status[n], got);
        n -= i->n_statuses;
        return expected(
            m, n < i->n_commands ? i->commands[n].name : "that does not exist",
            0, got);
    }
    uint64_t low = m->count[n] > m->early[n] ? m->count[n] - m->early[n] : 0;
    return expected_range(m, i->counters[n].name, saturated(m, low),
                          saturated(m, m->count[n] + m->late[n]), got);
}

/* A write of what was wanted: it is over once the register holds it. */
static void note_write(struct master *m) {
    bool done = m->sel_now & 1;
    if (m->at == REG_CONTROL)
        m->clearing = m->sel_now & 1;
    if (is_command(m, m->at)) {
        int n = (int)m->at - iface_first_command(m->design->iface);
        done = m->sel_now == 15;
        if (done) {
            m->commanded = n;
            m->value = m->data & (uint32_t)ones(m->design->command[n]);
        }
    }
    if (is_setting(m, m->at)) {
        int n = (int)m->at - REG_FIRST;
        uint32_t bits = selected(m->sel_now) & m->mask[n];
        m->changed = n;
        m->value = (m->setting[n] & ~bits) | (m->data & bits);
        done = m->value == (m->wanted[0].data & m->mask[n]);
    }
    if (!done)
        return;
    /* a bit that is lost shows only in a read before the next write */
    if (m->looks && is_setting(m, m->at) && rng_percent(m->rng, 50))
        m->look = (int)m->at;
    m->n_wanted--;
    memmove(m->wanted, m->wanted + 1,
            (size_t)m->n_wanted * sizeof m->wanted[0]);
}

static const char *watch(struct master *m, const void *in, const void *before,
                         const void *after) {
    if (!word(in, m->cyc) || word(before, m->ack))
        return NULL;
    m->active = false;
    if (!word(after, m->ack)) {
        snprintf(m->message, sizeof m->message,
                 "no acknowledge for register %u", (unsigned)(m->base + m->at));
        return m->message;
    }
    if (!m->write)
        return check_read(m, word(after, m->dat_r));
    if (m->meant)
        note_write(m);
    return NULL;
}

const char *master_watch(struct master *m, const void *in, const void *before,
                         const void *after) {
    for (struct master *p = m; p; p = p->next) {
        p->clearing = false;
        p->changed = p->commanded = -1;
    }
    m = at_work(m);
    return m ? watch(m, in, before, after) : NULL;
}

void master_settle(struct master *m) {
    for (; m; m = m->next) {
        if (m->changed >= 0)
            m->setting[m->changed] = m->value;
        if (m->clearing)
            memset(m->count, 0, sizeof m->count);
        m->changed = m->commanded = -1;
    }
}
