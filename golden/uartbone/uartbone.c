/* uartbone.c - golden model of the serial line as the master of a register bus.
 *
 * Written from docs/blocks/uartbone.md, in its order.  Every part looks at the
 * state before the edge; only take and answer move what a later part reads, and
 * the transmitter's own step comes before a byte is given to it.
 */
#include "uartbone.h"

#include "base/bits.h"
#include "blocks/uartbone.h"
#include "frame/model.h"

#include <string.h>

enum { MAX_QUEUE = 512, ID = 0x4e445001 };
enum { WRITE_NEXT = 1, READ_NEXT, WRITE_SAME, READ_SAME }; /* commands */
enum { FRAMING = 1, OVERRUN = 2, SILENT = 4 };             /* faults */
enum { OWN_ID, OWN_CONTROL, OWN_TRANSCRIPT };              /* own registers */
enum state { COMMAND, LENGTH, ADDRESS, DATA, BUS, ANSWER };

static const uint32_t polynomial = 0xedb88320; /* of CRC-32, reflected */

/* The memory has a place less than QUEUE; the last is the output register. */
struct bytes {
    uint8_t byte[MAX_QUEUE];
    int head, count, depth;
    uint8_t out;
    bool out_valid;
};

struct uartbone {
    struct golden base;
    struct uartbone_local l;

    bool s1, line;
    struct {
        bool receiving, broken;
        int timer, bit;
        uint8_t shift;
    } rx;
    struct bytes queue;
    uint32_t silence;
    uint32_t silence_top; /* its top bit */

    enum state state;
    uint8_t cmd, length;
    uint32_t address; /* 30 bits */
    int count;
    uint32_t word;
    int stirring;
    uint32_t sum;
    unsigned faults;
    int hold;

    struct {
        bool line;
        int sending, timer;
        unsigned shift;
        bool fresh; /* became free on the last edge, for a cover point */
    } tx;
    bool began; /* the access began on the last edge, for a cover point */
    bool more;  /* the command had words before this one, the same */
    struct uartbone_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct uartbone *n = (struct uartbone *)g;

    n->l = uartbone_local(c);
    n->silence_top = (uint32_t)1 << n->l.TIMEOUT_W;
}

static void reset(struct golden *g) {
    struct uartbone *n = (struct uartbone *)g;

    n->s1 = n->line = true;
    memset(&n->rx, 0, sizeof n->rx);
    memset(&n->queue, 0, sizeof n->queue);
    n->queue.depth = n->l.QUEUE - 1;
    n->silence = 0;
    n->state = COMMAND;
    n->cmd = n->length = 0;
    n->address = n->word = 0;
    n->count = n->stirring = n->hold = 0;
    n->sum = 0xffffffff;
    n->faults = 0;
    memset(&n->tx, 0, sizeof n->tx);
    n->tx.line = true;
    n->began = n->more = false;
    n->out.uart_tx = 1;
}

/* --- the line ------------------------------------------------------------- */

struct heard {
    bool arrives, framing;
    uint8_t byte;
};

/* A timer ran out: look at the bit. */
static struct heard receive_bit(struct uartbone *n) {
    struct heard heard = {0};
    int bit = n->rx.bit++;

    n->rx.timer = n->l.CLOCKS - 1;
    if (bit == 0) {
        n->rx.receiving = !n->line;
        hit_if(n, n->line, UARTBONE_COV_glitch);
    } else if (bit <= 8) {
        n->rx.shift = (uint8_t)(n->line << 7 | n->rx.shift >> 1);
    } else {
        n->rx.receiving = false;
        n->rx.broken = !n->line;
        heard.arrives = n->line;
        heard.framing = !n->line;
        heard.byte = n->rx.shift;
    }
    return heard;
}

static struct heard receive(struct uartbone *n) {
    struct heard nothing = {0};

    if (n->rx.receiving && n->rx.timer == 0)
        return receive_bit(n);
    if (n->rx.receiving) {
        n->rx.timer--;
    } else if (n->rx.broken) {
        n->rx.broken = !n->line;
    } else if (!n->line) {
        n->rx.receiving = true;
        n->rx.bit = 0;
        n->rx.timer = n->l.CLOCKS / 2 - 1;
    }
    return nothing;
}

/* What the transmitter does by itself. */
static void transmit(struct uartbone *n) {
    n->tx.fresh = false;
    if (n->tx.sending == 0)
        return;
    if (n->tx.timer > 0) {
        n->tx.timer--;
        return;
    }
    n->tx.sending--;
    n->tx.timer = n->l.CLOCKS - 1;
    n->tx.line = n->tx.shift & 1;
    n->tx.shift = n->tx.shift >> 1 | 0x100;
    n->tx.fresh = n->tx.sending == 0;
}

static void send(struct uartbone *n, uint8_t byte) {
    n->tx.line = false;
    n->tx.sending = 10;
    n->tx.timer = n->l.CLOCKS - 1;
    n->tx.shift = 0x100u | byte;
}

/* --- the queue ------------------------------------------------------------ */

static bool can_push(const struct bytes *q) {
    return q->count < q->depth;
}

static void clear(struct bytes *q) {
    q->count = 0;
    q->out_valid = false;
}

static void queue_step(struct bytes *q, bool pop, const struct heard *heard) {
    bool load = q->count > 0 && (!q->out_valid || pop);
    int tail = (q->head + q->count) % MAX_QUEUE;

    if (load) {
        q->out = q->byte[q->head];
        q->head = (q->head + 1) % MAX_QUEUE;
        q->count--;
    }
    q->out_valid = load || (q->out_valid && !pop);
    if (heard->arrives) {
        q->byte[tail] = heard->byte;
        q->count++;
    }
}

/* --- commands ------------------------------------------------------------- */

static bool writes(const struct uartbone *n) {
    return n->cmd == WRITE_NEXT || n->cmd == WRITE_SAME;
}

static bool reads(const struct uartbone *n) {
    return n->cmd == READ_NEXT || n->cmd == READ_SAME;
}

static void stir(struct uartbone *n, uint8_t byte) {
    n->sum ^= byte;
    n->stirring = 8;
}

/* The fourth byte of an address has come. */
static enum state after_address(struct uartbone *n) {
    bool known = writes(n) || reads(n);

    hit_if(n, n->length == 0, UARTBONE_COV_none);
    hit_if(n, !known, UARTBONE_COV_unknown);
    n->more = false;
    if (n->length == 0 || !known)
        return COMMAND;
    return writes(n) ? DATA : BUS;
}

static void take(struct uartbone *n, uint8_t byte) {
    stir(n, byte);
    if (n->state == COMMAND) {
        n->cmd = byte;
        n->state = LENGTH;
        return;
    }
    if (n->state == LENGTH) {
        n->length = byte;
        n->state = ADDRESS;
        return;
    }
    bool last = n->count == 3;
    n->count = (n->count + 1) % 4;
    if (n->state == ADDRESS) {
        n->address = (n->address << 8 | byte) & (uint32_t)ones(30);
        if (last)
            n->state = after_address(n);
    } else {
        n->word = n->word << 8 | byte;
        if (last)
            n->state = BUS;
    }
}

/* A word has been written or read. */
static void done(struct uartbone *n) {
    hit_if(n, n->more && n->cmd == WRITE_NEXT, UARTBONE_COV_write_next);
    hit_if(n, n->more && n->cmd == WRITE_SAME, UARTBONE_COV_write_same);
    hit_if(n, n->more && n->cmd == READ_NEXT, UARTBONE_COV_read_next);
    hit_if(n, n->more && n->cmd == READ_SAME, UARTBONE_COV_read_same);
    n->more = true;
    if (n->cmd == WRITE_NEXT || n->cmd == READ_NEXT)
        n->address = (n->address + 1) & (uint32_t)ones(30);
    if (reads(n)) {
        n->state = ANSWER;
        return;
    }
    n->state = n->length == 1 ? COMMAND : DATA;
    n->length--;
}

static uint32_t own_value(const struct uartbone *n) {
    switch (n->address & 3) {
    case OWN_ID:
        return ID;
    case OWN_CONTROL:
        return (uint32_t)n->l.CLOCKS << 16 | n->faults;
    case OWN_TRANSCRIPT:
        return n->sum;
    default:
        return 0;
    }
}

static void own_access(struct uartbone *n) {
    int number = n->address & 3;

    if (reads(n)) {
        n->word = own_value(n);
        hit_if(n, number == OWN_TRANSCRIPT, UARTBONE_COV_own_transcript);
    } else if (number == OWN_CONTROL) {
        n->faults = 0;
        n->sum = 0xffffffff;
        if (n->word & 1)
            n->hold = 8;
        hit_if(n, true, UARTBONE_COV_own_write);
        hit_if(n, n->word & 1, UARTBONE_COV_own_reset);
    }
    done(n);
}

static void drop_bus(struct uartbone *n) {
    struct uartbone_out *o = &n->out;

    o->bus_cyc = o->bus_stb = o->bus_we = o->bus_sel = 0;
    o->bus_adr = o->bus_dat_w = 0;
}

static void bus_access(struct uartbone *n, const struct uartbone_in *in) {
    struct uartbone_out *o = &n->out;
    bool late = !n->began;

    n->began = false;
    if (!o->bus_cyc) {
        o->bus_cyc = o->bus_stb = 1;
        o->bus_we = writes(n);
        o->bus_adr = n->address & ones(n->l.ADR_W);
        o->bus_dat_w = o->bus_we ? n->word : 0;
        o->bus_sel = 15;
        n->began = true;
    } else if (in->bus_ack & 1) {
        hit_if(n, late, UARTBONE_COV_slow);
        drop_bus(n);
        if (reads(n))
            n->word = (uint32_t)in->bus_dat_r;
        done(n);
    }
}

/* The transmitter is free. */
static void answer(struct uartbone *n, bool fresh) {
    uint8_t byte = n->word >> 24;

    hit_if(n, fresh, UARTBONE_COV_back_to_back);
    send(n, byte);
    stir(n, byte);
    n->word <<= 8;
    n->count = (n->count + 1) % 4;
    if (n->count != 0)
        return;
    n->state = n->length == 1 ? COMMAND : BUS;
    n->length--;
}

static void fail(struct uartbone *n, unsigned faults) {
    hit_if(n, faults & FRAMING, UARTBONE_COV_framing);
    hit_if(n, faults & OVERRUN, UARTBONE_COV_overrun);
    hit_if(n, faults & SILENT && n->state > COMMAND && n->state < BUS,
           UARTBONE_COV_silence);
    hit_if(n, faults & SILENT && n->out.bus_cyc, UARTBONE_COV_stuck);
    n->state = COMMAND;
    n->count = n->stirring = 0;
    n->faults |= faults;
    clear(&n->queue);
    drop_bus(n);
}

/* An edge without a failure.  True if the queue's byte is taken. */
static bool work(struct uartbone *n, const struct uartbone_in *in, bool free,
                 bool fresh) {
    if (n->stirring > 0) {
        n->stirring--;
        n->sum = n->sum >> 1 ^ (n->sum & 1 ? polynomial : 0);
        return false;
    }
    if (n->state == ANSWER) {
        if (free)
            answer(n, fresh);
        return false;
    }
    if (n->state != BUS) {
        bool got = n->queue.out_valid;
        if (got)
            take(n, n->queue.out);
        return got;
    }
    if (n->address >> 29)
        own_access(n);
    else
        bus_access(n, in);
    return false;
}

/* --- an edge -------------------------------------------------------------- */

/* Silence after an edge in that state. */
static uint32_t next_silence(const struct uartbone *n, bool arrives, bool ack) {
    if (n->silence & n->silence_top || arrives)
        return 0;
    if (n->state == COMMAND || n->state == ANSWER || (n->state == BUS && ack))
        return 0;
    return n->silence + 1;
}

static void edge(struct golden *g, const void *ports) {
    struct uartbone *n = (struct uartbone *)g;
    const struct uartbone_in *in = ports;
    bool free = n->tx.sending == 0, fresh = n->tx.fresh;
    struct heard heard = receive(n);
    uint32_t silence = next_silence(n, heard.arrives, in->bus_ack & 1);
    unsigned faults = (heard.framing ? FRAMING : 0) |
                      (heard.arrives && !can_push(&n->queue) ? OVERRUN : 0) |
                      (n->silence & n->silence_top ? SILENT : 0);

    hit_if(n, n->state == ANSWER && n->queue.out_valid, UARTBONE_COV_behind);
    if (n->hold > 0)
        n->hold--;
    transmit(n);
    if (faults != 0)
        fail(n, faults);
    else
        queue_step(&n->queue, work(n, in, free, fresh), &heard);
    n->silence = silence;
    n->line = n->s1;
    n->s1 = in->uart_rx & 1;
    n->out.uart_tx = n->tx.line;
    n->out.device_rst = n->hold != 0;
}

const struct golden_class uartbone_golden = {
    .iface = &uartbone_iface,
    MODEL_STRUCT(struct uartbone),
    .open = open,
    .reset = reset,
    .edge = edge,
};
