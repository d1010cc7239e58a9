/* isa_table.c - ndpcc --instruction-set: the reference tables of docs/isa.md,
 * from the declaration of the instruction set.
 */
#include "ndpcc.h"

#include "isa/isa.h"

#include <string.h>

/* How an operand is written. */
static const char *operand_text(char letter) {
    switch (letter) {
    case 'd':
        return "d";
    case 'D':
        return "pd";
    case 'a':
        return "a";
    case 'A':
        return "[!]pa";
    case 'b':
        return "b";
    case 'B':
        return "[!]pb";
    case 'i':
        return "b\\|int";
    case 'f':
        return "b\\|f32";
    case 'c':
        return "c";
    case 'C':
        return "[!]pc";
    case 'm':
        return "[a+int]";
    case 'n':
        return "[a]";
    case 's':
        return "special";
    case 'p':
        return "word";
    case 'w':
        return "bits";
    default:
        return "target[, join]";
    }
}

static void print_form(const struct isa_info *info, FILE *out) {
    const char *gap = " ";
    fprintf(out, "%s", info->text);
    fputs(strchr(info->form, 'R') ? "[.rz\\|.rm\\|.rp]" : "", out);
    fputs(strchr(info->form, 'Z') ? "[.ftz]" : "", out);
    fputs(strchr(info->form, 'S') ? "[.sat]" : "", out);
    for (const char *f = info->form; *f && !strchr("RZSU", *f); f++) {
        fprintf(out, "%s%s", gap, operand_text(*f));
        gap = ", ";
    }
}

/* Markdown would take a bar for a column. */
static void print_doc(const char *doc, FILE *out) {
    for (; *doc; doc++)
        fprintf(out, "%s%c", *doc == '|' ? "\\" : "", *doc);
}

static void print_class(enum isa_class c, FILE *out) {
    fprintf(out, "| **%s** | | | %s |\n", isa_class_name(c), isa_class_doc(c));
    for (int op = 0; op < ISA_OPS; op++) {
        const struct isa_info *info = isa_info(op);
        if (!info->text || info->class != c)
            continue;
        fprintf(out, "| `%02x` | `", op);
        print_form(info, out);
        fprintf(out, "` | %s | ", isa_timing_name(info->timing));
        print_doc(info->doc, out);
        fputs(strchr(info->form, 'U') ? "; unguarded |\n" : " |\n", out);
    }
}

void ndpcc_print_isa(FILE *out) {
    fputs("| op | written | unit | does |\n| --- | --- | --- | --- |\n", out);
    for (int c = 0; c < ISA_CLASSES; c++)
        print_class((enum isa_class)c, out);
    fputs("\n| unit | is |\n| --- | --- |\n", out);
    for (int t = 0; t < ISA_TIMINGS; t++)
        fprintf(out, "| %s | %s |\n", isa_timing_name((enum isa_timing)t),
                isa_timing_doc((enum isa_timing)t));
    fputs("\n| index | special | is |\n| --- | --- | --- |\n", out);
    for (int s = 0; s < ISA_SPECIALS; s++)
        fprintf(out, "| %d | `%s` | %s |\n", s, isa_special_text(s),
                isa_special_doc(s));
}
