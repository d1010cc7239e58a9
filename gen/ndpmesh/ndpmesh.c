/* ndpmesh.c - the program: what can be asked of a mesh without making RTL: its
 * table of meet nodes, the hops of a chain, and a picture of one lookup.
 *
 * The answers are those of the block `emn` (docs/blocks/emn.md).
 */
#include "base/options.h"
#include "base/outfile.h"
#include "config/choice.h"
#include "reports.h"

#include <string.h>

enum { EXIT_DONE = 0, EXIT_BAD = 2 };

static const struct place nowhere;

struct settings {
    struct config_choice choice;
    const char *out, *hops, *picture;
    bool table, json;
    struct diag *d;
};

static const struct option_spec specs[] = {
    {"", 0, NULL, "Which mesh:"},
    {"preset", 'p', "NAME",
     "placement of the memory nodes: mesh (8 x 8, the default), "
     "mesh_checkerboard, mesh_corners, mesh_top_bottom, small"},
    {"config", 'c', "FILE", "YAML file of parameters, over the preset"},
    {"set", 's', "KEY=VALUE",
     "one parameter, over preset and file: mesh.width, mesh.height, "
     "mesh.memory_nodes; repeatable"},
    {"", 0, NULL, "Output; a node has the number y * width + x:"},
    {"table", 't', NULL,
     "the meet nodes: a line 'core a b node' for each core that is no memory "
     "node, or for 'emn.core' alone, and each pair of memory nodes, '-' for "
     "none"},
    {"hops", 0, "CORE,A,B[,C]",
     "hops of the chain c = f(a, b), or of f(a, b) without C, as it is and "
     "offloaded to the meet node; weighted: data count 5"},
    {"picture", 0, "CORE,A,B",
     "the mesh with both paths to a and to b and the meet node, as SVG"},
    {"json", 0, NULL, "with --hops: print JSON"},
    {"out", 'o', "FILE", "output file (standard output)"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpmesh --hops 17,46,48,60",
     "what offloading saves node 17 when a, b and c lie in nodes 46, 48 and "
     "60: the paper's core 15"},
    {"ndpmesh --picture 17,46,48 -o emn.svg", "the same as a drawing"},
    {"ndpmesh --set mesh.width=5 --set mesh.height=4 --set "
     "'mesh.memory_nodes=[2,10,19]' --table",
     "the meet nodes of another mesh"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpmesh",
    .usage = "--table | --hops CORE,A,B[,C] | --picture CORE,A,B [options]",
    .summary = "Ask where the loads of a chain meet in a mesh, and what it "
               "saves to compute there.",
    .specs = specs,
    .examples = examples,
    .epilogue = "Exit status: 0 done, 2 bad input."};

static bool take_once(struct settings *s, const char **where, const char *name,
                      const char *value) {
    if (*where)
        diag_error(s->d, nowhere, "option '--%s' is given twice", name);
    bool ok = !*where;
    *where = value;
    return ok;
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name)
        return false;
    if (strcmp(name, "table") == 0)
        return s->table = true;
    if (strcmp(name, "json") == 0)
        return s->json = true;
    if (strcmp(name, "out") == 0)
        return take_once(s, &s->out, name, value);
    if (strcmp(name, "hops") == 0)
        return take_once(s, &s->hops, name, value);
    if (strcmp(name, "picture") == 0)
        return take_once(s, &s->picture, name, value);
    return choice_take(&s->choice, name, value, s->d);
}

/* --- main ----------------------------------------------------------------- */

static bool answer(const struct settings *s, const struct config *c,
                   struct text *out, struct diag *d) {
    if (s->table)
        mesh_table(c, out);
    else if (s->hops)
        return mesh_hops(c, s->hops, s->json, out, d);
    else
        return mesh_picture(c, s->picture, out, d);
    return true;
}

static void run(const struct settings *s, struct diag *d) {
    struct config c;
    struct text out = {0};
    struct outfile file;
    choice_resolve(&s->choice, &c, d);
    if (s->table + !!s->hops + !!s->picture != 1)
        diag_error(d, nowhere, "expected one of --table, --hops and --picture");
    else if (s->json && !s->hops)
        diag_error(d, nowhere, "'--json' goes with '--hops'");
    else if (d->errors == 0 && mesh_answers(&c, d) && answer(s, &c, &out, d) &&
             outfile_open(&file, s->out ? s->out : "-", d)) {
        fwrite(text_str(&out), 1, out.len, file.out);
        outfile_close(&file, true);
    }
    text_free(&out);
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.d = &d};
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN) {
        run(&s, &d);
        status = d.errors ? EXIT_BAD : EXIT_DONE;
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    return status;
}
