/* picture.c - a launch as SVG (picture.h).
 *
 * Time is cut into bins of whole cycles, two pixels wide or more.  Bars of
 * neighbouring bins that look alike are one rectangle, and all rectangles of a
 * colour one path, so that files stay small.
 */
#include "picture.h"

#include "base/array.h"

#include <inttypes.h>
#include <string.h>

enum {
    WIDTH = 1000,
    LEFT = 72,
    PLOT = WIDTH - LEFT - 18,
    BIN = 2, /* pixels of the narrowest bin */
    TOP = 62,
    BUSY = 40, /* height of the strip above the rows */
    HEAD = 15, /* of a slot: names of its CTAs */
    ROWS = 420,
    LEVELS = 4 /* heights of a bar */
};

/* --- what is told apart --------------------------------------------------- */

enum shade {
    INTEGER,
    FLOAT,
    GLOBAL,
    SHARED,
    ATOMIC,
    CROSS,
    CONTROL,
    BARRIER,
    SHADES,
    WAITS_MEMORY = SHADES,
    WAITS_BARRIER,
    LIVES,
    PATHS,
    NOTHING = PATHS
};

/* Where a bin has several, that with the largest sum of weights shows: the
 * common classes do not hide the rare ones. */
static const struct {
    const char *name, *colour, *doc;
    int weight;
} shades[PATHS] = {
    [INTEGER] = {"i", "#4e86e4", "integer", 1},
    [FLOAT] = {"f", "#00796b", "f32", 2},
    [GLOBAL] = {"g", "#ee8d31", "global memory", 3},
    [SHARED] = {"s", "#f2cf2e", "shared memory", 3},
    [ATOMIC] = {"a", "#7a0f4b", "atomic", 4},
    [CROSS] = {"x", "#c9a7f5", "between lanes", 3},
    [CONTROL] = {"c", "#8b949e", "control", 1},
    [BARRIER] = {"b", "#dc3b40", "barrier", 6},
    [WAITS_MEMORY] = {"w", "#f7dcbf", "waits for memory", 0},
    [WAITS_BARRIER] = {"v", "#f8ccd0", "waits at a barrier", 0},
    [LIVES] = {"l", "#edf0f3", "has lanes left", 0},
};

static enum shade shade_of(const struct isa_word *w) {
    if (!w)
        return CONTROL;
    if (w->op == ISA_bar || w->op == ISA_membar)
        return BARRIER;
    switch (isa_info(w->op)->class) {
    case ISA_CLASS_control:
        return CONTROL;
    case ISA_CLASS_f32:
        return FLOAT;
    case ISA_CLASS_global:
        return GLOBAL;
    case ISA_CLASS_shared:
        return SHARED;
    case ISA_CLASS_atomic:
        return ATOMIC;
    case ISA_CLASS_cross:
        return CROSS;
    default:
        return INTEGER;
    }
}

struct bin {
    uint16_t weight[SHADES];
    uint32_t lanes, of; /* active, and how many could have been */
    uint8_t under;      /* what the warp does between: a shade */
};

struct drawing {
    const struct retire_trace *t;
    const struct retire_launch *l;
    struct text *out;
    int slots;       /* CTA slots that were used: the lowest ones */
    uint64_t cycles; /* that the picture shows */
    uint64_t step;   /* cycles of a bin */
    int n, px;       /* bins, pixels of one */
    int rows, row;   /* warps, height of one */
    struct bin *bins;
    uint32_t *busy; /* passes by bin */
    uint64_t instructions, lanes;
};

static struct bin *bin_at(const struct drawing *g, int warp, uint64_t cycle) {
    return &g->bins[(size_t)warp * (size_t)g->n + cycle / g->step];
}

/* --- from passes to bins -------------------------------------------------- */

static void measure(struct drawing *g) {
    const struct retire_launch *l = g->l;
    g->cycles = l->n ? l->passes[l->n - 1].cycle + 1 : 1;
    g->step = (g->cycles + PLOT / BIN - 1) / (PLOT / BIN);
    g->n = (int)((g->cycles + g->step - 1) / g->step);
    g->px = PLOT / g->n;
    g->slots = 1;
    for (int i = 0; i < l->n; i++) {
        int slot = l->passes[i].warp / l->warps;
        if (slot >= g->slots && slot < l->resident)
            g->slots = slot + 1;
    }
    g->rows = l->warps * g->slots;
    g->row = ROWS / g->rows;
    g->row = g->row > 26 ? 26 : g->row < 7 ? 7 : g->row;
    g->bins = xcalloc((size_t)g->rows * (size_t)g->n, sizeof *g->bins);
    g->busy = xcalloc((size_t)g->n, sizeof *g->busy);
}

/* Bins behind the one of from, up to that of to. */
static void fill_under(struct drawing *g, int warp, uint64_t from, uint64_t to,
                       enum shade under) {
    for (uint64_t n = from / g->step; n <= to / g->step; n++) {
        struct bin *b = bin_at(g, warp, n * g->step);
        if (b->under == NOTHING || n > from / g->step)
            b->under = (uint8_t)under;
    }
}

/* What each warp was doing when its next pass came. */
struct watch {
    uint64_t last;
    bool lives, at_barrier;
    int due;        /* passes of loads without result */
    uint32_t lanes; /* that have not ended */
};

static enum shade waiting(const struct watch *w) {
    return w->at_barrier ? WAITS_BARRIER : w->due ? WAITS_MEMORY : LIVES;
}

static void watch_pass(struct drawing *g, struct watch *w,
                       const struct retire_pass *p) {
    const struct isa_word *word = retire_word(g->l->kernel, p->pc);
    uint32_t lanes = p->mask << p->pass * g->t->alus;
    if (p->what == RETIRE_START && !w->lives) {
        *w = (struct watch){.lives = true};
    } else if (w->lives) {
        fill_under(g, p->warp, w->last, p->cycle, waiting(w));
    }
    w->last = p->cycle;
    if (p->what == RETIRE_START)
        w->lanes |= lanes;
    else if (p->what == RETIRE_RESULT)
        w->due -= w->due > 0;
    else
        w->due += p->result >= 0;
    if (p->what == RETIRE_INSTRUCTION) {
        w->at_barrier = word && word->op == ISA_bar;
        if (word && word->op == ISA_exit)
            w->lanes &= ~lanes;
    }
    w->lives = w->lanes || w->due;
}

static void gather(struct drawing *g) {
    struct watch *watches = xcalloc(RETIRE_MAX_WARPS, sizeof *watches);
    for (int i = 0; i < g->rows * g->n; i++)
        g->bins[i].under = NOTHING;
    for (int i = 0; i < g->l->n; i++) {
        const struct retire_pass *p = &g->l->passes[i];
        g->busy[p->cycle / g->step]++;
        if (p->warp >= g->rows)
            continue;
        enum shade s = p->what == RETIRE_START
                           ? INTEGER
                           : shade_of(retire_word(g->l->kernel, p->pc));
        struct bin *b = bin_at(g, p->warp, p->cycle);
        uint32_t active = (uint32_t)__builtin_popcount(p->mask);
        if (b->weight[s] < UINT16_MAX - 8)
            b->weight[s] += (uint16_t)shades[s].weight;
        b->lanes += active;
        b->of += (uint32_t)g->t->alus;
        if (p->what == RETIRE_INSTRUCTION) {
            g->instructions += p->pass == 0;
            g->lanes += active;
        }
        watch_pass(g, &watches[p->warp], p);
    }
    free(watches);
}

/* --- rows ----------------------------------------------------------------- */

static int row_y(const struct drawing *g, int warp) {
    return TOP + BUSY + 14 + (warp / g->l->warps + 1) * HEAD + warp * g->row;
}

static int bin_x(const struct drawing *g, int n) {
    return LEFT + n * g->px;
}

static enum shade shows(const struct bin *b) {
    enum shade best = NOTHING;
    uint16_t most = 0;
    for (int s = 0; s < SHADES; s++)
        if (b->weight[s] > most) {
            most = b->weight[s];
            best = (enum shade)s;
        }
    return best;
}

/* 1 to LEVELS. */
static int level(const struct bin *b) {
    int n = b->of ? (int)((LEVELS * b->lanes + b->of - 1) / b->of) : 1;
    return n < 1 ? 1 : n;
}

static void rectangle(struct text *path, int x, int y, int width, int height) {
    text_printf(path, "M%d %dh%dv%dh-%dz", x, y, width, height, width);
}

static void draw_under(const struct drawing *g, int warp, struct text *paths) {
    const struct bin *b = bin_at(g, warp, 0);
    for (int n = 0, end; n < g->n; n = end) {
        for (end = n + 1; end < g->n && b[end].under == b[n].under;)
            end++;
        if (b[n].under != NOTHING)
            rectangle(&paths[b[n].under], bin_x(g, n), row_y(g, warp),
                      (end - n) * g->px, g->row - 1);
    }
}

static void draw_bars(const struct drawing *g, int warp, struct text *paths) {
    const struct bin *b = bin_at(g, warp, 0);
    int room = g->row - 1;
    for (int n = 0, end; n < g->n; n = end) {
        enum shade s = shows(&b[n]);
        int height = (level(&b[n]) * room + LEVELS - 1) / LEVELS;
        for (end = n + 1; end < g->n && shows(&b[end]) == s &&
                          level(&b[end]) == level(&b[n]);)
            end++;
        if (s != NOTHING)
            rectangle(&paths[s], bin_x(g, n), row_y(g, warp) + room - height,
                      (end - n) * g->px, height);
    }
}

static void draw_rows(const struct drawing *g) {
    struct text paths[PATHS] = {0};
    static const int order[PATHS] = {
        LIVES,  WAITS_MEMORY, WAITS_BARRIER, CONTROL, INTEGER, FLOAT,
        GLOBAL, SHARED,       ATOMIC,        CROSS,   BARRIER};
    for (int warp = 0; warp < g->rows; warp++) {
        draw_under(g, warp, paths);
        draw_bars(g, warp, paths);
    }
    for (int i = 0; i < PATHS; i++) {
        const struct text *p = &paths[order[i]];
        if (p->len)
            text_printf(g->out, "<path class=\"%s\" d=\"%s\"/>\n",
                        shades[order[i]].name, text_str(p));
    }
    for (int i = 0; i < PATHS; i++)
        text_free(&paths[i]);
}

/* --- names, CTAs, axis ---------------------------------------------------- */

static void label(const struct drawing *g, int x, int y, const char *class,
                  const char *words) {
    text_printf(g->out, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    for (const char *c = words; *c; c++) {
        unsigned char u = (unsigned char)*c;
        if (u == '<' || u == '>' || u == '&' || u < ' ' || u > '~')
            text_printf(g->out, "&#%d;", u < ' ' ? '?' : u);
        else
            text_addc(g->out, *c);
    }
    text_add(g->out, "</text>\n");
}

static void draw_names(const struct drawing *g) {
    struct text t = {0};
    int every = g->row >= 11 ? 1 : g->row >= 8 ? 2 : 4;
    for (int warp = 0; warp < g->rows; warp += every) {
        t.len = 0;
        text_printf(&t, "warp %d", warp);
        label(g, LEFT - 8, row_y(g, warp) + (g->row + 7) / 2, "m e",
              text_str(&t));
    }
    text_free(&t);
}

/* Where each CTA begins, over the rows of its slot. */
static void draw_ctas(const struct drawing *g) {
    struct text t = {0}, lines = {0};
    for (int slot = 0; slot < g->slots; slot++) {
        int warp = slot * g->l->warps, last = INT32_MIN / 2;
        for (int i = 0; i < g->l->n; i++) {
            const struct retire_pass *p = &g->l->passes[i];
            if (p->warp != warp || p->what != RETIRE_START || p->pass)
                continue;
            int x = bin_x(g, (int)(p->cycle / g->step));
            text_printf(&lines, "M%d %dv%d", x, row_y(g, warp) - HEAD + 3,
                        HEAD - 4 + g->l->warps * g->row);
            if (x - last < 48)
                continue;
            last = x;
            t.len = 0;
            text_printf(&t, "CTA %d", p->cta);
            label(g, x + 4, row_y(g, warp) - 4, "m", text_str(&t));
        }
    }
    if (lines.len)
        text_printf(g->out, "<path class=\"r\" d=\"%s\"/>\n", text_str(&lines));
    text_free(&lines);
    text_free(&t);
}

static int bottom(const struct drawing *g) {
    return row_y(g, g->rows - 1) + g->row + 4;
}

/* About ten ticks at 1, 2 or 5 times a power of ten. */
static void draw_axis(const struct drawing *g) {
    uint64_t step = 1;
    for (int i = 0; g->cycles / step > 11; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    int y = bottom(g);
    struct text t = {0}, lines = {0};
    text_printf(&lines, "M%d %dh%d", LEFT, y, g->n * g->px);
    for (uint64_t at = 0; at < g->cycles; at += step) {
        int x = LEFT + (int)(at * (uint64_t)g->px / g->step);
        text_printf(&lines, "M%d %dv5", x, y);
        t.len = 0;
        text_printf(&t, "%" PRIu64, at);
        label(g, x, y + 18, "m k", text_str(&t));
    }
    text_printf(g->out, "<path class=\"r\" d=\"%s\"/>\n", text_str(&lines));
    label(g, LEFT - 8, y + 18, "m e", "cycle");
    text_free(&lines);
    text_free(&t);
}

/* Passes that retired, a share of the cycles of each bin. */
static void draw_busy(const struct drawing *g) {
    int base = TOP + BUSY;
    text_printf(g->out, "<path class=\"u\" d=\"M%d %d", LEFT, base);
    int before = 0;
    for (int n = 0; n < g->n; n++) {
        int height = (int)((uint64_t)g->busy[n] * BUSY / g->step);
        height = height > BUSY ? BUSY : height;
        if (height != before)
            text_printf(g->out, "H%dv%d", bin_x(g, n), before - height);
        before = height;
    }
    text_printf(g->out, "H%dV%dz\"/>\n", bin_x(g, g->n), base);
    text_printf(g->out, "<path class=\"r\" d=\"M%d %dh%d\"/>\n", LEFT, base,
                g->n * g->px);
    label(g, LEFT - 8, TOP + BUSY / 2 - 8, "m e", "pipe");
    label(g, LEFT - 8, TOP + BUSY / 2 + 5, "m e", "busy,");
    label(g, LEFT - 8, TOP + BUSY / 2 + 18, "m e", "0-100 %");
}

/* --- head and legend ------------------------------------------------------ */

static void draw_title(const struct drawing *g) {
    const struct retire_launch *l = g->l;
    const struct retire_trace *t = g->t;
    struct text s = {0};
    unsigned threads = l->block[0] * l->block[1] * l->block[2];
    text_printf(&s, "%s", l->kernel->name);
    label(g, LEFT, 26, "h", text_str(&s));
    s.len = 0;
    text_printf(
        &s,
        "%u CTAs of %u threads on %d warps of %d lanes, %d of them at a "
        "time. "
        "%" PRIu64 " cycles, %" PRIu64 " instructions",
        (unsigned)(l->grid[0] * l->grid[1] * l->grid[2]), threads, t->warps,
        t->lanes, t->alus, g->cycles, g->instructions);
    if (g->instructions)
        text_printf(&s, ", %" PRIu64 " %% of their lanes active",
                    100 * g->lanes / (g->instructions * (uint64_t)t->lanes));
    label(g, LEFT, 46, "m", text_str(&s));
    s.len = 0;
    if (l->end == RETIRE_FAULT)
        text_printf(&s, "fault: warp %d, word %d", l->fault_warp, l->fault_pc);
    else if (l->end == RETIRE_STOPPED)
        text_add(&s, "stopped");
    if (s.len)
        label(g, WIDTH - 18, 26, "z e", text_str(&s));
    text_free(&s);
}

static void draw_legend(const struct drawing *g) {
    int x = LEFT, y = bottom(g) + 36;
    for (int s = 0; s < PATHS; s++) {
        int width = 26 + (int)strlen(shades[s].doc) * 7 + 14;
        if (x + width > WIDTH || s == WAITS_MEMORY) {
            x = LEFT;
            y += 18;
        }
        text_printf(g->out, "<path class=\"%s\" d=\"M%d %dh16v11h-16z\"/>\n",
                    shades[s].name, x, y);
        label(g, x + 21, y + 10, "m", shades[s].doc);
        x += width;
    }
    x += 10;
    for (int n = 1; n <= LEVELS; n++)
        text_printf(g->out, "<path class=\"i\" d=\"M%d %dh6v%dh-6z\"/>\n",
                    x + 7 * n, y + 12 - 3 * n, 3 * n);
    label(g, x + 7 * LEVELS + 14, y + 10, "m",
          "height: share of the lanes that were active");
}

static void draw_style(const struct drawing *g) {
    text_add(g->out, "<style>\n"
                     "text{fill:#24292f}.h{font-size:17px;font-weight:600}"
                     ".m{fill:#57606a}.e{text-anchor:end}"
                     ".k{text-anchor:middle}.z{fill:#dc3b40}\n"
                     ".bg{fill:#fff}.r{fill:none;stroke:#8b949e}"
                     ".u{fill:#b6c2cf}\n");
    for (int s = 0; s < PATHS; s++)
        text_printf(g->out, ".%s{fill:%s}", shades[s].name, shades[s].colour);
    text_add(g->out, "\n@media (prefers-color-scheme:dark){"
                     "text{fill:#e6edf3}.m{fill:#9aa4af}.z{fill:#ff7b72}"
                     ".bg{fill:#0d1117}.u{fill:#46515e}.l{fill:#1c222a}"
                     ".w{fill:#4d3519}.v{fill:#54242a}}\n</style>\n");
}

void retire_picture(const struct retire_trace *t, const struct retire_launch *l,
                    struct text *out) {
    struct drawing g = {.t = t, .l = l, .out = out};
    measure(&g);
    gather(&g);
    int height = bottom(&g) + 78;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"Helvetica, "
                "Arial, sans-serif\" font-size=\"12\">\n",
                WIDTH, height, WIDTH, height);
    text_add(out, "<title>What the warps of a machine did over time</title>\n");
    draw_style(&g);
    text_printf(out, "<rect class=\"bg\" width=\"%d\" height=\"%d\"/>\n", WIDTH,
                height);
    draw_title(&g);
    draw_busy(&g);
    draw_rows(&g);
    draw_ctas(&g);
    draw_names(&g);
    draw_axis(&g);
    draw_legend(&g);
    text_add(out, "</svg>\n");
    free(g.bins);
    free(g.busy);
}
