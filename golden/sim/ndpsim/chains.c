/* chains.c - what --chains prints: the share of dynamic instructions and
 * memory requests in offload chains (docs/figures-chains.md), without and with
 * f32 fma split.
 */
#include "ndpsim.h"

#include <inttypes.h>

static const char *const modes[CHAIN_MODES] = {"exact", "split"};

void chains_begin(struct outcome *o, const struct run *r) {
    chains_end(o);
    for (int i = 0; i < CHAIN_MODES; i++)
        o->chains[i] = chain_share_create(run_module(r), i == 1);
}

void chains_add(struct outcome *o, const struct stream_event *e) {
    for (int i = 0; i < CHAIN_MODES && o->chains[i]; i++)
        chain_share_add(o->chains[i], e);
}

void chains_end(struct outcome *o) {
    for (int i = 0; i < CHAIN_MODES; i++) {
        chain_share_free(o->chains[i]);
        o->chains[i] = NULL;
    }
}

static double percent(uint64_t part, uint64_t all) {
    return all ? 100.0 * (double)part / (double)all : 0;
}

static void page_mode(const struct chain_share *s, const char *what,
                      FILE *out) {
    const struct chain_share_count *t = chain_share_total(s);
    const struct chain_share_count *c = chain_share_pattern(s, 0);
    fprintf(out,
            "  %-12s %5.1f %% of instructions, %5.1f %% of requests in %" PRIu64
            " chains;",
            what, percent(c->instructions, t->instructions),
            percent(c->requests, t->requests), c->chains);
    for (int p = 1; p <= PTX_CHAIN_PATTERNS; p++)
        if (chain_share_pattern(s, p)->chains)
            fprintf(out, " pattern %d %.1f %%", p,
                    percent(chain_share_pattern(s, p)->instructions,
                            t->instructions));
    fputs(c->chains ? "\n" : " none\n", out);
}

void chains_page(const struct outcome *o, FILE *out) {
    if (!o->chains[0])
        return;
    fputs("offload chains\n", out);
    page_mode(o->chains[0], "as compiled", out);
    page_mode(o->chains[1], "fma split", out);
}

void chains_heading(FILE *out) {
    fprintf(out, "%-24s %-11s %12s %12s %20s   %20s   %s\n", "", "", "", "",
            "as compiled", "fma split", "fma split");
    fprintf(out, "%-24s %-11s %12s %12s %6s %6s %6s   %6s %6s %6s   %s\n",
            "kernel", "verdict", "warp-inst", "requests", "inst %", "req %",
            "ldst %", "inst %", "req %", "ldst %", "patterns, inst %");
}

void chains_row(const struct outcome *o, FILE *out) {
    const struct chain_share_count *t = chain_share_total(o->chains[0]);
    fprintf(out, "%-24s %-11s %12" PRIu64 " %12" PRIu64, o->name,
            outcome_word(o), t->instructions, t->requests);
    for (int i = 0; i < CHAIN_MODES; i++) {
        const struct chain_share_count *all = chain_share_total(o->chains[i]);
        const struct chain_share_count *c =
            chain_share_pattern(o->chains[i], 0);
        fprintf(out, "%s %6.1f %6.1f %6.1f", i ? "  " : "",
                percent(c->instructions, all->instructions),
                percent(c->requests, all->requests),
                percent(c->all_accesses, all->all_accesses));
    }
    fputs("  ", out);
    for (int p = 1; p <= PTX_CHAIN_PATTERNS; p++)
        if (chain_share_pattern(o->chains[1], p)->chains)
            fprintf(out, " %d:%.1f", p,
                    percent(chain_share_pattern(o->chains[1], p)->instructions,
                            chain_share_total(o->chains[1])->instructions));
    fputc('\n', out);
}

/* --------------------------------------------------------------------- JSON */

static json_t *count_json(const struct chain_share *s,
                          const struct chain_share_count *c, int pattern) {
    json_t *j = json_object();
    if (pattern) {
        json_object_set_new(j, "pattern", json_integer(pattern));
        json_object_set_new(j, "static",
                            json_integer(chain_share_static(s, pattern)));
    }
    json_object_set_new(j, "chains", json_integer((json_int_t)c->chains));
    json_object_set_new(j, "instructions",
                        json_integer((json_int_t)c->instructions));
    json_object_set_new(j, "requests", json_integer((json_int_t)c->requests));
    json_object_set_new(j, "accesses", json_integer((json_int_t)c->accesses));
    json_object_set_new(j, "all_accesses",
                        json_integer((json_int_t)c->all_accesses));
    return j;
}

void chains_json(const struct outcome *o, json_t *j) {
    json_t *all = json_object();
    if (!o->chains[0]) {
        json_decref(all);
        return;
    }
    for (int i = 0; i < CHAIN_MODES; i++) {
        const struct chain_share *s = o->chains[i];
        json_t *mode = json_object(), *patterns = json_array();
        json_object_set_new(mode, "all",
                            count_json(s, chain_share_total(s), 0));
        json_object_set_new(mode, "in_chains",
                            count_json(s, chain_share_pattern(s, 0), 0));
        for (int p = 1; p <= PTX_CHAIN_PATTERNS; p++)
            if (chain_share_static(s, p))
                json_array_append_new(
                    patterns, count_json(s, chain_share_pattern(s, p), p));
        json_object_set_new(mode, "patterns", patterns);
        json_object_set_new(all, modes[i], mode);
    }
    json_object_set_new(j, "chains", all);
}
