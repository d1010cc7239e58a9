/* parse_decl.c - declarations of registers, variables and parameters.
 *
 * A range such as %r<1000000> costs one symbol; its registers are made when an
 * instruction first names them, so a register exists exactly if it is used.
 */
#include "reader.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Enter a symbol; two of one name in one scope are an error unless they are
 * the same function or module variable declared again. */
void reader_declare(struct reader *r, const char *name, size_t len,
                    struct symbol *sym) {
    struct name_entry *e = ptx_name_find(&r->names, name, len);
    const struct symbol *old = e ? e->value : NULL;
    bool again =
        old && old->kind == sym->kind && ptx_name_depth(&r->names) == 0;
    if (old && e->depth == ptx_name_depth(&r->names) && !again)
        diag_error(r->diag,
                   (struct place){r->module->source, sym->line, sym->column,
                                  len > READER_SHOWN_NAME ? READER_SHOWN_NAME
                                                          : (int)len},
                   "redefinition of '%.*s', first defined in line %d",
                   SHOWN(name, len), old->line);
    ptx_name_add(&r->names, name, len, sym);
}

static struct symbol *new_symbol(struct reader *r, enum symbol_kind kind) {
    struct symbol *s = arena_alloc(r->arena, sizeof *s);
    s->kind = kind;
    s->line = r->lex.tok.line;
    s->column = r->lex.tok.column;
    return s;
}

/* ------------------------------------------------------------ registers */

static enum ptx_kind kind_of(enum ptx_type type, int vector) {
    int bits = ptx_type_bits(type) * vector;
    if (type == PTX_PRED)
        return PTX_PRED_KIND;
    return bits <= 32 ? PTX_ROW : bits <= 64 ? PTX_PAIR : PTX_QUAD;
}

/* Name for the listing: the second %t of a function becomes %t#2. */
static const char *unique_name(struct reader *r, const char *name, size_t len) {
    char suffix[16];
    char *copy = arena_strndup(r->arena, name, len);
    struct name_entry *e = ptx_name_find(&r->uses, name, len);
    if (!e) {
        int *count = arena_alloc(r->arena, sizeof *count);
        *count = 1;
        ptx_name_add(&r->uses, copy, len, count);
        return copy;
    }
    int *count = e->value;
    int n = snprintf(suffix, sizeof suffix, "#%d", ++*count);
    char *unique = arena_alloc(r->arena, len + (size_t)n + 1);
    memcpy(unique, name, len);
    memcpy(unique + len, suffix, (size_t)n);
    return unique;
}

static struct ptx_register *make_register(struct reader *r,
                                          const struct symbol *s,
                                          const char *name, size_t len) {
    struct ptx_register *reg = arena_alloc(r->arena, sizeof *reg);
    *reg = (struct ptx_register){.name = unique_name(r, name, len),
                                 .index = r->registers.n,
                                 .type = s->type,
                                 .vector = s->vector,
                                 .kind = kind_of(s->type, s->vector),
                                 .line = s->line};
    *array_push(&r->registers) = reg;
    return reg;
}

struct ptx_register *reader_like(struct reader *r,
                                 const struct ptx_register *like,
                                 const char *name) {
    struct symbol s = {
        .type = like->type, .vector = like->vector, .line = like->line};
    return make_register(r, &s, name, strlen(name));
}

static unsigned slot_of(const struct reader *r, int id, int number) {
    unsigned h = (unsigned)id * 2654435761u ^ (unsigned)number * 2246822519u;
    return (h ^ h >> 15) & (unsigned)(r->n_slots - 1);
}

static struct range_slot *find_slot(struct reader *r, int id, int number) {
    unsigned i = slot_of(r, id, number);
    while (r->slots[i].reg &&
           (r->slots[i].id != id || r->slots[i].number != number))
        i = (i + 1) & (unsigned)(r->n_slots - 1);
    return &r->slots[i];
}

static void grow_slots(struct reader *r) {
    struct range_slot *old = r->slots;
    int n = r->n_slots;
    if (2 * (r->slots_used + 1) <= n)
        return;
    r->n_slots = n ? 2 * n : 256;
    r->slots = xcalloc((size_t)r->n_slots, sizeof *r->slots);
    for (int i = 0; i < n; i++)
        if (old[i].reg)
            *find_slot(r, old[i].id, old[i].number) = old[i];
    free(old);
}

static struct ptx_register *range_register(struct reader *r,
                                           const struct symbol *s, int number,
                                           const char *name, size_t len) {
    grow_slots(r);
    struct range_slot *slot = find_slot(r, s->id, number);
    if (!slot->reg) {
        *slot =
            (struct range_slot){s->id, number, make_register(r, s, name, len)};
        r->slots_used++;
    }
    return slot->reg;
}

/* The innermost range that has name: %r12 may be number 12 of %r<n> or number
 * 2 of %r1<n>. */
static const struct symbol *find_range(struct reader *r, const char *name,
                                       size_t len, int *depth, int *number) {
    const struct symbol *best = NULL;
    char key[256];
    size_t digits = 0;
    while (digits < len && digits < 8 &&
           isdigit((unsigned char)name[len - digits - 1])) {
        size_t stem = len - ++digits;
        if (name[stem] == '0' && digits > 1)
            continue; /* numbers have no leading zeros */
        if (stem + 1 > sizeof key)
            break;
        memcpy(key, name, stem);
        key[stem] = '<';
        struct name_entry *e = ptx_name_find(&r->names, key, stem + 1);
        struct symbol *s = e ? e->value : NULL;
        int n = 0;
        for (size_t i = stem; i < len; i++)
            n = 10 * n + (name[i] - '0');
        if (s && n < s->count && e->depth > *depth) {
            best = s;
            *depth = e->depth;
            *number = n;
        }
    }
    return best;
}

struct ptx_register *reader_register(struct reader *r, const char *name,
                                     size_t len) {
    struct name_entry *e = ptx_name_find(&r->names, name, len);
    struct symbol *s = e ? e->value : NULL;
    int depth = e ? e->depth : -1, number = 0;
    const struct symbol *range = NULL;
    if (len && isdigit((unsigned char)name[len - 1]))
        range = find_range(r, name, len, &depth, &number);
    if (range)
        return range_register(r, range, number, name, len);
    if (!s || s->kind != SYM_REGISTER)
        return NULL;
    /* A register of module scope belongs to each function that uses it. */
    if (!s->reg || s->reg->index >= r->registers.n ||
        r->registers.v[s->reg->index] != s->reg)
        s->reg = make_register(r, s, name, len);
    return s->reg;
}

struct symbol *reader_symbol(struct reader *r, const char *name, size_t len) {
    struct name_entry *e = ptx_name_find(&r->names, name, len);
    return e ? e->value : NULL;
}

/* Longest stem that find_range can look up. */
enum { LONGEST_STEM = 255 };

/* %r<10> or a plain name, after .reg and its type. */
static bool parse_register_name(struct reader *r, enum ptx_type type,
                                int vector) {
    if (!reader_at_name(r, "a register name"))
        return false;
    struct token t = r->lex.tok;
    struct symbol *s = new_symbol(r, SYM_REGISTER);
    s->type = type;
    s->vector = vector;
    ptx_lexer_next(&r->lex);
    if (!ptx_lexer_is(&r->lex, '<')) {
        reader_declare(r, reader_text(r, &t), t.len, s);
        return true;
    }
    ptx_lexer_next(&r->lex);
    struct token number = r->lex.tok;
    s->kind = SYM_RANGE;
    s->id = r->n_ranges++;
    if (number.kind != TOK_NUMBER || number.value.kind != PTX_VALUE_INT ||
        number.value.bits > READER_MAX_RANGE || t.len > LONGEST_STEM) {
        reader_error(r, "bad register range, expected a count of at most %d",
                     READER_MAX_RANGE);
        return false;
    }
    s->count = (int64_t)number.value.bits;
    ptx_lexer_next(&r->lex);
    if (!reader_expect(r, '>'))
        return false;
    char *key = arena_strndup(r->arena, t.s, t.len + 1);
    key[t.len] = '<';
    reader_declare(r, key, t.len + 1, s);
    return true;
}

/* ------------------------------------------------------------ variables */

/* What stands between the space and the name. */
static bool parse_attribute(struct reader *r, struct ptx_variable *v) {
    struct token t = r->lex.tok;
    enum ptx_type type = ptx_type_find(t.s, t.len);
    ptx_lexer_next(&r->lex);
    if (type) {
        v->type = type;
    } else if (ptx_token_is(&t, TOK_DOT, "align")) {
        return ptx_parse_int(r, v->is_pointer ? &v->ptr_align : &v->align);
    } else if (ptx_token_is(&t, TOK_DOT, "v2") ||
               ptx_token_is(&t, TOK_DOT, "v4") ||
               ptx_token_is(&t, TOK_DOT, "v8")) {
        v->vector = t.s[1] - '0';
    } else if (ptx_token_is(&t, TOK_DOT, "ptr")) {
        v->is_pointer = true;
    } else if (v->is_pointer && ptx_token_is(&t, TOK_DOT, "global")) {
        v->ptr_space = PTX_SPACE_GLOBAL;
    } else if (v->is_pointer && ptx_token_is(&t, TOK_DOT, "shared")) {
        v->ptr_space = PTX_SPACE_SHARED;
    } else if (v->is_pointer && ptx_token_is(&t, TOK_DOT, "const")) {
        v->ptr_space = PTX_SPACE_CONST;
    } else if (v->is_pointer && ptx_token_is(&t, TOK_DOT, "local")) {
        v->ptr_space = PTX_SPACE_LOCAL;
    } else if (ptx_token_is(&t, TOK_DOT, "attribute")) {
        reader_skip(r, '(', ')');
    } else {
        reader_pass_attribute(r, &t);
    }
    return true;
}

static bool parse_attributes(struct reader *r, struct ptx_variable *v) {
    if (reader_accept(r, '[')) { /* .const[2] */
        int64_t bank;
        if (!ptx_parse_int(r, &bank) || !reader_expect(r, ']'))
            return false;
        v->bank = bank >= 0 && bank < 16 ? (int)bank : 0;
    }
    while (r->lex.tok.kind == TOK_DOT)
        if (!parse_attribute(r, v))
            return false;
    return true;
}

bool ptx_parse_registers(struct reader *r) {
    struct ptx_variable v = {.vector = 1};
    struct token first = r->lex.tok;
    if (!parse_attributes(r, &v))
        return false;
    if (!v.type) {
        diag_error(r->diag, ptx_token_place(&r->lex, &first),
                   "expected the type of the registers, such as '.b32'");
        return false;
    }
    do {
        if (!parse_register_name(r, v.type, v.vector))
            return false;
    } while (reader_accept(r, ','));
    return reader_expect(r, ';');
}

/* [n][m], empty for a size not given; dims keeps each. */
static bool parse_dims(struct reader *r, struct ptx_variable *v, int64_t *dims,
                       int *n_dims) {
    int64_t product = 1;
    v->elements = 1;
    while (reader_accept(r, '[')) {
        int64_t n = 0;
        v->is_array = true;
        if (*n_dims == READER_MAX_DIMS) {
            reader_error(r,
                         "array has too many dimensions, expected at most "
                         "%d",
                         READER_MAX_DIMS);
            return false;
        }
        if (!ptx_lexer_is(&r->lex, ']') && !ptx_parse_int(r, &n))
            return false;
        if (n < 0 || (n && product > ((int64_t)1 << 40) / n)) {
            reader_error(r, "array size is out of range");
            return false;
        }
        dims[(*n_dims)++] = n;
        v->elements *= n;
        product *= n ? n : 1;
        if (!reader_expect(r, ']'))
            return false;
    }
    return true;
}

static void keep_variable(struct reader *r, struct ptx_variable *v) {
    if (r->fn)
        *array_push(&r->locals) = v;
    else
        *array_push(&r->globals) = v;
}

static struct ptx_variable *add_variable(struct reader *r,
                                         const struct ptx_variable *like,
                                         const char *name, size_t len,
                                         const struct token *at) {
    struct ptx_variable *v = arena_alloc(r->arena, sizeof *v);
    struct symbol *s = new_symbol(r, SYM_VARIABLE);
    *v = *like;
    v->name = name;
    v->line = s->line = at->line;
    v->column = s->column = at->column;
    s->variable = v;
    reader_declare(r, name, len, s);
    keep_variable(r, v);
    return v;
}

/* .param .b64 p<3>: p0 to p2; at the '<'.  The ISA has neither arrays nor
 * values of such. */
static bool parse_variable_range(struct reader *r,
                                 const struct ptx_variable *like,
                                 const struct token *t) {
    struct ptx_variable one = *like;
    one.elements = 1;
    ptx_lexer_next(&r->lex);
    const struct token *number = &r->lex.tok; /* not '2 > ...' */
    if (number->kind != TOK_NUMBER || number->value.kind != PTX_VALUE_INT ||
        number->value.bits >
            (uint64_t)(READER_MAX_VARIABLES - r->n_range_variables)) {
        reader_error(r,
                     "bad range of variables, expected a count, at most %d in "
                     "a module",
                     READER_MAX_VARIABLES);
        return false;
    }
    int n = (int)number->value.bits;
    ptx_lexer_next(&r->lex);
    r->n_range_variables += n;
    for (int i = 0; i < n; i++) {
        struct text name = {0};
        text_addn(&name, t->s, t->len);
        text_printf(&name, "%d", i);
        add_variable(r, &one, arena_strdup(r->arena, text_str(&name)), name.len,
                     t);
        text_free(&name);
    }
    return reader_expect(r, '>');
}

static bool parse_variable(struct reader *r, const struct ptx_variable *like) {
    int64_t dims[READER_MAX_DIMS];
    int n_dims = 0;
    if (!reader_at_name(r, "a variable name"))
        return false;
    struct ptx_variable sized = *like, *v;
    struct token t = r->lex.tok;
    ptx_lexer_next(&r->lex);
    if (ptx_lexer_is(&r->lex, '<'))
        return parse_variable_range(r, like, &t);
    if (!parse_dims(r, &sized, dims, &n_dims))
        return false;
    v = add_variable(r, &sized, reader_text(r, &t), t.len, &t);
    return !reader_accept(r, '=') || ptx_parse_initialiser(r, v, dims, n_dims);
}

static enum ptx_space space_of(const struct token *t) {
    static const char *const words[] = {
        "", "reg", "const", "global", "local", "param", "shared", "tex", NULL};
    for (int i = 1; words[i]; i++)
        if (ptx_token_is(t, TOK_DOT, words[i]))
            return (enum ptx_space)i;
    return PTX_SPACE_NONE;
}

/* At the state space. */
bool ptx_parse_variables(struct reader *r, enum ptx_linkage linkage) {
    struct ptx_variable v = {.vector = 1, .linkage = linkage};
    struct token first = r->lex.tok;
    v.space = space_of(&first);
    ptx_lexer_next(&r->lex);
    if (!parse_attributes(r, &v))
        return false;
    if (!v.type) {
        diag_error(r->diag, ptx_token_place(&r->lex, &first),
                   "expected a type after '.%.*s'", SHOWN(first.s, first.len));
        return false;
    }
    do {
        if (!parse_variable(r, &v))
            return false;
    } while (reader_accept(r, ','));
    return reader_expect(r, ';');
}

/* ----------------------------------------------------------- parameters */

static void declare_param(struct reader *r, struct ptx_variable *v,
                          size_t len) {
    struct symbol *s =
        new_symbol(r, v->space == PTX_SPACE_REG ? SYM_REGISTER : SYM_VARIABLE);
    s->type = v->type;
    s->vector = v->vector;
    s->variable = v;
    s->line = v->line;
    s->column = v->column;
    if (!(len == 1 && v->name[0] == '_'))
        reader_declare(r, v->name, len, s);
}

/* Words in front of a parameter's space.  '.hidden' says that a launch's
 * caller does not write the argument; it has its place like any other. */
static void pass_front(struct reader *r) {
    while (reader_accept_word(r, "hidden"))
        ;
    for (struct token next = ptx_lexer_peek(&r->lex);
         !space_of(&r->lex.tok) && next.kind == TOK_DOT && space_of(&next);
         next = ptx_lexer_peek(&r->lex)) {
        reader_passed(r, &r->lex.tok, "attribute", NULL);
        ptx_lexer_next(&r->lex);
    }
}

static bool parse_param(struct reader *r, struct ptx_variable *v,
                        bool declared) {
    int64_t dims[READER_MAX_DIMS];
    int n_dims = 0;
    struct token t = r->lex.tok;
    *v = (struct ptx_variable){.vector = 1, .elements = 1};
    if (t.kind != TOK_DOT) {
        reader_error(r, "expected a parameter, such as '.param .u64 name'");
        return false;
    }
    pass_front(r);
    t = r->lex.tok;
    v->space = space_of(&t);
    if (v->space)
        ptx_lexer_next(&r->lex);
    if (!parse_attributes(r, v))
        return false;
    if (!v->type) {
        diag_error(r->diag, ptx_token_place(&r->lex, &t),
                   "expected the type of the parameter, such as '.u64'");
        return false;
    }
    if (r->lex.tok.kind != TOK_NAME) /* prototypes may leave the name out */
        return parse_dims(r, v, dims, &n_dims);
    t = r->lex.tok;
    v->name = reader_text(r, &t);
    v->line = t.line;
    v->column = t.column;
    ptx_lexer_next(&r->lex);
    if (!parse_dims(r, v, dims, &n_dims))
        return false;
    if (declared)
        declare_param(r, v, t.len);
    return true;
}

/* After '(': parameters up to and with ')'. */
bool ptx_parse_params(struct reader *r, struct ptx_variable **out, int *n,
                      bool declared) {
    ARRAY(struct ptx_variable *) list = {0};
    bool ok = true;
    while (ok && !ptx_lexer_is(&r->lex, ')')) {
        struct ptx_variable *v = arena_alloc(r->arena, sizeof *v);
        ok = (list.n == 0 || reader_expect(r, ',')) &&
             parse_param(r, v, declared);
        *array_push(&list) = v;
    }
    *n = list.n;
    *out = arena_array(r->arena, (size_t)list.n, sizeof **out);
    for (int i = 0; i < list.n; i++)
        (*out)[i] = *list.v[i];
    array_free(&list);
    return ok && reader_expect(r, ')');
}
