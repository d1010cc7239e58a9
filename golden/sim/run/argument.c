/* argument.c - arguments of a launch: what a description says, and the bytes
 * that the kernel gets.
 *
 *     arguments:
 *       - n                                     an expression
 *       - x                                     a buffer: its address
 *       - y[n / 2]                              ... of an element
 *       - struct: [ptr: x, i32: n, f32: [1, 2]] fields, placed as C does
 *       - file: params.bin                      the bytes themselves
 */
#include "state.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STRUCTS = 8 }; /* inside one another */

/* ---------------------------------------------------------------- reading */

static int find_buffer(const struct run *r, const char *name, size_t len) {
    for (int i = 0; i < r->n_buffers; i++)
        if (strlen(r->buffers[i].name) == len &&
            memcmp(r->buffers[i].name, name, len) == 0)
            return i;
    return -1;
}

/* name, or name[element] to the end of the text. */
static bool parse_buffer_argument(struct run *r, const struct yaml_node *n,
                                  struct run_argument *a) {
    size_t len = strlen(n->text), name = strcspn(n->text, " [");
    struct yaml_node element = *n;
    a->buffer = find_buffer(r, n->text, name);
    if (a->buffer < 0)
        return false;
    if (name == len)
        return true;
    int depth = 0;
    size_t open = name + strspn(n->text + name, " ");
    for (size_t i = open; i < len; i++) {
        depth += (n->text[i] == '[') - (n->text[i] == ']');
        if (depth == 0 && i + 1 < len)
            return false; /* name[i] + something: a value */
    }
    if (n->text[open] != '[' || depth != 0)
        return false;
    element.text = arena_strndup(&r->arena, n->text + open + 1, len - open - 2);
    a->expr = run_expr(r, &element, 0);
    return true;
}

/* An address or a value. */
static bool parse_plain(struct run *r, const struct yaml_node *n,
                        struct run_argument *a) {
    a->at = n->at;
    if (n->kind == YAML_WORD && parse_buffer_argument(r, n, a)) {
        const struct run_buffer *b = &r->buffers[a->buffer];
        a->kind = ARGUMENT_BUFFER;
        if (b->symbol)
            diag_error(r->d, n->at,
                       "buffer '%s' is variable '%s' of the PTX, it cannot "
                       "be an argument",
                       b->name, b->symbol);
        return !b->symbol && !(strchr(n->text, '[') && !a->expr);
    }
    a->kind = ARGUMENT_VALUE;
    a->expr = run_expr(r, n, 0);
    return a->expr != NULL;
}

typedef ARRAY(struct run_field) field_list;

static bool add_field(struct run *r, const struct yaml_node *n,
                      enum element_type type, bool pointer, uint64_t offset,
                      field_list *list) {
    struct run_field f = {.type = type, .offset = offset};
    if (!parse_plain(r, n, &f.value))
        return false;
    if (f.value.kind == ARGUMENT_BUFFER && !pointer && element_size(type) < 8) {
        diag_error(r->d, n->at,
                   "the address of '%s' does not fit into a field of type %s, "
                   "expected ptr",
                   r->buffers[f.value.buffer].name, element_name((int)type));
        return false;
    }
    *array_push(list) = f;
    return true;
}

static uint64_t align_up(uint64_t at, uint64_t align) {
    return (at + align - 1) / align * align;
}

/* What stands in a struct so far. */
struct layout {
    uint64_t size, align;
};

static bool parse_struct(struct run *r, const struct yaml_node *n, int depth,
                         field_list *list, struct layout *l);

/* A struct in a struct: read as if at 0, then moved to its place. */
static bool parse_inner(struct run *r, const struct yaml_node *n, int depth,
                        const uint64_t *at, field_list *list,
                        struct layout *l) {
    struct layout inner = {0, 1};
    int first = list->n;
    if (!parse_struct(r, n, depth + 1, list, &inner))
        return false;
    uint64_t place = at ? *at : align_up(l->size, inner.align);
    for (int i = first; i < list->n; i++)
        list->v[i].offset += place;
    l->size = place + inner.size;
    l->align = inner.align > l->align ? inner.align : l->align;
    return true;
}

static bool type_of(const struct run *r, const char *text,
                    enum element_type *type, bool *pointer) {
    *pointer = strcmp(text, "ptr") == 0;
    *type = r->module->address_size == 32 ? ELEMENT_U32 : ELEMENT_U64;
    for (int t = 0; !*pointer && element_name(t); t++)
        if (strcmp(element_name(t), text) == 0) {
            *type = (enum element_type)t;
            return true;
        }
    return *pointer;
}

/* key: value, or key: [values] */
static bool parse_member(struct run *r, const struct yaml_node *key,
                         const struct yaml_node *n, int depth,
                         const uint64_t *at, field_list *list,
                         struct layout *l) {
    enum element_type type;
    bool pointer;
    if (strcmp(key->text, "struct") == 0)
        return parse_inner(r, n, depth, at, list, l);
    if (!type_of(r, key->text, &type, &pointer)) {
        diag_error(r->d, key->at,
                   "no type '%s', expected u8 i8 u16 i16 u32 i32 u64 i64 f16 "
                   "f32 f64, ptr or struct",
                   key->text);
        return false;
    }
    uint64_t size = (uint64_t)element_size(type);
    uint64_t place = at ? *at : align_up(l->size, size);
    l->align = size > l->align ? size : l->align;
    if (n->kind == YAML_MAP) {
        diag_error(r->d, n->at, "a field is a value or a list of values");
        return false;
    }
    int count = n->kind == YAML_LIST ? n->n : 1;
    for (int i = 0; i < count; i++, place += size)
        if (!add_field(r, n->kind == YAML_LIST ? n->items[i] : n, type, pointer,
                       place, list))
            return false;
    l->size = place;
    return true;
}

/* {f32: 1.5}, or {at: 16, f32: 1.5} */
static bool parse_item(struct run *r, const struct yaml_node *n, int depth,
                       field_list *list, struct layout *l) {
    const struct yaml_node *at = yaml_get(n, "at");
    const struct yaml_node *key = NULL, *value = NULL;
    struct expr_value v;
    uint64_t place;
    for (int i = 0; n->kind == YAML_MAP && i < n->n; i++)
        if (strcmp(n->keys[i]->text, "at") != 0) {
            key = n->keys[i];
            value = n->items[i];
        }
    if (!key || n->n != 1 + (at != NULL)) {
        diag_error(r->d, n->at,
                   "a field of a struct is its type and value, 'f32: 1.5', "
                   "with its place if need be, '{at: 16, f32: 1.5}'");
        return false;
    }
    if (!at)
        return parse_member(r, key, value, depth, NULL, list, l);
    const struct expr *e = run_expr(r, at, 0);
    if (!e || !run_eval(r, e, at->at, NULL, &v))
        return false;
    if (!expr_is_int(v) || expr_int(v) < 0 || expr_int(v) > UINT16_MAX) {
        diag_error(r->d, at->at, "'at' is a byte from 0 to %d", UINT16_MAX);
        return false;
    }
    place = (uint64_t)expr_int(v);
    uint64_t end = l->size;
    if (!parse_member(r, key, value, depth, &place, list, l))
        return false;
    l->size = end > l->size ? end : l->size;
    return true;
}

static bool parse_struct(struct run *r, const struct yaml_node *n, int depth,
                         field_list *list, struct layout *l) {
    if (n->kind != YAML_LIST || depth > MAX_STRUCTS) {
        diag_error(r->d, n->at,
                   "a struct is a list of fields such as [ptr: x, i32: n], at "
                   "most %d inside one another",
                   MAX_STRUCTS);
        return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!parse_item(r, n->items[i], depth, list, l))
            return false;
    l->size = align_up(l->size, l->align);
    return true;
}

static bool read_struct(struct run *r, const struct yaml_node *n,
                        const struct ptx_variable *p, struct run_argument *a) {
    struct layout l = {0, 1};
    field_list list = {0};
    uint64_t size = (uint64_t)ptx_variable_size(p);
    bool ok = parse_struct(r, n, 0, &list, &l);
    uint64_t end = 0;
    a->n_fields = list.n;
    a->fields = array_keep(&list, &r->arena);
    array_free(&list);
    for (int i = 0; i < a->n_fields; i++) {
        const struct run_field *f = &a->fields[i];
        uint64_t after = f->offset + (uint64_t)element_size(f->type);
        end = after > end ? after : end;
    }
    if (ok && end > size) {
        diag_error(r->d, n->at,
                   "the struct has %llu bytes, but parameter '%s' only %llu",
                   (unsigned long long)end, p->name ? p->name : "?",
                   (unsigned long long)size);
        return false;
    }
    return ok;
}

static bool read_bytes(struct run *r, const struct yaml_node *n,
                       const struct ptx_variable *p, struct run_argument *a) {
    size_t len, size = (size_t)ptx_variable_size(p);
    if (n->kind != YAML_WORD) {
        diag_error(r->d, n->at, "'file' must be a file name, found %s",
                   yaml_kind_name(n));
        return false;
    }
    const char *path = run_relative(r, n);
    char *text = text_read_file(path, &len);
    if (!text)
        diag_error(r->d, n->at, "cannot read '%s': %s", path, strerror(errno));
    else if (len != size)
        diag_error(r->d, n->at, "'%s' has %zu bytes, but parameter '%s' %zu",
                   path, len, p->name ? p->name : "?", size);
    else
        a->bytes = arena_copy(&r->arena, text, size, 1);
    free(text);
    return a->bytes != NULL;
}

bool run_parse_argument(struct run *r, const struct yaml_node *n,
                        const struct ptx_variable *p, struct run_argument *a) {
    static const char *const keys[] = {"struct", "file", NULL};
    a->at = n->at;
    if (n->kind != YAML_MAP)
        return parse_plain(r, n, a);
    if (!run_check_keys(r, n, keys, "an argument"))
        return false;
    if (n->n != 1) {
        diag_error(r->d, n->at,
                   "an argument is 'struct' or 'file', found both");
        return false;
    }
    a->kind = yaml_get(n, "file") ? ARGUMENT_FILE : ARGUMENT_STRUCT;
    return a->kind == ARGUMENT_FILE ? read_bytes(r, n->items[0], p, a)
                                    : read_struct(r, n->items[0], p, a);
}

/* ------------------------------------------------------------------ bytes */

static bool is_signed(enum element_type t) {
    return t == ELEMENT_I8 || t == ELEMENT_I16 || t == ELEMENT_I32 ||
           t == ELEMENT_I64;
}

/* An integer for type; an unsigned one may be written as -1.  what: "parameter
 * 'n'". */
static bool fits(struct run *r, enum element_type type, struct expr_value v,
                 struct place at, const char *what) {
    int size = element_size(type);
    int64_t i = expr_int(v), half = size < 8 ? (int64_t)1 << (8 * size - 1) : 0;
    int64_t end = is_signed(type) ? half : 2 * half;
    if (!expr_is_int(v)) {
        diag_error(r->d, at, "%s is an integer, found %g", what,
                   expr_double(v));
        return false;
    }
    if (size < 8 && (i < -half || i >= end)) {
        diag_error(r->d, at, "%s has %d bits, which %lld does not fit into",
                   what, 8 * size, (long long)i);
        return false;
    }
    return true;
}

static bool store_element(struct run *r, enum element_type type,
                          struct expr_value v, struct place at,
                          const char *what, uint8_t *out) {
    if (!element_is_float(type) && !fits(r, type, v, at, what))
        return false;
    element_store(type, out, 0, v);
    return true;
}

/* Store v as the type of the parameter. */
static bool store_param(struct run *r, const struct ptx_variable *p,
                        struct expr_value v, struct place at, uint8_t *out) {
    static const enum element_type integers[] = {
        0, ELEMENT_U8, ELEMENT_U16, 0, ELEMENT_U32, 0, 0, 0, ELEMENT_U64};
    const char *name = p->name ? p->name : "?";
    int size = ptx_type_bits(p->type) / 8;
    struct text what = {0};
    if (p->is_array || p->vector > 1 || size < 1 || size > 8 ||
        p->space == PTX_SPACE_REG || ptx_type_kind(p->type) == 'o') {
        diag_error(r->d, at,
                   "parameter '%s' has %lld bytes in one piece, expected "
                   "'struct: [...]' with its fields, or 'file: NAME'",
                   name, (long long)ptx_variable_size(p));
        return false;
    }
    text_printf(&what, "parameter '%s'", name);
    enum element_type type = p->type == PTX_F64   ? ELEMENT_F64
                             : p->type == PTX_F32 ? ELEMENT_F32
                             : p->type == PTX_F16 ? ELEMENT_F16
                                                  : integers[size];
    bool ok = store_element(r, type, v, at, text_str(&what), out);
    text_free(&what);
    return ok;
}

static bool plain_value(struct run *r, const struct run_argument *a,
                        struct expr_value *v) {
    if (a->kind == ARGUMENT_VALUE)
        return run_eval(r, a->expr, a->at, r->arrays, v);
    const struct run_buffer *b = &r->buffers[a->buffer];
    int64_t i = 0;
    if (a->expr && !run_integer(r, a->expr, a->at, "an element", &i))
        return false;
    *v = (struct expr_value){
        .i = (int64_t)(b->address +
                       (uint64_t)i * (uint64_t)element_size(b->type))};
    return true;
}

/* Note that an address stands there: others have their buffers elsewhere. */
static void note_address(struct run *r, const struct run_argument *a, int param,
                         uint64_t offset, int bytes) {
    if (a->kind == ARGUMENT_BUFFER)
        *array_push(&r->addresses) =
            (struct run_address){param, offset, bytes, a->buffer};
}

static bool store_fields(struct run *r, const struct run_argument *a, int param,
                         uint8_t *out) {
    for (int i = 0; i < a->n_fields; i++) {
        const struct run_field *f = &a->fields[i];
        struct expr_value v;
        struct text what = {0};
        if (!plain_value(r, &f->value, &v))
            return false;
        text_printf(&what, "the field at byte %llu",
                    (unsigned long long)f->offset);
        bool ok = store_element(r, f->type, v, f->value.at, text_str(&what),
                                out + f->offset);
        text_free(&what);
        if (!ok)
            return false;
        note_address(r, &f->value, param, f->offset, element_size(f->type));
    }
    return true;
}

bool run_make_params(struct run *r, const struct run_step *s) {
    const struct ptx_function *f = s->kernel;
    uint64_t size = exec_param_offset(f, f->n_params);
    free(r->params);
    r->params = xcalloc(size + 16, 1);
    r->addresses.n = 0;
    for (int i = 0; i < s->n_arguments; i++) {
        const struct run_argument *a = &s->arguments[i];
        const struct ptx_variable *p = &f->params[i];
        uint8_t *out = r->params + exec_param_offset(f, i);
        struct expr_value v;
        bool ok = true;
        if (a->kind == ARGUMENT_STRUCT)
            ok = store_fields(r, a, i, out);
        else if (a->kind == ARGUMENT_FILE)
            memcpy(out, a->bytes, (size_t)ptx_variable_size(p));
        else
            ok = plain_value(r, a, &v) && store_param(r, p, v, a->at, out);
        if (!ok)
            return false;
        note_address(r, a, i, 0, ptx_type_bits(p->type) / 8);
    }
    return true;
}

void run_move_addresses(const struct run *r, int param, uint8_t *bytes,
                        uint64_t (*delta)(void *ctx, int buffer), void *ctx) {
    for (int i = 0; i < r->addresses.n; i++) {
        const struct run_address *a = &r->addresses.v[i];
        uint64_t v = 0;
        if (a->param != param)
            continue;
        memcpy(&v, bytes + a->offset, (size_t)a->bytes);
        v += delta(ctx, a->buffer);
        memcpy(bytes + a->offset, &v, (size_t)a->bytes);
    }
}
