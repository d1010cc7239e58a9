/* test_retire.c - traces of machines: read back, followed, compared, drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "sim/retire/compare.h"
#include "sim/retire/picture.h"

#include <stdlib.h>
#include <string.h>

/* Two CTAs of one warp of four lanes, two at a time, on one slot; the second
 * has three threads. */
static const char *code[] = {
    "ldp r1, 4",
    "ldg.b32 r0, [r1+4]",
    "fadd r2, r0, r0",
    "setltu p1, r2, 7",
    "bar",
    "@p1 exit",
    "sts.b32 [r1+0], r2",
    "exit",
    "lds.b32 r3, [r1+0]",
};
enum { WORDS = sizeof code / sizeof *code };

static const char head[] = "retired 1\nmachine warps 2 lanes 4 alus 2\n";
static const char launch_line[] =
    "launch 1 grid 2,1,1 block 4,1,1 warps 1 resident 1\n";
static const char passes[] = "10 0 3 0 3 r0 0,1\n"
                             "11 0 3 1 3 r0 2,3\n"
                             "20 0 3 0 3 r1 =100\n"
                             "21 0 3 1 3 r1 =100\n"
                             "30 0 4 0 3\n"
                             "31 0 4 1 3\n"
                             "50 0 4 0 3 r0 5,6\n"
                             "51 0 4 1 3 r0 7,8\n"
                             "60 0 5 0 3 r2 a,c\n"
                             "61 0 5 1 3 r2 e,10\n"
                             "70 0 6 0 3 p1 0\n"
                             "71 0 6 1 3 p1 1\n"
                             "80 0 7 0 3\n"
                             "81 0 7 1 3\n"
                             "90 0 8 0 0\n"
                             "91 0 8 1 1\n"
                             "92 0 9 0 3\n"
                             "93 0 9 1 2\n"
                             "94 0 10 0 3\n"
                             "95 0 10 1 2\n"
                             "110 0 3 0 3 r0 0,1\n"
                             "111 0 3 1 1 r0 2\n"
                             "120 0 3 0 3 r1 =200\n"
                             "121 0 3 1 1 r1 200\n"
                             "130 0 4 0 3\n"
                             "131 0 4 1 1\n";
enum { PASSES = 26 };

/* The whole trace, entry at word 3 and PTX line 10 + n for the n-th word. */
static void make_with(struct text *t, const char *launch, const char *list,
                      const char *end) {
    int n = 0;
    text_printf(t, "%skernel 1 k entry 3 words %d\n", head, WORDS);
    for (int i = 0; i < WORDS; i++) {
        struct isa_word w;
        struct isa_error e;
        uint64_t word;
        if (!isa_parse(code[i], strlen(code[i]), NULL, NULL, &w, &e) ||
            isa_encode(&w, &word))
            fail_msg("'%s' is no instruction", code[i]);
        text_printf(t, "%d %016llx %d\n", 3 + i, (unsigned long long)word,
                    10 + i);
    }
    for (const char *c = list; *c; c++)
        n += *c == '\n';
    text_printf(t, "%s%s%s\nend %d\n", launch, list, end, n);
}

static void make(struct text *t, const char *list) {
    make_with(t, launch_line, list, "done");
}

/* passes with one line, which must be there, in place of another; "": without.
 */
static char *edited(const char *line, const char *by) {
    const char *at = strstr(passes, line);
    struct text t = {0};
    if (!at)
        fail_msg("no line '%s'", line);
    text_addn(&t, passes, (size_t)(at - passes));
    text_add(&t, by);
    text_add(&t, at + strlen(line));
    return t.data;
}

static struct retire_trace *read_text(struct arena *a, const struct text *t,
                                      const char *name, struct diag *d) {
    const struct source *s = diag_source(d, name, t->data, t->len);
    return retire_read(a, s, d);
}

struct room {
    struct arena arena;
    struct diag d;
    struct text text;
    struct retire_trace *t;
};

static void open_list(struct room *w, const char *list) {
    memset(w, 0, sizeof *w);
    make(&w->text, list);
    w->t = read_text(&w->arena, &w->text, "t", &w->d);
    diag_flush(&w->d, stderr);
    assert_non_null(w->t);
}

static void close_room(struct room *w) {
    diag_free(&w->d);
    text_free(&w->text);
    arena_free(&w->arena);
}

/* --- reading -------------------------------------------------------------- */

static void test_read(void **state) {
    struct room w;
    (void)state;
    open_list(&w, passes);
    assert_int_equal(w.t->warps, 2);
    assert_int_equal(w.t->lanes, 4);
    assert_int_equal(w.t->alus, 2);
    assert_int_equal(w.t->n_launches, 1);
    const struct retire_launch *l = &w.t->launches[0];
    assert_string_equal(l->kernel->name, "k");
    assert_int_equal(l->grid[0], 2);
    assert_int_equal(l->n, PASSES);
    assert_int_equal(retire_word(l->kernel, 4)->op, ISA_ldg_b32);
    assert_int_equal(retire_line(l->kernel, 4), 11);
    assert_null(retire_word(l->kernel, 2));
    assert_null(retire_word(l->kernel, 12));
    assert_int_equal(retire_line(l->kernel, 12), 0);
    assert_int_equal(retire_value(w.t, &l->passes[3], 1), 0x100);
    assert_int_equal(retire_value(w.t, &l->passes[9], 1), 0x10);
    assert_int_equal(retire_value(w.t, &l->passes[11], 0), 1);
    assert_int_equal(retire_value(w.t, &l->passes[11], 1), 0);
    close_room(&w);
}

static void test_follow(void **state) {
    static const char what[PASSES + 1] = "ssiiiirriiiiiiiiiiiissiiii";
    struct room w;
    (void)state;
    open_list(&w, passes);
    const struct retire_launch *l = &w.t->launches[0];
    for (int i = 0; i < PASSES; i++) {
        if ("sir"[l->passes[i].what] != what[i])
            fail_msg("pass %d is taken for %d", i, l->passes[i].what);
        assert_int_equal(l->passes[i].cta, i >= 20);
    }
    assert_int_equal(l->passes[4].result, 6);
    assert_int_equal(l->passes[5].result, 7);
    assert_int_equal(l->passes[24].result, -1);
    close_room(&w);
}

/* A load at the entry into r0 looks like a start, but for what is due. */
static void test_result_after_exit(void **state) {
    struct room w;
    (void)state;
    open_list(&w, "10 0 3 0 3 r0 0,1\n11 0 3 1 3 r0 2,3\n"
                  "20 0 4 0 3\n21 0 4 1 3\n30 0 10 0 3\n31 0 10 1 3\n"
                  "40 0 4 0 3 r0 5,6\n41 0 4 1 3 r0 7,8\n"
                  "50 0 3 0 3 r0 0,1\n");
    const struct retire_launch *l = &w.t->launches[0];
    assert_int_equal(l->passes[6].what, RETIRE_RESULT);
    assert_int_equal(l->passes[6].cta, 0);
    assert_int_equal(l->passes[2].result, 6);
    assert_int_equal(l->passes[8].what, RETIRE_START);
    assert_int_equal(l->passes[8].cta, 1);
    close_room(&w);
}

/* Two loads on their way: results come in another order. */
static void test_two_loads(void **state) {
    struct room w;
    (void)state;
    open_list(&w, "10 0 3 0 3 r0 0,1\n11 0 3 1 3 r0 2,3\n"
                  "20 0 4 0 3\n21 0 4 1 3\n22 0 11 0 3\n23 0 11 1 3\n"
                  "40 0 11 0 3 r3 9,9\n41 0 11 1 3 r3 9,9\n"
                  "50 0 4 0 3 r0 5,6\n51 0 4 1 3 r0 7,8\n");
    const struct retire_launch *l = &w.t->launches[0];
    assert_int_equal(l->passes[2].result, 8);
    assert_int_equal(l->passes[3].result, 9);
    assert_int_equal(l->passes[4].result, 6);
    assert_int_equal(l->passes[5].result, 7);
    close_room(&w);
}

static void test_instructions(void **state) {
    struct room w;
    struct retire_insn i;
    (void)state;
    open_list(&w, passes);
    const struct retire_launch *l = &w.t->launches[0];
    assert_true(retire_next(w.t, l, 0, &i));
    assert_int_equal(i.what, RETIRE_START);
    assert_int_equal(i.mask, 15);
    assert_int_equal(i.values[3], 3);
    assert_true(retire_next(w.t, l, 4, &i));
    assert_int_equal(i.pc, 4);
    assert_int_equal(i.kind, RETIRE_REGISTER);
    assert_int_equal(i.cycle, 30);
    assert_int_equal(i.answer, 51);
    assert_int_equal(i.values[0], 5);
    assert_int_equal(i.values[3], 8);
    assert_int_equal(i.next, 6);
    assert_true(retire_next(w.t, l, i.next, &i)); /* results passed over */
    assert_int_equal(i.pc, 5);
    assert_true(retire_next(w.t, l, 10, &i));
    assert_int_equal(i.kind, RETIRE_PREDICATE);
    assert_int_equal(i.values[2], 1);
    assert_int_equal(i.values[3], 0);
    assert_false(retire_next(w.t, l, PASSES, &i));
    close_room(&w);
}

static void expect_bad(const struct text *t, const char *says) {
    struct arena a = {0};
    struct diag d = {0};
    if (read_text(&a, t, "bad", &d))
        fail_msg("expected '%s', got a trace", says);
    if (d.count != 1 || !strstr(d.messages[0].text, says))
        fail_msg("expected one error with '%s', got %d: '%s'", says, d.count,
                 d.count ? d.messages[0].text : "");
    diag_free(&d);
    arena_free(&a);
}

static void test_bad_passes(void **state) {
    static const struct {
        const char *line, *by, *says;
    } bad[] = {
        {"20 0 3 0 3 r1 =100\n", "2x 0 3 0 3 r1 =100\n", "expected a cycle"},
        {"20 0 3 0 3 r1 =100\n", "10 0 3 0 3 r1 =100\n", "no earlier cycle"},
        {"20 0 3 0 3 r1 =100\n", "20 2 3 0 3 r1 =100\n", "expected a warp"},
        {"20 0 3 0 3 r1 =100\n", "20 0 3 2 3 r1 =100\n", "expected a pass"},
        {"20 0 3 0 3 r1 =100\n", "20 0 3 0 7 r1 =100\n", "a mask of lanes"},
        {"20 0 3 0 3 r1 =100\n", "20 0 3 0 3 r64 =100\n", "a register up to"},
        {"20 0 3 0 3 r1 =100\n", "20 0 3 0 3 r1 1,2,3\n",
         "the end of the line"},
        {"20 0 3 0 3 r1 =100\n", "20 0 3 0 3 r1 1\n", "','"},
        {"20 0 3 0 3 r1 =100\n", "20 0 3 0 3 r1 123456789,1\n", "32 bits"},
        {"20 0 3 0 3 r1 =100\n", "20 0 99999 0 3 r1 =100\n", "of a word"},
        {"20 0 3 0 3 r1 =100\n", "20 0 3 0 3 q1 1\n", "the end of the line"},
        {"71 0 6 1 3 p1 1\n", "71 0 6 1 3 p8 1\n", "a predicate up to 7"},
        {"71 0 6 1 3 p1 1\n", "71 0 6 1 1 p1 2\n", "bits of active lanes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *list = edited(bad[i].line, bad[i].by);
        struct text t = {0};
        make(&t, list);
        expect_bad(&t, bad[i].says);
        text_free(&t);
        free(list);
    }
}

static void test_bad_launches(void **state) {
    static const struct {
        const char *launch, *end, *says;
    } bad[] = {
        {"launch 2 grid 2,1,1 block 4,1,1 warps 1 resident 1\n", "done",
         "a kernel that stands above"},
        {"launch 1 grid 2,1,1 block 4,1,1 warps 2 resident 2\n", "done",
         "CTAs that the machine has room for"},
        {"launch 1 grid 2,1 block 4,1,1 warps 1 resident 1\n", "done", "','"},
        {launch_line, "fault 16 warp 0 word 3", "a cause up to 15"},
        {launch_line, "finished", "expected a cycle, or the launch's end"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct text t = {0};
        make_with(&t, bad[i].launch, passes, bad[i].end);
        expect_bad(&t, bad[i].says);
        text_free(&t);
    }
}

static void test_bad_heads(void **state) {
    static const char *const bad[][2] = {
        {"", "this is no trace of a machine"},
        {"NDPTRACE\1", "a stream of ndpsim"},
        {"retired 2\n", "this is no trace of a machine"},
        {"retired 1\nmachine warps 65 lanes 4 alus 2\n", "up to 64"},
        {"retired 1\nmachine warps 2 lanes 4 alus 3\n", "do not go together"},
        {"retired 1\nmachine warps 2 lanes 4 alus 2\nlunch 1\n",
         "'kernel', 'launch' or 'end'"},
        {"retired 1\nmachine warps 2 lanes 4 alus 2\nend 1\n",
         "does not end as it says"},
        {"retired 1\nmachine warps 2 lanes 4 alus 2\nend 0\nmore\n",
         "does not end as it says"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct text t = {0};
        text_add(&t, bad[i][0]);
        expect_bad(&t, bad[i][1]);
        text_free(&t);
    }
}

/* Cut at any byte it is an error, and mostly the right one. */
static void test_cut(void **state) {
    struct text t = {0};
    (void)state;
    make(&t, passes);
    for (size_t n = 0; n < t.len; n++) {
        struct text part = {0};
        text_addn(&part, t.data, n);
        expect_bad(&part, n < strlen("retired 1\n") ? "this is no trace"
                                                    : "is cut off here");
        text_free(&part);
    }
    text_free(&t);
}

/* --- comparing ------------------------------------------------------------ */

static struct retire_difference found;

static void compare_lists(const char *here, const char *there) {
    struct room a, b;
    open_list(&a, here);
    open_list(&b, there);
    assert_true(retire_compare(a.t, b.t, false, &found, &a.d));
    assert_int_equal(a.d.errors, 0);
    close_room(&a);
    close_room(&b);
}

/* passes with one line replaced, against passes. */
static void compare_edited(const char *line, const char *by) {
    char *list = edited(line, by);
    compare_lists(list, passes);
    free(list);
}

static void test_equal(void **state) {
    (void)state;
    compare_lists(passes, passes);
    assert_int_equal(found.kind, RETIRE_EQUAL);
    assert_true(found.same_cycles);
    assert_int_equal(found.equal, 12);
    compare_edited("20 0 3 0 3 r1 =100\n", "19 0 3 0 3 r1 =100\n");
    assert_int_equal(found.kind, RETIRE_EQUAL);
    assert_false(found.same_cycles);
}

static void test_value(void **state) {
    (void)state;
    compare_edited("61 0 5 1 3 r2 e,10\n", "61 0 5 1 3 r2 e,11\n");
    assert_int_equal(found.kind, RETIRE_VALUE);
    assert_int_equal(found.here.pc, 5);
    assert_int_equal(found.cta, 0);
    assert_int_equal(found.lanes, 8);
    assert_int_equal(found.here.values[3], 0x11);
    assert_int_equal(found.there.values[3], 0x10);
    assert_int_equal(found.known & 7, 3); /* r0 and r1 */
    assert_int_equal(found.registers[0][3], 8);
    assert_int_equal(found.equal, 3 + 3); /* before it, and of the other CTA */
    assert_int_equal(found.warps, 2);
    assert_int_equal(found.warps_differ, 1);
}

/* A load differs when its value comes, though it was issued as it should. */
static void test_load(void **state) {
    (void)state;
    compare_edited("51 0 4 1 3 r0 7,8\n", "51 0 4 1 3 r0 7,9\n");
    assert_int_equal(found.kind, RETIRE_VALUE);
    assert_int_equal(found.here.pc, 4);
    assert_int_equal(found.cycle, 51);
    assert_int_equal(found.lanes, 8);
}

/* An atomic in place of the load: its old value may be passed over, what is
 * made of it not. */
static void test_any_order(void **state) {
    const char *const plain = code[1];
    struct room a, b;
    char *other = edited("51 0 4 1 3 r0 7,8\n", "51 0 4 1 3 r0 7,9\n");
    char *both = edited("51 0 4 1 3 r0 7,8\n60 0 5 0 3 r2 a,c\n"
                        "61 0 5 1 3 r2 e,10\n",
                        "51 0 4 1 3 r0 7,9\n60 0 5 0 3 r2 a,c\n"
                        "61 0 5 1 3 r2 e,11\n");
    (void)state;
    compare_lists(other, passes);
    open_list(&a, other);
    open_list(&b, passes);
    assert_true(retire_compare(a.t, b.t, true, &found, &a.d));
    assert_int_equal(found.kind, RETIRE_VALUE); /* a load is no atomic */
    close_room(&a);
    close_room(&b);
    code[1] = "atg.add r0, [r1], r2";
    open_list(&a, other);
    open_list(&b, passes);
    assert_true(retire_compare(a.t, b.t, false, &found, &a.d));
    assert_int_equal(found.kind, RETIRE_VALUE);
    assert_true(retire_compare(a.t, b.t, true, &found, &a.d));
    assert_int_equal(found.kind, RETIRE_EQUAL);
    close_room(&a);
    open_list(&a, both);
    assert_true(retire_compare(a.t, b.t, true, &found, &a.d));
    assert_int_equal(found.here.pc, 5);
    close_room(&a);
    close_room(&b);
    code[1] = plain;
    free(other);
    free(both);
}

static void test_other_ways(void **state) {
    (void)state;
    compare_edited("71 0 6 1 3 p1 1\n", "71 0 6 1 3 p1 3\n");
    assert_int_equal(found.kind, RETIRE_VALUE);
    assert_int_equal(found.lanes, 8);
    compare_edited("93 0 9 1 2\n", "93 0 9 1 3\n");
    assert_int_equal(found.kind, RETIRE_LANES);
    assert_int_equal(found.lanes, 4);
    compare_edited("70 0 6 0 3 p1 0\n71 0 6 1 3 p1 1\n",
                   "70 0 6 0 3 p2 0\n71 0 6 1 3 p2 1\n");
    assert_int_equal(found.kind, RETIRE_DESTINATION);
    compare_edited("92 0 9 0 3\n93 0 9 1 2\n", "");
    assert_int_equal(found.kind, RETIRE_PATH);
    assert_int_equal(found.before.pc, 8);
    assert_int_equal(found.here.pc, 10);
    assert_int_equal(found.there.pc, 9);
    compare_edited("130 0 4 0 3\n131 0 4 1 1\n", "");
    assert_int_equal(found.kind, RETIRE_MISSING);
    assert_int_equal(found.cta, 1);
    assert_int_equal(found.before.pc, 3);
    char *less = edited("130 0 4 0 3\n131 0 4 1 1\n", "");
    compare_lists(passes, less);
    assert_int_equal(found.kind, RETIRE_EXTRA);
    assert_int_equal(found.here.pc, 4);
    free(less);
}

/* Of two warps that differ, the one that retired first. */
static void test_first(void **state) {
    char *late = edited("121 0 3 1 1 r1 200\n", "121 0 3 1 1 r1 201\n");
    char *both = edited("94 0 10 0 3\n95 0 10 1 2\n", "94 0 10 0 1\n"
                                                      "95 0 10 1 2\n");
    (void)state;
    compare_lists(late, passes);
    assert_int_equal(found.cta, 1);
    assert_int_equal(found.cycle, 121);
    /* lane 1 does not end: then the second CTA's start is no start */
    compare_lists(both, late);
    assert_int_equal(found.cta, 0);
    assert_int_equal(found.cycle, 94);
    free(late);
    free(both);
}

static void test_ends(void **state) {
    struct room a, b = {0};
    (void)state;
    open_list(&a, passes);
    make_with(&b.text, launch_line, passes, "fault 3 warp 0 word 4");
    b.t = read_text(&b.arena, &b.text, "b", &b.d);
    assert_non_null(b.t);
    assert_int_equal(b.t->launches[0].fault, 3);
    assert_int_equal(b.t->launches[0].fault_pc, 4);
    assert_true(retire_compare(a.t, b.t, false, &found, &a.d));
    assert_int_equal(found.kind, RETIRE_END);
    /* a launch more */
    b.t->launches[0].end = RETIRE_DONE;
    b.t->n_launches = 0;
    assert_false(retire_compare(a.t, b.t, false, &found, &a.d));
    assert_true(strstr(a.d.messages[0].text, "there is no launch") != NULL);
    close_room(&a);
    close_room(&b);
}

static void expect_refused(const char *launch, const char *from, const char *to,
                           const char *says) {
    struct room a, b = {0};
    struct text t = {0};
    open_list(&a, "10 0 3 0 3 r0 0,1\n");
    make_with(&t, launch, "10 0 3 0 3 r0 0,1\n", "done");
    char *at = strstr(t.data, from);
    assert_non_null(at);
    text_addn(&b.text, t.data, (size_t)(at - t.data));
    text_add(&b.text, to);
    text_add(&b.text, at + strlen(from));
    b.t = read_text(&b.arena, &b.text, "b", &b.d);
    diag_flush(&b.d, stderr);
    assert_non_null(b.t);
    assert_false(retire_compare(a.t, b.t, false, &found, &a.d));
    if (a.d.count != 1 || !strstr(a.d.messages[0].text, says))
        fail_msg("expected '%s', got '%s'", says,
                 a.d.count ? a.d.messages[0].text : "");
    text_free(&t);
    close_room(&a);
    close_room(&b);
}

static void test_refused(void **state) {
    (void)state;
    expect_refused(launch_line, " 1 k ", " 1 other ", "kernel 'other'");
    expect_refused(launch_line, "lanes 4", "lanes 8", "8 lanes here and 4");
    expect_refused(launch_line, "\n3 0", "\n3 8", "not the same code");
    expect_refused(launch_line, "grid 2", "grid 3", "another grid or block");
}

/* --- pictures
 * ------------------------------------------------------------------ */

static int count(const char *text, const char *what) {
    int n = 0;
    while ((text = strstr(text, what))) {
        n++;
        text++;
    }
    return n;
}

static void test_picture(void **state) {
    struct room w;
    struct text a = {0}, b = {0};
    (void)state;
    open_list(&w, passes);
    retire_picture(w.t, &w.t->launches[0], &a);
    retire_picture(w.t, &w.t->launches[0], &b);
    assert_string_equal(a.data, b.data);
    assert_true(strncmp(a.data, "<svg ", 5) == 0);
    assert_string_equal(a.data + a.len - 7, "</svg>\n");
    assert_int_equal(count(a.data, "<svg"), 1);
    assert_int_equal(count(a.data, ">CTA "), 2);
    assert_int_equal(count(a.data, ">warp "), 1);
    assert_int_equal(count(a.data, "132 cycles, 10 instructions"), 1);
    assert_int_equal(count(a.data, ">100<"), 1);
    /* the barrier is one bar, and the warp waits for its load */
    assert_int_equal(count(a.data, "class=\"b\""), 2);
    assert_int_equal(count(a.data, "class=\"w\""), 2);
    /* of atomics there is a swatch alone */
    assert_int_equal(count(a.data, "class=\"a\""), 1);
    text_free(&a);
    text_free(&b);
    close_room(&w);
}

/* 6 px for each of 132 cycles: words 3 of two neighbouring cycles are one
 * rectangle of 12. */
static void test_merged(void **state) {
    struct room w;
    struct text a = {0};
    (void)state;
    open_list(&w, passes);
    retire_picture(w.t, &w.t->launches[0], &a);
    const char *path = strstr(a.data, "<path class=\"f\" d=\"");
    assert_non_null(path);
    assert_non_null(strstr(path, "M432 131h12v25h-12z\"/>"));
    text_free(&a);
    close_room(&w);
}

static void test_odd_pictures(void **state) {
    struct room w;
    struct text a = {0};
    (void)state;
    open_list(&w, ""); /* nothing retired */
    retire_picture(w.t, &w.t->launches[0], &a);
    assert_int_equal(count(a.data, "</svg>"), 1);
    close_room(&w);
    a.len = 0;
    open_list(&w, "10 0 3 0 3 r0 0,1\n18446744073709551615 1 9999 0 0\n");
    w.t->launches[0].end = RETIRE_FAULT;
    w.t->launches[0].passes[1].cycle = 4000000000000; /* a hang of years */
    ((struct retire_kernel *)(uintptr_t)w.t->launches[0].kernel)->name =
        "<&\x01>";
    retire_picture(w.t, &w.t->launches[0], &a);
    assert_non_null(strstr(a.data, "&#60;&#38;&#63;&#62;"));
    assert_non_null(strstr(a.data, "fault: warp 0, word 0"));
    assert_true(a.len < 20000);
    text_free(&a);
    close_room(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_result_after_exit),
        cmocka_unit_test(test_two_loads),
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_bad_passes),
        cmocka_unit_test(test_bad_launches),
        cmocka_unit_test(test_bad_heads),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_other_ways),
        cmocka_unit_test(test_first),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_merged),
        cmocka_unit_test(test_odd_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
