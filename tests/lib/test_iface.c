/* test_iface.c - every block's declaration is consistent in itself and holds
 * over the whole range of the parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "blocks/offload.h"
#include "config/choice.h"
#include "iface/derive.h"
#include "iface/system.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Lower case, digits and single underscores, first a letter. */
static bool is_snake(const char *s, int (*is_letter)(int)) {
    if (!is_letter((unsigned char)*s))
        return false;
    for (; *s; s++)
        if (*s == '_'
                ? s[1] == '_' || s[1] == '\0'
                : !is_letter((unsigned char)*s) && !isdigit((unsigned char)*s))
            return false;
    return true;
}

static void check_doc(const char *name, const char *doc) {
    size_t len = doc ? strlen(doc) : 0;
    if (len == 0 || doc[len - 1] == '.' || strchr(doc, '\n'))
        fail_msg("doc of '%s' is empty, ends in a full stop or has lines",
                 name);
}

static void check_named(const struct iface_named *t, int n,
                        int (*is_letter)(int)) {
    for (int i = 0; i < n; i++) {
        if (!is_snake(t[i].name, is_letter))
            fail_msg("'%s' is badly named", t[i].name);
        check_doc(t[i].name, t[i].doc);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(t[i].name, t[k].name);
    }
}

static void check_ports(const struct iface *b) {
    for (int i = 0; i < b->n_ports; i++) {
        const struct iface_port *p = &b->ports[i];
        if (!is_snake(p->name, islower))
            fail_msg("'%s' is badly named", p->name);
        if (p->dir != PORT_GROUP || *p->doc) /* else: without a heading */
            check_doc(p->name, p->doc);
        for (int k = 0; k < i; k++) /* a group may be called like a port */
            if ((p->dir == PORT_GROUP) == (b->ports[k].dir == PORT_GROUP))
                assert_string_not_equal(p->name, b->ports[k].name);
        assert_string_not_equal(p->name, "clk");
        assert_string_not_equal(p->name, "rst");
        assert_int_equal(p->dir == PORT_GROUP, p->words == 0);
    }
    assert_int_equal(b->ports[0].dir, PORT_GROUP);
}

static void check_records(const struct iface *b) {
    for (int r = 0; r < b->n_records; r++) {
        const struct iface_record *k = &b->records[r];
        assert_true(is_snake(k->name, islower));
        check_doc(k->name, k->doc);
        size_t words = 0;
        for (const struct iface_field *f = k->fields; f->name; f++) {
            assert_true(is_snake(f->name, islower));
            words += (size_t)f->words;
        }
        assert_int_equal(words * sizeof(uint64_t), k->size);
    }
    for (int n = 0; n < b->n_codes; n++) {
        check_doc(b->codes[n].name, b->codes[n].doc);
        for (const struct iface_code *c = b->codes[n].codes; c->name; c++) {
            assert_true(is_snake(c->name, isupper));
            check_doc(c->name, c->doc);
        }
    }
}

/* An inherited one has its part's text, and no system is without covers. */
static void check_covers(const struct iface *b) {
    for (int i = 0; i < b->n_covers; i++) {
        assert_true(is_snake(b->covers[i].name, islower));
        check_doc(b->covers[i].name, iface_cover_doc(b, i));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(b->covers[k].name, b->covers[i].name);
    }
}

static void test_names_and_docs(void **state) {
    (void)state;
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++) {
        assert_true(is_snake(b->name, islower));
        check_doc(b->name, b->title);
        check_doc(b->name, b->paper);
        check_ports(b);
        check_named(b->locals, b->n_locals, isupper);
        check_named(b->settings, b->n_settings, islower);
        check_named(b->counters, b->n_counters, islower);
        check_named(b->statuses, b->n_statuses, islower);
        check_named(b->commands, b->n_commands, islower);
        check_named(b->memories, b->n_memories, islower);
        check_covers(b);
        check_records(b);
    }
}

/* Ports lie inside their struct, one behind the other. */
static void test_offsets(void **state) {
    (void)state;
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++) {
        size_t in = 0, out = 0;
        for (int n = 0; n < b->n_ports; n++) {
            const struct iface_port *p = &b->ports[n];
            size_t *next = p->dir == PORT_IN ? &in : &out;
            if (p->dir == PORT_GROUP)
                continue;
            assert_int_equal(p->offset, *next);
            *next += (size_t)p->words * sizeof(uint64_t);
        }
        assert_int_equal(in, b->in_size);
        assert_int_equal(out, b->out_size);
    }
}

static const struct iface_port *port(const struct iface *b, const char *name) {
    for (int i = 0; i < b->n_ports; i++)
        if (b->ports[i].dir != PORT_GROUP &&
            strcmp(b->ports[i].name, name) == 0)
            return &b->ports[i];
    return NULL;
}

/* x_ready goes against x_valid, and there is none without it. */
static void test_handshakes(void **state) {
    (void)state;
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++)
        for (int n = 0; n < b->n_ports; n++) {
            const struct iface_port *ready = &b->ports[n];
            char name[128];
            size_t stem = strlen(ready->name);
            if (ready->dir == PORT_GROUP || stem < 6 ||
                strcmp(ready->name + stem - 6, "_ready") != 0)
                continue;
            snprintf(name, sizeof name, "%.*s_valid", (int)stem - 6,
                     ready->name);
            const struct iface_port *valid = port(b, name);
            if (!valid || valid->dir == ready->dir)
                fail_msg("'%s' has no '%s' against it", ready->name, name);
        }
}

/* What the kind of a channel promises about its wires. */
static void check_channel(const struct iface *b, int heading) {
    const struct iface_port *h = &b->ports[heading];
    bool gives =
        h->kind == GIVES || h->kind == GIVES_OPEN || h->kind == GIVES_ALL;
    char name[128];
    if (h->kind == SIGNALS)
        return;
    snprintf(name, sizeof name, "%s_valid", h->name);
    const struct iface_port *valid = port(b, name);
    snprintf(name, sizeof name, "%s_ready", h->name);
    const struct iface_port *ready = port(b, name);
    if (!valid || valid->dir != (gives ? PORT_OUT : PORT_IN))
        fail_msg("channel '%s' has no valid of its direction", h->name);
    if (!ready != (h->kind == GIVES_ALL || h->kind == TAKES_ALL))
        fail_msg("channel '%s' has a ready, or lacks it", h->name);
}

static void test_channels(void **state) {
    (void)state;
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++)
        for (int n = 0; n < b->n_ports; n++)
            if (b->ports[n].dir == PORT_GROUP)
                check_channel(b, n);
}

/* Every size of a legal configuration makes sense, and the C structs hold the
 * ports. */
static void check_design(const struct design *s) {
    for (int n = 0; n < s->n_ports; n++) {
        const struct design_port *p = &s->ports[n];
        if (p->dir != PORT_GROUP && (p->width < 1 || p->width > 64 * p->words))
            fail_msg("'%s' is %d bits wide, its struct member holds %d",
                     p->name, p->width, 64 * p->words);
    }
    for (int n = 0; n < s->iface->n_settings; n++) {
        int width = s->setting[n].width;
        assert_in_range(width, 1, 32);
        assert_true((uint64_t)s->setting[n].reset >> width == 0);
    }
    for (int n = 0; n < s->iface->n_memories; n++)
        if (s->memory[n].words < 0 || s->memory[n].width < 1)
            fail_msg("memory '%s' has no size", s->iface->memories[n].name);
    for (int r = 0; r < s->iface->n_records; r++) {
        int at = 0;
        for (int n = 0; n < s->record[r].n_fields; n++) {
            assert_int_equal(s->record[r].lsb[n], at);
            at += s->record[r].width[n];
        }
        assert_int_equal(s->record[r].bits, at);
    }
}

/* Returns whether the configuration is legal. */
static bool check_sizes(const struct iface *b, const struct config *c) {
    struct diag d = {0};
    bool legal = iface_check(b, c, &d);
    assert_int_equal(legal, d.errors == 0);
    if (legal) {
        struct design *s = design_make(b, c);
        check_design(s);
        design_free(s);
    }
    diag_free(&d);
    return legal;
}

static void store(struct config *c, const struct param *p, int value) {
    memcpy((char *)c + p->offset, &value, sizeof value);
}

/* What a target has under a preset; NULL: none is asked for. */
static void resolve(const struct iface *b, const char *preset,
                    struct config *c) {
    struct config_choice choice = {.preset = preset};
    struct diag d = {0};
    choice_of_target(&choice, b->name);
    choice_resolve(&choice, c, &d);
    assert_int_equal(d.errors, 0);
    diag_free(&d);
}

/* Of a target whose parts need sizes of their own. */
static bool is_own(const struct iface *b, const char *preset) {
    size_t n = strlen(b->name);
    return strncmp(preset, b->name, n) == 0 && (!preset[n] || preset[n] == '_');
}

static bool needs_own(const struct iface *b) {
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    bool legal = iface_check(b, &c, &d);
    diag_free(&d);
    return !legal;
}

/* Targets that compute with lanes of a core, and cannot wait for them, as those
 * of preset tiny would have it. */
static bool cannot_wait(const struct iface *b) {
    return !strcmp(b->name, "squeue") || !strcmp(b->name, "omni") ||
           !strcmp(b->name, "near_pipe") || !strcmp(b->name, "far_pipe");
}

/* Each preset suits each target, but for targets that need presets of their
 * own: those suit nobody else. */
static bool suits(const struct iface *b, const char *preset) {
    const struct iface *k;
    if (!strcmp(preset, "tiny") && cannot_wait(b))
        return false;
    for (int i = 0; (k = iface_at(i)); i++)
        if (is_own(k, preset) && needs_own(k))
            return k == b;
    return !needs_own(b);
}

static void test_presets_are_legal(void **state) {
    (void)state;
    const struct iface *b;
    struct config c;
    for (int i = 0; (b = iface_at(i)); i++) {
        const char *name;
        resolve(b, NULL, &c);
        assert_true(check_sizes(b, &c));
        for (int n = 0; (name = config_preset_name(n)); n++)
            if (suits(b, name)) {
                resolve(b, name, &c);
                assert_true(check_sizes(b, &c));
            }
    }
}

/* The number of an ENUM's last name. */
static int last_name(const struct param *p) {
    int n = 0;
    for (const char *s = p->names; *s; s++)
        n += *s == '|';
    return n;
}

/* Each parameter at its least or greatest, first or last, or as it is, in 4000
 * random corners (40 of a system, which may have 1,000 parts, half of them with
 * few parameters changed) after the two extreme ones. */
static void test_corners_of_the_parameter_ranges(void **state) {
    (void)state;
    const struct iface *b;
    uint64_t random = 1;
    for (int i = 0; (b = iface_at(i)); i++) {
        int legal = 0;
        struct config usual;
        resolve(b, NULL, &usual);
        bool has_defaults = check_sizes(b, &usual);
        int most_runs = b->connect ? 42 : 4002;
        for (int run = 0; run < most_runs || (!legal && run < 10 * most_runs);
             run++) {
            struct config c;
            const struct param *p;
            resolve(b, has_defaults ? NULL : b->preset, &c);
            unsigned most = b->connect && run % 2 ? 128 : 3;
            for (int n = 0; (p = config_param(n)); n++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                int high = run < 2 ? run : (int)((random >> 33) % most);
                if (high >= 2) /* as it is */
                    continue;
                if (p->type == PARAM_INT || p->type == PARAM_POW2)
                    store(&c, p, high ? p->max : p->min);
                else if (p->type == PARAM_ENUM)
                    store(&c, p, high ? last_name(p) : 0);
            }
            iface_derive(b, &c);
            legal += check_sizes(b, &c);
        }
        assert_true(legal > 0); /* or nothing was looked at */
    }
}

/* The value after v: each one near the ends of a range, a thousand of a long
 * one in between; of a system, ten and two at each end. */
static int64_t next_value(const struct iface *b, const struct param *p,
                          int64_t v) {
    int ends = b->connect ? 2 : 64;
    int64_t step = ((int64_t)p->max - p->min) / (b->connect ? 10 : 1000);
    if (p->type == PARAM_POW2)
        return 2 * v;
    bool near = v - p->min < ends || p->max - v <= ends + step;
    return near || step < 1 ? v + 1 : v + step;
}

/* Each parameter that the target uses alone over its values, the others as in
 * the paper. */
static void test_each_parameter_over_its_range(void **state) {
    (void)state;
    const struct iface *b;
    const struct param *p;
    for (int i = 0; (b = iface_at(i)); i++)
        for (int n = 0; (p = config_param(n)); n++)
            for (int64_t v = p->min; v <= p->max && p->unit && iface_uses(b, p);
                 v = next_value(b, p, v)) {
                struct config c;
                resolve(b, NULL, &c);
                store(&c, p, (int)v);
                iface_derive(b, &c);
                check_sizes(b, &c);
            }
}

static void test_check_names_the_parameter(void **state) {
    (void)state;
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    assert_true(config_set(&c, "nbu.lanes=4", &d));
    assert_true(config_set(&c, "nbu.tsv_width=1024", &d));
    assert_false(iface_check(iface_find("nbu"), &c, &d));
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, "error: 'nbu.tsv_width' must divide"));
    free(got);
    diag_free(&d);
}

static void test_registers(void **state) {
    (void)state;
    const struct iface *b, *other;
    struct config c;
    for (int i = 0; (b = iface_at(i)); i++) {
        resolve(b, NULL, &c);
        struct design *s = design_make(b, &c);
        const struct design_port *adr = design_port(s, "wb_adr");
        assert_ptr_equal(iface_find(b->name), b);
        assert_int_equal(adr != NULL, iface_has_registers(b));
        if (adr) {
            assert_int_equal(iface_id(b) >> 8, 0x4e4450); /* "NDP" */
            assert_true(1 << iface_address_bits(b) >= iface_n_registers(b));
            assert_int_equal(adr->width, s->address_bits);
            for (int k = 0; k < i; k++)
                if (iface_has_registers(other = iface_at(k)))
                    assert_int_not_equal(iface_id(b), iface_id(other));
        }
        design_free(s);
    }
    assert_null(iface_at(-1));
    assert_null(iface_find("nub"));
}

/* All outputs high, but for those that keep a neighbour in reset. */
static void make_busy(const struct iface *b, const struct design *s,
                      void *out) {
    memset(out, 0xff, s->out_size);
    for (int i = 0; i < b->n_ports; i++) {
        const struct iface_port *p = &b->ports[i];
        size_t n = strlen(p->name);
        if (p->dir == PORT_OUT && n > 4 && strcmp(p->name + n - 4, "_rst") == 0)
            memset((char *)out + p->offset, 0, 8);
    }
}

/* An idle block has no events; a busy one has lines of "name field=value". */
static void test_trace(void **state) {
    (void)state;
    const struct iface *b;
    struct config c;
    for (int i = 0; (b = iface_at(i)); i++) {
        resolve(b, NULL, &c);
        struct design *s = design_make(b, &c);
        void *in = calloc(1, s->in_size), *out = calloc(1, s->out_size);
        struct text t = {0};
        design_trace(s, in, out, &t);
        assert_string_equal(text_str(&t), "");
        memset(in, 0xff, s->in_size);
        make_busy(b, s, out);
        design_trace(s, in, out, &t);
        assert_true(t.len > 0 && t.data[t.len - 1] == '\n');
        assert_true(islower((unsigned char)t.data[0]));
        assert_null(strstr(t.data, "\n\n"));
        text_free(&t);
        free(in);
        free(out);
        design_free(s);
    }
}

/* --- records -------------------------------------------------------------- */

static uint64_t bit_at(const uint64_t *w, int bit) {
    return w[bit / 64] >> bit % 64 & 1;
}

/* A field's bits in the packed words are those of its member, lowest first, and
 * no others; random contents, also above the widths. */
static void check_record(const struct design_record *r, uint64_t *random) {
    uint64_t *fields = calloc(1, r->decl->size + 8);
    uint64_t *back = calloc(1, r->decl->size + 8);
    uint64_t words[16], *f = fields, *g = back;
    int n_words = (r->bits + 63) / 64;
    for (size_t i = 0; i < r->decl->size / 8; i++)
        fields[i] = *random = *random * 6364136223846793005u + 1;
    memset(words, 0xee, sizeof words);
    record_pack(r, fields, words);
    record_unpack(r, words, back);
    for (int n = 0; n < r->n_fields; n++) {
        for (int bit = 0; bit < r->width[n]; bit++) {
            assert_int_equal(bit_at(words, r->lsb[n] + bit), bit_at(f, bit));
            assert_int_equal(bit_at(g, bit), bit_at(f, bit));
        }
        for (int bit = r->width[n]; bit < 64 * r->decl->fields[n].words; bit++)
            assert_int_equal(bit_at(g, bit), 0);
        f += r->decl->fields[n].words;
        g += r->decl->fields[n].words;
    }
    for (int bit = r->bits; bit < 64 * n_words; bit++)
        assert_int_equal(bit_at(words, bit), 0);
    assert_int_equal(words[n_words], 0xeeeeeeeeeeeeeeee);
    free(fields);
    free(back);
}

static void test_records(void **state) {
    (void)state;
    const struct iface *b;
    uint64_t random = 1;
    const char *name;
    for (int n = 0; (name = config_preset_name(n)); n++)
        for (int i = 0; (b = iface_at(i)); i++) {
            struct config c;
            if (b->n_records == 0 || !suits(b, name))
                continue;
            resolve(b, name, &c);
            struct design *s = design_make(b, &c);
            for (int r = 0; r < b->n_records; r++)
                for (int run = 0; run < 20; run++)
                    check_record(&s->record[r], &random);
            design_free(s);
        }
}

/* One word written down by hand from the table in docs/blocks/offload.md, at
 * the paper's sizes: 48 warps, 40 entries, program counters of 32 bits, 32
 * lanes. */
static void test_a_record_by_hand(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    struct design *s = design_make(&offload_iface, &c);
    const struct offload_request_fields f = {.warp = 0x2a,
                                             .index = 0x15,
                                             .begin_pc = 0xbeef0102,
                                             .end_pc = 0x12345678,
                                             .mask = 0x89abcdef,
                                             .n_in = 3};
    uint64_t words[2];
    record_pack(&s->record[OFFLOAD_REC_request], &f, words);
    assert_true(words[0] == (0x2a | 0x15u << 6 | UINT64_C(0xbeef0102) << 12 |
                             UINT64_C(0x45678) << 44));
    assert_true(words[1] ==
                (0x123 | UINT64_C(0x89abcdef) << 12 | UINT64_C(3) << 44));
    design_free(s);
}

static void test_arithmetic(void **state) {
    (void)state;
    assert_int_equal(clog2(0), 0);
    assert_int_equal(clog2(1), 0);
    assert_int_equal(clog2(2), 1);
    assert_int_equal(clog2(48), 6);
    assert_int_equal(clog2(64), 6);
    assert_int_equal(clog2(65), 7);
    assert_int_equal(clog2(INT64_MAX), 62);
    assert_int_equal(ceil_div(64, 64), 1);
    assert_int_equal(ceil_div(65, 64), 2);
    assert_int_equal(ceil_div(0, 64), 0);
}

static void test_opclasses(void **state) {
    (void)state;
    assert_true(OPC_COUNT <= 1 << OPCLASS_BITS);
    for (int i = 0; i < OPC_COUNT; i++) {
        assert_true(is_snake(opclass_name(i), islower));
        check_doc(opclass_name(i), opclass_doc(i));
    }
    assert_null(opclass_name(OPC_COUNT));
    assert_null(opclass_doc(-1));
    assert_true(OPCLASS_FAR_DEFAULT >> OPC_branch & 1);
    assert_false(OPCLASS_FAR_DEFAULT >> OPC_ld_shared & 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_docs),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_handshakes),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_presets_are_legal),
        cmocka_unit_test(test_corners_of_the_parameter_ranges),
        cmocka_unit_test(test_each_parameter_over_its_range),
        cmocka_unit_test(test_check_names_the_parameter),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_a_record_by_hand),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_opclasses),
    };
    return cmocka_run_group_tests_name("test_iface", tests, NULL, NULL);
}
