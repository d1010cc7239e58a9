/* picture.c - one lookup as SVG: mesh to the left, legend to the right.
 *
 * The paths of load a are shifted a little up and left, those of load b down
 * and right, so that both show where they share links.
 */
#include "picture.h"

#include <stdbool.h>

#define INK "#24292f"
#define FAINT "#d8dee4"
#define MUTED "#57606a"
#define COLOUR_A "#0a4a9e"
#define COLOUR_B "#d55e00"
#define MEET "#009e73"
#define MEMORY "#eaeef2"

enum { MARGIN = 16, LEGEND_WIDTH = 256, LEGEND_HEIGHT = 330, ROW = 28 };

struct drawing {
    const struct emn_mesh *m;
    const struct emn_chain *k;
    struct text *out;
    int pitch;  /* from node to node */
    int radius; /* of a node */
    bool small; /* too small for numbers in every node */
    bool common[EMN_MAX_SIDE * EMN_MAX_SIDE];
    int meet; /* -1: none */
};

static int node_x(const struct drawing *g, int node) {
    return MARGIN + g->pitch / 2 + g->pitch * (node % g->m->width);
}

static int node_y(const struct drawing *g, int node) {
    return MARGIN + g->pitch / 2 + g->pitch * (node / g->m->width);
}

/* --- what the paths share ------------------------------------------------ */

static void find_common(struct drawing *g) {
    for (int pair = 0; pair < 4; pair++) {
        struct emn_path a = emn_path(g->m, g->k->core, g->k->a, pair / 2);
        struct emn_path b = emn_path(g->m, g->k->core, g->k->b, pair % 2);
        for (int i = 1; i < a.n; i++)
            for (int j = 1; j < b.n; j++)
                if (a.node[i] == b.node[j])
                    g->common[a.node[i]] = true;
    }
}

/* --- the mesh ------------------------------------------------------------ */

static void draw_links(const struct drawing *g) {
    int last = g->m->width * g->m->height - 1;
    text_add(g->out, "<g stroke=\"" FAINT "\" stroke-width=\"1.5\">\n");
    for (int y = 0; y < g->m->height; y++) {
        int left = y * g->m->width;
        text_printf(g->out, "<path d=\"M%d %dH%d\"/>\n", node_x(g, 0),
                    node_y(g, left), node_x(g, last));
    }
    for (int x = 0; x < g->m->width; x++)
        text_printf(g->out, "<path d=\"M%d %dV%d\"/>\n", node_x(g, x),
                    node_y(g, 0), node_y(g, last));
    text_add(g->out, "</g>\n");
}

/* A path from the core to the memory; only its corner and ends are points. */
static void draw_path(const struct drawing *g, int to, enum emn_order order,
                      int shift) {
    struct emn_path p = emn_path(g->m, g->k->core, to, order);
    text_add(g->out, "<path d=\"");
    for (int i = 0; i < p.n; i++) {
        bool corner = i > 0 && i < p.n - 1 &&
                      p.node[i + 1] - p.node[i] != p.node[i] - p.node[i - 1];
        if (i == 0 || i == p.n - 1 || corner)
            text_printf(g->out, "%c%d %d", i ? 'L' : 'M',
                        node_x(g, p.node[i]) + shift,
                        node_y(g, p.node[i]) + shift);
    }
    text_printf(g->out, "\"%s/>\n",
                order == EMN_YX ? " stroke-dasharray=\"7 5\"" : "");
}

static void draw_paths(const struct drawing *g, int to, const char *colour,
                       int shift) {
    const struct emn_mesh *m = g->m;
    bool straight = to % m->width == g->k->core % m->width ||
                    to / m->width == g->k->core / m->width;
    text_printf(g->out,
                "<g fill=\"none\" stroke=\"%s\" stroke-width=\"3\" "
                "stroke-linejoin=\"round\">\n",
                colour);
    if (!straight)
        draw_path(g, to, EMN_YX, shift);
    draw_path(g, to, EMN_XY, shift);
    text_add(g->out, "</g>\n");
}

/* Text in the middle of a node. */
static void label(const struct drawing *g, int x, int y, const char *colour,
                  const char *name, int node) {
    text_printf(g->out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">",
                x, y + 4, colour);
    if (name)
        text_printf(g->out,
                    "<tspan font-weight=\"bold\" font-size=\"11\">%s</tspan>",
                    name);
    else
        text_printf(g->out, "%d", node);
    text_add(g->out, "</text>\n");
}

/* A node's shape by what it is: memory a square, others round. */
static void draw_shape(const struct drawing *g, int x, int y, bool memory,
                       const char *style) {
    int r = g->radius;
    if (memory)
        text_printf(g->out,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                    "rx=\"3\" %s/>\n",
                    x - r, y - r, 2 * r, 2 * r, style);
    else
        text_printf(g->out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" %s/>\n", x, y,
                    r, style);
}

static void draw_node(const struct drawing *g, int node) {
    int x = node_x(g, node), y = node_y(g, node);
    bool memory = emn_mem_index(g->m, node) >= 0;
    bool core = node == g->k->core, meet = node == g->meet;
    bool a = node == g->k->a, b = node == g->k->b;
    const char *style =
        "fill=\"white\" stroke=\"" FAINT "\" stroke-width=\"1.5\"";
    const char *ink = MUTED;
    const char *name = core     ? "core"
                       : a && b ? "a, b"
                       : a      ? "a"
                       : b      ? "b"
                                : NULL;
    if (memory)
        style = "fill=\"" MEMORY "\" stroke=\"" MUTED "\" stroke-width=\"1.5\"";
    if (core)
        style = "fill=\"" INK "\" stroke=\"" INK "\" stroke-width=\"1.5\"";
    if (a || b)
        style = b ? "fill=\"" COLOUR_B "\" stroke=\"" COLOUR_B
                    "\" stroke-width=\"1.5\""
                  : "fill=\"" COLOUR_A "\" stroke=\"" COLOUR_A
                    "\" stroke-width=\"1.5\"";
    if (core || a || b)
        ink = "white";
    if (g->common[node] && !meet)
        style = memory ? "fill=\"" MEMORY "\" stroke=\"" MEET
                         "\" stroke-width=\"3\""
                       : "fill=\"white\" stroke=\"" MEET
                         "\" stroke-width=\"3\"";
    if (g->common[node] && !meet && (a || b))
        ink = INK;
    if (meet) {
        style = "fill=\"" MEET "\" stroke=\"" MEET "\" stroke-width=\"3\"";
        ink = "white";
    }
    draw_shape(g, x, y, memory, style);
    if (!g->small)
        label(g, x, y, ink, name, node);
}

/* --- legend -------------------------------------------------------------- */

static void line_key(const struct drawing *g, int x, int y, const char *colour,
                     bool dashed, const char *meaning) {
    text_printf(g->out,
                "<path d=\"M%d %dh36\" fill=\"none\" stroke=\"%s\" "
                "stroke-width=\"3\"%s/>\n",
                x, y, colour, dashed ? " stroke-dasharray=\"7 5\"" : "");
    text_printf(g->out, "<text x=\"%d\" y=\"%d\" fill=\"" INK "\">%s</text>\n",
                x + 48, y + 4, meaning);
}

static void node_key(struct drawing *g, int x, int y, bool memory,
                     const char *style, const char *meaning, int node) {
    int radius = g->radius;
    g->radius = 9;
    draw_shape(g, x + 18, y, memory, style);
    g->radius = radius;
    text_printf(g->out, "<text x=\"%d\" y=\"%d\" fill=\"" INK "\">%s", x + 48,
                y + 4, meaning);
    if (node >= 0)
        text_printf(g->out, " %d at (%d, %d)", node, node % g->m->width,
                    node / g->m->width);
    text_add(g->out, "</text>\n");
}

static void draw_legend(struct drawing *g, int x) {
    int y = MARGIN + 24;
    node_key(g, x, y, false, "fill=\"" INK "\"", "core", g->k->core);
    node_key(g, x, y += ROW, true, "fill=\"" COLOUR_A "\"",
             "memory of load a:", g->k->a);
    node_key(g, x, y += ROW, true, "fill=\"" COLOUR_B "\"",
             "memory of load b:", g->k->b);
    node_key(g, x, y += ROW, true,
             "fill=\"" MEMORY "\" stroke=\"" MUTED "\" stroke-width=\"1.5\"",
             "another memory", -1);
    line_key(g, x, y += ROW + 12, COLOUR_A, false, "to a, first along x");
    line_key(g, x, y += ROW, COLOUR_A, true, "to a, first along y");
    line_key(g, x, y += ROW, COLOUR_B, false, "to b, first along x");
    line_key(g, x, y += ROW, COLOUR_B, true, "to b, first along y");
    node_key(g, x, y += ROW + 12, false,
             "fill=\"white\" stroke=\"" MEET "\" stroke-width=\"3\"",
             "on a path to a and on one to b", -1);
    node_key(g, x, y += ROW, false, "fill=\"" MEET "\"",
             g->meet < 0 ? "no meet node" : "earliest meet node", g->meet);
}

/* --- all of it ----------------------------------------------------------- */

void emn_picture(const struct emn_mesh *m, const struct emn_chain *k,
                 struct text *out) {
    struct drawing g = {.m = m, .k = k, .out = out};
    int side = m->width > m->height ? m->width : m->height;
    g.pitch = side <= 10 ? 60 : side <= 16 ? 40 : 26;
    g.small = side > 16;
    g.radius = side <= 10 ? 18 : g.small ? 5 : 13;
    g.meet = emn_meet(m, k->core, k->a, k->b);
    find_common(&g);
    int mesh_width = 2 * MARGIN + g.pitch * m->width;
    int width = mesh_width + LEGEND_WIDTH;
    int height = 2 * MARGIN + g.pitch * m->height;
    if (height < LEGEND_HEIGHT)
        height = LEGEND_HEIGHT;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"Helvetica, "
                "Arial, sans-serif\" font-size=\"%d\">\n",
                width, height, width, height, 12);
    text_printf(out,
                "<title>Earliest meet node of core %d for memory nodes %d and "
                "%d in a %d x %d mesh</title>\n",
                k->core, k->a, k->b, m->width, m->height);
    text_printf(out, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
                width, height);
    draw_links(&g);
    draw_paths(&g, k->a, COLOUR_A, -3);
    draw_paths(&g, k->b, COLOUR_B, 3);
    for (int node = 0; node < m->width * m->height; node++)
        draw_node(&g, node);
    draw_legend(&g, mesh_width);
    text_add(out, "</svg>\n");
}
