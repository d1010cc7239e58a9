/* bist.c - golden model of stimulus and signature of a block under test.
 *
 * Written from docs/blocks/bist.md.
 */
#include "bist.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/bist.h"
#include "frame/model.h"

#include <stdlib.h>
#include <string.h>

/* 928 inputs and a reset, or 928 outputs, in slices of 32 bits */
enum { MOST = 30 };

#define POLYNOMIAL 0x04c11db7u
#define BEGIN_OF_PASS 0xffffffffu

struct bist {
    struct golden base;
    struct bist_local l;
    int out_slices;

    uint32_t *words; /* WINDOW times PIECES */
    uint32_t index, piece;
    uint32_t hand[MOST];
    bool storing;

    bool busy, differs;
    uint32_t left;

    bool fetching, fetched, playing, shown, folding, ending;
    uint32_t at, togo, x, signature;
    uint32_t word[MOST], seen[MOST];

    /* for cover points, of the pass under way: edges that are in the
     * signature; a word without reset was played; it is not the first */
    uint64_t folded;
    bool ran, again;
    struct bist_out out;
};

/* Arithmetic ------------------------------------------------------------- */

static uint32_t rotate(uint32_t v, int n) {
    return v << n % 32 | v >> (32 - n) % 32;
}

uint32_t bist_next(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

static uint32_t state_bit(uint32_t x, int n) {
    return x >> n % 32 & 1;
}

uint32_t bist_free(uint32_t x, int slice) {
    uint32_t result = 0;

    for (int b = 0; b < 32; b++)
        result |= (state_bit(x, b) ^ state_bit(x, b + 1) ^
                   state_bit(x, b + slice + 2))
                  << b;
    return result;
}

uint32_t bist_fold(const uint32_t *slices, int n) {
    uint32_t f = 0, g = 0;

    for (int s = 0; s < n; s++) {
        f ^= slices[s];
        g ^= rotate(slices[s], s + 2);
    }
    return f ^ rotate(f, 1) ^ g;
}

uint32_t bist_sign(uint32_t signature, uint32_t fold) {
    uint32_t carry = signature >> 31 ? POLYNOMIAL : 0;

    return (signature << 1) ^ carry ^ fold;
}

/* The instance ----------------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    struct bist *n = (struct bist *)g;

    n->l = bist_local(c);
    n->out_slices = (n->l.OUT_W + 31) / 32;
    if (n->l.PIECES > MOST || n->out_slices > MOST)
        BUG("more inputs or outputs than the model holds");
    n->words =
        xcalloc((size_t)n->l.WINDOW * (size_t)n->l.PIECES, sizeof *n->words);
}

static void close(struct golden *g) {
    free(((struct bist *)g)->words);
}

/* The inputs of the block under test while nothing is played. */
static void rest(struct bist *n) {
    n->out.stim_rst = 1;
    memset(n->out.stim_bits, 0, sizeof n->out.stim_bits);
}

static void reset(struct golden *g) {
    struct bist *n = (struct bist *)g;

    n->index = n->piece = 0;
    memset(n->hand, 0, sizeof n->hand);
    n->storing = n->busy = n->differs = false;
    n->left = 0;
    n->fetching = n->fetched = n->playing = n->shown = false;
    n->folding = n->ending = false;
    n->at = n->togo = n->x = n->signature = 0;
    memset(n->seen, 0, sizeof n->seen);
    rest(n);
}

static uint32_t *word_at(struct bist *n, uint32_t index) {
    return n->words + (size_t)index * (size_t)n->l.PIECES;
}

static uint32_t after(const struct bist *n, uint32_t index) {
    return (index + 1) % (uint32_t)n->l.WINDOW;
}

/* A bit of hand or word, counted over all its pieces. */
static uint32_t piece_bit(const uint32_t *pieces, int i) {
    return pieces[i / 32] >> i % 32 & 1;
}

static void show(struct bist *n) {
    uint32_t *status = n->base.regs.status;

    status[BIST_STA_state] = (uint32_t)n->busy | (uint32_t)n->differs << 1;
    status[BIST_STA_left] = n->left;
    status[BIST_STA_signature] = n->signature;
    status[BIST_STA_outputs] = n->seen[0];
    status[BIST_STA_in_bits] = (uint32_t)n->l.IN_W;
    status[BIST_STA_out_bits] = (uint32_t)n->l.OUT_W;
    status[BIST_STA_window] = (uint32_t)n->l.WINDOW;
}

/* Loading ---------------------------------------------------------------- */

static void store(struct bist *n) {
    memcpy(word_at(n, n->index), n->hand,
           (size_t)n->l.PIECES * sizeof *n->hand);
    n->index = after(n, n->index);
    n->storing = false;
    hit_if(n, true, BIST_COV_stored);
    hit_if(n, n->index == 0, BIST_COV_index_around);
}

/* 32 bits more of the hand; true: it is whole. */
static bool load(struct bist *n, uint32_t data) {
    int here = n->l.WORD_W - 32 * (int)n->piece;

    n->hand[n->piece] = data & (uint32_t)ones(here < 32 ? here : 32);
    n->piece = (n->piece + 1) % (uint32_t)n->l.PIECES;
    return n->piece == 0;
}

/* A pass ----------------------------------------------------------------- */

static void begin_pass(struct bist *n) {
    n->fetching = true;
    n->at = 0;
    n->togo = n->base.regs.setting[BIST_SET_length];
    n->x = n->base.regs.setting[BIST_SET_seed];
    n->signature = BEGIN_OF_PASS;
    n->folded = 0;
    n->ran = false;
}

static void fetch(struct bist *n) {
    const uint32_t *setting = n->base.regs.setting;
    bool last = n->at == setting[BIST_SET_last];

    memcpy(n->word, word_at(n, n->at), (size_t)n->l.PIECES * sizeof *n->word);
    n->at = last ? setting[BIST_SET_again] : after(n, n->at);
    n->togo--;
    n->fetching = n->togo != 0;
    hit_if(n, last && n->fetching, BIST_COV_looped);
}

/* The word that was fetched becomes the stimulus. */
static void stimulate(struct bist *n) {
    bool rst = piece_bit(n->word, n->l.IN_W), changed = false;

    memset(n->out.stim_bits, 0, sizeof n->out.stim_bits);
    for (int s = 0; 32 * s < n->l.IN_W; s++) {
        int here = n->l.IN_W - 32 * s;
        uint32_t inputs = (uint32_t)ones(here < 32 ? here : 32);
        uint32_t chance = n->hand[s] & bist_free(n->x, s) & inputs;
        uint32_t bits = (n->word[s] & inputs) ^ chance;

        n->out.stim_bits[s / 2] |= (uint64_t)bits << 32 * (s % 2);
        changed |= chance != 0;
    }
    n->out.stim_rst = rst;
    n->x = bist_next(n->x);
    hit_if(n, changed, BIST_COV_masked);
    hit_if(n, rst && n->ran, BIST_COV_resets);
    n->ran |= !rst;
}

static void look(struct bist *n, const uint64_t *resp) {
    for (int s = 0; s < n->out_slices; s++) {
        int here = n->l.OUT_W - 32 * s;

        n->seen[s] = (uint32_t)(resp[s / 2] >> 32 * (s % 2)) &
                     (uint32_t)ones(here < 32 ? here : 32);
    }
}

static void fold(struct bist *n) {
    n->signature = bist_sign(n->signature, bist_fold(n->seen, n->out_slices));
    n->folded++;
}

/* All steps, each from what the one before it left on the edge before: so the
 * last of them is first. */
static void play(struct bist *n, const struct bist_in *in) {
    n->ending = n->folding && !n->shown;
    if (n->folding)
        fold(n);
    if (n->shown)
        look(n, in->resp_bits);
    n->folding = n->shown;
    n->shown = n->playing;
    n->playing = n->fetched;
    if (n->fetched)
        stimulate(n);
    else
        rest(n);
    n->fetched = n->fetching;
    if (n->fetching)
        fetch(n);
}

static void end_pass(struct bist *n) {
    uint32_t expected = n->base.regs.setting[BIST_SET_expected];

    hit_if(n, n->folded == 1, BIST_COV_one_edge);
    hit_if(n, n->folded > (uint64_t)n->l.WINDOW, BIST_COV_long_pass);
    if (n->signature != expected) {
        hit_if(n, !n->again, BIST_COV_first_wrong);
        hit_if(n, n->again, BIST_COV_later_wrong);
        n->differs = true;
        n->busy = false;
        return;
    }
    n->left--;
    if (n->left == 0) {
        n->busy = false;
        hit_if(n, true, BIST_COV_right);
        return;
    }
    n->again = true;
    begin_pass(n);
    hit_if(n, true, BIST_COV_several);
}

/* Runs ------------------------------------------------------------------- */

static void stop(struct bist *n) {
    hit_if(n, n->busy, BIST_COV_stopped);
    n->busy = n->fetching = n->fetched = n->playing = false;
    n->shown = n->folding = n->ending = false;
    rest(n);
}

static void run(struct bist *n, uint32_t passes) {
    n->busy = true;
    n->differs = n->again = false;
    n->left = passes;
    begin_pass(n);
}

static void shift_outputs(struct bist *n) {
    memmove(n->seen, n->seen + 1, (MOST - 1) * sizeof *n->seen);
    n->seen[MOST - 1] = 0;
    hit_if(n, true, BIST_COV_shifted);
}

/* A command while no run is under way. */
static void obey(struct bist *n, uint32_t data) {
    switch (n->base.regs.command) {
    case BIST_COM_index:
        n->index = data;
        n->piece = 0;
        break;
    case BIST_COM_piece:
        n->storing = load(n, data);
        break;
    case BIST_COM_free:
        load(n, data);
        break;
    case BIST_COM_run:
        run(n, data);
        break;
    case BIST_COM_next:
        shift_outputs(n);
        break;
    }
}

static void edge(struct golden *g, const void *ports) {
    struct bist *n = (struct bist *)g;
    int command = g->regs.command;
    bool busy = n->busy, ending = n->ending;

    show(n);
    event_if(g, n->playing, BIST_CNT_edges);
    if (n->storing)
        store(n);
    if (command == BIST_COM_stop) {
        stop(n);
    } else {
        play(n, ports);
        if (ending)
            end_pass(n);
        hit_if(n, busy && command >= 0, BIST_COV_refused);
        if (!busy && command >= 0)
            obey(n, g->regs.command_data);
    }
    n->out.show_busy = n->busy;
    n->out.show_differs = n->differs;
}

const struct golden_class bist_golden = {
    .iface = &bist_iface,
    MODEL_STRUCT(struct bist),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
};
