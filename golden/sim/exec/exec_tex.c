/* exec_tex.c - texture instructions: handles, decoding, fetches.
 *
 * tex.1d and tex.2d with a texture object's handle in a register or a .texref
 * by its name.  Textures have no mipmaps, so .level, .base and .grad, which say
 * which one, change nothing.
 */
#include "decode.h"

#include <inttypes.h>

/* Handles are apart from all addresses. */
#define HANDLE_BASE ((uint64_t)0x7e << 56)
enum { HANDLE_STEP = 256 };

enum { COORDINATES_INT = 1, RESULT_FLOAT = 2 }; /* op->how */

/* ---------------------------------------------------------------- handles */

static uint64_t handle_of(int slot) {
    return HANDLE_BASE + HANDLE_STEP * ((uint64_t)slot + 1);
}

static struct texture_slot *slot_of(const struct exec *x, uint64_t handle) {
    uint64_t at = handle - HANDLE_BASE;
    return handle > HANDLE_BASE && at % HANDLE_STEP == 0 &&
                   at / HANDLE_STEP <= (uint64_t)x->textures.n
               ? &x->textures.v[at / HANDLE_STEP - 1]
               : NULL;
}

static bool is_reference(const struct ptx_variable *v) {
    return v->name && (v->type == PTX_TEXREF || v->space == PTX_SPACE_TEX);
}

void texture_init(struct exec *x) {
    for (int i = 0; i < x->module->n_variables; i++)
        if (is_reference(x->module->variables[i]))
            *array_push(&x->textures) = (struct texture_slot){
                .name = x->module->variables[i]->name, .symbol = true};
}

bool exec_texture_symbol(struct exec *x, const char *name, uint64_t *handle) {
    for (int i = 0; i < x->textures.n; i++)
        if (x->textures.v[i].symbol &&
            strcmp(x->textures.v[i].name, name) == 0) {
            *handle = handle_of(i);
            return true;
        }
    return false;
}

bool texture_handle(const struct exec *x, const struct ptx_variable *v,
                    uint64_t *handle) {
    return is_reference(v) &&
           exec_texture_symbol((struct exec *)(uintptr_t)x, v->name, handle);
}

uint64_t exec_texture(struct exec *x, const char *name) {
    *array_push(&x->textures) = (struct texture_slot){.name = name};
    return handle_of(x->textures.n - 1);
}

void exec_texture_bind(struct exec *x, uint64_t handle,
                       const struct texture *t) {
    struct texture_slot *s = slot_of(x, handle);
    if (!s || texture_wrong(t, NULL))
        BUG("a texture that is none");
    s->bound = true;
    s->texture = *t;
}

/* ---------------------------------------------------------------- fetches */

/* The texture of a lane; NULL after a fault. */
static const struct texture *find(struct warp *w, const struct op *op, int lane,
                                  uint64_t handle) {
    const struct texture_slot *s = slot_of(w->x, handle);
    const char *kind = s && s->symbol ? "texture reference" : "texture";
    if (!s) {
        const struct region *r = region_find(w->x, handle, 1);
        fault(w, op, lane,
              "fetch from 0x%" PRIx64 ", which is no texture%s%s%s, expected "
              "the handle of one that is bound",
              handle, r ? " but an address in '" : "", r ? r->name : "",
              r ? "'" : "");
    } else if (!s->bound) {
        fault(w, op, lane,
              "fetch from %s '%s', to which nothing is bound%s%s%s", kind,
              s->name, s->symbol ? ", expected a texture of symbol '" : "",
              s->symbol ? s->name : "", s->symbol ? "'" : "");
    } else if (s->texture.dims != op->what) {
        fault(w, op, lane,
              "'%s' fetches from %s '%s', which has %d dimension%s",
              op->in->form->text, kind, s->name, s->texture.dims,
              s->texture.dims == 1 ? "" : "s");
    } else if (texture_gives_float(&s->texture) != !!(op->how & RESULT_FLOAT)) {
        fault(w, op, lane, "'%s' fetches from %s '%s', which gives %s",
              op->in->form->text, kind, s->name,
              texture_gives_float(&s->texture)
                  ? "floating point, expected .f32 as its type"
                  : "integers, expected .u32 or .s32 as its type");
    } else if (s->texture.unit_coordinates && op->how & COORDINATES_INT) {
        fault(w, op, lane,
              "'%s' fetches from %s '%s' with integer coordinates, expected "
              "one whose coordinates are not normalised",
              op->in->form->text, kind, s->name);
    } else {
        return &s->texture;
    }
    return NULL;
}

static void fetch(const struct warp *w, const struct op *op, uint32_t lane,
                  const struct texture *t, struct texture_fetch *f) {
    uint32_t bits[2] = {0, 0};
    for (int k = 0; k < op->what; k++)
        bits[k] = ((const lane_u32 *)source(w, op->src[1 + k]))[lane];
    if (op->how & COORDINATES_INT)
        texture_texel_at(t, (const int32_t[2]){(s32)bits[0], (s32)bits[1]}, f);
    else
        texture_at(t, (const float[2]){f32_of(bits[0]), f32_of(bits[1])}, f);
}

/* What the lanes took, into the event.  Where some took fewer texels, or of
 * another size, than others, the first one stands for those that lack. */
static void note(struct stream_event *e, uint32_t lane, uint32_t bytes,
                 const struct texture_fetch *f) {
    e->address[lane] = f->address[0];
    for (int k = 0; k < STREAM_MORE; k++)
        e->more[k][lane] = f->address[k + 1 < f->n ? k + 1 : 0];
    if (f->n - 1 > e->n_more)
        e->n_more = (uint8_t)(f->n - 1);
    if (bytes > e->texel)
        e->texel = (uint8_t)bytes;
}

static void exec_tex(struct warp *w, const struct op *op) {
    const lane_u64 *handle = source(w, op->src[0]);
    struct stream_event *e = w->x->event;
    struct texture_fetch f;
    e->texel = e->n_more = 0;
    EACH_LANE(i, w->mask) {
        const struct texture *t = find(w, op, (int)i, handle[i]);
        if (!t)
            return;
        fetch(w, op, i, t, &f);
        note(e, i, texture_texel(t), &f);
        for (int k = 0; k < op->more->n_items; k++) {
            const struct op_item *item = &op->more->items[k];
            if (!item->sink)
                ((lane_u32 *)result(w, item->ref))[i] = f.value[k];
        }
    }
}

/* --------------------------------------------------------------- decoding */

/* tex.1d, tex.2d, with .level, .base or .grad: the dimensions; 0: another. */
static int dimensions(const struct ptx_form *f) {
    int dims = 0;
    for (int i = 0; i < f->n_modifiers; i++)
        switch (f->modifiers[i]) {
        case PTX_MOD_DIM_1D:
            dims = 1;
            break;
        case PTX_MOD_DIM_2D:
            dims = 2;
            break;
        case PTX_MOD_LEVEL:
        case PTX_MOD_GRAD:
        case PTX_MOD_BASE:
        case PTX_MOD_V4:
            break;
        default:
            return 0;
        }
    return dims;
}

static bool has_level(const struct ptx_form *f) {
    return ptx_has(f, PTX_MOD_LEVEL) || ptx_has(f, PTX_MOD_GRAD);
}

static bool word_type(enum ptx_type t) {
    return t == PTX_F32 || t == PTX_S32 || t == PTX_U32;
}

/* [texture, {x, y, ...}] into src[0] and the sources behind it.  Elements
 * beyond the dimensions are allowed and mean nothing. */
static void decode_coordinates(struct decoder *d, const struct ptx_operand *o,
                               int dims, enum ptx_type type) {
    if (o->kind != PTX_OPND_ADDRESS || o->n_items != 2) {
        d->bad = true; /* a sampler of its own */
        return;
    }
    const struct ptx_operand *c = o->items[1];
    d->op->src[0] = decode_source(d, o->items[0], PTX_U64, true);
    if (c->kind != PTX_OPND_VECTOR && dims == 1) {
        d->op->src[1] = decode_source(d, c, type, false);
        return;
    }
    if (c->kind != PTX_OPND_VECTOR || c->n_items < dims) {
        d->bad = true;
        return;
    }
    for (int k = 0; k < dims; k++)
        d->op->src[1 + k] = decode_source(d, c->items[k], type, false);
}

bool decode_texture(struct decoder *d) {
    const struct ptx_instruction *in = d->in;
    const struct ptx_form *f = in->form;
    if (f->op != PTX_OP_TEX)
        return false;
    int dims = dimensions(f), operands = 2 + has_level(f);
    bool is_float = f->n_types > 1 && f->types[1] == PTX_F32;
    operands += ptx_has(f, PTX_MOD_GRAD);
    if (!dims || f->vector != 4 || f->n_types != 2 || !word_type(f->types[0]) ||
        (!is_float && f->types[1] != PTX_S32) || in->n_operands != operands ||
        in->operands[0]->second ||
        !decode_items(d, in->operands[0], f->types[0], true) ||
        decode_more(d)->n_items != 4) {
        d->bad = true; /* offsets, depth compare, 16 bits: not here */
        return true;
    }
    d->op->what = (uint8_t)dims;
    d->op->how = (uint8_t)((is_float ? 0 : COORDINATES_INT) |
                           (f->types[0] == PTX_F32 ? RESULT_FLOAT : 0));
    decode_coordinates(d, in->operands[1], dims, f->types[1]);
    if (d->bad)
        return true;
    d->op->space = PTX_SPACE_TEX;
    d->op->fn = exec_tex;
    d->op->insn->space = PTX_SPACE_TEX;
    d->op->insn->access = STREAM_LOAD;
    d->op->insn->width = 16;
    return true;
}
