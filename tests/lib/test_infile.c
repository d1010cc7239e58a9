/* test_infile.c - files that are compressed, in one piece and in several, cut
 * off at every byte and damaged.
 */
#include "base/infile.h"

#include "base/arena.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <lzma.h>
#include <zlib.h>

enum { MOST = 1 << 20 };

struct packed {
    uint8_t bytes[MOST];
    size_t n;
};

static void add_gzip(struct packed *p, const char *text, size_t n) {
    z_stream z = {0};
    assert_int_equal(
        deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)n;
    z.next_out = p->bytes + p->n;
    z.avail_out = (uInt)(MOST - p->n);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    p->n = MOST - z.avail_out;
    deflateEnd(&z);
}

static void add_xz(struct packed *p, const char *text, size_t n) {
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL,
                                             (const uint8_t *)text, n, p->bytes,
                                             &p->n, MOST),
                     LZMA_OK);
}

typedef void add(struct packed *p, const char *text, size_t n);

static add *const adds[] = {add_gzip, add_xz};

/* A file of n bytes, read; the caller frees. */
static char *read_back(const uint8_t *bytes, size_t n, size_t *len,
                       int *error) {
    char path[] = "/tmp/test_infile.XXXXXX";
    FILE *f = fdopen(mkstemp(path), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    char *text = infile_read(path, len, error);
    remove(path);
    return text;
}

static void expect(const uint8_t *bytes, size_t n, const char *text,
                   size_t len) {
    size_t got;
    int error;
    char *read = read_back(bytes, n, &got, &error);
    assert_non_null(read);
    assert_int_equal(error, 0);
    assert_int_equal(got, len);
    assert_memory_equal(read, text, len);
    free(read);
}

/* Text that does not shrink to nothing. */
static char *make_text(size_t n) {
    char *text = xcalloc(n + 1, 1);
    uint64_t z = 7;
    for (size_t i = 0; i < n; i++) {
        z = z * 6364136223846793005 + 1442695040888963407;
        text[i] = i % 40 == 39 ? '\n' : (char)('0' + (z >> 60));
    }
    return text;
}

static void plain(void **state) {
    (void)state;
    expect((const uint8_t *)"", 0, "", 0);
    expect((const uint8_t *)"a\n", 2, "a\n", 2);
    expect((const uint8_t *)"\xff\xfe", 2, "\xff\xfe", 2);
}

/* Larger than all blocks on the way, and none. */
static void whole(void **state) {
    (void)state;
    static struct packed p;
    static const size_t sizes[] = {0, 1, 65536, 300000};
    char *text = make_text(300000);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < 4; i++) {
            p.n = 0;
            adds[kind](&p, text, sizes[i]);
            expect(p.bytes, p.n, text, sizes[i]);
        }
    free(text);
}

static void several(void **state) {
    (void)state;
    static struct packed p;
    char *text = make_text(100000);
    for (int kind = 0; kind < 2; kind++) {
        p.n = 0;
        adds[kind](&p, text, 70000);
        adds[kind](&p, text + 70000, 0);
        adds[kind](&p, text + 70000, 30000);
        expect(p.bytes, p.n, text, 100000);
    }
    free(text);
}

static void refuse(const uint8_t *bytes, size_t n) {
    size_t got;
    int error;
    char *read = read_back(bytes, n, &got, &error);
    assert_null(read);
    assert_string_equal(infile_error(error),
                        "what is compressed there is damaged, or was cut off");
}

static void cut_off(void **state) {
    (void)state;
    static struct packed p;
    for (int kind = 0; kind < 2; kind++) {
        p.n = 0;
        adds[kind](&p, "cycle,command\n1,ACT\n", 20);
        for (size_t n = 1; n < p.n; n++)
            refuse(p.bytes, n);
    }
}

/* Behind what can be read, and in the checksum. */
static void damaged(void **state) {
    (void)state;
    static struct packed p;
    for (int kind = 0; kind < 2; kind++) {
        p.n = 0;
        adds[kind](&p, "cycle,command\n1,ACT\n", 20);
        size_t end = p.n;
        p.bytes[kind ? end - 1 : end - 5] ^= 1;
        refuse(p.bytes, end);
        p.bytes[kind ? end - 1 : end - 5] ^= 1;
        memcpy(p.bytes + end, "none", 4);
        refuse(p.bytes, end + 4);
    }
}

static void not_there(void **state) {
    (void)state;
    size_t n;
    int error;
    assert_null(infile_read("/nowhere/x", &n, &error));
    assert_int_equal(error, ENOENT);
    assert_null(infile_read("/tmp", &n, &error));
    assert_string_equal(infile_error(error), "Is a directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),   cmocka_unit_test(whole),
        cmocka_unit_test(several), cmocka_unit_test(cut_off),
        cmocka_unit_test(damaged), cmocka_unit_test(not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
