/* operands.c - operands of an accelerator: in step, or given out in step. */
#include "operands.h"

#include "base/array.h"
#include "base/bits.h"
#include "base/options.h"
#include "base/version.h"
#include "dram/operands.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { MOST = 8 };

static const struct place nowhere;

struct request {
    const char *name;
    uint64_t address, bytes;
};

/* --- reading -------------------------------------------------------------- */

static bool is_name(const char *s) {
    for (const char *p = s; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    return *s != '\0';
}

static bool read_one(char *item, bool allocate, struct request *r,
                     struct diag *d) {
    const char *option = allocate ? "allocate" : "operands";
    char *equals = strchr(item, '='), *plus = NULL;
    if (equals) {
        *equals = '\0';
        plus = allocate ? equals : strchr(equals + 1, '+');
    }
    if (!plus || !is_name(item)) {
        diag_error(d, nowhere, "'--%s' expects NAME=%sBYTES,..., got '%s'",
                   option, allocate ? "" : "ADDRESS+", item);
        return false;
    }
    *plus = '\0';
    r->name = item;
    return (allocate || options_number(option, equals + 1, 0, UINT64_MAX,
                                       &r->address, d)) &&
           options_number(option, plus + 1, 0, UINT64_MAX, &r->bytes, d);
}

/* How many; -1 after an error in d.  list is taken to pieces. */
static int read_list(char *list, bool allocate, struct request *r,
                     struct diag *d) {
    int n = 0;
    for (char *item = list, *comma; item; item = comma) {
        comma = strchr(item, ',');
        if (comma)
            *comma++ = '\0';
        if (n == MOST) {
            diag_error(d, nowhere, "more than %d operands", MOST);
            return -1;
        }
        if (!read_one(item, allocate, &r[n], d))
            return -1;
        for (int i = 0; i < n; i++)
            if (strcmp(r[i].name, r[n].name) == 0) {
                diag_error(d, nowhere, "operand '%s' is given twice",
                           r[n].name);
                return -1;
            }
        n++;
    }
    return n;
}

/* --- printing ------------------------------------------------------------- */

struct share {
    int channel, rank;
    uint64_t bytes;
};

/* What each rank has of an operand. */
static int shares(const struct dram_layout *l, const struct dram_operand *o,
                  struct share *list) {
    int ranks = 1 << l->map.width[DRAM_RANK_BITS], n = 0;
    uint64_t end = o->offset + o->bytes;
    for (int i = 0; i < ranks << l->map.width[DRAM_CHANNEL_BITS]; i++) {
        struct share s = {i / ranks, i % ranks, 0};
        for (int k = 0; k < o->n_rows; k++) {
            int part = dram_layout_part(l, o->rows[k], s.channel, s.rank);
            for (int b = 0; part >= 0 && b < l->bursts; b++) {
                uint64_t at = dram_layout_burst(l, 0, part, b) +
                              ((uint64_t)k << l->row_bits);
                s.bytes += at >= o->offset && at < end
                               ? (uint64_t)1 << DRAM_OFFSET_BITS
                               : 0;
            }
        }
        if (s.bytes)
            list[n++] = s;
    }
    return n;
}

static void print_text(const struct dram_layout *l,
                       const struct dram_operand *o, int n,
                       const struct share *s, int n_shares, FILE *out) {
    fprintf(out, "system row 0x%" PRIx64 " bytes, colours %d\n",
            dram_layout_row_bytes(l), l->colours);
    for (int i = 0; i < n; i++) {
        fprintf(out, "operand %s: 0x%" PRIx64 " bytes at", o[i].name,
                o[i].bytes);
        for (int k = 0; k < o[i].n_rows; k++)
            fprintf(out, " 0x%" PRIx64 " (colour %d)",
                    o[i].rows[k] << l->row_bits | (k ? 0 : o[i].offset),
                    dram_layout_colour(l, o[i].rows[k]));
        fputc('\n', out);
    }
    for (int i = 0; i < n_shares; i++)
        fprintf(out, "channel %d rank %d: 0x%" PRIx64 " bytes of each\n",
                s[i].channel, s[i].rank, s[i].bytes);
}

static void print_json(const struct dram_layout *l,
                       const struct dram_operand *o, int n,
                       const struct share *s, int n_shares, FILE *out) {
    fprintf(out,
            "{\"schema\": \"ndpgen-operands-1\", \"version\": \"" NDP_VERSION
            "\", \"system_row_bytes\": %" PRIu64
            ", \"colours\": %d, \"operands\": [",
            dram_layout_row_bytes(l), l->colours);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%s{\"name\": \"%s\", \"bytes\": %" PRIu64 ", \"rows\": [",
                i ? ", " : "", o[i].name, o[i].bytes);
        for (int k = 0; k < o[i].n_rows; k++)
            fprintf(out, "%s{\"address\": %" PRIu64 ", \"colour\": %d}",
                    k ? ", " : "",
                    o[i].rows[k] << l->row_bits | (k ? 0 : o[i].offset),
                    dram_layout_colour(l, o[i].rows[k]));
        fputs("]}", out);
    }
    fputs("], \"ranks\": [", out);
    for (int i = 0; i < n_shares; i++)
        fprintf(out,
                "%s{\"channel\": %d, \"rank\": %d, \"bytes\": %" PRIu64 "}",
                i ? ", " : "", s[i].channel, s[i].rank, s[i].bytes);
    fputs("]}\n", out);
}

static void print(const struct dram_layout *l, const struct dram_operand *o,
                  int n, bool json, FILE *out) {
    struct share s[DRAM_MOST_COLOURS];
    int n_shares = shares(l, &o[0], s);
    (json ? print_json : print_text)(l, o, n, s, n_shares, out);
}

/* --- both options --------------------------------------------------------- */

static bool get(const struct dram_layout *l, const struct request *r, int n,
                bool allocate, int colour, struct dram_operand *o,
                struct diag *d) {
    struct dram_heap *h = allocate ? dram_heap_create(l) : NULL;
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        if (!allocate) {
            ok = dram_operand_at(l, r[i].name, r[i].address, r[i].bytes, &o[i],
                                 d);
            continue;
        }
        ok = dram_heap_take(h, r[i].name, r[i].bytes, colour, -1, &o[i], d);
        if (ok && colour < 0) /* the others follow the first */
            colour = dram_layout_colour(l, o[i].rows[0]);
    }
    dram_heap_free(h);
    return ok;
}

bool operands_print(const struct config *c, const char *list, bool allocate,
                    int colour, bool json, FILE *out, struct diag *d) {
    struct dram_layout l;
    struct request r[MOST];
    struct dram_operand o[MOST] = {{0}};
    struct text copy = {0};
    bool ok = dram_map_check(c, d);
    if (!ok)
        return false;
    text_add(&copy, list);
    if (!copy.data)
        text_addc(&copy, '\0');
    int n = read_list(copy.data, allocate, r, d);
    dram_layout_make(c, &l);
    ok = n > 0 && get(&l, r, n, allocate, colour, o, d) &&
         dram_operands_aligned(&l, o, allocate ? 1 : n, d);
    if (ok)
        print(&l, o, n, json, out);
    for (int i = 0; i < MOST; i++)
        dram_operand_free(&o[i]);
    dram_layout_free(&l);
    text_free(&copy);
    return ok;
}
