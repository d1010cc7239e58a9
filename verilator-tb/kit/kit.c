/* kit.c - see kit.h. */
#include "kit.h"

#include "base/diag.h"
#include "stim.h"

#include <stdio.h>
#include <string.h>

void bits_put(uint64_t *w, int *at, int width, uint64_t value) {
    int word = *at / 64, bit = *at % 64;
    value &= low_bits(width);
    if (width > 0) {
        w[word] |= value << bit;
        if (bit + width > 64)
            w[word + 1] |= value >> (64 - bit);
    }
    *at += width;
}

bool toggle_step(struct toggle *t, struct rng *r, int high, int low) {
    if (t->left-- > 0)
        return t->level;
    t->level = low == 0 || (high != 0 && !t->level);
    int longest = t->level ? high : low;
    t->left = longest > 0 ? (int)rng_below(r, (uint32_t)longest) : 0;
    return t->level;
}

bool stim_unknown(const char *mode, struct diag *d) {
    diag_error(d, (struct place){0},
               "unknown stimulus '%s', expected 'random', 'directed' or "
               "'replay'",
               mode);
    return false;
}

/* ---------------------------------------------------------------- channels */

static const struct iface_port *find_port(const struct iface *i,
                                          const char *name) {
    for (int n = 0; n < i->n_ports; n++)
        if (i->ports[n].dir != PORT_GROUP &&
            strcmp(i->ports[n].name, name) == 0)
            return &i->ports[n];
    return NULL;
}

static int port_at(const struct iface *i, const char *name) {
    const struct iface_port *p = find_port(i, name);
    if (!p)
        BUG("block '%s' has no port '%s'", i->name, name);
    return (int)p->offset;
}

static const uint64_t *words(const void *ports, size_t offset) {
    return (const uint64_t *)(const void *)((const char *)ports + offset);
}

/* Fields of a channel: outputs whose names begin with its name. */
static void find_fields(struct channel *c, const struct iface *i, size_t len) {
    for (int n = 0; n < i->n_ports; n++) {
        const struct iface_port *p = &i->ports[n];
        if (p->dir != PORT_OUT || p == c->valid ||
            strncmp(p->name, c->valid->name, len) != 0 ||
            strcmp(p->name + len, "ready") == 0)
            continue;
        if (c->n_fields == MAX_FIELDS)
            BUG("channel of '%s' has more than %d fields", c->valid->name,
                MAX_FIELDS);
        c->field[c->n_fields++] = p;
    }
}

void channels_find(struct channels *c, const struct iface *i) {
    static const char suffix[] = "valid";
    c->n = 0;
    for (int n = 0; n < i->n_ports; n++) {
        const struct iface_port *p = &i->ports[n];
        size_t len = p->dir == PORT_OUT ? strlen(p->name) : 0;
        if (len < sizeof suffix ||
            strcmp(p->name + len - (sizeof suffix - 1), suffix) != 0)
            continue;
        if (c->n == MAX_CHANNELS)
            BUG("block '%s' has more than %d channels", i->name, MAX_CHANNELS);
        char ready[64];
        len -= sizeof suffix - 1;
        snprintf(ready, sizeof ready, "%.*sready", (int)len, p->name);
        const struct iface_port *r = find_port(i, ready);
        struct channel *now = &c->list[c->n++];
        *now = (struct channel){.valid = p, .ready = r ? (int)r->offset : -1};
        find_fields(now, i, len);
    }
}

const char *channels_watch(const struct channels *c, const void *in,
                           const void *before, const void *after,
                           const char **why) {
    for (int n = 0; n < c->n; n++) {
        const struct channel *k = &c->list[n];
        bool waited = k->ready >= 0 && *words(before, k->valid->offset) &&
                      !*words(in, (size_t)k->ready);
        bool valid = *words(after, k->valid->offset);
        *why = "was taken back before it was taken";
        if (waited && !valid)
            return k->valid->name;
        if (valid && !waited)
            continue;
        *why = waited ? "changed before it was taken"
                      : "is not zero while there is nothing";
        for (int f = 0; f < k->n_fields; f++) {
            const struct iface_port *p = k->field[f];
            const uint64_t *is = words(after, p->offset);
            const uint64_t *was = words(before, p->offset);
            for (int w = 0; w < p->words; w++)
                if (is[w] != (waited ? was[w] : 0))
                    return p->name;
        }
    }
    return NULL;
}

/* ---------------------------------------------------------------- Wishbone */

void master_open(struct master *m, const struct iface *i,
                 const struct config *c, struct rng *rng) {
    struct iface_sizes sizes;
    i->sizes(c, &sizes);
    *m = (struct master){.iface = i, .rng = rng};
    m->cyc = port_at(i, "wb_cyc");
    m->stb = port_at(i, "wb_stb");
    m->we = port_at(i, "wb_we");
    m->adr = port_at(i, "wb_adr");
    m->dat_w = port_at(i, "wb_dat_w");
    m->sel = port_at(i, "wb_sel");
    m->dat_r = port_at(i, "wb_dat_r");
    m->ack = port_at(i, "wb_ack");
    m->adr_bits = iface_address_bits(i);
    m->counter_max = low_bits(c->regs_counter_bits);
    for (int n = 0; n < i->n_settings; n++) {
        m->mask[n] = (uint32_t)low_bits(sizes.setting_width[n]);
        m->reset[n] = sizes.setting_reset[n] & m->mask[n];
    }
    master_reset(m);
}

void master_reset(struct master *m) {
    memcpy(m->setting, m->reset, sizeof m->setting);
    memset(m->count, 0, sizeof m->count);
    memset(m->early, 0, sizeof m->early);
    memset(m->late, 0, sizeof m->late);
    m->active = m->clearing = false;
    m->changed = -1;
    m->n_wanted = 0;
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

bool master_idle(const struct master *m) {
    return !m->active && m->n_wanted == 0;
}

static bool is_setting(const struct master *m, uint32_t adr) {
    return adr >= REG_FIRST && adr < REG_FIRST + (uint32_t)m->iface->n_settings;
}

/* A wanted write sets all bytes; one in four is first tried without any byte
 * selected, and must then change nothing. */
static void start_access(struct master *m) {
    uint64_t r = rng_next(m->rng);
    m->active = true;
    m->meant = m->write = false;
    m->at = (uint32_t)(r >> 8 & low_bits(m->adr_bits));
    m->data = (uint32_t)(r >> 32);
    m->sel_now = r >> 16 & 15;
    if (m->n_wanted > 0) {
        m->write = true;
        m->at = m->wanted[0].adr;
        m->data = m->wanted[0].data;
        m->meant = r % 4 != 0;
        m->sel_now = m->meant ? 15 : 0;
        if (m->at == REG_CONTROL) /* other bits do nothing */
            m->data |= (uint32_t)(r >> 32) & ~(uint32_t)1;
    } else if (r % 16 == 0) {
        m->write = !is_setting(m, m->at) && m->at != REG_CONTROL;
    }
}

static void store(void *ports, int offset, uint64_t value) {
    *(uint64_t *)(void *)((char *)ports + offset) = value;
}

void master_drive(struct master *m, void *in, int per_mille) {
    if (!m->active &&
        (m->n_wanted > 0 || (int)rng_below(m->rng, 1000) < per_mille))
        start_access(m);
    if (!m->active) {
        store(in, m->cyc, 0); /* the other wires keep what they had */
        return;
    }
    store(in, m->cyc, 1);
    store(in, m->stb, 1);
    store(in, m->we, m->write);
    store(in, m->adr, m->at);
    store(in, m->dat_w, m->data);
    store(in, m->sel, m->sel_now);
}

static uint64_t saturated(const struct master *m, uint64_t count) {
    return count < m->counter_max ? count : m->counter_max;
}

static const char *expected_range(struct master *m, const char *name,
                                  uint64_t low, uint64_t high, uint64_t got) {
    m->reads++;
    if (got >= low && got <= high)
        return NULL;
    if (low == high)
        snprintf(m->message, sizeof m->message,
                 "register '%s': expected %llu, read %llu", name,
                 (unsigned long long)low, (unsigned long long)got);
    else
        snprintf(m->message, sizeof m->message,
                 "register '%s': expected %llu to %llu, read %llu", name,
                 (unsigned long long)low, (unsigned long long)high,
                 (unsigned long long)got);
    return m->message;
}

static const char *check_read(struct master *m, uint64_t got) {
    const struct iface *i = m->iface;
    int n = (int)m->at - REG_FIRST;
    if (m->at == REG_ID)
        return expected_range(m, "id", iface_id(i), iface_id(i), got);
    if (m->at < REG_CONTROL)
        return NULL; /* the hash was read at the start */
    if (m->at == REG_CONTROL)
        return expected_range(m, "control", 0, 0, got);
    if (n < i->n_settings)
        return expected_range(m, i->settings[n].name, m->setting[n],
                              m->setting[n], got);
    n -= i->n_settings;
    if (n >= i->n_counters)
        return expected_range(m, "that does not exist", 0, 0, got);
    uint64_t low = m->count[n] > m->early[n] ? m->count[n] - m->early[n] : 0;
    return expected_range(m, i->counters[n].name, saturated(m, low),
                          saturated(m, m->count[n] + m->late[n]), got);
}

const char *master_watch(struct master *m, const void *in, const void *before,
                         const void *after) {
    m->clearing = false;
    m->changed = -1;
    if (!m->active || !*words(in, (size_t)m->cyc) ||
        *words(before, (size_t)m->ack))
        return NULL;
    m->active = false;
    if (!*words(after, (size_t)m->ack)) {
        snprintf(m->message, sizeof m->message,
                 "no acknowledge for register %u", (unsigned)m->at);
        return m->message;
    }
    if (!m->write)
        return check_read(m, *words(after, (size_t)m->dat_r));
    if (m->meant) {
        m->clearing = m->at == REG_CONTROL;
        if (is_setting(m, m->at))
            m->changed = (int)m->at - REG_FIRST;
        m->n_wanted--;
        memmove(m->wanted, m->wanted + 1,
                (size_t)m->n_wanted * sizeof m->wanted[0]);
    }
    return NULL;
}

void master_settle(struct master *m) {
    if (m->changed >= 0)
        m->setting[m->changed] = m->data & m->mask[m->changed];
    if (m->clearing)
        memset(m->count, 0, sizeof m->count);
    m->changed = -1;
}
