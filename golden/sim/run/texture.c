/* texture.c - the textures of a description: views of its buffers.
 *
 *     textures:
 *       image:
 *         data: pixels
 *         channels: 4
 *         width: w
 *         height: h
 *         read: normalised
 *         filter: linear
 *         address: [wrap, clamp]
 *         coordinates: normalised
 *
 * Its name stands for its handle in arguments and fills.  One that a .texref of
 * the module is bound to names it as its `symbol`.
 */
#include "state.h"

#include <string.h>

static const char *const keys[] = {
    "data", "width",    "height", "pitch",       "filter", "address",
    "read", "channels", "symbol", "coordinates", NULL};

static bool is_taken(const struct run *r, const char *name) {
    for (int i = 0; i < r->names.n; i++)
        if (strcmp(r->names.v[i], name) == 0)
            return true;
    return strcmp(name, "i") == 0;
}

/* The handle that the name stands for. */
static bool name_texture(struct run *r, const struct yaml_node *key,
                         const struct yaml_node *n, struct run_texture *t) {
    const struct yaml_node *symbol = yaml_get(n, "symbol");
    t->name = key->text;
    t->at = key->at;
    t->node = n;
    if (is_taken(r, t->name)) {
        diag_error(r->d, key->at,
                   "'%s' is a size or a value already, expected another name",
                   t->name);
        return false;
    }
    if (!symbol) {
        t->handle = exec_texture(r->exec, t->name);
    } else if (symbol->kind != YAML_WORD ||
               !exec_texture_symbol(r->exec, symbol->text, &t->handle)) {
        diag_error(r->d, symbol->at,
                   "no texture reference '%s' in '%s', expected the name of a "
                   "'.texref'",
                   symbol->kind == YAML_WORD ? symbol->text : "?", r->ptx_path);
        return false;
    }
    run_scalar(r, t->name, (struct expr_value){.i = (int64_t)t->handle});
    return true;
}

bool run_name_textures(struct run *r) {
    const struct yaml_node *map = yaml_get(r->tree, "textures");
    if (!map)
        return true;
    if (map->kind != YAML_MAP) {
        diag_error(r->d, map->at, "'textures' must be a map, found %s",
                   yaml_kind_name(map));
        return false;
    }
    r->textures =
        arena_array(&r->arena, (size_t)map->n + 1, sizeof *r->textures);
    for (int i = 0; i < map->n; i++) {
        struct run_texture *t = &r->textures[r->n_textures++];
        if (!run_check_keys(r, map->items[i], keys, "a texture") ||
            !name_texture(r, map->keys[i], map->items[i], t))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------- parts */

static const char *choice_at(void *ctx, int i) {
    return ((const char *const *)ctx)[i];
}

/* One of a list of words; *out as before if the node is not there. */
static bool choose(struct run *r, const struct yaml_node *n,
                   const char *const *words, const char *what, int *out) {
    if (!n)
        return true;
    for (int i = 0; n->kind == YAML_WORD && words[i]; i++)
        if (strcmp(n->text, words[i]) == 0) {
            *out = i;
            return true;
        }
    const char *near = n->kind == YAML_WORD ? suggest(n->text, choice_at,
                                                      (void *)(uintptr_t)words)
                                            : NULL;
    diag_error(r->d, n->at, "no such %s%s%s%s, expected %s, %s%s%s%s%s", what,
               near ? ", did you mean '" : "", near ? near : "",
               near ? "'" : "", words[0], words[1], words[2] ? ", " : "",
               words[2] ? words[2] : "", words[2] ? ", " : "",
               words[2] ? words[3] : "");
    return false;
}

static bool length(struct run *r, const struct yaml_node *n, const char *what,
                   uint64_t *out) {
    struct expr_value v;
    if (!n)
        return true;
    struct expr *e = run_expr(r, n, 0);
    if (!e || !run_eval(r, e, n->at, NULL, &v))
        return false;
    if (!expr_is_int(v) || expr_int(v) < 1 ||
        (uint64_t)expr_int(v) > TEXTURE_MOST) {
        diag_error(r->d, n->at, "%s is %.17g, expected an integer from 1 to %d",
                   what, expr_double(v), (int)TEXTURE_MOST);
        return false;
    }
    *out = (uint64_t)expr_int(v);
    return true;
}

static const char *buffer_name(void *ctx, int i) {
    const struct run *r = ctx;
    return i < r->n_buffers ? r->buffers[i].name : NULL;
}

static bool parse_data(struct run *r, const struct yaml_node *n,
                       struct run_texture *t) {
    if (!n || n->kind != YAML_WORD) {
        diag_error(r->d, n ? n->at : t->node->at,
                   "texture '%s' needs 'data', the buffer that it shows",
                   t->name);
        return false;
    }
    for (t->buffer = 0; t->buffer < r->n_buffers; t->buffer++)
        if (strcmp(r->buffers[t->buffer].name, n->text) == 0)
            return true;
    const char *near = suggest(n->text, buffer_name, r);
    diag_error(r->d, n->at, "no buffer '%s'%s%s%s", n->text,
               near ? ", did you mean '" : "", near ? near : "",
               near ? "'" : "");
    return false;
}

static bool parse_type(struct run *r, struct run_texture *t) {
    static const enum element_type elements[TEXEL_TYPES] = {
        [TEXEL_U8] = ELEMENT_U8,   [TEXEL_I8] = ELEMENT_I8,
        [TEXEL_U16] = ELEMENT_U16, [TEXEL_I16] = ELEMENT_I16,
        [TEXEL_U32] = ELEMENT_U32, [TEXEL_I32] = ELEMENT_I32,
        [TEXEL_F16] = ELEMENT_F16, [TEXEL_F32] = ELEMENT_F32,
    };
    const struct run_buffer *b = &r->buffers[t->buffer];
    for (int k = 0; k < TEXEL_TYPES; k++)
        if (elements[k] == b->type) {
            t->texture.type = (enum texel_type)k;
            return true;
        }
    diag_error(r->d, yaml_get(t->node, "data")->at,
               "buffer '%s' of texture '%s' has elements of type %s, expected "
               "u8 i8 u16 i16 u32 i32 f16 or f32",
               b->name, t->name, element_name((int)b->type));
    return false;
}

/* clamp, or [clamp, border] for x and y */
static bool parse_modes(struct run *r, const struct yaml_node *n,
                        struct run_texture *t) {
    static const char *const modes[] = {"clamp", "border", "wrap", "mirror",
                                        NULL};
    static const char what[] = "addressing mode";
    int mode[2] = {TEXTURE_CLAMP, TEXTURE_CLAMP};
    bool list = n && n->kind == YAML_LIST;
    if (list && n->n != t->texture.dims) {
        diag_error(r->d, n->at, "%d addressing modes for %d dimension%s", n->n,
                   t->texture.dims, t->texture.dims == 1 ? "" : "s");
        return false;
    }
    for (int k = 0; k < t->texture.dims; k++) {
        if (!choose(r, list ? n->items[k] : n, modes, what, &mode[k]))
            return false;
        t->texture.mode[k] = (enum texture_address)mode[k];
    }
    return true;
}

static bool parse_choices(struct run *r, struct run_texture *t) {
    static const char *const filters[] = {"point", "linear", NULL};
    static const char *const reads[] = {"element", "normalised", NULL};
    static const char *const units[] = {"texels", "normalised", NULL};
    int filter = 0, read = 0, unit = 0;
    if (!choose(r, yaml_get(t->node, "filter"), filters, "filter", &filter) ||
        !choose(r, yaml_get(t->node, "read"), reads, "way to read", &read) ||
        !choose(r, yaml_get(t->node, "coordinates"), units,
                "unit of coordinates", &unit))
        return false;
    t->texture.filter = filter ? TEXTURE_LINEAR : TEXTURE_POINT;
    t->texture.unit_texels = read;
    t->texture.unit_coordinates = unit;
    return parse_modes(r, yaml_get(t->node, "address"), t);
}

static bool parse_size(struct run *r, struct run_texture *t) {
    const struct yaml_node *width = yaml_get(t->node, "width");
    const struct yaml_node *height = yaml_get(t->node, "height");
    uint64_t channels = 1, pitch;
    if (!width) {
        diag_error(r->d, t->node->at, "texture '%s' needs a 'width'", t->name);
        return false;
    }
    t->texture.dims = height ? 2 : 1;
    t->texture.height = 1;
    if (!length(r, width, "'width'", &t->texture.width) ||
        !length(r, height, "'height'", &t->texture.height) ||
        !length(r, yaml_get(t->node, "channels"), "'channels'", &channels))
        return false;
    pitch = t->texture.width;
    if (!length(r, yaml_get(t->node, "pitch"), "'pitch'", &pitch))
        return false;
    t->texture.channels = channels > 4 ? 0 : (int)channels;
    t->texture.pitch = pitch * texture_texel(&t->texture);
    return true;
}

/* The buffer holds all texels. */
static bool fits(struct run *r, const struct run_texture *t) {
    const struct texture *x = &t->texture;
    const struct run_buffer *b = &r->buffers[t->buffer];
    uint64_t have = b->count * (uint64_t)element_size(b->type);
    uint64_t want = (x->height - 1) * x->pitch + x->width * texture_texel(x);
    if (want <= have)
        return true;
    diag_error(r->d, yaml_get(t->node, "data")->at,
               "texture '%s' has %llu bytes, but buffer '%s' only %llu",
               t->name, (unsigned long long)want, b->name,
               (unsigned long long)have);
    return false;
}

/* Nobody else has its name, nobody else its reference. */
static bool stands_alone(struct run *r, const struct run_texture *t) {
    for (int i = 0; i < r->n_buffers; i++)
        if (strcmp(r->buffers[i].name, t->name) == 0) {
            diag_error(r->d, t->at,
                       "'%s' is a buffer already, expected another name",
                       t->name);
            return false;
        }
    for (const struct run_texture *o = r->textures; o < t; o++)
        if (o->handle == t->handle) {
            diag_error(r->d, yaml_get(t->node, "symbol")->at,
                       "texture '%s' is bound to the same reference", o->name);
            return false;
        }
    return true;
}

static bool parse_texture(struct run *r, struct run_texture *t) {
    const char *key, *wrong;
    if (!parse_data(r, yaml_get(t->node, "data"), t) || !parse_type(r, t) ||
        !parse_size(r, t) || !parse_choices(r, t))
        return false;
    if ((wrong = texture_wrong(&t->texture, &key))) {
        const struct yaml_node *n = yaml_get(t->node, key);
        diag_error(r->d, n ? n->at : t->node->at, "texture '%s': %s", t->name,
                   wrong);
        return false;
    }
    return fits(r, t);
}

bool run_parse_textures(struct run *r) {
    for (int i = 0; i < r->n_textures; i++) {
        struct run_texture *t = &r->textures[i];
        if (!stands_alone(r, t) || !parse_texture(r, t))
            return false;
    }
    return true;
}

bool run_bind_textures(struct run *r) {
    for (int i = 0; i < r->n_textures; i++) {
        struct run_texture *t = &r->textures[i];
        const struct run_buffer *b = &r->buffers[t->buffer];
        t->texture.address = b->address;
        t->texture.data = b->data;
        exec_texture_bind(r->exec, t->handle, &t->texture);
    }
    return true;
}
