/* nbu.c - what the near-bank unit adds: its far set as Verilog and C text, the
 * fields of its packed words, and the cost of its bus packets.
 *
 * Fields and bus rules are those of docs/blocks/nbu.md ("Words", "TSV bus").
 */
#include "blocks.h"

#include "blocks/nbu.h"

#include <ctype.h>
#include <inttypes.h>

/* far_set: the classes that only the far bank executes, 8 hex digits.
 * class: the code of each instruction class by its name. */
static void names(const struct gen_job *job, lua_State *L) {
    char digits[16];
    snprintf(digits, sizeof digits, "%08" PRIx32, job->config.nbu_far_set);
    lua_pushstring(L, digits);
    lua_setfield(L, -2, "far_set");
    lua_newtable(L);
    for (int i = 0; opclass_name(i); i++) {
        lua_pushinteger(L, i);
        lua_setfield(L, -2, opclass_name(i));
    }
    lua_setfield(L, -2, "class");
}

static void add_upper(struct text *out, const char *s) {
    for (; *s; s++)
        text_addc(out, (char)toupper((unsigned char)*s));
}

static void header(const struct gen_job *job, const char *macro,
                   struct text *out) {
    struct nbu_local l = nbu_local(&job->config);
    text_add(out, "\n/* Operand: {valid, kind, register}; kind 0 row, 1 pair, "
                  "2 predicate. */\n");
    text_printf(out, "#define %sOPERAND_REG_LSB 0\n", macro);
    text_printf(out, "#define %sOPERAND_KIND_LSB %d\n", macro, l.REG_W);
    text_printf(out, "#define %sOPERAND_VALID_LSB %d\n", macro, l.REG_W + 2);
    text_add(out, "\n/* Ticket: {written, near, epoch, register}. */\n");
    text_printf(out, "#define %sTICKET_REG_LSB 0\n", macro);
    text_printf(out, "#define %sTICKET_EPOCH_LSB %d\n", macro, l.REG_W);
    text_printf(out, "#define %sTICKET_NEAR_LSB %d\n", macro, l.REG_W + 1);
    text_printf(out, "#define %sTICKET_WRITTEN_LSB %d\n", macro, l.REG_W + 2);
    text_add(out, "\n/* Instruction classes. */\n");
    for (int i = 0; opclass_name(i); i++) {
        text_printf(out, "#define %sCLASS_", macro);
        add_upper(out, opclass_name(i));
        text_printf(out, " %d /* %s */\n", i, opclass_doc(i));
    }
}

static void packet(struct text *out, const char *name, int bits, int beats) {
    text_printf(out, "| %s | %d | %d | %d |\n", name, bits, beats, beats + 1);
}

static void datasheet(const struct gen_job *job, struct text *out) {
    struct nbu_local l = nbu_local(&job->config);
    int predicate = l.HEADER_W + l.LANES, row = l.HEADER_W + l.ROW_W;
    text_add(out, "## TSV bus packets\n\n"
                  "A packet holds the bus for its beats and the cycle in which "
                  "the wires turn round.\n\n"
                  "| packet | bits | beats | bus cycles |\n"
                  "| --- | ---: | ---: | ---: |\n");
    packet(out, "instruction", l.INSTR_W, l.INSTR_BEATS);
    packet(out, "register row", row, 1 + l.ROW_BEATS);
    packet(out, "predicate", predicate, 1 + l.PRED_BEATS);
    packet(out, "row request", l.HEADER_W, 1);
    packet(out, "completion", l.DONE_W, l.DONE_BEATS);
    packet(out, "load-store, longest run", l.LSU_BURST * l.TSV_W, l.LSU_BURST);
    text_addc(out, '\n');
}

const struct gen_block gen_nbu = {"nbu", names, header, datasheet};
