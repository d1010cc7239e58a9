//% -- functions begin with the macros' prefix in lower case
//% local mac = prefix:upper():gsub("[^A-Z0-9]", "_") .. "NDP_PREFETCH_"
//% local fn = mac:lower()
/* Entry of the information table: lowest bit and bits of each field. */
//% emit(layout(record.entry, mac .. "ENTRY_"))

/* The walk of one core over its part of an image.  Numbers in bytes,
 * but for the rows. */
struct ${fn}walk {
    uint64_t start;      /* address of the image */
    uint64_t size;       /* bytes of the image: pitch times rows */
    uint64_t pitch;      /* from one row to the next, 1 or more */
    uint64_t x_lo, x_hi; /* part: x_lo <= x < x_hi, in bytes */
    uint64_t y_lo, y_hi; /* y_lo <= y < y_hi, in rows */
    uint64_t block_w;    /* threads of a block along x */
    uint64_t block_h;    /* along y; 0: the blocks stay in their rows
                          * and begin again at x_lo (axis 0 only) */
    uint64_t element;    /* bytes of a thread's element */
    int axis;            /* 0 along x, 1 along y */
    int printed;         /* stride at the turn as the paper prints it,
                          * not the exact one */
};

static inline int ${fn}fits(uint64_t value, int width) {
    return value >> width == 0;
}

/* The same of a number below 0 or above, in two's complement. */
static inline int ${fn}fits_signed(uint64_t value, int width) {
    return ${fn}fits(value + (UINT64_C(1) << (width - 1)), width);
}

/* Blocks between the first and the last of a length. */
static inline uint64_t ${fn}steps(uint64_t lo, uint64_t hi, uint64_t block) {
    return hi > lo ? (hi - lo - 1) / block : 0;
}

/* Stride at the end of a row or column of blocks. */
static inline uint64_t ${fn}modified(const struct ${fn}walk *w) {
    uint64_t bx = w->block_w * w->element, by = w->block_h * w->pitch;
    if (w->printed)
        return bx + by;
    if (w->axis)
        return bx - ${fn}steps(w->y_lo, w->y_hi, w->block_h) * by;
    return by - ${fn}steps(w->x_lo, w->x_hi, bx) * bx;
}

/* Begin of the last block on the axis. */
static inline uint64_t ${fn}last(const struct ${fn}walk *w) {
    uint64_t bx = w->block_w * w->element, by = w->block_h;
    if (w->printed)
        return 0;
    if (w->axis)
        return w->y_lo + ${fn}steps(w->y_lo, w->y_hi, by) * by;
    return w->x_lo + ${fn}steps(w->x_lo, w->x_hi, bx) * bx;
}

static inline int ${fn}strides_fit(const struct ${fn}walk *w) {
    uint64_t most = UINT64_C(1) << 48; /* more than any stride */
    if (w->block_w > most / w->element || w->block_h > most / w->pitch)
        return 0;
    uint64_t bx = w->block_w * w->element, by = w->block_h * w->pitch;
    return ${fn}fits_signed(w->axis ? by : bx, ${mac}STRIDE_W) &&
           ${fn}fits_signed(${fn}modified(w), ${mac}STRIDE_W);
}

/* What of a walk an entry cannot hold; a null pointer if it holds all. */
static inline const char *${fn}problem(const struct ${fn}walk *w) {
    if (!w->pitch || !w->block_w || !w->element || (w->axis && !w->block_h))
        return "a pitch or block of 0";
    if (!${fn}fits(w->start, ${mac}ADDR_W))
        return "its address (prefetch.address_bits)";
    if (!${fn}fits(w->size, ${mac}SIZE_W))
        return "its size (prefetch.size_bits)";
    if (w->pitch > UINT64_C(1) << ${mac}PITCH_W)
        return "its row pitch (prefetch.pitch_bits)";
    if (!${fn}fits((w->size - (w->size != 0)) / w->pitch, ${mac}ROW_W) ||
        !${fn}fits(w->y_hi, ${mac}ROW_W))
        return "its rows (prefetch.row_bits)";
    if (w->x_hi > w->pitch || w->x_lo > w->x_hi || w->y_lo > w->y_hi)
        return "a part that lies outside";
    if (!${fn}strides_fit(w))
        return "its strides (prefetch.size_bits)";
//% if L.RECIPROCAL == 0 and L.ITERATIVE == 0 then
    if (w->pitch & (w->pitch - 1))
        return "a row pitch that is no power of two (prefetch.divider)";
//% end
    return 0;
}

/* Put the low width bits of value at bit lsb of an entry. */
static inline void ${fn}put(uint32_t *entry, int lsb, int width, uint64_t value) {
    for (int i = 0; i < width; i++)
        if (value >> i & 1)
            entry[(lsb + i) / 32] |= UINT32_C(1) << (lsb + i) % 32;
}

/* Fill an entry, ${mac}ENTRY_WORDS words, bit 0 first, for
 * load_entry.  Returns a null pointer, or, if the block cannot hold the walk,
 * what of it, as the end of "... cannot be held: "; the entry is zero then,
 * which is no image. */
static inline const char *${fn}entry(uint32_t *entry, const struct ${fn}walk *w) {
    const char *problem = ${fn}problem(w);
    for (int i = 0; i < ${mac}ENTRY_WORDS; i++)
        entry[i] = 0;
    if (problem)
        return problem;
    uint64_t bx = w->block_w * w->element, by = w->block_h * w->pitch;
    int shift = 0;
    while (UINT64_C(1) << shift < w->pitch)
        shift++;
//% if L.RECIPROCAL == 1 then
    int k = ${mac}SIZE_W + shift;
    uint64_t scale = ((UINT64_C(1) << k) + w->pitch - 1) / w->pitch;
//% else
    uint64_t scale = 1;
//% end
#define NDP_PUT(field, value) \
    ${fn}put(entry, ${mac}ENTRY_##field##_LSB, ${mac}ENTRY_##field##_W, value)
    NDP_PUT(VALID, 1);
    NDP_PUT(AXIS, w->axis ? 1 : 0);
    NDP_PUT(START, w->start);
    NDP_PUT(SIZE, w->size);
    NDP_PUT(BASE, w->axis ? by : bx);
    NDP_PUT(MODIFIED, ${fn}modified(w));
    NDP_PUT(Y_LO, w->y_lo);
    NDP_PUT(Y_HI, w->y_hi);
    NDP_PUT(Y_TURN, w->y_hi > w->block_h ? w->y_hi - w->block_h : 0);
    NDP_PUT(X_LO, w->x_lo * scale);
    NDP_PUT(X_HI, w->x_hi * scale);
    NDP_PUT(X_TURN, w->x_hi > bx ? (w->x_hi - bx) * scale : 0);
    NDP_PUT(LAST, w->axis ? ${fn}last(w) : ${fn}last(w) * scale);
//% if L.RECIPROCAL == 1 then
    NDP_PUT(MULT, scale);
//% end
//% if L.ITERATIVE == 1 then
    NDP_PUT(PITCH, w->pitch);
//% else
    NDP_PUT(SHIFT, (uint64_t)shift);
//% end
#undef NDP_PUT
    return 0;
}
