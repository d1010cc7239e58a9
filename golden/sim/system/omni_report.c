/* omni_report.c - what the composition `omni` came to: page, row, JSON. */
#include "omni_state.h"

#include <inttypes.h>

static const char *const modes[] = {"off", "llc", "omni"};
static const char *const whys[] = {"went", "hit", "full", "window", "unmet"};
static const char *const kinds[] = {"load", "store",  "atomic", "compute",
                                    "line", "stored", "result", "answer"};

uint64_t omni_sum(const uint64_t *by_kind) {
    uint64_t n = 0;
    for (int i = 0; i < OMNI_KINDS; i++)
        n += by_kind[i];
    return n;
}

static double over(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

static double share(uint64_t part, uint64_t whole) {
    return 100 * over(part, whole);
}

static uint64_t all_instructions(const struct omni_result *r) {
    return r->instructions + r->far;
}

static uint64_t hits(const struct cache_stats *s) {
    return s->load_hits + s->load_merged;
}

void omni_page(const void *result, FILE *out) {
    const struct omni_result *r = result;
    const struct omni_settings *s = &r->settings;
    fprintf(out,
            "omni           %d cores and %d memory nodes, %u x %u, mode %s, "
            "f32 multiply-adds %s\n",
            (int)(s->width * s->height) - s->memory_nodes.n, s->memory_nodes.n,
            s->width, s->height, modes[s->mode], s->split ? "split" : "exact");
    fprintf(out,
            "time           %" PRIu64 " cycles, %.2f warp instructions a "
            "cycle\n",
            r->cycles, over(all_instructions(r), r->cycles));
    fprintf(out,
            "L1, L2         %.1f %% and %.1f %% of loads hit or join; %" PRIu64
            " bytes of DRAM\n",
            share(hits(&r->l1), r->l1.loads), share(hits(&r->l2), r->l2.loads),
            r->dram_bytes);
    fprintf(out,
            "latency        %.0f cycles for a line of a core, %.0f for a "
            "chain's packet\n",
            over(r->load_cycles, r->loads), over(r->chain_cycles, r->packets));
    fprintf(out, "chains         %" PRIu64 ", %.1f %% offloaded", r->chains,
            share(r->why[OMNI_WENT], r->chains));
    if (s->mode != OMNI_OFF)
        fprintf(out,
                "; stayed: %" PRIu64 " L1 hit, %" PRIu64 " no entry, %" PRIu64
                " window, %" PRIu64 " no node",
                r->why[OMNI_HIT], r->why[OMNI_FULL], r->why[OMNI_WINDOW],
                r->why[OMNI_UNMET]);
    fprintf(out,
            "\n  packets      %" PRIu64 ", %.1f %% to memory nodes, %" PRIu64
            " sent back; %u places at most\n",
            r->packets, share(r->at_memory, r->packets), r->returned,
            r->places_peak);
    fprintf(out,
            "mesh           %" PRIu64 " packets, %" PRIu64 " hops; %" PRIu64
            " flits, weighted hops %" PRIu64 "\n",
            omni_sum(r->sent), omni_sum(r->hops), omni_sum(r->flits),
            omni_sum(r->weighted));
}

void omni_heading(FILE *out) {
    fprintf(out, "%10s %7s %6s %6s %8s %9s %7s %7s %7s %12s %12s\n", "cycles",
            "ipc", "L1 %", "L2 %", "latency", "chains", "went %", "hit %",
            "unmet%", "hops", "weighted");
}

void omni_row(const void *result, FILE *out) {
    const struct omni_result *r = result;
    fprintf(out,
            "%10" PRIu64 " %7.2f %6.1f %6.1f %8.1f %9" PRIu64
            " %7.1f %7.1f %7.1f %12" PRIu64 " %12" PRIu64 "\n",
            r->cycles, over(all_instructions(r), r->cycles),
            share(hits(&r->l1), r->l1.loads), share(hits(&r->l2), r->l2.loads),
            over(r->load_cycles, r->loads), r->chains,
            share(r->why[OMNI_WENT], r->chains),
            share(r->why[OMNI_HIT], r->chains),
            share(r->why[OMNI_UNMET], r->chains), omni_sum(r->hops),
            omni_sum(r->weighted));
}

/* -------------------------------------------------------------------- JSON */

static void put(json_t *j, const char *name, uint64_t v) {
    json_object_set_new(j, name, json_integer((json_int_t)v));
}

static void json_settings(const struct omni_settings *s, json_t *j) {
    json_object_set_new(j, "mode", json_string(modes[s->mode]));
    json_object_set_new(j, "fma", json_string(s->split ? "split" : "exact"));
    put(j, "warps", s->warps);
    put(j, "l1", s->l1);
    put(j, "ways", s->ways);
    put(j, "mshrs", s->mshrs);
    put(j, "l2", s->l2);
    put(j, "entries", s->entries);
    put(j, "places", s->places);
    put(j, "window", s->window);
    put(j, "bandwidth", s->bandwidth);
    put(j, "clock", s->clock);
    json_object_set_new(j, "scheduler",
                        json_string(s->scheduler ? "gto" : "lrr"));
    json_object_set_new(j, "loop", json_string(s->loop ? "router" : "bypass"));
    put(j, "channels", s->channels);
    put(j, "width", s->width);
    put(j, "height", s->height);
    json_t *at = json_array();
    for (int i = 0; i < s->memory_nodes.n; i++)
        json_array_append_new(at, json_integer(s->memory_nodes.v[i]));
    json_object_set_new(j, "memory_nodes", at);
}

static json_t *json_cache(const struct cache_stats *c) {
    json_t *j = json_object();
    put(j, "loads", c->loads);
    put(j, "hits", c->load_hits);
    put(j, "merged", c->load_merged);
    put(j, "misses", c->load_misses);
    put(j, "stores", c->stores);
    return j;
}

static json_t *json_chains(const struct omni_result *r) {
    json_t *j = json_object();
    put(j, "executed", r->chains);
    for (int i = 0; i < OMNI_WHYS; i++)
        put(j, whys[i], r->why[i]);
    put(j, "packets", r->packets);
    put(j, "at_memory", r->at_memory);
    put(j, "returned", r->returned);
    put(j, "places_peak", r->places_peak);
    json_object_set_new(j, "latency",
                        json_real(over(r->chain_cycles, r->packets)));
    return j;
}

static json_t *json_mesh(const struct omni_result *r) {
    json_t *j = json_object(), *by = json_object();
    put(j, "packets", omni_sum(r->sent));
    put(j, "hops", omni_sum(r->hops));
    put(j, "flits", omni_sum(r->flits));
    put(j, "weighted", omni_sum(r->weighted));
    put(j, "links", r->links);
    for (int i = 0; i < OMNI_KINDS; i++) {
        json_t *k = json_object();
        put(k, "packets", r->sent[i]);
        put(k, "hops", r->hops[i]);
        put(k, "flits", r->flits[i]);
        put(k, "weighted", r->weighted[i]);
        json_object_set_new(by, kinds[i], k);
    }
    json_object_set_new(j, "kinds", by);
    return j;
}

void omni_json(const void *result, json_t *into) {
    const struct omni_result *r = result;
    json_t *settings = json_object();
    json_settings(&r->settings, settings);
    json_object_set_new(into, "settings", settings);
    put(into, "cycles", r->cycles);
    put(into, "launches", r->launches);
    put(into, "ctas", r->ctas);
    put(into, "instructions", r->instructions);
    put(into, "far", r->far);
    put(into, "loads", r->loads);
    json_object_set_new(into, "latency",
                        json_real(over(r->load_cycles, r->loads)));
    json_object_set_new(into, "l1", json_cache(&r->l1));
    json_object_set_new(into, "l2", json_cache(&r->l2));
    put(into, "dram_bytes", r->dram_bytes);
    json_object_set_new(into, "chains", json_chains(r));
    json_object_set_new(into, "mesh", json_mesh(r));
}
