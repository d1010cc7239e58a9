/* ndprun.c - the program: run descriptions on a machine that ndpgen made.
 *
 * The PTX is assembled for the machine's registers, the description's buffers
 * and launches go through libndp, and the verdict is that of ndpsim.
 */
#include "base/options.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "counters.h"
#include "kept.h"
#include "ref.h"
#include "report.h"
#include "runtime/runtime.h"
#include "sim/run/machine.h"
#include "traffic.h"
#include "wave.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *device, *size, *ptx, *trace, *page, *beside, *wave;
    enum wave_form wave_form;
    struct wave_window wave_window;
    uint64_t timeout, watchdog, retries, cores, trace_core;
    int chains;   /* ndpChains, -1: as the device has them */
    int policy;   /* ndpPolicy, -1: as the device has it */
    int prefetch; /* of prefetches, -1: as the device has it */
    int offload;  /* ndpOffload, -1: as the device has it */
    int map;      /* lowest bit, -1: baseline */
    uint64_t pace;
    int cta; /* ndpCta, -1: as the device has it */
    bool json, traffic, window;
    FILE *report;        /* where it goes */
    struct report *html; /* of --report */
    struct text sets;    /* ",KEY=VALUE" of each --set */
    struct text url;     /* the device with these */
    struct run_saves saves;
    const char **paths;
    int n_paths;
    struct diag *diag;
};

/* Choices of --prefetch. */
enum { PRINTED = 3 };
static const ndpPrefetch prefetches[] = {NDP_PREFETCH_NONE, NDP_PREFETCH_STRIDE,
                                         NDP_PREFETCH_PATTERN,
                                         NDP_PREFETCH_PATTERN};

static const struct option_spec specs[] = {
    {"device", 'd', "URL",
     "The machine: golden:PRESET or golden:FILE.yml, a configuration; the same "
     "with untimed:, without its time; verilator:DIR, icarus:DIR, exec (no "
     "machine: the executor), or a board behind a serial line, serial:TTY or "
     "serial:TTY@BAUD (1000000 "
     "without BAUD). Default: golden:plain."},
    {"set", 0, "KEY=VALUE",
     "Of a golden or untimed machine: one parameter, over its preset or file. "
     "May be given several times; 'ndpgen --list-params' has them."},
    {"size", 's', "NAME",
     "Which of the description's sizes to run. Default: small."},
    {"ptx", 'p', "FILE",
     "Run the kernels of this PTX file instead of the one that the "
     "description names."},
    {"trace", 't', "FILE",
     "Write all that retires, with its cycles, to FILE ('-': standard output, "
     "the report goes to standard error), for ndptrace. Works with one run "
     "description."},
    {"trace-core", 0, "N",
     "With --trace, on a golden machine of several cores: which one. Default: "
     "0."},
    {"wave", 0, "FILE.vcd",
     "On a golden machine: write the values of all its ports, named as in RTL, "
     "for a viewer of waveforms (GTKWave, Surfer). Works with one run "
     "description."},
    {"perfetto", 0, "FILE.json",
     "On a golden machine: write what its parts give each other, and the "
     "instructions of warps near and far, as events for ui.perfetto.dev or "
     "chrome://tracing. Works with one run description."},
    {"wave-from", 0, "N",
     "With --wave and --perfetto: the first cycle since the machine's reset. "
     "Default: 0."},
    {"wave-cycles", 0, "N",
     "With --wave and --perfetto: how many cycles. Default: 10000."},
    {"report", 'r', "FILE.html",
     "Write the runs as one self-contained HTML page: verdict, stall reasons, "
     "counters. If one file is run on a device with a trace, also warps and "
     "memory accesses over time; with --traffic the links of the mesh."},
    {"beside", 0, "FILE.html",
     "With --report: add the runs of this earlier page, to compare devices or "
     "options."},
    {"timeout", 0, "SECONDS",
     "Stop a launch that takes longer than this. Default: 600."},
    {"watchdog", 0, "N",
     "Stop a launch when nothing retires for N cycles. Default: 1000000."},
    {"cores", 0, "N",
     "Share launches among the first N cores of a machine of several. Default: "
     "all."},
    {"chains", 0, "off|llc|omni|llc-all",
     "On a machine whose network computes offload chains, such as "
     "golden:chained: compute no chain there, only chains whose loads have one "
     "memory node, all chains whose loads meet, or only those whose loads and "
     "store have one memory node. Default: omni. Chains must be contiguous, "
     "see "
     "ndpcc --rewrite."},
    {"policy", 0, "annotated|default|near|far",
     "On a machine with a near-bank unit, such as golden:mpu_core: where "
     "instructions execute. Default: annotated, as the compiler has marked "
     "them."},
    {"offload", 0, "off|controlled|uncontrolled",
     "On a machine with memory stacks that have cores, such as golden:stacks: "
     "which blocks leave their core. Default: controlled."},
    {"map", 0, "baseline|BIT",
     "On such a machine: which stack has an address, that of the baseline, or "
     "of the address bits from BIT on. Default: baseline."},
    {"pace", 0, "N",
     "On such a machine: edges between two instructions of a stack's core."},
    {"prefetch", 0, "none|stride|pattern|printed",
     "On a machine with a pattern-aware prefetcher, such as golden:image: "
     "prefetch nothing, by strides of warps, along the walks over images that "
     "the description names, or so with the stride as the paper prints it. "
     "Default: pattern."},
    {"cta", 0, "step|row|column|tile",
     "On a machine of several SMs with prefetchers, such as golden:image_mesh: "
     "which CTAs each of N SMs executes, every N-th, or those of a band of "
     "rows, of a band of columns, or of a tile of the grid. Default: step."},
    {"traffic", 0, NULL,
     "On a golden machine with a mesh: report packets and flits times links "
     "during launches, and flits of the links of memory stacks. Cannot be "
     "combined with --trace."},
    {"host", 0, "memory|port",
     "On a golden machine: copy buffers into and out of its memory directly, "
     "or "
     "word by word through its register port, as on a board; the launches are "
     "the same. Default: memory."},
    {"retries", 0, "N",
     "After a disturbed serial line, open the device again and restart the run "
     "description, up to N times. Default: 3."},
    {"write", 'w', "BUFFER=FILE",
     "Write the final contents of a buffer to a file, raw and little-endian; "
     "may be repeated."},
    {"json", 0, NULL, "Print the report as JSON."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndprun kernels/vecadd/vecadd_aligned.yml", "on the golden machine"},
    {"ndprun kernels/axpy/axpy.yml --device golden:small --json",
     "on a smaller one, for another program to read"},
    {"ndprun kernels/axpy/axpy.yml --set simt.lanes=8 --set simt.alus=8",
     "on the plain one with other sizes"},
    {"ndprun kernels/axpy/axpy.yml --device verilator:out/machine",
     "on the RTL in that folder"},
    {"ndprun kernels/axpy/axpy.yml --device serial:/dev/ttyUSB0",
     "on the board behind that adapter"},
    {"ndprun kernels/vecadd/vecadd_strided.yml --device golden:chained "
     "--chains llc",
     "on cores whose network computes chains, at memory nodes alone"},
    {"ndprun kernels/axpy/axpy.yml --device golden:mpu_core --policy near",
     "on a core with near-bank units, near whatever can run there"},
    {"ndprun kernels/axpy/axpy.yml --trace axpy.ret",
     "keep what retired; then: ndptrace axpy.ret"},
    {"ndprun kernels/axpy/axpy.yml --device golden:mpu_core --wave axpy.vcd",
     "the ports of all parts over time, for GTKWave"},
    {"ndprun kernels/axpy/axpy.yml --device golden:mpu_core --perfetto "
     "axpy.json",
     "instructions near and far, packets between the dies, DRAM rows"},
    {"ndprun kernels/axpy/axpy.yml --report axpy.html",
     "a page to look at in a browser"},
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
    .epilogue = "Addresses of a machine are the low 32 bits of a kernel's: an "
                "access at 2^32 + p is one at p, without a fault. ndpsim "
                "stops there.\n\n"
                "Exit status: 0 all right, 1 a wrong result or a kernel that "
                "was stopped, 2 bad input, or a device that was lost.",
};

static const char *wave_option(const struct settings *s) {
    return s->wave_form == WAVE_PORTS ? "--wave" : "--perfetto";
}

static bool take_wave(struct settings *s, enum wave_form form,
                      const char *file) {
    if (s->wave && s->wave_form != form) {
        diag_error(s->diag,
                   (struct place){
                       .source = diag_source(s->diag, "command line", NULL, 0)},
                   "'--wave' and '--perfetto' do not go together");
        return false;
    }
    s->wave_form = form;
    s->wave = file;
    return true;
}

static bool take_map(struct settings *s, const char *value) {
    char *end;
    long bit = strtol(value, &end, 10);
    if (strcmp(value, "baseline") == 0)
        return true;
    if (!*value || *end || bit < 7 || bit > 20) {
        diag_error(s->diag, (struct place){0},
                   "%s of --map, expected baseline or 7 to 20", value);
        return false;
    }
    s->map = (int)bit;
    return true;
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name)
        s->paths[s->n_paths++] = value;
    else if (strcmp(name, "device") == 0)
        s->device = value;
    else if (strcmp(name, "set") == 0)
        text_printf(&s->sets, ",%s", value);
    else if (strcmp(name, "size") == 0)
        s->size = value;
    else if (strcmp(name, "ptx") == 0)
        s->ptx = value;
    else if (strcmp(name, "trace") == 0)
        s->trace = value;
    else if (strcmp(name, "wave") == 0)
        return take_wave(s, WAVE_PORTS, value);
    else if (strcmp(name, "perfetto") == 0)
        return take_wave(s, WAVE_TRANSFERS, value);
    else if (strcmp(name, "wave-from") == 0)
        return options_number(name, value, 0, UINT32_MAX, &s->wave_window.from,
                              s->diag);
    else if (strcmp(name, "wave-cycles") == 0)
        return options_number(name, value, 1, UINT32_MAX,
                              &s->wave_window.cycles, s->diag);
    else if (strcmp(name, "report") == 0)
        s->page = value;
    else if (strcmp(name, "beside") == 0)
        s->beside = value;
    else if (strcmp(name, "json") == 0)
        s->json = true;
    else if (strcmp(name, "traffic") == 0)
        s->traffic = true;
    else if (strcmp(name, "write") == 0)
        return run_save_take(&s->saves, value, s->diag);
    else if (strcmp(name, "timeout") == 0)
        return options_number(name, value, 1, 1000000, &s->timeout, s->diag);
    else if (strcmp(name, "trace-core") == 0)
        return options_number(name, value, 0, 255, &s->trace_core, s->diag);
    else if (strcmp(name, "cores") == 0)
        return options_number(name, value, 1, 256, &s->cores, s->diag);
    else if (strcmp(name, "chains") == 0)
        return (s->chains = options_choice(name, value, "off|llc|omni|llc-all",
                                           s->diag)) >= 0;
    else if (strcmp(name, "policy") == 0)
        return (s->policy = options_choice(
                    name, value, "annotated|default|near|far", s->diag)) >= 0;
    else if (strcmp(name, "offload") == 0)
        return (s->offload = options_choice(
                    name, value, "off|controlled|uncontrolled", s->diag)) >= 0;
    else if (strcmp(name, "map") == 0)
        return take_map(s, value);
    else if (strcmp(name, "pace") == 0)
        return options_number(name, value, 1, 255, &s->pace, s->diag);
    else if (strcmp(name, "prefetch") == 0)
        return (s->prefetch = options_choice(
                    name, value, "none|stride|pattern|printed", s->diag)) >= 0;
    else if (strcmp(name, "cta") == 0)
        return (s->cta = options_choice(name, value, "step|row|column|tile",
                                        s->diag)) >= 0;
    else if (strcmp(name, "host") == 0) {
        int host = options_choice(name, value, "memory|port", s->diag);
        s->window = host == 1;
        return host >= 0;
    } else if (strcmp(name, "retries") == 0)
        return options_number(name, value, 0, 1000, &s->retries, s->diag);
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
    uint64_t launches, attempts;
    json_t *buffers, *counters, *chains, *unit, *prefetch, *offload, *traffic;
};

static void outcome_free(struct outcome *o) {
    json_decref(o->buffers);
    json_decref(o->counters);
    json_decref(o->chains);
    json_decref(o->unit);
    json_decref(o->prefetch);
    json_decref(o->offload);
    json_decref(o->traffic);
    free(o->name);
    free(o->size);
    *o = (struct outcome){.path = o->path};
}

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

/* No number in JSON: null. */
static json_t *value_json(struct expr_value v) {
    json_t *j = v.is_float ? json_real(v.f) : json_integer(v.i);
    return j ? j : json_null();
}

static json_t *buffers_json(const struct run_verdict *v) {
    json_t *list = json_array();
    for (int i = 0; i < v->n_buffers; i++) {
        const struct run_buffer_result *b = &v->buffers[i];
        char checksum[32];
        snprintf(checksum, sizeof checksum, "%016" PRIx64, b->checksum);
        json_t *j = json_pack(
            "{s:s, s:I, s:s, s:b, s:I, s:I, s:I}", "name", b->name, "count",
            (json_int_t)b->count, "checksum", checksum, "checked", b->checked,
            "compared", (json_int_t)b->compared, "wrong", (json_int_t)b->wrong,
            "allowed", (json_int_t)b->allowed);
        if (b->wrong) {
            json_object_set_new(j, "first_wrong",
                                json_integer((json_int_t)b->first_wrong));
            json_object_set_new(j, "got", value_json(b->got));
            json_object_set_new(j, "wanted", value_json(b->wanted));
        }
        json_array_append_new(list, j);
    }
    return list;
}

static void put_count(json_t *to, const char *key, uint64_t n) {
    json_object_set_new(to, key, json_integer((json_int_t)n));
}

static json_t *traffic_json(ndpDevice device) {
    static const char *const ways[TRAFFIC_WAYS][2] = {
        {"to_stacks", "to_stacks_blocks"},
        {"from_stacks", "from_stacks_blocks"},
        {"between_stacks", "between_stacks_blocks"}};
    struct traffic t = traffic_read(device->port);
    json_t *j = json_object();
    put_count(j, "edges", t.edges);
    put_count(j, "hops", t.hops);
    put_count(j, "flit_hops", t.flit_hops);
    put_count(j, "memories", t.memories);
    put_count(j, "memory_sends", t.memory_sends);
    put_count(j, "memory_receives", t.memory_receives);
    put_count(j, "memory_answers", t.memory_answers);
    for (int i = 0; i < TRAFFIC_WAYS && t.has_links; i++) {
        put_count(j, ways[i][0], t.link_flits[i]);
        put_count(j, ways[i][1], t.link_blocks[i]);
    }
    return j;
}

/* How far the launches are, for who sits before a terminal. */
static void show_progress(void *ctx, ndpDevice device, uint64_t ctas) {
    struct progress *p = ctx;
    uint64_t cycles, issued, taken;
    char line[80];
    if (!progress_due(p) ||
        ndpDeviceGetCounter(&cycles, device, "cycles") != NDP_SUCCESS ||
        ndpDeviceGetCounter(&issued, device, "issued") != NDP_SUCCESS ||
        ndpDeviceGetCounter(&taken, device, "cta") != NDP_SUCCESS)
        return;
    snprintf(line, sizeof line,
             "%" PRIu64 " cycles, %" PRIu64 " instructions, %" PRIu64
             " of %" PRIu64 " CTAs begun",
             cycles, issued, taken, ctas);
    progress_say(p, line);
}

/* Exit status: 0, 1, or 2 when it could not begin. */
static int run_one(const struct settings *s, ndpDevice device,
                   struct outcome *o) {
    struct run_options ro = {
        .size = s->size, .ptx = s->ptx, .reference = ref_find};
    struct run_machine m = {.device = device,
                            .printed = s->prefetch == PRINTED,
                            .cores = (int)s->cores,
                            .areas = s->cta > NDP_CTA_STEP,
                            .timeout = (unsigned)s->timeout * 1000};
    int status = 2;
    struct run *r = run_open(o->path, &ro, s->diag);
    struct place at = {.source = diag_source(s->diag, o->path, NULL, 0)};
    if (r && run_save_check(r, &s->saves) && run_load(r, &m)) {
        bool cleared = ndpDeviceClearCounters(device) == NDP_SUCCESS;
        if (!cleared)
            diag_error(s->diag, at, "%s", ndpGetErrorString(device));
        if (cleared && s->traffic)
            traffic_clear(device->port);
        struct progress p;
        progress_begin(&p, run_name(r), 0);
        ndpDeviceSetWaits(device, show_progress, &p);
        bool done = cleared && run_on_machine(r, &m);
        ndpDeviceSetWaits(device, NULL, NULL);
        progress_end(&p);
        bool ran = done || m.result == NDP_ERROR_LAUNCH_FAILED ||
                   m.result == NDP_ERROR_LAUNCH_TIMEOUT;
        run_verdict(r, &o->result);
        o->verdict = word(&o->result);
        o->name = xstrdup(run_name(r));
        o->size = xstrdup(run_size(r));
        o->launches = m.launches;
        o->buffers = buffers_json(&o->result);
        if ((!counters_json(device, &o->counters) ||
             !counters_chains_json(device, &o->chains) ||
             !counters_unit_json(device, &o->unit) ||
             !counters_prefetch_json(device, &o->prefetch) ||
             !counters_offload_json(device, &o->offload)) &&
            ran) {
            diag_error(s->diag, at, "%s", ndpGetErrorString(device));
            ran = false;
        }
        o->traffic = s->traffic ? traffic_json(device) : NULL;
        status = !ran || !run_save(r, &s->saves)
                     ? 2
                     : o->result.result == RUN_WRONG || !done;
        ndpModuleUnload(m.module);
    }
    run_close(r);
    return status;
}

/* --- again, when a serial line was disturbed ------------------------------ */

struct session {
    ndpDevice device;
    bool is_open; /* and not lost by its line */
};

/* A golden machine that counts what crosses its mesh. */
static ndpResult open_counting(ndpDevice *device, const char *url) {
    static const char golden[] = "golden:";
    struct text why = {0};
    struct ndp_port *port = NULL;
    if (strncmp(url, golden, strlen(golden)) == 0)
        port = traffic_open(url + strlen(golden), &why);
    else
        text_printf(&why, "'--traffic' goes with golden:PRESET, not with '%s'",
                    url);
    *device = xcalloc(1, sizeof **device);
    ndpResult r =
        port ? ndp_attach(*device, port)
             : ndp_fail(*device, NDP_ERROR_NO_DEVICE, "%s", text_str(&why));
    text_free(&why);
    return r;
}

/* Afresh; after an error the device is there for its text. */
static bool open_device(const struct settings *s, struct session *in) {
    ndpDeviceClose(in->device);
    in->is_open = (s->traffic ? open_counting : ndpDeviceOpen)(
                      &in->device, s->device) == NDP_SUCCESS;
    if (in->is_open)
        ndpDeviceSetWatchdog(in->device, (uint32_t)s->watchdog);
    if (in->is_open)
        ndpDeviceSetWindow(in->device, s->window);
    if (in->is_open && s->cores)
        in->is_open =
            ndpDeviceSetCores(in->device, (int)s->cores) == NDP_SUCCESS;
    if (in->is_open && s->policy >= 0)
        in->is_open =
            ndpDeviceSetPolicy(in->device, (ndpPolicy)s->policy) == NDP_SUCCESS;
    if (in->is_open && s->offload >= 0)
        in->is_open = ndpDeviceSetOffload(in->device, (ndpOffload)s->offload) ==
                      NDP_SUCCESS;
    if (in->is_open && s->map >= 0)
        in->is_open = ndpDeviceSetMap(in->device, s->map) == NDP_SUCCESS;
    if (in->is_open && s->pace)
        in->is_open =
            ndpDeviceSetPace(in->device, (unsigned)s->pace) == NDP_SUCCESS;
    if (in->is_open && s->prefetch >= 0)
        in->is_open = ndpDeviceSetPrefetch(
                          in->device, prefetches[s->prefetch]) == NDP_SUCCESS;
    if (in->is_open && s->cta >= 0)
        in->is_open =
            ndpDeviceSetCta(in->device, (ndpCta)s->cta) == NDP_SUCCESS;
    if (in->is_open && s->chains >= 0)
        in->is_open =
            ndpDeviceSetChains(in->device, (ndpChains)s->chains) == NDP_SUCCESS;
    return in->is_open;
}

/* Whether another attempt follows the one of that number, and a word of it. */
static bool again(const struct settings *s, const char *what, const char *why,
                  uint64_t attempt) {
    struct place at = {.source = diag_source(s->diag, what, NULL, 0)};
    if (attempt > s->retries)
        return false;
    diag_report(s->diag, DIAG_NOTE, at,
                "%s; attempt %" PRIu64 " of %" PRIu64 " follows", why,
                attempt + 1, s->retries + 1);
    diag_flush(s->diag, stderr);
    return true;
}

/* Nothing but the line is a reason to begin again: a kernel that faults, a
 * wrong result and a machine that hangs are what they are. */
static int run_file(const struct settings *s, struct session *in,
                    struct outcome *o) {
    for (uint64_t attempt = 1;; attempt++) {
        struct diag d = {0};
        struct settings now = *s;
        struct place at = {.source = diag_source(&d, o->path, NULL, 0)};
        int status = 2;
        now.diag = &d;
        if (in->is_open || open_device(s, in)) {
            status = run_one(&now, in->device, o);
            in->is_open = !ndpDeviceLineFailed(in->device);
        } else {
            diag_error(&d, at, "%s", ndpGetErrorString(in->device));
        }
        bool over =
            in->is_open ||
            !again(s, o->path, d.count ? d.messages[0].text : "lost", attempt);
        if (over)
            diag_flush(&d, stderr);
        else
            outcome_free(o);
        diag_free(&d);
        o->attempts = attempt;
        if (over)
            return status;
    }
}

/* --- reports -------------------------------------------------------------- */

static json_int_t number_of(json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static void print_value(json_t *v, FILE *out) {
    if (json_is_integer(v))
        fprintf(out, "%lld", (long long)json_integer_value(v));
    else if (json_is_real(v))
        fprintf(out, "%.9g", json_real_value(v));
    else
        fputs("no number", out); /* infinite, or NaN */
}

static void print_buffer(json_t *b, FILE *out) {
    json_int_t wrong = number_of(b, "wrong"), allowed = number_of(b, "allowed");
    fprintf(out, "  %-12s %8lld elements, checksum %s",
            json_string_value(json_object_get(b, "name")),
            (long long)number_of(b, "count"),
            json_string_value(json_object_get(b, "checksum")));
    if (json_is_true(json_object_get(b, "checked")))
        fprintf(out, ", %lld of %lld wrong", (long long)wrong,
                (long long)number_of(b, "compared"));
    if (allowed > 0)
        fprintf(out, " (%s: %lld may be)",
                wrong > allowed ? "too many" : "right", (long long)allowed);
    if (wrong > 0) {
        fprintf(out, ", first [%lld] is ",
                (long long)number_of(b, "first_wrong"));
        print_value(json_object_get(b, "got"), out);
        fputs(", expected ", out);
        print_value(json_object_get(b, "wanted"), out);
    }
    fputc('\n', out);
}

static void print(const struct outcome *o, const char *device, FILE *out) {
    const char *key;
    json_t *value;
    size_t i;
    fprintf(out, "%s (%s) on %s: %s, %" PRIu64 " launch%s", o->name, o->size,
            device, o->verdict, o->launches, o->launches == 1 ? "" : "es");
    if (o->attempts > 1)
        fprintf(out, ", attempt %" PRIu64, o->attempts);
    fprintf(out, "\n");
    json_array_foreach(o->buffers, i, value) print_buffer(value, out);
    json_object_foreach(o->counters, key, value) {
        json_int_t n = json_integer_value(value);
        fprintf(out, "  %-12s %12lld%s\n", key, (long long)n,
                counters_is_full(o->counters, n)
                    ? " or more, this counter is full"
                    : "");
    }
    json_object_foreach(o->chains, key, value) {
        fprintf(out, "  chains: %-9s %7lld\n", key,
                (long long)json_integer_value(value));
    }
    json_object_foreach(o->unit, key, value) {
        fprintf(out, "  unit: %-14s %4lld\n", key,
                (long long)json_integer_value(value));
    }
    json_object_foreach(o->prefetch, key, value) {
        fprintf(out, "  %-23s %lld\n", key,
                (long long)json_integer_value(value));
    }
    json_object_foreach(o->offload, key, value) {
        fprintf(out, "  offload: %-16s %7lld\n", key,
                (long long)json_integer_value(value));
    }
    json_object_foreach(o->traffic, key, value) {
        fprintf(out, "  traffic: %-9s %7lld\n", key,
                (long long)json_integer_value(value));
    }
}

static json_t *outcome_json(const struct outcome *o) {
    json_t *all =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:O, s:O, s:o}", "name",
                  o->name, "file", o->path, "size", o->size, "verdict",
                  o->verdict, "launches", (json_int_t)o->launches, "attempts",
                  (json_int_t)o->attempts, "buffers", o->buffers, "counters",
                  o->counters, "full", counters_full_json(o->counters));
    if (o->chains)
        json_object_set(all, "chains", o->chains);
    if (o->unit)
        json_object_set(all, "unit", o->unit);
    if (o->prefetch)
        json_object_set(all, "prefetch", o->prefetch);
    if (o->offload)
        json_object_set(all, "offload", o->offload);
    if (o->traffic)
        json_object_set(all, "traffic", o->traffic);
    return all;
}

static void add_to_page(const struct settings *s, ndpDevice device,
                        const struct outcome *o) {
    int cores = 1;
    json_t *result = outcome_json(o);
    if (ndpDeviceGetCores(&cores, device) != NDP_SUCCESS)
        cores = 1;
    if (s->cores && (int)s->cores < cores)
        cores = (int)s->cores;
    report_add(s->html, s->device, result, cores,
               s->traffic ? traffic_links(device->port) : NULL);
    json_decref(result);
}

/* All files, one after the other; the exit status. */
static int run_all_files(const struct settings *s, struct session *in) {
    json_t *results = json_array();
    int status = 0;
    for (int i = 0; i < s->n_paths; i++) {
        struct outcome o = {.path = s->paths[i]};
        int one = run_file(s, in, &o);
        diag_flush(s->diag, stderr);
        if (one > status)
            status = one;
        if (o.verdict && s->page)
            add_to_page(s, in->device, &o);
        if (o.verdict && s->json)
            json_array_append_new(results, outcome_json(&o));
        else if (o.verdict)
            print(&o, s->device, s->report);
        if (s->report != stdout)
            fflush(s->report);
        else if (!outfile_flush_stdout(s->diag))
            status = 2;
        outcome_free(&o);
    }
    if (s->json) {
        json_t *all = json_pack("{s:s, s:s, s:o}", "schema", "ndprun-1",
                                "device", s->device, "results", results);
        json_dumpf(all, s->report, JSON_INDENT(2));
        fprintf(s->report, "\n");
        json_decref(all);
    } else {
        json_decref(results);
    }
    return status;
}

/* --- trace ---------------------------------------------------------------- */

/* It is written whenever there was a launch: a trace of a machine that was lost
 * is what one wants to see. */
static int run_traced(const struct settings *s, struct session *in,
                      struct place at) {
    FILE *stream = kept_open(s->trace, at, s->diag);
    int status = 2;
    if (!stream)
        return 2;
    if (ndpDeviceSetTraceOf(in->device, (int)s->trace_core, stream) !=
        NDP_SUCCESS) {
        diag_error(s->diag, at, "%s", ndpGetErrorString(in->device));
    } else {
        long head = ftell(stream);
        status = run_all_files(s, in);
        bool launched = ftell(stream) > head;
        ndpDeviceSetTrace(in->device, NULL);
        if (!kept_put(stream, launched ? s->trace : NULL, at, s->diag))
            status = 2;
    }
    fclose(stream);
    return status;
}

/* With what retired, where the device tells it and has one core. */
static int run_for_page(const struct settings *s, struct session *in) {
    int cores = 1;
    ndpDeviceGetCores(&cores, in->device);
    FILE *stream =
        s->n_paths == 1 && !s->traffic && cores == 1 ? tmpfile() : NULL;
    bool traced =
        stream && ndpDeviceSetTrace(in->device, stream) == NDP_SUCCESS;
    int status = run_all_files(s, in);
    if (traced) {
        ndpDeviceSetTrace(in->device, NULL);
        report_add_stream(s->html, stream);
    }
    if (stream)
        fclose(stream);
    if (s->html->runs.len &&
        !report_write(s->html, s->page, s->beside, s->diag))
        status = 2;
    return status;
}

static int run_plainly(const struct settings *s, struct session *in,
                       struct place at) {
    return s->trace  ? run_traced(s, in, at)
           : s->page ? run_for_page(s, in)
                     : run_all_files(s, in);
}

static int run_waved(const struct settings *s, struct session *in,
                     struct place at) {
    FILE *stream = kept_open(s->wave, at, s->diag);
    if (!stream)
        return 2;
    struct wave *w =
        wave_open(in->device->port, stream, s->wave_form, s->wave_window);
    int status = run_plainly(s, in, at);
    wave_close(w);
    if (!kept_put(stream, s->wave, at, s->diag))
        status = 2;
    fclose(stream);
    return status;
}

/* What options do not go together, or not with this device. */
static bool wave_goes(const struct settings *s, struct place at) {
    const char *other = s->traffic                               ? "--traffic"
                        : s->trace && outfile_is_stdout(s->wave) ? "--trace"
                                                                 : NULL;
    if (strncmp(s->device, "golden:", 7) != 0)
        diag_error(s->diag, at,
                   "'%s' goes with golden:PRESET, not with '%s'; "
                   "the simulators write waveforms of their own, see "
                   "docs/cosim.md",
                   wave_option(s), s->device);
    else if (s->n_paths > 1)
        diag_error(s->diag, at, "'%s' works with one file, found %d",
                   wave_option(s), s->n_paths);
    else if (other)
        diag_error(s->diag, at, "'%s' and '%s' do not go together",
                   wave_option(s), other);
    else
        return true;
    return false;
}

static int run(struct settings *s) {
    struct report html = {0};
    struct place at = {.source = diag_source(s->diag, "command line", NULL, 0)};
    struct session in = {0};
    uint64_t attempt = 1;
    int status = 2;
    if (s->n_paths == 0) {
        diag_error(s->diag, at,
                   "no file given, expected a run description such as "
                   "'kernels/axpy/axpy.yml'");
        return 2;
    }
    if (s->trace && s->n_paths > 1) {
        diag_error(s->diag, at, "'--trace' works with one file, found %d",
                   s->n_paths);
        return 2;
    }
    if (s->wave && !wave_goes(s, at))
        return 2;
    if (s->sets.len) {
        if (strncmp(s->device, "golden:", 7) != 0 &&
            strncmp(s->device, "untimed:", 8) != 0) {
            diag_error(s->diag, at,
                       "'--set' goes with golden: and untimed:, not with '%s', "
                       "which is as it was made",
                       s->device);
            return 2;
        }
        text_printf(&s->url, "%s%s", s->device, text_str(&s->sets));
        s->device = text_str(&s->url);
    }
    bool taken = (s->trace && outfile_is_stdout(s->trace)) ||
                 (s->wave && outfile_is_stdout(s->wave));
    s->report = taken ? stderr : stdout;
    if (s->n_paths > 1 && s->saves.n) {
        diag_error(s->diag, at, "'--write' works with one file, found %d",
                   s->n_paths);
        return 2;
    }
    if (s->page && s->trace) {
        diag_error(s->diag, at, "'--report' and '--trace' do not go together");
        return 2;
    }
    if (s->beside && !s->page) {
        diag_error(s->diag, at, "'--beside' goes with '--report'");
        return 2;
    }
    if (s->page && !kept_can_write(s->page, s->diag))
        return 2;
    s->html = &html;
    while (!open_device(s, &in) && ndpDeviceLineFailed(in.device) &&
           again(s, s->device, ndpGetErrorString(in.device), attempt))
        attempt++;
    if (!in.is_open)
        diag_error(s->diag, at, "%s", ndpGetErrorString(in.device));
    else
        status = s->wave ? run_waved(s, &in, at) : run_plainly(s, &in, at);
    ndpDeviceClose(in.device);
    report_free(&html);
    return status;
}

int main(int argc, char **argv) {
    struct diag diag = {0};
    struct settings s = {.diag = &diag,
                         .device = "golden:plain",
                         .timeout = 600,
                         .retries = 3,
                         .chains = -1,
                         .policy = -1,
                         .wave_window = {.cycles = 10000},
                         .prefetch = -1,
                         .offload = -1,
                         .map = -1,
                         .cta = -1,
                         .watchdog = 1000000};
    s.paths = xcalloc((size_t)argc, sizeof *s.paths);
    int status = options_parse(&options, argc, argv, take, &s, &diag);
    if (status == OPTIONS_RUN)
        status = run(&s);
    if (!outfile_flush_stdout(&diag))
        status = 2;
    diag_flush(&diag, stderr);
    diag_free(&diag);
    text_free(&s.sets);
    text_free(&s.url);
    free(s.paths);
    return status;
}
