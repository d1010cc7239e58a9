/* json.c - the JSON output of ndpcc; schema in docs/ndpcc.md.
 *
 * Small objects are written at once, one a line, so that memory does not grow
 * with the size of a kernel.  Jansson makes and encodes those of which there
 * are few; the lists that grow with the kernel are put together as text, in a
 * fifth of the time.
 */
#include "ndpcc.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

/* Lists of loop blocks of a function: beyond this, see loop_blocks_json. */
enum { MAX_LOOP_ENTRIES = 1 << 20 };

/* Names are ASCII by the grammar; a file name may be anything. */
static json_t *text_json(const char *s) {
    json_t *j;
    if (!s)
        return json_null();
    j = json_string(s);
    if (j)
        return j;
    size_t n = strlen(s);
    char *copy = xmalloc(n + 1);
    for (size_t i = 0; i <= n; i++)
        copy[i] = (char)((unsigned char)s[i] < 0x80 ? s[i] : '?');
    j = json_string(copy);
    free(copy);
    return j;
}

static json_t *index_json(int i) {
    return i < 0 ? json_null() : json_integer(i);
}

static void set(json_t *object, const char *key, json_t *value) {
    if (!value || json_object_set_new(object, key, value))
        BUG("cannot make the JSON value of '%s'", key);
}

static void append(json_t *array, json_t *value) {
    if (!value || json_array_append_new(array, value))
        BUG("cannot make a JSON array");
}

static void write_value(FILE *out, json_t *value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    if (!text)
        BUG("cannot encode JSON");
    fputs(text, out);
    free(text);
    json_decref(value);
}

static void write_key(FILE *out, const char *indent, const char *key,
                      json_t *value, const char *end) {
    fprintf(out, "%s\"%s\": ", indent, key);
    write_value(out, value);
    fputs(end, out);
}

/* An array with one element a line. */
static void open_list(FILE *out, const char *key) {
    fprintf(out, "   \"%s\": [", key);
}

static void write_element(FILE *out, bool first, json_t *value) {
    fputs(first ? "\n    " : ",\n    ", out);
    write_value(out, value);
}

/* --- elements of the long lists, as text ---------------------------------- */

static void add_int(struct text *t, int64_t v) {
    char digits[24];
    int at = sizeof digits;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        digits[--at] = (char)('0' + u % 10);
    while (u /= 10);
    if (v < 0)
        digits[--at] = '-';
    text_addn(t, digits + at, sizeof digits - (size_t)at);
}

/* A name or an opcode: ASCII by the grammar, but for what may stand between the
 * brackets of a '.const[...]'. */
static void add_string(struct text *t, const char *s) {
    size_t plain = 0;
    while ((unsigned char)s[plain] >= ' ' && (unsigned char)s[plain] < 0x7f &&
           s[plain] != '"' && s[plain] != '\\')
        plain++;
    text_addc(t, '"');
    text_addn(t, s, plain);
    for (s += plain; *s; s++)
        if (*s == '"' || *s == '\\')
            text_printf(t, "\\%c", *s);
        else if ((unsigned char)*s < ' ')
            text_printf(t, "\\u%04x", *s);
        else
            text_addc(t, (char)((unsigned char)*s < 0x7f ? *s : '?'));
    text_addc(t, '"');
}

/* front: "{" or ", " */
static void add_key(struct text *t, const char *front, const char *key) {
    text_add(t, front);
    text_addc(t, '"');
    text_add(t, key);
    text_add(t, "\": ");
}

static void add_number(struct text *t, const char *front, const char *key,
                       int64_t v) {
    add_key(t, front, key);
    add_int(t, v);
}

/* null if it is negative */
static void add_index(struct text *t, const char *front, const char *key,
                      int v) {
    add_key(t, front, key);
    if (v < 0)
        text_add(t, "null");
    else
        add_int(t, v);
}

static void add_name(struct text *t, const char *front, const char *key,
                     const char *s) {
    add_key(t, front, key);
    if (s)
        add_string(t, s);
    else
        text_add(t, "null");
}

static void add_indices(struct text *t, const char *key, const int *list,
                        int n) {
    add_key(t, ", ", key);
    text_addc(t, '[');
    for (int i = 0; i < n; i++) {
        text_add(t, i ? ", " : "");
        add_int(t, list[i]);
    }
    text_addc(t, ']');
}

static void add_registers(struct text *t, const char *key,
                          const struct ptx_function *f, const int *list,
                          int n) {
    add_key(t, ", ", key);
    text_addc(t, '[');
    for (int i = 0; i < n; i++) {
        text_add(t, i ? ", " : "");
        add_string(t, f->registers[list[i]]->name);
    }
    text_addc(t, ']');
}

/* The element in t, which is empty then. */
static void write_text(FILE *out, bool first, struct text *t) {
    fputs(first ? "\n    " : ",\n    ", out);
    fwrite(text_str(t), 1, t->len, out);
    t->len = 0;
}

/* --- lists ---------------------------------------------------------------- */

static json_t *indices_json(const int *list, int n) {
    json_t *a = json_array();
    for (int i = 0; i < n; i++)
        append(a, json_integer(list[i]));
    return a;
}

static void add_letter(struct text *t, int location) {
    char s[2] = {ptx_location_letter(location), '\0'};
    add_name(t, ", ", "location", s);
}

static void write_registers(const struct ptx_analysis *a, FILE *out) {
    const struct ptx_function *f = a->function;
    struct text t = {0};
    open_list(out, "registers");
    for (int r = 0; r < f->n_registers; r++) {
        add_name(&t, "{", "name", f->registers[r]->name);
        add_name(&t, ", ", "type", ptx_type_text(f->registers[r]->type));
        add_letter(&t, a->locations.registers[r]);
        add_index(&t, ", ", "physical", a->allocation.physical[r]);
        text_addc(&t, '}');
        write_text(out, r == 0, &t);
    }
    fputs("],\n", out);
    text_free(&t);
}

static void add_guard(struct text *t, const struct ptx_instruction *in) {
    add_key(t, ", ", "guard");
    if (!in->guard) {
        text_add(t, "null");
        return;
    }
    /* a name has nothing to escape */
    text_add(t, in->guard_negated ? "\"!" : "\"");
    text_add(t, in->guard->name);
    text_addc(t, '"');
}

static void write_instructions(const struct ptx_analysis *a, FILE *out) {
    const struct ptx_function *f = a->function;
    struct text t = {0};
    open_list(out, "instructions");
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        add_number(&t, "{", "pc", pc);
        add_number(&t, ", ", "line", in->line);
        add_name(&t, ", ", "opcode", in->form->text);
        /* that of an opcode that is not known is not known either */
        add_name(&t, ", ", "class",
                 in->form->op ? opclass_name((int)in->form->opc) : NULL);
        add_letter(&t, a->locations.instructions[pc]);
        add_guard(&t, in);
        add_registers(&t, "defs", f, in->defs, in->n_defs);
        add_registers(&t, "uses", f, in->uses, in->n_uses);
        text_addc(&t, '}');
        write_text(out, pc == 0, &t);
    }
    fputs("],\n", out);
    text_free(&t);
}

static void write_blocks(const struct ptx_analysis *a, FILE *out) {
    struct text t = {0};
    open_list(out, "blocks");
    for (int b = 0; b < a->cfg.n_blocks; b++) {
        const struct ptx_block *block = &a->cfg.blocks[b];
        add_number(&t, "{", "id", b);
        add_number(&t, ", ", "begin_pc", block->begin);
        add_number(&t, ", ", "end_pc", block->end);
        add_indices(&t, "successors", block->succ, block->n_succ);
        add_indices(&t, "predecessors", block->pred, block->n_pred);
        add_index(&t, ", ", "idom", a->dom.idom[b]);
        add_index(&t, ", ", "ipdom", a->pdom.idom[b]);
        add_key(&t, ", ", "reachable");
        text_add(&t, a->cfg.rpo_index[b] >= 0 ? "true}" : "false}");
        write_text(out, b == 0, &t);
    }
    fputs("],\n", out);
    text_free(&t);
}

static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Blocks of a loop; only those in no inner loop if all is false. */
static json_t *loop_blocks_json(const struct ptx_loops *l, int i, bool all) {
    const struct ptx_loop *loop = &l->loops[i];
    size_t n = 0, end = (size_t)loop->n_blocks;
    while (n < end &&
           (all || l->innermost[l->order[loop->first + (int)n]] == i))
        n++;
    int *blocks = xcalloc(n, sizeof *blocks);
    memcpy(blocks, l->order + loop->first, n * sizeof *blocks);
    qsort(blocks, n, sizeof *blocks, by_number);
    json_t *a = indices_json(blocks, (int)n);
    free(blocks);
    return a;
}

static json_t *trip_json(const struct ptx_analysis *a,
                         const struct ptx_trip *trip) {
    static const char *const kinds[] = {"unknown", "entry", "static"};
    json_t *o = json_object();
    set(o, "kind", json_string(kinds[trip->kind]));
    set(o, "count",
        trip->kind == PTX_TRIP_STATIC ? json_integer(trip->count)
                                      : json_null());
    set(o, "counter",
        trip->counter < 0
            ? json_null()
            : json_string(a->function->registers[trip->counter]->name));
    set(o, "step", trip->counter < 0 ? json_null() : json_integer(trip->step));
    set(o, "step_register",
        trip->step_reg < 0
            ? json_null()
            : json_string(a->function->registers[trip->step_reg]->name));
    return o;
}

static void write_loops(const struct ptx_analysis *a, FILE *out) {
    const struct ptx_loops *l = &a->loops;
    int64_t entries = 0;
    for (int i = 0; i < l->n_loops; i++)
        entries += l->loops[i].n_blocks;
    bool all = entries <= MAX_LOOP_ENTRIES;
    open_list(out, "loops");
    for (int i = 0; i < l->n_loops; i++) {
        const struct ptx_loop *loop = &l->loops[i];
        json_t *o = json_object();
        set(o, "id", json_integer(i));
        set(o, "header", json_integer(loop->header));
        set(o, "latches", indices_json(loop->latches, loop->n_latches));
        set(o, "blocks", loop_blocks_json(l, i, all));
        set(o, "parent", index_json(loop->parent));
        set(o, "depth", json_integer(loop->depth));
        set(o, "trip", trip_json(a, &loop->trip));
        write_element(out, i == 0, o);
    }
    fputs("],\n", out);
}

static json_t *counts_json(const int *counts) {
    json_t *o = json_object();
    set(o, "near", json_integer(counts[PTX_LOC_N]));
    set(o, "far", json_integer(counts[PTX_LOC_F]));
    set(o, "both", json_integer(counts[PTX_LOC_B]));
    set(o, "unknown", json_integer(counts[PTX_LOC_U]));
    set(o, "total",
        json_integer(counts[PTX_LOC_N] + counts[PTX_LOC_F] + counts[PTX_LOC_B] +
                     counts[PTX_LOC_U]));
    return o;
}

static void write_unsupported(const struct ptx_function *f, FILE *out) {
    open_list(out, "unsupported");
    for (int i = 0; i < f->n_unsupported; i++) {
        const struct ptx_unsupported *u = &f->unsupported[i];
        json_t *o = json_object();
        set(o, "opcode", json_string(u->opcode));
        set(o, "pc", json_integer(u->pc));
        set(o, "line", json_integer(u->line));
        set(o, "column", json_integer(u->column));
        write_element(out, i == 0, o);
    }
    fputs("]}", out);
}

static void write_function(const struct ptx_analysis *a,
                           const struct ptx_chains *c,
                           const struct ptx_candidates *candidates, FILE *out) {
    const struct ptx_function *f = a->function;
    write_key(out, "  {", "name", json_string(f->name), ",\n");
    write_key(out, "   ", "line", json_integer(f->line), ",\n");
    write_registers(a, out);
    write_instructions(a, out);
    write_blocks(a, out);
    write_loops(a, out);
    ndpcc_chains_json(c, out);
    ndpcc_json_candidates(a, candidates, out);
    write_key(out, "   ", "counts", counts_json(a->locations.counts), ",\n");
    write_key(out, "   ", "allocation", counts_json(a->allocation.counts),
              ",\n");
    write_unsupported(f, out);
}

static void write_passed(const struct ptx_module *m, FILE *out) {
    fputs(" \"passed_over\": [", out);
    for (int i = 0; i < m->n_passed; i++) {
        json_t *o = json_object();
        set(o, "word", json_string(m->passed[i].word));
        set(o, "line", json_integer(m->passed[i].line));
        set(o, "column", json_integer(m->passed[i].column));
        write_element(out, i == 0, o);
    }
    fputs("]", out);
}

static void write_functions(const struct ndpcc_file *f, const char *key,
                            bool entries, FILE *out) {
    bool first = true;
    fprintf(out, " \"%s\": [", key);
    for (int i = 0; i < f->module->n_functions; i++)
        if (f->analyses[i] && f->module->functions[i]->is_entry == entries) {
            fputs(first ? "\n" : ",\n", out);
            first = false;
            write_function(f->analyses[i], f->chains[i], &f->candidates[i],
                           out);
        }
    fputs("]", out);
}

void ndpcc_print_json(const struct ndpcc_file *f, FILE *out) {
    const struct ptx_module *m = f->module;
    write_key(out, "{", "schema", json_string("ndpcc-1"), ",\n");
    write_key(out, " ", "file", text_json(f->source.name), ",\n");
    write_key(out, " ", "version", text_json(m->version), ",\n");
    write_key(out, " ", "target", text_json(m->target), ",\n");
    write_key(out, " ", "address_size", json_integer(m->address_size), ",\n");
    write_functions(f, "kernels", true, out);
    fputs(",\n", out);
    write_functions(f, "functions", false, out);
    fputs(",\n", out);
    write_passed(m, out);
    fputs("}\n", out);
}
