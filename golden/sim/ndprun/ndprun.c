/* ndprun.c - the program: run descriptions on a machine that ndpgen made.
 *
 * The PTX is assembled for the machine's registers, the description's buffers
 * and launches go through libndp, and the verdict is that of ndpsim.
 */
#include "base/options.h"
#include "codegen/codegen.h"
#include "ref.h"
#include "sim/run/machine.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *device, *size, *ptx;
    uint64_t timeout, watchdog;
    bool json;
    struct run_saves saves;
    const char **paths;
    int n_paths;
    struct diag *diag;
};

static const struct option_spec specs[] = {
    {"device", 'd', "URL",
     "The machine: golden:PRESET, verilator:DIR or icarus:DIR. Default: "
     "golden:plain."},
    {"size", 's', "NAME",
     "Which of the description's sizes to run. Default: small."},
    {"ptx", 'p', "FILE",
     "Run the kernels of this PTX file instead of the one that the "
     "description names."},
    {"timeout", 0, "SECONDS",
     "Stop a launch that takes longer than this. Default: 600."},
    {"watchdog", 0, "N",
     "Stop a launch when nothing retires for N cycles. Default: 1000000."},
    {"write", 'w', "BUFFER=FILE",
     "Write what the kernel has left in a buffer to a file, raw and "
     "little-endian; may be given for several buffers."},
    {"json", 0, NULL, "Print the report as JSON."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndprun kernels/vecadd/vecadd_aligned.yml", "on the golden machine"},
    {"ndprun kernels/axpy/axpy.yml --device golden:small --json",
     "on a smaller one, for another program to read"},
    {"ndprun kernels/axpy/axpy.yml --device verilator:out/machine",
     "on the RTL in that folder"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndprun",
    .usage = "FILE... [options]",
    .summary = "Run the kernels of a run description on a machine that ndpgen "
               "made, check what they leave in memory, and report the "
               "machine's counters.",
    .specs = specs,
    .positional = "run descriptions (.yml)",
    .examples = examples,
    .epilogue = "Exit status: 0 all right, 1 a wrong result or a kernel that "
                "was stopped, 2 bad input.",
};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name)
        s->paths[s->n_paths++] = value;
    else if (strcmp(name, "device") == 0)
        s->device = value;
    else if (strcmp(name, "size") == 0)
        s->size = value;
    else if (strcmp(name, "ptx") == 0)
        s->ptx = value;
    else if (strcmp(name, "json") == 0)
        s->json = true;
    else if (strcmp(name, "write") == 0)
        return run_save_take(&s->saves, value, s->diag);
    else if (strcmp(name, "timeout") == 0)
        return options_number(name, value, 1, 1000000, &s->timeout, s->diag);
    else
        return options_number(name, value, 0, UINT32_MAX, &s->watchdog,
                              s->diag);
    return true;
}

/* --- one file ------------------------------------------------------------- */

struct outcome {
    const char *path;
    char *name, *size;
    const char *verdict;
    struct run_verdict result; /* buffers: without the array */
    uint64_t launches;
    json_t *buffers, *counters;
};

static const char *word(const struct run_verdict *v) {
    switch (v->result) {
    case RUN_RIGHT:
        return "right";
    case RUN_WRONG:
        return "wrong";
    case RUN_UNCHECKED:
        return "not checked";
    case RUN_STOPPED:
        break;
    }
    return "stopped";
}

static json_t *buffers_json(const struct run_verdict *v) {
    json_t *list = json_array();
    for (int i = 0; i < v->n_buffers; i++) {
        const struct run_buffer_result *b = &v->buffers[i];
        char checksum[32];
        snprintf(checksum, sizeof checksum, "%016" PRIx64, b->checksum);
        json_array_append_new(
            list,
            json_pack("{s:s, s:I, s:s, s:b, s:I, s:I}", "name", b->name,
                      "count", (json_int_t)b->count, "checksum", checksum,
                      "checked", b->checked, "compared",
                      (json_int_t)b->compared, "wrong", (json_int_t)b->wrong));
    }
    return list;
}

static json_t *counters_json(ndpDevice device) {
    json_t *all = json_object();
    const char *name;
    for (int n = 0; (name = ndpDeviceCounterName(n)); n++) {
        uint64_t value = 0;
        if (ndpDeviceGetCounter(&value, device, name) == NDP_SUCCESS)
            json_object_set_new(all, name, json_integer((json_int_t)value));
    }
    return all;
}

/* An image of the module for this device.  NULL after an error. */
static struct isa_image *assemble(struct arena *a, const struct run *r,
                                  ndpDevice device, struct diag *d) {
    struct code_options o = {0};
    ndpDeviceGetAttribute(&o.registers, NDP_ATTRIBUTE_REGISTERS, device);
    return code_generate(a, run_module(r), NULL, &o, d);
}

/* By way of ELF bytes, as any user of libndp gives them. */
static bool load(const struct isa_image *image, const char *path,
                 ndpDevice device, ndpModule *module, struct diag *d) {
    struct place at = {.source = diag_source(d, path, NULL, 0)};
    const char *why = NULL;
    char *bytes = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&bytes, &n);
    bool ok = f && isa_image_write(image, f, &why);
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok)
        diag_error(d, at, "cannot make an image: %s", why ? why : "no memory");
    else if (ndpModuleLoadData(module, device, bytes, n) != NDP_SUCCESS) {
        diag_error(d, at, "%s", ndpGetErrorString(device));
        ok = false;
    }
    free(bytes);
    return ok;
}

/* Exit status: 0, 1, or 2 when it could not begin. */
static int run_one(const struct settings *s, ndpDevice device,
                   struct outcome *o) {
    struct run_options ro = {
        .size = s->size, .ptx = s->ptx, .reference = ref_find};
    struct run_machine m = {.device = device,
                            .timeout = (unsigned)s->timeout * 1000};
    struct arena arena = {0};
    int status = 2;
    struct run *r = run_open(o->path, &ro, s->diag);
    struct isa_image *image = r && run_save_check(r, &s->saves)
                                  ? assemble(&arena, r, device, s->diag)
                                  : NULL;
    if (image && load(image, run_ptx(r), device, &m.module, s->diag)) {
        ndpDeviceClearCounters(device);
        bool done = run_on_machine(r, &m);
        bool ran = done || m.result == NDP_ERROR_LAUNCH_FAILED ||
                   m.result == NDP_ERROR_LAUNCH_TIMEOUT;
        run_verdict(r, &o->result);
        o->verdict = word(&o->result);
        o->name = strdup(run_name(r));
        o->size = strdup(run_size(r));
        o->launches = m.launches;
        o->buffers = buffers_json(&o->result);
        o->counters = counters_json(device);
        status = !ran || !run_save(r, &s->saves)
                     ? 2
                     : o->result.result == RUN_WRONG || !done;
        ndpModuleUnload(m.module);
    }
    arena_free(&arena);
    run_close(r);
    return status;
}

/* --- reports -------------------------------------------------------------- */

static void print(const struct outcome *o, const char *device) {
    const char *key;
    json_t *value;
    size_t i;
    printf("%s (%s) on %s: %s, %" PRIu64 " launch%s\n", o->name, o->size,
           device, o->verdict, o->launches, o->launches == 1 ? "" : "es");
    json_array_foreach(o->buffers, i, value) {
        const char *name, *checksum;
        json_int_t count, compared, wrong;
        int checked;
        json_unpack(value, "{s:s, s:I, s:s, s:b, s:I, s:I}", "name", &name,
                    "count", &count, "checksum", &checksum, "checked", &checked,
                    "compared", &compared, "wrong", &wrong);
        printf("  %-12s %8lld elements, checksum %s", name, (long long)count,
               checksum);
        if (checked)
            printf(", %lld of %lld wrong", (long long)wrong,
                   (long long)compared);
        printf("\n");
    }
    json_object_foreach(o->counters, key, value)
        printf("  %-12s %12lld\n", key, (long long)json_integer_value(value));
}

static json_t *outcome_json(const struct outcome *o) {
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:O, s:O}", "name", o->name,
                     "file", o->path, "size", o->size, "verdict", o->verdict,
                     "launches", (json_int_t)o->launches, "buffers", o->buffers,
                     "counters", o->counters);
}

/* All files, one after the other; the exit status. */
static int run_all_files(const struct settings *s, ndpDevice device) {
    json_t *results = json_array();
    int status = 0;
    for (int i = 0; i < s->n_paths; i++) {
        struct outcome o = {.path = s->paths[i]};
        int one = run_one(s, device, &o);
        diag_flush(s->diag, stderr);
        if (one > status)
            status = one;
        if (o.verdict && s->json)
            json_array_append_new(results, outcome_json(&o));
        else if (o.verdict)
            print(&o, s->device);
        fflush(stdout);
        json_decref(o.buffers);
        json_decref(o.counters);
        free(o.name);
        free(o.size);
    }
    if (s->json) {
        json_t *all = json_pack("{s:s, s:s, s:o}", "ndprun", "1", "device",
                                s->device, "results", results);
        json_dumpf(all, stdout, JSON_INDENT(2));
        printf("\n");
        json_decref(all);
    } else {
        json_decref(results);
    }
    return status;
}

static int run(struct settings *s) {
    struct place at = {.source = diag_source(s->diag, "command line", NULL, 0)};
    ndpDevice device;
    int status = 2;
    if (s->n_paths == 0) {
        diag_error(s->diag, at,
                   "no file given, expected a run description such as "
                   "'kernels/axpy/axpy.yml'");
        return 2;
    }
    if (s->n_paths > 1 && s->saves.n) {
        diag_error(s->diag, at, "'--write' works with one file, found %d",
                   s->n_paths);
        return 2;
    }
    if (ndpDeviceOpen(&device, s->device) != NDP_SUCCESS) {
        diag_error(s->diag, at, "%s", ndpGetErrorString(device));
    } else {
        ndpDeviceSetWatchdog(device, (uint32_t)s->watchdog);
        status = run_all_files(s, device);
    }
    ndpDeviceClose(device);
    return status;
}

int main(int argc, char **argv) {
    struct diag diag = {0};
    struct settings s = {.diag = &diag,
                         .device = "golden:plain",
                         .timeout = 600,
                         .watchdog = 1000000};
    s.paths = xcalloc((size_t)argc, sizeof *s.paths);
    int status = options_parse(&options, argc, argv, take, &s, &diag);
    if (status == OPTIONS_RUN)
        status = run(&s);
    diag_flush(&diag, stderr);
    diag_free(&diag);
    free(s.paths);
    return status;
}
