/* prefetch.c - what the pattern-aware prefetcher adds: the layout of an entry
 * of its information table, for the templates, the C header and the data sheet,
 * and a C function that fills an entry from plain numbers.
 *
 * Fields and formulas are those of docs/blocks/prefetch.md ("The walk",
 * "Information table"); IP-NDP, section 3.3.
 */
#include "blocks.h"

#include "layout.h"
#include "blocks/prefetch.h"

#include <ctype.h>

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
    "/* The walk of one core over its part of an image.  Numbers in bytes,\n"
    " * but for the rows. */\n"
    "struct @walk {\n"
    "    uint64_t start;      /* address of the image */\n"
    "    uint64_t size;       /* bytes of the image: pitch times rows */\n"
    "    uint64_t pitch;      /* from one row to the next, 1 or more */\n"
    "    uint64_t x_lo, x_hi; /* part: x_lo <= x < x_hi, in bytes */\n"
    "    uint64_t y_lo, y_hi; /* y_lo <= y < y_hi, in rows */\n"
    "    uint64_t block_w;    /* threads of a block along x */\n"
    "    uint64_t block_h;    /* along y; 0: the blocks stay in their rows\n"
    "                          * and begin again at x_lo (axis 0 only) */\n"
    "    uint64_t element;    /* bytes of a thread's element */\n"
    "    int axis;            /* 0 along x, 1 along y */\n"
    "    int printed;         /* stride at the turn as the paper prints it,\n"
    "                          * not the exact one */\n"
    "};\n"
    "\n"
    "static inline int @fits(uint64_t value, int width) {\n"
    "    return value >> width == 0;\n"
    "}\n"
    "\n"
    "/* The same of a number below 0 or above, in two's complement. */\n"
    "static inline int @fits_signed(uint64_t value, int width) {\n"
    "    return @fits(value + (UINT64_C(1) << (width - 1)), width);\n"
    "}\n"
    "\n"
    "/* Blocks between the first and the last of a length. */\n"
    "static inline uint64_t @steps(uint64_t lo, uint64_t hi, uint64_t block) "
    "{\n"
    "    return hi > lo ? (hi - lo - 1) / block : 0;\n"
    "}\n"
    "\n"
    "/* Stride at the end of a row or column of blocks. */\n"
    "static inline uint64_t @modified(const struct @walk *w) {\n"
    "    uint64_t bx = w->block_w * w->element, by = w->block_h * w->pitch;\n"
    "    if (w->printed)\n"
    "        return bx + by;\n"
    "    if (w->axis)\n"
    "        return bx - @steps(w->y_lo, w->y_hi, w->block_h) * by;\n"
    "    return by - @steps(w->x_lo, w->x_hi, bx) * bx;\n"
    "}\n"
    "\n"
    "/* Begin of the last block on the axis. */\n"
    "static inline uint64_t @last(const struct @walk *w) {\n"
    "    uint64_t bx = w->block_w * w->element, by = w->block_h;\n"
    "    if (w->printed)\n"
    "        return 0;\n"
    "    if (w->axis)\n"
    "        return w->y_lo + @steps(w->y_lo, w->y_hi, by) * by;\n"
    "    return w->x_lo + @steps(w->x_lo, w->x_hi, bx) * bx;\n"
    "}\n"
    "\n"
    "static inline int @strides_fit(const struct @walk *w) {\n"
    "    uint64_t most = UINT64_C(1) << 48; /* more than any stride */\n"
    "    if (w->block_w > most / w->element || w->block_h > most / w->pitch)\n"
    "        return 0;\n"
    "    uint64_t bx = w->block_w * w->element, by = w->block_h * w->pitch;\n"
    "    return @fits_signed(w->axis ? by : bx, $STRIDE_W) &&\n"
    "           @fits_signed(@modified(w), $STRIDE_W);\n"
    "}\n"
    "\n"
    "/* What of a walk an entry cannot hold; a null pointer if it holds all. "
    "*/\n"
    "static inline const char *@problem(const struct @walk *w) {\n"
    "    if (!w->pitch || !w->block_w || !w->element || (w->axis && "
    "!w->block_h))\n"
    "        return \"a pitch or block of 0\";\n"
    "    if (!@fits(w->start, $ADDR_W))\n"
    "        return \"its address (prefetch.address_bits)\";\n"
    "    if (!@fits(w->size, $SIZE_W))\n"
    "        return \"its size (prefetch.size_bits)\";\n"
    "    if (w->pitch > UINT64_C(1) << $PITCH_W)\n"
    "        return \"its row pitch (prefetch.pitch_bits)\";\n"
    "    if (!@fits((w->size - (w->size != 0)) / w->pitch, $ROW_W) ||\n"
    "        !@fits(w->y_hi, $ROW_W))\n"
    "        return \"its rows (prefetch.row_bits)\";\n"
    "    if (w->x_hi > w->pitch || w->x_lo > w->x_hi || w->y_lo > w->y_hi)\n"
    "        return \"a part that lies outside\";\n"
    "    if (!@strides_fit(w))\n"
    "        return \"its strides (prefetch.size_bits)\";\n";

static const char power_of_two[] = "    if (w->pitch & (w->pitch - 1))\n"
                                   "        return \"a row pitch that is no "
                                   "power of two (prefetch.divider)\";\n";

static const char entry_listing[] =
    "    return 0;\n"
    "}\n"
    "\n"
    "/* Put the low width bits of value at bit lsb of an entry. */\n"
    "static inline void @put(uint32_t *entry, int lsb, int width, uint64_t "
    "value) {\n"
    "    for (int i = 0; i < width; i++)\n"
    "        if (value >> i & 1)\n"
    "            entry[(lsb + i) / 32] |= UINT32_C(1) << (lsb + i) % 32;\n"
    "}\n"
    "\n"
    "/* Fill an entry, $ENTRY_WORDS words, bit 0 first, for\n"
    " * load_entry.  Returns a null pointer, or, if the block cannot hold the "
    "walk,\n"
    " * what of it, as the end of \"... cannot be held: \"; the entry is zero "
    "then,\n"
    " * which is no image. */\n"
    "static inline const char *@entry(uint32_t *entry, const struct @walk *w) "
    "{\n"
    "    const char *problem = @problem(w);\n"
    "    for (int i = 0; i < $ENTRY_WORDS; i++)\n"
    "        entry[i] = 0;\n"
    "    if (problem)\n"
    "        return problem;\n"
    "    uint64_t bx = w->block_w * w->element, by = w->block_h * w->pitch;\n"
    "    int shift = 0;\n"
    "    while (UINT64_C(1) << shift < w->pitch)\n"
    "        shift++;\n";

static const char scale_reciprocal[] =
    "    int k = $SIZE_W + shift;\n"
    "    uint64_t scale = ((UINT64_C(1) << k) + w->pitch - 1) / w->pitch;\n";

static const char scale_one[] = "    uint64_t scale = 1;\n";

static const char fill_listing[] =
    "#define NDP_PUT(field, value) \\\n"
    "    @put(entry, $ENTRY_##field##_LSB, $ENTRY_##field##_W, value)\n"
    "    NDP_PUT(VALID, 1);\n"
    "    NDP_PUT(AXIS, w->axis ? 1 : 0);\n"
    "    NDP_PUT(START, w->start);\n"
    "    NDP_PUT(SIZE, w->size);\n"
    "    NDP_PUT(BASE, w->axis ? by : bx);\n"
    "    NDP_PUT(MODIFIED, @modified(w));\n"
    "    NDP_PUT(Y_LO, w->y_lo);\n"
    "    NDP_PUT(Y_HI, w->y_hi);\n"
    "    NDP_PUT(Y_TURN, w->y_hi > w->block_h ? w->y_hi - w->block_h : 0);\n"
    "    NDP_PUT(X_LO, w->x_lo * scale);\n"
    "    NDP_PUT(X_HI, w->x_hi * scale);\n"
    "    NDP_PUT(X_TURN, w->x_hi > bx ? (w->x_hi - bx) * scale : 0);\n"
    "    NDP_PUT(LAST, w->axis ? @last(w) : @last(w) * scale);\n";

static void add_function(const struct prefetch_local *p, const char *macro,
                         struct text *out) {
    add_listing(out, macro, walk_listing);
    if (!p->RECIPROCAL && !p->ITERATIVE)
        add_listing(out, macro, power_of_two);
    add_listing(out, macro, entry_listing);
    add_listing(out, macro, p->RECIPROCAL ? scale_reciprocal : scale_one);
    add_listing(out, macro, fill_listing);
    if (p->RECIPROCAL)
        text_add(out, "    NDP_PUT(MULT, scale);\n");
    if (p->ITERATIVE)
        text_add(out, "    NDP_PUT(PITCH, w->pitch);\n");
    else
        text_add(out, "    NDP_PUT(SHIFT, (uint64_t)shift);\n");
    text_add(out, "#undef NDP_PUT\n    return 0;\n}\n");
}

static void header(const struct gen_job *job, const char *macro,
                   struct text *out) {
    struct prefetch_local p = prefetch_local(&job->config);
    struct layout l = layout_of(&p);
    text_add(out, "\n/* Entry of the information table: lowest bit and bits of "
                  "each field. */\n");
    layout_header(&l, macro, out);
    add_function(&p, macro, out);
}

static void datasheet(const struct gen_job *job, struct text *out) {
    struct prefetch_local p = prefetch_local(&job->config);
    struct layout l = layout_of(&p);
    text_add(out, "## Entry of the information table\n\n");
    layout_table(&l, out);
    text_printf(out,
                "\n%d bits. The paper gives bits for start, size and the two "
                "strides, none for part, axis\nand divisor.\n\n",
                l.bits);
}

const struct gen_block gen_prefetch = {"prefetch", names, header, datasheet};
