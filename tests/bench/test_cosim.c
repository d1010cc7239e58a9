/* test_cosim.c - scripts/cosim.sh with the toy block in both simulators.
 *
 * Both must agree with the model and with each other; a broken RTL must be told
 * with its signal and leave a waveform; folders that are no RTL are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/config.h"
#include "tests/bench/toy/toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char scratch[256]; /* folder of this process */

/* Run a shell command; its output, and its status in *status. */
static char *shell(int *status, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static char *shell(int *status, const char *fmt, ...) {
    char command[2048];
    struct text out = {0};
    va_list args;
    va_start(args, fmt);
    vsnprintf(command, sizeof command, fmt, args);
    va_end(args);
    FILE *p = popen(command, "r");
    if (!p)
        abort();
    for (int c; (c = fgetc(p)) != EOF;)
        text_addc(&out, (char)c);
    int end = pclose(p);
    *status = WIFEXITED(end) ? WEXITSTATUS(end) : -1;
    text_addc(&out, '\n');
    return out.data;
}

static void must(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void must(const char *fmt, ...) {
    char command[2048];
    int status;
    va_list args;
    va_start(args, fmt);
    vsnprintf(command, sizeof command, fmt, args);
    va_end(args);
    char *out = shell(&status, "%s", command);
    if (status != 0)
        fail_msg("%s", out);
    free(out);
}

/* An RTL folder of the toy block; fault: a sed command for its Verilog. */
static void make_rtl(const char *name, const char *fault) {
    struct config c;
    struct text sed = {0};
    config_defaults(&c);
    uint64_t hash = iface_hash(&toy_iface, &c);
    text_printf(&sed,
                "s/@LONG@/%d/g; s/@COUNTER_W@/%d/; s/@ID@/%08x/; "
                "s/@HASH_LO@/%08x/; s/@HASH_HI@/%08x/; %s",
                toy_local(&c).LONG, c.regs_counter_bits,
                (unsigned)iface_id(&toy_iface), (unsigned)(uint32_t)hash,
                (unsigned)(hash >> 32), fault);
    must("mkdir -p %s/%s/rtl %s/%s/tb", scratch, name, scratch, name);
    must("sed '%s' tests/bench/toy/ndp_toy.v >%s/%s/rtl/ndp_toy.v",
         text_str(&sed), scratch, name);
    must("sed '%s' tests/bench/toy/ndp_toy_tb.v >%s/%s/tb/ndp_toy_tb.v",
         text_str(&sed), scratch, name);
    must("cd %s/%s && echo rtl/ndp_toy.v >ndp_toy.f && echo >config.yml",
         scratch, name);
    text_free(&sed);
}

static char *cosim(int *status, const char *words) {
    const char *build = getenv("BUILD");
    build = build ? build : "build";
    return shell(status,
                 "BUILD=%s OUT=%s/out COSIM_LIB=%s/libtoy.a "
                 "COSIM_VPI=%s/ndp_toy.vpi COSIM_MODEL=%s/cosim_toy "
                 "sh scripts/cosim.sh TARGET=toy %s 2>&1",
                 build, scratch, build, build, build, words);
}

/* RTL=name with more words gives this status and says this. */
static void expect_cosim(const char *name, const char *words, int wanted,
                         const char *says) {
    char all[512];
    int status;
    snprintf(all, sizeof all, "RTL=%s/%s %s", scratch, name, words);
    char *out = cosim(&status, all);
    if (status != wanted || !strstr(out, says))
        fail_msg("%s: expected status %d and '%s', got %d and:\n%s", all,
                 wanted, says, status, out);
    free(out);
}

static long size_of(const char *path) {
    char full[512];
    struct stat st;
    snprintf(full, sizeof full, "%s/%s", scratch, path);
    return stat(full, &st) == 0 ? (long)st.st_size : -1;
}

static void test_simulators_agree(void **state) {
    static const char *const sims[] = {"SIM=verilator", "SIM=icarus"};
    char digest[2][32];
    (void)state;
    make_rtl("good", "");
    for (int n = 0; n < 2; n++) {
        char words[512];
        int status;
        snprintf(words, sizeof words, "RTL=%s/good CYCLES=3000 SEED=7 %s",
                 scratch, sims[n]);
        char *out = cosim(&status, words), *at = strstr(out, "digest ");
        if (status != 0 || !at)
            fail_msg("%s", out);
        snprintf(digest[n], sizeof digest[n], "%.23s", at);
        free(out);
    }
    assert_string_equal(digest[0], digest[1]);
}

static void test_broken_rtl(void **state) {
    (void)state;
    make_rtl("sum",
             "s/out_half + in_half/out_half + in_half + (\\&in_half[7:0])/");
    expect_cosim("sum", "SIM=verilator CYCLES=3000", 1, "\n  out_half\n");
    assert_true(size_of("out/cosim-toy-verilator-random.vcd") > 1000);
    expect_cosim("sum", "SIM=icarus CYCLES=3000", 1, "\n  out_half\n");
    assert_true(size_of("out/cosim-toy-icarus-random.vcd") > 1000);
}

/* A register that is not reset: X in Icarus, chance in Verilator. */
static void test_power_up_state(void **state) {
    (void)state;
    make_rtl("noreset", "/out_wide *<= 0/d");
    expect_cosim("noreset", "SIM=icarus CYCLES=100", 1,
                 "    x bits   1026..0\n");
    expect_cosim("noreset", "SIM=verilator CYCLES=100", 1, "\n  out_wide\n");
}

static void test_other_hash(void **state) {
    (void)state;
    make_rtl("good", "");
    must("echo 'regs: {counter_bits: 9}' >%s/good/config.yml", scratch);
    expect_cosim("good", "SIM=icarus CYCLES=100", 2,
                 "error: this RTL is not 'toy' in this configuration");
    expect_cosim("good", "SIM=verilator CYCLES=100", 2,
                 "error: this RTL is not 'toy' in this configuration");
}

static void test_refused(void **state) {
    (void)state;
    make_rtl("plain", "");
    expect_cosim("none", "", 2, "no folder '");
    expect_cosim("plain", "PRESET=small", 2, "RTL= brings its configuration");
    expect_cosim("plain", "SIM=spice", 2, "unknown simulator 'spice'");
    expect_cosim("plain", "CYCLES=1e6", 2, "CYCLES=1e6, expected");
    expect_cosim("plain", "STIM=chance", 2, "unknown STIM=chance");
    expect_cosim("plain", "RUN=none.yml", 2, "cannot read RUN=none.yml");
    expect_cosim("plain", "COLOUR=red", 2, "'COLOUR=red' is not understood");
    expect_cosim("plain", "SIM=icarus SEED=x", 2, "SEED=x, expected");
    must("echo 'nbu: {wraps: 9}' >%s/plain/config.yml", scratch);
    expect_cosim("plain", "SIM=icarus", 2, "config.yml:1:7: error: ");
    must("rm %s/plain/config.yml", scratch);
    expect_cosim("plain", "", 2, "has no config.yml");
    make_rtl("syntax", "s/endmodule/endmodul/");
    expect_cosim("syntax", "SIM=icarus", 2, "does not accept the RTL");
}

static int make_scratch(void **state) {
    const char *build = getenv("BUILD");
    (void)state;
    snprintf(scratch, sizeof scratch, "%s/test_cosim", build ? build : "build");
    if (scratch[0] != '/') {
        char here[200] = "";
        if (!getcwd(here, sizeof here))
            return -1;
        snprintf(scratch, sizeof scratch, "%.180s/%.40s/test_cosim", here,
                 build ? build : "build");
    }
    must("rm -rf %s && mkdir -p %s", scratch, scratch);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simulators_agree),
        cmocka_unit_test(test_broken_rtl),
        cmocka_unit_test(test_power_up_state),
        cmocka_unit_test(test_other_hash),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("test_cosim", tests, make_scratch, NULL);
}
