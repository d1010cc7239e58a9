/* test_uartbone.c - the golden model of the serial line as the master of a
 * register bus, edge by edge as docs/blocks/uartbone.md has it.
 *
 * Edges are counted from the first one that sees the start bit at the pin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/uartbone.h"
#include "uartbone/uartbone.h"

#include <stdio.h>
#include <string.h>

enum { WRITE_NEXT = 1, READ_NEXT, WRITE_SAME, READ_SAME };
enum { OWN = 1 << 29, CONTROL = OWN + 1, TRANSCRIPT = OWN + 2 };
enum { MOST = 2048 };

struct unit {
    struct golden *g;
    struct uartbone_local l;
    struct uartbone_in in;
    const struct uartbone_out *out;
    long now;  /* edges so far */
    bool acks; /* a slave that answers at once with the address and 0xa0.. */
    struct {
        bool write;
        uint32_t address, data;
        long at; /* the edge after which it stood there */
    } access[MOST];
    int n_accesses;
    int at; /* edges since a byte of an answer began; -1 */
    unsigned frame;
    uint8_t answer[MOST];
    long answered[MOST]; /* edges after which they began */
    int n_answers;
    int resets; /* edges with device_rst */
};

static void open_unit(struct unit *u, int clocks, int queue, int timeout) {
    struct config c;
    config_defaults(&c);
    c.uartbone_clocks = clocks;
    c.uartbone_queue = queue;
    c.uartbone_timeout_log2 = timeout;
    memset(u, 0, sizeof *u);
    u->l = uartbone_local(&c);
    u->g = golden_create(&uartbone_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.uart_rx = 1;
    u->acks = true;
    u->at = -1;
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

static void note_access(struct unit *u, bool before) {
    if (!u->out->bus_cyc || before)
        return;
    int n = u->n_accesses++;
    u->access[n].write = u->out->bus_we;
    u->access[n].address = (uint32_t)u->out->bus_adr;
    u->access[n].data = (uint32_t)u->out->bus_dat_w;
    u->access[n].at = u->now;
}

/* Bytes of answers, each bit in its middle. */
static void note_answer(struct unit *u) {
    if (u->at < 0 && !u->out->uart_tx) {
        u->at = 0;
        u->frame = 0;
        u->answered[u->n_answers] = u->now;
    }
    if (u->at < 0)
        return;
    int clocks = u->l.CLOCKS;
    if (u->at % clocks == clocks / 2)
        u->frame |= (unsigned)u->out->uart_tx << u->at / clocks;
    if (++u->at < 10 * clocks)
        return;
    u->at = -1;
    assert_int_equal(u->frame & 0x201, 0x200);
    u->answer[u->n_answers++] = (uint8_t)(u->frame >> 1);
}

static void edge(struct unit *u) {
    bool before = u->out->bus_cyc;
    u->in.bus_ack = u->acks && before;
    u->in.bus_dat_r = u->in.bus_ack ? 0xa0b00000u + u->out->bus_adr : 0;
    u->out = golden_cycle(u->g, false, &u->in);
    note_access(u, before);
    note_answer(u);
    u->resets += (int)u->out->device_rst;
    u->now++;
}

static void edges(struct unit *u, int n) {
    while (n-- > 0)
        edge(u);
}

/* --- a host --------------------------------------------------------------- */

static void hold(struct unit *u, int level, int n) {
    u->in.uart_rx = (uint64_t)level;
    edges(u, n);
    u->in.uart_rx = 1;
}

static void send_frame(struct unit *u, unsigned frame) {
    for (int bit = 0; bit < 10; bit++)
        hold(u, frame >> bit & 1, u->l.CLOCKS);
}

static void send(struct unit *u, unsigned byte) {
    send_frame(u, 0x200 | byte << 1);
}

static void send_word(struct unit *u, uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8)
        send(u, word >> shift & 0xff);
}

static void send_head(struct unit *u, int cmd, int length, uint32_t address) {
    send(u, (unsigned)cmd);
    send(u, (unsigned)length);
    send_word(u, address);
}

static void settle(struct unit *u) {
    edges(u, 45 * u->l.CLOCKS + 200);
}

/* Words of the last answer. */
static uint32_t answered_word(const struct unit *u, int from) {
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 8 | u->answer[from + i];
    return word;
}

static uint32_t read_word(struct unit *u, uint32_t address) {
    int from = u->n_answers;
    send_head(u, READ_SAME, 1, address);
    settle(u);
    assert_int_equal(u->n_answers, from + 4);
    return answered_word(u, from);
}

static void write_word(struct unit *u, uint32_t address, uint32_t word) {
    send_head(u, WRITE_SAME, 1, address);
    send_word(u, word);
    settle(u);
}

static void expect_access(const struct unit *u, int n, bool write,
                          uint32_t address, uint32_t data) {
    assert_true(n < u->n_accesses);
    assert_int_equal(u->access[n].write, write);
    assert_int_equal(u->access[n].address, address);
    assert_int_equal(u->access[n].data, data);
}

static unsigned faults(struct unit *u) {
    uint32_t word = read_word(u, CONTROL);
    assert_int_equal(word >> 16, u->l.CLOCKS);
    return word & 0xffff;
}

/* --- edge by edge --------------------------------------------------------- */

static const int bit_lengths[] = {4, 5, 12, 13, 100};
enum { LENGTHS = sizeof bit_lengths / sizeof bit_lengths[0] };

/* Two edges of the synchroniser, half a bit, nine bits: the last byte arrives.
 * It is at the queue's output an edge later and taken on the next; eight edges
 * of the transcript, and the access begins. */
static void test_latency(void **state) {
    (void)state;
    for (int i = 0; i < LENGTHS; i++) {
        struct unit u;
        int clocks = bit_lengths[i];
        open_unit(&u, clocks, 4, 20);
        edges(&u, 3);
        send_head(&u, WRITE_NEXT, 1, 5);
        send(&u, 1);
        send(&u, 2);
        send(&u, 3);
        long first = u.now;
        send(&u, 4);
        settle(&u);
        assert_int_equal(u.n_accesses, 1);
        expect_access(&u, 0, true, 5, 0x01020304);
        assert_int_equal(u.access[0].at - first,
                         2 + clocks / 2 + 9 * clocks + 11);
        close_unit(&u);
    }
}

/* The answer begins an edge after the acknowledge; each byte takes ten bits and
 * the edge on which the transmitter is seen to be free; each word of the bus an
 * edge to begin, one to be answered, and the next is hidden. */
static void test_answer(void **state) {
    (void)state;
    for (int i = 0; i < LENGTHS; i++) {
        struct unit u;
        int clocks = bit_lengths[i];
        open_unit(&u, clocks, 4, 20);
        send_head(&u, READ_NEXT, 2, 0x123);
        edges(&u, 90 * clocks);
        assert_int_equal(u.n_accesses, 2);
        expect_access(&u, 0, false, 0x123, 0);
        expect_access(&u, 1, false, 0x124, 0);
        assert_int_equal(u.n_answers, 8);
        assert_int_equal(answered_word(&u, 0), 0xa0b00123);
        assert_int_equal(answered_word(&u, 4), 0xa0b00124);
        assert_int_equal(u.answered[0], u.access[0].at + 2);
        for (int n = 1; n < 8; n++)
            assert_int_equal(u.answered[n] - u.answered[n - 1],
                             10 * clocks + 1);
        /* eight edges for the fourth byte, and it begins */
        assert_int_equal(u.access[1].at, u.answered[3] + 9);
        close_unit(&u);
    }
}

/* The fields stand until the acknowledge, however late, and all is zero then.
 */
static void test_access(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    u.acks = false;
    send_head(&u, WRITE_SAME, 2, 0xc0000abcu);
    send_word(&u, 0x80000001);
    send_word(&u, 0xfffffffe);
    for (int i = 0; i < 500; i++) {
        edge(&u);
        assert_int_equal(u.out->bus_cyc, 1);
        assert_int_equal(u.out->bus_stb, 1);
        assert_int_equal(u.out->bus_we, 1);
        assert_int_equal(u.out->bus_sel, 15);
        assert_int_equal(u.out->bus_adr, 0xabc);
        assert_int_equal(u.out->bus_dat_w, 0x80000001);
    }
    u.acks = true;
    edge(&u);
    assert_int_equal(u.out->bus_cyc | u.out->bus_stb | u.out->bus_we |
                         u.out->bus_sel | u.out->bus_adr | u.out->bus_dat_w,
                     0);
    settle(&u);
    assert_int_equal(u.n_accesses, 2);
    expect_access(&u, 1, true, 0xabc, 0xfffffffe);
    close_unit(&u);
}

static void test_reset(void **state) {
    static const struct uartbone_out rest = {.uart_tx = 1};
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    assert_memory_equal(u.out, &rest, sizeof rest);
    /* in an answer, with a byte that waits and one on the line */
    send_head(&u, READ_NEXT, 9, 0);
    send(&u, READ_NEXT);
    hold(&u, 0, 7);
    u.in.uart_rx = 0;
    u.out = golden_cycle(u.g, true, &u.in);
    assert_memory_equal(u.out, &rest, sizeof rest);
    u.in.uart_rx = 1;
    u.at = -1;
    u.n_answers = 0;
    settle(&u);
    assert_int_equal(u.n_answers, 0);
    assert_int_equal(read_word(&u, 7), 0xa0b00007);
    close_unit(&u);
}

/* --- commands ------------------------------------------------------------- */

static void test_commands(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    send_head(&u, WRITE_NEXT, 2, 8);
    send_word(&u, 11);
    send_word(&u, 12);
    send_head(&u, WRITE_SAME, 2, 9);
    send_word(&u, 13);
    send_word(&u, 14);
    settle(&u);
    send_head(&u, READ_SAME, 3, 5);
    edges(&u, 600);
    assert_int_equal(u.n_accesses, 7);
    expect_access(&u, 0, true, 8, 11);
    expect_access(&u, 1, true, 9, 12);
    expect_access(&u, 2, true, 9, 13);
    expect_access(&u, 3, true, 9, 14);
    for (int i = 4; i < 7; i++)
        expect_access(&u, i, false, 5, 0);
    assert_int_equal(u.n_answers, 12);
    close_unit(&u);
}

/* No length, or no command: six bytes are swallowed, and the next begins. */
static void test_nothing(void **state) {
    static const int none[] = {0, 5, 7, 0x80, 0xff};
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    for (int cmd = WRITE_NEXT; cmd <= READ_SAME; cmd++)
        send_head(&u, cmd, 0, 3);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        send_head(&u, none[i], 200, 3);
    settle(&u);
    assert_int_equal(u.n_accesses, 0);
    assert_int_equal(u.n_answers, 0);
    assert_int_equal(read_word(&u, 3), 0xa0b00003);
    assert_int_equal(faults(&u), 0);
    close_unit(&u);
}

static void test_longest(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    send_head(&u, READ_NEXT, 255, 1);
    edges(&u, 255 * 170);
    assert_int_equal(u.n_accesses, 255);
    assert_int_equal(u.n_answers, 255 * 4);
    assert_int_equal(answered_word(&u, 254 * 4), 0xa0b000ff);
    assert_int_equal(read_word(&u, 3), 0xa0b00003);
    close_unit(&u);
}

/* 30 bits, of which bit 29 leads to the bridge's own, on the way up too. */
static void test_address(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    send_head(&u, READ_NEXT, 2, 0xdfffffff); /* the two highest bits fall off */
    edges(&u, 600);
    assert_int_equal(u.n_accesses, 1);
    expect_access(&u, 0, false, 0xfff, 0);
    assert_int_equal(u.n_answers, 8);
    assert_int_equal(answered_word(&u, 4), 0x4e445001);
    send_head(&u, READ_NEXT, 2, 0x3fffffff); /* own 3, and around to 0 */
    edges(&u, 600);
    assert_int_equal(u.n_answers, 16);
    assert_int_equal(answered_word(&u, 8), 0);
    assert_int_equal(answered_word(&u, 12), 0xa0b00000);
    expect_access(&u, 1, false, 0, 0);
    close_unit(&u);
}

/* --- own registers -------------------------------------------------------- */

static void test_own(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 16384 / 256, 4, 20);
    assert_int_equal(read_word(&u, OWN), 0x4e445001);
    assert_int_equal(read_word(&u, OWN + 8), 0x4e445001); /* two bits choose */
    assert_int_equal(read_word(&u, CONTROL), 64 << 16);
    assert_int_equal(read_word(&u, OWN + 3), 0);
    write_word(&u, OWN, 1);
    write_word(&u, TRANSCRIPT, 1);
    write_word(&u, OWN + 3, 1);
    write_word(&u, CONTROL, 0xfffffffe);
    assert_int_equal(u.resets, 0);
    write_word(&u, CONTROL, 1);
    assert_int_equal(u.resets, 8);
    assert_int_equal(u.n_accesses, 0);
    close_unit(&u);
}

/* The check value of CRC-32 is cbf43926, inverted 340bc6d9; the other three are
 * from zlib, inverted as well. */
static uint32_t crc(uint32_t sum, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (int bit = 0; bit < 8; bit++) {
            uint32_t one = (sum ^ (uint32_t)(uint8_t)bytes[i] >> bit) & 1;
            sum = sum >> 1 ^ one * 0xedb88320;
        }
    return sum;
}

static void test_transcript(void **state) {
    static const char text[] = "123456789abc";
    struct unit u;
    (void)state;
    assert_int_equal(crc(0xffffffff, text, 9), 0x340bc6d9);
    /* the six bytes of the read alone: 02 01 20 00 00 02 */
    open_unit(&u, 4, 4, 20);
    send_head(&u, READ_NEXT, 1, TRANSCRIPT);
    settle(&u);
    assert_int_equal(answered_word(&u, 0), 0x70a918f5);
    close_unit(&u);
    /* two commands that are none */
    open_unit(&u, 4, 4, 20);
    for (int i = 0; i < 12; i++)
        send(&u, (unsigned)text[i]);
    send_head(&u, READ_NEXT, 1, TRANSCRIPT);
    settle(&u);
    assert_int_equal(answered_word(&u, 0), 0xc49d8a63);
    close_unit(&u);
    /* one and a half, that a time-out takes away, but not out of the sum */
    open_unit(&u, 4, 4, 8);
    for (int i = 0; i < 9; i++)
        send(&u, (unsigned)text[i]);
    edges(&u, 400);
    send_head(&u, READ_NEXT, 1, TRANSCRIPT);
    settle(&u);
    assert_int_equal(answered_word(&u, 0), 0x9993dc78);
    close_unit(&u);
}

/* Answers are in it, and a write of control begins it anew behind its own last
 * byte. */
static void test_transcript_of_answers(void **state) {
    static const char said[] = "\x04\x01\x00\x00\x00\x07\xa0\xb0\x00\x07"
                               "\x04\x01\x20\x00\x00\x02";
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    read_word(&u, 1);
    write_word(&u, CONTROL, 0);
    read_word(&u, 7);
    uint32_t sum = crc(0xffffffff, said, 16);
    assert_int_equal(read_word(&u, TRANSCRIPT), sum);
    /* its own answer and the next command come in afterwards */
    char more[10] = {(char)(sum >> 24), (char)(sum >> 16), (char)(sum >> 8),
                     (char)sum};
    memcpy(more + 4, said + 10, 6);
    assert_int_equal(read_word(&u, TRANSCRIPT), crc(sum, more, 10));
    close_unit(&u);
}

/* --- the line ------------------------------------------------------------- */

/* Low for half a bit is a glitch, an edge more is a start bit. */
static void test_glitch(void **state) {
    (void)state;
    for (int i = 0; i < LENGTHS; i++) {
        struct unit u;
        int clocks = bit_lengths[i];
        open_unit(&u, clocks, 4, 20);
        send(&u, READ_SAME);
        hold(&u, 0, clocks / 2);
        edges(&u, clocks);
        send(&u, 1);
        send_word(&u, 6);
        settle(&u);
        assert_int_equal(u.n_answers, 4);
        assert_int_equal(faults(&u), 0);
        hold(&u, 0, clocks / 2 + 1); /* ff, and no command */
        settle(&u);
        send(&u, 1);
        send_word(&u, 6);
        settle(&u);
        assert_int_equal(u.n_answers, 8);
        assert_int_equal(faults(&u), 0);
        close_unit(&u);
    }
}

/* Two per cent fast or slow, begun anywhere in a clock. */
static void test_skew(void **state) {
    (void)state;
    for (int skew = -20; skew <= 20; skew += 20)
        for (int phase = 0; phase < 1000; phase += 199) {
            struct unit u;
            static const uint8_t bytes[] = {4, 1, 0, 0, 0xa, 0x55};
            open_unit(&u, 4, 4, 20);
            long period = 4 * (1000 + skew);
            for (long at = phase; at < 60 * period; at += 1000) {
                long bit = at / period;
                unsigned frame = 0x200u | (unsigned)bytes[bit / 10] << 1;
                u.in.uart_rx = frame >> bit % 10 & 1;
                edge(&u);
            }
            u.in.uart_rx = 1;
            settle(&u);
            assert_int_equal(u.n_answers, 4);
            assert_int_equal(answered_word(&u, 0), 0xa0b00a55);
            close_unit(&u);
        }
}

/* All is forgotten, the line is looked at again when it is 1, and the next byte
 * is a command. */
static void test_framing(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 5, 4, 20);
    send_head(&u, WRITE_NEXT, 1, 5);
    send(&u, 1);
    send_frame(&u, 0);
    hold(&u, 0, 500); /* a break is one error */
    edges(&u, 10);
    assert_int_equal(faults(&u), 1);
    assert_int_equal(faults(&u), 1);
    write_word(&u, CONTROL, 0);
    assert_int_equal(faults(&u), 0);
    assert_int_equal(u.n_accesses, 0);
    close_unit(&u);
}

/* The byte on the line is whole, those behind it do not come. */
static void test_failure_in_answer(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 20);
    send_head(&u, READ_NEXT, 100, 0);
    send_frame(&u, 0x0aa);
    int n = u.n_answers + 1;
    settle(&u);
    assert_int_equal(u.n_answers, n);
    assert_int_equal(u.answer[n - 1], n == 1 ? 0xa0 : 0xb0);
    assert_int_equal(faults(&u), 1);
    close_unit(&u);
}

/* QUEUE bytes wait behind an access; one more, and all is forgotten, on the
 * edge on which it arrives. */
static void test_overrun(void **state) {
    static const int sizes[] = {4, 8, 512};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct unit u;
        open_unit(&u, 4, sizes[i], 20);
        u.acks = false;
        send_head(&u, READ_NEXT, 1, 9);
        for (int n = 0; n < sizes[i]; n++)
            send(&u, 7);
        settle(&u);
        assert_int_equal(u.out->bus_cyc, 1);
        long first = u.now;
        u.in.uart_rx = 0;
        edges(&u, 4);
        u.in.uart_rx = 1;
        while (u.now <= first + 2 + 2 + 36) {
            assert_int_equal(u.out->bus_cyc, 1);
            edge(&u);
        }
        assert_int_equal(u.out->bus_cyc, 0);
        u.acks = true;
        edges(&u, 10);
        assert_int_equal(faults(&u), 2);
        assert_int_equal(u.n_accesses, 1);
        close_unit(&u);
    }
}

/* They are taken in order when the access is done. */
static void test_waiting(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 16, 20);
    u.acks = false;
    send_head(&u, WRITE_NEXT, 1, 9);
    send_word(&u, 1);
    send_head(&u, WRITE_NEXT, 1, 10);
    send_word(&u, 0x02030405);
    send_head(&u, READ_SAME, 1, 11);
    u.acks = true;
    settle(&u);
    assert_int_equal(u.n_accesses, 3);
    expect_access(&u, 1, true, 10, 0x02030405);
    expect_access(&u, 2, false, 11, 0);
    assert_int_equal(u.n_answers, 4);
    /* the acknowledge, six bytes of nine edges each, and it begins */
    assert_int_equal(u.access[2].at - u.access[1].at, 1 + 6 * 9 + 1);
    close_unit(&u);
}

/* So many edges after that on which its byte arrived the bridge gives up. */
static void test_silence(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 8);
    u.acks = false;
    send_head(&u, READ_NEXT, 1, 9); /* the last arrives with two edges to go */
    long arrived = u.now - 40 + 2 + 2 + 36;
    while (u.now < arrived + 256 + 1) {
        edge(&u);
        assert_int_equal(u.out->bus_cyc, u.now > arrived + 11);
    }
    edge(&u);
    assert_int_equal(u.out->bus_cyc, 0);
    u.acks = true;
    edges(&u, 10);
    assert_int_equal(faults(&u), 4);
    /* The byte is taken two edges after it arrives, and the silence begins: 256
     * edges later it is a time-out, unless another byte arrives before. */
    for (int late = 0; late < 2; late++) {
        write_word(&u, CONTROL, 0);
        int n = u.n_answers;
        send(&u, READ_SAME);
        edges(&u, 2 + 256 + late - 40);
        send(&u, 1);
        send_word(&u, 5);
        settle(&u);
        assert_int_equal(u.n_answers, late ? n : n + 4);
        if (late)
            edges(&u, 300);
        assert_int_equal(faults(&u), late ? 4 : 0);
    }
    close_unit(&u);
}

/* Between commands there may be any silence, and while an answer goes out. */
static void test_no_silence(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 4, 7);
    edges(&u, 1000);
    send_head(&u, READ_SAME, 20, 5);
    edges(&u, 20 * 170);
    assert_int_equal(u.n_answers, 80);
    edges(&u, 1000);
    assert_int_equal(faults(&u), 0);
    close_unit(&u);
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {
        "uartbone.clocks=3",        "uartbone.clocks=16385",
        "uartbone.queue=2",         "uartbone.queue=6",
        "uartbone.queue=1024",      "uartbone.adr_bits=0",
        "uartbone.adr_bits=30",     "uartbone.timeout_log2=3",
        "uartbone.timeout_log2=31",
    };
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_answer),
        cmocka_unit_test(test_access),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_address),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_transcript),
        cmocka_unit_test(test_transcript_of_answers),
        cmocka_unit_test(test_glitch),
        cmocka_unit_test(test_skew),
        cmocka_unit_test(test_framing),
        cmocka_unit_test(test_failure_in_answer),
        cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_no_silence),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
