/* dump.c - events as text, for people and for grep. */
#include "dump.h"

#include <inttypes.h>

static void dump_launch(const struct stream_launch *l, FILE *out) {
    fprintf(out,
            "# launch %u kernel %s grid %u,%u,%u block %u,%u,%u shared %u "
            "registers %u\n",
            l->id, l->kernel, l->grid[0], l->grid[1], l->grid[2], l->block[0],
            l->block[1], l->block[2], l->shared, l->registers);
}

static void dump_regs(const struct stream_insn *insn, FILE *out) {
    if (insn->n_dst + insn->n_src == 0)
        return;
    for (int i = 0; i < insn->n_dst; i++)
        fprintf(out, " r%u", insn->regs[i]);
    fputs(" <-", out);
    for (int i = 0; i < insn->n_src; i++)
        fprintf(out, " r%u", insn->regs[insn->n_dst + i]);
}

/* base+stride if that says it, else the list. */
static void dump_addresses(const struct stream_event *e, FILE *out) {
    uint64_t first = 0, previous = 0, stride = 0;
    int n = 0;
    bool regular = true;
    for (uint32_t left = e->mask; left; left &= left - 1, n++) {
        uint64_t at = e->address[__builtin_ctz(left)];
        if (n == 0)
            first = at;
        else if (n == 1)
            stride = at - previous;
        else
            regular = regular && at - previous == stride;
        previous = at;
    }
    fprintf(out, " %s.%d 0x%" PRIx64,
            e->insn->space ? ptx_space_text(e->insn->space) : "generic",
            (int)stream_width(e), first);
    if (n < 2)
        return;
    if (regular) {
        fprintf(out, "%+" PRId64 "*%d", (int64_t)stride, n);
        return;
    }
    for (uint32_t left = e->mask & (e->mask - 1); left; left &= left - 1)
        fprintf(out, ",0x%" PRIx64, e->address[__builtin_ctz(left)]);
}

/* The further texels of each lane, as distances from its first. */
static void dump_more(const struct stream_event *e, FILE *out) {
    const char *before = " and ";
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        fputs(before, out);
        before = ",";
        for (uint32_t k = 1; k < stream_addresses(e); k++)
            fprintf(out, "%+" PRId64,
                    (int64_t)(stream_row(e, k)[lane] - e->address[lane]));
    }
}

void dump_event(const struct stream_event *e, FILE *out) {
    if (e->kind == STREAM_LAUNCH) {
        dump_launch(e->launch, out);
        return;
    }
    uint32_t at[3];
    stream_cta(e->launch, e->cta, at);
    fprintf(out, "%u,%u,%u %u %" PRIu64 " %u %08x %08x %s", at[0], at[1], at[2],
            e->warp, e->insn->pc, e->insn->line, e->active, e->mask,
            e->insn->opcode);
    dump_regs(e->insn, out);
    if (e->insn->access && e->mask)
        dump_addresses(e, out);
    if (e->insn->access && e->mask && stream_addresses(e) > 1)
        dump_more(e, out);
    fputc('\n', out);
}
