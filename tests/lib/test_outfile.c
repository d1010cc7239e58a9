/* test_outfile.c - one file, whole or not at all; devices, pipes and links stay
 * what they are.
 *
 * Each test works in a fresh folder and says what lies there in the end.
 */
#define _GNU_SOURCE /* sigtimedwait beside scandir */
#include "base/outfile.h"

#include "base/arena.h"
#include "tests/common/diag_capture.h"

#include <dirent.h>
#include <fcntl.h>
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

/* What lies in the folder, "a b", hidden files too. */
static void expect_listing(const char *expected) {
    struct dirent **names;
    struct text list = {0};
    int n = scandir(".", &names, NULL, alphasort);
    assert_true(n >= 0);
    for (int i = 0; i < n; i++) {
        const char *name = names[i]->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            text_printf(&list, "%s%s", list.len ? " " : "", name);
        free(names[i]);
    }
    free(names);
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

/* Write words to path; what is told, "" for nothing. */
static void write_words(const char *path, const char *words,
                        const char *expected) {
    struct outfile f;
    struct diag d = {0};
    bool ok = outfile_open(&f, path, &d);
    if (ok) {
        fputs(words, f.out);
        ok = outfile_close(&f, true);
    }
    char *got = diag_captured(&d);
    assert_string_equal(got, expected);
    assert_int_equal(ok, !*expected);
    free(got);
    diag_free(&d);
}

static mode_t mode_of(const char *path) {
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode;
}

/* --- tests --------------------------------------------------------------- */

static void makes_and_replaces(void **state) {
    (void)state;
    mode_t mask = umask(0);
    umask(mask);
    write_words("a", "one", "");
    expect_content("a", "one");
    assert_int_equal(mode_of("a") & 0777, 0666 & ~mask);
    assert_int_equal(chmod("a", 0640), 0);
    write_words("a", "two", "");
    expect_content("a", "two");
    assert_int_equal(mode_of("a") & 0777, 0640);
    put("a.part", "somebody's own");
    write_words("./a", "three", "");
    expect_content("a.part", "somebody's own");
    expect_listing("a a.part");
}

/* Nothing is there before it is closed. */
static void drops(void **state) {
    (void)state;
    struct outfile f;
    struct diag d = {0};
    put("a", "one");
    assert_true(outfile_open(&f, "a", &d));
    fputs("two", f.out);
    fflush(f.out);
    expect_content("a", "one");
    assert_false(outfile_close(&f, false));
    assert_true(outfile_open(&f, "b", &d));
    assert_false(outfile_close(&f, false));
    assert_int_equal(d.errors, 0);
    expect_content("a", "one");
    expect_listing("a");
    diag_free(&d);
}

static void follows_links(void **state) {
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    put("folder/real", "one");
    assert_int_equal(symlink("folder/real", "link"), 0);
    assert_int_equal(symlink("link", "again"), 0);
    write_words("again", "two", "");
    expect_content("folder/real", "two");
    /* to what is not there yet, and to what cannot be there */
    assert_int_equal(symlink("folder/new", "early"), 0);
    write_words("early", "three", "");
    expect_content("folder/new", "three");
    assert_int_equal(symlink("nowhere/x", "lost"), 0);
    write_words("lost", "x",
                "lost: error: cannot write: No such file or directory\n");
    assert_int_equal(symlink("loop", "loop"), 0);
    write_words(
        "loop", "x",
        "loop: error: cannot write: Too many levels of symbolic links\n");
    expect_listing("again early folder link loop lost");
    assert_true(S_ISLNK(mode_of("again")) && S_ISLNK(mode_of("early")));
    assert_int_equal(chdir("folder"), 0);
    expect_listing("new real");
}

static void refuses(void **state) {
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    write_words("folder", "x", "folder: error: cannot write: Is a directory\n");
    write_words("none/a", "x",
                "none/a: error: cannot write: No such file or directory\n");
    write_words("", "x",
                "'': error: cannot write: No such file or directory\n");
    put("a", "one");
    write_words("a/b", "x", "a/b: error: cannot write: Not a directory\n");
    if (geteuid() != 0) {
        assert_int_equal(chmod("a", 0444), 0);
        write_words("a", "x", "a: error: cannot write: Permission denied\n");
    }
    expect_content("a", "one");
    expect_listing("a folder");
}

static void keeps_devices(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0 || !S_ISCHR(mode_of("/dev/full")))
        skip();
    write_words("/dev/full", "x",
                "/dev/full: error: cannot write: No space left on device\n");
    assert_true(S_ISCHR(mode_of("/dev/full")));
    assert_int_equal(symlink("/dev/full", "link"), 0);
    write_words("link", "x",
                "link: error: cannot write: No space left on device\n");
    assert_true(S_ISLNK(mode_of("link")));
    write_words("/dev/null", "x", "");
    assert_true(S_ISCHR(mode_of("/dev/null")));
}

static void keeps_pipes(void **state) {
    (void)state;
    char got[8] = "";
    assert_int_equal(mkfifo("pipe", 0666), 0);
    int in = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(in >= 0);
    write_words("pipe", "words", "");
    assert_int_equal(read(in, got, sizeof got - 1), 5);
    assert_string_equal(got, "words");
    close(in);
    assert_true(S_ISFIFO(mode_of("pipe")));
}

/* An open file under a name of the system's: what it holds stays. */
static void appends_to_standard_output(void **state) {
    (void)state;
    put("a", "one\n");
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    int fd = open("a", O_WRONLY | O_APPEND);
    assert_true(kept >= 0 && fd >= 0);
    assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    bool same = outfile_is_stdout("a") && outfile_is_stdout("/dev/stdout") &&
                outfile_is_stdout("-") && !outfile_is_stdout("b");
    write_words("/dev/stdout", "two\n", "");
    write_words("-", "three\n", "");
    write_words("a", "four\n", "");
    assert_int_equal(dup2(kept, STDOUT_FILENO), STDOUT_FILENO);
    close(kept);
    close(fd);
    assert_true(same);
    expect_content("a", "one\ntwo\nthree\nfour\n");
    expect_listing("a");
}

static void cleans_up_after_a_full_disk(void **state) {
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 4;
    put("a", "one");
    assert_int_equal(symlink("new", "link"), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    write_words("a", "too long", "a: error: cannot write: File too large\n");
    write_words("b", "too long", "b: error: cannot write: File too large\n");
    write_words("link", "too long",
                "link: error: cannot write: File too large\n");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    expect_content("a", "one");
    expect_listing("a link");
}

static void cleans_up_after_a_signal(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    put("a", "one");
    for (int i = 0; i < 3; i++) {
        sigset_t set;
        struct timespec at_once = {0, 0};
        sigemptyset(&set);
        sigaddset(&set, signals[i]);
        assert_int_equal(sigprocmask(SIG_BLOCK, &set, NULL), 0);
        raise(signals[i]);
        write_words("a", "two", "a: error: cannot write: interrupted\n");
        write_words("b", "two", "b: error: cannot write: interrupted\n");
        assert_int_equal(sigtimedwait(&set, NULL, &at_once), signals[i]);
        assert_int_equal(sigprocmask(SIG_UNBLOCK, &set, NULL), 0);
    }
    expect_content("a", "one");
    expect_listing("a");
}

static void tells_files_apart(void **state) {
    (void)state;
    struct room *r = *state;
    struct text full = {0};
    put("a", "one");
    put("c", "one");
    assert_int_equal(symlink("a", "link"), 0);
    assert_int_equal(link("a", "hard"), 0);
    assert_true(outfile_same("a", "./a"));
    assert_true(outfile_same("a", "link"));
    assert_true(outfile_same("a", "hard"));
    assert_false(outfile_same("a", "c"));
    assert_false(outfile_same("a", "b"));
    assert_false(outfile_same("b", "a"));
    assert_true(outfile_same("b", "./b"));
    assert_false(outfile_same("b", "none/b"));
    assert_false(outfile_same("/dev/null", "/dev/null"));
    text_printf(&full, "%s/b", r->path);
    assert_true(outfile_same("b", text_str(&full)));
    text_free(&full);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(makes_and_replaces),
        TEST(drops),
        TEST(follows_links),
        TEST(refuses),
        TEST(keeps_devices),
        TEST(keeps_pipes),
        TEST(appends_to_standard_output),
        TEST(cleans_up_after_a_full_disk),
        TEST(cleans_up_after_a_signal),
        TEST(tells_files_apart),
    };
    return cmocka_run_group_tests_name("outfile", tests, NULL, NULL);
}
