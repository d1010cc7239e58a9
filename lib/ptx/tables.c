/* tables.c - the .def files as arrays, and look-ups in them.
 *
 * Linear search is enough: a form (opcode with modifiers) is decoded once for
 * a whole module, and modules have a few hundred of them.
 */
#include "tables.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *text;
    int bits;
    const char *kind;
} types[PTX_N_TYPES] = {
    {"", 0, "o"},
#define PTX_TYPE(id, text, bits, kind) {text, bits, #kind},
#include "types.def"
};

static const struct ptx_opcode_row opcodes[PTX_N_OPS] = {
    {"", OPC_int, 1, 0, 99},
#define PTX_OP(id, text, class, dst, min, max)                                 \
    {text, OPC_##class, dst, min, max},
#include "opcodes.def"
};

static const struct {
    const char *text;
    enum ptx_modifier_group group;
} modifiers[PTX_N_MODS] = {
    {"", PTX_GROUP_NONE},
#define PTX_MOD(id, text, group) {text, PTX_GROUP_##group},
#include "modifiers.def"
    {"", PTX_GROUP_NONE}, /* SHAPE */
    {"", PTX_GROUP_NONE}, /* OTHER */
};

static const char *const specials[PTX_N_SPECIALS] = {
    "",
#define PTX_SPECIAL(id, text, bits, vector) text,
#include "specials.def"
};

/* Families of modifiers whose members are too many to list. */
static const char *const families[] = {
    "kind::", "collector::", "acc::", "scale_vec::"};

static bool same(const char *text, const char *s, size_t len) {
    return strncmp(text, s, len) == 0 && text[len] == '\0';
}

const char *ptx_type_text(enum ptx_type t) {
    return types[t].text;
}
int ptx_type_bits(enum ptx_type t) {
    return types[t].bits;
}
char ptx_type_kind(enum ptx_type t) {
    return types[t].kind[0];
}

enum ptx_type ptx_type_find(const char *text, size_t len) {
    for (int t = 1; t < PTX_N_TYPES; t++)
        if (same(types[t].text, text, len))
            return (enum ptx_type)t;
    return PTX_TYPE_NONE;
}

const char *ptx_space_text(enum ptx_space s) {
    static const char *const text[] = {"generic", "reg",   "const",  "global",
                                       "local",   "param", "shared", "tex"};
    return text[s];
}

const char *ptx_special_text(enum ptx_special s) {
    return specials[s];
}
const char *ptx_modifier_text(enum ptx_modifier m) {
    return modifiers[m].text;
}

enum ptx_modifier ptx_modifier_of(const struct ptx_form *f,
                                  enum ptx_modifier_group g) {
    for (int i = 0; i < f->n_modifiers; i++)
        if (modifiers[f->modifiers[i]].group == g)
            return (enum ptx_modifier)f->modifiers[i];
    return PTX_MOD_NONE;
}

bool ptx_has(const struct ptx_form *f, enum ptx_modifier m) {
    for (int i = 0; i < f->n_modifiers; i++)
        if (f->modifiers[i] == m)
            return true;
    return false;
}

const struct ptx_opcode_row *ptx_opcode_row(enum ptx_opcode op) {
    return &opcodes[op];
}

const char *ptx_opcode_candidate(void *ctx, int i) {
    (void)ctx;
    return i + 1 < PTX_N_OPS ? opcodes[i + 1].text : NULL;
}

enum ptx_opcode ptx_opcode_find(const char *text, size_t *used) {
    enum ptx_opcode best = PTX_OP_UNKNOWN;
    size_t longest = 0;
    for (int i = 1; i < PTX_N_OPS; i++) {
        size_t len = strlen(opcodes[i].text);
        if (len > longest && strncmp(text, opcodes[i].text, len) == 0 &&
            (text[len] == '\0' || text[len] == '.')) {
            best = (enum ptx_opcode)i;
            longest = len;
        }
    }
    *used = best ? longest : strcspn(text, ".");
    return best;
}

/* m16n8k16, 16x256b, 16x32bx2: letters m n k x b and numbers. */
static bool is_shape(const char *word, size_t len) {
    bool digit = false, x = false;
    for (size_t i = 0; i < len; i++) {
        if (isdigit((unsigned char)word[i]))
            digit = true;
        else if (word[i] == 'x' || word[i] == 'm')
            x = true;
        else if (!strchr("nkb", word[i]))
            return false;
    }
    return digit && x && (word[0] == 'm' || isdigit((unsigned char)word[0]));
}

enum ptx_modifier ptx_modifier_find(const char *word, size_t len) {
    for (int i = 1; i < PTX_MOD_SHAPE; i++)
        if (same(modifiers[i].text, word, len))
            return (enum ptx_modifier)i;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(word, families[i], strlen(families[i])) == 0)
            return PTX_MOD_SHAPE;
    return is_shape(word, len) ? PTX_MOD_SHAPE : PTX_MOD_OTHER;
}

enum ptx_space ptx_modifier_space(enum ptx_modifier m) {
    switch (m) {
    case PTX_MOD_GLOBAL:
        return PTX_SPACE_GLOBAL;
    case PTX_MOD_SHARED:
    case PTX_MOD_SHARED_CTA:
    case PTX_MOD_SHARED_CLUSTER:
        return PTX_SPACE_SHARED;
    case PTX_MOD_LOCAL:
        return PTX_SPACE_LOCAL;
    case PTX_MOD_CONST:
        return PTX_SPACE_CONST;
    case PTX_MOD_PARAM:
    case PTX_MOD_PARAM_ENTRY:
    case PTX_MOD_PARAM_FUNC:
        return PTX_SPACE_PARAM;
    default:
        return PTX_SPACE_NONE;
    }
}

/* Whether name is the pattern, '#' in it standing for a number. */
static bool matches(const char *pattern, const char *name, size_t len,
                    int *number) {
    size_t i = 0;
    for (; *pattern; pattern++) {
        if (*pattern != '#') {
            if (i >= len || name[i++] != *pattern)
                return false;
            continue;
        }
        size_t start = i;
        *number = 0;
        while (i < len && i - start < 3 && isdigit((unsigned char)name[i]))
            *number = *number * 10 + (name[i++] - '0');
        if (i == start)
            return false;
    }
    return i == len;
}

enum ptx_special ptx_special_find(const char *name, size_t len, int *number) {
    *number = 0;
    for (int i = 1; i < PTX_N_SPECIALS; i++)
        if (matches(specials[i], name, len, number))
            return (enum ptx_special)i;
    return PTX_SPECIAL_NONE;
}
