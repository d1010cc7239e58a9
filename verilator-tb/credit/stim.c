/* stim.c - stimulus of the end of a link with credits: a sender, wires there
 * and back, and somebody who takes words.
 *
 * Every word has a number that all its bits depend on.  It must come out in its
 * turn, on the first edge that the note allows, and give one credit back.
 *
 * random    phases with other wires, other rates, other patience
 * directed  the memory filled and emptied, words one by one, full streams
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/credit.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum { LONGEST = 3, MOST = 128, WORDS = 1024 / 64 };

/* What the surroundings are like for a while. */
struct tune {
    int send;      /* percent of the cycles with a credit */
    int high, low; /* longest times that words are taken, and not */
    int out, back; /* registers on the wires */
};

/* What is on a wire: the edges before which each arrives, in order. */
struct wire {
    uint64_t due[MOST];
    uint64_t head, tail;
};

struct credit_stim {
    struct stim base;
    struct credit_local size;
    struct tune tune;
    int left; /* edges of this phase */
    struct toggle ready;
    int credits; /* at hand */
    struct wire out, back;
    uint64_t sent, arrived, taken; /* words, by their numbers */
};

/* The word of a number. */
static void word_of(const struct credit_stim *s, uint64_t number, uint64_t *w) {
    memset(w, 0, WORDS * sizeof *w);
    for (int at = 0; at < s->size.WIDTH; at += 64) {
        int width = s->size.WIDTH - at < 64 ? s->size.WIDTH - at : 64;
        w[at / 64] = rng_mix(number * WORDS + (uint64_t)at / 64) & ones(width);
    }
}

/* Nothing overtakes, also when the wires become shorter. */
static void wire_put(struct wire *w, uint64_t due) {
    uint64_t last = w->head == w->tail ? 0 : w->due[(w->tail - 1) % MOST] + 1;
    w->due[w->tail++ % MOST] = due > last ? due : last;
}

static bool wire_take(struct wire *w, uint64_t now) {
    bool has = w->head != w->tail && w->due[w->head % MOST] <= now;
    w->head += has;
    return has;
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 0, 40, 0, 0}, /* filled, */
        {0, 40, 0, 0, 0},   /* and emptied */
        {10, 1, 0, 0, 0},   /* one by one */
        {100, 1, 0, 0, 0},  /* a stream, */
        {100, 1, 0, 3, 3},  /* over long wires, */
        {100, 3, 2, 1, 0},  /* held up now and then */
    };
    struct credit_stim *s = (struct credit_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 40 % (sizeof script / sizeof *script)];
    s->ready.left = 0;
    s->left = 39;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 80, 40, 5};
    struct credit_stim *s = (struct credit_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.send = rates[rng_below(r, 5)];
    s->tune.high = rng_range(r, 0, 6);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12);
    s->tune.out = rng_range(r, 0, LONGEST);
    s->tune.back = rng_range(r, 0, LONGEST);
    s->left = rng_range(r, 20, 300);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct credit_stim *)base)->size = credit_local(c);
    base->reset_every = 2000;
}

static void reset(struct stim *base) {
    struct credit_stim *s = (struct credit_stim *)base;
    s->out.head = s->out.tail = s->back.head = s->back.tail = 0;
    s->credits = s->size.DEPTH;
    s->taken = s->arrived = s->sent;
}

static void drive(struct stim *base, void *ports) {
    struct credit_stim *s = (struct credit_stim *)base;
    struct credit_in *in = ports;
    s->credits += wire_take(&s->back, base->now);
    if (s->credits > 0 && base->rst_left == 0 &&
        rng_percent(&base->rng, s->tune.send)) {
        s->credits--;
        s->sent++;
        wire_put(&s->out, base->now + (uint64_t)s->tune.out);
    }
    in->push_valid = wire_take(&s->out, base->now);
    if (in->push_valid)
        word_of(s, s->arrived, in->push_data);
    else if (rng_percent(&base->rng, 20)) /* noise */
        word_of(s, s->sent + base->now, in->push_data);
    in->pop_ready =
        toggle_step(&s->ready, &base->rng, s->tune.high, s->tune.low);
}

static const char *check_word(struct credit_stim *s, const uint64_t *got) {
    uint64_t expected[WORDS];
    word_of(s, s->taken, expected);
    if (memcmp(expected, got, sizeof expected) == 0)
        return NULL;
    return stim_complain(&s->base,
                         "word %" PRIu64 " comes out as %016" PRIx64
                         " in its lowest bits, expected %016" PRIx64,
                         s->taken, got[0], expected[0]);
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct credit_stim *s = (struct credit_stim *)base;
    const struct credit_in *in = in_ports;
    const struct credit_out *before = before_ports, *after = after_ports;
    bool left = before->pop_valid && in->pop_ready;
    const char *wrong = left ? check_word(s, before->pop_data) : NULL;
    s->taken += left;
    bool shows = s->arrived != s->taken;
    s->arrived += in->push_valid;
    if (left)
        wire_put(&s->back, base->now + (uint64_t)s->tune.back);
    if (!wrong && after->pop_valid != shows)
        wrong = stim_complain(base, "a word is %sat the output",
                              shows ? "not " : "");
    if (!wrong && after->credit_valid != left)
        wrong =
            stim_complain(base, "a credit is %sgiven back", left ? "not " : "");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct credit_stim *s = (const struct credit_stim *)base;
    text_printf(t, "words\t%" PRIu64 "\n", s->sent);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class credit_stim = {
    .size = sizeof(struct credit_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
