/* candidates.c - TOM's offloading candidates of a function, printed for
 * people and as JSON (lib/papers/tom/candidate.h; schema in docs/ndpcc.md).
 */
#include "ndpcc.h"
#include "base/options.h"
#include "papers/tom/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- parameters */

/* Decimal digits from *s; -1 if there are none or the number grows too big. */
static int64_t digits(const char **s, int64_t *power) {
    int64_t v = 0;
    const char *from = *s;
    *power = 1;
    for (; **s >= '0' && **s <= '9' && v <= 1000000; (*s)++) {
        v = 10 * v + (**s - '0');
        *power *= 10;
    }
    return *s == from || v > 1000000 ? -1 : v;
}

static int64_t common(int64_t a, int64_t b) {
    return b ? common(b, a % b) : a;
}

bool ndpcc_parse_ratio(const char *name, const char *text, bool below_one,
                       struct ptx_ratio *out, struct diag *d) {
    const char *s = text;
    int64_t power, num = digits(&s, &power), den = 1;
    if (num >= 0 && *s == '.') {
        s++;
        int64_t part = digits(&s, &power);
        num = part < 0 ? -1 : num * power + part;
        den = power;
    } else if (num >= 0 && *s == '/') {
        s++;
        den = digits(&s, &power);
    }
    bool ok = num >= 0 && den > 0 && *s == '\0' && !(below_one && num > den);
    int64_t by = ok ? common(num, den) : 1;
    if (ok && num / by <= PTX_RATIO_MAX && den / by <= PTX_RATIO_MAX) {
        *out = (struct ptx_ratio){(int)(num / by), (int)(den / by)};
        return true;
    }
    diag_error(d, (struct place){NULL, 0, 0, 0},
               "--%s '%s', expected a number such as 0.5 or 1/3%s, of at most "
               "three digits above and below the line",
               name, text, below_one ? " of at most 1" : "");
    return false;
}

/* ---------------------------------------------------------------- numbers */

/* v / scale, exactly: as decimals if they end, else as a fraction. */
static void add_number(int64_t v, int64_t scale, struct text *t) {
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v, den = (uint64_t)scale;
    uint64_t by = (uint64_t)common((int64_t)u, scale);
    if (by > 1) {
        u /= by;
        den /= by;
    }
    uint64_t rest = den;
    while (rest % 2 == 0)
        rest /= 2;
    while (rest % 5 == 0)
        rest /= 5;
    text_add(t, v < 0 ? "-" : "");
    if (rest != 1) {
        text_printf(t, "%" PRIu64 "/%" PRIu64, u, den);
        return;
    }
    text_printf(t, "%" PRIu64 "%s", u / den, u % den ? "." : "");
    for (u %= den; u; u %= den) {
        u *= 10;
        text_printf(t, "%" PRIu64, u / den);
    }
}

static const char *const compares[] = {">=", "<="};
static const char *const kinds[] = {"unknown", "entry", "static"};

static int64_t threshold(const struct ptx_condition *c) {
    return c->is_signed ? (int64_t)(int32_t)c->threshold
                        : (int64_t)c->threshold;
}

/* ------------------------------------------------------------------- JSON */

static void add_string(struct text *t, const char *key, const char *value) {
    text_printf(t, "\"%s\": \"%s\"", key, value);
}

static void add_quoted(struct text *t, const char *key, int64_t v,
                       int64_t scale) {
    text_printf(t, "\"%s\": \"", key);
    add_number(v, scale, t);
    text_add(t, "\"");
}

static void add_names(struct text *t, const char *key,
                      const struct ptx_function *f, const int *list, int n) {
    text_printf(t, "\"%s\": [", key);
    for (int i = 0; i < n; i++)
        text_printf(t, "%s\"%s\"", i ? ", " : "", f->registers[list[i]]->name);
    text_add(t, "]");
}

static const char *boolean(bool v) {
    return v ? "true" : "false";
}

static void add_condition(struct text *t, const struct ptx_function *f,
                          const struct ptx_condition *c) {
    if (c->reg < 0) {
        text_add(t, "\"condition\": null");
        return;
    }
    text_printf(t,
                "\"condition\": {\"register\": \"%s\", \"compare\": \"%s\", "
                "\"threshold\": %" PRId64 ", \"signed\": %s}",
                f->registers[c->reg]->name, compares[c->compare], threshold(c),
                boolean(c->is_signed));
}

static void add_trip(struct text *t, const struct ptx_candidate *c) {
    if (c->loop < 0)
        text_add(t, "\"trip\": null");
    else
        text_printf(t,
                    "\"trip\": {\"loop\": %d, \"kind\": \"%s\", \"count\": "
                    "%" PRId64 "}",
                    c->loop, kinds[c->trip_kind], c->trip_count);
}

static void add_candidate(struct text *t, const struct ptx_function *f,
                          const struct ptx_candidate *c, int64_t scale) {
    text_printf(t, "{\"begin_pc\": %d, \"end_pc\": %d, ", c->begin_pc,
                c->end_pc);
    add_names(t, "live_in", f, c->in, c->n_in);
    text_add(t, ", ");
    add_names(t, "live_out", f, c->out, c->n_out);
    text_printf(t,
                ", \"words_in\": %d, \"words_out\": %d, \"loads\": %" PRId64
                ", \"stores\": %" PRId64 ", ",
                c->words_in, c->words_out, c->loads, c->stores);
    add_quoted(t, "bw_tx", c->bw_tx, scale);
    text_add(t, ", ");
    add_quoted(t, "bw_rx", c->bw_rx, scale);
    text_add(t, ", ");
    add_quoted(t, "bw_once", c->once_tx + c->once_rx, scale);
    text_printf(t, ", \"saves_tx\": %s, \"saves_rx\": %s, ",
                boolean(c->tag & PTX_TAG_TX), boolean(c->tag & PTX_TAG_RX));
    add_trip(t, c);
    text_add(t, ", ");
    add_condition(t, f, &c->condition);
    text_printf(t, ", \"first_memory_pc\": %d}", c->first_memory_pc);
}

static void add_miss(struct text *t, const struct ptx_miss *m, int64_t scale) {
    text_printf(t, "{\"begin_pc\": %d, \"end_pc\": %d, ", m->begin_pc,
                m->end_pc);
    if (m->counted) {
        add_quoted(t, "bw_tx", m->bw_tx, scale);
        text_add(t, ", ");
        add_quoted(t, "bw_rx", m->bw_rx, scale);
    } else {
        text_add(t, "\"bw_tx\": null, \"bw_rx\": null");
    }
    if (m->pc < 0)
        text_add(t, ", \"pc\": null, ");
    else
        text_printf(t, ", \"pc\": %d, ", m->pc);
    add_string(t, "reason", m->reason);
    text_add(t, "}");
}

void ndpcc_json_candidates(const struct ptx_analysis *a,
                           const struct ptx_candidates *c, FILE *out) {
    struct text t = {0};
    text_add(&t, "   \"candidates\": [");
    for (int i = 0; i < c->n; i++) {
        text_add(&t, i ? ",\n    " : "\n    ");
        add_candidate(&t, a->function, &c->list[i], c->scale);
    }
    text_add(&t, "],\n   \"refused\": [");
    for (int i = 0; i < c->n_misses; i++) {
        text_add(&t, i ? ",\n    " : "\n    ");
        add_miss(&t, &c->misses[i], c->scale);
    }
    text_add(&t, "],\n");
    fputs(text_str(&t), out);
    text_free(&t);
}

/* ---------------------------------------------------------------- listing */

enum { SHOWN_MISSES = 8 };

static void list_registers(struct text *t, const char *what, int words,
                           const struct ptx_function *f, const int *list,
                           int n) {
    text_printf(t, "    %s %d:", what, words);
    for (int i = 0; i < n; i++)
        text_printf(t, " %s", f->registers[list[i]]->name);
    text_add(t, "\n");
}

static void list_candidate(struct text *t, const struct ptx_function *f,
                           const struct ptx_candidate *c, int64_t scale) {
    static const char *const tags[] = {"none", "RX", "TX", "TX RX"};
    text_printf(t, "  candidate pc %d to %d  saves %s  TX ", c->begin_pc,
                c->end_pc, tags[c->tag]);
    add_number(c->bw_tx, scale, t);
    text_add(t, "  RX ");
    add_number(c->bw_rx, scale, t);
    text_printf(t, "  %" PRId64 " loads  %" PRId64 " stores", c->loads,
                c->stores);
    if (c->loop >= 0)
        text_printf(t, "  at %" PRId64 " iterations of loop %d (%s)",
                    c->trip_count, c->loop, kinds[c->trip_kind]);
    text_add(t, "\n");
    if (c->condition.reg >= 0)
        text_printf(t, "    if %s %s %" PRId64 " (%s)\n",
                    f->registers[c->condition.reg]->name,
                    compares[c->condition.compare], threshold(&c->condition),
                    c->condition.is_signed ? "signed" : "unsigned");
    list_registers(t, "live-in", c->words_in, f, c->in, c->n_in);
    list_registers(t, "live-out", c->words_out, f, c->out, c->n_out);
}

static void list_miss(struct text *t, const struct ptx_miss *m, int64_t scale) {
    text_printf(t, "  refused pc %d to %d  ", m->begin_pc, m->end_pc);
    if (m->counted) {
        int64_t sum = m->bw_tx + m->bw_rx;
        text_add(t, sum > 0 ? "+" : "");
        add_number(sum, scale, t);
        text_add(t, "  ");
    }
    text_add(t, m->reason);
    if (m->pc >= 0)
        text_printf(t, " at pc %d", m->pc);
    text_add(t, "\n");
}

void ndpcc_list_candidates(const struct ptx_analysis *a,
                           const struct ptx_candidates *c, FILE *out) {
    struct text t = {0};
    int shown = c->n_misses < SHOWN_MISSES ? c->n_misses : SHOWN_MISSES;
    for (int i = 0; i < c->n; i++)
        list_candidate(&t, a->function, &c->list[i], c->scale);
    for (int i = 0; i < shown; i++)
        list_miss(&t, &c->misses[i], c->scale);
    if (shown < c->n_misses)
        text_printf(&t, "  %d more refused\n", c->n_misses - shown);
    if (t.len)
        fputs(text_str(&t), out);
    text_free(&t);
}

/* ---------------------------------------------------------------- placing */

void ndpcc_print_placed(const struct ndpcc_file *f,
                        const struct ptx_candidate_options *o, FILE *out) {
    struct text t = {0};
    ptx_place(f->module, o, &t);
    if (t.len)
        fwrite(t.data, 1, t.len, out);
    text_free(&t);
}
