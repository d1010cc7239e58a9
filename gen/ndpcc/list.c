/* list.c - the listings of ndpcc for people. */
#include "ndpcc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ instructions */

static void add_operand(const struct ptx_operand *o, struct text *t);

static void add_items(const struct ptx_operand *o, const char *open,
                      const char *close, struct text *t) {
    text_add(t, open);
    for (int i = 0; i < o->n_items; i++) {
        text_add(t, i ? ", " : "");
        add_operand(o->items[i], t);
    }
    text_add(t, close);
}

static void add_value(const struct ptx_value *v, struct text *t) {
    if (v->kind == PTX_VALUE_F32)
        text_printf(t, "0f%08" PRIX64, v->bits);
    else if (v->kind == PTX_VALUE_F64)
        text_printf(t, "0d%016" PRIX64, v->bits);
    else if (v->is_unsigned)
        text_printf(t, "%" PRIu64, v->bits);
    else
        text_printf(t, "%" PRId64, (int64_t)v->bits);
}

static void add_operand(const struct ptx_operand *o, struct text *t) {
    text_add(t, o->negated ? (o->reg && o->reg->type == PTX_PRED ? "!" : "-")
                           : "");
    switch (o->kind) {
    case PTX_OPND_SINK:
        text_add(t, "_");
        break;
    case PTX_OPND_VALUE:
        add_value(&o->value, t);
        break;
    case PTX_OPND_ADDRESS:
        add_items(o, "[", "]", t);
        break;
    case PTX_OPND_VECTOR:
        add_items(o, "{", "}", t);
        break;
    case PTX_OPND_LIST:
        add_items(o, "(", ")", t);
        break;
    default:
        text_add(t, o->name);
        break;
    }
    if (o->suffix)
        text_printf(t, ".%s", o->suffix);
    if (o->offset)
        text_printf(t, "%+" PRId64, o->offset);
    if (o->second)
        text_printf(t, "|%s", o->second->name);
}

void ndpcc_operand_text(const struct ptx_operand *o, struct text *t) {
    add_operand(o, t);
}

void ndpcc_instruction_text(const struct ptx_instruction *in, struct text *t) {
    if (in->guard)
        text_printf(t, "@%s%s ", in->guard_negated ? "!" : "", in->guard->name);
    text_add(t, in->form->text);
    for (int i = 0; i < in->n_operands; i++) {
        text_add(t, i ? ", " : " ");
        add_operand(in->operands[i], t);
    }
}

/* --------------------------------------------------------------- functions */

static void print_title(const struct ptx_analysis *a, FILE *out) {
    const struct ptx_function *f = a->function;
    const int *c = a->locations.counts;
    fprintf(out, "%s %s, line %d\n", f->is_entry ? "kernel" : "function",
            f->name, f->line);
    fprintf(out,
            "  %d instructions, %d blocks, %d loops, %d registers: %d near, "
            "%d far, %d both, %d unknown; %d physical\n",
            f->n_instructions, a->cfg.n_blocks, a->loops.n_loops,
            f->n_registers, c[PTX_LOC_N], c[PTX_LOC_F], c[PTX_LOC_B],
            c[PTX_LOC_U], a->allocation.total);
}

static void print_numbers(FILE *out, const char *what, const int *list, int n) {
    fprintf(out, "%s", what);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%d", i ? " " : "", list[i]);
}

static void print_block_line(const struct ptx_analysis *a, int b, FILE *out) {
    const struct ptx_block *block = &a->cfg.blocks[b];
    int loop = a->loops.innermost[b];
    fprintf(out, "  block %d", b);
    print_numbers(out, "  to ", block->succ, block->n_succ);
    fputs(block->exits ? block->n_succ ? " exit" : "exit" : "", out);
    if (a->pdom.idom[b] >= 0)
        fprintf(out, "  meets at %d", a->pdom.idom[b]);
    if (loop >= 0)
        fprintf(out, "  loop %d depth %d", loop, a->loops.loops[loop].depth);
    if (a->cfg.rpo_index[b] < 0)
        fputs("  not reachable", out);
    fputc('\n', out);
}

static void print_code(const struct ptx_analysis *a, const struct ptx_chains *c,
                       FILE *out) {
    const struct ptx_function *f = a->function;
    struct text t = {0};
    for (int b = 0; b < a->cfg.n_blocks; b++) {
        print_block_line(a, b, out);
        for (int pc = a->cfg.blocks[b].begin; pc < a->cfg.blocks[b].end; pc++) {
            t.len = 0;
            ndpcc_instruction_text(&f->instructions[pc], &t);
            fprintf(out, "  %6d %c  %s", pc,
                    ptx_location_letter(a->locations.instructions[pc]),
                    text_str(&t));
            ndpcc_chain_mark(c, pc, out);
            fputc('\n', out);
        }
    }
    text_free(&t);
}

static void print_trip(const struct ptx_analysis *a,
                       const struct ptx_trip *trip, FILE *out) {
    if (trip->kind == PTX_TRIP_STATIC)
        fprintf(out, "%" PRId64 " iterations", trip->count);
    else
        fputs(trip->kind == PTX_TRIP_ENTRY ? "iterations known at entry"
                                           : "iterations unknown",
              out);
    if (trip->counter >= 0)
        fprintf(out, ", counter %s by %" PRId64,
                a->function->registers[trip->counter]->name, trip->step);
    if (trip->step_reg >= 0)
        fprintf(out, " times %s", a->function->registers[trip->step_reg]->name);
}

static void print_loops(const struct ptx_analysis *a, FILE *out) {
    for (int i = 0; i < a->loops.n_loops; i++) {
        const struct ptx_loop *l = &a->loops.loops[i];
        fprintf(out, "  loop %d  header %d  %d blocks  depth %d  ", i,
                l->header, l->n_blocks, l->depth);
        print_trip(a, &l->trip, out);
        fputc('\n', out);
    }
}

/* Locations and physical registers, as many a line as fit. */
static void print_registers(const struct ptx_analysis *a, FILE *out) {
    const struct ptx_function *f = a->function;
    int column = 0;
    for (int r = 0; r < f->n_registers; r++) {
        int n = fprintf(out, "%s%s:%c%d", column ? "  " : "  ",
                        f->registers[r]->name,
                        ptx_location_letter(a->locations.registers[r]),
                        a->allocation.physical[r]);
        column += n > 0 ? n : 0;
        if (column > 64 || r == f->n_registers - 1) {
            fputc('\n', out);
            column = 0;
        }
    }
}

/* Shares of the registers of all kernels, beside the paper's. */
static void print_shares(const struct ndpcc_file *f, FILE *out) {
    int counts[4] = {0}, total = 0;
    for (int i = 0; i < f->module->n_functions; i++)
        for (int l = 0; f->analyses[i] && l < 4; l++)
            counts[l] += f->analyses[i]->locations.counts[l];
    for (int l = 0; l < 4; l++)
        total += counts[l];
    if (!total)
        return;
    fprintf(out,
            "%d registers: near %.1f %%, far %.1f %%, both %.1f %%, unknown "
            "%.1f %% (MPU, 12 kernels: 32.5, 63.7, 3.8)\n",
            total, 100.0 * counts[PTX_LOC_N] / total,
            100.0 * counts[PTX_LOC_F] / total,
            100.0 * counts[PTX_LOC_B] / total,
            100.0 * counts[PTX_LOC_U] / total);
}

void ndpcc_print_listing(const struct ndpcc_file *f, FILE *out) {
    for (int i = 0; i < f->module->n_functions; i++) {
        const struct ptx_analysis *a = f->analyses[i];
        if (!a)
            continue;
        print_title(a, out);
        print_code(a, f->chains[i], out);
        print_loops(a, out);
        ndpcc_chain_list(f->chains[i], out);
        ndpcc_list_candidates(a, &f->candidates[i], out);
        print_registers(a, out);
        fputc('\n', out);
    }
    print_shares(f, out);
}

/* ------------------------------------------------------------------- dumps */

static void dump_cfg(const struct ptx_analysis *a, FILE *out) {
    for (int b = 0; b < a->cfg.n_blocks; b++) {
        const struct ptx_block *block = &a->cfg.blocks[b];
        fprintf(out, "  block %d  pc %d..%d", b, block->begin, block->end - 1);
        print_numbers(out, "  from ", block->pred, block->n_pred);
        print_numbers(out, "  to ", block->succ, block->n_succ);
        fprintf(out, "%s  idom %d  ipdom %d\n", block->exits ? " exit" : "",
                a->dom.idom[b], a->pdom.idom[b]);
    }
}

static void dump_live(const struct ptx_analysis *a, FILE *out) {
    const struct ptx_function *f = a->function;
    for (int b = 0; b < a->cfg.n_blocks; b++) {
        fprintf(out, "  block %d\n    in ", b);
        for (int r = 0; r < f->n_registers; r++)
            if (ptx_live_in(&a->live, &a->cfg, r, b))
                fprintf(out, " %s", f->registers[r]->name);
        fputs("\n    out", out);
        for (int r = 0; r < f->n_registers; r++)
            if (ptx_live_out(&a->live, &a->cfg, r, b))
                fprintf(out, " %s", f->registers[r]->name);
        fputc('\n', out);
    }
}

static void print_nbu_operand(const char *what, struct nbu_operand o,
                              FILE *out) {
    if (o.valid)
        fprintf(out, "  %s %c%u", what, "rpq"[o.kind], o.reg);
}

static void dump_stream(const struct ptx_analysis *a, FILE *out) {
    static const char *const hints[] = {"", "far", "near"};
    struct diag quiet = {0};
    struct nbu_packet *packets;
    int n;
    if (!ptx_stream(a->function, a, UINT16_MAX, &packets, &n, &quiet)) {
        diag_flush(&quiet, out);
        diag_free(&quiet);
        return;
    }
    for (int i = 0; i < n; i++) {
        const struct nbu_packet *p = &packets[i];
        fprintf(out, "  %6d %-9s %-4s", p->pc, opclass_name(p->op),
                hints[p->hint]);
        print_nbu_operand("dst", p->dst, out);
        print_nbu_operand("src0", p->src[0], out);
        print_nbu_operand("src1", p->src[1], out);
        print_nbu_operand("src2", p->src[2], out);
        print_nbu_operand("guard", p->guard, out);
        fputc('\n', out);
    }
    free(packets);
}

void ndpcc_print_dump(const struct ndpcc_file *f, enum ndpcc_dump dump,
                      FILE *out) {
    for (int i = 0; i < f->module->n_functions; i++) {
        const struct ptx_analysis *a = f->analyses[i];
        if (!a)
            continue;
        print_title(a, out);
        if (dump == DUMP_CFG)
            dump_cfg(a, out);
        else if (dump == DUMP_LOOPS)
            print_loops(a, out);
        else if (dump == DUMP_LIVE)
            dump_live(a, out);
        else if (dump == DUMP_CANDIDATES)
            ndpcc_list_candidates(a, &f->candidates[i], out);
        else
            dump_stream(a, out);
    }
}
