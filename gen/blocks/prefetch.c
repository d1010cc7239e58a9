/* prefetch.c - what the pattern-aware prefetcher adds: the layout of an entry
 * of its information table, for the templates, the C header and the data sheet,
 * and a C function that fills an entry from plain numbers.
 *
 * Fields and formulas are those of docs/blocks/prefetch.md ("The walk",
 * "Information table"); IP-NDP, section 3.3.
 */
#include "blocks/blocks.h"

#include "blocks/layout.h"
#include "blocks/prefetch.h"

#include <ctype.h>

enum { PAPER_BITS = 76 };

static void add_divisor(struct layout *l, const struct prefetch_local *p) {
    if (p->RECIPROCAL) {
        layout_add(l, "mult", p->SIZE_W + 1, "reciprocal m of the row pitch");
        layout_add(l, "shift", p->SHIFT_W, "clog2(row pitch)");
    } else if (p->ITERATIVE) {
        layout_add(l, "pitch", p->PITCH_W + 1, "row pitch, bytes");
    } else {
        layout_add(l, "shift", p->SHIFT_W, "log2(row pitch)");
    }
}

static struct layout layout_of(const struct prefetch_local *p) {
    struct layout l = {.n = 0};
    const char *x_doc =
        p->RECIPROCAL ? "bytes, times m" : "bytes from the row's begin";
    layout_add(&l, "valid", 1, "the entry describes an image");
    layout_add(&l, "axis", 1, "the walk goes 0 along x, 1 along y");
    layout_add(&l, "start", p->ADDR_W, "address of the image");
    layout_add(&l, "size", p->SIZE_W, "bytes of the image");
    layout_add(&l, "base", p->STRIDE_W, "stride to the next block, signed");
    layout_add(&l, "modified", p->STRIDE_W, "stride at the turn, signed");
    layout_add(&l, "y_lo", p->ROW_W, "first row of the part");
    layout_add(&l, "y_hi", p->ROW_W, "row after the part");
    layout_add(&l, "y_turn", p->ROW_W, "first row without a block below");
    layout_add(&l, "x_lo", p->X_W, x_doc);
    layout_add(&l, "x_hi", p->X_W, x_doc);
    layout_add(&l, "x_turn", p->X_W, x_doc);
    layout_add(&l, "last", p->LAST_W, "begin of the last block on the axis");
    add_divisor(&l, p);
    return l;
}

/* field: where each field of an entry lies; held_divisor_w: bits of a divisor
 * inside the block, under 'reciprocal' on a scale that all images share. */
static void names(const struct gen_job *job, lua_State *L) {
    struct prefetch_local p = prefetch_local(&job->config);
    struct layout l = layout_of(&p);
    layout_names(&l, L);
    lua_pushinteger(L, p.RECIPROCAL ? p.SIZE_W + 1 + p.PITCH_W : p.DIVISOR_W);
    lua_setfield(L, -2, "held_divisor_w");
}

static void add_lower(struct text *out, const char *s) {
    for (; *s; s++)
        text_addc(out, (char)tolower((unsigned char)*s));
}

/* Each @ of the listing becomes the prefix of functions, each $ of macros. */
static void add_listing(struct text *out, const char *macro, const char *s) {
    for (; *s; s++) {
        if (*s == '@')
            add_lower(out, macro);
        else if (*s == '$')
            text_add(out, macro);
        else
            text_addc(out, *s);
    }
}

static const char walk_listing[] =
    "\n"
    "/* The walk of one core over its part of an image.  Numbers in bytes, "
    "but\n"
    " * for the rows. */\n"
    "struct @walk {\n"
    "    uint64_t start;         /* address of the image */\n"
    "    uint64_t size;          /* pitch times rows */\n"
    "    uint64_t pitch;         /* from one row to the next, 1 or more */\n"
    "    uint64_t x_lo, x_hi;    /* part: x_lo <= x < x_hi, in bytes */\n"
    "    uint64_t y_lo, y_hi;    /* y_lo <= y < y_hi, in rows */\n"
    "    uint64_t block_w;       /* threads of a block along x */\n"
    "    uint64_t block_h;       /* along y */\n"
    "    uint64_t element;       /* bytes of a thread's element */\n"
    "    int      axis;          /* 0 along x, 1 along y */\n"
    "    int      printed;       /* stride at the turn as the paper prints "
    "it,\n"
    "                               not the exact one */\n"
    "};\n"
    "\n"
    "/* Put the low width bits of value at bit lsb of an entry. */\n"
    "static inline void @put(uint32_t *entry, int lsb, int width,\n"
    "                        uint64_t value) {\n"
    "    for (int i = 0; i < width; i++)\n"
    "        if (value >> i & 1)\n"
    "            entry[(lsb + i) / 32] |= UINT32_C(1) << (lsb + i) % 32;\n"
    "}\n"
    "\n"
    "/* Fill an entry, $ENTRY_WORDS words, bit 0 first, for load_entry.\n"
    " * The part must lie in the image, and its numbers fit the fields. */\n"
    "static inline void @entry(uint32_t *entry,\n"
    "                          const struct @walk *w) {\n"
    "    uint64_t bx = w->block_w * w->element, by = w->block_h * w->pitch;\n"
    "    uint64_t nx = (w->x_hi - w->x_lo + bx - 1) / bx;\n"
    "    uint64_t ny = (w->y_hi - w->y_lo + w->block_h - 1) / w->block_h;\n"
    "    uint64_t modified = w->axis ? bx - (ny - 1) * by : by - (nx - 1) * "
    "bx;\n"
    "    uint64_t last = w->axis ? w->y_lo + (ny - 1) * w->block_h\n"
    "                            : w->x_lo + (nx - 1) * bx;\n"
    "    int shift = 0;\n"
    "    while (UINT64_C(1) << shift < w->pitch)\n"
    "        shift++;\n";

static const char scale_reciprocal[] =
    "    int k = $SIZE_W + shift;\n"
    "    uint64_t scale = ((UINT64_C(1) << k) + w->pitch - 1) / w->pitch;\n";

static const char scale_one[] = "    uint64_t scale = 1;\n";

static const char fill_listing[] =
    "    for (int i = 0; i < $ENTRY_WORDS; i++)\n"
    "        entry[i] = 0;\n"
    "#define NDP_PUT(field, value) \\\n"
    "    @put(entry, $ENTRY_##field##_LSB, $ENTRY_##field##_W, value)\n"
    "    NDP_PUT(VALID, 1);\n"
    "    NDP_PUT(AXIS, w->axis ? 1 : 0);\n"
    "    NDP_PUT(START, w->start);\n"
    "    NDP_PUT(SIZE, w->size);\n"
    "    NDP_PUT(BASE, w->axis ? by : bx);\n"
    "    NDP_PUT(MODIFIED, w->printed ? bx + by : modified);\n"
    "    NDP_PUT(Y_LO, w->y_lo);\n"
    "    NDP_PUT(Y_HI, w->y_hi);\n"
    "    NDP_PUT(Y_TURN, w->y_hi > w->block_h ? w->y_hi - w->block_h : 0);\n"
    "    NDP_PUT(X_LO, w->x_lo * scale);\n"
    "    NDP_PUT(X_HI, w->x_hi * scale);\n"
    "    NDP_PUT(X_TURN, w->x_hi > bx ? (w->x_hi - bx) * scale : 0);\n"
    "    NDP_PUT(LAST, w->printed ? 0 : w->axis ? last : last * scale);\n";

static void header(const struct gen_job *job, const char *macro,
                   struct text *out) {
    struct prefetch_local p = prefetch_local(&job->config);
    struct layout l = layout_of(&p);
    text_add(out, "\n/* Entry of the information table: lowest bit and bits of "
                  "each field. */\n");
    layout_header(&l, macro, out);
    add_listing(out, macro, walk_listing);
    add_listing(out, macro, p.RECIPROCAL ? scale_reciprocal : scale_one);
    add_listing(out, macro, fill_listing);
    if (p.RECIPROCAL)
        text_add(out, "    NDP_PUT(MULT, scale);\n    NDP_PUT(SHIFT, "
                      "(uint64_t)shift);\n");
    else if (p.ITERATIVE)
        text_add(out, "    NDP_PUT(PITCH, w->pitch);\n");
    else
        text_add(out, "    NDP_PUT(SHIFT, (uint64_t)shift);\n");
    text_add(out, "#undef NDP_PUT\n}\n");
}

static void datasheet(const struct gen_job *job, struct text *out) {
    struct prefetch_local p = prefetch_local(&job->config);
    struct layout l = layout_of(&p);
    int told = p.ADDR_W + p.SIZE_W + 2 * p.STRIDE_W;
    text_add(out, "## Entry of the information table\n\n");
    layout_table(&l, out);
    text_printf(out,
                "\n%d bits. Start, size and the two strides take %d of them; "
                "the paper counts %d for\nthese (32 + 20 + 12 + 12) and names "
                "no bits for part, axis and divisor.\n\n",
                l.bits, told, PAPER_BITS);
}

const struct gen_block gen_prefetch = {"prefetch", names, header, datasheet};
