/* mpu_report.c - what the composition `mpu` came to: page, row, JSON; and the
 * prices of MPU's Table II.
 */
#include "mpu_state.h"

#include <inttypes.h>

static const char *const policies[] = {"annotated", "default", "near", "far"};
static const char *const kinds[] = {"instr", "down",     "request", "up",
                                    "done",  "lsu_down", "lsu_up"};

/* Table II, joules an access, of TSVs a bit; an access to a register file or
 * the shared memory is one of a warp.  PRE and ACT cost as much each. */
static const struct {
    const char *name, *doc;
    double price; /* picojoules */
} parts[MPU_PARTS] = {
    [MPU_DRAM_BURST] = {"dram_burst", "bursts read and written", 150},
    [MPU_DRAM_ROW] = {"dram_row", "rows opened and closed", 270},
    [MPU_DRAM_REFRESH] = {"dram_refresh", "refreshes", 1130},
    [MPU_REGISTERS] = {"registers", "rows of register files", 40},
    [MPU_COLLECTOR] = {"collector", "rows collected", 41.49},
    [MPU_SHARED] = {"shared", "shared memory", 22.2},
    [MPU_EXTENSION] = {"extension", "load-store extension", 39.67},
    [MPU_TSV] = {"tsv", "beats between the dies", 4.53}};

double mpu_price(const struct mpu_result *r, enum mpu_part part) {
    return parts[part].price * (part == MPU_TSV ? r->settings.tsv : 1);
}

static double energy(const struct mpu_result *r, enum mpu_part part) {
    return mpu_price(r, part) * (double)r->events[part];
}

static double all_energy(const struct mpu_result *r) {
    double sum = 0;
    for (int p = 0; p < MPU_PARTS; p++)
        sum += energy(r, (enum mpu_part)p);
    return sum;
}

static double over(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

static uint64_t all_packets(const struct mpu_result *r) {
    return r->packets[MPU_FAR] + r->packets[MPU_NEAR];
}

void mpu_page(const void *result, FILE *out) {
    const struct mpu_result *r = result;
    const double all = all_energy(r);
    fprintf(out, "mpu            one core, policy %s, %u open rows, %u wires\n",
            policies[r->settings.policy], r->settings.open, r->settings.tsv);
    fprintf(out,
            "time           %" PRIu64 " cycles, %.2f warp instructions a "
            "cycle; %" PRIu64 " CTAs\n",
            r->cycles, over(r->instructions, r->cycles), r->ctas);
    fprintf(out,
            "pipelines      %.1f %% of %" PRIu64 " packets near; %" PRIu64
            " rows moved down, %" PRIu64 " up\n",
            100 * over(r->packets[MPU_NEAR], all_packets(r)), all_packets(r),
            r->moves[MPU_NEAR], r->moves[MPU_FAR]);
    fprintf(out,
            "accesses       %" PRIu64 ", %.1f %% in one message, else %" PRIu64
            " transactions; a load takes %.0f cycles\n",
            r->accesses, 100 * over(r->near, r->accesses), r->transactions,
            over(r->latency, r->loads));
    fprintf(out,
            "  kept far by  mask %" PRIu64 ", coalescing %" PRIu64
            ", unit %" PRIu64 "\n",
            r->lack[MPU_MASK], r->lack[MPU_ROW], r->lack[MPU_UNIT]);
    fprintf(out, "banks          %.2f rows opened for 100 bursts\n",
            100 * over(r->rows_opened, r->events[MPU_DRAM_BURST]));
    fprintf(out, "wires          %" PRIu64 " beats:", r->events[MPU_TSV]);
    for (int k = 0; k < MPU_KINDS; k++)
        fprintf(out, "%s %s %" PRIu64, k ? "," : "", kinds[k], r->beats[k]);
    fprintf(out, "\nenergy         %.1f nJ\n", all / 1000);
    for (int p = 0; p < MPU_PARTS; p++)
        fprintf(out, "  %-24s %10" PRIu64 " at %7.2f pJ  %10.1f nJ  %5.1f %%\n",
                parts[p].doc, r->events[p], mpu_price(r, (enum mpu_part)p),
                energy(r, (enum mpu_part)p) / 1000,
                all > 0 ? 100 * energy(r, (enum mpu_part)p) / all : 0);
}

void mpu_heading(FILE *out) {
    fprintf(out, "%10s %6s %7s %7s %9s %8s %12s\n", "cycles", "ipc", "near %",
            "msg %", "beats", "miss %", "energy nJ");
}

void mpu_row(const void *result, FILE *out) {
    const struct mpu_result *r = result;
    fprintf(out, "%10" PRIu64 " %6.2f %7.1f %7.1f %9" PRIu64 " %8.2f %12.1f\n",
            r->cycles, over(r->instructions, r->cycles),
            100 * over(r->packets[MPU_NEAR], all_packets(r)),
            100 * over(r->near, r->accesses), r->events[MPU_TSV],
            100 * over(r->rows_opened, r->events[MPU_DRAM_BURST]),
            all_energy(r) / 1000);
}

static void put(json_t *j, const char *name, uint64_t v) {
    json_object_set_new(j, name, json_integer((json_int_t)v));
}

void mpu_json(const void *result, json_t *into) {
    const struct mpu_result *r = result;
    json_t *beats = json_object(), *all = json_object();
    json_object_set_new(into, "policy",
                        json_string(policies[r->settings.policy]));
    put(into, "open", r->settings.open);
    put(into, "tsv", r->settings.tsv);
    put(into, "cycles", r->cycles);
    put(into, "launches", r->launches);
    put(into, "ctas", r->ctas);
    put(into, "instructions", r->instructions);
    put(into, "far", r->packets[MPU_FAR]);
    put(into, "near", r->packets[MPU_NEAR]);
    put(into, "moves_down", r->moves[MPU_NEAR]);
    put(into, "moves_up", r->moves[MPU_FAR]);
    put(into, "accesses", r->accesses);
    put(into, "messages", r->near);
    put(into, "short_mask", r->lack[MPU_MASK]);
    put(into, "not_coalesced", r->lack[MPU_ROW]);
    put(into, "other_unit", r->lack[MPU_UNIT]);
    put(into, "transactions", r->transactions);
    json_object_set_new(into, "load_latency",
                        json_real(over(r->latency, r->loads)));
    put(into, "bursts", r->events[MPU_DRAM_BURST]);
    put(into, "rows_opened", r->rows_opened);
    for (int k = 0; k < MPU_KINDS; k++)
        put(beats, kinds[k], r->beats[k]);
    json_object_set_new(into, "beats", beats);
    for (int p = 0; p < MPU_PARTS; p++) {
        json_t *j = json_object();
        put(j, "events", r->events[p]);
        json_object_set_new(j, "price_pj",
                            json_real(mpu_price(r, (enum mpu_part)p)));
        json_object_set_new(j, "energy_pj",
                            json_real(energy(r, (enum mpu_part)p)));
        json_object_set_new(all, parts[p].name, j);
    }
    json_object_set_new(into, "energy", all);
    json_object_set_new(into, "energy_pj", json_real(all_energy(r)));
}
