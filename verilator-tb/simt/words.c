/* words.c - words of programs, one by one or out of text. */
#include "env.h"

#include "base/diag.h"

#include <string.h>

void simt_word(struct launch *l, const struct isa_word *w) {
    uint64_t word;
    if (isa_encode(w, &word) != ISA_LEGAL)
        BUG("a word of '%s' is not legal", isa_info(w->op)->text);
    *array_push(&l->code) = word;
}

enum { MAX_LABELS = 16 };

struct labels {
    struct {
        const char *name;
        size_t len;
        uint32_t pc;
    } v[MAX_LABELS];
    int n;
};

static bool find_label(void *ctx, const char *name, size_t len,
                       uint32_t *value) {
    const struct labels *l = ctx;
    for (int i = 0; i < l->n; i++)
        if (l->v[i].len == len && memcmp(l->v[i].name, name, len) == 0) {
            *value = l->v[i].pc;
            return true;
        }
    return false;
}

static void collect(struct labels *l, const char *text) {
    uint32_t pc = 0;
    for (const char *s = text; *s; s += strcspn(s, "\n") + 1) {
        size_t len = strcspn(s, "\n");
        if (s[len - 1] != ':') {
            pc++;
            continue;
        }
        if (l->n == MAX_LABELS)
            BUG("more than %d labels", MAX_LABELS);
        l->v[l->n].name = s;
        l->v[l->n].len = len - 1;
        l->v[l->n++].pc = pc;
    }
}

/* Every line ends with a newline. */
void simt_text(struct launch *l, const char *text) {
    struct labels labels = {.n = 0};
    collect(&labels, text);
    for (const char *s = text; *s; s += strcspn(s, "\n") + 1) {
        size_t len = strcspn(s, "\n");
        struct isa_word w;
        struct isa_error e;
        if (s[len - 1] == ':')
            continue;
        if (!isa_parse(s, len, find_label, &labels, &w, &e))
            BUG("'%.*s': column %d: %s", (int)len, s, e.column, e.what);
        simt_word(l, &w);
    }
}

void simt_geometry(const struct simt_stim *s, struct launch *l) {
    uint32_t *r = l->reg, n = (uint32_t)s->l.LANES;
    r[AT_THREADS] = r[AT_BLOCK] * r[AT_BLOCK + 1] * r[AT_BLOCK + 2];
    r[AT_WARPS] = (r[AT_THREADS] + n - 1) / n;
}
