/* heat.c - which part of the memory a launch touched, and when (report.h).
 *
 * A trace has the result of each instruction, so a lane's registers are known,
 * and with them the address of each access.
 */
#include "report.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 200,
    ROWS = 48,
    CELL = 4,
    LEFT = 90,
    TOP = 24,
    REGISTERS = 64
};

struct heat {
    uint64_t cycles;
    uint32_t low, high;
    bool any;
    uint32_t reads[ROWS][COLUMNS], writes[ROWS][COLUMNS];
};

struct lanes {
    uint32_t r[RETIRE_MAX_WARPS][REGISTERS][RETIRE_MAX_LANES];
};

static bool is_access(const struct isa_word *w) {
    return w && isa_info(w->op)->timing == ISA_TIMING_global &&
           (isa_has(w->op, 'm') || isa_has(w->op, 'n'));
}

/* Every access of the launch, lane by lane, to mark. */
static void each(const struct retire_trace *t, const struct retire_launch *l,
                 struct heat *h,
                 void (*mark)(struct heat *h, uint64_t cycle, uint32_t address,
                              bool writes)) {
    struct lanes *known = xcalloc(1, sizeof *known);
    struct retire_insn i;
    for (int at = 0; retire_next(t, l, at, &i); at = i.next) {
        const struct isa_word *w =
            i.what == RETIRE_START ? NULL : retire_word(l->kernel, i.pc);
        for (uint32_t rest = i.mask; rest && is_access(w); rest &= rest - 1)
            mark(h, i.cycle,
                 known->r[i.warp][w->a & (REGISTERS - 1)][__builtin_ctz(rest)] +
                     (isa_has(w->op, 'm') ? w->value : 0),
                 isa_has(w->op, 'c'));
        for (uint32_t rest = i.mask; rest && i.kind == RETIRE_REGISTER;
             rest &= rest - 1)
            known->r[i.warp][i.d & (REGISTERS - 1)][__builtin_ctz(rest)] =
                i.values[__builtin_ctz(rest)];
    }
    free(known);
}

static void bounds(struct heat *h, uint64_t cycle, uint32_t address,
                   bool writes) {
    (void)cycle, (void)writes;
    if (!h->any || address < h->low)
        h->low = address;
    if (!h->any || address > h->high)
        h->high = address;
    h->any = true;
}

static uint64_t row_bytes(const struct heat *h) {
    return ((uint64_t)h->high - h->low) / ROWS + 1;
}

static void count(struct heat *h, uint64_t cycle, uint32_t address,
                  bool writes) {
    uint64_t row = (address - h->low) / row_bytes(h);
    uint64_t column = cycle * COLUMNS / h->cycles;
    uint32_t *cell = writes ? &h->writes[row][column] : &h->reads[row][column];
    ++*cell;
}

static void draw(const struct heat *h, struct text *out) {
    uint32_t most = 1;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            if (h->reads[y][x] + h->writes[y][x] > most)
                most = h->reads[y][x] + h->writes[y][x];
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            uint32_t n = h->reads[y][x] + h->writes[y][x];
            if (n)
                text_printf(out,
                            "<rect x=\"%d\" y=\"%d\" width=\"%d\" "
                            "height=\"%d\" fill=\"%s\" opacity=\"%.2f\"/>\n",
                            LEFT + CELL * x, TOP + CELL * y, CELL, CELL,
                            h->writes[y][x] ? "#b3261e" : "#1f6feb",
                            0.25 + 0.75 * (double)n / (double)most);
        }
}

bool heat_picture(const struct retire_trace *t, const struct retire_launch *l,
                  struct text *out) {
    struct heat *h = xcalloc(1, sizeof *h);
    h->cycles = l->n ? l->passes[l->n - 1].cycle + 1 : 1;
    each(t, l, h, bounds);
    bool any = h->any;
    if (any) {
        int bottom = TOP + CELL * ROWS;
        each(t, l, h, count);
        text_printf(out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                    "height=\"%d\" viewBox=\"0 0 %d %d\" font-size=\"12\" "
                    "font-family=\"Helvetica, Arial, sans-serif\">\n",
                    LEFT + CELL * COLUMNS + 10, bottom + 24,
                    LEFT + CELL * COLUMNS + 10, bottom + 24);
        text_printf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                    "fill=\"#f6f8fa\" stroke=\"#d0d7de\"/>\n",
                    LEFT, TOP, CELL * COLUMNS, CELL * ROWS);
        text_printf(out,
                    "<text x=\"%d\" y=\"16\">%s: loads blue, stores and "
                    "atomics red; a row is %" PRIu64 " bytes</text>\n",
                    LEFT, l->kernel->name, row_bytes(h));
        text_printf(out, "<text x=\"4\" y=\"%d\">0x%" PRIx32 "</text>\n",
                    TOP + 12, h->low);
        text_printf(out, "<text x=\"4\" y=\"%d\">0x%" PRIx32 "</text>\n",
                    bottom, h->high);
        text_printf(
            out,
            "<text x=\"%d\" y=\"%d\">cycle 0</text>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%" PRIu64 "</text>\n",
            LEFT, bottom + 16, LEFT + CELL * COLUMNS, bottom + 16, h->cycles);
        draw(h, out);
        text_add(out, "</svg>\n");
    }
    free(h);
    return any;
}
