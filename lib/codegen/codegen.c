/* codegen.c - a module, kernel by kernel.
 *
 * Code of all kernels stands one behind the other; the module's variables make
 * one piece of data, constants first.
 */
#include "codegen.h"

#include "blocks.h"
#include "lower.h"
#include "passes.h"
#include "ptx/inline.h"

#include <string.h>

enum { MAX_WORDS = ISA_NO_JOIN };

struct wrong {
    const struct ptx_variable *variable;
    const char *what;
};

struct generator {
    struct arena *arena;
    const struct ptx_module *module;
    const struct code_options *options;
    struct diag *d;
    struct isa_image *out;
    struct mc_words words;
    ARRAY(struct isa_block) blocks;
    ARRAY(struct place_of) places; /* of the module's variables */
    ARRAY(uint32_t) fixups;
    uint32_t lock;   /* place of the word for 64-bit atomics */
    bool one_kernel; /* variables that it does not name may be wrong */
    ARRAY(struct wrong) wrong; /* these are */
};

static uint32_t round_up(uint32_t at, int64_t align) {
    uint32_t a = align > 1 ? (uint32_t)align : 1;
    return (at + a - 1) / a * a;
}

/* At least its element's size, as PTX aligns what says nothing. */
static int64_t alignment(const struct ptx_variable *v) {
    int64_t natural = (int64_t)ptx_type_bits(v->type) / 8 * v->vector;
    return v->align ? v->align : natural ? natural : 1;
}

static void refuse(struct generator *g, int line, int column, const char *name,
                   const char *what) {
    struct place at = {g->module->source, line, column, (int)strlen(name)};
    diag_error(g->d, at, "'%s' %s", name, what);
}

static void refuse_variable(struct generator *g, const struct ptx_variable *v,
                            const char *what) {
    struct isa_image *out = g->out;
    if (!g->one_kernel) {
        refuse(g, v->line, v->column, v->name, what);
        return;
    }
    *array_push(&g->wrong) = (struct wrong){v, what};
    for (int i = 0; i < out->n_symbols; i++)
        if (strcmp(out->symbols[i].name, v->name) == 0) {
            out->symbols[i] = out->symbols[--out->n_symbols];
            return;
        }
}

/* --- data ----------------------------------------------------------------- */

static void place_symbols(struct generator *g, enum ptx_space space) {
    struct isa_image *out = g->out;
    for (int i = 0; i < g->module->n_variables; i++) {
        const struct ptx_variable *v = g->module->variables[i];
        int64_t bytes = ptx_variable_size(v);
        if (v->space != space)
            continue;
        if (v->linkage == PTX_LINK_EXTERN || bytes <= 0 ||
            bytes > INT32_MAX / 2 - (int64_t)out->n_data) {
            refuse_variable(g, v,
                            "has no size here, expected a variable that the "
                            "module defines");
            continue;
        }
        uint32_t at = round_up(out->n_data, alignment(v));
        *array_push(&g->places) = (struct place_of){v, at};
        out->symbols[out->n_symbols++] = (struct isa_symbol){
            v->name, at, (uint32_t)bytes, space == PTX_SPACE_CONST};
        out->n_data = at + (uint32_t)bytes;
    }
}

static bool find_place(const struct generator *g, const char *name,
                       uint32_t *at) {
    for (int i = 0; i < g->places.n; i++)
        if (strcmp(g->places.v[i].variable->name, name) == 0) {
            *at = g->places.v[i].at;
            return true;
        }
    return false;
}

static void put_bytes(uint8_t *to, uint64_t v, int bytes) {
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

/* An initialiser's number as bits of type t. */
static uint64_t init_bits(const struct ptx_value *v, enum ptx_type t) {
    float f;
    double x;
    uint32_t bits;
    if (v->kind == PTX_VALUE_INT && t != PTX_F32)
        return v->bits;
    if (v->kind == PTX_VALUE_F32 || t != PTX_F32)
        return v->bits;
    memcpy(&x, &v->bits, sizeof x);
    f = v->kind == PTX_VALUE_INT ? (float)(int64_t)v->bits : (float)x;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void fill_symbol(struct generator *g, const struct ptx_variable *v,
                        uint32_t at) {
    int bytes = ptx_type_bits(v->type) / 8;
    for (int i = 0; i < v->n_init; i++) {
        const struct ptx_init *init = &v->init[i];
        uint32_t to = at + (uint32_t)init->element * (uint32_t)bytes, base;
        uint64_t bits = init_bits(&init->value, v->type);
        if (init->symbol) {
            if (init->mask || bytes < 4 ||
                !find_place(g, init->symbol, &base)) {
                refuse_variable(g, v,
                                "is given an address that the machines cannot "
                                "store");
                return;
            }
            bits += base;
            *array_push(&g->fixups) = to;
        }
        put_bytes(g->out->data + to, bits, bytes);
    }
}

static void make_data(struct generator *g) {
    struct isa_image *out = g->out;
    size_t n = (size_t)g->module->n_variables;
    out->symbols = arena_array(g->arena, n, sizeof *out->symbols);
    place_symbols(g, PTX_SPACE_CONST);
    place_symbols(g, PTX_SPACE_GLOBAL);
    out->n_data = round_up(out->n_data, 4);
    g->lock = out->n_data;
    for (int i = 0; i < g->module->n_functions; i++)
        if (out->n_data == g->lock && lower_needs_lock(g->module->functions[i]))
            out->n_data += 4;
    out->data = arena_alloc(g->arena, out->n_data + 1);
    for (int i = 0; i < g->places.n; i++)
        fill_symbol(g, g->places.v[i].variable, g->places.v[i].at);
}

/* --- a kernel ------------------------------------------------------------- */

static bool names(const struct ptx_operand *o, const struct ptx_variable *v) {
    if (o->variable == v)
        return true;
    for (int i = 0; i < o->n_items; i++)
        if (names(o->items[i], v))
            return true;
    return false;
}

static bool function_names(const struct ptx_function *f,
                           const struct ptx_variable *v) {
    for (int pc = 0; pc < f->n_instructions; pc++)
        for (int i = 0; i < f->instructions[pc].n_operands; i++)
            if (names(f->instructions[pc].operands[i], v))
                return true;
    return false;
}

/* Shared variables that the kernel names; those without size come last. */
static void place_shared(struct lower *l, struct isa_kernel *k) {
    uint32_t at = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && lower_barrier_bytes(l->f)) {
            l->barriers = round_up(at, 4);
            at = l->barriers + lower_barrier_bytes(l->f);
        }
        for (int i = 0; i < l->module->n_variables + l->f->n_variables; i++) {
            const struct ptx_variable *v =
                i < l->module->n_variables
                    ? l->module->variables[i]
                    : l->f->variables[i - l->module->n_variables];
            bool sized = ptx_variable_size(v) > 0;
            if (v->space != PTX_SPACE_SHARED || sized != (pass == 0) ||
                !function_names(l->f, v))
                continue;
            uint32_t from = round_up(at, alignment(v));
            *array_push(&l->places) = (struct place_of){v, from};
            if (sized)
                at = from + (uint32_t)ptx_variable_size(v);
            else if (from > at)
                at = from; /* dynamic memory begins where this one is aligned */
        }
    }
    k->shared = (int)at;
}

/* A thread's variables: the function's, and those of the module that it names,
 * which are each thread's own as well. */
static void place_local(struct lower *l) {
    const struct ptx_module *m = l->module;
    uint32_t at = 0;
    for (int i = 0; i < m->n_variables + l->f->n_variables; i++) {
        bool is_global = i < m->n_variables;
        const struct ptx_variable *v =
            is_global ? m->variables[i] : l->f->variables[i - m->n_variables];
        if (v->space != PTX_SPACE_LOCAL ||
            (is_global && !function_names(l->f, v)))
            continue;
        at = round_up(at, alignment(v));
        *array_push(&l->places) = (struct place_of){v, at};
        at += (uint32_t)ptx_variable_size(v);
    }
    l->m->local = (int)round_up(at, 4);
}

static void place_params(struct generator *g, struct lower *l,
                         struct isa_kernel *k) {
    const struct ptx_function *f = l->f;
    int word = ISA_WORDS_HIDDEN;
    k->n_params = f->n_params;
    k->params = arena_array(g->arena, (size_t)f->n_params, sizeof *k->params);
    for (int i = 0; i < f->n_params; i++) {
        int bytes = (int)ptx_variable_size(&f->params[i]);
        *array_push(&l->places) =
            (struct place_of){&f->params[i], (uint32_t)word};
        k->params[i] = (struct isa_param){f->params[i].name, word, bytes};
        word += (bytes + 3) / 4;
    }
    k->param_words = word;
    if (word > ISA_PARAMS)
        refuse(g, f->line, f->column, f->name,
               "has more parameters than the machines can name");
}

static void places_of(struct generator *g, struct lower *l,
                      struct isa_kernel *k) {
    for (int i = 0; i < g->places.n; i++)
        *array_push(&l->places) = g->places.v[i];
    place_shared(l, k);
    place_local(l);
    place_params(g, l, k);
}

static int registers_of(const struct mc_code *m, const int *colour) {
    int n = 1; /* r0 at the start */
    for (int v = 0; v < m->values.n; v++)
        if (m->values.v[v].kind == MC_REGISTER && colour[v] >= n)
            n = colour[v] + 1;
    return n;
}

/* The blocks whose words may leave; warnings for the others. */
static void list_blocks(struct generator *g, struct lower *l,
                        const struct isa_kernel *k, const int *labels,
                        const int *colour) {
    blocks_finish(l, g->words.words.v + k->entry, k, labels, colour);
    for (int i = 0; i < l->n_blocks; i++) {
        const struct code_block *b = &l->blocks[i];
        if (b->why)
            diag_warning(g->d, (struct place){g->module->source, b->line, 0, 0},
                         "a candidate of '%s' cannot run elsewhere: %s",
                         k->name, b->why);
        else
            *array_push(&g->blocks) = b->block;
    }
}

static void finish(struct generator *g, struct lower *l, struct isa_kernel *k) {
    struct mc_code *m = l->m;
    const struct ptx_function *f = l->f;
    mc_check(m);
    mc_prune(m);
    mc_improve(m);
    blocks_place(l);
    mc_check(m);
    const int *colour = mc_colour(m, g->options->registers);
    if (!colour) {
        refuse(g, f->line, f->column, f->name, "needs more registers at once");
        return;
    }
    int *labels = arena_array(g->arena, (size_t)m->n_labels + 1, sizeof(int));
    mc_emit(m, colour, k->entry, &g->words, labels);
    k->n_words = g->words.words.n - k->entry;
    list_blocks(g, l, k, labels, colour);
    k->registers = registers_of(m, colour);
    k->local = m->local;
    k->spilled = m->spilled;
    if (g->words.words.n > MAX_WORDS)
        refuse(g, f->line, f->column, f->name,
               "ends beyond what a code address can name");
}

/* Variables that it cannot have. */
static bool refuse_named(struct generator *g, const struct ptx_function *f) {
    bool found = false;
    for (int i = 0; i < g->wrong.n; i++) {
        const struct ptx_variable *v = g->wrong.v[i].variable;
        if (!function_names(f, v))
            continue;
        refuse(g, v->line, v->column, v->name, g->wrong.v[i].what);
        found = true;
    }
    return found;
}

static void generate_kernel(struct generator *g,
                            const struct ptx_function *kernel) {
    const struct ptx_function *f = ptx_inline(g->arena, kernel);
    if (refuse_named(g, f))
        return;
    struct mc_code m = {.arena = g->arena, .frame = MC_NONE};
    struct lower l = {
        .m = &m, .module = g->module, .f = f, .d = g->d, .lock = g->lock};
    struct isa_kernel *k = &g->out->kernels[g->out->n_kernels++];
    int errors = g->d->errors;
    *k = (struct isa_kernel){.name = f->name, .entry = g->words.words.n};
    l.regs = arena_array(g->arena, (size_t)f->n_registers, sizeof *l.regs);
    for (int i = 0; i < f->n_registers; i++)
        l.regs[i] = (struct wide){MC_NONE, MC_NONE};
    if (g->options->blocks)
        blocks_find(g->arena, &l, g->options->blocks);
    else
        l.hints = hints_find(g->arena, f, NULL, NULL);
    l.high = narrow_find(g->arena, f, g->options->wide);
    mc_new(&m, MC_PREDICATE); /* MC_TRUE */
    places_of(g, &l, k);
    lower_function(&l);
    if (m.frame != MC_NONE)
        mc_add_frame(&m);
    if (g->d->errors == errors)
        finish(g, &l, k);
    array_free(&l.places);
    array_free(&m.list);
    array_free(&m.values);
}

struct isa_image *code_generate(struct arena *a, const struct ptx_module *m,
                                const char *only,
                                const struct code_options *options,
                                struct diag *d) {
    struct generator g = {.arena = a, .module = m, .options = options, .d = d};
    int errors = d->errors;
    g.one_kernel = only != NULL;
    g.out = arena_alloc(a, sizeof *g.out);
    g.out->kernels =
        arena_array(a, (size_t)m->n_functions, sizeof *g.out->kernels);
    make_data(&g);
    for (int i = 0; i < m->n_functions && !diag_full(d); i++) {
        const struct ptx_function *f = m->functions[i];
        if (f->is_entry && f->has_body && (!only || !strcmp(only, f->name)))
            generate_kernel(&g, f);
    }
    g.out->n_fixups = g.fixups.n;
    g.out->fixups = array_keep(&g.fixups, a);
    g.out->n_blocks = g.blocks.n;
    g.out->blocks = array_keep(&g.blocks, a);
    g.out->n_words = g.words.words.n;
    g.out->words = array_keep(&g.words.words, a);
    g.out->lines = array_keep(&g.words.lines, a);
    array_free(&g.words.words);
    array_free(&g.words.lines);
    array_free(&g.places);
    array_free(&g.fixups);
    array_free(&g.blocks);
    array_free(&g.wrong);
    return d->errors == errors ? g.out : NULL;
}
