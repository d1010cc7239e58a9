/* room.h - a test that works in a fresh folder, as a fixture of cmocka. */
#ifndef NDP_TESTS_ROOM_H
#define NDP_TESTS_ROOM_H

#include "base/arena.h"
#include "temp.h"
#include "base/text.h"

#include <unistd.h>

struct room {
    char path[TEMP_MAX];
    char back[4096]; /* working folder of before */
};

static inline int set_up(void **state) {
    struct room *r = xcalloc(1, sizeof *r);
    temp_pattern(r->path);
    assert_non_null(getcwd(r->back, sizeof r->back));
    assert_non_null(mkdtemp(r->path));
    assert_int_equal(chdir(r->path), 0);
    *state = r;
    return 0;
}

static inline int tear_down(void **state) {
    struct room *r = *state;
    struct text command = {0};
    assert_int_equal(chdir(r->back), 0);
    text_printf(&command, "rm -rf '%s'", r->path);
    int status = system(text_str(&command));
    text_free(&command);
    free(r);
    return status;
}

#endif
