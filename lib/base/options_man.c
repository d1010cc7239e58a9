/* options_man.c - manual page and shell completion out of the option table, so
 * that neither can differ from --help. */
#include "options.h"

#include "version.h"

#include <ctype.h>
#include <string.h>

/* Text as roff prints it: no escapes, no requests. */
static void put_roff(const char *s, FILE *out) {
    bool at_start = true;
    for (; *s; at_start = *s++ == '\n') {
        if (at_start && (*s == '.' || *s == '\''))
            fputs("\\&", out);
        if (*s == '\\')
            fputs("\\e", out);
        else if (*s == '-')
            fputs("\\-", out);
        else
            fputc(*s, out);
    }
}

static void put_line(const char *s, FILE *out) {
    put_roff(s, out);
    fputc('\n', out);
}

static void put_option(const struct option_spec *s, FILE *out) {
    if (!*s->name) {
        fputs(".SS ", out);
        put_line(s->doc, out);
        return;
    }
    fputs(".TP\n\\fB", out);
    if (s->letter)
        fprintf(out, "\\-%c\\fR, \\fB", s->letter);
    put_roff("--", out);
    put_roff(s->name, out);
    fputs("\\fR", out);
    if (s->arg) {
        fputs(" \\fI", out);
        put_roff(s->arg, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_line(s->doc, out);
}

void options_man(const struct options *o, FILE *out) {
    fprintf(out, ".TH %s 1 \"\" \"ndpgen %s\"\n.SH NAME\n", o->program,
            NDP_VERSION);
    /* one line: up to the first full stop */
    int first = (int)strcspn(o->summary, ".:\n");
    fprintf(out, "%s \\- %.*s\n.SH SYNOPSIS\n\\fB%s\\fR ", o->program, first,
            o->summary, o->program);
    put_line(o->usage, out);
    fputs(".SH DESCRIPTION\n", out);
    put_line(o->summary, out);
    if (o->positional) {
        fputs(".PP\nArguments: ", out);
        put_roff(o->positional, out);
        fputs(".\n", out);
    }
    fputs(".SH OPTIONS\n", out);
    for (const struct option_spec *s = o->specs; s && s->name; s++)
        put_option(s, out);
    for (const struct option_spec *s = options_common; s->name; s++)
        put_option(s, out);
    if (o->examples) {
        fputs(".SH EXAMPLES\n", out);
        for (const struct option_example *e = o->examples; e->command; e++) {
            fputs(".TP\n\\fB", out);
            put_roff(e->command, out);
            fputs("\\fR\n", out);
            put_line(e->doc, out);
        }
    }
    if (o->epilogue) {
        fputs(".SH NOTES\n", out);
        put_line(o->epilogue, out);
    }
}

static bool has(const struct options *o, const char *name) {
    for (const struct option_spec *s = o->specs; s && s->name; s++)
        if (strcmp(s->name, name) == 0)
            return true;
    return false;
}

/* Words of an option that the program lists itself. */
static void put_listed(const struct options *o, const char *option,
                       const char *list, FILE *out) {
    if (has(o, option) && has(o, list))
        fprintf(
            out,
            "    --%s)\n        COMPREPLY=($(compgen -W \"$(\"$1\" --%s "
            "2>/dev/null |\n            awk '$1 ~ /^[a-z]/ { print $1 }')\" "
            "-- \"$2\"))\n        return ;;\n",
            option, list);
}

/* Words between which an option chooses, as its argument names them. */
static void put_choice(const struct option_spec *s, FILE *out) {
    if (!s->arg || !strchr(s->arg, '|'))
        return;
    fprintf(out, "    --%s)\n        COMPREPLY=($(compgen -W \"", s->name);
    for (const char *c = s->arg; *c; c++)
        fputc(*c == '|' ? ' ' : tolower((unsigned char)*c), out);
    fputs("\" -- \"$2\"))\n        return ;;\n", out);
}

void options_completion(const struct options *o, FILE *out) {
    fprintf(out,
            "# %s - completion for bash, made by %s --print-completion\n"
            "_%s() {\n    case $3 in\n",
            o->program, o->program, o->program);
    put_listed(o, "target", "list-targets", out);
    put_listed(o, "preset", "list-presets", out);
    for (const struct option_spec *s = o->specs; s && s->name; s++)
        put_choice(s, out);
    fputs("    esac\n    case $2 in\n    -*) COMPREPLY=($(compgen -W \"", out);
    for (const struct option_spec *s = o->specs; s && s->name; s++)
        if (*s->name)
            fprintf(out, "--%s ", s->name);
    for (const struct option_spec *s = options_common; s->name; s++)
        fprintf(out, "--%s%s", s->name, s[1].name ? " " : "");
    fprintf(out,
            "\" -- \"$2\")) ;;\n    *) COMPREPLY=($(compgen -f -- \"$2\")) ;;\n"
            "    esac\n}\ncomplete -o filenames -F _%s %s\n",
            o->program, o->program);
}
