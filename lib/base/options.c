/* options.c - the command line, by getopt_long under the program's own table.
 *
 * getopt_long completes abbreviated long options and has no switch against it,
 * so each long option it finds is compared with what was written.  A leading
 * '-' in its short option string returns other arguments in their order
 * instead of moving them to the end.
 */
#include "options.h"

#include "arena.h"
#include "outfile.h"
#include "text.h"
#include "version.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Values that getopt_long returns for long options: position in the table
 * plus LONG_FIRST. */
enum { LONG_FIRST = 256, OTHER_ARGUMENT = 1 };

const struct option_spec options_common[] = {
    {"help", 'h', NULL, "show this help"},
    {"version", 0, NULL, "show the version"},
    {NULL, 0, NULL, NULL},
};

enum { N_COMMON = sizeof options_common / sizeof options_common[0] - 1 };

/* The program's options, then the common ones; NULL past the last. */
static const struct option_spec *spec_at(const struct options *o, int n) {
    int i = 0;
    for (const struct option_spec *s = o->specs; s && s->name; s++)
        if (*s->name && i++ == n)
            return s;
    return n - i < N_COMMON ? &options_common[n - i] : NULL;
}

static const char *next_long(void *ctx, int n) {
    const struct options *const *o = ctx;
    const struct option_spec *s = spec_at(*o, n);
    return s ? s->name : NULL;
}

static const struct option_spec *spec_of_letter(const struct options *o,
                                                int letter) {
    const struct option_spec *s;
    for (int i = 0; (s = spec_at(o, i)); i++)
        if (letter && s->letter == letter)
            return s;
    return NULL;
}

/* What getopt_long wants to know; the caller frees *longs and shorts. */
static void build_tables(const struct options *o, struct option **longs,
                         struct text *shorts) {
    const struct option_spec *s;
    int n = 0;
    while (spec_at(o, n))
        n++;
    *longs = xcalloc((size_t)n + 1, sizeof **longs);
    text_add(shorts, "-:");
    for (int i = 0; (s = spec_at(o, i)); i++) {
        (*longs)[i].name = s->name;
        (*longs)[i].has_arg = s->arg ? required_argument : no_argument;
        (*longs)[i].val = LONG_FIRST + i;
        if (s->letter)
            text_printf(shorts, "%c%s", s->letter, s->arg ? ":" : "");
    }
}

/* One run of the parser. */
struct parse {
    const struct options *o;
    options_take *take;
    void *ctx;
    struct diag *d;
    int positionals;
    bool shown;    /* --help or --version was met */
    char **single; /* word reported as -name for --name; NULL: none */
};

static void unknown_long(struct parse *p, const char *word) {
    struct text name = {0}, where = {0};
    text_addn(&name, word, strcspn(word, "="));
    const char *written = text_str(&name) + strspn(text_str(&name), "-");
    const char *near = suggest(written, next_long, &p->o);
    if (p->o->elsewhere)
        p->o->elsewhere(written, &where);
    if (where.len)
        diag_error(p->d, (struct place){0}, "option '%s' %s", text_str(&name),
                   text_str(&where));
    else if (near)
        diag_error(p->d, (struct place){0},
                   "unknown option '%s', did you mean '--%s'", text_str(&name),
                   near);
    else
        diag_error(p->d, (struct place){0}, "unknown option '%s', see --help",
                   text_str(&name));
    text_free(&where);
    text_free(&name);
}

/* word is a long option with one dash, as in -target for --target. */
static bool is_single_dash(const struct parse *p, const char *word) {
    if (word[0] != '-' || word[1] == '-')
        return false;
    size_t len = strcspn(word + 1, "=");
    const struct option_spec *s;
    for (int i = 0; len > 1 && (s = spec_at(p->o, i)); i++)
        if (strlen(s->name) == len && strncmp(s->name, word + 1, len) == 0)
            return true;
    return false;
}

static void unknown_short(struct parse *p, const char *word, int letter) {
    if (letter > ' ' && letter < 0x7f)
        diag_error(p->d, (struct place){0}, "unknown option '-%c', see --help",
                   letter);
    else
        diag_error(p->d, (struct place){0}, "unknown option '%s', see --help",
                   word);
}

/* Hand one option or, with s NULL, one other argument to the program. */
static void give(struct parse *p, const struct option_spec *s,
                 const char *value) {
    int before = p->d->errors;
    if (p->take(p->ctx, s ? s->name : NULL, value) || p->d->errors != before)
        return;
    if (!s)
        diag_error(p->d, (struct place){0}, "unexpected argument '%s'", value);
    else if (value)
        diag_error(p->d, (struct place){0},
                   "option '--%s' does not accept '%s'", s->name, value);
    else
        diag_error(p->d, (struct place){0},
                   "option '--%s' is not possible here", s->name);
}

static void give_positional(struct parse *p, const char *value) {
    const struct options *o = p->o;
    p->positionals++;
    if (!o->positional)
        diag_error(p->d, (struct place){0},
                   "unexpected argument '%s', expected only options", value);
    else if (o->max_positional && p->positionals > o->max_positional)
        diag_error(p->d, (struct place){0},
                   "unexpected argument '%s', expected no more than %d (%s)",
                   value, o->max_positional, o->positional);
    else
        give(p, NULL, value);
}

/* value is the next word of the command line and yet an option of ours: the
 * value before it was forgotten. */
static bool is_forgotten(const struct parse *p, const char *value,
                         const char *next) {
    const struct option_spec *s;
    if (value != next || strncmp(value, "--", 2) != 0)
        return false;
    for (int i = 0; (s = spec_at(p->o, i)); i++)
        if (strcmp(s->name, value + 2) == 0)
            return true;
    return false;
}

static void found(struct parse *p, const struct option_spec *s,
                  const char *value, const char *next) {
    if (s == &options_common[0]) {
        options_help(p->o, stdout);
        p->shown = true;
    } else if (s == &options_common[1]) {
        printf("%s %s\n", p->o->program, NDP_VERSION);
        p->shown = true;
    } else if (value && is_forgotten(p, value, next)) {
        diag_error(p->d, (struct place){0},
                   "option '--%s' expects %s, got the option '%s'", s->name,
                   s->arg, value);
    } else {
        give(p, s, value);
    }
}

/* Act on what getopt_long returned for the words from *word on. */
static void one_result(struct parse *p, int code, char **word) {
    bool is_long = strncmp(*word, "--", 2) == 0;
    int id = code == '?' || code == ':' ? optopt : code;
    const struct option_spec *s = id >= LONG_FIRST
                                      ? spec_at(p->o, id - LONG_FIRST)
                                      : spec_of_letter(p->o, id);
    if (code == OTHER_ARGUMENT) {
        give_positional(p, optarg);
        return;
    }
    if (is_single_dash(p, *word)) {
        if (p->single != word) /* getopt_long returns it letter by letter */
            unknown_long(p, *word);
        p->single = word;
        return;
    }
    if (is_long && s) {
        size_t len = strcspn(*word + 2, "=");
        if (strlen(s->name) != len || strncmp(s->name, *word + 2, len) != 0)
            s = NULL; /* an abbreviation */
    }
    if (!s && is_long)
        unknown_long(p, *word);
    else if (!s)
        unknown_short(p, *word, id);
    else if (code == ':')
        diag_error(p->d, (struct place){0}, "option '--%s' expects %s", s->name,
                   s->arg);
    else if (code == '?')
        diag_error(p->d, (struct place){0}, "option '--%s' takes no value",
                   s->name);
    else
        found(p, s, optarg, word[1]);
}

/* What `make install` asks for, in place of all else. */
static bool printed(const struct options *o, int argc, char **argv) {
    bool man = argc == 2 && strcmp(argv[1], "--print-man") == 0;
    bool words = argc == 2 && strcmp(argv[1], "--print-completion") == 0;
    if (man)
        options_man(o, stdout);
    if (words)
        options_completion(o, stdout);
    return man || words;
}

int options_parse(const struct options *o, int argc, char **argv,
                  options_take *take, void *ctx, struct diag *d) {
    struct parse p = {.o = o, .take = take, .ctx = ctx, .d = d};
    struct option *longs;
    struct text shorts = {0};
    int before = d->errors;
    outfile_reserve_standard();
    if (printed(o, argc, argv))
        return outfile_flush_stdout(d) ? 0 : 2;
    build_tables(o, &longs, &shorts);
    opterr = 0;
    optind = 0; /* start afresh, also inside getopt_long */
    while (!p.shown) {
        char **word = argv + (optind > 0 ? optind : 1);
        int code = getopt_long(argc, argv, text_str(&shorts), longs, NULL);
        if (code == -1)
            break;
        one_result(&p, code, word);
    }
    while (!p.shown && optind < argc)
        give_positional(&p, argv[optind++]);
    free(longs);
    text_free(&shorts);
    if (p.shown)
        outfile_flush_stdout(d);
    return d->errors != before ? 2 : p.shown ? 0 : OPTIONS_RUN;
}

bool options_number(const char *name, const char *value, uint64_t min,
                    uint64_t max, uint64_t *n, struct diag *d) {
    bool hex = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
    const char *digits = hex ? value + 2 : value;
    size_t len = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long long parsed = 0;
    bool fits = false;
    if (len > 0 && digits[len] == '\0') {
        errno = 0;
        parsed = strtoull(value, NULL, hex ? 16 : 10);
        fits = errno == 0 && parsed >= min && parsed <= max;
    }
    if (!fits) {
        diag_error(d, (struct place){0},
                   "option '--%s' expects a whole number from %llu to %llu, "
                   "got '%s'",
                   name, (unsigned long long)min, (unsigned long long)max,
                   value);
        return false;
    }
    *n = parsed;
    return true;
}

/* Words side by side, a zero byte after each and one more after the last. */
static const char *next_word(void *ctx, int i) {
    const char *word = ctx;
    for (; i > 0 && *word; i--)
        word += strlen(word) + 1;
    return *word ? word : NULL;
}

int options_choice(const char *name, const char *value, const char *words,
                   struct diag *d) {
    size_t len = strlen(words);
    char *list = xcalloc(len + 2, 1);
    const char *word, *near;
    int found = -1;
    for (size_t i = 0; i < len; i++)
        list[i] = words[i] == '|' ? '\0' : words[i];
    for (int i = 0; found < 0 && (word = next_word(list, i)); i++)
        if (strcmp(word, value) == 0)
            found = i;
    near = found < 0 ? suggest(value, next_word, list) : NULL;
    if (near)
        diag_error(d, (struct place){0},
                   "option '--%s' expects one of %s, got '%s', did you mean "
                   "'%s'",
                   name, words, value, near);
    else if (found < 0)
        diag_error(d, (struct place){0},
                   "option '--%s' expects one of %s, got '%s'", name, words,
                   value);
    free(list);
    return found;
}
