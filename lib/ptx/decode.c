/* decode.c - an opcode with its modifiers, taken apart once.
 *
 * Instructions that write the same text share one form.  Words that stand in
 * no table make the form unknown; the instruction is still read.
 */
#include "reader.h"
#include "tables.h"

#include <string.h>

enum { MAX_WORDS = 32 };

/* Loads and stores are classed by space, arithmetic by type. */
static enum opclass class_of(const struct ptx_form *f, enum opclass table) {
    bool shared = f->space == PTX_SPACE_SHARED;
    bool param = f->space == PTX_SPACE_PARAM || f->space == PTX_SPACE_CONST;
    switch (table) {
    case OPC_ld_global:
        if (f->op == PTX_OP_CP_ASYNC || f->op == PTX_OP_PREFETCH)
            return table;
        return shared ? OPC_ld_shared : param ? OPC_ld_const : table;
    case OPC_st_global:
        return shared ? OPC_st_shared : param ? OPC_st_param : table;
    case OPC_int:
        return f->n_types && ptx_type_kind(f->types[0]) == 'f' ? OPC_fp : table;
    default:
        return table;
    }
}

/* Sort one word after the opcode into the form. */
static void add_word(struct reader *r, struct ptx_form *f, uint16_t *modifiers,
                     const char *word, size_t len) {
    enum ptx_type type = ptx_type_find(word, len);
    if (type) {
        if (f->n_types < 4)
            f->types[f->n_types++] = type;
        return;
    }
    const char *bank = memchr(word, '[', len); /* .const[2] */
    enum ptx_modifier m =
        ptx_modifier_find(word, bank ? (size_t)(bank - word) : len);
    if (m == PTX_MOD_OTHER && !f->unknown)
        f->unknown = arena_strndup(r->arena, word, len);
    if (!f->space)
        f->space = ptx_modifier_space(m);
    if (m == PTX_MOD_V2 || m == PTX_MOD_V4 || m == PTX_MOD_V8)
        f->vector = m == PTX_MOD_V2 ? 2 : m == PTX_MOD_V4 ? 4 : 8;
    modifiers[f->n_modifiers++] = (uint16_t)m;
}

static struct ptx_form *new_form(struct reader *r, const char *text,
                                 size_t len) {
    struct ptx_form *f = arena_alloc(r->arena, sizeof *f);
    uint16_t modifiers[MAX_WORDS];
    size_t used;
    f->text = arena_strndup(r->arena, text, len);
    f->vector = 1;
    f->op = ptx_opcode_find(f->text, &used);
    const struct ptx_opcode_row *row = ptx_opcode_row(f->op);
    if (!f->op)
        f->unknown = arena_strndup(r->arena, f->text, used);
    for (const char *word = f->text + used; *word;) {
        size_t n = strcspn(++word, ".");
        if (f->n_modifiers == MAX_WORDS) {
            f->unknown = arena_strdup(r->arena, word);
            break;
        }
        add_word(r, f, modifiers, word, n);
        word += n;
    }
    uint16_t *kept =
        arena_array(r->arena, (size_t)f->n_modifiers, sizeof *kept);
    if (f->n_modifiers)
        memcpy(kept, modifiers, (size_t)f->n_modifiers * sizeof *kept);
    f->modifiers = kept;
    f->opc = class_of(f, row->opc);
    f->n_dst = row->n_dst;
    f->min = row->min;
    f->max = row->max;
    return f;
}

const struct ptx_form *reader_form(struct reader *r, const char *text,
                                   size_t len) {
    struct name_entry *e = ptx_name_find(&r->forms, text, len);
    if (e)
        return e->value;
    struct ptx_form *f = new_form(r, text, len);
    ptx_name_add(&r->forms, f->text, len, f);
    return f;
}
