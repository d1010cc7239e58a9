/* svrg.c - see svrg.h. */
#include "svrg.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/nda_pe.h"
#include "concurrent/gradient.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MARGINS = 1, GRADIENT = 2 }; /* tags */

struct svrg_step {
    struct stim *base;
    struct operations *o;
    struct gradient g;
    double *margin;
    float *scale;
    uint64_t *memory[OPERATIONS_RANKS];
    int next; /* operation; all of them are samples + 1 */
    int ended[OPERATIONS_RANKS][3];
    bool over;
    uint64_t rounds, margins, words; /* that were compared and equal */
};

/* --- life ----------------------------------------------------------------- */

struct svrg_step *svrg_open(struct stim *s, struct operations *o) {
    struct svrg_step *p = xcalloc(1, sizeof *p);
    bool ok = gradient_read(&p->g, s->options->run, s->options->size,
                            o->size.RANKS, s->diag);

    p->base = s;
    p->o = o;
    uint64_t words = ok ? gradient_at_row(&p->g, p->g.samples) : 0;
    uint64_t most = ones(o->size.SPOT_W);
    most = most < PE_WINDOW ? most : PE_WINDOW;
    if (ok && words > most) {
        diag_error(s->diag, (struct place){0},
                   "'%s' has %" PRIu64 " words in each rank, expected %" PRIu64
                   " at most",
                   s->options->run, words, most);
        ok = false;
    }
    if (ok) {
        p->margin = xcalloc((size_t)p->g.samples, sizeof *p->margin);
        p->scale = xcalloc((size_t)p->g.samples, sizeof *p->scale);
        return p;
    }
    svrg_close(p);
    return NULL;
}

void svrg_close(struct svrg_step *p) {
    gradient_free(&p->g);
    free(p->margin);
    free(p->scale);
    free(p);
}

static void put(struct svrg_step *p, uint64_t at, const float *vector) {
    for (int r = 0; r < p->g.parts; r++)
        for (int i = 0; i < p->g.words; i++)
            p->memory[r][at + (uint64_t)i] = gradient_word(&p->g, vector, r, i);
}

void svrg_restart(struct svrg_step *p, uint64_t *const *memory) {
    p->next = 0;
    p->over = false;
    memset(p->ended, 0, sizeof p->ended);
    memset(p->margin, 0, (size_t)p->g.samples * sizeof *p->margin);
    for (int r = 0; r < p->g.parts; r++) {
        p->memory[r] = memory[r];
        memset(p->memory[r], 0, PE_WINDOW * sizeof *p->memory[r]);
    }
    put(p, gradient_at_w(), p->g.w);
    for (int i = 0; i < p->g.samples; i++)
        put(p, gradient_at_row(&p->g, i), gradient_row(&p->g, i));
}

/* --- the operations ------------------------------------------------------- */

static bool all_ended(const struct svrg_step *p, int tag) {
    for (int r = 0; r < p->g.parts; r++)
        if (p->ended[r][tag] < p->g.samples)
            return false;
    return true;
}

static void operand(const struct svrg_step *p, struct nda_launch_in *op, int n,
                    uint64_t base, uint64_t words) {
    int w = p->o->size.SPOT_W;
    bits_or(op->op_base, n * w, w, base);
    bits_or(op->op_last, n * w, w, base + words - 1);
}

/* A row of x into the gradient; the first one with lambda w. */
static void add_row(const struct svrg_step *p, struct nda_launch_in *op,
                    int i) {
    const struct gradient *g = &p->g;
    uint64_t n = (uint64_t)g->words;
    uint64_t row = gradient_at_row(g, i), result = gradient_at_result(g);

    op->op_op = NDA_PE_AXPBY;
    op->op_tag = GRADIENT;
    operand(p, op, 0, i ? row : gradient_at_w(), n);
    operand(p, op, 1, i ? result : row, n);
    operand(p, op, 2, result, n);
    bits_set_lane(op->op_scalars, 0,
                  gradient_bits(i ? p->scale[i] : g->lambda));
    bits_set_lane(op->op_scalars, 1, gradient_bits(i ? 1.0f : p->scale[0]));
}

void svrg_drive(struct svrg_step *p) {
    const struct gradient *g = &p->g;
    struct nda_launch_in op = {.op_ranks = ones(g->parts),
                               .op_length = (uint64_t)g->words};
    uint64_t n = op.op_length, samples = (uint64_t)g->samples;

    if (p->o->offers || p->next > g->samples ||
        (p->next && !all_ended(p, MARGINS)))
        return;
    if (p->next == 0) {
        op.op_op = NDA_PE_GEMV;
        op.op_rows = samples;
        op.op_tag = MARGINS;
        operand(p, &op, 0, gradient_at_w(), n);
        operand(p, &op, 2, gradient_at_row(g, 0), n * samples);
    } else {
        for (int s = 0; s < g->samples && p->next == 1; s++)
            p->scale[s] = gradient_scale(g, s, p->margin[s]);
        add_row(p, &op, p->next - 1);
    }
    operations_offer(p->o, &op);
    p->next++;
}

/* --- what must come out --------------------------------------------------- */

static const char *margin_told(struct svrg_step *p,
                               const struct nda_launch_out *out, int sample) {
    int rank = (int)out->done_rank;
    uint32_t want = gradient_expect_margin(&p->g, rank, sample);
    if (out->done_value != want)
        return stim_complain(p->base,
                             "rank %d's part of margin %d is %08x, expected "
                             "%08x",
                             rank, sample, (unsigned)out->done_value, want);
    p->margin[sample] += gradient_float(out->done_value);
    p->margins++;
    return NULL;
}

static const char *compare_words(struct svrg_step *p) {
    for (int r = 0; r < p->g.parts; r++)
        for (int i = 0; i < p->g.words; i++) {
            uint64_t at = gradient_at_result(&p->g) + (uint64_t)i;
            uint64_t want = gradient_expect_word(&p->g, r, i, p->scale);
            if (p->memory[r][at] != want)
                return stim_complain(p->base,
                                     "word %d of rank %d's gradient is "
                                     "%016" PRIx64 ", expected %016" PRIx64,
                                     i, r, p->memory[r][at], want);
            p->words++;
        }
    return NULL;
}

const char *svrg_watch(struct svrg_step *p, const struct nda_launch_in *in,
                       const struct nda_launch_out *before) {
    const char *wrong = NULL;
    int tag = (int)before->done_tag, rank = (int)before->done_rank;

    if (p->over || !before->done_valid || !in->done_ready)
        return NULL;
    if (tag == MARGINS && p->ended[rank][MARGINS] < p->g.samples)
        wrong = margin_told(p, before, p->ended[rank][MARGINS]);
    p->ended[rank][tag == MARGINS ? MARGINS : GRADIENT]++;
    if (wrong || !all_ended(p, GRADIENT))
        return wrong;
    p->over = true;
    p->rounds++;
    return compare_words(p);
}

bool svrg_is_over(const struct svrg_step *p) {
    return p->over;
}

void svrg_report(const struct svrg_step *p, struct text *t) {
    text_printf(t, "steps of SVRG\t%" PRIu64 "\n", p->rounds);
    text_printf(t, "margins equal\t%" PRIu64 "\n", p->margins);
    text_printf(t, "words of the gradient equal\t%" PRIu64 "\n", p->words);
}
