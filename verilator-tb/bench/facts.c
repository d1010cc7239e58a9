/* facts.c - what there is to tell about a run, without a format. */
#include "report.h"

#include "base/bits.h"
#include "iface/system.h"

#include <inttypes.h>
#include <string.h>

enum { EVENTS_SHOWN = 32, RANGES_SHOWN = 8 };

/* One port of an output struct. */
static const uint64_t *words_of(const void *out, const struct design_port *p) {
    return (const uint64_t *)(const void *)((const char *)out + p->offset);
}

void report_hex(struct text *t, const uint64_t *w, const uint64_t *x,
                int width) {
    text_printf(t, "%d'h", width);
    for (int bit = (width - 1) / 4 * 4; bit >= 0; bit -= 4) {
        if (x && bits_get(x, bit, 4))
            text_addc(t, 'x');
        else
            text_addc(t, "0123456789abcdef"[bits_get(w, bit, 4)]);
    }
}

void report_bits(struct text *t, const uint64_t *w, int width) {
    int shown = 0;
    for (int bit = width - 1; bit >= 0; bit--) {
        if (!bits_test(w, bit))
            continue;
        if (shown++ == RANGES_SHOWN) {
            text_add(t, ", ...");
            return;
        }
        int low = bit;
        while (low > 0 && bits_test(w, low - 1))
            low--;
        text_printf(t, "%s%d", shown > 1 ? ", " : "", bit);
        if (low < bit)
            text_printf(t, "..%d", low);
        bit = low;
    }
}

bool report_differs(struct bench *b, int n, struct difference *f) {
    const struct design_port *p = &b->design->ports[n];
    uint64_t any = 0, unknown = 0;
    if (!b->differs || p->dir != PORT_OUT)
        return false;
    *f = (struct difference){.port = p, .width = p->width};
    f->expected = words_of(b->expected, p);
    f->got = words_of(bench_slot(b, b->bad_cycle)->out, p);
    f->unknown = b->unknown ? words_of(b->unknown, p) : NULL;
    for (int i = 0; i < p->words; i++) {
        f->bits[i] = f->expected[i] ^ f->got[i];
        if (f->unknown) {
            f->bits[i] |= f->unknown[i];
            unknown |= f->unknown[i];
        }
        any |= f->bits[i];
    }
    f->any_unknown = unknown != 0;
    return any != 0;
}

void report_name(const struct bench *b, const struct difference *f,
                 struct text *t) {
    system_path(b->design, f->port, t);
}

void report_events(struct bench *b, struct text *t) {
    uint64_t last = b->cycle - 1;
    uint64_t first = last >= BENCH_RING - 1 ? last - (BENCH_RING - 2) : 1;
    struct text all = {0};
    for (uint64_t edge = first; edge <= last; edge++)
        bench_trace(b, edge, &all);
    const char *start = text_str(&all), *p = start + all.len;
    for (int lines = 0; p > start; p--) {
        lines += p[-1] == '\n';
        if (lines > EVENTS_SHOWN)
            break;
    }
    text_add(t, p);
    text_free(&all);
}

void report_command(const struct bench *b, struct text *t) {
    if (b->opt.replay)
        text_printf(t, "%s SEED=%" PRIu64 " CYCLES=%" PRIu64, b->opt.replay,
                    b->opt.stim.seed, b->opt.cycles);
}

int report_outputs(const struct bench *b) {
    int n = 0;
    for (int i = 0; i < b->design->n_ports; i++)
        n += b->design->ports[i].dir == PORT_OUT;
    return n;
}

int report_covers_hit(const struct bench *b) {
    const uint64_t *count = golden_covers(b->golden);
    int n = 0;
    for (int i = 0; i < b->block.iface->n_covers; i++)
        n += count[i] != 0;
    return n;
}

uint64_t report_bad_cycle(const struct bench *b) {
    return b->differs ? b->bad_cycle : b->cycle - 1;
}

bool report_failed(const struct bench *b) {
    return b->differs || b->broken;
}

bool report_draws(const struct bench *b) {
    return b->opt.wave && report_failed(b);
}
