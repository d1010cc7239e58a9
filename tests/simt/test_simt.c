/* test_simt.c - the golden model of the SIMT core, edge by edge where the note
 * gives edges, and by what programs leave in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit.h"

/* --- latencies ------------------------------------------------------------ */

/* One warp, passes P: init and then an instruction every t+3+P+L+1. */
static void latency_of(const char *sets) {
    struct unit u;
    unit_open(&u, "small", sets);
    unit_go(&u, "movi r1, 5\nadd r2, r1, 7\nexit\n", (uint32_t)u.l.LANES);
    assert_int_equal(unit_run(&u, 1000), DONE);
    long P = u.l.PASSES, L = u.l.FMA_L;
    /* start at s; CTA at s+1; N threads; select is the edge after */
    long t = u.start + 1 + u.l.LANES + 1;
    for (int k = 0; k < P; k++) { /* W holds pass k after t+4+k+L */
        assert_int_equal(u.retired.v[k].edge, t + 4 + k + L);
        assert_int_equal(u.retired.v[k].pass, k);
        assert_int_equal(u.retired.v[k].kind, 1);
        assert_int_equal(u.retired.v[k].value[0], k * u.l.ALUS);
    }
    for (int i = 0; i < 3; i++) {
        t += 3 + P + L + 1;
        const struct retired *r = unit_retired(&u, 0, i, i == 0 ? (int)P : 0);
        assert_non_null(r);
        assert_int_equal(r->edge, t + 4 + L);
    }
    const struct retired *add = unit_retired(&u, 0, 1, (int)P - 1);
    assert_int_equal(add->value[u.l.ALUS - 1], 12);
    assert_int_equal(u.issued, 3);
    unit_close(&u);
}

static void test_latency(void **state) {
    (void)state;
    latency_of("");
    latency_of("simt.alus=8");
    latency_of("simt.alus=1");
    latency_of("simt.lanes=32 simt.alus=4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
