/* memory.c - the core's memory and that of others: who owns which words, what
 * is in them, the host's window and the other cores' answers. */
#include "env.h"

#include "base/arena.h"
#include "base/bits.h"
#include "isa/alu.h"

#include <stdlib.h>
#include <string.h>

enum { LOWEST = 256, PLACES_USED = 3, NO_WORD = -1 };

/* --- places --------------------------------------------------------------- */

static uint64_t core_of(const struct memory *m, uint64_t word) {
    return word >> m->size.CORE_AT & ones(m->size.CORE_W);
}

static uint64_t at_core(const struct memory *m, uint64_t word) {
    return word >> (m->size.CORE_AT + m->size.CORE_W) << m->size.CORE_AT |
           (word & ones(m->size.CORE_AT));
}

/* Of a word at a core the word of all. */
static uint64_t of_all(const struct memory *m, uint64_t core, uint64_t at) {
    return at >> m->size.CORE_AT << (m->size.CORE_AT + m->size.CORE_W) |
           core << m->size.CORE_AT | (at & ones(m->size.CORE_AT));
}

static uint64_t group_words(const struct memory *m) {
    return UINT64_C(1) << (m->size.UNIT_AT + m->size.UNIT_W);
}

static uint64_t owner_of(const struct memory *m, uint64_t word) {
    return word / group_words(m) % m->owners;
}

static bool is_own(const struct memory *m, uint64_t word) {
    return core_of(m, word) == m->core;
}

/* All words of its sector have something: a bank gives them all. */
static bool is_whole(const struct memory *m, uint64_t word) {
    uint64_t n = (uint64_t)m->size.WORDS, first = word / n * n;
    for (uint64_t i = 0; i < n; i++)
        if (!m->written[first + i])
            return false;
    return true;
}

void memory_open(struct backend_stim *s, const struct config *c) {
    struct memory *m = &s->m;
    struct rng *r = &s->nb.base.rng;
    struct vault_local v = vault_local(c);
    m->size = lsu_hybrid_local(c);
    uint64_t warps = (uint64_t)s->nb.size.WARPS,
             cores = (uint64_t)m->size.CORES;
    m->shared = warps;
    m->host = warps + 1;
    m->owners = (warps + 2) | 1; /* so that each has words of each core */
    m->own = (uint64_t)(v.UNITS * v.WORDS) * (uint64_t)v.SECTORS;
    m->top = m->own * cores;
    m->reach = PLACES_USED * m->owners * cores * group_words(m) + LOWEST;
    m->reach -= m->reach % ((uint64_t)m->size.CHUNK / 4 * cores);
    if (m->reach > m->top)
        m->reach = m->top;
    m->core = rng_below(r, (uint32_t)cores);
    m->truth = xcalloc((size_t)m->reach, sizeof *m->truth);
    m->there = xcalloc((size_t)m->reach, sizeof *m->there);
    m->known = xcalloc((size_t)m->reach, sizeof *m->known);
    m->written = xcalloc((size_t)m->reach, sizeof *m->written);
    for (uint64_t w = 0; w < m->reach; w++) {
        m->truth[w] = m->there[w] = (uint32_t)rng_next(r);
        m->known[w] = m->written[w] = !is_own(m, w);
    }
}

void memory_close(struct backend_stim *s) {
    free(s->m.truth);
    free(s->m.there);
    free(s->m.known);
    free(s->m.written);
}

/* Stores under way, and the window's, may have been carried out or not. */
void memory_reset(struct backend_stim *s) {
    struct memory *m = &s->m;
    for (int n = 0; n < flights_of(s); n++) {
        const struct flight *f = flight_no(s, n);
        const struct task *t = task_of(s, f);
        for (int l = 0; l < s->nb.size.LANES; l++) {
            uint64_t word = t->at[l] >> 2;
            if (f->state != FREE && t->kind == BASE_ACCESS &&
                memory_changes(f->i.word.op) && word < m->reach &&
                is_own(m, word))
                m->known[word] = false;
        }
    }
    for (uint64_t w = 0; w < m->reach; w++)
        if (!is_own(m, w))
            m->truth[w] = m->there[w];
    m->written[s->win.last] = !is_own(m, s->win.last);
    m->known[s->win.last] = m->written[s->win.last];
    if (s->win.offered && s->win.write && !s->win.beyond)
        m->written[s->win.word] = m->known[s->win.word] = false;
    uint64_t last = s->win.last;
    memset(&s->win, 0, sizeof s->win);
    s->win.last = last;
    memset(s->other, 0, sizeof s->other);
    s->answering = NULL;
    m->dirt = 0;
    s->prepare = 0;
}

/* Groups that the owners use from now on, half of them of this core. */
void memory_choose(struct backend_stim *s) {
    struct memory *m = &s->m;
    struct rng *r = &s->nb.base.rng;
    uint64_t groups = m->reach / group_words(m);
    uint64_t first = ceil_div(LOWEST / 4, (int)group_words(m));
    for (uint64_t o = 0; o < m->owners; o++)
        for (int h = 0; h < HOT; h++) {
            uint64_t g = 0;
            for (int n = 0; n < 200; n++) {
                g = rng_below(r, (uint32_t)(groups / m->owners + 1)) *
                        m->owners +
                    o;
                if (g < groups && g >= first &&
                    (h % 2 || is_own(m, g * group_words(m))))
                    break;
            }
            m->hot[o][h] =
                g < groups && g >= first
                    ? g
                    : first + (o + m->owners - first % m->owners) % m->owners;
        }
    s->prepare = 0;
}

/* --- what warps do -------------------------------------------------------- */

bool memory_changes(int op) {
    return isa_info(op)->class == ISA_CLASS_atomic || !isa_has(op, 'd');
}

bool memory_has(const struct backend_stim *s, uint32_t at) {
    return at >> 2 < s->m.top;
}

bool memory_may(const struct backend_stim *s, int warp, int op, uint64_t lanes,
                const uint32_t *at, bool *beyond) {
    const struct memory *m = &s->m;
    bool store = memory_changes(op), part = base_part(op);
    *beyond = false;
    for (int l = 0; l < s->nb.size.LANES; l++) {
        uint64_t word = at[l] >> 2;
        if (!(lanes >> l & 1))
            continue;
        if (word >= m->top) {
            *beyond = true;
            continue;
        }
        if (word >= m->reach || !is_whole(m, word))
            return false;
        uint64_t o = owner_of(m, word);
        if (o != (uint64_t)warp && (store || o != m->shared))
            return false;
        if ((!store || part) && !m->known[word])
            return false;
    }
    return true;
}

uint32_t memory_load(const struct backend_stim *s, uint32_t at) {
    return at >> 2 < s->m.reach ? s->m.truth[at >> 2] : 0;
}

void memory_store(struct backend_stim *s, uint32_t at, uint32_t word) {
    struct memory *m = &s->m;
    if (at >> 2 >= m->reach)
        return;
    m->truth[at >> 2] = word;
    m->known[at >> 2] = true;
    m->dirty[m->dirt++ % DIRTY] = at >> 2;
}

static uint64_t some_group(struct backend_stim *s, int warp) {
    struct rng *r = &s->nb.base.rng;
    uint64_t owner = rng_percent(r, 75) ? (uint64_t)warp : s->m.shared;
    return s->m.hot[owner][rng_below(r, HOT)] * group_words(&s->m);
}

/* Rows that go as a message, and all that keeps one from it. */
void memory_addresses(struct backend_stim *s, int warp, struct row *r) {
    const struct memory *m = &s->m;
    struct rng *g = &s->nb.base.rng;
    uint64_t lanes = (uint64_t)s->nb.size.LANES, all = group_words(m);
    uint64_t line = UINT64_C(1) << m->size.UNIT_AT;
    uint64_t base = some_group(s, warp),
             unit = (uint64_t)warp % (uint64_t)m->size.UNITS;
    uint64_t first = unit * line, step = 1;
    uint32_t form = rng_below(g, 10);
    if (rng_percent(g, s->more.near)) {
        base = m->hot[warp][2 * rng_below(g, HOT / 2)] * all;
        form = 0;
    }
    if (form == 4) /* perhaps of another unit */
        first = rng_below(g, (uint32_t)m->size.UNITS) * line;
    if (form == 5)
        first = rng_below(g, (uint32_t)(all - lanes));
    if (form == 6)
        step = 0;
    if (form == 7)
        step = rng_below(g, 4);
    if (form < 4)
        first += rng_below(g, (uint32_t)(line - lanes + 1));
    for (uint64_t l = 0; l < lanes; l++) {
        uint64_t word = base + (first + step * l) % all;
        if (form >= 8)
            word = base + rng_below(g, (uint32_t)all);
        if (form == 9)
            word = some_group(s, warp) + rng_below(g, (uint32_t)all);
        r->lane[l] = (uint32_t)(word << 2);
    }
    if (!rng_percent(g, s->more.wild))
        return;
    uint32_t wrong = rng_below(g, (uint32_t)lanes);
    switch (rng_below(g, 4)) {
    case 0:
        r->lane[wrong] ^= 1 + rng_below(g, 3);
        break;
    case 1:
        r->lane[wrong] = rng_below(g, LOWEST / 4) * 4;
        break;
    case 2:
        r->lane[wrong] = (uint32_t)(m->top + rng_below(g, 4096)) << 2;
        break;
    default: /* a row beyond, as a whole */
        for (uint64_t l = 0; l < lanes; l++)
            r->lane[l] += (uint32_t)(m->top << 2);
        break;
    }
}

/* --- the host ------------------------------------------------------------- */

static void offer(struct backend_stim *s, uint64_t word, bool write) {
    s->win.offered = true;
    s->win.write = write;
    s->win.word = word;
    s->win.beyond = 0;
    s->win.data = (uint32_t)rng_next(&s->nb.base.rng);
    s->win.waits = 0;
}

/* Words that are looked at before warps run. */
static uint64_t to_prepare(const struct backend_stim *s) {
    return (uint64_t)(s->warps + 2) * HOT * group_words(&s->m);
}

static void prepare(struct backend_stim *s) {
    const struct memory *m = &s->m;
    uint64_t n = group_words(m);
    for (int tries = 0; tries < 64 && s->prepare < to_prepare(s); tries++) {
        uint64_t at = s->prepare++, o = at / n / HOT;
        if (o >= (uint64_t)s->warps)
            o = o - (uint64_t)s->warps + m->shared;
        uint64_t word = m->hot[o][at / n % HOT] * n + at % n;
        if (!is_own(m, word) || (m->written[word] && m->known[word]))
            continue;
        offer(s, word, true);
        return;
    }
}

/* While warps run: its own words, or far beyond what warps try. */
static void visit(struct backend_stim *s) {
    struct rng *r = &s->nb.base.rng;
    const struct memory *m = &s->m;
    uint64_t beyond = rng_next(r) & ones(30);
    if (beyond > 8 * m->own && rng_percent(r, 5)) {
        offer(s, 0, rng_percent(r, 50));
        s->win.beyond = beyond;
        return;
    }
    uint64_t word = m->hot[m->host][rng_below(r, HOT)] * group_words(m) +
                    rng_below(r, (uint32_t)group_words(m));
    bool write = rng_percent(r, 50);
    if (is_own(m, word) && (write || (m->known[word] && m->written[word])))
        offer(s, word, write);
}

static void look(struct backend_stim *s) {
    struct memory *m = &s->m;
    struct rng *r = &s->nb.base.rng;
    unsigned most = m->dirt < DIRTY ? m->dirt : DIRTY;
    s->look--;
    uint64_t o = rng_below(r, (uint32_t)s->warps + 1);
    uint64_t word =
        m->hot[o == (uint64_t)s->warps ? m->shared : o][rng_below(r, HOT)] *
            group_words(m) +
        rng_below(r, (uint32_t)group_words(m));
    if (most > 0 && rng_percent(r, 80))
        word = m->dirty[rng_below(r, most)];
    if (is_own(m, word) && m->known[word] && m->written[word])
        offer(s, word, false);
}

static void drive_window(struct backend_stim *s, struct vault_in *in) {
    bool room = s->win.tail - s->win.head < READS;
    if (!s->win.offered && room) {
        if (s->stage == PREPARE)
            prepare(s);
        else if (s->stage == LOOK && s->look > 0)
            look(s);
        else if (s->stage == RUN && rng_percent(&s->nb.base.rng, s->more.host))
            visit(s);
    }
    in->win_valid = s->win.offered;
    in->win_write = s->win.write;
    in->win_address =
        s->win.beyond ? s->win.beyond : at_core(&s->m, s->win.word);
    in->win_data = s->win.data;
}

static void watch_window(struct backend_stim *s, const struct vault_in *in,
                         const struct vault_out *before,
                         const struct vault_out *after) {
    struct window *w = &s->win;
    if (in->win_valid && before->win_ready) {
        w->offered = false;
        if (w->write && !w->beyond) {
            s->m.truth[w->word] = w->data;
            s->m.known[w->word] = s->m.written[w->word] = true;
            w->last = w->word;
        } else if (!w->write) {
            w->value[w->tail % READS] = w->beyond ? 0 : s->m.truth[w->word];
            w->due[w->tail++ % READS] = w->word;
        }
    }
    w->ready = after->win_ready;
    if (++w->waits > 8000 && w->offered)
        stim_complain(&s->nb.base, "the window does not take a word");
    if (!after->read_valid)
        return;
    if (w->head == w->tail) {
        stim_complain(&s->nb.base, "a word is read that nobody asked for");
        return;
    }
    uint32_t value = w->value[w->head % READS];
    uint64_t word = w->due[w->head++ % READS];
    s->looked++;
    if (after->read_data != value)
        stim_complain(&s->nb.base,
                      "the host reads %08x of word %x, but program order left "
                      "%08x there",
                      (unsigned)after->read_data, (unsigned)word,
                      (unsigned)value);
}

bool memory_prepared(const struct backend_stim *s) {
    return s->prepare >= to_prepare(s) && memory_rests(s);
}

bool memory_rests(const struct backend_stim *s) {
    bool rests = !s->win.offered && s->win.ready && s->win.head == s->win.tail;
    for (int n = 0; n < AWAY; n++)
        rests = rests && !s->other[n].busy;
    return rests;
}

void memory_look(struct backend_stim *s) {
    const struct memory *m = &s->m;
    unsigned most = m->dirt < DIRTY ? m->dirt : DIRTY;
    for (unsigned n = 0; n < most; n++) {
        uint64_t word = m->dirty[n];
        if (!is_own(m, word) && m->truth[word] != m->there[word])
            stim_complain(&s->nb.base,
                          "word %x of another core is %08x, but program order "
                          "left %08x there",
                          (unsigned)word, (unsigned)m->there[word],
                          (unsigned)m->truth[word]);
    }
    s->look = s->more.looks;
}

/* --- other cores ---------------------------------------------------------- */

/* A lane of the access that is under way wants the sector. */
static bool is_wanted(struct backend_stim *s, uint64_t first) {
    const struct flight *f = s->access;
    uint64_t n = (uint64_t)s->m.size.WORDS;
    for (int l = 0; f && l < s->nb.size.LANES; l++) {
        const struct task *t = task_of(s, f);
        if ((f->lanes >> l & 1) && (t->at[l] >> 2) / n == first / n)
            return true;
    }
    return false;
}

/* Another core has it from now on; NULL: there are too many. */
static struct other *owe(struct backend_stim *s, uint64_t id, uint64_t first) {
    int n = 0;
    while (n < AWAY && s->other[n].busy)
        n++;
    if (n == AWAY)
        return NULL;
    struct other *a = &s->other[n];
    *a = (struct other){.busy = true, .id = id, .fault = first >= s->m.top};
    a->due =
        s->nb.base.now + rng_below(&s->nb.base.rng, (uint32_t)s->more.slow);
    return a;
}

static void come(struct backend_stim *s, const struct lsu_hybrid_out *o) {
    struct memory *m = &s->m;
    uint64_t first = of_all(m, o->away_core, o->away_address << m->size.WORD_W);
    bool wanted = o->away_core != m->core && is_wanted(s, first);
    struct other *a = wanted ? owe(s, o->away_id, first) : NULL;
    s->aways++;
    if (!a) {
        stim_complain(&s->nb.base,
                      "a transaction goes away that no lane wants");
        return;
    }
    for (int w = 0; w < m->size.WORDS && first < m->reach; w++) {
        uint64_t word = first + (uint64_t)w;
        if (!o->away_store)
            bits_set_lane(a->data, w, m->there[word]);
        else if (o->away_strobe >> w & 1)
            m->there[word] = bits_lane(o->away_data, w);
    }
}

/* Once, the lane of the ask that is under way wants this of the sector. */
static bool is_lanes(struct backend_stim *s, const struct lsu_rmw_out *o) {
    const struct flight *f = s->ask;
    if (!f || !((f->lanes & ~s->asked) >> o->away_id & 1))
        return false;
    uint64_t word = task_of(s, f)->at[o->away_id] >> 2;
    bool atomic = isa_info(f->i.word.op)->class == ISA_CLASS_atomic;
    bool same = atomic ? o->away_op > LSU_RMW_STORE && o->away_op <= LSU_RMW_CAS
                : memory_changes(f->i.word.op) ? o->away_op == LSU_RMW_STORE
                                               : o->away_op == LSU_RMW_LOAD;
    return same && !is_own(&s->m, word) &&
           word >> s->m.size.WORD_W == o->away_address;
}

/* What a request does to a word: the bytes with a strobe. */
static void change(uint32_t *word, const struct lsu_rmw_out *o, int n) {
    static const int ops[] = {
        [LSU_RMW_ADD] = ISA_atg_add,   [LSU_RMW_MINS] = ISA_atg_mins,
        [LSU_RMW_MAXS] = ISA_atg_maxs, [LSU_RMW_MINU] = ISA_atg_minu,
        [LSU_RMW_MAXU] = ISA_atg_maxu, [LSU_RMW_AND] = ISA_atg_and,
        [LSU_RMW_OR] = ISA_atg_or,     [LSU_RMW_XOR] = ISA_atg_xor,
        [LSU_RMW_EXCH] = ISA_atg_exch, [LSU_RMW_CAS] = ISA_atg_cas,
    };
    uint32_t data = bits_lane(o->away_data, n), mask = 0;
    for (int b = 0; b < 4; b++)
        if (o->away_strobe >> (4 * n + b) & 1)
            mask |= UINT32_C(0xff) << (8 * b);
    if (o->away_op > LSU_RMW_STORE && mask)
        data =
            alu_atomic(ops[o->away_op], *word, (uint32_t)o->away_compare, data);
    *word = (*word & ~mask) | (data & mask);
}

/* Another core carries out what a lane wants when it hears of it. */
static void come_part(struct backend_stim *s, const struct lsu_rmw_out *o) {
    struct memory *m = &s->m;
    uint64_t first = o->away_address << m->size.WORD_W;
    struct other *a = is_lanes(s, o) ? owe(s, o->away_id, first) : NULL;
    s->parts_away++;
    if (!a) {
        stim_complain(&s->nb.base, "a lane's request goes away, but not as it "
                                   "wants it");
        return;
    }
    s->asked |= bit((int)o->away_id);
    for (int w = 0; w < m->size.WORDS && first < m->reach; w++) {
        uint32_t *word = &m->there[first + (uint64_t)w];
        bool named = o->away_strobe >> (4 * w) & 15;
        if (o->away_op == LSU_RMW_LOAD || (named && o->away_op > LSU_RMW_STORE))
            bits_set_lane(a->data, w, *word);
        change(word, o, w);
    }
}

static void drive_other(struct backend_stim *s, struct lsu_hybrid_in *hybrid,
                        struct lsu_rmw_in *rmw, struct lsu_link_in *link) {
    struct rng *r = &s->nb.base.rng;
    int from = (int)rng_below(r, AWAY);
    hybrid->at_core = rmw->at_core = s->m.core;
    hybrid->away_ready = toggle_step(&s->away, r, s->more.high, s->more.low);
    rmw->away_ready = toggle_step(&s->away_part, r, s->more.high, s->more.low);
    for (int n = 0; !s->answering && n < AWAY; n++) {
        struct other *a = &s->other[(from + n) % AWAY];
        if (a->busy && a->due <= s->nb.base.now)
            s->answering = a;
    }
    const struct other *a = s->answering;
    link->other_valid = a != NULL;
    link->other_id = a ? a->id : 0;
    link->other_fault = a ? a->fault : 0;
    memset(link->other_data, 0, sizeof link->other_data);
    if (a)
        memcpy(link->other_data, a->data, sizeof a->data);
}

void memory_drive(struct backend_stim *s, struct lsu_hybrid_in *hybrid,
                  struct lsu_rmw_in *rmw, struct lsu_link_in *link,
                  struct vault_in *banks) {
    drive_other(s, hybrid, rmw, link);
    drive_window(s, banks);
}

void memory_watch(struct backend_stim *s, const struct edge *e) {
    if (e->link_in->other_valid && e->link_before->other_ready) {
        s->answering->busy = false;
        s->answering = NULL;
    }
    if (e->hybrid_before->away_valid && e->hybrid_in->away_ready)
        come(s, e->hybrid_before);
    if (e->rmw_before->away_valid && e->rmw_in->away_ready)
        come_part(s, e->rmw_before);
    watch_window(s, e->banks_in, e->banks_before, e->banks_after);
}
