/* ndpgen.c - the program: a block's RTL, lists and data sheet into a folder.
 *
 * Options become a configuration (preset, then file, then --set), the
 * configuration becomes files in memory, and these become the folder.  Every
 * problem of the options and the configuration is told before it gives up.
 */
#include "base/arena.h"
#include "output/emit.h"
#include "list.h"
#include "base/options.h"
#include "output/outdir.h"
#include "report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_BAD = 2, MAX_PREFIX = 64 };

struct settings {
    const char *target, *preset, *config, *out, *prefix, *templates;
    const char **sets;
    int n_sets;
    bool json, list_targets, list_presets, list_params, print_table;
    const char *hops, *picture;
    struct diag *d;
};

static const struct option_spec specs[] = {
    {"", 0, NULL, "What to make:"},
    {"target", 't', "NAME", "the block, see --list-targets"},
    {"preset", 'p', "NAME",
     "named sizes, see --list-presets; the default: the papers' sizes. 'small' "
     "fits an iCE40 HX8K"},
    {"config", 'c', "FILE", "YAML file of parameters, over the preset"},
    {"set", 's', "KEY=VALUE",
     "one parameter, over preset and file; repeatable"},
    {"prefix", 0, "NAME", "put NAME before every module, file and macro name"},
    {"", 0, NULL, "Where it goes:"},
    {"out", 'o', "FOLDER",
     "the folder to make; one that ndpgen made before is replaced"},
    {"json", 0, NULL, "print the manifest, or a list, as JSON"},
    {"", 0, NULL, "What there is:"},
    {"list-targets", 0, NULL, "the blocks"},
    {"list-presets", 0, NULL, "the named sizes"},
    {"list-params", 0, NULL,
     "the parameters with their values under --preset, --config and --set"},
    {"templates", 0, "FOLDER",
     "for authors of templates: take those of FOLDER before the built-in ones"},
    {"", 0, NULL,
     "Ask about a mesh (--target emn), on standard output or in -o FILE:"},
    {"print-table", 0, NULL,
     "the meet nodes: a line 'core a b node' for each core that is no memory "
     "node, or for 'emn.core' alone, and each pair of memory nodes, '-' for "
     "none"},
    {"hops", 0, "CORE,A,B[,C]",
     "hops of the chain c = f(a, b), or of f(a, b) without C, as it is and "
     "offloaded to the meet node; weighted: data count 5. Nodes are numbers, y "
     "* width + x"},
    {"picture", 0, "CORE,A,B",
     "the mesh with both paths to a and to b and the meet node, as SVG"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpgen --target nbu --preset mpu -o out/nbu",
     "the near-bank unit at the paper's sizes"},
    {"ndpgen --target nbu --preset small --set nbu.warps=4 -o out/tiny",
     "the small one with four warps"},
    {"ndpgen --list-params --preset small", "what can be set, and its values"},
    {"ndpgen --target emn --hops 15,16,37,34",
     "what offloading saves core 15 when a, b and c lie in nodes 16, 37 and "
     "34"},
    {"ndpgen --target emn --picture 15,16,37 -o emn.svg",
     "the same as a drawing"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpgen",
    .usage = "--target NAME -o FOLDER [options]",
    .summary = "Generate near-data-processing hardware: Verilog-2005, file "
               "lists, C header and data sheet of one block.",
    .specs = specs,
    .examples = examples,
    .epilogue = "The folder appears whole or not at all. The same options give "
                "the same bytes. Exit status: 0 done, 2 bad input."};

/* --- options ------------------------------------------------------------- */

static bool take_once(struct settings *s, const char **where, const char *name,
                      const char *value) {
    if (*where) {
        diag_error(s->d, (struct place){0}, "option '--%s' is given twice",
                   name);
        return false;
    }
    *where = value;
    return true;
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    const struct {
        const char *name, **where;
    } texts[] = {{"target", &s->target}, {"preset", &s->preset},
                 {"config", &s->config}, {"out", &s->out},
                 {"prefix", &s->prefix}, {"templates", &s->templates},
                 {"hops", &s->hops},     {"picture", &s->picture}};
    const struct {
        const char *name;
        bool *where;
    } flags[] = {{"json", &s->json},
                 {"list-targets", &s->list_targets},
                 {"list-presets", &s->list_presets},
                 {"list-params", &s->list_params},
                 {"print-table", &s->print_table}};
    if (!name)
        return false;
    if (strcmp(name, "set") == 0) {
        s->sets[s->n_sets++] = value;
        return true;
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0)
            return take_once(s, texts[i].where, name, value);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].where = true;
    BUG("option '%s' without a place", name);
}

static const char *next_target(void *ctx, int i) {
    (void)ctx;
    const struct iface *b = iface_at(i);
    return b ? b->name : NULL;
}

static const struct iface *find_target(const char *name, struct diag *d) {
    if (!name) {
        diag_error(d, (struct place){0},
                   "no target, expected --target NAME; see --list-targets");
        return NULL;
    }
    const struct iface *b = iface_find(name);
    const char *near = suggest(name, next_target, NULL);
    if (!b && near)
        diag_error(d, (struct place){0},
                   "unknown target '%s', did you mean '%s'", name, near);
    else if (!b)
        diag_error(d, (struct place){0},
                   "unknown target '%s', see --list-targets", name);
    return b;
}

/* A prefix has to begin a Verilog and C identifier, and a file name. */
static void check_prefix(const char *prefix, struct diag *d) {
    bool ok = isalpha((unsigned char)*prefix) || *prefix == '_';
    for (const char *p = prefix; *p; p++)
        ok = ok && (isalnum((unsigned char)*p) || *p == '_');
    if (!ok && *prefix)
        diag_error(d, (struct place){0},
                   "prefix '%s' cannot begin a name, expected letters, digits "
                   "and '_', no digit first",
                   prefix);
    else if (strlen(prefix) > MAX_PREFIX)
        diag_error(d, (struct place){0},
                   "prefix '%s' is longer than %d characters", prefix,
                   MAX_PREFIX);
}

/* --- configuration ------------------------------------------------------- */

static void read_config(const char *path, struct config *c, struct diag *d) {
    size_t len;
    char *text = text_read_file(path, &len);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (text)
        config_yaml(c, diag_source(d, name, text, len), d);
    else
        diag_error(d, (struct place){0}, "cannot read '%s': %s", name,
                   strerror(errno));
    free(text);
}

static void resolve_config(const struct settings *s, struct config *c,
                           struct diag *d) {
    config_defaults(c);
    if (s->preset)
        config_preset(c, s->preset, d);
    if (s->config)
        read_config(s->config, c, d);
    for (int i = 0; i < s->n_sets; i++)
        config_set(c, s->sets[i], d);
}

/* --- the command, without folders ---------------------------------------- */

/* A word as the shell would read it back; bytes that do not print as '?'. */
static void add_word(struct text *out, const char *s) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "_-+=.,:/@%";
    bool quote = !*s || strspn(s, plain) != strlen(s);
    text_add(out, quote ? " '" : " ");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '\'')
            text_add(out, "'\\''");
        else
            text_addn(out, c < 0x20 || c >= 0x7f ? "?" : s, 1);
    }
    text_add(out, quote ? "'" : "");
}

/* Only the last part of a path: the output must not tell where it was made. */
static void add_path(struct text *out, const char *path) {
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    struct text base = {0};
    text_addn(&base, path + from, n - from);
    add_word(out, text_str(&base));
    text_free(&base);
}

static void add_command(const struct settings *s, struct text *out) {
    text_printf(out, "ndpgen --target %s", s->target);
    if (s->preset)
        text_printf(out, " --preset %s", s->preset);
    if (s->config) {
        text_add(out, " --config");
        add_path(out, s->config);
    }
    for (int i = 0; i < s->n_sets; i++) {
        text_add(out, " --set");
        add_word(out, s->sets[i]);
    }
    if (s->prefix && *s->prefix)
        text_printf(out, " --prefix %s", s->prefix);
    if (s->templates) {
        text_add(out, " --templates");
        add_path(out, s->templates);
    }
}

/* --- main ---------------------------------------------------------------- */

static bool flush_output(struct diag *d) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    diag_error(d, (struct place){0}, "cannot write standard output: %s",
               strerror(errno));
    return false;
}

static bool print_manifest(const struct gen_files *f, struct diag *d) {
    const struct gen_file *m = gen_files_find(f, OUTDIR_MANIFEST);
    fwrite(text_str(&m->text), 1, m->text.len, stdout);
    return flush_output(d);
}

static bool generate(const struct settings *s, struct gen_job *job,
                     struct diag *d) {
    struct template_set templates;
    struct gen_files files = {0};
    struct text command = {0};
    add_command(s, &command);
    job->command = text_str(&command);
    bool ok = templates_load(&templates, s->templates, d) &&
              emit_all(job, &templates, &files, d) &&
              outdir_write(s->out, &files, d);
    if (ok && s->json)
        ok = print_manifest(&files, d);
    diag_flush(d, stderr); /* messages point into the templates */
    templates_free(&templates);
    gen_files_free(&files);
    text_free(&command);
    return ok;
}

/* The block and its configuration. */
static bool prepare(const struct settings *s, struct gen_job *job,
                    struct diag *d) {
    job->prefix = s->prefix ? s->prefix : "";
    job->block = find_target(s->target, d);
    check_prefix(job->prefix, d);
    resolve_config(s, &job->config, d);
    return d->errors == 0;
}

/* What follows from them. */
static bool derive(struct gen_job *job, struct diag *d) {
    if (!job->block->check(&job->config, d))
        return false;
    job->block->sizes(&job->config, &job->sizes);
    job->hash = config_hash(&job->config);
    return true;
}

static bool run_generate(const struct settings *s, struct diag *d) {
    struct gen_job job = {0};
    if (!s->out)
        diag_error(d, (struct place){0},
                   "no output folder, expected -o FOLDER");
    return prepare(s, &job, d) && derive(&job, d) && generate(s, &job, d);
}

/* The report that is asked for, with its argument; NULL for none. */
static const char *asked_report(const struct settings *s, const char **arg) {
    *arg = s->hops ? s->hops : s->picture;
    return s->hops          ? "hops"
           : s->picture     ? "picture"
           : s->print_table ? "print-table"
                            : NULL;
}

static bool run_report(const struct settings *s, struct diag *d) {
    struct gen_job job = {0};
    const char *arg, *option = asked_report(s, &arg);
    if (s->json || s->prefix || s->templates)
        diag_error(d, (struct place){0},
                   "'--%s' takes neither --json, --prefix nor --templates",
                   option);
    return prepare(s, &job, d) && report_run(&job, option, arg, s->out, d);
}

static bool run_list(const struct settings *s, struct diag *d) {
    struct config c;
    resolve_config(s, &c, d);
    if (d->errors)
        return false;
    if (s->list_targets)
        list_print_targets(s->json, stdout);
    if (s->list_presets)
        list_print_presets(s->json, stdout);
    if (s->list_params)
        list_print_params(&c, s->json, stdout);
    return flush_output(d);
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.d = &d};
    s.sets = xcalloc((size_t)argc, sizeof *s.sets);
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN) {
        const char *arg;
        int lists = s.list_targets + s.list_presets + s.list_params;
        if (lists + s.print_table + !!s.hops + !!s.picture > 1)
            diag_error(&d, (struct place){0},
                       "expected one of --list-targets, --list-presets, "
                       "--list-params, --print-table, --hops and --picture");
        else if (lists && s.out)
            diag_error(&d, (struct place){0},
                       "a list makes no folder, expected no option '--out'");
        else if (lists)
            run_list(&s, &d);
        else if (asked_report(&s, &arg))
            run_report(&s, &d);
        else
            run_generate(&s, &d);
        status = d.errors ? EXIT_BAD : EXIT_DONE;
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    free(s.sets);
    return status;
}
