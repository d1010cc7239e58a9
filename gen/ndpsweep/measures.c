/* measures.c - see measures.h. */
#include "measures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct measure measures[] = {
    {"emitted",
     "files, lines and bytes of the Verilog: rtl_files, rtl_lines, rtl_bytes",
     false,
     {{0}}},
    {"area",
     "what scripts/area.sh gives for each flow: FLOW_logic, FLOW_ffs, "
     "FLOW_memory, FLOW_lutram, FLOW_depth, as far as the flow has them",
     false,
     {{"flows", MEASURE_CHOICES, "gates|xc7|ice40|ecp5|gowin", 0, 0, "gates",
       "list of flows"}}},
    {"mhz",
     "what scripts/timing.sh gives on an iCE40: mhz (median of the draws), "
     "mhz_worst, mhz_draws (those that were routed), mhz_cells, mhz_rams",
     false,
     {{"device", MEASURE_CHOICE, "hx8k|up5k", 0, 0, "hx8k", "the part"},
      {"draws", MEASURE_NUMBER, NULL, 1, 64, "4",
       "placements, each of a seed hashed from the configuration"},
      {"limit", MEASURE_NUMBER, NULL, 1, 86400, "600",
       "seconds that one may take"}}},
    {"silicon",
     "what scripts/silicon gives in 0.18 um standard cells: mm2 (logic and "
     "flip-flops), memory_bits, silicon_mhz, slowest (from register to "
     "register), and with kernel kernel_us, its cycles over silicon_mhz",
     false,
     {{0}}},
    {"lockstep",
     "RTL against golden model, what scripts/cosim.sh tells: lockstep "
     "(result), lockstep_cycles, lockstep_covers (points hit)",
     false,
     {{"sim", MEASURE_CHOICE, "verilator|icarus|golden", 0, 0, "verilator",
       "the simulator; golden: the model alone"},
      {"cycles", MEASURE_NUMBER, NULL, 0, 2000000000, "20000",
       "how many; with run once to its end"},
      {"run", MEASURE_FILE, NULL, 0, 0, NULL, "run description to replay"},
      {"size", MEASURE_WORD, NULL, 0, 0, "small", "which of its sizes"},
      {"speed", MEASURE_CHOICE, "false|true", 0, 0, "false",
       "also lockstep_speed, cycles a second of this machine, which no two "
       "runs give alike"},
      {"keep", MEASURE_WORDS, NULL, 0, 0, NULL,
       "list of more values of its JSON, as report.far; each is a column"}}},
    {"kernel",
     "a kernel on a golden machine: kernel (verdict), kernel_cycles, "
     "kernel_traffic. Other words are options of ndpsim",
     true,
     {{"run", MEASURE_FILE, NULL, 0, 0, NULL, "run description, needed"},
      {"size", MEASURE_WORD, NULL, 0, 0, "small", "which of its sizes"},
      {"on", MEASURE_CHOICE, "machine|tom|image", 0, 0, "machine",
       "machine: ndprun on this configuration, of target 'system', traffic "
       "in memory requests; tom, image: the composition of ndpsim, traffic "
       "in flits of links and in bytes of memory"},
      {"keep", MEASURE_WORDS, NULL, 0, 0, NULL,
       "list of more values of its JSON, as system.l1.misses"}}},
    {NULL, NULL, false, {{0}}}};

const struct measure *measure_find(const char *name) {
    for (const struct measure *m = measures; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

const struct measure_option *measure_option(const struct measure *m,
                                            const char *name) {
    for (const struct measure_option *o = m->options; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

/* --- values --------------------------------------------------------------- */

/* Word n of "a|b|c" into buf; NULL past the last. */
static const char *nth_word(const char *words, int n, char buf[32]) {
    for (; n > 0; n--) {
        words = strchr(words, '|');
        if (!words)
            return NULL;
        words++;
    }
    size_t len = strcspn(words, "|");
    memcpy(buf, words, len);
    buf[len] = '\0';
    return buf;
}

struct word_list {
    const char *words;
    char bufs[8][32];
};

static const char *next_word(void *ctx, int i) {
    struct word_list *l = ctx;
    return nth_word(l->words, i, l->bufs[i & 7]);
}

static bool check_choice(const char *what, const char *words, const char *value,
                         struct place at, struct diag *d) {
    struct word_list list = {.words = words};
    const char *w, *near = suggest(value, next_word, &list);
    char buf[32];
    for (int i = 0; (w = nth_word(words, i, buf)); i++)
        if (strcmp(w, value) == 0)
            return true;
    if (near)
        diag_error(d, at, "unknown word '%s' for %s, did you mean '%s'", value,
                   what, near);
    else
        diag_error(d, at, "unknown word '%s' for %s, expected %s", value, what,
                   words);
    return false;
}

static bool check_number(const char *what, const struct measure_option *o,
                         const char *value, struct place at, struct diag *d) {
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    bool ok = *value && !*end && errno == 0 && n >= o->min && n <= o->max &&
              strspn(value, "0123456789") == strlen(value);
    if (!ok)
        diag_error(d, at, "%s is '%s', expected a number from %ld to %ld", what,
                   value, o->min, o->max);
    return ok;
}

/* A word that stands in a command line and in a table as it is. */
static bool check_word(const char *what, const char *value, struct place at,
                       struct diag *d) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "_-+=.,:/@%";
    bool ok = *value && strspn(value, plain) == strlen(value);
    if (!ok)
        diag_error(d, at,
                   "%s is '%s', expected one word of letters, digits and "
                   "'_-+=.,:/@%%'",
                   what, value);
    return ok;
}

static bool check_file(const char *what, const char *value, struct place at,
                       struct diag *d) {
    if (!check_word(what, value, at, d))
        return false;
    if (access(value, R_OK) == 0)
        return true;
    diag_error(d, at, "cannot read '%s' of %s: %s", value, what,
               strerror(errno));
    return false;
}

bool measure_value(const struct measure *m, const struct measure_option *o,
                   const char *value, struct place at, struct diag *d) {
    struct text what = {0};
    bool ok = false;
    text_printf(&what, "'%s.%s'", m->name, o->name);
    switch (o->type) {
    case MEASURE_NUMBER:
        ok = check_number(what.data, o, value, at, d);
        break;
    case MEASURE_CHOICE:
    case MEASURE_CHOICES:
        ok = check_choice(what.data, o->words, value, at, d);
        break;
    case MEASURE_FILE:
        ok = check_file(what.data, value, at, d);
        break;
    case MEASURE_WORD:
    case MEASURE_WORDS:
        ok = check_word(what.data, value, at, d);
        break;
    }
    text_free(&what);
    return ok;
}

/* --- columns -------------------------------------------------------------- */

static const char *value_of(const struct measure *m, const char *const *values,
                            const char *option) {
    const char *v = values[measure_option(m, option) - m->options];
    return v ? v : "";
}

static const struct {
    const char *flow, *columns; /* each flow's own, as synth.sh gives them */
} area_columns[] = {
    {"gates", "gates_logic\ngates_ffs\ngates_memory\ngates_depth\n"},
    {"xc7", "xc7_logic\nxc7_ffs\nxc7_memory\nxc7_lutram\nxc7_depth\n"},
    {"ice40", "ice40_logic\nice40_ffs\nice40_memory\nice40_depth\n"
              "hx8k_logic\nhx8k_memory\n"},
    {"ecp5", "ecp5_logic\necp5_ffs\necp5_memory\necp5_lutram\necp5_depth\n"},
    {"gowin",
     "gowin_logic\ngowin_ffs\ngowin_memory\ngowin_lutram\ngowin_depth\n"}};

static void add_area(const char *flows, struct text *out) {
    for (const char *f = flows; *f;) {
        size_t len = strcspn(f, " ");
        for (size_t i = 0; i < sizeof area_columns / sizeof *area_columns; i++)
            if (strlen(area_columns[i].flow) == len &&
                strncmp(area_columns[i].flow, f, len) == 0)
                text_add(out, area_columns[i].columns);
        f += len + (f[len] == ' ');
    }
}

/* What is kept of the JSON: MEASURE.PATH, one a line. */
static void add_kept(const struct measure *m, const char *const *values,
                     struct text *out) {
    for (const char *p = value_of(m, values, "keep"); *p;) {
        size_t len = strcspn(p, " ");
        text_printf(out, "%s.%.*s\n", m->name, (int)len, p);
        p += len + (p[len] == ' ');
    }
}

void measure_columns(const struct measure *m, const char *const *values,
                     struct text *out) {
    if (strcmp(m->name, "emitted") == 0) {
        text_add(out, "rtl_files\nrtl_lines\nrtl_bytes\n");
    } else if (strcmp(m->name, "area") == 0) {
        add_area(value_of(m, values, "flows"), out);
    } else if (strcmp(m->name, "mhz") == 0) {
        text_add(out, "mhz\nmhz_worst\nmhz_draws\nmhz_cells\nmhz_rams\n");
    } else if (strcmp(m->name, "silicon") == 0) {
        text_add(out, "mm2\nmemory_bits\nsilicon_mhz\nslowest\nkernel_us\n");
    } else if (strcmp(m->name, "lockstep") == 0) {
        text_add(out, "lockstep\nlockstep_cycles\nlockstep_covers\n");
        if (strcmp(value_of(m, values, "speed"), "true") == 0)
            text_add(out, "lockstep_speed\n");
        add_kept(m, values, out);
    } else {
        text_add(out, "kernel\nkernel_cycles\nkernel_traffic\n");
        add_kept(m, values, out);
    }
}

void measure_main_column(const struct measure *m, const char *const *values,
                         struct text *out) {
    if (strcmp(m->name, "emitted") == 0) {
        text_add(out, "rtl_lines");
    } else if (strcmp(m->name, "area") == 0) {
        const char *flows = value_of(m, values, "flows");
        text_addn(out, flows, strcspn(flows, " "));
        text_add(out, "_logic");
    } else if (strcmp(m->name, "mhz") == 0) {
        text_add(out, "mhz");
    } else if (strcmp(m->name, "silicon") == 0) {
        text_add(out, "mm2");
    } else if (strcmp(m->name, "lockstep") == 0) {
        bool speed = strcmp(value_of(m, values, "speed"), "true") == 0;
        text_add(out, speed ? "lockstep_speed" : "lockstep_cycles");
    } else {
        text_add(out, "kernel_cycles");
    }
}

void measure_help(struct text *out) {
    for (const struct measure *m = measures; m->name; m++) {
        text_printf(out, "%s\n    %s\n", m->name, m->doc);
        for (const struct measure_option *o = m->options; o->name; o++) {
            text_printf(out, "    %s: %s", o->name, o->doc);
            if (o->words)
                text_printf(out, "; %s", o->words);
            if (o->type == MEASURE_NUMBER)
                text_printf(out, "; %ld to %ld", o->min, o->max);
            if (o->usual)
                text_printf(out, "; default %s", o->usual);
            text_addc(out, '\n');
        }
    }
}
