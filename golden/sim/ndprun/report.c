/* report.c - see report.h.
 *
 * Pictures of warps and memory are SVG files inside of the page (data:), so
 * their styles do not meet.  A run stands between two comments, by which
 * another page takes it over.
 */
#include "report.h"

#include "base/outfile.h"
#include "sim/retire/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAUNCHES = 8 }; /* that are drawn */

static const char begin_run[] = "<!-- run -->\n",
                  end_run[] = "<!-- end of run -->\n";
static const struct place nowhere;

void report_escape(struct text *out, const char *s) {
    for (; *s; s++)
        switch (*s) {
        case '&':
            text_add(out, "&amp;");
            break;
        case '<':
            text_add(out, "&lt;");
            break;
        case '"':
            text_add(out, "&quot;");
            break;
        default:
            text_printf(out, "%c", *s);
        }
}

static const char *string(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static long long number(const json_t *o, const char *key) {
    return json_integer_value(json_object_get(o, key));
}

/* --- tables --------------------------------------------------------------- */

static void add_buffers(struct text *out, const json_t *buffers) {
    size_t i;
    json_t *b;
    text_add(out, "<h3>Buffers</h3>\n<table><tr><th>buffer<th>elements"
                  "<th>checked<th>wrong<th>checksum</tr>\n");
    json_array_foreach(buffers, i, b) {
        text_add(out, "<tr><td>");
        report_escape(out, string(b, "name"));
        text_printf(out, "<td>%lld", number(b, "count"));
        if (json_is_true(json_object_get(b, "checked")))
            text_printf(out, "<td>%lld<td>%lld", number(b, "compared"),
                        number(b, "wrong"));
        else
            text_add(out, "<td>–<td>–");
        text_printf(out, "<td><code>%s</code></tr>\n", string(b, "checksum"));
    }
    text_add(out, "</table>\n");
}

static void add_counters(struct text *out, const char *title,
                         json_t *counters) {
    const char *key;
    json_t *value;
    if (json_object_size(counters) == 0)
        return;
    text_printf(out, "<h3>%s</h3>\n<table>\n", title);
    json_object_foreach(counters, key, value) {
        text_add(out, "<tr><th>");
        report_escape(out, key);
        text_printf(out, "<td>%lld</tr>\n",
                    (long long)json_integer_value(value));
    }
    text_add(out, "</table>\n");
}

/* --- where the cycles went ------------------------------------------------ */

static void add_part(struct text *bar, struct text *rows, const char *class,
                     const char *name, long long n, long long all) {
    double share = all ? 100.0 * (double)n / (double)all : 0;
    text_printf(bar, "<i class=\"%s\" style=\"width:%.2f%%\" title=\"%s\"></i>",
                class, share, name);
    text_printf(rows,
                "<tr><td><b class=\"%s\"></b>%s<td>%lld<td>%.1f %%</tr>\n",
                class, name, n, share);
}

static void add_cycles(struct text *out, const json_t *c, int cores) {
    struct text bar = {0}, rows = {0};
    long long issued = number(c, "issued"), idle = number(c, "idle"),
              blocked = number(c, "blocked"),
              all = number(c, "cycles") * (cores > 1 ? cores : 1);
    if (number(c, "cycles") == 0)
        return;
    if (all < issued + idle + blocked)
        all = issued + idle + blocked;
    add_part(&bar, &rows, "issued", "an instruction issues", issued, all);
    add_part(&bar, &rows, "blocked", "stall: operand or unit not ready",
             blocked, all);
    add_part(&bar, &rows, "idle", "stall: no warp is ready", idle, all);
    add_part(&bar, &rows, "rest",
             "further passes, a full pipeline, or the core has ended",
             all - issued - idle - blocked, all);
    text_add(out, "<h3>Where the cycles went</h3>\n<div class=\"bar\">");
    text_add(out, text_str(&bar));
    text_printf(out, "</div>\n<table>%s</table>\n", text_str(&rows));
    text_free(&bar);
    text_free(&rows);
}

/* --- the mesh ------------------------------------------------------------- */

/* From the middle of a node to that of its neighbour, a little to the right. */
static void add_link(struct text *out, int x, int y, int side, uint64_t flits,
                     uint64_t most) {
    static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    int px = 40 + 70 * x + 15 * dx[side] - 5 * dy[side];
    int py = 40 + 70 * y + 15 * dy[side] + 5 * dx[side];
    double share = most ? (double)flits / (double)most : 0;
    text_printf(out,
                "<path d=\"M%d %dl%d %d\" stroke-width=\"%.1f\" "
                "stroke-opacity=\"%.2f\"><title>%llu flits</title></path>\n",
                px, py, 40 * dx[side], 40 * dy[side], 1 + 6 * share,
                flits ? 0.25 + 0.75 * share : 0.08, (unsigned long long)flits);
}

static void add_mesh(struct text *out, const struct traffic_links *links) {
    int rows = links->width ? (links->n + links->width - 1) / links->width : 0;
    uint64_t most = 0;
    for (int i = 0; i < links->n; i++)
        for (int side = 0; side < TRAFFIC_SIDES; side++)
            if (links->flits[i][side] > most)
                most = links->flits[i][side];
    text_printf(out,
                "<h3>Flits on the links of the mesh</h3>\n<svg class=\"mesh\" "
                "viewBox=\"20 20 %d %d\">\n",
                70 * links->width - 30, 70 * rows - 30);
    for (int i = 0; i < links->n; i++) {
        int x = i % links->width, y = i / links->width;
        for (int side = 0; side < TRAFFIC_SIDES; side++) {
            bool inside = side == 0   ? y > 0
                          : side == 1 ? x < links->width - 1
                          : side == 2 ? y < rows - 1
                                      : x > 0;
            if (inside)
                add_link(out, x, y, side, links->flits[i][side], most);
        }
        text_printf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"30\" height=\"30\" "
                    "rx=\"4\"/><text x=\"%d\" y=\"%d\">%d</text>\n",
                    25 + 70 * x, 25 + 70 * y, 40 + 70 * x, 45 + 70 * y, i);
    }
    text_printf(
        out,
        "</svg>\n<p>The busiest link has carried %llu flits in %llu "
        "cycles. Darker and wider is more; the numbers are nodes.</p>\n",
        (unsigned long long)most, (unsigned long long)links->edges);
}

/* --- runs ----------------------------------------------------------------- */

void report_add(struct report *r, const char *device, const json_t *result,
                int cores, const struct traffic_links *links) {
    struct text *out = &r->runs;
    const char *verdict = string(result, "verdict");
    text_printf(out, "%s<article>\n<h2>", begin_run);
    report_escape(out, string(result, "name"));
    text_add(out, " (");
    report_escape(out, string(result, "size"));
    text_add(out, ")</h2>\n<p>on <code>");
    report_escape(out, device);
    text_printf(out, "</code></p>\n<p class=\"verdict %s\">%s</p>\n",
                strcmp(verdict, "right") == 0         ? "right"
                : strcmp(verdict, "not checked") == 0 ? "unknown"
                                                      : "wrong",
                verdict);
    json_t *counters = json_object_get(result, "counters");
    text_printf(out,
                "<p>launches: %lld, cycles: %lld, instructions: %lld</p>\n",
                number(result, "launches"), number(counters, "cycles"),
                number(counters, "issued"));
    add_buffers(out, json_object_get(result, "buffers"));
    add_cycles(out, counters, cores);
    if (links && links->n)
        add_mesh(out, links);
    add_counters(out, "Counters", counters);
    add_counters(out, "Near-bank unit", json_object_get(result, "unit"));
    add_counters(out, "Chains", json_object_get(result, "chains"));
    add_counters(out, "Traffic", json_object_get(result, "traffic"));
    text_printf(out, "</article>\n%s", end_run);
}

static void add_base64(struct text *out, const char *s, size_t n) {
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
        "uvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < n ? (unsigned char)s[i + k] : 0);
        char four[5] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63],
                        digits[bits >> 6 & 63], digits[bits & 63], 0};
        if (i + 2 >= n)
            four[3] = '=';
        if (i + 1 >= n)
            four[2] = '=';
        text_add(out, four);
    }
}

static void add_picture(struct text *out, const char *what,
                        const struct text *svg) {
    text_printf(out, "<img alt=\"%s\" src=\"data:image/svg+xml;base64,", what);
    add_base64(out, text_str(svg), svg->len);
    text_add(out, "\">\n");
}

static void add_trace(struct report *r, const struct retire_trace *t) {
    static const char tail[] = "</article>\n";
    struct text *out = &r->runs, svg = {0};
    size_t ends = strlen(tail) + strlen(end_run);
    int n = t->n_launches < MOST_LAUNCHES ? t->n_launches : MOST_LAUNCHES;
    if (out->len < ends)
        return;
    out->len -= ends;
    text_add(out, "<h3>Warps over time</h3>\n");
    for (int i = 0; i < n; i++) {
        svg.len = 0;
        retire_picture(t, &t->launches[i], &svg);
        add_picture(out, "what the warps did over time", &svg);
    }
    text_add(out, "<h3>Accesses to global memory</h3>\n");
    for (int i = 0; i < n; i++) {
        svg.len = 0;
        if (heat_picture(t, &t->launches[i], &svg))
            add_picture(out, "accesses by address and time", &svg);
    }
    if (n < t->n_launches)
        text_printf(out, "<p>The first %d of %d launches are drawn.</p>\n", n,
                    t->n_launches);
    text_printf(out, "%s%s", tail, end_run);
    text_free(&svg);
}

void report_add_stream(struct report *r, FILE *trace) {
    struct arena a = {0};
    struct diag d = {0};
    struct text all = {0};
    char buffer[1 << 16];
    size_t n;
    rewind(trace);
    while ((n = fread(buffer, 1, sizeof buffer - 1, trace)) > 0) {
        buffer[n] = '\0';
        text_add(&all, buffer);
    }
    const struct retire_trace *t =
        retire_read(&a, diag_source(&d, "trace", text_str(&all), all.len), &d);
    if (t && t->n_launches)
        add_trace(r, t);
    text_free(&all);
    diag_free(&d);
    arena_free(&a);
}

/* --- the page ------------------------------------------------------------- */

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>ndprun report</title>\n<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:1.5rem;color:#1f2328;"
    "background:#fff}\n"
    "main{display:grid;gap:2rem;grid-template-columns:repeat(auto-fit,"
    "minmax(min(100%,26rem),1fr))}\n"
    "article{min-width:0}h1{font-size:1.3rem}h2{margin:0}h3{margin:1.4rem 0 "
    ".4rem}\n"
    "table{border-collapse:collapse;display:block;overflow-x:auto}\n"
    "td,th{padding:.1rem .7rem .1rem 0;text-align:left;font-weight:400}\n"
    "tr:first-child th:not(:only-of-type){font-weight:600}\n"
    "td+td,th+td{text-align:right;white-space:nowrap}img,.mesh{width:100%;"
    "height:auto}\n"
    ".mesh{max-width:34rem}.mesh path{stroke:#b3261e}.mesh rect{fill:#e8eef7;"
    "stroke:#44546a}.mesh text{font-size:12px;text-anchor:middle}\n"
    ".verdict{display:inline-block;padding:.1rem .8rem;border-radius:1rem;"
    "color:#fff;background:#6e7781}.right{background:#1a7f37}"
    ".wrong{background:#b3261e}\n"
    ".bar{display:flex;height:1.6rem;border-radius:.3rem;overflow:hidden}"
    ".bar i{display:block}td b{display:inline-block;width:.8rem;height:.8rem;"
    "margin-right:.5rem}\n"
    ".issued{background:#3b6ea5}.blocked{background:#ee8d31}"
    ".idle{background:#d0d7de}.rest{background:#8250df}\n"
    "</style>\n</head>\n<body>\n<h1>ndprun report</h1>\n<main>\n";

/* The runs of another page.  False after an error. */
static bool take_over(const char *path, struct text *out, struct diag *d) {
    size_t n;
    char *page = text_read_file(path, &n), *at = page;
    bool found = false;
    if (!page) {
        diag_error(d, nowhere, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    while ((at = strstr(at, begin_run))) {
        char *to = strstr(at, end_run);
        if (!to)
            break;
        to += strlen(end_run);
        char kept = *to;
        *to = '\0';
        text_add(out, at);
        *to = kept;
        at = to;
        found = true;
    }
    free(page);
    if (!found)
        diag_error(d, (struct place){.source = diag_source(d, path, NULL, 0)},
                   "there is no run in this file, expected a page that ndprun "
                   "--report has written");
    return found;
}

bool report_write(const struct report *r, const char *path, const char *beside,
                  struct diag *d) {
    struct text more = {0};
    struct outfile f;
    bool ok =
        (!beside || take_over(beside, &more, d)) && outfile_open(&f, path, d);
    if (ok) {
        fputs(head, f.out);
        fputs(text_str(&r->runs), f.out);
        fputs(text_str(&more), f.out);
        fputs("</main>\n</body>\n</html>\n", f.out);
        ok = outfile_close(&f, true);
    }
    text_free(&more);
    return ok;
}

void report_free(struct report *r) {
    text_free(&r->runs);
}
