/* image_report.c - what the composition `image` came to: page, row, JSON. */
#include "image_state.h"

#include <inttypes.h>

static const char *const kinds[] = {"none", "pws", "pattern"};
static const char *const l2_forms[] = {"none", "real", "perfect"};
static const char *const orders[] = {"rr", "row", "column", "tile"};

static double percent(double ratio) {
    return 100 * ratio;
}

static double share(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void page_prefetch(const struct image_result *r, FILE *out) {
    const struct cache_stats *c = &r->cache;
    const struct prefetch_unit_stats *p = &r->prefetch;
    fprintf(out, "prefetches     %" PRIu64 " asked for, %" PRIu64 " issued\n",
            p->requests, c->issued);
    fprintf(out,
            "  dropped      %" PRIu64 " present, %" PRIu64 " on their way, "
            "%" PRIu64 " for want of room\n",
            c->present, c->in_flight + p->duplicate,
            p->full +
                (r->settings.prefetch == PREFETCH_PATTERN ? c->refused : 0));
    fprintf(out,
            "  not asked    %" PRIu64 " outside the SM's part, %" PRIu64
            " at the walk's end\n",
            p->outside, p->ended);
    fprintf(out,
            "  used         %" PRIu64 " (accuracy %.1f %%), %" PRIu64
            " of them late, %" PRIu64 " never\n",
            c->used, percent(cache_accuracy(c)), c->late, c->unused);
    fprintf(out,
            "  coverage     %.1f %%, timely %.1f %%, %.0f cycles before the "
            "first use\n",
            percent(cache_coverage(c)), percent(cache_timeliness(c)),
            c->used > c->late
                ? (double)c->early_cycles / (double)(c->used - c->late)
                : 0.0);
}

static void page_l2(const struct image_result *r, FILE *out) {
    const struct cache_stats *c = &r->l2;
    if (r->settings.l2 == IMAGE_L2_REAL)
        fprintf(out,
                "L2 loads       %" PRIu64 ", %" PRIu64
                " misses (%.2f %%), %" PRIu64 " met a line on its way; %u "
                "bytes\n",
                c->loads, c->load_misses, percent(cache_miss_rate(c)),
                c->load_merged, r->settings.l2_bytes);
    fprintf(out, "L2 traffic     %" PRIu64 " bytes between SMs and %s L2\n",
            pipe_amount(&r->l2_traffic), l2_forms[r->settings.l2]);
}

void image_page(const void *result, FILE *out) {
    const struct image_result *r = result;
    const struct image_settings *s = &r->settings;
    const struct cache_stats *c = &r->cache;
    const uint64_t *bytes = r->memory.amount;
    fprintf(out,
            "image          %u SMs of %u warps, L1 of %u bytes, CTAs by %s, "
            "prefetch %s%s\n",
            s->sms, s->warps, s->l1, orders[s->order], kinds[s->prefetch],
            s->prefetch != PREFETCH_PATTERN ? ""
            : s->printed                    ? " (printed stride)"
                                            : " (exact stride)");
    fprintf(out,
            "time           %" PRIu64 " cycles, %.2f warp instructions a cycle "
            "and SM\n",
            r->cycles,
            r->cycles
                ? (double)r->core.instructions / (double)r->cycles / s->sms
                : 0.0);
    fprintf(out,
            "L1 loads       %" PRIu64 ", %" PRIu64 " misses (%.2f %%), %" PRIu64
            " met a line on its way (%.2f %%)\n",
            c->loads, c->load_misses, percent(cache_miss_rate(c)),
            c->load_merged, share(c->load_merged, c->loads));
    fprintf(out,
            "L1 stores      %" PRIu64 ", %.1f %% of them to lines present\n",
            c->stores, share(c->store_hits, c->stores));
    if (s->prefetch != PREFETCH_NONE)
        page_prefetch(r, out);
    if (s->l2 != IMAGE_L2_NONE)
        page_l2(r, out);
    fprintf(out,
            "memory         %" PRIu64 " bytes: %" PRIu64 " demand, %" PRIu64
            " prefetch, %" PRIu64 " stores, %" PRIu64 " atomics\n",
            pipe_amount(&r->memory), bytes[IMAGE_DEMAND], bytes[IMAGE_PREFETCH],
            bytes[IMAGE_STORE], bytes[IMAGE_ATOMIC]);
}

void image_heading(FILE *out) {
    fprintf(out, "%10s %10s %9s %7s %7s %10s %7s %7s %7s %12s\n", "cycles",
            "loads", "misses", "miss %", "wait %", "prefetch", "used %",
            "cover %", "timely%", "bytes");
}

void image_row(const void *result, FILE *out) {
    const struct image_result *r = result;
    const struct cache_stats *c = &r->cache;
    fprintf(out,
            "%10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %7.2f %7.2f %10" PRIu64
            " %7.1f %7.1f %7.1f %12" PRIu64 "\n",
            r->cycles, c->loads, c->load_misses, percent(cache_miss_rate(c)),
            percent(cache_stall_rate(c)), c->issued, percent(cache_accuracy(c)),
            percent(cache_coverage(c)), percent(cache_timeliness(c)),
            pipe_amount(&r->memory));
}

/* -------------------------------------------------------------------- JSON */

static void put(json_t *j, const char *name, uint64_t v) {
    json_object_set_new(j, name, json_integer((json_int_t)v));
}

static void json_settings(const struct image_settings *s, json_t *j) {
    json_object_set_new(j, "prefetch", json_string(kinds[s->prefetch]));
    json_object_set_new(j, "stride",
                        json_string(s->printed ? "printed" : "exact"));
    json_object_set_new(j, "cta", json_string(orders[s->order]));
    json_object_set_new(j, "index",
                        json_string(s->linear ? "linear" : "hashed"));
    put(j, "sms", s->sms);
    put(j, "warps", s->warps);
    put(j, "l1", s->l1);
    put(j, "ways", s->ways);
    put(j, "mshrs", s->mshrs);
    put(j, "targets", s->targets);
    put(j, "reserve", s->reserve);
    put(j, "queue", s->queue);
    put(j, "entries", s->entries);
    json_object_set_new(j, "l2", json_string(l2_forms[s->l2]));
    put(j, "l2_bytes", s->l2_bytes);
    put(j, "l2_ways", s->l2_ways);
    put(j, "l2_latency", s->l2_latency);
    put(j, "l2_bandwidth", s->l2_bandwidth);
    put(j, "alu", s->core.alu);
    put(j, "shared", s->core.shared);
    put(j, "hit", s->core.hit);
    put(j, "latency", s->latency);
    put(j, "bandwidth", s->bandwidth);
    put(j, "clock", s->clock);
}

static void json_cache(const struct cache_stats *c, json_t *j) {
    put(j, "loads", c->loads);
    put(j, "hits", c->load_hits);
    put(j, "misses", c->load_misses);
    put(j, "merged", c->load_merged);
    json_object_set_new(j, "miss_rate", json_real(cache_miss_rate(c)));
    json_object_set_new(j, "stall_rate", json_real(cache_stall_rate(c)));
    put(j, "stores", c->stores);
    put(j, "store_hits", c->store_hits);
    put(j, "atomics", c->atomics);
    put(j, "evictions", c->evictions);
}

static void json_prefetch(const struct image_result *r, json_t *j) {
    const struct cache_stats *c = &r->cache;
    const struct prefetch_unit_stats *p = &r->prefetch;
    put(j, "requests", p->requests);
    put(j, "issued", c->issued);
    put(j, "used", c->used);
    put(j, "late", c->late);
    put(j, "unused", c->unused);
    put(j, "dropped_present", c->present);
    put(j, "dropped_in_flight", c->in_flight);
    put(j, "dropped_queued", p->duplicate);
    put(j, "dropped_full", p->full);
    put(j, "outside", p->outside);
    put(j, "ended", p->ended);
    put(j, "known", p->known);
    put(j, "refused", c->refused);
    json_object_set_new(j, "accuracy", json_real(cache_accuracy(c)));
    json_object_set_new(j, "coverage", json_real(cache_coverage(c)));
    json_object_set_new(j, "timeliness", json_real(cache_timeliness(c)));
}

static void json_traffic(const struct pipe_stats *s, json_t *j) {
    put(j, "bytes", pipe_amount(s));
    put(j, "demand", s->amount[IMAGE_DEMAND]);
    put(j, "prefetch", s->amount[IMAGE_PREFETCH]);
    put(j, "stores", s->amount[IMAGE_STORE]);
    put(j, "atomics", s->amount[IMAGE_ATOMIC]);
}

void image_json(const void *result, json_t *into) {
    const struct image_result *r = result;
    json_t *settings = json_object(), *l1 = json_object();
    json_t *prefetch = json_object(), *memory = json_object();
    json_t *l2 = NULL;
    json_settings(&r->settings, settings);
    json_object_set_new(into, "settings", settings);
    put(into, "cycles", r->cycles);
    put(into, "launches", r->launches);
    put(into, "ctas", r->core.groups);
    json_cache(&r->cache, l1);
    json_object_set_new(into, "l1", l1);
    json_prefetch(r, prefetch);
    json_object_set_new(into, "prefetch", prefetch);
    if (r->settings.l2 != IMAGE_L2_NONE) {
        l2 = json_object();
        json_traffic(&r->l2_traffic, l2);
        if (r->settings.l2 == IMAGE_L2_REAL)
            json_cache(&r->l2, l2);
        json_object_set_new(into, "l2", l2);
    }
    json_traffic(&r->memory, memory);
    json_object_set_new(into, "memory", memory);
}
