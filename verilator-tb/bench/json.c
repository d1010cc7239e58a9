/* json.c - how a run ended, as JSON.
 *
 * target, sim, stim, configuration, hash, result, seed, cycles, outputs,
 * mismatches, digest, covers_hit, covers {name: count} and report {what the
 * stimulus counted} are always there; cycle, differences [{signal, expected,
 * got, bits, unknown}], property, events, replay and waveform after a failure.
 */
#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *hex(const uint64_t *w, const uint64_t *x, int width) {
    struct text t = {0};
    report_hex(&t, w, x, width);
    json_t *j = json_string(text_str(&t));
    text_free(&t);
    return j;
}

static json_t *hex64(uint64_t value) {
    char word[17];
    snprintf(word, sizeof word, "%016" PRIx64, value);
    return json_string(word);
}

static json_t *difference(const struct bench *b, const struct difference *f) {
    struct text bits = {0}, name = {0};
    report_bits(&bits, f->bits, f->width);
    report_name(b, f, &name);
    json_t *j =
        json_pack("{s:s, s:o, s:o, s:s, s:b}", "signal", text_str(&name),
                  "expected", hex(f->expected, NULL, f->width), "got",
                  hex(f->got, f->unknown, f->width), "bits", text_str(&bits),
                  "unknown", f->any_unknown);
    text_free(&bits);
    text_free(&name);
    return j;
}

static json_t *differences(struct bench *b) {
    json_t *list = json_array();
    struct difference f;
    for (int n = 0; n < b->design->n_ports; n++)
        if (report_differs(b, n, &f))
            json_array_append_new(list, difference(b, &f));
    return list;
}

static json_t *events(struct bench *b) {
    json_t *list = json_array();
    struct text t = {0};
    report_events(b, &t);
    const char *p = text_str(&t);
    for (const char *nl; (nl = strchr(p, '\n')); p = nl + 1)
        json_array_append_new(list, json_stringn(p, (size_t)(nl - p)));
    text_free(&t);
    return list;
}

static json_t *covers(const struct bench *b) {
    json_t *all = json_object();
    const uint64_t *count = golden_covers(b->golden);
    for (int n = 0; n < b->block.iface->n_covers; n++)
        json_object_set_new(all, b->block.iface->covers[n].name,
                            json_integer((json_int_t)count[n]));
    return all;
}

/* A number where the value is one. */
static json_t *value(const char *text, size_t len) {
    char *word = strndup(text, len), *end;
    long long number = strtoll(word, &end, 10);
    json_t *j = *word && !*end ? json_integer(number) : json_string(word);
    free(word);
    return j;
}

/* The "key<TAB>value" lines of the stimulus as an object. */
static json_t *stimulus(struct bench *b) {
    struct text t = {0};
    json_t *all = json_object();
    stim_report(b->stim, true, &t);
    const char *p = text_str(&t);
    for (const char *nl; (nl = strchr(p, '\n')); p = nl + 1) {
        const char *tab = memchr(p, '\t', (size_t)(nl - p));
        if (!tab)
            BUG("report line '%.*s' has no tab", (int)(nl - p), p);
        char *key = strndup(p, (size_t)(tab - p));
        json_object_set_new(all, key, value(tab + 1, (size_t)(nl - tab - 1)));
        free(key);
    }
    text_free(&t);
    return all;
}

static const char *end_name(const struct bench *b, int status) {
    static const char *const names[] = {[BENCH_RUNNING] = "running",
                                        [BENCH_COMPLETE] = "equal",
                                        [BENCH_INTERRUPTED] = "interrupted",
                                        [BENCH_MISMATCH] = "mismatch",
                                        [BENCH_BROKEN] = "property",
                                        [BENCH_STRANGER] = "stranger",
                                        [BENCH_FAILED] = "failed"};
    return b->end == BENCH_COMPLETE && status ? "uncovered" : names[b->end];
}

static void add_failure(struct bench *b, json_t *j) {
    struct text command = {0};
    json_object_set_new(j, "cycle",
                        json_integer((json_int_t)report_bad_cycle(b)));
    json_object_set_new(j, "differences", differences(b));
    if (b->broken)
        json_object_set_new(j, "property", json_string(b->broken));
    json_object_set_new(j, "events", events(b));
    report_command(b, &command);
    if (command.len)
        json_object_set_new(j, "replay", json_string(text_str(&command)));
    if (report_draws(b))
        json_object_set_new(j, "waveform", json_string(b->opt.wave));
    text_free(&command);
}

void report_json(struct bench *b, int status) {
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:I, s:I, s:i, s:i, s:o, s:i, "
        "s:o, s:o}",
        "schema", "cosim-1", "target", b->block.iface->name, "sim", b->opt.sim,
        "stim", b->opt.stim.mode, "configuration", b->opt.label, "hash",
        hex64(b->design->hash), "result", end_name(b, status), "seed",
        (json_int_t)b->opt.stim.seed, "cycles", (json_int_t)b->cycle, "outputs",
        report_outputs(b), "mismatches", (int)report_failed(b), "digest",
        hex64(bench_digest(b)), "covers_hit", report_covers_hit(b), "covers",
        covers(b), "report", stimulus(b));
    if (!j)
        BUG("cannot build the JSON result");
    if (report_failed(b))
        add_failure(b, j);
    json_dumpf(j, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(j);
}
