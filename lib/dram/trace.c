/* trace.c - command traces of three kinds, read and written line by line.
 *
 * A line is cut into fields where it stands; the columns say which field is
 * what.  The traces of DRAMsim3 and Ramulator 2.0 have no line of names, so
 * theirs are known.
 *
 * A command may leave its channel out (DRAMsim3 does for a refresh and the
 * precharges before it, in a file of one channel): it is of the one that the
 * others name, so those before the first that names one wait for it.
 */
#include "trace.h"

#include "base/array.h"
#include "base/infile.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_FIELDS = 16, NONE = -1, MOST_WAITING = 1 << 20 };

enum column {
    CYCLE,
    COMMAND_NAME,
    CHANNEL,
    RANK,
    GROUP,
    BANK,
    ROW,
    COLUMN,
    SOURCE,
    COLUMNS_WANTED
};

static const char *const column_names[COLUMNS_WANTED][2] = {
    {"cycle", "clock"}, {"command", NULL},      {"channel", NULL},
    {"rank", NULL},     {"group", "bankgroup"}, {"bank", NULL},
    {"row", NULL},      {"column", NULL},       {"source", NULL}};

struct field {
    const char *text;
    int column; /* from 1 */
    int width;
};

struct dram_trace {
    FILE *in;
    int in_error; /* of infile_open */
    const struct config *config;
    struct diag *d;
    const struct source *source; /* outlives the trace */
    enum dram_format format;
    int at[COLUMNS_WANTED]; /* field of each, -1: there is none */
    char *line;
    size_t cap;
    int64_t number;   /* of the line, from 1 */
    bool again;       /* the line has not been used yet */
    int64_t last;     /* cycle of the last command */
    int channel;      /* of the commands that name none; NONE: not known yet */
    bool several;     /* channels are named */
    int64_t nameless; /* line of the first that names none; 0: there is none */
    ARRAY(struct dram_command)
    waiting;     /* from the first that waits for its
                    channel to the one that told it */
    int n_given; /* of those */
    struct field field[MOST_FIELDS];
    int n_fields;
};

/* --- lines and fields ----------------------------------------------------- */

static struct place place_of(const struct dram_trace *t,
                             const struct field *f) {
    int line = t->number > INT32_MAX ? INT32_MAX : (int)t->number;
    return (struct place){t->source, line, f ? f->column : 1, f ? f->width : 1};
}

#define COMPLAIN(t, field, ...)                                                \
    diag_error((t)->d, place_of(t, field), __VA_ARGS__)

/* The next line that is neither empty nor a comment; false at the end. */
static bool next_line(struct dram_trace *t) {
    if (t->again) {
        t->again = false;
        return true;
    }
    for (;;) {
        errno = 0;
        if (getline(&t->line, &t->cap, t->in) < 0 || ferror(t->in))
            break;
        t->number++;
        if (t->number == 1 && strncmp(t->line, "\xef\xbb\xbf", 3) == 0)
            memmove(t->line, t->line + 3, strlen(t->line + 3) + 1);
        size_t blank = strspn(t->line, " \t\r\n");
        if (t->line[blank] && t->line[blank] != '#')
            return true;
    }
    if (ferror(t->in))
        diag_error(t->d, (struct place){t->source, 0, 0, 0}, "cannot read: %s",
                   infile_error(t->in_error));
    return false;
}

/* Cut at commas, or else at blanks; false if there are too many. */
static bool cut(struct dram_trace *t, bool commas) {
    const char *blanks = " \t\r\n";
    char *p = t->line;
    t->n_fields = 0;
    for (;;) {
        p += strspn(p, blanks);
        if (!*p && (!commas || t->n_fields == 0))
            return true;
        if (t->n_fields == MOST_FIELDS)
            return false;
        size_t n = strcspn(p, commas ? "," : blanks);
        char *after = p + n;
        bool more = *after != '\0';
        while (n > 0 && strchr(blanks, p[n - 1]))
            n--;
        p[n] = '\0';
        t->field[t->n_fields++] =
            (struct field){p, (int)(p - t->line) + 1, n ? (int)n : 1};
        if (!more)
            return true;
        p = after + 1;
    }
}

/* --- what a trace is ------------------------------------------------------ */

static const struct field *field_of(const struct dram_trace *t, enum column c) {
    return t->at[c] < 0 || t->at[c] >= t->n_fields ? NULL : &t->field[t->at[c]];
}

static void find_columns(struct dram_trace *t) {
    for (int c = 0; c < COLUMNS_WANTED; c++) {
        t->at[c] = -1;
        for (int i = 0; i < t->n_fields; i++)
            for (int k = 0; k < 2 && column_names[c][k]; k++)
                if (strcasecmp(t->field[i].text, column_names[c][k]) == 0)
                    t->at[c] = i;
    }
}

static void unknown_format(struct dram_trace *t) {
    COMPLAIN(t, NULL,
             "neither a line of column names such as "
             "'cycle,command,channel,rank,group,bank,row,column,source' nor a "
             "command of DRAMsim3 or Ramulator");
}

/* What other files begin with, and what to do about it. */
static const struct {
    const char *bytes;
    size_t n;
    const char *advice;
} magics[] = {
    {"BZh", 3, "compressed by bzip2: bzip2 -dc FILE | ndpcheck -"},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd: zstd -dc FILE | ndpcheck -"},
    {"\xff\xfe", 2, "UTF-16: iconv -f UTF-16 -t UTF-8 FILE | ndpcheck -"},
    {"\xfe\xff", 2, "UTF-16: iconv -f UTF-16 -t UTF-8 FILE | ndpcheck -"}};

/* One word of a line of blanks. */
static const char *word_of(const char *line, int n, char *word, size_t room) {
    for (; n > 0; n--) {
        line += strspn(line, " \t");
        line += strcspn(line, " \t\r\n");
    }
    line += strspn(line, " \t");
    snprintf(word, room, "%.*s", (int)strcspn(line, " \t\r\n"), line);
    return word;
}

static bool is_access(const char *word) {
    return strcmp(word, "R") == 0 || strcmp(word, "W") == 0;
}

static bool is_number(const char *word) {
    return *word && word[strspn(word, "0123456789")] == '\0';
}

/* True after an error: the first line, which is at hand, is of another kind of
 * file, often taken for a trace of commands. */
static bool is_foreign(struct dram_trace *t) {
    static const char request[] =
        "a trace of requests for Ramulator%s, expected the commands that a "
        "controller made of them: let Ramulator record these";
    char first[32], second[32], third[32];
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (strncmp(t->line, magics[i].bytes, magics[i].n) == 0) {
            COMPLAIN(t, NULL, "expected text, and this is %s",
                     magics[i].advice);
            return true;
        }
    word_of(t->line, 0, first, sizeof first);
    word_of(t->line, 1, second, sizeof second);
    word_of(t->line, 2, third, sizeof third);
    if (is_access(second) && !*third)
        COMPLAIN(t, NULL, request, " 1");
    else if (is_access(first))
        COMPLAIN(t, NULL, request, " 2");
    else if (is_number(first) && is_number(second) &&
             (!*third || is_number(third)))
        COMPLAIN(t, NULL, request, "'s processors");
    else if (strncmp(t->line, "Memcpy", 6) == 0 || strstr(first, ".trace"))
        COMPLAIN(t, NULL,
                 "a list of GPU traces for Accel-Sim, expected the commands of "
                 "a DRAM controller: ndpsim reads such lists");
    else if (strchr(t->line, ';') && !strchr(t->line, ','))
        COMPLAIN(t, NULL, "columns between ';', expected ','");
    else if (strchr(t->line, '\t') && !strchr(t->line, ',') &&
             isalpha((unsigned char)first[0]))
        COMPLAIN(t, NULL, "columns between tabs, expected ','");
    else
        return false;
    return true;
}

/* The kind of a trace with a line of names, which is at hand. */
static void recognize_names(struct dram_trace *t) {
    bool ramulator = strncasecmp(t->line, "clock,", 6) == 0;
    t->format = ramulator ? DRAM_RAMULATOR : DRAM_NDP;
    if (!cut(t, true)) {
        COMPLAIN(t, NULL, "more than %d columns", MOST_FIELDS);
        return;
    }
    find_columns(t);
    if (t->at[CYCLE] < 0 || t->at[COMMAND_NAME] < 0) {
        unknown_format(t);
        return;
    }
    if (t->at[CHANNEL] < 0)
        t->channel = 0; /* no command can name another one */
    for (int c = RANK; c <= BANK; c++)
        if (t->at[c] < 0)
            COMPLAIN(t, NULL, "no column '%s' in the first line",
                     column_names[c][0]);
}

/* A trace without a line of names; its first command is at hand. */
static void recognize_command(struct dram_trace *t) {
    t->format = strchr(t->line, ',') ? DRAM_RAMULATOR : DRAM_DRAMSIM3;
    t->again = true;
    for (int c = 0; c < COLUMNS_WANTED; c++)
        t->at[c] = c == SOURCE ? NONE : c;
}

/* The kind of trace, by its first line. */
static bool recognize(struct dram_trace *t) {
    int before = t->d->errors;
    if (!next_line(t)) {
        if (t->d->errors == before)
            diag_error(t->d, (struct place){t->source, 0, 0, 0},
                       "an empty trace");
    } else if (is_foreign(t)) {
        return false;
    } else if (isdigit((unsigned char)t->line[strspn(t->line, " \t")])) {
        recognize_command(t);
    } else if (strchr(t->line, ',')) {
        recognize_names(t);
    } else {
        unknown_format(t);
    }
    return t->d->errors == before;
}

struct dram_trace *dram_trace_open(const char *path, const struct config *c,
                                   struct diag *d) {
    bool standard = strcmp(path, "-") == 0;
    struct dram_trace *t = xcalloc(1, sizeof *t);
    t->in = infile_open(path, &t->in_error);
    if (!t->in) {
        diag_error(d, (struct place){diag_source(d, path, NULL, 0), 0, 0, 0},
                   "cannot read: %s", infile_error(t->in_error));
        dram_trace_close(t);
        return NULL;
    }
    t->config = c;
    t->d = d;
    t->source = diag_source(d, standard ? "standard input" : path, NULL, 0);
    t->last = INT64_MIN;
    t->channel = NONE;
    if (recognize(t))
        return t;
    dram_trace_close(t);
    return NULL;
}

void dram_trace_close(struct dram_trace *t) {
    if (!t)
        return;
    infile_close(t->in);
    free(t->line);
    array_free(&t->waiting);
    free(t);
}

enum dram_format dram_trace_format(const struct dram_trace *t) {
    return t->format;
}

/* --- a command ------------------------------------------------------------ */

/* A whole number from min to max; most: the parameter that sets max, or NULL.
 * False after an error. */
static bool number(struct dram_trace *t, const struct field *f,
                   const char *what, int64_t min, int64_t max,
                   const char *parameter, int64_t *n) {
    char *end;
    bool hex = t->format == DRAM_DRAMSIM3 || strncasecmp(f->text, "0x", 2) == 0;
    errno = 0;
    long long v = strtoll(f->text, &end, hex && f->text[0] == '0' ? 16 : 10);
    if (end == f->text || *end) {
        COMPLAIN(t, f, "expected the %s, got '%s'", what, f->text);
        return false;
    }
    if (errno || v < min || v > max) {
        COMPLAIN(t, f, "%s %s, expected %lld to %lld%s%s%s", what, f->text,
                 (long long)min, (long long)max, parameter ? " ('" : "",
                 parameter ? parameter : "", parameter ? "')" : "");
        return false;
    }
    *n = v;
    return true;
}

static bool kind_of(struct dram_trace *t, const struct field *f,
                    enum dram_kind *kind) {
    static const struct {
        const char *name;
        enum dram_kind kind;
    } others[] = {{"activate", DRAM_ACT},       {"precharge", DRAM_PRE},
                  {"PREpb", DRAM_PRE},          {"PREab", DRAM_PREA},
                  {"precharge_all", DRAM_PREA}, {"read", DRAM_RD},
                  {"read_p", DRAM_RDA},         {"write", DRAM_WR},
                  {"write_p", DRAM_WRA},        {"refresh", DRAM_REF},
                  {"REFab", DRAM_REF},          {"refresh_bank", DRAM_REFB},
                  {"REFpb", DRAM_REFB},         {"REFsb", DRAM_REFB},
                  {"ACT-1", DRAM_ACT},          {"RD16", DRAM_RD},
                  {"RD16A", DRAM_RDA},          {"WR16", DRAM_WR},
                  {"WR16A", DRAM_WRA}};
    for (int k = 0; k < DRAM_ALL_KINDS; k++)
        if (strcasecmp(f->text, dram_kind_name(k)) == 0) {
            *kind = k;
            return true;
        }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(f->text, others[i].name) == 0) {
            *kind = others[i].kind;
            return true;
        }
    COMPLAIN(t, f,
             "unknown command '%s', expected ACT, PRE, PREA, RD, RDA, WR, WRA, "
             "REF, REFB or a name of DRAMsim3 or Ramulator for one of them",
             f->text);
    return false;
}

/* A part of the place; one that is not applicable or not there is what. */
static bool part(struct dram_trace *t, enum column c, int64_t max,
                 const char *parameter, bool needed, int none, int *out) {
    const struct field *f = field_of(t, c);
    int64_t n = none;
    if (needed && !f) {
        COMPLAIN(t, NULL, "the line ends before the %s", column_names[c][0]);
        return false;
    }
    if (f && (needed || (*f->text && strcmp(f->text, "-1") != 0)) &&
        !number(t, f, column_names[c][0], 0, max, parameter, &n))
        return false;
    *out = (int)n;
    return true;
}

static bool read_command(struct dram_trace *t, struct dram_command *c) {
    const struct config *g = t->config;
    const struct field *cycle = field_of(t, CYCLE);
    const struct field *name = field_of(t, COMMAND_NAME);
    const struct field *source = field_of(t, SOURCE);
    int64_t most = INT64_MAX / 4;
    *c = (struct dram_command){.line = t->number};
    if (!cycle || !name) {
        COMPLAIN(t, NULL, "the line ends before the command");
        return false;
    }
    if (!number(t, cycle, "cycle", 0, most, NULL, &c->cycle) ||
        !kind_of(t, name, &c->kind))
        return false;
    bool bank = !dram_kind_of_rank(c->kind);
    bool group = bank && c->kind != DRAM_REFB; /* DDR5: it is of all of them */
    if (!part(t, CHANNEL, g->dram_channels - 1, "dram.channels", false, NONE,
              &c->channel) ||
        !part(t, RANK, g->dram_ranks - 1, "dram.ranks", true, 0, &c->rank) ||
        (bank &&
         (!part(t, GROUP, g->dram_groups - 1, "dram.groups", group, 0,
                &c->group) ||
          !part(t, BANK, g->dram_banks - 1, "dram.banks", true, 0, &c->bank))))
        return false;
    c->row = c->column = -1;
    bool row = group && c->kind != DRAM_PRE;
    if (row && (!part(t, ROW, INT32_MAX, NULL, false, -1, &c->row) ||
                (c->kind != DRAM_ACT &&
                 !part(t, COLUMN, INT32_MAX, NULL, false, -1, &c->column))))
        return false;
    c->nda = source && strcasecmp(source->text, "nda") == 0;
    if (c->cycle < t->last) {
        COMPLAIN(t, cycle, "cycle %lld comes after cycle %lld",
                 (long long)c->cycle, (long long)t->last);
        return false;
    }
    t->last = c->cycle;
    return true;
}

/* Of an LPDDR5 the second half of an ACT, and what starts the data clock: no
 * rule looks at them. */
static bool is_passed_over(const struct dram_trace *t) {
    static const char *const names[] = {"ACT-2", "CASRD", "CASWR"};
    const struct field *f = field_of(t, COMMAND_NAME);
    for (int i = 0; f && i < 3; i++)
        if (strcmp(f->text, names[i]) == 0)
            return true;
    return false;
}

/* The next command as it stands. */
static bool read_line(struct dram_trace *t, struct dram_command *c) {
    do {
        if (!next_line(t))
            return false;
        if (!cut(t, t->format != DRAM_DRAMSIM3)) {
            COMPLAIN(t, NULL, "more than %d fields", MOST_FIELDS);
            return false;
        }
    } while (is_passed_over(t));
    return read_command(t, c);
}

/* --- commands without a channel ------------------------------------------- */

/* Whether a command's channel, or that it has none, goes with those before. */
static bool goes_with(struct dram_trace *t, const struct dram_command *c) {
    const struct field *f = field_of(t, CHANNEL);
    if (c->channel == NONE) {
        if (t->several)
            COMPLAIN(t, f,
                     "no channel, and the commands before are of several: "
                     "expected 0 to %d ('dram.channels')",
                     t->config->dram_channels - 1);
        if (!t->nameless)
            t->nameless = c->line;
        return !t->several;
    }
    if (t->channel == NONE)
        t->channel = c->channel;
    if (t->channel == c->channel)
        return true;
    t->several = true;
    if (t->nameless)
        COMPLAIN(t, f,
                 "channel %d, expected %d as before: line %lld has no "
                 "channel, so the trace is of one",
                 c->channel, t->channel, (long long)t->nameless);
    return !t->nameless;
}

static bool read_one(struct dram_trace *t, struct dram_command *c) {
    return read_line(t, c) && goes_with(t, c);
}

/* A command has no channel, and none before it has: read on, until one does. */
static bool look_ahead(struct dram_trace *t, struct dram_command *c) {
    int before = t->d->errors;
    do {
        *array_push(&t->waiting) = *c;
        if (t->waiting.n == MOST_WAITING) {
            COMPLAIN(t, field_of(t, CHANNEL),
                     "%d commands, and none has a channel", MOST_WAITING);
            return false;
        }
    } while (t->channel == NONE && read_one(t, c));
    return t->d->errors == before;
}

bool dram_trace_next(struct dram_trace *t, struct dram_command *c) {
    if (t->n_given == t->waiting.n) {
        t->n_given = t->waiting.n = 0;
        if (!read_one(t, c))
            return false;
        if (c->channel == NONE && t->channel == NONE && !look_ahead(t, c)) {
            t->waiting.n = 0;
            return false;
        }
    }
    if (t->waiting.n)
        *c = t->waiting.v[t->n_given++];
    if (c->channel == NONE)
        c->channel = t->channel == NONE ? 0 : t->channel;
    return true;
}

void dram_trace_complain(const struct dram_trace *t,
                         const struct dram_command *c, const char *message) {
    int line = c->line > INT32_MAX ? INT32_MAX : (int)c->line;
    diag_error(t->d, (struct place){t->source, line, 1, 1}, "%s", message);
}

/* --- writing -------------------------------------------------------------- */

void dram_trace_begin(FILE *out, enum dram_format f) {
    if (f == DRAM_NDP)
        fputs("cycle,command,channel,rank,group,bank,row,column,source\n", out);
    else if (f == DRAM_RAMULATOR)
        fputs("clock,command,Channel,Rank,BankGroup,Bank,Row,Column,type,source"
              "\n",
              out);
}

static void put_dramsim3(FILE *out, const struct dram_command *c) {
    static const char *const names[DRAM_ALL_KINDS] = {
        [DRAM_ACT] = "activate",       [DRAM_PRE] = "precharge",
        [DRAM_PREA] = "precharge_all", [DRAM_RD] = "read",
        [DRAM_RDA] = "read_p",         [DRAM_WR] = "write",
        [DRAM_WRA] = "write_p",        [DRAM_REF] = "refresh",
        [DRAM_REFB] = "refresh_bank"};
    fprintf(out, "%-18lld %-20s %3d %3d %3d %3d %#8x %#8x\n",
            (long long)c->cycle, names[c->kind], c->channel, c->rank, c->group,
            c->bank, c->row < 0 ? 0 : (unsigned)c->row,
            c->column < 0 ? 0 : (unsigned)c->column);
}

void dram_trace_put(FILE *out, enum dram_format f,
                    const struct dram_command *c) {
    static const char *const ramulator[DRAM_ALL_KINDS] = {
        [DRAM_ACT] = "ACT", [DRAM_PRE] = "PREpb", [DRAM_PREA] = "PREab",
        [DRAM_RD] = "RD",   [DRAM_RDA] = "RDA",   [DRAM_WR] = "WR",
        [DRAM_WRA] = "WRA", [DRAM_REF] = "REFab", [DRAM_REFB] = "REFsb"};
    bool rank = dram_kind_of_rank(c->kind);
    if (f == DRAM_DRAMSIM3) {
        put_dramsim3(out, c);
        return;
    }
    bool ours = f == DRAM_NDP;
    fprintf(out, "%lld,%s,%d,%d,%d,%d,%d,%d,%s%s\n", (long long)c->cycle,
            ours ? dram_kind_name(c->kind) : ramulator[c->kind], c->channel,
            c->rank, rank ? -1 : c->group, rank ? -1 : c->bank, c->row,
            c->column, ours ? "" : "-1,", c->nda ? "nda" : "host");
}
