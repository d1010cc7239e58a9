/* coverage.c - what programs have executed, by operation and by mask. */
#include "private.h"

#include <inttypes.h>

const char *const fuzz_mask_names[FUZZ_MASKS] = {"full", "partial", "one",
                                                 "none"};

static bool is_there(int op) {
    return isa_info(op)->text != NULL;
}

static uint64_t total(const struct fuzz_coverage *c, int op) {
    uint64_t n = 0;
    for (int k = 0; k < FUZZ_MASKS; k++)
        n += c->executed[op][k];
    return n;
}

static void print_class(const struct fuzz_coverage *c, int class,
                        struct text *out) {
    text_printf(out, "  %s\n", isa_class_name((enum isa_class) class));
    for (int op = 0; op < ISA_OPS; op++) {
        if (!is_there(op) || (int)isa_info(op)->class != class)
            continue;
        text_printf(out, "    %-12s", isa_info(op)->text);
        for (int k = 0; k < FUZZ_MASKS; k++)
            text_printf(out, " %11" PRIu64, c->executed[op][k]);
        text_add(out, total(c, op) ? "\n" : "   never\n");
    }
}

void fuzz_coverage_print(const struct fuzz_coverage *c, struct text *out) {
    int ops = 0, seen = 0, pairs = 0, seen_pairs = 0;
    text_printf(out, "  %-14s", "operation");
    for (int k = 0; k < FUZZ_MASKS; k++)
        text_printf(out, " %11s", fuzz_mask_names[k]);
    text_addc(out, '\n');
    for (int class = 0; class < ISA_CLASSES; class ++)
        print_class(c, class, out);
    for (int op = 0; op < ISA_OPS; op++)
        if (is_there(op)) {
            ops++;
            seen += total(c, op) != 0;
            pairs += FUZZ_MASKS;
            for (int k = 0; k < FUZZ_MASKS; k++)
                seen_pairs += c->executed[op][k] != 0;
        }
    text_printf(out, "  %d of %d operations, %d of %d with their masks\n", seen,
                ops, seen_pairs, pairs);
}
