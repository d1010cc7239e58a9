/* test_stim.c - the environment of LSU-Remote notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/lsu_remote.h"
#include "lsu_remote/lsu_remote.h"
#include "lsu_remote/stim.h"

/* What the environment has promised and given so far. */
struct kept {
    bool holds, sector;       /* the own core; it has loaded */
    uint64_t own, down, away; /* ids under way */
    bool broken;
};

#define LIAR_BLOCK lsu_remote
#define LIAR_EXTRA struct kept kept;
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target lsu_remote --preset small --cycles 30000";
static const char wide[] = "--target lsu_remote --preset mpu --cycles 60000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "lsu_remote.warps=3", "lsu_remote.cores=256",  "lsu_remote.sector=32",
        "lsu_remote.units=2", "lsu_remote.chunk=4096", "lsu_remote.lanes=32",
        "lsu_remote.lanes=2", "lsu_remote.places=1",   "lsu_remote.id_bits=1"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target lsu_remote --preset small --cycles 20000 "
                      "--stim directed");
    expect_all_covers("--target lsu_remote --preset mpu --cycles 30000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- the contract --------------------------------------------------------- */

/* What the environment gives, looked at by itself: a broken promise is shown as
 * a request that nobody has. */

static void promise(struct liar *l, bool keeps) {
    l->kept.broken |= !keeps;
}

static void look_at_request(struct liar *l, const struct lsu_remote_in *in) {
    uint64_t op = in->req_op, strobe = in->req_strobe;
    promise(l, op <= 11);
    promise(l, op == 11 || in->req_compare == 0);
    promise(l, op != 0 || strobe == 0);
    if (op < 2)
        return;
    while (strobe && !(strobe & 15))
        strobe >>= 4;
    promise(l, strobe == 15);
}

static void look_at_ids(struct liar *l, const struct lsu_remote_in *in) {
    const struct lsu_remote_out *o = &l->out;
    if (in->answer_valid) {
        promise(l, l->kept.down >> in->answer_id & 1);
        l->kept.down &= ~bit((int)in->answer_id);
    }
    if (in->got_valid) {
        promise(l, l->kept.away >> in->got_id & 1);
        l->kept.away &= ~bit((int)in->got_id);
    }
    if (o->back_valid)
        l->kept.own &= ~bit((int)o->back_id);
    if (o->tx_ready && in->tx_valid && !in->tx_near) {
        promise(l, !(l->kept.own >> in->tx_id & 1));
        l->kept.own |= bit((int)in->tx_id);
    }
    if (o->part_ready && in->part_valid) {
        promise(l, !(l->kept.own >> in->part_id & 1));
        l->kept.own |= bit((int)in->part_id);
    }
    if (o->away_ready && in->away_valid) {
        promise(l, !(l->kept.own >> in->away_id & 1));
        l->kept.own |= bit((int)in->away_id);
    }
    if (o->down_valid && in->down_ready && !o->down_near)
        l->kept.down |= bit((int)o->down_id);
    if (o->send_valid && in->send_ready)
        l->kept.away |= bit((int)o->send_id);
}

/* With hold comes one load, and then one store at most, and nothing else. */
static void look_at_hold(struct liar *l, const struct lsu_remote_in *in) {
    bool takes = l->out.tx_ready && in->tx_valid;
    if (in->hold_stores && !l->kept.holds) {
        promise(l, in->tx_valid && !in->tx_store);
        l->kept.sector = false;
    }
    if (in->hold_stores && in->tx_valid) {
        promise(l, !in->tx_near);
        promise(l, in->tx_store == l->kept.sector);
    }
    if (in->hold_stores && takes)
        l->kept.sector = true;
    l->kept.holds = in->hold_stores && !(takes && in->tx_store);
    promise(l, l->kept.holds || !in->hold_stores || takes);
}

static void contract(struct liar *l, bool rst, struct lsu_remote_in *in) {
    if (rst) {
        memset(&l->kept, 0, sizeof l->kept);
        return;
    }
    promise(l, !in->away_valid || !in->part_valid);
    if (in->req_valid)
        look_at_request(l, in);
    look_at_hold(l, in);
    look_at_ids(l, in);
}

static void tell_contract(struct liar *l, struct lsu_remote_out *o) {
    if (l->kept.broken)
        o->rsp_valid = !o->rsp_valid;
}

/* The same eyes on what is not kept. */
static void breach(struct liar *l, bool rst, struct lsu_remote_in *in) {
    struct lsu_remote_in bad = *in;
    bad.req_op |= (uint64_t)(l->edge > 500) << 3;
    contract(l, rst, &bad);
}

static void test_contract(void **state) {
    (void)state;
    lie_after = 0;
    hears = contract;
    expect_run(run_liar(tell_contract, small), 0, "mismatches 0");
    expect_run(run_liar(tell_contract, wide), 0, "mismatches 0");
    expect_run(run_liar(tell_contract, "--target lsu_remote --preset small "
                                       "--cycles 20000 --stim directed"),
               0, "mismatches 0");
    hears = breach;
    expect_caught(tell_contract, small, "an answer for another core that");
}

/* --- what goes down ------------------------------------------------------- */

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct lsu_remote_out *o) {               \
        if (!o->down_valid && !o->send_valid) /* not while it stands */        \
            l->told = 1;                                                       \
        if (l->told && o->when)                                                \
            o->field ^= bits;                                                  \
    }
LIE(other_id, down_valid, down_id, 1)
LIE(other_address, down_valid, down_address, 2)
LIE(other_unit, down_valid, down_unit, 1)
LIE(other_warp, down_near, down_warp, 1)
LIE(other_register, down_near, down_reg, 1)
LIE(other_near, down_valid, down_near, 1)
LIE(other_store, down_valid, down_store, 1)
LIE(other_strobe, down_store, down_strobe, 1)
LIE(other_data, down_store, down_data[0], 1)
LIE(other_back_id, back_valid, back_id, 1)
LIE(other_back_fault, back_valid, back_fault, 1)
LIE(other_back_data, back_valid, back_data[0], 1)
LIE(other_rsp_id, rsp_valid, rsp_id, 1)
LIE(other_rsp_fault, rsp_valid, rsp_fault, 1)
LIE(other_rsp_data, rsp_valid, rsp_data[0], 1)
LIE(other_send_op, send_valid, send_op, 1)
LIE(other_send_id, send_valid, send_id, 1)
LIE(other_send_address, send_valid, send_address, 1)
LIE(other_send_strobe, send_valid, send_strobe, 1)
LIE(other_send_data, send_valid, send_data[0], 1)
LIE(other_send_compare, send_valid, send_compare, 1)
LIE(no_tx, tx_ready, tx_ready, 1)
LIE(no_req, req_ready, req_ready, 1)
LIE(no_away, away_ready, away_ready, 1)
LIE(no_part, part_ready, part_ready, 1)
#undef LIE

static void no_down(struct liar *l, struct lsu_remote_out *o) {
    if (!o->down_near) /* not while it stands */
        l->told = 1;
    if (!l->told || !o->down_near)
        return;
    o->down_valid = o->down_near = o->down_store = o->down_unit = 0;
    o->down_warp = o->down_reg = o->down_id = o->down_address = 0;
    o->down_strobe = 0;
    memset(o->down_data, 0, sizeof o->down_data);
}

static void invented(struct liar *l, struct lsu_remote_out *o) {
    bool nobody = l->last.tx_ready && l->last.req_ready;
    o->down_valid |= nobody && o->tx_ready && o->req_ready;
}

static void test_down(void **state) {
    (void)state;
    expect_caught(other_id, small, "goes down with id");
    expect_caught(other_address, small, "goes to another place");
    expect_caught(other_unit, small, "goes to another place");
    expect_caught(other_warp, small, "goes to another place");
    expect_caught(other_register, small, "goes to another place");
    expect_caught(other_near, small, "goes to another place");
    expect_caught(other_store, small, "expected that it");
    expect_caught(other_strobe, small, "stores words");
    expect_caught(other_data, small, "stores other bytes than it must");
    expect_caught(no_down, small, "request is lost");
    expect_caught(invented, small, "a request goes down that nobody has");
}

/* --- answers -------------------------------------------------------------- */

static void no_back(struct liar *l, struct lsu_remote_out *o) {
    (void)l;
    o->back_valid = o->back_id = o->back_fault = 0;
    memset(o->back_data, 0, sizeof o->back_data);
}

static void no_rsp(struct liar *l, struct lsu_remote_out *o) {
    (void)l;
    o->rsp_valid = o->rsp_id = o->rsp_fault = 0;
    memset(o->rsp_data, 0, sizeof o->rsp_data);
}

static void back_again(struct liar *l, struct lsu_remote_out *o) {
    if (l->last.back_valid && !o->back_valid) {
        o->back_valid = 1;
        o->back_id = l->last.back_id;
        o->back_fault = l->last.back_fault;
        memcpy(o->back_data, l->last.back_data, sizeof o->back_data);
    }
}

static void rsp_again(struct liar *l, struct lsu_remote_out *o) {
    if (l->last.rsp_valid && !o->rsp_valid) {
        o->rsp_valid = 1;
        o->rsp_id = l->last.rsp_id;
        o->rsp_fault = l->last.rsp_fault;
        memcpy(o->rsp_data, l->last.rsp_data, sizeof o->rsp_data);
    }
}

static void test_answers(void **state) {
    (void)state;
    expect_caught(other_back_id, small, "the own core's answer has id");
    expect_caught(other_back_fault, small, "the own core's answer is another");
    expect_caught(other_back_data, small, "the own core's answer is another");
    expect_caught(no_back, small, "the own core's answer is lost");
    expect_caught(back_again, small, "an answer for the own core that");
    expect_caught(other_rsp_id, small, "another core's answer has id");
    expect_caught(other_rsp_fault, small, "another core's answer is another");
    expect_caught(other_rsp_data, small, "another core's answer is another");
    expect_caught(no_rsp, small, "another core's answer is lost");
    expect_caught(rsp_again, small, "an answer for another core that");
}

/* --- to other cores ------------------------------------------------------- */

static void no_send(struct liar *l, struct lsu_remote_out *o) {
    (void)l;
    o->send_valid = o->send_op = o->send_id = o->send_address = 0;
    o->send_strobe = o->send_compare = 0;
    memset(o->send_data, 0, sizeof o->send_data);
}

static void send_more(struct liar *l, struct lsu_remote_out *o) {
    (void)l;
    o->send_valid = 1;
}

static void far_ready(struct liar *l, struct lsu_remote_out *o) {
    (void)l;
    o->away_ready = o->part_ready = !o->send_valid;
}

static void test_far(void **state) {
    static const char sent[] = "a request for another core is sent as another";
    (void)state;
    expect_caught(other_send_op, small, sent);
    expect_caught(other_send_id, small, sent);
    expect_caught(other_send_address, small, sent);
    expect_caught(other_send_strobe, small, sent);
    expect_caught(other_send_data, small, sent);
    expect_caught(other_send_compare, small, sent);
    expect_caught(no_send, small, "a request for another core is lost");
    expect_caught(send_more, small, "a request for another core that nobody");
    expect_caught(far_ready, small, "is taken without room");
    expect_caught(no_away, small, "is refused, with room for its answer");
    expect_caught(no_part, small, "is refused, with room for its answer");
}

/* --- who goes, and what with a word --------------------------------------- */

static void tx_ready(struct liar *l, struct lsu_remote_out *o) {
    (void)l;
    o->tx_ready = 1;
}

static void req_ready(struct liar *l, struct lsu_remote_out *o) {
    (void)l;
    o->req_ready = 1;
}

/* The model hears nothing of who holds, or only too late. */
static void no_hold(struct liar *l, bool rst, struct lsu_remote_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->hold_stores = 0;
}

static void held_for_ever(struct liar *l, bool rst, struct lsu_remote_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->hold_stores = 1;
}

static void other_op(struct liar *l, bool rst, struct lsu_remote_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->req_op == 3)
        in->req_op = 5;
}

static void other_byte(struct liar *l, bool rst, struct lsu_remote_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->req_op == 1 && (in->req_strobe & 15) == 1)
        in->req_strobe ^= 3;
}

static void never_same(struct liar *l, bool rst, struct lsu_remote_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->req_op == 11)
        in->req_compare = ~in->req_compare;
}

/* A change finds another word than that which is there. */
static void other_sector(struct liar *l, bool rst, struct lsu_remote_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->answer_valid && !in->answer_fault)
        in->answer_data[0] ^= 1;
}

static void test_words(void **state) {
    static const struct {
        void (*hears)(struct liar *, bool, struct lsu_remote_in *);
        const char *says;
    } cases[] = {
        {no_hold, "another core changes what the own core holds"},
        {held_for_ever, "another core's request is overtaken twice"},
        {other_op, "stores other bytes than it must"},
        {other_byte, "stores other bytes than it must"},
        {never_same, "a change's request stores other bytes"},
        {other_sector, "property broken"},
    };
    (void)state;
    expect_caught(tx_ready, small, "the own core is asked for more than");
    expect_caught(req_ready, small, "another core is asked for more than");
    expect_caught(no_tx, small, "property broken");
    expect_caught(no_req, small, "another core is refused without a reason");
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        hears = cases[n].hears;
        expect_caught(NULL, small, cases[n].says);
    }
}

/* With little of the own core nobody overtakes, and nothing goes. */
static void test_haste(void **state) {
    (void)state;
    lie_after = 100;
    hears = held_for_ever;
    expect_caught(NULL,
                  "--target lsu_remote --preset small --stim directed "
                  "--cycles 20000",
                  "it stands still");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target lsu_remote --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target lsu_remote --set lsu_remote.line=16",
                   "'lsu_remote.line' must be a sector");
    expect_refused("--target lsu_remote --set lsu_remote.places=0",
                   "lsu_remote.places");
}

static int begin(void **state) {
    (void)state;
    lie_after = 2000;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_contract, begin),
        cmocka_unit_test_setup(test_down, begin),
        cmocka_unit_test_setup(test_answers, begin),
        cmocka_unit_test_setup(test_far, begin),
        cmocka_unit_test_setup(test_words, begin),
        cmocka_unit_test_setup(test_haste, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
