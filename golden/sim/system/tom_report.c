/* tom_report.c - what the composition `tom` came to: page, row, JSON. */
#include "tom_state.h"

#include "sim/trace/offset_share.h"

#include <inttypes.h>

static const char *const modes[] = {"off", "controlled", "uncontrolled"};
static const char *const maps[] = {"baseline", "learned", "oracle"};
static const char *const reasons[TOM_REASONS] = {
    "offload", "off",        "no_entry", "condition", "tx_busy",
    "rx_busy", "stack_full", "no_save",  "no_address"};
static const char *const kinds[TOM_TRAFFICS] = {"loads", "stores", "atomics",
                                                "blocks"};

void tom_flits_by(const struct tom_result *r, uint64_t *tx, uint64_t *rx,
                  uint64_t *cross) {
    *tx = *rx = *cross = 0;
    for (int s = 0; s < TOM_STACKS; s++) {
        *tx += pipe_amount(&r->tx[s]);
        *rx += pipe_amount(&r->rx[s]);
        for (int t = 0; t < TOM_STACKS; t++)
            *cross += pipe_amount(&r->cross[s][t]);
    }
}

uint64_t tom_flits(const struct tom_result *r) {
    uint64_t tx, rx, cross;
    tom_flits_by(r, &tx, &rx, &cross);
    return tx + rx + cross;
}

uint64_t tom_offloaded(const struct tom_result *r) {
    return r->reasons[0];
}

static double percent(uint64_t part, uint64_t all) {
    return all ? 100.0 * (double)part / (double)all : 0;
}

/* ------------------------------------------------------------------- page */

static void page_links(const struct tom_result *r, FILE *out) {
    fprintf(out, "%-14s %12s %12s %12s %7s %7s\n", "links", "flits", "bytes",
            "payload", "moves", "busy");
    for (int s = 0; s < TOM_STACKS; s++) {
        fprintf(out,
                "  GPU to %d     %12" PRIu64 " %12" PRIu64 " %12" PRIu64
                " %6.1f%% %6.1f%%\n",
                s, pipe_amount(&r->tx[s]), PIPE_FLIT * pipe_amount(&r->tx[s]),
                pipe_payload(&r->tx[s]), percent(r->tx_moves[s], r->cycles),
                percent(r->tx_busy[s], r->cycles));
        fprintf(out,
                "  %d to GPU     %12" PRIu64 " %12" PRIu64 " %12" PRIu64
                " %6.1f%% %6.1f%%\n",
                s, pipe_amount(&r->rx[s]), PIPE_FLIT * pipe_amount(&r->rx[s]),
                pipe_payload(&r->rx[s]), percent(r->rx_moves[s], r->cycles),
                percent(r->rx_busy[s], r->cycles));
    }
    for (int s = 0; s < TOM_STACKS; s++)
        for (int t = 0; t < TOM_STACKS; t++)
            if (r->cross[s][t].packets)
                fprintf(out,
                        "  %d to %d       %12" PRIu64 " %12" PRIu64
                        " %12" PRIu64 "\n",
                        s, t, pipe_amount(&r->cross[s][t]),
                        PIPE_FLIT * pipe_amount(&r->cross[s][t]),
                        pipe_payload(&r->cross[s][t]));
}

static void page_kinds(const struct tom_result *r, FILE *out) {
    struct pipe_stats tx = {0}, rx = {0}, cross = {0};
    for (int s = 0; s < TOM_STACKS; s++) {
        pipe_stats_add(&tx, &r->tx[s]);
        pipe_stats_add(&rx, &r->rx[s]);
        for (int t = 0; t < TOM_STACKS; t++)
            pipe_stats_add(&cross, &r->cross[s][t]);
    }
    fprintf(out, "%-14s %12s %12s %12s\n", "flits", "TX", "RX",
            "between stacks");
    for (int k = 0; k < TOM_TRAFFICS; k++)
        fprintf(out, "  %-12s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
                kinds[k], tx.amount[k], rx.amount[k], cross.amount[k]);
}

static void page_energy(const struct tom_result *r, FILE *out) {
    struct tom_energy e;
    uint64_t n = 0, most = 0;
    tom_energy(r, &e);
    for (int s = 0; s < TOM_STACKS; s++) {
        n += r->rows[s].activations;
        most += r->rows[s].in_order;
    }
    fprintf(out,
            "energy         links %.1f nJ moving, %.1f nJ idle; memory %.1f nJ "
            "for %" PRIu64 " rows (in order %" PRIu64 "), %.1f nJ for bits\n",
            e.links_moved / 1e3, e.links_idle / 1e3, e.rows / 1e3, n, most,
            e.buffers / 1e3);
}

static void page_decisions(const struct tom_result *r, FILE *out) {
    fprintf(out,
            "candidates     %" PRIu64 " (%" PRIu64 " did not fit), %" PRIu64
            " instances, %" PRIu64 " of them pay\n",
            r->candidates, r->dropped, r->instances, r->paying);
    fputs("decisions     ", out);
    for (int i = 0; i < TOM_REASONS; i++)
        if (r->reasons[i])
            fprintf(out, " %s %" PRIu64 "", reasons[i], r->reasons[i]);
    fprintf(out,
            "\n               %" PRIu64 " probed, %" PRIu64
            " released, %" PRIu64 " lines invalidated\n",
            r->probes, r->released, r->invalidated);
    fprintf(out, "blocks         ");
    for (int s = 0; s < TOM_STACKS; s++)
        fprintf(out, "%s%" PRIu64, s ? ", " : "", r->blocks[s]);
    fprintf(out, " to each stack\n");
    fprintf(out, "pending peaks ");
    for (int s = 0; s < TOM_STACKS; s++)
        fprintf(out, " %u", r->pending_peak[s]);
    fprintf(out, " of %u\n", r->limit);
}

static double home(const struct tom_result *r, uint32_t bit) {
    return percent(r->home[bit - TOM_FIRST_BIT], r->lines);
}

static void page_mapping(const struct tom_result *r, FILE *out) {
    if (!r->with_access)
        return;
    fprintf(out,
            "co-location    baseline %.1f %%, best (bits %u:%u) %.1f %%, this "
            "run %.1f %%\n",
            percent(r->single[TOM_MAPS], r->with_access), r->choice[3],
            r->choice[3] + 1,
            percent(r->single[r->choice[3] - TOM_FIRST_BIT], r->with_access),
            percent(r->single_run, r->with_access));
    for (int i = 0; i < 3; i++)
        fprintf(
            out,
            "  after %.1f %%  bits %u:%u, %.1f %%, lines at home %.1f %%\n",
            tom_choices[i], r->choice[i], r->choice[i] + 1,
            percent(r->single[r->choice[i] - TOM_FIRST_BIT], r->with_access),
            home(r, r->choice[i]));
    fprintf(out, "  lines at home %.1f %% baseline, %.1f %% best\n",
            percent(r->home[TOM_MAPS], r->lines), home(r, r->choice[3]));
    if (r->map_bit)
        fprintf(out,
                "  learned      from %" PRIu64 " instances; %d of %d "
                "allocations are placed by bits %u:%u\n",
                r->learned_from, r->ranges_learned, r->ranges, r->map_bit,
                r->map_bit + 1);
}

static void page_offsets(const struct tom_result *r, FILE *out) {
    struct offset_share_count c;
    if (r->candidates)
        fputs("fixed offsets  share of each candidate's accesses\n", out);
    for (int i = 0; r->offsets && offset_share_candidate(r->offsets, i, &c);
         i++)
        fprintf(out, "  %s %d..%d  %.1f %% of %" PRIu64 " (class %s)\n",
                c.kernel, c.begin_pc, c.end_pc, percent(c.fixed, c.accesses),
                c.accesses, offset_class_name(offset_class_of(&c)));
}

void tom_page(const void *result, FILE *out) {
    const struct tom_result *r = result;
    const struct tom_settings *s = &r->settings;
    uint64_t tx, rx, cross;
    tom_flits_by(r, &tx, &rx, &cross);
    fprintf(out,
            "tom            %u cores of %u, %u warps each, %u warps a stack, "
            "%s, mapping %s\n",
            s->cores, s->whole, s->warps, r->limit, modes[s->mode],
            maps[s->map]);
    fprintf(out,
            "time           %" PRIu64 " cycles, simulated at %.0f thousand a "
            "second\n",
            r->cycles,
            r->seconds > 0 ? (double)r->cycles / r->seconds / 1e3 : 0.0);
    fprintf(out,
            "instructions   %" PRIu64 " on the main cores, %" PRIu64
            " on the stacks (%.1f %%)\n",
            r->main_instructions, r->stack_instructions,
            percent(r->stack_instructions,
                    r->main_instructions + r->stack_instructions));
    fprintf(out,
            "caches         L1 %.1f %% of %" PRIu64 " loads hit, L2 %.1f %% of "
            "%" PRIu64 ", the stacks' L1 %.1f %% of %" PRIu64 "\n",
            percent(r->l1.load_hits, r->l1.loads), r->l1.loads,
            percent(r->l2.load_hits, r->l2.loads), r->l2.loads,
            percent(r->stack_l1.load_hits, r->stack_l1.loads),
            r->stack_l1.loads);
    fprintf(out,
            "traffic        %" PRIu64 " flits: TX %" PRIu64 ", RX %" PRIu64
            ", between stacks %" PRIu64 "\n",
            tx + rx + cross, tx, rx, cross);
    page_links(r, out);
    page_kinds(r, out);
    page_energy(r, out);
    page_decisions(r, out);
    page_mapping(r, out);
    page_offsets(r, out);
}

/* -------------------------------------------------------------------- row */

void tom_heading(FILE *out) {
    fprintf(out, "%10s %11s %10s %10s %10s %9s %9s %7s %6s %6s %4s\n", "cycles",
            "flits", "TX", "RX", "between", "instances", "offloaded", "stack %",
            "base %", "best %", "bit");
}

void tom_row(const void *result, FILE *out) {
    const struct tom_result *r = result;
    uint64_t tx, rx, cross;
    tom_flits_by(r, &tx, &rx, &cross);
    fprintf(out,
            "%10" PRIu64 " %11" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
            " %9" PRIu64 " %9" PRIu64 " %7.1f %6.1f %6.1f %4u\n",
            r->cycles, tx + rx + cross, tx, rx, cross, r->instances,
            tom_offloaded(r),
            percent(r->stack_instructions,
                    r->main_instructions + r->stack_instructions),
            percent(r->single[TOM_MAPS], r->with_access),
            r->choice[3] ? percent(r->single[r->choice[3] - TOM_FIRST_BIT],
                                   r->with_access)
                         : 0.0,
            r->map_bit);
}

/* -------------------------------------------------------------------- JSON */

static void put(json_t *j, const char *name, uint64_t v) {
    json_object_set_new(j, name, json_integer((json_int_t)v));
}

static json_t *settings_json(const struct tom_settings *s) {
    json_t *j = json_object();
    json_object_set_new(j, "mode", json_string(modes[s->mode]));
    json_object_set_new(j, "map", json_string(maps[s->map]));
    json_object_set_new(j, "count", json_string(s->names ? "names" : "words"));
    json_object_set_new(j, "conditions",
                        json_string(s->placed ? "placed" : "register"));
    json_object_set_new(j, "probes",
                        json_string(s->refuse ? "refuse" : "wait"));
    json_object_set_new(j, "coherence",
                        json_string(s->coherent ? "free" : "told"));
    json_object_set_new(j, "ideal", json_string(s->ideal ? "yes" : "no"));
    put(j, "learn", s->learn);
    put(j, "cores", s->cores);
    put(j, "whole", s->whole);
    put(j, "warps", s->warps);
    put(j, "stack_warps", s->limit);
    put(j, "issue", s->issue);
    put(j, "l1", s->l1);
    put(j, "ways", s->ways);
    put(j, "mshrs", s->mshrs);
    put(j, "l2", s->l2);
    put(j, "link", s->link);
    put(j, "cross", s->cross);
    put(j, "internal", s->internal);
    put(j, "window", s->window);
    put(j, "busy_on", s->busy_on);
    put(j, "busy_off", s->busy_off);
    return j;
}

static json_t *link_json(const struct pipe_stats *s) {
    json_t *j = json_object();
    put(j, "flits", pipe_amount(s));
    put(j, "bytes", PIPE_FLIT * pipe_amount(s));
    put(j, "payload", pipe_payload(s));
    for (int k = 0; k < TOM_TRAFFICS; k++)
        put(j, kinds[k], s->amount[k]);
    return j;
}

static json_t *links_json(const struct tom_result *r) {
    json_t *all = json_array();
    for (int s = 0; s < TOM_STACKS; s++) {
        json_t *j = json_object(), *cross = json_array();
        json_t *tx = link_json(&r->tx[s]), *rx = link_json(&r->rx[s]);
        put(j, "stack", (uint64_t)s);
        put(tx, "busy", r->tx_busy[s]);
        put(tx, "moves", r->tx_moves[s]);
        put(rx, "busy", r->rx_busy[s]);
        put(rx, "moves", r->rx_moves[s]);
        json_object_set_new(j, "tx", tx);
        json_object_set_new(j, "rx", rx);
        for (int t = 0; t < TOM_STACKS; t++)
            if (t != s) {
                json_t *c = link_json(&r->cross[s][t]);
                put(c, "to", (uint64_t)t);
                json_array_append_new(cross, c);
            }
        json_object_set_new(j, "cross", cross);
        put(j, "memory_bytes", r->memory_bytes[s]);
        put(j, "activations", r->rows[s].activations);
        put(j, "activations_in_order", r->rows[s].in_order);
        put(j, "blocks", r->blocks[s]);
        put(j, "pending_peak", r->pending_peak[s]);
        json_array_append_new(all, j);
    }
    return all;
}

static json_t *energy_json(const struct tom_result *r) {
    json_t *j = json_object();
    struct tom_energy e;
    tom_energy(r, &e);
    json_object_set_new(j, "links_moved", json_real(e.links_moved));
    json_object_set_new(j, "links_idle", json_real(e.links_idle));
    json_object_set_new(j, "rows", json_real(e.rows));
    json_object_set_new(j, "rows_in_order", json_real(e.rows_in_order));
    json_object_set_new(j, "buffers", json_real(e.buffers));
    return j;
}

static json_t *cache_json(const struct cache_stats *c) {
    json_t *j = json_object();
    put(j, "loads", c->loads);
    put(j, "hits", c->load_hits);
    put(j, "misses", c->load_misses);
    put(j, "merged", c->load_merged);
    put(j, "stores", c->stores);
    json_object_set_new(
        j, "hit_rate",
        json_real(c->loads ? (double)c->load_hits / (double)c->loads : 0));
    return j;
}

static json_t *mapping_json(const struct tom_result *r) {
    json_t *j = json_object(), *bits = json_array(), *choices = json_array();
    put(j, "instances", r->with_access);
    put(j, "baseline", r->single[TOM_MAPS]);
    put(j, "lines", r->lines);
    put(j, "baseline_home", r->home[TOM_MAPS]);
    for (int i = 0; i < TOM_MAPS; i++) {
        json_t *b = json_object();
        put(b, "bit", (uint64_t)(TOM_FIRST_BIT + i));
        put(b, "single", r->single[i]);
        put(b, "home", r->home[i]);
        json_array_append_new(bits, b);
    }
    json_object_set_new(j, "mappings", bits);
    for (int i = 0; i < 4 && r->choice[3]; i++) {
        json_t *c = json_object();
        json_object_set_new(c, "percent", json_real(tom_choices[i]));
        put(c, "bit", r->choice[i]);
        put(c, "single", r->single[r->choice[i] - TOM_FIRST_BIT]);
        json_array_append_new(choices, c);
    }
    json_object_set_new(j, "choices", choices);
    put(j, "single", r->single_run);
    put(j, "bit", r->map_bit);
    put(j, "learned_from", r->learned_from);
    put(j, "allocations", (uint64_t)r->ranges);
    put(j, "allocations_learned", (uint64_t)r->ranges_learned);
    return j;
}

static json_t *offsets_json(const struct tom_result *r) {
    struct offset_share_count c;
    json_t *all = json_array();
    for (int i = 0; r->offsets && offset_share_candidate(r->offsets, i, &c);
         i++) {
        json_t *j = json_object();
        json_object_set_new(j, "kernel", json_string(c.kernel));
        put(j, "begin_pc", (uint64_t)c.begin_pc);
        put(j, "end_pc", (uint64_t)c.end_pc);
        put(j, "instances", c.instances);
        put(j, "accesses", c.accesses);
        put(j, "fixed", c.fixed);
        json_object_set_new(
            j, "class", json_string(offset_class_name(offset_class_of(&c))));
        json_array_append_new(all, j);
    }
    return all;
}

void tom_json(const void *result, json_t *into) {
    const struct tom_result *r = result;
    json_t *decisions = json_object();
    uint64_t tx, rx, cross;
    tom_flits_by(r, &tx, &rx, &cross);
    json_object_set_new(into, "settings", settings_json(&r->settings));
    put(into, "cycles", r->cycles);
    put(into, "launches", r->launches);
    put(into, "ctas", r->ctas);
    put(into, "main_instructions", r->main_instructions);
    put(into, "stack_instructions", r->stack_instructions);
    put(into, "flits", tx + rx + cross);
    put(into, "flits_tx", tx);
    put(into, "flits_rx", rx);
    put(into, "flits_cross", cross);
    json_object_set_new(into, "stacks", links_json(r));
    json_object_set_new(into, "energy_pj", energy_json(r));
    json_object_set_new(into, "l1", cache_json(&r->l1));
    json_object_set_new(into, "l2", cache_json(&r->l2));
    json_object_set_new(into, "stack_l1", cache_json(&r->stack_l1));
    put(into, "candidates", r->candidates);
    put(into, "candidates_dropped", r->dropped);
    put(into, "instances", r->instances);
    put(into, "instances_paying", r->paying);
    for (int i = 0; i < TOM_REASONS; i++)
        put(decisions, reasons[i], r->reasons[i]);
    json_object_set_new(into, "decisions", decisions);
    put(into, "probes", r->probes);
    put(into, "released", r->released);
    put(into, "invalidated", r->invalidated);
    put(into, "flush_cycles", r->flush_cycles);
    put(into, "lines_beyond", r->lines_beyond);
    put(into, "pending_limit", r->limit);
    json_object_set_new(into, "colocation", mapping_json(r));
    json_object_set_new(into, "fixed_offset", offsets_json(r));
}
