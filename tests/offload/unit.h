/* unit.h - a golden offload controller on the test bench.
 *
 * A test sets u.in, takes an edge and looks at u.out.  step() also plays the
 * register file and the operand collector: rows and values come one edge after
 * their request.  Entries and packet headers are packed here from the tables of
 * docs/blocks/offload.md, independently of the model.  Needs cmocka's headers
 * before it.
 */
#ifndef NDP_TEST_OFFLOAD_UNIT_H
#define NDP_TEST_OFFLOAD_UNIT_H

#include "blocks/offload.h"
#include "offload/offload.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 3000 };

/* Answers. */
enum {
    OFFLOAD,
    IS_OFF,
    NO_ENTRY,
    CONDITION,
    TX_BUSY,
    RX_BUSY,
    STACK_FULL,
    NO_SAVE,
    NO_ADDRESS
};

struct unit {
    struct config config;
    struct offload_local l;
    struct golden *g;
    struct offload_in in;
    const struct offload_out *out;
    long edge;      /* edges since reset */
    uint32_t value; /* what the operand collector reads */
};

static inline void unit_edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
    u->edge++;
}

static inline void unit_reset(struct unit *u) {
    u->out = golden_cycle(u->g, true, &u->in);
    u->edge = 0;
}

static inline void unit_open(struct unit *u, const struct config *c) {
    memset(u, 0, sizeof *u);
    u->config = *c;
    u->l = offload_local(c);
    u->g = golden_create(&offload_golden, c);
    unit_reset(u);
}

static inline void unit_close(struct unit *u) {
    golden_free(u->g);
}

/* All channels of the environment are ready. */
static inline void unit_ready(struct unit *u) {
    u->in.ans_ready = u->in.oper_ready = u->in.probe_ready = 1;
    u->in.flush_ready = u->in.reg_read_ready = u->in.tx_ready = 1;
    u->in.reg_write_ready = u->in.inval_ready = u->in.release_ready = 1;
}

/* Past the initialiser. */
static inline void unit_start(struct unit *u) {
    for (int i = 0; i < u->l.ENTRIES; i++)
        unit_edge(u);
    unit_ready(u);
}

static inline struct config small(void) {
    struct config c;
    struct diag d = {0};

    if (!config_preset(&c, "small", &d))
        abort();
    return c;
}

static inline void open_small(struct unit *u) {
    struct config c = small();

    unit_open(u, &c);
    unit_start(u);
}

/* Bits ------------------------------------------------------------------- */

/* One bit at a time: slow and without any doubt. */
static inline void append(uint64_t *w, int *at, int width, uint64_t value) {
    for (int i = 0; i < width; i++, ++*at)
        w[*at / 64] |= (value >> i & 1) << *at % 64;
}

static inline uint64_t extract(const uint64_t *w, int *at, int width) {
    uint64_t value = 0;

    for (int i = 0; i < width; i++, ++*at)
        value |= (w[*at / 64] >> *at % 64 & 1) << i;
    return value;
}

/* Metadata --------------------------------------------------------------- */

struct entry {
    bool invalid, tag_tx, tag_rx, late; /* late: not mem_first */
    bool cond, cond_signed;
    int cond_reg, compare;
    uint32_t threshold, begin_pc, end_pc;
    uint64_t live_in, live_out; /* registers 0 to 63 */
    int n_in;                   /* 0: number of live_in */
};

static inline void load(struct unit *u, int index, const struct entry *e) {
    uint64_t *w = u->in.load_entry;
    int at = 0, high = u->l.REGS > 64 ? u->l.REGS - 64 : 0;
    int n_in = e->n_in ? e->n_in : __builtin_popcountll(e->live_in);

    memset(u->in.load_entry, 0, sizeof u->in.load_entry);
    append(w, &at, 1, !e->invalid);
    append(w, &at, 1, e->tag_tx);
    append(w, &at, 1, e->tag_rx);
    append(w, &at, 1, !e->late);
    append(w, &at, 1, e->cond);
    append(w, &at, u->l.REG_W, (uint64_t)e->cond_reg);
    append(w, &at, 3, (uint64_t)e->compare);
    append(w, &at, 1, e->cond_signed);
    append(w, &at, 32, e->threshold);
    append(w, &at, u->l.COUNT_W, (uint64_t)n_in);
    append(w, &at, u->l.PC_W, e->begin_pc);
    append(w, &at, u->l.PC_W, e->end_pc);
    append(w, &at, u->l.REGS - high, e->live_in);
    append(w, &at, high, 0);
    append(w, &at, u->l.REGS - high, e->live_out);
    append(w, &at, high, 0);
    assert_int_equal(at, u->l.ENTRY_W);
    assert_int_equal(u->out->load_ready, 1);
    u->in.load_valid = 1;
    u->in.load_index = (uint64_t)index;
    unit_edge(u);
    u->in.load_valid = 0;
}

/* Environment ------------------------------------------------------------ */

/* Word i of the row in the register file: names its place. */
static inline uint64_t row_word(uint64_t warp, uint64_t reg, int i) {
    return 0x9e3779b97f4a7c15u ^ warp << 40 ^ reg << 20 ^
           (uint64_t)i * 0x0101010100010001u;
}

static inline void step(struct unit *u) {
    struct offload_in *in = &u->in;
    bool row = u->out->reg_read_valid && in->reg_read_ready;
    bool value = u->out->oper_valid && in->oper_ready;
    uint64_t warp = u->out->reg_read_warp, reg = u->out->reg_read_reg;

    unit_edge(u);
    in->reg_data_valid = row;
    for (int i = 0; i < u->l.ROW_W / 64; i++)
        in->reg_data_row[i] = row_word(warp, reg, i);
    in->value_valid = value;
    in->value_data = u->value;
}

static inline void steps(struct unit *u, int n) {
    while (n-- > 0)
        step(u);
}

/* Step until an output of one bit is high. */
#define step_until(u, output)                                                  \
    do {                                                                       \
        for (int i_ = 0; !(u)->out->output; i_++) {                            \
            assert_true(i_ < PATIENCE);                                        \
            step(u);                                                           \
        }                                                                      \
    } while (0)

/* Requests --------------------------------------------------------------- */

static inline void present(struct unit *u, int warp, int key, uint64_t mask,
                           uint64_t address, bool learned) {
    u->in.ask_valid = 1;
    u->in.ask_warp = (uint64_t)warp;
    u->in.ask_key = (uint64_t)key;
    u->in.ask_mask = mask;
    u->in.ask_address = address;
    u->in.ask_learned = learned;
}

/* The edge of the accept is the one that this takes. */
static inline void ask(struct unit *u, int warp, int key, uint64_t address) {
    assert_int_equal(u->out->ask_ready, 1);
    present(u, warp, key, 0xff, address, false);
    step(u);
    u->in.ask_valid = 0;
}

/* The next answer, which is taken. */
static inline int answer(struct unit *u) {
    int reason;

    step_until(u, ans_valid);
    reason = (int)u->out->ans_reason;
    assert_int_equal(u->out->ans_offload, reason == 0);
    if (reason)
        assert_int_equal(u->out->ans_stack, 0);
    step(u);
    return reason;
}

static inline int ask_answer(struct unit *u, int warp, int key,
                             uint64_t address) {
    ask(u, warp, key, address);
    return answer(u);
}

/* Acknowledgements ------------------------------------------------------- */

/* Offer a flit and take edges until it is taken. */
static inline void ack_flit(struct unit *u, const uint64_t *flit) {
    bool taken = false;

    memcpy(u->in.ack_data, flit, sizeof u->in.ack_data);
    u->in.ack_valid = 1;
    for (int i = 0; !taken; i++) {
        assert_true(i < PATIENCE);
        taken = u->out->ack_ready;
        step(u);
    }
    u->in.ack_valid = 0;
}

static inline void ack_head(struct unit *u, int warp, int index, uint64_t mask,
                            int lines) {
    uint64_t w[16] = {0};
    int at = 0;

    append(w, &at, u->l.WARP_W, (uint64_t)warp);
    append(w, &at, u->l.INDEX_W, (uint64_t)index);
    append(w, &at, u->l.LANES, mask);
    append(w, &at, 8, (uint64_t)lines);
    ack_flit(u, w);
}

static inline void ack_row(struct unit *u, uint64_t warp, uint64_t reg) {
    uint64_t row[16];
    int at = 0;

    for (int i = 0; i < 16; i++)
        row[i] = row_word(warp, reg, i);
    for (int i = 0; i < u->l.ROW_FLITS; i++) {
        uint64_t w[16] = {0};
        int to = 0;
        for (int k = 0; k < u->l.FLIT_W; k++)
            append(w, &to, 1, extract(row, &at, 1));
        ack_flit(u, w);
    }
}

static inline void ack_line(struct unit *u, uint64_t line) {
    uint64_t w[16] = {line};

    ack_flit(u, w);
}

/* An offloaded warp without live-outs and lines comes home. */
static inline void send_home(struct unit *u, int warp, int index) {
    ack_head(u, warp, index, 0xff, 0);
    step_until(u, release_valid);
    assert_int_equal(u->out->release_warp, warp);
    step(u);
}

/* Register port ---------------------------------------------------------- */

static inline uint32_t wishbone(struct unit *u, bool write, int adr,
                                uint32_t data) {
    uint32_t result;

    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_we = write;
    u->in.wb_adr = (uint64_t)adr;
    u->in.wb_dat_w = data;
    u->in.wb_sel = 15;
    step(u);
    result = (uint32_t)u->out->wb_dat_r;
    u->in.wb_cyc = u->in.wb_stb = 0;
    step(u); /* ack falls */
    return result;
}

static inline uint32_t read_counter(struct unit *u, enum offload_counter c) {
    return wishbone(u, false, REG_FIRST + OFFLOAD_N_SETTINGS + (int)c, 0);
}

static inline uint32_t read_setting(struct unit *u, enum offload_setting s) {
    return wishbone(u, false, REG_FIRST + (int)s, 0);
}

static inline void set(struct unit *u, enum offload_setting s, uint32_t value) {
    wishbone(u, true, REG_FIRST + (int)s, value);
}

static inline uint64_t cover(const struct unit *u, enum offload_cover c) {
    return golden_covers(u->g)[c];
}

#endif
