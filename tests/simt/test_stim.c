/* test_stim.c - the environment of the SIMT core notices what model and RTL
 * agree on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "simt/simt.h"
#include "simt/stim.h"

#include "blocks/simt.h"

#define LIAR_BLOCK simt
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target simt --preset small --cycles 400000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
