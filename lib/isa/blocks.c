/* blocks.c - the directive .block: words that may run on another core, and the
 * registers that go there and come back.
 */
#include "directives.h"

#include "base/array.h"
#include "base/bits.h"
#include "isa.h"

#include <stdlib.h>
#include <string.h>

/* --- out ------------------------------------------------------------------ */

static void print_set(const char *key, uint64_t registers, uint8_t predicates,
                      struct text *out) {
    const char *gap = "";
    text_printf(out, " %s ", key);
    if (!registers && !predicates)
        text_add(out, "-");
    for (int i = 0; i < ISA_REGISTERS; i++)
        if (registers & bit(i))
            text_printf(out, "%sr%d", gap, i), gap = ",";
    for (int i = 0; i < ISA_TRUE; i++)
        if (predicates >> i & 1)
            text_printf(out, "%sp%d", gap, i), gap = ",";
}

void isa_block_print(const struct isa_block *b, char end, struct text *out) {
    text_printf(out, ".block begin %d end %d ask %d saves %s", b->begin, b->end,
                b->ask,
                b->tx && b->rx ? "tx,rx"
                : b->tx        ? "tx"
                               : "rx");
    print_set("in", b->in, b->pred_in, out);
    print_set("out", b->out, b->pred_out, out);
    if (b->cond_reg >= 0) {
        text_printf(out, " if r%d %s ", b->cond_reg,
                    b->compare == ISA_COMPARE_GE ? ">=" : "<=");
        if (b->is_signed)
            text_printf(out, "%d signed", (int32_t)b->threshold);
        else
            text_printf(out, "%u unsigned", (unsigned)b->threshold);
    }
    text_addc(out, end);
}

/* --- in ------------------------------------------------------------------- */

/* A number from low to high at *s, which moves behind it. */
static bool take_number(const char **s, long long low, long long high,
                        long long *v) {
    char *end;
    const char *digits = **s == '-' ? *s + 1 : *s;
    if (*digits < '0' || *digits > '9')
        return false;
    *v = strtoll(*s, &end, 10);
    *s = end;
    return *v >= low && *v <= high;
}

static bool take_word(const char **s, const char *word) {
    size_t n = strlen(word);
    if (strncmp(*s, word, n) != 0)
        return false;
    *s += n;
    return true;
}

static bool take_pc(const char **s, const char *key, int *pc) {
    long long v;
    if (!take_word(s, key) || !take_number(s, 0, ISA_NO_JOIN, &v))
        return false;
    *pc = (int)v;
    return true;
}

static bool take_set(const char **s, uint64_t *registers, uint8_t *predicates) {
    long long v;
    if (take_word(s, "-"))
        return true;
    do {
        if (take_word(s, "r")) {
            if (!take_number(s, 0, ISA_REGISTERS - 1, &v))
                return false;
            *registers |= bit((int)v);
        } else {
            if (!take_word(s, "p") || !take_number(s, 0, ISA_TRUE - 1, &v))
                return false;
            *predicates |= (uint8_t)bit((int)v);
        }
    } while (take_word(s, ","));
    return true;
}

static bool take_saves(const char **s, struct isa_block *b) {
    if (!take_word(s, " saves "))
        return false;
    b->tx = take_word(s, "tx");
    b->rx = b->tx ? take_word(s, ",rx") : take_word(s, "rx");
    return b->tx || b->rx;
}

static bool take_condition(const char **s, struct isa_block *b) {
    long long v;
    b->cond_reg = -1;
    if (!take_word(s, " if r"))
        return true;
    if (!take_number(s, 0, ISA_REGISTERS - 1, &v))
        return false;
    b->cond_reg = (int)v;
    bool ge = take_word(s, " >= ");
    if (!ge && !take_word(s, " <= "))
        return false;
    b->compare = ge ? ISA_COMPARE_GE : ISA_COMPARE_LE;
    if (!take_number(s, INT32_MIN, UINT32_MAX, &v))
        return false;
    b->threshold = (uint32_t)v;
    b->is_signed = take_word(s, " signed");
    return b->is_signed ? v <= INT32_MAX : take_word(s, " unsigned") && v >= 0;
}

const char *isa_block_read(struct isa_reader *r, const char *line) {
    struct isa_block b = {0};
    struct isa_image *m = r->image;
    const char *s = line;
    bool ok = take_pc(&s, ".block begin ", &b.begin) &&
              take_pc(&s, " end ", &b.end) && take_pc(&s, " ask ", &b.ask) &&
              take_saves(&s, &b) && take_word(&s, " in ") &&
              take_set(&s, &b.in, &b.pred_in) && take_word(&s, " out ") &&
              take_set(&s, &b.out, &b.pred_out) && take_condition(&s, &b);
    if (!ok || *s)
        return "expected begin, end, ask, saves, in and out of a block";
    m->blocks = array_room(m->blocks, m->n_blocks, &r->cap_blocks, sizeof b);
    m->blocks[m->n_blocks++] = b;
    return NULL;
}

/* --- of an image ---------------------------------------------------------- */

static bool is_within(const struct isa_block *b, const struct isa_kernel *k) {
    return b->ask >= k->entry && b->end <= k->entry + k->n_words;
}

static bool has_kernel(const struct isa_image *m, const struct isa_block *b) {
    for (int k = 0; k < m->n_kernels; k++)
        if (is_within(b, &m->kernels[k]))
            return true;
    return false;
}

bool isa_blocks_in_place(const struct isa_image *m) {
    int behind = 0;
    for (int i = 0; i < m->n_blocks; i++) {
        const struct isa_block *b = &m->blocks[i];
        bool near = b->ask == b->begin || b->ask == b->begin - 1;
        if (!near || b->ask < behind || b->begin >= b->end || !has_kernel(m, b))
            return false;
        behind = b->end;
    }
    return true;
}

const struct isa_block *isa_image_block(const struct isa_image *image, int pc) {
    for (int i = 0; i < image->n_blocks; i++)
        if (image->blocks[i].ask == pc)
            return &image->blocks[i];
    return NULL;
}

const struct isa_block *isa_image_blocks(const struct isa_image *image,
                                         const struct isa_kernel *k, int *n) {
    int from = 0;
    while (from < image->n_blocks && image->blocks[from].ask < k->entry)
        from++;
    for (*n = 0; from + *n < image->n_blocks &&
                 is_within(&image->blocks[from + *n], k);)
        ++*n;
    return image->blocks + from;
}
