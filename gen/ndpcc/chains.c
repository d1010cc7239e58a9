/* chains.c - offload chains as ndpcc prints them: JSON, marks in the
 * listing, and the rewritten PTX (docs/chains.md).
 */
#include "ndpcc.h"

#include <jansson.h>

#include <stdlib.h>

void ndpcc_find_chains(struct ndpcc_file *f, struct arena *arena,
                       bool split_fma) {
    const struct ptx_chain_options o = {.split_fma = split_fma};
    int n = f->module->n_functions;
    f->chains = arena_array(arena, (size_t)n, sizeof(void *));
    for (int i = 0; i < n; i++) {
        if (!f->analyses[i])
            continue;
        f->chains[i] = arena_alloc(arena, sizeof(struct ptx_chains));
        ptx_chains_find(arena, f->module->source, f->analyses[i], &o,
                        f->chains[i]);
    }
}

/* --------------------------------------------------------------------- JSON */

static void set(json_t *object, const char *key, json_t *value) {
    if (!value || json_object_set_new(object, key, value))
        BUG("cannot make the JSON value of '%s'", key);
}

static void write_element(FILE *out, bool first, json_t *value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (!text)
        BUG("cannot encode JSON");
    fprintf(out, "%s%s", first ? "\n    " : ",\n    ", text);
    free(text);
    json_decref(value);
}

static json_t *op_json(enum ptx_chain_op op) {
    return op ? json_string(ptx_chain_op_text(op)) : json_null();
}

static json_t *pc_json(int pc) {
    return pc < 0 ? json_null() : json_integer(pc);
}

static json_t *immediate_json(const struct ptx_operand *o) {
    struct text t = {0};
    if (!o)
        return json_null();
    ndpcc_operand_text(o, &t);
    json_t *j = json_string(text_str(&t));
    text_free(&t);
    return j;
}

static json_t *instructions_json(const struct ptx_chains *c,
                                 const struct ptx_chain *chain) {
    json_t *list = json_array();
    for (int i = 0; i < chain->n; i++) {
        int pc = chain->pcs[i];
        json_t *o = json_object();
        set(o, "pc", json_integer(pc));
        set(o, "tag", json_string(ptx_chain_tag_bits(c->tags[pc])));
        if (json_array_append_new(list, o))
            BUG("cannot make a JSON array");
    }
    return list;
}

static json_t *chain_json(const struct ptx_chains *c,
                          const struct ptx_chain *chain) {
    json_t *o = json_object(), *loads = json_array();
    enum ptx_modifier h = chain->compare;
    for (int i = 0; i < chain->n_loads; i++)
        json_array_append_new(loads, json_integer(chain->pcs[i]));
    set(o, "pattern", json_integer(chain->pattern));
    set(o, "instructions", instructions_json(c, chain));
    set(o, "loads", loads);
    set(o, "store", pc_json(chain->store));
    set(o, "type", json_string(ptx_type_text(chain->type)));
    set(o, "f", op_json(chain->f));
    set(o, "g", op_json(chain->g));
    set(o, "h", h ? json_string(ptx_modifier_text(h)) : json_null());
    set(o, "f_reversed", json_boolean(chain->f_reversed));
    set(o, "g_reversed", json_boolean(chain->g_reversed));
    set(o, "fused", json_boolean(chain->fused));
    set(o, "split", json_boolean(chain->split));
    set(o, "immediate", immediate_json(chain->immediate));
    set(o, "answer", json_string(ptx_chain_answer(chain->pattern)));
    set(o, "flits", json_integer(ptx_chain_answer_flits(chain->pattern)));
    return o;
}

void ndpcc_chains_json(const struct ptx_chains *c, FILE *out) {
    fputs("   \"chains\": [", out);
    for (int i = 0; i < c->n; i++)
        write_element(out, i == 0, chain_json(c, &c->list[i]));
    fputs("],\n   \"chains_refused\": [", out);
    for (int i = 0; i < c->n_refused; i++) {
        json_t *o = json_object();
        set(o, "pc", json_integer(c->refused[i].pc));
        set(o, "reason",
            json_string(ptx_chain_reason_text(c->refused[i].reason)));
        write_element(out, i == 0, o);
    }
    fputs("],\n", out);
}

/* ------------------------------------------------------------------ listing */

void ndpcc_chain_mark(const struct ptx_chains *c, int pc, FILE *out) {
    if (c->tags[pc])
        fprintf(out, "  [chain %d %s]", c->chain_of[pc],
                ptx_chain_tag_bits(c->tags[pc]));
}

void ndpcc_chain_list(const struct ptx_chains *c, FILE *out) {
    for (int i = 0; i < c->n; i++) {
        const struct ptx_chain *k = &c->list[i];
        fprintf(out, "  chain %d  pattern %d  answer %s, %d flit%s ", i,
                k->pattern, ptx_chain_answer(k->pattern),
                ptx_chain_answer_flits(k->pattern),
                ptx_chain_answer_flits(k->pattern) > 1 ? "s" : "");
        for (int n = 0; n < k->n; n++)
            fprintf(out, " %d", k->pcs[n]);
        fputs(k->split ? "  product only\n" : "\n", out);
    }
    for (int i = 0; i < c->n_refused; i++)
        fprintf(out, "  no chain from %d: %s\n", c->refused[i].pc,
                ptx_chain_reason_text(c->refused[i].reason));
}

/* ---------------------------------------------------------------- rewriting */

void ndpcc_print_rewritten(const struct ndpcc_file *f, FILE *out) {
    struct text t = {0};
    ptx_chains_rewrite(f->module, (const struct ptx_chains *const *)f->chains,
                       &t);
    if (t.len)
        fwrite(t.data, 1, t.len, out);
    text_free(&t);
}
