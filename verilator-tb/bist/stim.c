/* stim.c - stimulus of the block that plays stimulus: software that loads
 * words, plays them and reads what came of it, and a block under test whose
 * answers are known.
 *
 * The block under test is a small machine of this file. Software computes what
 * signature it has to leave, and now and then a bit of it is wrong on purpose:
 * then it knows as well in which pass a run must end. Beside that, what must
 * show on each edge is told from when the run began: the edges of a pass have
 * numbers, from 1 on the edge after the one that begins it.
 *
 * random    tasks of all kinds, and commands and settings that come amiss
 * directed  each kind of task in turn
 */
#include "stim.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/bist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 30,            /* slices of 32 bits */
    MOST_ACCESSES = 1200, /* accesses of a task */
    LOADED = 1000,        /* of them, to load all words */
    FORETOLD = 6000
};

/* What software does, from words to the end of a run. */
struct task {
    int64_t index;   /* of the first word; -1: goes on where it is */
    int words;       /* -1: all of them */
    int mask;        /* percent of bits that are free; -1: as hand stands */
    int last, again; /* -1: the last word that is known; of again: last */
    int64_t length;  /* -1: up to last; -2: 3 more than there are words */
    uint32_t seed, passes;
    int wrong_pass; /* of the block under test, -1: none */
    int64_t wrong_edge;
    int wrong_bits; /* 0: its state, from there on */
    bool unexpected;
    int patience; /* edges until it is stopped; 0: goes to its end */
    int amiss;    /* of 1000 edges: one with a command during the run */
    int shifts;   /* of the outputs, after the run */
    int pause;    /* edges, after that */
};

enum phase { LOADING, ARMING, RUNNING, RESTING };

/* The block under test. */
struct dut {
    uint32_t state;
    uint32_t out[MOST];
};

struct bist_stim {
    struct stim base;
    struct bist_local size;
    int in_slices, out_slices;
    uint32_t top_mask; /* of the last slice of outputs */

    /* software */
    struct task task;
    enum phase phase;
    int turn; /* of directed */
    struct {
        bool setting;
        int n;
        uint32_t data;
    } access[MOST_ACCESSES];
    int n_accesses, done;
    int waited;     /* edges in this phase */
    bool plays_old; /* the next task loads no words */
    bool armed, sure;
    bool will_differ;
    uint32_t will_left;

    /* what the block must hold before the edge */
    uint32_t (*words)[MOST];
    bool *known;
    uint32_t index, piece, hand[MOST];
    bool storing;
    bool busy, differs;
    uint32_t left, pass; /* pass: from 0 */
    uint64_t age, length;
    uint32_t at, word, x, signature, seen[MOST];
    /* what must show */
    bool rst;
    uint64_t bits[15];

    struct dut dut;
    uint32_t resp[MOST];

    uint64_t n_words, n_runs, n_passes, n_edges, n_wrong, n_stopped;
};

/* --- arithmetic ----------------------------------------------------------- */

/* A slice and itself at two other places, as products of polynomials modulo
 * x^32 + 1. */
static uint32_t spread(uint32_t slice, int s) {
    uint64_t v = slice, product = v ^ v << 1 ^ v << (s + 2);
    return (uint32_t)(product ^ product >> 32);
}

static uint32_t sign(uint32_t signature, const uint32_t *out, int slices) {
    uint64_t wide = (uint64_t)signature << 1;
    if (wide >> 32)
        wide ^= 0x104c11db7;
    for (int s = 0; s < slices; s++)
        wide ^= spread(out[s], s);
    return (uint32_t)wide;
}

static uint32_t next_x(uint32_t x) {
    uint64_t v = x;
    v = (v ^ v << 13) & 0xffffffff;
    v ^= v >> 17;
    return (uint32_t)(v ^ v << 5);
}

static uint32_t right_by(uint32_t v, int n) {
    return (uint32_t)(((uint64_t)v << 32 | v) >> n);
}

static bool reset_of(const struct bist_stim *s, const uint32_t *word) {
    return word[s->size.IN_W / 32] >> s->size.IN_W % 32 & 1;
}

/* The inputs of the block under test, from a word and its free bits. */
static void inputs_of(const struct bist_stim *s, const uint32_t *word,
                      uint32_t x, uint64_t *bits) {
    memset(bits, 0, 15 * sizeof *bits);
    for (int n = 0; n < s->in_slices; n++) {
        uint32_t random = x ^ right_by(x, 1) ^ right_by(x, n + 2);
        uint64_t v = word[n] ^ (s->hand[n] & random);
        if (n == s->size.IN_W / 32)
            v &= ones(s->size.IN_W % 32);
        bits[n / 2] |= v << 32 * (n % 2);
    }
}

/* --- the block under test ------------------------------------------------- */

static void dut_take(const struct bist_stim *s, struct dut *d, bool rst,
                     const uint64_t *bits) {
    uint32_t sum = 0;
    for (int n = 0; n < s->in_slices; n++)
        sum = sum * 3 + (uint32_t)(bits[n / 2] >> 32 * (n % 2));
    d->state = rst ? 0x600df00d : d->state * 5 + 12345 + sum;
    for (int n = 0; n < s->out_slices; n++)
        d->out[n] =
            rst ? 0xa5 * (uint32_t)n
                : (d->out[n] << 3 | d->out[n] >> 29) + sum +
                      (d->state >> 13 ^ d->state) * (2 * (uint32_t)n + 1);
    d->out[s->out_slices - 1] &= s->top_mask;
}

/* One, two neighbours or three of the outputs, all of which a signature must
 * see; or (0) one that goes back into the machine. */
static void go_wrong(struct bist_stim *s) {
    uint32_t width = (uint32_t)s->size.OUT_W;
    uint32_t first = rng_below(&s->base.rng, width);
    int n = s->task.wrong_bits;
    if (n == 0) {
        s->dut.out[0] ^= 1;
        s->resp[0] ^= 1;
    }
    for (uint32_t i = 0; i < (uint32_t)n && i < width; i++) {
        uint32_t at = (first + i) % width;
        s->resp[at / 32] ^= 1u << at % 32;
    }
}

static void dut_edge(struct bist_stim *s, bool taken,
                     const struct bist_out *before) {
    if (!taken) { /* in reset, and nobody looks: anything */
        dut_take(s, &s->dut, true, before->stim_bits);
        for (int n = 0; n < s->out_slices; n++)
            s->resp[n] = (uint32_t)rng_next(&s->base.rng);
        s->resp[s->out_slices - 1] &= s->top_mask;
        return;
    }
    dut_take(s, &s->dut, before->stim_rst, before->stim_bits);
    memcpy(s->resp, s->dut.out, sizeof s->resp);
    if (s->armed || !s->sure)
        return;
    if ((int64_t)s->pass == s->task.wrong_pass &&
        s->age == (uint64_t)s->task.wrong_edge + 3)
        go_wrong(s);
}

/* --- software ------------------------------------------------------------- */

static void add(struct bist_stim *s, bool setting, int n, uint32_t data) {
    if (s->n_accesses == MOST_ACCESSES)
        return;
    s->access[s->n_accesses].setting = setting;
    s->access[s->n_accesses].n = n;
    s->access[s->n_accesses++].data = data;
}

static void add_command(struct bist_stim *s, int n, uint32_t data) {
    add(s, false, n, data);
}

static uint32_t any(struct bist_stim *s) {
    return (uint32_t)(rng_next(&s->base.rng) >> 13);
}

/* A word, with reset first of all and seldom later. */
static void add_word(struct bist_stim *s, bool rst) {
    int at = s->size.IN_W;
    for (int p = 0; p < s->size.PIECES; p++) {
        uint32_t data = any(s);
        if (p == at / 32)
            data = (data & ~(1u << at % 32)) | (uint32_t)rst << at % 32;
        add_command(s, BIST_COM_piece, data);
    }
}

static void add_loads(struct bist_stim *s) {
    const struct task *t = &s->task;
    struct rng *r = &s->base.rng;
    int n = t->words < 0 ? s->size.WINDOW : t->words;
    int64_t at = t->index < 0 ? s->index : t->index;
    if (t->index >= 0 && t->words != 0)
        add_command(s, BIST_COM_index, (uint32_t)t->index);
    for (int i = 0; i < n; i++)
        add_word(s, (at + i) % s->size.WINDOW == 0 ? rng_percent(r, 90)
                                                   : rng_percent(r, 8));
    if (t->mask >= 0)
        add_command(s, BIST_COM_index, any(s));
    for (int p = 0; t->mask >= 0 && p < s->size.PIECES; p++) {
        uint32_t data = 0;
        for (int b = 0; b < 32; b++)
            data |= (uint32_t)rng_percent(r, t->mask) << b;
        add_command(s, BIST_COM_free, data);
    }
}

/* Words from 0 on that can be played. */
static int playable(const struct bist_stim *s) {
    int n = 0;
    while (n < s->size.WINDOW && s->known[n])
        n++;
    return n;
}

/* What a pass of the block under test has to leave. */
static uint32_t foretell(const struct bist_stim *s) {
    const struct task *t = &s->task;
    struct dut d;
    uint32_t signature = 0xffffffff, x = t->seed;
    uint64_t bits[15] = {0};
    memset(&d, 0, sizeof d);
    dut_take(s, &d, true, bits);
    for (int64_t i = 0, at = 0; i < t->length; i++) {
        const uint32_t *word = s->words[at];
        inputs_of(s, word, x, bits);
        dut_take(s, &d, reset_of(s, word), bits);
        signature = sign(signature, d.out, s->out_slices);
        x = next_x(x);
        at = at == t->last ? t->again : (at + 1) % s->size.WINDOW;
    }
    return signature;
}

/* Settings that fit what is loaded; and what must come of the run. */
static void arm(struct bist_stim *s) {
    struct task *t = &s->task;
    int n = playable(s), window = s->size.WINDOW;
    if (t->last < 0 || t->last >= n)
        t->last = n - 1;
    if (t->again < 0)
        t->again = t->last;
    if (n < window && t->again > t->last)
        t->again %= t->last + 1;
    if (t->again >= window)
        t->again = window - 1;
    if (t->length < 0)
        t->length = t->length == -1 ? t->last + 1 : window + 3;
    bool whole = t->length != 0 && t->length <= FORETOLD;
    uint32_t right = whole ? foretell(s) : any(s);
    if ((!whole || t->passes == 0) && t->patience == 0)
        t->patience = 300;
    t->unexpected = t->unexpected || !whole;
    if (whole && t->wrong_edge >= t->length)
        t->wrong_edge = t->length - 1;
    bool wrong = t->wrong_pass >= 0 &&
                 (t->passes == 0 || (uint32_t)t->wrong_pass < t->passes);
    s->will_differ = wrong || t->unexpected;
    s->will_left = t->unexpected ? t->passes
                   : wrong       ? t->passes - (uint32_t)t->wrong_pass
                                 : 0;
    if (t->unexpected) {
        t->wrong_pass = -1;
        right ^= 1u << rng_below(&s->base.rng, 32);
    }
    add(s, true, BIST_SET_last, (uint32_t)t->last);
    add(s, true, BIST_SET_again, (uint32_t)t->again);
    add(s, true, BIST_SET_length, (uint32_t)t->length);
    add(s, true, BIST_SET_seed, t->seed);
    add(s, true, BIST_SET_expected, right);
    add_command(s, BIST_COM_run, t->passes);
    s->armed = true;
}

/* Commands that do nothing in a run, or, when they come too late for that, do
 * something after it; settings that other passes then have. */
static void come_amiss(struct bist_stim *s) {
    static const int some[] = {BIST_COM_index, BIST_COM_piece, BIST_COM_piece,
                               BIST_COM_free,  BIST_COM_next,  BIST_COM_run};
    struct master *m = &s->base.master;
    struct rng *r = &s->base.rng;
    uint32_t n = rng_below(r, 8);
    if (n < 6)
        master_command(m, some[n], n == 5 ? rng_below(r, 4) : any(s));
    else if (n == 6)
        master_set(m, rng_percent(r, 50) ? BIST_SET_expected : BIST_SET_seed,
                   any(s));
    else if (rng_percent(r, 50))
        master_set(m, BIST_SET_length, rng_below(r, 12));
    else if (playable(s) == s->size.WINDOW)
        master_set(m, rng_percent(r, 50) ? BIST_SET_last : BIST_SET_again,
                   any(s));
}

static void draw_task(struct bist_stim *s) {
    struct rng *r = &s->base.rng;
    struct task *t = &s->task;
    int window = s->size.WINDOW, many = 40 / s->size.PIECES;
    *t = (struct task){.index = 0, .words = rng_range(r, 1, 2 + many / 4)};
    if (rng_percent(r, 30))
        t->words = 0;
    else if (rng_percent(r, 20))
        t->index = rng_percent(r, 50) ? window - 1 : -1;
    if (window * s->size.PIECES <= LOADED && rng_below(r, 100) == 0)
        t->words = -1;
    if (s->plays_old) {
        t->words = 0;
        s->plays_old = false;
    }
    t->mask = (int[]){-1, -1, 0, 10, 50, 100}[rng_below(r, 6)];
    t->last = rng_percent(r, 60) ? -1 : (int)rng_below(r, 8);
    t->again = rng_percent(r, 20) ? -1 : (int)(any(s) % (unsigned)window);
    t->again = rng_percent(r, 40) ? 0 : t->again;
    switch (rng_below(r, 16)) {
    case 0:
        t->length = 0;
        break;
    case 1:
        t->length = window <= 256 || rng_below(r, 8) == 0 ? -2 : 6;
        break;
    case 2:
    case 3:
        t->length = -1;
        break;
    default:
        t->length = rng_range(r, 1, rng_percent(r, 70) ? 4 : 40);
    }
    t->seed = rng_percent(r, 20) ? 0 : any(s);
    t->passes = rng_below(r, 12) == 0 ? 0 : rng_below(r, 5) + 1;
    t->wrong_pass = rng_percent(r, 40) ? (int)rng_below(r, 3) : -1;
    t->wrong_edge = rng_range(r, 0, 7);
    t->wrong_bits = rng_range(r, 0, 3);
    t->unexpected = rng_percent(r, 8);
    t->patience = rng_percent(r, 85) ? 0 : rng_range(r, 1, 60);
    t->amiss = rng_percent(r, 70) ? 0 : rng_range(r, 5, 300);
    t->shifts = rng_percent(r, 60) ? 0 : rng_range(r, 1, s->out_slices + 1);
    t->pause = rng_range(r, 0, 60);
}

static void direct_task(struct bist_stim *s) {
    static const struct task tasks[] = {
        /* word 0 to 3 once, and their first alone */
        {.words = 4, .last = -1, .length = -1, .passes = 1, .wrong_pass = -1},
        {.last = -1, .length = 1, .passes = 1, .wrong_pass = -1, .shifts = 3},
        /* several passes, and longer ones */
        {.last = -1, .length = 3, .passes = 5, .wrong_pass = -1},
        {.last = -1, .length = -2, .passes = 1, .wrong_pass = -1},
        {.last = -1, .again = -1, .length = 9, .passes = 2, .wrong_pass = -1},
        /* the first and a later pass wrong, in each way */
        {.last = -1, .length = 4, .passes = 3, .wrong_bits = 1, .pause = 90},
        {.last = -1,
         .length = 4,
         .passes = 3,
         .wrong_bits = 2,
         .wrong_edge = 3},
        {.last = -1, .length = 4, .passes = 3, .wrong_bits = 3, .shifts = 1},
        {.last = -1,
         .length = 4,
         .passes = 3,
         .wrong_pass = 2,
         .wrong_edge = 1},
        {.last = -1,
         .length = 1,
         .passes = 3,
         .wrong_pass = 1,
         .wrong_bits = 1},
        {.last = -1, .length = 2, .passes = 2, .unexpected = true},
        /* free bits */
        {.mask = 100,
         .last = -1,
         .length = 40,
         .seed = 1,
         .passes = 2,
         .wrong_pass = -1},
        {.mask = 40,
         .last = 1,
         .length = 12,
         .seed = 0x1234567,
         .passes = 2,
         .wrong_pass = -1},
        /* around the end of the memory, and the words go on where they are */
        {.index = INT32_MAX,
         .words = 2,
         .mask = -1,
         .last = -1,
         .length = -1,
         .passes = 1,
         .wrong_pass = -1},
        {.index = -1,
         .words = 2,
         .mask = -1,
         .last = -1,
         .length = 6,
         .passes = 1,
         .wrong_pass = -1},
        /* without an end */
        {.last = -1, .length = 2, .passes = 0, .wrong_pass = -1},
        {.last = -1, .length = 0, .passes = 1, .wrong_pass = -1},
        {.last = -1,
         .length = 20,
         .passes = 1,
         .patience = 9,
         .wrong_pass = -1},
        /* commands amiss */
        {.last = -1,
         .length = 30,
         .passes = 9,
         .amiss = 900,
         .wrong_pass = -1,
         .shifts = 2,
         .pause = 50},
    };
    const int n = sizeof tasks / sizeof *tasks;
    s->task = tasks[s->turn++ % n];
    if (s->task.index == INT32_MAX)
        s->task.index = s->size.WINDOW - 1;
    if (s->task.pause == 0)
        s->task.pause = 30;
    if (s->turn % n == 0)
        master_clear(&s->base.master);
}

static void enter(struct bist_stim *s, enum phase p) {
    s->phase = p;
    s->waited = s->n_accesses = s->done = 0;
}

/* The next accesses, a few of them at a time. */
static bool has_done_all(struct bist_stim *s) {
    struct master *m = &s->base.master;
    for (; s->done < s->n_accesses && m->n_wanted < 8; s->done++)
        if (s->access[s->done].setting)
            master_set(m, s->access[s->done].n, s->access[s->done].data);
        else
            master_command(m, s->access[s->done].n, s->access[s->done].data);
    return s->done == s->n_accesses && master_idle(m);
}

static void work(struct bist_stim *s) {
    struct rng *r = &s->base.rng;
    bool over = has_done_all(s);
    s->waited++;
    switch (s->phase) {
    case LOADING:
        if (!over || s->storing)
            return;
        enter(s, ARMING);
        if (playable(s) > 0)
            arm(s);
        else
            enter(s, RESTING);
        return;
    case ARMING:
        if (over && !s->armed)
            enter(s, RUNNING);
        return;
    case RUNNING:
        if (over && !s->busy) {
            enter(s, RESTING);
            for (int i = 0; i < s->task.shifts; i++)
                add_command(s, BIST_COM_next, any(s));
            if (rng_percent(r, 10))
                add_command(s, BIST_COM_stop, any(s));
        } else if (over && (s->task.patience ? s->waited > s->task.patience
                                             : s->waited > 40000)) {
            master_command(&s->base.master, BIST_COM_stop, any(s));
        } else if (over && (int)rng_below(r, 1000) < s->task.amiss) {
            come_amiss(s);
            if (s->task.patience == 0)
                s->task.patience = 400;
        }
        return;
    case RESTING:
        if (!over || s->waited < s->task.pause)
            return;
        if (s->base.mode->resets)
            draw_task(s);
        else
            direct_task(s);
        enter(s, LOADING);
        add_loads(s);
        return;
    }
}

/* --- driving -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct bist_stim *s = (struct bist_stim *)base;
    int more;
    s->size = bist_local(c);
    s->in_slices = (s->size.IN_W + 31) / 32;
    s->out_slices = (s->size.OUT_W + 31) / 32;
    more = s->size.OUT_W % 32;
    s->top_mask = (uint32_t)ones(more ? more : 32);
    s->words = xcalloc((size_t)s->size.WINDOW, sizeof *s->words);
    s->known = xcalloc((size_t)s->size.WINDOW, sizeof *s->known);
    base->reset_every = 5000;
    base->wishbone = 500;
}

static void close(struct stim *base) {
    struct bist_stim *s = (struct bist_stim *)base;
    free(s->words);
    free(s->known);
}

static void show_rest(struct bist_stim *s) {
    s->rst = true;
    memset(s->bits, 0, sizeof s->bits);
}

/* Words stay; what is to be stored does not get there. */
static void reset(struct stim *base) {
    struct bist_stim *s = (struct bist_stim *)base;
    s->task = (struct task){.wrong_pass = -1};
    enter(s, RESTING);
    s->armed = s->sure = false;
    s->index = s->piece = 0;
    memset(s->hand, 0, sizeof s->hand);
    s->storing = s->busy = s->differs = false;
    s->left = s->signature = 0;
    memset(s->seen, 0, sizeof s->seen);
    show_rest(s);
}

static void set_statuses(struct bist_stim *s) {
    uint32_t *status = s->base.master.status;
    status[BIST_STA_state] = (uint32_t)s->busy | (uint32_t)s->differs << 1;
    status[BIST_STA_left] = s->left;
    status[BIST_STA_signature] = s->signature;
    status[BIST_STA_outputs] = s->seen[0];
    status[BIST_STA_in_bits] = (uint32_t)s->size.IN_W;
    status[BIST_STA_out_bits] = (uint32_t)s->size.OUT_W;
    status[BIST_STA_window] = (uint32_t)s->size.WINDOW;
}

static void drive(struct stim *base, void *ports) {
    struct bist_stim *s = (struct bist_stim *)base;
    struct bist_in *in = ports;
    set_statuses(s);
    memset(in->resp_bits, 0, sizeof in->resp_bits);
    for (int n = 0; n < s->out_slices; n++)
        in->resp_bits[n / 2] |= (uint64_t)s->resp[n] << 32 * (n % 2);
    work(s);
    /* on an edge that would store a word, too: it must not get there */
    if (base->mode->resets && s->storing && rng_below(&base->rng, 60) == 0) {
        stim_reset(base, 1);
        s->plays_old = true;
    }
    if (base->mode->resets && rng_below(&base->rng, 3000) == 0)
        master_clear(&base->master);
}

/* --- what must happen ----------------------------------------------------- */

static void begin_pass(struct bist_stim *s) {
    uint32_t length = s->base.master.setting[BIST_SET_length];
    s->age = 0;
    s->length = length ? length : (uint64_t)1 << 32;
    s->at = 0;
    s->x = s->base.master.setting[BIST_SET_seed];
    s->signature = 0xffffffff;
    s->n_passes++;
}

/* The end of the run that was meant. */
static const char *judge(struct bist_stim *s) {
    bool sure = s->sure;
    s->sure = false;
    if (!sure || (s->differs == s->will_differ && s->left == s->will_left))
        return NULL;
    return stim_complain(
        &s->base, "a run ended %s with %u to go, expected %s with %u",
        s->differs ? "wrong" : "right", (unsigned)s->left,
        s->will_differ ? "wrong" : "right", (unsigned)s->will_left);
}

static const char *end_pass(struct bist_stim *s) {
    if (s->signature != s->base.master.setting[BIST_SET_expected]) {
        s->differs = true;
        s->busy = false;
        s->n_wrong++;
        return judge(s);
    }
    s->pass++;
    if (--s->left == 0) {
        s->busy = false;
        return judge(s);
    }
    begin_pass(s);
    return NULL;
}

/* The edge of that number in its pass, from first to last of its words. */
static bool within(const struct bist_stim *s, uint64_t first) {
    return s->age >= first && s->age < first + s->length;
}

/* An edge of a run, from the inputs as they stood before it. */
static const char *pass_edge(struct bist_stim *s, const struct bist_in *in) {
    const uint32_t *setting = s->base.master.setting;
    if (within(s, 5))
        s->signature = sign(s->signature, s->seen, s->out_slices);
    for (int n = 0; within(s, 4) && n < s->out_slices; n++)
        s->seen[n] = (uint32_t)(in->resp_bits[n / 2] >> 32 * (n % 2));
    if (within(s, 2)) {
        inputs_of(s, s->words[s->word], s->x, s->bits);
        s->rst = reset_of(s, s->words[s->word]);
        s->x = next_x(s->x);
    } else {
        show_rest(s);
    }
    if (within(s, 1)) {
        s->word = s->at;
        s->at = s->at == setting[BIST_SET_last]
                    ? setting[BIST_SET_again]
                    : (s->at + 1) % (uint32_t)s->size.WINDOW;
    }
    return s->age == s->length + 5 ? end_pass(s) : NULL;
}

static void store(struct bist_stim *s) {
    memcpy(s->words[s->index], s->hand, sizeof s->hand);
    s->known[s->index] = true;
    s->index = (s->index + 1) % (uint32_t)s->size.WINDOW;
    s->storing = false;
    s->n_words++;
}

static bool put(struct bist_stim *s, uint32_t data) {
    s->hand[s->piece++] = data;
    if (s->piece < (uint32_t)s->size.PIECES)
        return false;
    s->piece = 0;
    return true;
}

static void obey(struct bist_stim *s, int command, uint32_t data) {
    switch (command) {
    case BIST_COM_index:
        s->index = data;
        s->piece = 0;
        break;
    case BIST_COM_piece:
        s->storing = put(s, data);
        break;
    case BIST_COM_free:
        put(s, data);
        break;
    case BIST_COM_run:
        s->busy = true;
        s->differs = false;
        s->left = data;
        s->pass = 0;
        s->sure = s->armed;
        s->armed = false;
        s->n_runs++;
        begin_pass(s);
        break;
    case BIST_COM_next:
        memmove(s->seen, s->seen + 1, (MOST - 1) * sizeof *s->seen);
        s->seen[MOST - 1] = 0;
        break;
    }
}

static void stop(struct bist_stim *s) {
    s->n_stopped += s->busy;
    s->busy = s->sure = false;
    show_rest(s);
}

static const char *compare(struct bist_stim *s, const struct bist_out *after) {
    if (after->show_busy != s->busy)
        return stim_complain(&s->base, s->busy ? "a run is not under way"
                                               : "a run is under way");
    if (after->show_differs != s->differs)
        return stim_complain(&s->base, s->differs ? "the run was wrong"
                                                  : "the run was not wrong");
    if (after->stim_rst != s->rst)
        return stim_complain(&s->base, s->rst ? "no reset for the block"
                                              : "reset for the block");
    if (memcmp(after->stim_bits, s->bits, sizeof s->bits) != 0)
        return stim_complain(&s->base, "wrong inputs for the block");
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct bist_stim *s = (struct bist_stim *)base;
    const struct master *m = &base->master;
    const char *wrong = NULL;
    bool was_busy = s->busy;
    s->age++;
    bool taken = was_busy && within(s, 3);
    dut_edge(s, taken, before_ports);
    base->master.count[BIST_CNT_edges] += taken;
    s->n_edges += taken;
    if (m->changed >= 0)
        s->sure = false; /* other passes than those of which it knows */
    if (s->storing)
        store(s);
    if (m->commanded == BIST_COM_stop)
        stop(s);
    else if (was_busy)
        wrong = pass_edge(s, in_ports);
    else
        obey(s, m->commanded, m->value);
    return wrong ? wrong : compare(s, after_ports);
}

static void report(struct stim *base, struct text *t) {
    const struct bist_stim *s = (const struct bist_stim *)base;
    text_printf(t, "words\t%" PRIu64 "\n", s->n_words);
    text_printf(t, "runs\t%" PRIu64 "\n", s->n_runs);
    text_printf(t, "passes\t%" PRIu64 "\n", s->n_passes);
    text_printf(t, "edges\t%" PRIu64 "\n", s->n_edges);
    text_printf(t, "wrong\t%" PRIu64 "\n", s->n_wrong);
    text_printf(t, "stopped\t%" PRIu64 "\n", s->n_stopped);
}

static const struct stim_mode random_mode = {.name = "random", .resets = true};
static const struct stim_mode directed_mode = {.name = "directed"};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class bist_stim = {
    .size = sizeof(struct bist_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
