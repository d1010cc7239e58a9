/* ndpgen.c - the program: a target's RTL, lists and data sheet into a folder.
 *
 * Options become a configuration (preset, then file, then --set), the
 * configuration becomes files in memory, and these become the folder.  Every
 * problem of the options and the configuration is told before it gives up.
 */
#include "address.h"
#include "base/options.h"
#include "base/outfile.h"
#include "config/choice.h"
#include "iface/machine.h"
#include "list.h"
#include "operands.h"
#include "output/emit.h"
#include "output/outdir.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_BAD = 2, MAX_PREFIX = 64, ANY_COLOUR = 64 };

struct settings {
    const char *target, *out, *prefix, *templates, *address, *location,
        *operands, *allocate;
    uint64_t colour; /* of --allocate; ANY_COLOUR: not given */
    struct config_choice choice;
    bool json, force, list_targets, list_presets, list_params;
    struct diag *d;
};

static const struct option_spec specs[] = {
    {"", 0, NULL, "What to make:"},
    {"target", 't', "NAME",
     "the block, unit or system, see --list-targets; 'system' with the preset "
     "of another machine, or of a paper that has one, selects that machine"},
    {"preset", 'p', "NAME",
     "named sizes, see --list-presets; default: the papers' sizes. 'small' "
     "fits an iCE40 HX8K. A target with presets of its own has them as "
     "TARGET_NAME"},
    {"config", 'c', "FILE", "YAML file of parameters, over the preset"},
    {"set", 's', "KEY=VALUE",
     "one parameter, over preset and file; repeatable"},
    {"prefix", 0, "NAME", "put NAME before every module, file and macro name"},
    {"", 0, NULL, "Where it goes:"},
    {"out", 'o', "FOLDER",
     "output folder; a folder of an earlier run is replaced, unless it "
     "contains files of yours"},
    {"force", 0, NULL, "replace the folder even if it contains files of yours"},
    {"json", 0, NULL, "print the manifest, or a list, as JSON"},
    {"", 0, NULL, "What there is:"},
    {"list-targets", 0, NULL, "the blocks, units and systems"},
    {"list-presets", 0, NULL, "the named sizes"},
    {"list-params", 0, NULL,
     "the parameters, of --target if given, with their values under --preset, "
     "--config and --set"},
    {"address", 0, "ADDRESS",
     "the DRAM location of a byte address under 'dram_map.*': channel, rank, "
     "bank group, bank, row, column"},
    {"location", 0, "CH,RA,BG,BA,ROW,COL",
     "the address of such a location; an optional seventh number is the byte "
     "in the burst"},
    {"operands", 0, "x=ADDRESS+BYTES,...",
     "whether an accelerator in DRAM can use these operands in one operation, "
     "element by element in one rank; if not, why"},
    {"allocate", 0, "x=BYTES,...",
     "allocate such operands: system rows of one colour"},
    {"colour", 0, "N",
     "with --allocate: use this colour (default: the one with the most free "
     "rows)"},
    {"templates", 0, "FOLDER",
     "for authors of templates: search FOLDER before the built-in templates"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpgen --target nbu --preset mpu -o out/nbu",
     "the near-bank unit at the paper's sizes"},
    {"ndpgen --target nbu --preset small --set nbu.warps=4 -o out/tiny",
     "the small one with four warps"},
    {"ndpgen --list-params --preset small", "what can be set, and its values"},
    {"ndpgen --address 0x12345680", "its channel, rank, bank, row and column"},
    {"ndpgen --operands x=0x7c0000000+65536,y=0x7c0080000+65536",
     "why an accelerator cannot have both at once"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpgen",
    .usage = "--target NAME -o FOLDER [options]",
    .summary = "Generate near-data-processing hardware: Verilog-2005, file "
               "lists, C header and data sheet of one target.",
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
    } texts[] = {{"target", &s->target},     {"out", &s->out},
                 {"prefix", &s->prefix},     {"templates", &s->templates},
                 {"address", &s->address},   {"location", &s->location},
                 {"operands", &s->operands}, {"allocate", &s->allocate}};
    const struct {
        const char *name;
        bool *where;
    } flags[] = {{"json", &s->json},
                 {"force", &s->force},
                 {"list-targets", &s->list_targets},
                 {"list-presets", &s->list_presets},
                 {"list-params", &s->list_params}};
    if (!name)
        return false;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0)
            return take_once(s, texts[i].where, name, value);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].where = true;
    if (strcmp(name, "colour") == 0)
        return options_number(name, value, 0, ANY_COLOUR - 1, &s->colour, s->d);
    return choice_take(&s->choice, name, value, s->d);
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

/* --- the command, without folders ---------------------------------------- */

static bool uses(const void *iface, const struct param *p) {
    return iface_uses(iface, p);
}

static void add_command(const struct settings *s, const struct iface *target,
                        struct text *out) {
    text_printf(out, "ndpgen --target %s", target->name);
    choice_command(&s->choice, uses, target, out);
    if (s->prefix && *s->prefix)
        text_printf(out, " --prefix %s", s->prefix);
    if (s->templates) {
        text_add(out, " --templates");
        choice_add_path(out, s->templates);
    }
}

/* --- main ---------------------------------------------------------------- */

static bool print_manifest(const struct gen_files *f, struct diag *d) {
    const struct gen_file *m = gen_files_find(f, OUTDIR_MANIFEST);
    fwrite(text_str(&m->text), 1, m->text.len, stdout);
    return outfile_flush_stdout(d);
}

static bool generate(const struct settings *s, const struct design *design,
                     struct diag *d) {
    struct template_set templates;
    struct gen_files files = {0};
    struct text command = {0};
    add_command(s, design->iface, &command);
    struct gen_job job = {.design = design,
                          .prefix = s->prefix ? s->prefix : "",
                          .command = text_str(&command)};
    bool ok = templates_load(&templates, s->templates, d) &&
              emit_all(&job, &templates, &files, d) &&
              outdir_write(s->out, &files, s->force, d);
    if (ok && s->json)
        ok = print_manifest(&files, d);
    else if (ok && isatty(STDOUT_FILENO))
        printf("%s: %d files, configuration %016" PRIx64
               ", see %s/%sndp_%s.md\n",
               s->out, files.n, design->hash, s->out, job.prefix,
               design->iface->name);
    diag_flush(d, stderr); /* messages point into the templates */
    templates_free(&templates);
    gen_files_free(&files);
    text_free(&command);
    return ok;
}

/* Whether the preset has the sizes of some paper. */
static bool is_of_a_paper(const char *preset) {
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++)
        if (strcmp(b->preset, preset) == 0)
            return true;
    return false;
}

/* The sizes of one paper may give a target of another its defaults, which is
 * not the machine that the preset's name promises. */
static void warn_of_preset(const struct settings *s, const struct iface *target,
                           struct diag *d) {
    struct config defaults, config;
    const char *preset = s->choice.preset;
    if (!preset || strcmp(preset, target->preset) == 0 ||
        !is_of_a_paper(preset))
        return;
    config_defaults(&defaults);
    config = defaults;
    config_preset(&config, preset, d);
    if (iface_hash(target, &config) != iface_hash(target, &defaults))
        return;
    diag_warning(d, (struct place){0},
                 "preset '%s' sets nothing that target '%s' uses: these are "
                 "its defaults, and its paper's sizes are preset '%s'",
                 preset, target->name, target->preset);
}

static void run_generate(const struct settings *s, struct diag *d) {
    struct config config;
    if (!s->out)
        diag_error(d, (struct place){0},
                   "no output folder, expected -o FOLDER");
    const struct iface *target = find_target(s->target, d);
    check_prefix(s->prefix ? s->prefix : "", d);
    choice_resolve(&s->choice, &config, d);
    if (d->errors || !iface_check(target, &config, d))
        return;
    struct text what = {0};
    text_printf(&what, "target '%s'", target->name);
    choice_warn(&s->choice, uses, target, text_str(&what), d);
    warn_of_preset(s, target, d);
    text_free(&what);
    struct design *design = design_make(target, &config);
    generate(s, design, d);
    design_free(design);
}

static void run_list(const struct settings *s, struct diag *d) {
    struct config c;
    const struct iface *target = s->target ? find_target(s->target, d) : NULL;
    choice_resolve(&s->choice, &c, d);
    if (d->errors)
        return;
    if (s->list_targets)
        list_print_targets(s->json, stdout);
    if (s->list_presets)
        list_print_presets(s->json, stdout);
    if (s->list_params)
        list_print_params(&c, target, s->json, stdout);
    outfile_flush_stdout(d);
}

static void run_address(const struct settings *s, struct diag *d) {
    struct config c;
    bool back = s->location != NULL;
    choice_resolve(&s->choice, &c, d);
    if (d->errors == 0 && address_print(&c, back ? s->location : s->address,
                                        back, s->json, stdout, d))
        outfile_flush_stdout(d);
}

static void run_operands(const struct settings *s, struct diag *d) {
    struct config c;
    int colour = s->colour == ANY_COLOUR ? -1 : (int)s->colour;
    choice_resolve(&s->choice, &c, d);
    if (d->errors == 0 &&
        operands_print(&c, s->allocate ? s->allocate : s->operands,
                       s->allocate != NULL, colour, s->json, stdout, d))
        outfile_flush_stdout(d);
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.colour = ANY_COLOUR, .d = &d, .choice.tell = true};
    int status = options_parse(&options, argc, argv, take, &s, &d);
    s.target = machine_of_preset(s.target, &s.choice, &d);
    choice_of_target(&s.choice, s.target);
    if (status == OPTIONS_RUN) {
        int lists = s.list_targets + s.list_presets + s.list_params;
        int places = !!s.address + !!s.location + !!s.operands + !!s.allocate;
        if (lists + places > 1)
            diag_error(&d, (struct place){0},
                       "expected one of --list-targets, --list-presets, "
                       "--list-params, --address, --location, --operands and "
                       "--allocate");
        else if (s.colour != ANY_COLOUR && !s.allocate)
            diag_error(&d, (struct place){0},
                       "'--colour' goes with '--allocate'");
        else if (lists && s.out)
            diag_error(&d, (struct place){0},
                       "a list makes no folder, expected no option '--out'");
        else if (places && (s.out || s.target))
            diag_error(&d, (struct place){0},
                       "a place in DRAM makes no folder, expected no option "
                       "'--%s'",
                       s.out ? "out" : "target");
        else if (s.operands || s.allocate)
            run_operands(&s, &d);
        else if (places)
            run_address(&s, &d);
        else if (lists)
            run_list(&s, &d);
        else
            run_generate(&s, &d);
        status = d.errors ? EXIT_BAD : EXIT_DONE;
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    return status;
}
