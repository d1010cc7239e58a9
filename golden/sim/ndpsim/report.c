/* report.c - what a run came to, as a page, as a row, as JSON. */
#include "ndpsim.h"

#include "base/version.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const results[] = {"right", "wrong", "not checked",
                                      "stopped"};

const char *outcome_word(const struct outcome *o) {
    if (o->interrupted)
        return "interrupted";
    if (o->is_trace)
        return o->trace_ok ? "complete" : "broken";
    return results[o->verdict.result];
}

int outcome_status(const struct outcome *o) {
    if (!o->is_trace && strcmp(o->verdict.reason, "bad input") == 0)
        return 2;
    if (o->is_trace && !o->interrupted)
        return o->trace_ok ? 0 : 2;
    return o->interrupted || o->verdict.result == RUN_WRONG ||
           o->verdict.result == RUN_STOPPED;
}

static double share(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* ------------------------------------------------------------------ page */

/* 12345678 as "12 345 678". */
static const char *grouped(uint64_t v, char buf[32]) {
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v), k = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            buf[k++] = ' ';
        buf[k++] = digits[i];
    }
    buf[k] = '\0';
    return buf;
}

static void print_value(struct expr_value v, FILE *out) {
    if (v.is_float)
        fprintf(out, "%.9g", v.f);
    else
        fprintf(out, "%" PRId64, v.i);
}

static void page_buffer(const struct run_buffer_result *b, FILE *out) {
    fprintf(out, "  %-12s %s[%" PRIu64 "]", b->name, element_name((int)b->type),
            b->count);
    if (!b->checked) {
        fprintf(out, "  not checked, checksum %016" PRIx64 "\n", b->checksum);
        return;
    }
    fprintf(out, "  %s", b->wrong > b->allowed ? "WRONG" : "right");
    if (b->wrong == 0) {
        fprintf(out, ", %" PRIu64 " compared", b->compared);
        if (b->worst > 0)
            fprintf(out, ", worst error %.2g of the tolerance", b->worst);
        fputc('\n', out);
        return;
    }
    fprintf(out,
            ": %" PRIu64 " of %" PRIu64 " differ (%" PRIu64
            " allowed), first [%" PRIu64 "] is ",
            b->wrong, b->compared, b->allowed, b->first_wrong);
    print_value(b->got, out);
    fputs(", expected ", out);
    print_value(b->wanted, out);
    fputc('\n', out);
}

static void page_mix(const struct stats *s, FILE *out) {
    char buf[32];
    fprintf(out, "instruction mix (thread instructions)\n");
    for (int c = 0; c < OPC_COUNT; c++)
        if (s->class_warps[c])
            fprintf(out, "  %-12s %5.1f %%  %15s  %s\n", opclass_name(c),
                    share(s->class_threads[c], s->thread_instructions),
                    grouped(s->class_threads[c], buf), opclass_doc(c));
}

static void page_memory(const struct stats *s, FILE *out) {
    char buf[32];
    fprintf(out, "memory (warp accesses)   loads      stores     atomics"
                 "           bytes\n");
    for (int i = 0; i < STATS_SPACES; i++) {
        const struct stats_space *p = &s->spaces[i];
        if (p->loads + p->stores + p->atomics == 0)
            continue;
        fprintf(out, "  %-14s %14" PRIu64 " %11" PRIu64 " %11" PRIu64 " %15s\n",
                ptx_space_text((enum ptx_space)i), p->loads, p->stores,
                p->atomics, grouped(p->bytes, buf));
    }
    fprintf(out,
            "  coalescing     %.2f lines of 128 bytes an access to DRAM, "
            "%.0f %% of their bytes used\n",
            stats_lines_per_access(s), 100 * stats_line_use(s));
    fprintf(out, "  footprint      %s bytes of global memory (lines of 128)\n",
            grouped(s->footprint_lines * STATS_LINE, buf));
}

static void page_stats(const struct stats *s, FILE *out) {
    char a[32], b[32];
    fprintf(out, "executed\n");
    fprintf(out, "  launches       %" PRIu64 "\n", s->launches);
    fprintf(out, "  instructions   %s of threads, %s of warps\n",
            grouped(s->thread_instructions, a),
            grouped(s->warp_instructions, b));
    fprintf(out,
            "  divergence     %.1f of 32 lanes active, %" PRIu64 " of %" PRIu64
            " branches diverge (%.1f %%)\n",
            stats_mean_active(s), s->divergent_branches, s->branches,
            share(s->divergent_branches, s->branches));
    page_mix(s, out);
    page_memory(s, out);
}

void report_page(const struct outcome *o, FILE *out) {
    if (o->is_trace)
        fprintf(out, "%s: trace, %s\n", o->path, outcome_word(o));
    else
        fprintf(out, "%s (%s): %s, %s\n", o->name, o->size, outcome_word(o),
                o->interrupted ? "stopped by Ctrl-C" : o->verdict.reason);
    for (int i = 0; !o->is_trace && i < o->verdict.n_buffers; i++)
        page_buffer(&o->verdict.buffers[i], out);
    if (o->system)
        o->preset->page(o->system, out);
    else
        page_stats(&o->stats, out);
    chains_page(o, out);
    fprintf(out,
            "speed          %.3f s, %.1f million thread instructions a "
            "second\n",
            o->seconds,
            o->seconds > 0
                ? (double)o->stats.thread_instructions / o->seconds * 1e-6
                : 0.0);
    if (o->trace_bytes)
        fprintf(out,
                "trace          %" PRIu64 " bytes, %.2f a warp "
                "instruction\n",
                o->trace_bytes,
                o->stats.warp_instructions
                    ? (double)o->trace_bytes /
                          (double)o->stats.warp_instructions
                    : 0.0);
}

/* ------------------------------------------------------------------ table */

void report_heading(const struct system_preset *p, FILE *out) {
    if (p) {
        fprintf(out, "%-24s %-11s ", "kernel", "verdict");
        p->heading(out);
        return;
    }
    fprintf(out, "%-24s %-11s %12s %6s %6s %6s %6s %6s %6s %9s %7s\n", "kernel",
            "verdict", "thread-inst", "lanes", "div %", "mem %", "fp %",
            "lines", "use %", "KiB", "M/s");
}

void report_row(const struct outcome *o, FILE *out) {
    const struct stats *s = &o->stats;
    if (o->system) {
        fprintf(out, "%-24s %-11s ", o->name, outcome_word(o));
        o->preset->row(o->system, out);
        return;
    }
    uint64_t memory = s->class_threads[OPC_ld_global] +
                      s->class_threads[OPC_st_global] +
                      s->class_threads[OPC_atomic];
    uint64_t fp = s->class_threads[OPC_fp] + s->class_threads[OPC_sfu];
    fprintf(out,
            "%-24s %-11s %12" PRIu64 " %6.1f %6.1f %6.1f %6.1f %6.2f %6.0f "
            "%9" PRIu64 " %7.1f\n",
            o->name, outcome_word(o), s->thread_instructions,
            stats_mean_active(s), share(s->divergent_branches, s->branches),
            share(memory, s->thread_instructions),
            share(fp, s->thread_instructions), stats_lines_per_access(s),
            100 * stats_line_use(s), s->footprint_lines * STATS_LINE / 1024,
            o->seconds > 0 ? (double)s->thread_instructions / o->seconds * 1e-6
                           : 0.0);
}

/* ------------------------------------------------------------------- JSON */

static json_t *number(uint64_t v) {
    return json_integer((json_int_t)v);
}

/* JSON has no infinity. */
static json_t *real(double v) {
    return isfinite(v) ? json_real(v) : json_null();
}

static json_t *hex(uint64_t v) {
    return json_sprintf("0x%016" PRIx64, v);
}

static json_t *value(struct expr_value v) {
    return v.is_float ? real(v.f) : json_integer(v.i);
}

static json_t *json_buffer(const struct run_buffer_result *b) {
    json_t *j = json_object();
    json_object_set_new(j, "name", json_string(b->name));
    json_object_set_new(j, "type", json_string(element_name((int)b->type)));
    json_object_set_new(j, "count", number(b->count));
    json_object_set_new(j, "address", hex(b->address));
    json_object_set_new(j, "checksum", hex(b->checksum));
    json_object_set_new(j, "checked", json_boolean(b->checked));
    if (!b->checked)
        return j;
    json_object_set_new(j, "compared", number(b->compared));
    json_object_set_new(j, "wrong", number(b->wrong));
    json_object_set_new(j, "allowed", number(b->allowed));
    json_object_set_new(j, "worst", real(b->worst));
    if (b->wrong == 0)
        return j;
    json_object_set_new(j, "first_wrong", number(b->first_wrong));
    json_object_set_new(j, "got", value(b->got));
    json_object_set_new(j, "wanted", value(b->wanted));
    return j;
}

static json_t *json_mix(const struct stats *s) {
    json_t *j = json_object();
    for (int c = 0; c < OPC_COUNT; c++) {
        json_t *k = json_object();
        json_object_set_new(k, "warp", number(s->class_warps[c]));
        json_object_set_new(k, "thread", number(s->class_threads[c]));
        json_object_set_new(j, opclass_name(c), k);
    }
    return j;
}

static json_t *json_memory(const struct stats *s) {
    json_t *j = json_object(), *spaces = json_object();
    for (int i = 0; i < STATS_SPACES; i++) {
        const struct stats_space *p = &s->spaces[i];
        if (p->loads + p->stores + p->atomics == 0)
            continue;
        json_t *k = json_object();
        json_object_set_new(k, "loads", number(p->loads));
        json_object_set_new(k, "stores", number(p->stores));
        json_object_set_new(k, "atomics", number(p->atomics));
        json_object_set_new(k, "lanes", number(p->lanes));
        json_object_set_new(k, "bytes", number(p->bytes));
        json_object_set_new(k, "lines", number(p->lines));
        json_object_set_new(spaces, ptx_space_text((enum ptx_space)i), k);
    }
    json_object_set_new(j, "spaces", spaces);
    json_object_set_new(j, "lines_per_access", real(stats_lines_per_access(s)));
    json_object_set_new(j, "line_use", real(stats_line_use(s)));
    json_object_set_new(j, "footprint_bytes",
                        number(s->footprint_lines * STATS_LINE));
    return j;
}

static void json_stats(json_t *j, const struct stats *s) {
    json_object_set_new(j, "launches", number(s->launches));
    json_object_set_new(j, "warp_instructions", number(s->warp_instructions));
    json_object_set_new(j, "thread_instructions",
                        number(s->thread_instructions));
    json_object_set_new(j, "mean_active_lanes", real(stats_mean_active(s)));
    json_object_set_new(j, "branches", number(s->branches));
    json_object_set_new(j, "divergent_branches", number(s->divergent_branches));
    json_object_set_new(j, "mix", json_mix(s));
    json_object_set_new(j, "memory", json_memory(s));
}

static json_t *json_outcome(const struct outcome *o) {
    json_t *j = json_object();
    json_object_set_new(j, "name", json_string(o->name));
    json_object_set_new(j, "file", json_string(o->path));
    json_object_set_new(j, "kind", json_string(o->is_trace ? "trace" : "run"));
    json_object_set_new(j, "verdict", json_string(outcome_word(o)));
    if (!o->is_trace) {
        json_t *buffers = json_array();
        for (int i = 0; i < o->verdict.n_buffers; i++)
            json_array_append_new(buffers, json_buffer(&o->verdict.buffers[i]));
        json_object_set_new(j, "reason", json_string(o->verdict.reason));
        json_object_set_new(j, "size", json_string(o->size));
        json_object_set_new(j, "ptx", json_string(o->ptx));
        json_object_set_new(j, "buffers", buffers);
    }
    json_stats(j, &o->stats);
    if (o->system) {
        json_t *system = json_object();
        o->preset->json(o->system, system);
        json_object_set_new(j, "preset", json_string(o->preset->name));
        json_object_set_new(j, "system", system);
    }
    chains_json(o, j);
    json_object_set_new(j, "seconds", real(o->seconds));
    if (o->trace_bytes)
        json_object_set_new(j, "trace_bytes", number(o->trace_bytes));
    return j;
}

/* {"schema", "version", "results": [...]} */
void report_json(const struct outcome *o, int n, FILE *out) {
    json_t *top = json_object(), *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_outcome(&o[i]));
    json_object_set_new(top, "schema", json_string("ndpsim-1"));
    json_object_set_new(top, "version", json_string(NDP_VERSION));
    json_object_set_new(top, "results", list);
    json_dumpf(top, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    fputc('\n', out);
    json_decref(top);
}
