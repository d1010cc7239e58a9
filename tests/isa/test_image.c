/* test_image.c - images that something has damaged: refused or read, never more
 * than that; and what the untimed machine stops for. */
#include "isa/image.h"

#include "ptx_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t seed = 3;

static uint32_t any(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(z >> 32);
}

/* The image of a kernel with everything in it; the caller frees. */
static char *make_image(size_t *len) {
    static const char text[] =
        ".kernel k entry 0 words 2 registers 8 shared 4 local 8 spilled 1\n"
        ".param a word 4 bytes 8\n.param b word 6 bytes 4\n"
        ".block begin 0 end 1 ask 0 saves tx,rx in r0,r63,p6 out p0 if r5 >= "
        "-4 signed\n"
        ".line 7\n    @p0 bra L1, L1\nL1:\n    exit\n"
        ".symbol c const at 0 bytes 4\n.symbol d global at 4 bytes 4\n"
        ".bytes 0102030400000000\n.fixup 4\n";
    struct arena a = {0};
    struct diag d = {0};
    struct source s = {"k.s", text, sizeof text - 1};
    const char *why;
    char *bytes = NULL;
    struct isa_image *image = isa_image_parse(&a, &s, &d);
    diag_flush(&d, stdout);
    assert_non_null(image);
    FILE *f = open_memstream(&bytes, len);
    assert_true(isa_image_write(image, f, &why));
    fclose(f);
    arena_free(&a);
    diag_free(&d);
    return bytes;
}

/* The text of what was read, or NULL. */
static char *read_back(const char *bytes, size_t len) {
    struct arena a = {0};
    struct diag d = {0};
    struct source s = {"k.ndpx", bytes, len};
    struct text t = {0};
    struct isa_image *image = isa_image_read(&a, &s, &d);
    assert_true((image == NULL) == (d.errors > 0));
    if (image)
        isa_image_print(image, &t);
    arena_free(&a);
    diag_free(&d);
    return t.data;
}

static void comes_back(void **state) {
    (void)state;
    size_t len;
    char *bytes = make_image(&len), *text = read_back(bytes, len);
    assert_non_null(text);
    assert_non_null(strstr(text, ".param b word 6 bytes 4\n"));
    assert_non_null(strstr(text, ".block begin 0 end 1 ask 0 saves tx,rx in "
                                 "r0,r63,p6 out p0 if r5 >= -4 signed\n"));
    assert_non_null(strstr(text, ".line 7\n    @p0 bra L1, L1\nL1:\n"));
    assert_non_null(strstr(text, ".symbol d global at 4 bytes 4\n"));
    assert_non_null(strstr(text, ".bytes 0102030400000000\n.fixup 4\n"));
    free(text);
    free(bytes);
}

/* Section headers behind a byte more: no place for a struct. */
static void unaligned_headers(void **state) {
    (void)state;
    size_t len;
    uint32_t at;
    char *bytes = make_image(&len);
    char *moved = malloc(len + 1);
    memcpy(&at, bytes + 32, 4); /* e_shoff */
    memcpy(moved, bytes, at);
    moved[at] = 0;
    memcpy(moved + at + 1, bytes + at, len - at);
    at++;
    memcpy(moved + 32, &at, 4);
    assert_null(read_back(moved, len + 1));
    free(moved);
    free(bytes);
}

static void survives_damage(void **state) {
    (void)state;
    size_t len;
    char *bytes = make_image(&len);
    int refused = 0;
    for (int i = 0; i < 20000; i++) {
        char *bad = malloc(len);
        size_t n = i % 4 ? len : any() % len;
        memcpy(bad, bytes, len);
        for (uint32_t k = 0; k <= any() % 3; k++)
            bad[any() % len] ^= (char)(1 << any() % 8);
        char *text = read_back(bad, n);
        refused += text == NULL;
        free(text);
        free(bad);
    }
    print_message("%d of 20000 damaged images refused\n", refused);
    assert_true(refused > 5000 && refused < 20000);
    free(bytes);
}

/* --- faults of the machine ------------------------------------------------ */

static enum isa_end end_of(const char *text, struct isa_run *r) {
    struct arena a = {0};
    struct diag d = {0};
    struct source s = {"k.s", text, strlen(text)};
    uint8_t room[64] = {0};
    struct ptx_words w = {room, sizeof room};
    struct isa_memory memory = {ptx_words_load, ptx_words_store, &w};
    uint32_t params[ISA_WORDS_HIDDEN] = {0};
    struct isa_image *image = isa_image_parse(&a, &s, &d);
    diag_flush(&d, stdout);
    assert_non_null(image);
    struct isa_launch l = {.code = image->words,
                           .n_code = image->n_words,
                           .registers = 16,
                           .grid = {1, 1, 1},
                           .block = {64, 1, 1},
                           .shared = 16,
                           .params = params,
                           .n_params = ISA_WORDS_HIDDEN,
                           .limit = 1000};
    assert_true(isa_execute(&l, &memory, r) == (r->end == ISA_END_DONE));
    arena_free(&a);
    diag_free(&d);
    return r->end;
}

static void stops(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum isa_end end;
        int pc;
    } cases[] = {
        {"exit", ISA_END_DONE, 0},
        {"nop", ISA_END_PC, 1},
        {".word 0x0", ISA_END_ILLEGAL, 0},
        {"mov r16, r1", ISA_END_ILLEGAL, 0},
        {"trap", ISA_END_TRAP, 0},
        {"@!p7 trap\nexit", ISA_END_DONE, 0},
        {"L:\nbra L", ISA_END_LIMIT, 0},
        {"movi r1, 256\nldg.b32 r2, [r1+2]", ISA_END_MISALIGNED, 1},
        {"movi r1, 256\nldg.u16 r2, [r1+2]\nexit", ISA_END_DONE, 0},
        {"movi r1, 0\nldg.b32 r2, [r1]", ISA_END_UNMAPPED, 1},
        {"movi r1, 0\nlds.b32 r2, [r1+16]", ISA_END_UNMAPPED, 1},
        {"movi r1, 0\nlds.b32 r2, [r1+12]\nexit", ISA_END_DONE, 0},
        {"ldp r1, 4", ISA_END_PARAM, 0},
        {"seteq p0, r0, 3\n@p0 bra L\nL:\nexit", ISA_END_NO_JOIN, 1},
        {"seteq p0, r0, 3\n@p0 bra L, L\nL:\nexit", ISA_END_DONE, 0},
        {"seteq p0, r0, 3\n@p0 bra L, M\nbar\nL:\nnop\nM:\nexit",
         ISA_END_BARRIER, 2},
        {"seteq p0, r0, 3\n@p0 exit\nbar\nexit", ISA_END_DONE, 0},
        {"s2r r1, %warpid\nseteq p0, r1, 0\n@p0 exit\nbar\nexit", ISA_END_DONE,
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct isa_run r;
        if (end_of(cases[i].text, &r) != cases[i].end || r.pc != cases[i].pc)
            fail_msg("'%s': %s at %d", cases[i].text, isa_end_text(r.end),
                     r.pc);
    }
}

/* Lanes count down from their number: the stack does not grow in the loop. */
static void loops_in_one_entry(void **state) {
    (void)state;
    struct isa_run r;
    assert_int_equal(end_of("s2r r1, %laneid\nL:\nsub r1, r1, 1\n"
                            "setges p0, r1, 0\n@p0 bra L, M\nM:\n"
                            "setne p1, r1, -1\n@p1 trap\nexit",
                            &r),
                     ISA_END_DONE);
    assert_int_equal(r.deepest, 1);
    assert_int_equal(r.warp_instructions, 2 * (1 + 3 * 32 + 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(unaligned_headers),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(stops),
        cmocka_unit_test(loops_in_one_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
