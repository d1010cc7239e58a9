/* recording.c - windows out of a VCD; see window.h. */
#include "window.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A signal that matters: where its value goes. */
struct signal {
    const char *code;
    size_t len;
    int at, width; /* at -1: the clock */
};

struct vcd {
    const struct flat *flat;
    const char *path, *text, *at;
    struct diag *diag;
    struct signal *signals;
    int n;
    struct flat_row now, before; /* before: as the present time began */
    bool clk, clk_before;
    struct recording *out;
    int cap;
};

/* The next word of the text; false at its end. */
static bool next_word(struct vcd *v, const char **word, size_t *len) {
    v->at += strspn(v->at, " \t\r\n");
    *word = v->at;
    *len = strcspn(v->at, " \t\r\n");
    v->at += *len;
    return *len > 0;
}

static bool is(const char *word, size_t len, const char *text) {
    return len == strlen(text) && memcmp(word, text, len) == 0;
}

static void skip_to_end(struct vcd *v) {
    const char *w;
    size_t len;
    while (next_word(v, &w, &len) && !is(w, len, "$end"))
        ;
}

/* --- what is recorded ----------------------------------------------------- */

/* Whether a signal is that port; of a system the bench writes PART.PORT. */
static bool is_port(const char *name, size_t len, const char *port) {
    if (len != strlen(port))
        return false;
    for (size_t i = 0; i < len; i++)
        if (name[i] != port[i] && !(name[i] == '.' && port[i] == '_'))
            return false;
    return true;
}

/* Where the value of a signal of that name goes; false: nowhere. */
static bool find_place(const struct vcd *v, const char *name, size_t len,
                       int *at, int *width) {
    const struct design *d = v->flat->design;
    *width = 1;
    *at = is(name, len, "clk") ? -1 : v->flat->in_bits;
    if (*at < 0 || is(name, len, "rst"))
        return true;
    for (int i = 0; i < d->n_ports; i++) {
        const struct design_port *p = &d->ports[i];
        if (!flat_has(p) || p->dir != PORT_IN || !is_port(name, len, p->name))
            continue;
        *at = flat_place(v->flat, p);
        *width = p->width;
        return true;
    }
    return false;
}

static bool has_place(const struct vcd *v, int at) {
    for (int i = 0; i < v->n; i++)
        if (v->signals[i].at == at)
            return true;
    return false;
}

/* "$var TYPE WIDTH CODE NAME [RANGE] $end", from behind the first word. */
static void take_var(struct vcd *v) {
    const char *type, *width, *code, *name;
    size_t len, code_len, name_len;
    int at, bits;
    if (!next_word(v, &type, &len) || !next_word(v, &width, &len) ||
        !next_word(v, &code, &code_len) || !next_word(v, &name, &name_len))
        return;
    const char *range = memchr(name, '[', name_len);
    if (range)
        name_len = (size_t)(range - name);
    if (find_place(v, name, name_len, &at, &bits) && !has_place(v, at) &&
        atoi(width) == bits)
        v->signals[v->n++] = (struct signal){code, code_len, at, bits};
    skip_to_end(v);
}

static bool complain(struct vcd *v, const char *name) {
    diag_error(v->diag, (struct place){0},
               "'%s' has no signal '%s' of that width of block '%s', expected "
               "all its inputs, clk and rst",
               v->path, name, v->flat->design->iface->name);
    return false;
}

static bool take_head(struct vcd *v) {
    const struct design *d = v->flat->design;
    const char *w;
    size_t len;
    while (next_word(v, &w, &len) && !is(w, len, "$enddefinitions"))
        if (is(w, len, "$var"))
            take_var(v);
        else if (*w == '$')
            skip_to_end(v);
    skip_to_end(v);
    if (!has_place(v, -1))
        return complain(v, "clk");
    if (!has_place(v, v->flat->in_bits))
        return complain(v, "rst");
    for (int i = 0; i < d->n_ports; i++)
        if (flat_has(&d->ports[i]) && d->ports[i].dir == PORT_IN &&
            !has_place(v, flat_place(v->flat, &d->ports[i])))
            return complain(v, d->ports[i].name);
    return true;
}

/* --- values --------------------------------------------------------------- */

/* The time goes on: what stood there before this one is an edge, if the clock
 * rose with it. */
static void end_time(struct vcd *v) {
    struct recording *r = v->out;
    if (v->clk && !v->clk_before) {
        if (r->n == v->cap) {
            v->cap = v->cap ? 2 * v->cap : 1024;
            r->edges = xrealloc(r->edges, (size_t)v->cap * sizeof *r->edges);
        }
        r->edges[r->n++] = v->before;
    }
    v->before = v->now;
    v->clk_before = v->clk;
}

static void set_bit(struct vcd *v, int at, bool one) {
    v->now.w[at / 64] &= ~bit(at % 64);
    v->now.w[at / 64] |= (uint64_t)one << at % 64;
}

/* Digits 0, 1, x or z, the highest first; those that are not there are 0. */
static void set_value(struct vcd *v, const char *digits, size_t n,
                      const char *code, size_t len) {
    for (int i = 0; i < v->n; i++) {
        const struct signal *s = &v->signals[i];
        if (s->len != len || memcmp(s->code, code, len) != 0)
            continue;
        if (s->at < 0)
            v->clk = digits[n - 1] != '0'; /* not known is no rise */
        for (int b = 0; s->at >= 0 && b < s->width; b++)
            set_bit(v, s->at + b,
                    (size_t)b < n && digits[n - 1 - (size_t)b] == '1');
    }
}

static void take_values(struct vcd *v) {
    const char *w, *code;
    size_t len, code_len;
    v->clk = v->clk_before = true;
    while (next_word(v, &w, &len)) {
        if (*w == '#')
            end_time(v);
        else if (*w == '0' || *w == '1' || *w == 'x' || *w == 'z')
            set_value(v, w, 1, w + 1, len - 1);
        else if ((*w == 'b' || *w == 'B') && len > 1 &&
                 next_word(v, &code, &code_len))
            set_value(v, w + 1, len - 1, code, code_len);
        else if (*w == 'r' || *w == 'R')
            next_word(v, &code, &code_len);
    }
    end_time(v);
}

bool recording_read(struct recording *r, const char *path, const struct flat *f,
                    struct diag *d) {
    struct vcd v = {.flat = f, .path = path, .diag = d, .out = r};
    size_t len;
    char *text = text_read_file(path, &len);
    *r = (struct recording){0};
    if (!text) {
        diag_error(d, (struct place){0}, "cannot read '%s': %s", path,
                   strerror(errno));
        return false;
    }
    v.text = v.at = text;
    v.signals = xcalloc((size_t)f->design->n_ports + 2, sizeof *v.signals);
    bool ok = take_head(&v);
    if (ok)
        take_values(&v);
    free(v.signals);
    free(text);
    return ok;
}

void recording_free(struct recording *r) {
    free(r->edges);
    *r = (struct recording){0};
}

/* --- windows -------------------------------------------------------------- */

static bool has_reset(const struct recording *r, const struct flat *f, int i) {
    return bits_get(r->edges[i].w, f->in_bits, 1);
}

/* Whether reset begins with this edge. */
static bool begins(const struct recording *r, const struct flat *f, int i) {
    return has_reset(r, f, i) && (i == 0 || !has_reset(r, f, i - 1));
}

bool recording_window(const struct recording *r, const struct flat *f, int most,
                      int *at, struct window *w) {
    int from = *at;
    while (from < r->n && !begins(r, f, from))
        from++;
    if (from >= r->n)
        return false;
    int n = r->n - from < most ? r->n - from : most;
    *w = (struct window){.words = &r->edges[from],
                         .n = n,
                         .length = (uint64_t)n,
                         .from = (uint64_t)from};
    /* the next begins with the last reset in this one, if the recording goes
     * on behind it */
    *at = from + n;
    for (int i = from + 1; i < r->n && i < from + n && from + n < r->n; i++)
        if (begins(r, f, i))
            *at = i;
    return true;
}
