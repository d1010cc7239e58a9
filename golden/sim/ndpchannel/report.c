/* report.c - what a run of host and accelerators was. */
#include "report.h"

#include "base/version.h"

#include <inttypes.h>

enum { BURST = 64 };

/* Figures of one rank or of all. */
struct figures {
    uint64_t host, loads, stores, idle, cycles, gap[CONCURRENT_GAPS];
    uint64_t rest, rest_bursts;
};

static void add(struct figures *f, const struct concurrent_rank *n,
                uint64_t cycles) {
    f->host += n->host_bursts;
    f->loads += n->loads;
    f->stores += n->stores;
    f->idle += n->idle;
    f->rest += n->rest;
    f->rest_bursts += n->rest_bursts;
    f->cycles += cycles;
    for (int i = 0; i < CONCURRENT_GAPS; i++)
        f->gap[i] += n->gap[i];
}

static struct figures all(const struct concurrent_result *r) {
    struct figures f = {0};
    for (int i = 0; i < r->n_ranks; i++)
        add(&f, &r->rank[i], r->cycles);
    return f;
}

static double percent(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

/* Of the idle cycles, those that the accelerators' bursts fill when one each
 * `apart` cycles is all that there can be. */
static double used(const struct figures *f, int apart) {
    return percent((double)(f->loads + f->stores) * apart, (double)f->idle);
}

/* The same of the cycles in which no request of the host is under way, and
 * the bursts in these, when a burst takes tCCD_L. */
static double rest_used(const struct report *r, const struct figures *f) {
    return percent((double)f->rest_bursts * r->config->timing_ccdl,
                   (double)f->rest);
}

/* GB/s of so many bursts in a run. */
static double rate(const struct report *r, uint64_t bursts) {
    return r->result->cycles ? (double)bursts * BURST * r->mhz /
                                   (double)r->result->cycles * 1e-3
                             : 0;
}

/* Instructions of a core's cycle at 4 GHz, of all cores. */
static double ipc(const struct report *r) {
    double cycles = (double)r->result->cycles * REPORT_CORE_MHZ / r->mhz;
    return cycles > 0 ? r->result->host.instructions / cycles : 0;
}

/* --- text ----------------------------------------------------------------- */

void channel_text(const struct report *r, FILE *out) {
    const struct concurrent_setup *s = r->setup;
    const struct concurrent_result *n = r->result;
    const struct config *c = r->config;
    struct figures f = all(n);
    static const char *const gaps[CONCURRENT_GAPS] = {"1-9", "10-99", "100-249",
                                                      "250-999", "1000-"};

    fprintf(
        out, "memory         %d channels of %d ranks, %s, %" PRIu64 " cycles\n",
        c->dram_channels, c->dram_ranks,
        c->dram_map_reserved ? "banks partitioned" : "banks shared", n->cycles);
    fprintf(out, "host           %s%s%s%s\n", r->host, r->apps ? " (" : "",
            r->apps ? r->apps : "", r->apps ? ")" : "");
    if (n->host.instructions > 0)
        fprintf(out, "  instructions %.3f a cycle at 4 GHz, all cores\n",
                ipc(r));
    fprintf(out,
            "  bursts       %" PRIu64 " read, %" PRIu64
            " written: %.2f GB/s; %.1f cycles until a read's data\n",
            n->reads, n->writes, rate(r, n->reads + n->writes),
            n->read_latency);
    fprintf(out,
            "  rows         %" PRIu64 " opened, %" PRIu64
            " closed for another, %" PRIu64 " refreshes\n",
            n->rows, n->conflicts, n->refreshes);
    fprintf(out, "  idle ranks   %.1f %% of the cycles, in gaps of",
            percent((double)f.idle, (double)f.cycles));
    for (int i = 0; i < CONCURRENT_GAPS; i++)
        fprintf(out, "%s %s: %.1f %%", i ? "," : "", gaps[i],
                percent((double)f.gap[i], (double)f.idle));
    fputc('\n', out);
    fprintf(out, "  at rest      %.1f %% of the cycles: no request under way\n",
            percent((double)f.rest, (double)f.cycles));
    if (s->near) {
        fprintf(out,
                "accelerators   %s, %" PRIu64
                " bytes of a vector in each rank, %s, throttle %s%s\n",
                near_op_name(s->op), s->bytes, s->async ? "async" : "blocking",
                r->throttle, c->dram_channel_accelerators ? ", mirrored" : "");
        fprintf(out,
                "  bursts       %" PRIu64 " read, %" PRIu64
                " written: %.2f GB/s\n",
                f.loads, f.stores, rate(r, f.loads + f.stores));
        fprintf(out,
                "  idle used    %.1f %% of what one bank group gives (tCCD_L), "
                "%.1f %% of the data path; at rest %.1f %% (tCCD_L)\n",
                used(&f, c->timing_ccdl), used(&f, c->timing_bl),
                rest_used(r, &f));
        fprintf(out, "  operations   %" PRIu64 " ended, %" PRIu64 " packets",
                n->operations, n->packets);
        if (n->operation_cycles > 0)
            fprintf(out, ", %.0f cycles each", n->operation_cycles);
        fputc('\n', out);
    }
    fprintf(out,
            "checker        %" PRIu64 " commands, %" PRIu64 " broken rules\n",
            n->commands, n->violations);
}

/* --- JSON ----------------------------------------------------------------- */

static void json_near(const struct report *r, const struct figures *f,
                      FILE *out) {
    const struct concurrent_setup *s = r->setup;
    const struct concurrent_result *n = r->result;
    if (!s->near) {
        fputs(", \"near\": null", out);
        return;
    }
    fprintf(out,
            ",\n \"near\": {\"op\": \"%s\", \"bytes\": %" PRIu64
            ", \"blocks\": %d, \"async\": %s, \"throttle\": \"%s\", "
            "\"accelerators\": \"%s\",\n"
            "  \"loads\": %" PRIu64 ", \"stores\": %" PRIu64
            ", \"gb_per_s\": %.4f, \"idle_used_percent\": %.3f, "
            "\"idle_used_of_data_path_percent\": %.3f, "
            "\"rest_used_percent\": %.3f,\n"
            "  \"operations\": %" PRIu64 ", \"packets\": %" PRIu64
            ", \"operation_cycles\": %.1f}",
            near_op_name(s->op), s->bytes, s->blocks,
            s->async ? "true" : "false", r->throttle,
            r->config->dram_channel_accelerators ? "mirrored" : "asked",
            f->loads, f->stores, rate(r, f->loads + f->stores),
            used(f, r->config->timing_ccdl), used(f, r->config->timing_bl),
            rest_used(r, f), n->operations, n->packets, n->operation_cycles);
}

static void json_ranks(const struct concurrent_result *n, FILE *out) {
    fputs(",\n \"ranks\": [", out);
    for (int i = 0; i < n->n_ranks; i++) {
        const struct concurrent_rank *k = &n->rank[i];
        fprintf(
            out,
            "%s\n  {\"channel\": %d, \"rank\": %d, \"host_bursts\": %" PRIu64
            ", \"loads\": %" PRIu64 ", \"stores\": %" PRIu64
            ", \"idle\": %" PRIu64 "}",
            i ? "," : "", k->channel, k->rank, k->host_bursts, k->loads,
            k->stores, k->idle);
    }
    fputs("]", out);
}

void channel_json(const struct report *r, FILE *out) {
    const struct concurrent_result *n = r->result;
    const struct config *c = r->config;
    struct figures f = all(n);

    fprintf(out,
            "{\"schema\": \"ndpchannel-1\", \"version\": \"" NDP_VERSION "\",\n"
            " \"cycles\": %" PRIu64
            ", \"channels\": %d, \"ranks_each\": %d, \"reserved\": %d,\n"
            " \"host\": {\"name\": \"%s\", \"reads\": %" PRIu64
            ", \"writes\": %" PRIu64
            ", \"gb_per_s\": %.4f, \"read_latency\": %.2f, "
            "\"instructions\": %.0f, \"ipc\": %.5f, \"requests\": %" PRIu64
            ", \"rows\": %" PRIu64 ", \"conflicts\": %" PRIu64
            ", \"refreshes\": %" PRIu64
            ", \"idle_percent\": %.3f, \"rest_percent\": %.3f, "
            "\"gaps_percent\": [",
            n->cycles, c->dram_channels, c->dram_ranks, c->dram_map_reserved,
            r->host, n->reads, n->writes, rate(r, n->reads + n->writes),
            n->read_latency, n->host.instructions, ipc(r), n->host.requests,
            n->rows, n->conflicts, n->refreshes,
            percent((double)f.idle, (double)f.cycles),
            percent((double)f.rest, (double)f.cycles));
    for (int i = 0; i < CONCURRENT_GAPS; i++)
        fprintf(out, "%s%.2f", i ? ", " : "",
                percent((double)f.gap[i], (double)f.idle));
    fputs("]}", out);
    json_near(r, &f, out);
    json_ranks(n, out);
    fprintf(out,
            ",\n \"commands\": %" PRIu64 ", \"violations\": %" PRIu64 "}\n",
            n->commands, n->violations);
}
