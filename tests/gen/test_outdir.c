/* test_outdir.c - the output folder appears whole or not at all.
 *
 * Each test works in a fresh folder and ends by checking what lies there: after
 * a failure that has to be what lay there before, to the last hidden file.
 */
#define _GNU_SOURCE /* sigtimedwait beside scandir */
#include "output/outdir.h"

#include "base/arena.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/common/room.h" /* asserts */

/* --- helpers ------------------------------------------------------------- */

/* What lies in a folder, recursively, sorted: "a/ a/x b". */
static void list_into(const char *path, struct text *out) {
    struct dirent **names;
    int n = scandir(path, &names, NULL, alphasort);
    assert_true(n >= 0);
    for (int i = 0; i < n; i++) {
        struct text sub = {0};
        struct stat st;
        const char *name = names[i]->d_name;
        text_printf(&sub, "%s/%s", path, name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            assert_int_equal(lstat(text_str(&sub), &st), 0);
            text_printf(out, "%s%s%s", out->len ? " " : "", text_str(&sub) + 2,
                        S_ISDIR(st.st_mode) ? "/" : "");
            if (S_ISDIR(st.st_mode))
                list_into(text_str(&sub), out);
        }
        text_free(&sub);
        free(names[i]);
    }
    free(names);
}

static void expect_listing(const char *expected) {
    struct text list = {0};
    list_into(".", &list);
    assert_string_equal(text_str(&list), expected);
    text_free(&list);
}

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void expect_content(const char *path, const char *expected) {
    size_t len;
    char *text = text_read_file(path, &len);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* Two files and their manifest, version telling folders apart. */
static void add_files(struct gen_files *f, const char *version) {
    static const char list[] = "rtl/a.v\n";
    text_add(gen_files_add(f, GEN_RTL, "rtl/a.v"), version);
    text_add(gen_files_add(f, GEN_OTHER, "list"), list);
    text_printf(gen_files_add(f, GEN_OTHER, OUTDIR_MANIFEST),
                "{\"schema\": \"%s\", \"files\": ["
                "{\"path\": \"rtl/a.v\", \"hash\": \"%016" PRIx64 "\"}, "
                "{\"path\": \"list\", \"hash\": \"%016" PRIx64 "\"}]}\n",
                OUTDIR_SCHEMA, gen_fnv1a(version, strlen(version)),
                gen_fnv1a(list, strlen(list)));
}

/* Write a folder of them. */
static bool write_version(const char *out, const char *version,
                          const char *expected_error) {
    struct gen_files f = {0};
    struct diag d = {0};
    add_files(&f, version);
    bool ok = outdir_write(out, &f, false, &d);
    assert_int_equal(d.warnings, 0);
    if (expected_error) {
        assert_int_equal(d.count, 1);
        assert_int_equal(d.errors, 1);
        if (!strstr(d.messages[0].text, expected_error))
            fail_msg("'%s' instead of '%s'", d.messages[0].text,
                     expected_error);
    } else if (d.errors) {
        fail_msg("%s", d.messages[0].text);
    }
    assert_true(ok == !expected_error);
    gen_files_free(&f);
    diag_free(&d);
    return ok;
}

static const char made[] = "out/ out/list out/manifest.json out/rtl/ "
                           "out/rtl/a.v";

/* Write version "two" over the folder; the errors, or NULL if it went. */
static char *write_over(bool force) {
    struct gen_files f = {0};
    struct diag d = {0};
    struct text said = {0};
    add_files(&f, "two");
    bool ok = outdir_write("out", &f, force, &d);
    for (int i = 0; i < d.count; i++)
        text_printf(&said, "%s\n", d.messages[i].text);
    assert_true(ok == (d.errors == 0));
    gen_files_free(&f);
    diag_free(&d);
    if (ok) {
        text_free(&said);
        return NULL;
    }
    return said.data;
}

/* --- tests --------------------------------------------------------------- */

static void keeps_what_is_the_users(void **state) {
    (void)state;
    write_version("out", "one", NULL);
    put("out/notes", "mine");
    put("out/rtl/b.v", "mine");
    put("out/list", "changed");
    char *said = write_over(false);
    assert_non_null(said);
    assert_non_null(strstr(said, "'out/notes' was not made by ndpgen"));
    assert_non_null(strstr(said, "'out/rtl/b.v' was not made by ndpgen"));
    assert_non_null(strstr(said, "'out/list' was changed since"));
    assert_non_null(strstr(said, "--force"));
    assert_null(strstr(said, "a.v"));
    free(said);
    expect_content("out/rtl/a.v", "one");
    expect_content("out/notes", "mine");
    assert_null(write_over(true));
    expect_listing(made);
    expect_content("out/rtl/a.v", "two");
}

/* The first eight by name, then how many more. */
static void counts_many_strangers(void **state) {
    (void)state;
    write_version("out", "one", NULL);
    for (char name[] = "out/n0"; name[5] <= '9'; name[5]++)
        put(name, "mine");
    char *said = write_over(false);
    assert_non_null(said);
    assert_non_null(strstr(said, "'out/n7'"));
    assert_null(strstr(said, "'out/n8'"));
    assert_non_null(strstr(said, "and 2 more"));
    free(said);
}

static void makes_a_folder(void **state) {
    (void)state;
    write_version("out", "one", NULL);
    expect_listing(made);
    expect_content("out/rtl/a.v", "one");
    struct stat st;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("out", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0777 & ~mask);
    assert_int_equal(stat("out/list", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
}

static void makes_parents(void **state) {
    (void)state;
    write_version("a/b//out///", "one", NULL);
    expect_content("a/b/out/rtl/a.v", "one");
    expect_listing("a/ a/b/ a/b/out/ a/b/out/list a/b/out/manifest.json "
                   "a/b/out/rtl/ a/b/out/rtl/a.v");
}

static void fills_an_empty_folder(void **state) {
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    write_version("./out/", "one", NULL);
    expect_listing(made);
}

static void replaces_its_own(void **state) {
    (void)state;
    write_version("out", "one", NULL);
    write_version("out", "two", NULL);
    expect_listing(made);
    expect_content("out/rtl/a.v", "two");
}

/* What a link leads to is not deleted with it. */
static void deletes_no_further_than_links(void **state) {
    (void)state;
    write_version("out", "one", NULL);
    assert_int_equal(mkdir("out/obj", 0777), 0);
    assert_int_equal(symlink("/etc", "out/obj/link"), 0);
    assert_null(write_over(true));
    expect_listing(made);
    assert_int_equal(access("/etc/passwd", F_OK), 0);
}

static void follows_a_link(void **state) {
    (void)state;
    assert_int_equal(mkdir("real", 0777), 0);
    assert_int_equal(symlink("real", "out"), 0);
    write_version("out", "one", NULL);
    expect_listing("out real/ real/list real/manifest.json real/rtl/ "
                   "real/rtl/a.v");
}

static void refuses_foreign_folders(void **state) {
    (void)state;
    static const char error[] = "'out' exists and was not made by ndpgen";
    assert_int_equal(mkdir("out", 0777), 0);
    put("out/thesis.tex", "years of work");
    write_version("out", "one", error);
    expect_listing("out/ out/thesis.tex");
    put("out/manifest.json", "{\"schema\": \"some-other-tool\"}");
    write_version("out", "one", error);
    put("out/manifest.json", "not even JSON");
    write_version("out", "one", error);
    put("out/manifest.json", "[1]");
    write_version("out", "one", error);
    assert_int_equal(remove("out/manifest.json"), 0);
    assert_int_equal(mkdir("out/manifest.json", 0777), 0);
    write_version("out", "one", error);
    expect_listing("out/ out/manifest.json/ out/thesis.tex");
    expect_content("out/thesis.tex", "years of work");
}

static void refuses_what_is_no_folder(void **state) {
    (void)state;
    put("out", "a file");
    write_version("out", "one", "'out' exists and is no folder");
    write_version("out/", "one", "'out/'");
    write_version("out/sub", "one", "cannot use 'out/sub': Not a directory");
    write_version("", "one", "the output folder's name is empty");
    assert_int_equal(symlink("nowhere", "link"), 0);
    write_version("link", "one", "cannot use 'link'");
    expect_listing("link out");
    expect_content("out", "a file");
    write_version("/proc/nowhere/out", "one", "cannot create folder");
    write_version("/", "one", "'/' exists and was not made by ndpgen");
}

static void refuses_the_working_folder(void **state) {
    struct room *r = *state;
    write_version(".", "one", "'.' is the working folder");
    write_version(r->path, "one", "is the working folder");
    write_version("new/..", "one", "'new/..' does not name a new folder");
    expect_listing("");
}

/* A disk that is full, played by a limit on the size of files. */
static void cleans_up_after_a_full_disk(void **state) {
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 4;
    write_version("out", "one", NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    write_version("new/deep/out", "too long",
                  "cannot write 'new/deep/out/rtl/a.v': File too large");
    write_version("out", "too long", "cannot write 'out/rtl/a.v'");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    expect_listing(made);
    expect_content("out/rtl/a.v", "one");
}

static void cleans_up_after_a_signal(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    write_version("out", "one", NULL);
    for (int i = 0; i < 3; i++) {
        sigset_t set;
        struct timespec at_once = {0, 0};
        sigemptyset(&set);
        sigaddset(&set, signals[i]);
        assert_int_equal(sigprocmask(SIG_BLOCK, &set, NULL), 0);
        raise(signals[i]);
        write_version("a/out", "two", "interrupted");
        write_version("out", "two", "interrupted");
        /* it still waits: outdir_write must not have swallowed it */
        assert_int_equal(sigtimedwait(&set, NULL, &at_once), signals[i]);
        assert_int_equal(sigprocmask(SIG_UNBLOCK, &set, NULL), 0);
    }
    expect_listing(made);
    expect_content("out/rtl/a.v", "one");
}

static void keeps_foreign_parents(void **state) {
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 4;
    assert_int_equal(mkdir("a", 0777), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    write_version("a/new/out", "too long", "cannot write");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    expect_listing("a/");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(makes_a_folder),
        TEST(makes_parents),
        TEST(fills_an_empty_folder),
        TEST(replaces_its_own),
        TEST(deletes_no_further_than_links),
        TEST(keeps_what_is_the_users),
        TEST(counts_many_strangers),
        TEST(follows_a_link),
        TEST(refuses_foreign_folders),
        TEST(refuses_what_is_no_folder),
        TEST(refuses_the_working_folder),
        TEST(cleans_up_after_a_full_disk),
        TEST(cleans_up_after_a_signal),
        TEST(keeps_foreign_parents),
    };
    return cmocka_run_group_tests_name("outdir", tests, NULL, NULL);
}
