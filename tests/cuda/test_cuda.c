/* test_cuda.c - parts of the CUDA runtime: PTX out of fat binaries, and what
 * kernels print as text. */
#include "cuda/fatbin.h"

#include "runtime/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lz4.h>
#include <zstd.h>

struct wrapper {
    uint32_t magic, version;
    const void *data;
    void *unused;
};

/* A container with one entry of PTX for sm_70, or none. */
static void contain(uint8_t *to, uint16_t kind, uint64_t flags,
                    const void *data, uint32_t n, uint64_t plain) {
    uint32_t magic = 0xba55ed50, header = 80, architecture = 70;
    uint16_t container_header = 16;
    uint64_t bytes = n, all = 80 + n;
    memset(to, 0, 96);
    memcpy(to, &magic, 4);
    memcpy(to + 6, &container_header, 2);
    memcpy(to + 8, &all, 8);
    uint8_t *e = to + 16;
    memcpy(e, &kind, 2);
    memcpy(e + 4, &header, 4);
    memcpy(e + 8, &bytes, 8);
    memcpy(e + 16, &n, 4);
    memcpy(e + 28, &architecture, 4);
    memcpy(e + 40, &flags, 8);
    memcpy(e + 56, &plain, 8);
    memcpy(e + 80, data, n);
}

static void expect_ptx(const void *data, const char *ptx, const char *why) {
    const struct wrapper w = {0x466243b1, 1, data, NULL};
    const char *got, *said;
    size_t n;
    char *owned;
    said = fatbin_ptx(&w, &got, &n, &owned);
    if (why) {
        assert_non_null(said);
        assert_non_null(strstr(said, why));
    } else {
        assert_null(said);
        assert_int_equal(n, strlen(ptx));
        assert_memory_equal(got, ptx, n);
    }
    free(owned);
}

static void test_fatbin(void **state) {
    _Alignas(8) uint8_t c[256];
    static const char text[] = ".version .version .version .version 7.0";
    char packed[128];
    int n = LZ4_compress_default(text, packed, 39, sizeof packed);
    (void)state;
    expect_ptx(".version 7.0", ".version 7.0", NULL);
    contain(c, 1, 0x11, ".version 7.0", 12, 0);
    expect_ptx(c, ".version 7.0", NULL);
    contain(c, 1, 0x2011, packed, (uint32_t)n, 39);
    expect_ptx(c, text, NULL);
    contain(c, 1, 0x2011, packed, (uint32_t)n, 38);
    expect_ptx(c, NULL, "broken");
    contain(c, 1, 0x2011, packed, (uint32_t)n - 2, 39);
    expect_ptx(c, NULL, "broken");
    contain(c, 1, 0x8011, packed, (uint32_t)n, 39);
    expect_ptx(c, NULL, "broken");
    n = (int)ZSTD_compress(packed, sizeof packed, text, 39, 3);
    contain(c, 1, 0x8011, packed, (uint32_t)n, 39);
    expect_ptx(c, text, NULL);
    contain(c, 1, 0x8011, packed, (uint32_t)n - 1, 39);
    expect_ptx(c, NULL, "broken");
    contain(c, 2, 0x11, "code", 4, 0);
    expect_ptx(c, NULL, "no PTX");
}

/* --- printf ----------------------------------------------------------------
 */

static const void *lookup(void *ctx, uint64_t address, size_t width) {
    const uint8_t *memory = ctx;
    return address + width <= 256 ? memory + address : NULL;
}

static void expect_text(const char *format, const void *arguments, size_t n,
                        const char *want) {
    uint8_t memory[256] = "str";
    struct text t = {0};
    memcpy(memory + 16, format, strlen(format) + 1);
    memcpy(memory + 128, arguments, n);
    assert_true(ndp_format(&t, 16, 128, lookup, memory));
    assert_string_equal(text_str(&t), want);
    text_free(&t);
}

static void test_format(void **state) {
    const struct {
        int i;
        long long l;
        double d;
        uint64_t s;
        int width, value;
    } a = {-5, 1ll << 40, 1.5, 0, 6, 42};
    (void)state;
    expect_text("100%% plain", &a, 0, "100% plain");
    expect_text("%d %lld %5.2f %s [%*d]", &a, sizeof a,
                "-5 1099511627776  1.50 str [    42]");
    expect_text("%x %u", &(int[]){-1, -1}, 8, "ffffffff 4294967295");
    expect_text("%-4d|%04d|%c", &(int[]){7, 7, 'x'}, 12, "7   |0007|x");
    uint8_t memory[256] = {0};
    struct text t = {0};
    assert_false(ndp_format(&t, 1000, 0, lookup, memory));
    text_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fatbin),
        cmocka_unit_test(test_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
