/* test_packet.c - the golden model of the packer and unpacker of
 * ComputePackets: a packet put together by hand, edge by edge, and all sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/packet.h"
#include "kit/compute.h"
#include "packet/packet.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct packet_local l;
    struct packet_in in;
    const struct packet_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u, const struct config *c) {
    memset(u, 0, sizeof *u);
    u->l = packet_local(c);
    u->g = golden_create(&packet_golden, c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* Pattern 9, every field with a value of its own. */
static void give_nine(struct unit *u, uint64_t mask) {
    u->in.chain_valid = 1;
    u->in.chain_pattern = 9;
    u->in.chain_f = PACKET_ADD;
    u->in.chain_g = PACKET_MUL;
    u->in.chain_type = PACKET_S16;
    u->in.chain_f_reversed = 1;
    u->in.chain_g_reversed = 0;
    u->in.chain_fused = 1;
    u->in.chain_core = 0x2a;
    u->in.chain_wave = 0x2f;
    u->in.chain_entry = 0x15;
    u->in.chain_node = 0x3c;
    u->in.chain_imm = 0xdeadbeef;
    u->in.chain_a = 0x123456789abc;
    u->in.chain_b = 0xfedcba987654;
    u->in.chain_c = 0x0f1e2d3c4b5a;
    u->in.chain_mask = mask;
}

/* --- the witness ---------------------------------------------------------- */

/* The paper's sizes; bits counted by hand: 0 type, 1 mask, 2 pattern, 6 f, 10
 * g, 14 type, 17 to 19 flags, 20 core, 26 wave, 32 entry, 38 node, 44
 * immediate, 76 a, 124 b, 172 c, 220 the end. */
static void test_witness(void **state) {
    static const uint64_t words[4] = {
        0x1u | 0u << 1 | 9u << 2 | 1u << 6 | 3u << 10 | 3u << 14 | 1u << 17 |
            1u << 19 | 0x2au << 20 | (uint64_t)0x2f << 26 |
            (uint64_t)0x15 << 32 | (uint64_t)0x3c << 38 |
            (uint64_t)0xdeadbeef << 44,
        (uint64_t)0xdeadbeef >> 20 | 0x123456789abcu << 12 |
            (uint64_t)0xfedcba987654 << 60,
        (uint64_t)0xfedcba987654 >> 4 | (uint64_t)0x0f1e2d3c4b5a << 44,
        (uint64_t)0x0f1e2d3c4b5a >> 20,
    };
    struct config c;
    struct unit u;
    (void)state;
    config_defaults(&c);
    open_unit(&u, &c);
    assert_int_equal(u.l.PACKET_W, 220);
    assert_int_equal(u.l.HEAD_FLITS, 1);
    give_nine(&u, 0xffffffff);
    assert_int_equal(u.out->chain_ready, 1);
    edge(&u);
    u.in.chain_valid = 0;
    assert_int_equal(u.out->send_valid, 1);
    assert_int_equal(u.out->send_last, 1);
    assert_int_equal(u.out->send_node, 0x3c);
    for (int i = 0; i < 4; i++)
        assert_true(u.out->send_data[i] == words[i]);
    /* the same, read back */
    memcpy(u.in.come_data, words, sizeof words);
    u.in.come_valid = u.in.come_last = 1;
    edge(&u);
    assert_int_equal(u.out->got_valid, 1);
    assert_true(u.out->got_imm == 0xdeadbeef);
    assert_true(u.out->got_a == 0x123456789abc);
    assert_true(u.out->got_b == 0xfedcba987654);
    assert_true(u.out->got_c == 0x0f1e2d3c4b5a);
    assert_true(u.out->got_mask == 0xffffffff);
    assert_int_equal(u.out->got_wave, 0x2f);
    close_unit(&u);
}

/* --- edge by edge --------------------------------------------------------- */

/* A mask takes a flit of its own, a refused flit stands still, and the next
 * chain waits for the last. */
static void test_masked(void **state) {
    struct config c;
    struct unit u;
    (void)state;
    config_defaults(&c);
    open_unit(&u, &c);
    give_nine(&u, 0x80000001);
    edge(&u);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(u.out->chain_ready, 0);
        assert_int_equal(u.out->send_last, 0);
        assert_int_equal(u.out->send_data[0] & 3, 3);
        edge(&u);
    }
    u.in.send_ready = 1;
    edge(&u);
    assert_int_equal(u.out->send_last, 1);
    assert_true(u.out->send_data[0] == 0x80000001);
    assert_true(
        (u.out->send_data[1] | u.out->send_data[2] | u.out->send_data[3]) == 0);
    assert_int_equal(u.out->chain_ready, 0);
    edge(&u);
    assert_int_equal(u.out->chain_ready, 1);
    assert_int_equal(u.out->send_valid, 0);
    assert_true(u.out->send_data[0] == 0);
    close_unit(&u);
}

/* A reset in mid-packet leaves nothing of it, on either side. */
static void test_reset(void **state) {
    struct config c;
    struct unit u;
    (void)state;
    config_defaults(&c);
    c.noc_flit_bits = 64;
    open_unit(&u, &c);
    give_nine(&u, 1);
    u.in.come_valid = u.in.send_ready = 1;
    u.in.come_data[0] = 1;
    edge(&u);
    edge(&u);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_int_equal(u.out->send_valid, 0);
    assert_int_equal(u.out->chain_ready, 1);
    /* two flits were there: a packet begins anew */
    u.in.chain_valid = 0;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(u.out->got_valid, 0);
        u.in.come_data[0] = i == 0 ? 1 | 3 << 2 : 0;
        u.in.come_last = i == 3;
        edge(&u);
    }
    assert_int_equal(u.out->got_valid, 1);
    assert_int_equal(u.out->got_pattern, 3);
    assert_true(u.out->got_mask == 0xffffffff);
    close_unit(&u);
}

/* --- there and back ------------------------------------------------------- */

/* The sizes that the parameters allow: within 256 bits, and what goes in comes
 * out, for each pattern with what it uses. */
static void round_trip(int flit, int side, int waves, int entries, int lanes,
                       int address) {
    struct config c;
    struct unit u;
    config_defaults(&c);
    c.noc_flit_bits = flit;
    c.mesh_width = c.mesh_height = side;
    c.mesh_memory_nodes = (struct int_list){.n = 1, .v = {1}};
    c.omni_waves = waves;
    c.omni_entries = entries;
    c.omni_lanes = lanes;
    c.omni_address_bits = address;
    open_unit(&u, &c);
    assert_true(u.l.PACKET_W <= 256);
    struct compute_size size = COMPUTE_SIZE(u.l);
    for (int n = 0; n < 18; n++) {
        struct compute want;
        for (int i = 0; i < COMPUTE_FIELDS; i++)
            want.field[i] = UINT64_MAX;
        give_nine(&u, n % 2 ? 5 : ones(lanes));
        u.in.chain_pattern = want.field[COMPUTE_PATTERN] = 1 + (uint64_t)n / 2;
        u.in.chain_imm = u.in.chain_a = u.in.chain_b = u.in.chain_c =
            UINT64_MAX;
        want.field[COMPUTE_MASK] = u.in.chain_mask;
        compute_strip(&size, &want);
        edge(&u);
        u.in.chain_valid = 0;
        u.in.send_ready = 1;
        for (int k = 0; !u.out->got_valid; k++) {
            assert_true(k < 20);
            u.in.come_valid = u.out->send_valid;
            u.in.come_last = u.out->send_last;
            memcpy(u.in.come_data, u.out->send_data, sizeof u.in.come_data);
            edge(&u);
        }
        assert_int_equal(u.out->got_pattern, 1 + n / 2);
        assert_true(u.out->got_imm == want.field[COMPUTE_IMM]);
        assert_true(u.out->got_a == want.field[COMPUTE_A]);
        assert_true(u.out->got_b == want.field[COMPUTE_B]);
        assert_true(u.out->got_c == want.field[COMPUTE_C]);
        assert_true(u.out->got_mask == want.field[COMPUTE_MASK]);
        u.in.got_ready = 1;
        u.in.come_valid = 0;
        edge(&u);
        u.in.got_ready = 0;
    }
    close_unit(&u);
}

static void test_round_trip(void **state) {
    (void)state;
    round_trip(256, 8, 48, 48, 32, 48);
    round_trip(256, 32, 64, 64, 32, 48);
    round_trip(16, 32, 64, 64, 32, 48);
    round_trip(16, 2, 2, 2, 4, 16);
    round_trip(33, 5, 5, 3, 16, 37);
    round_trip(64, 8, 48, 48, 32, 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_witness),
        cmocka_unit_test(test_masked),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
