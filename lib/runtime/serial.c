/* serial.c - a machine behind a serial line (port.h): the host's side of the
 * bridge of docs/blocks/uartbone.md, the protocol of LiteX's uartbone.
 *
 * A list of accesses becomes commands, neighbours in bursts.  The bridge does
 * one thing after the other, so both ends know the order of all bytes that are
 * sent and answered, and keep a CRC-32 of them.  The last command of a list
 * reads the bridge's, and only if it is ours is any value given out: a byte
 * lost, doubled or changed, either way, costs the device and never a wrong
 * value.
 *
 * Commands are sent ahead of answers, as many bytes as the bridge surely can
 * keep, so the latency of a USB adapter is not paid for each word.
 */
#define _DEFAULT_SOURCE /* cfmakeraw, rates above 38400, TIOCEXCL, flock */
#include "line_clock.h"
#include "port.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Commands, and the bridge's own registers as word addresses. */
enum { WRITE_NEXT = 1, READ_NEXT, WRITE_SAME, READ_SAME };
enum { OWN = 1 << 29, OWN_CONTROL = OWN + 1, OWN_TRANSCRIPT, OWN_NOTHING };
enum { ID = 0x4e445001, RESET = 1, HEADER = 6 };
static const uint32_t BEGUN = 0xffffffff; /* checksum of nothing */

enum {
    AHEAD = 200,      /* bytes sent beyond a read that is not all answered: they
                        wait in the bridge, whose queue has 255 on a board */
    BURST_MS = 50,    /* the longest burst, as LiteX's host has it: its bridge
                        forgets a command that takes more than 100 ms */
    PACE = 32,        /* edges that lie between any two accesses: the checksum
                        takes 9 for a byte, a word has 4, a command 6 more */
    POLL_MS = 2,      /* a list of pauses alone */
    TRIES = 5,        /* to open */
    BREAK_MS = 20,    /* longer than a byte at 9600 baud */
    BABBLE_MS = 2000, /* until a line that never falls silent is given up */
    LOOK_MS = 10      /* until a simulation's clock is looked at again */
};

struct serial_port {
    struct ndp_port base;
    int fd;
    char *path;
    uint32_t baud;
    struct termios before;   /* as the terminal was */
    uint32_t clocks;         /* of a bit, the bridge says */
    uint32_t sum;            /* of all since control was written */
    size_t longest;          /* words of a burst */
    int patience;            /* ms without a byte after which nobody is there */
    struct line_clock clock; /* these are of it */
};

/* --- what is said --------------------------------------------------------- */

/* A read that is sent. */
struct question {
    size_t end;   /* of its command, in out */
    size_t words; /* of its answer */
    int first;    /* access that it answers, the next ones follow; -1: none */
};

struct talk {
    struct text out, in;
    struct question *questions;
    int n, cap;
    size_t expected; /* bytes of all answers */
};

static void talk_free(struct talk *t) {
    text_free(&t->out);
    text_free(&t->in);
    free(t->questions);
}

static void put_word(struct text *t, uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8)
        text_addc(t, (char)(word >> shift));
}

static uint32_t get_word(const struct text *t, size_t at) {
    const unsigned char *b = (const unsigned char *)text_str(t) + at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           b[3];
}

static void put_command(struct talk *t, int command, size_t words,
                        uint32_t address) {
    text_addc(&t->out, (char)command);
    text_addc(&t->out, (char)words);
    put_word(&t->out, address);
}

static void ask(struct talk *t, int command, size_t words, uint32_t address,
                int first) {
    put_command(t, command, words, address);
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 64;
        t->questions =
            xrealloc(t->questions, (size_t)t->cap * sizeof *t->questions);
    }
    t->questions[t->n++] = (struct question){t->out.len, words, first};
    t->expected += 4 * words;
}

static uint32_t stir(uint32_t sum, const struct text *t, size_t from,
                     size_t to) {
    for (size_t i = from; i < to; i++) {
        sum ^= (unsigned char)t->data[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return sum;
}

/* The sum over what was sent from byte from on, and the answers, in the
 * bridge's order.  True if the last answer, of the bridge's transcript, is what
 * the sum was before it. */
static bool agree(struct serial_port *p, const struct talk *t, size_t from) {
    size_t got = 0;
    bool same = false;
    for (int i = 0; i < t->n; i++) {
        const struct question *q = &t->questions[i];
        p->sum = stir(p->sum, &t->out, from, q->end);
        from = q->end;
        same = get_word(&t->in, got) == p->sum;
        p->sum = stir(p->sum, &t->in, got, got + 4 * q->words);
        got += 4 * q->words;
    }
    return same;
}

/* --- the line ------------------------------------------------------------- */

enum heard {
    HEARD,     /* all answers, nothing else */
    SILENT,    /* not one byte of them */
    SHORT,     /* fewer */
    LONG,      /* more */
    HUNG_UP,   /* nobody holds the other end, or the adapter is gone */
    DISTURBED, /* as many as expected, of another checksum */
    STRANGE    /* another id */
};

static int64_t line_ms(const struct serial_port *p, size_t bytes) {
    return (int64_t)(bytes * 10000 / p->baud + 1);
}

/* -1: the other end is gone. */
static ssize_t take(struct serial_port *p, char *buffer, size_t n) {
    ssize_t got = read(p->fd, buffer, n);
    if (got > 0)
        return got;
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

static ssize_t give(struct serial_port *p, const struct text *t, size_t from,
                    size_t to) {
    ssize_t sent = write(p->fd, t->data + from, to - from);
    if (sent >= 0)
        return sent;
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

/* How far the exchange is. */
struct progress {
    size_t sent;
    int done;        /* questions whose answers have come */
    size_t answered; /* bytes of these answers */
};

/* Bytes that may be sent by now: AHEAD beyond a question without its answer. */
static size_t may_send(const struct talk *t, const struct progress *g) {
    size_t end = t->out.len;
    if (g->done < t->n && t->questions[g->done].end + AHEAD < end)
        end = t->questions[g->done].end + AHEAD;
    return end;
}

static void advance(const struct talk *t, struct progress *g) {
    while (g->done < t->n &&
           g->answered + 4 * t->questions[g->done].words <= t->in.len)
        g->answered += 4 * t->questions[g->done++].words;
}

/* Until when something must happen: what is on its way takes its time on the
 * line, answers that are due too. */
static int64_t deadline(struct serial_port *p, const struct talk *t,
                        const struct progress *g) {
    size_t bytes = g->sent, due = 0;
    if (g->done)
        bytes -= t->questions[g->done - 1].end;
    for (int i = g->done; i < t->n && t->questions[i].end <= g->sent; i++)
        due += 4 * t->questions[i].words;
    return line_clock_now(&p->clock) + p->patience + line_ms(p, bytes + due);
}

static enum heard lacking(const struct talk *t) {
    return t->in.len ? SHORT : SILENT;
}

/* poll until then on the line's clock.  That of a simulation is looked at before
 * the line: what it had sent by then is there. */
static int wait_for(struct serial_port *p, struct pollfd *f, int64_t end) {
    for (;;) {
        int64_t left = end - line_clock_now(&p->clock);
        if (line_clock_stands(&p->clock))
            left = 0;
        int wait = p->clock.simulated && left > LOOK_MS ? LOOK_MS : (int)left;
        int ready = poll(f, 1, left > 0 ? wait : 0);
        if (ready != 0 || left <= 0)
            return ready;
    }
}

static enum heard exchange(struct serial_port *p, struct talk *t) {
    struct progress g = {0};
    int64_t end = deadline(p, t, &g);
    while (g.sent < t->out.len || t->in.len < t->expected) {
        size_t until = may_send(t, &g);
        struct pollfd f = {p->fd, POLLIN, 0};
        if (g.sent < until)
            f.events |= POLLOUT;
        int ready = wait_for(p, &f, end);
        if (ready == 0)
            return lacking(t);
        if (ready < 0)
            continue; /* EINTR: nothing else can be wrong */
        if (f.revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) {
            char buffer[1024];
            ssize_t n = take(p, buffer, sizeof buffer);
            if (n < 0)
                return HUNG_UP;
            text_addn(&t->in, buffer, (size_t)n);
            if (t->in.len > t->expected)
                return LONG;
            advance(t, &g);
        }
        if (f.revents & POLLOUT) {
            ssize_t n = give(p, &t->out, g.sent, until);
            if (n < 0)
                return HUNG_UP;
            g.sent += (size_t)n;
        }
        if (f.revents)
            end = deadline(p, t, &g);
    }
    return HEARD;
}

/* --- accesses ------------------------------------------------------------- */

/* Edges of the pauses that follow each other from list[i] on. */
static uint64_t pauses(const struct ndp_access *list, int i, int n, int *next) {
    uint64_t edges = 0;
    for (; i < n && list[i].kind == NDP_IDLE; i++)
        edges += list[i].data;
    *next = i;
    return edges;
}

/* The accesses from list[i] on that one burst can do; pauses between them that
 * the bridge needs anyhow are passed over.  *next: the first that it does not
 * do. */
static size_t gather(const struct ndp_access *list, int i, int n, size_t most,
                     uint32_t *step, int *next) {
    const struct ndp_access *a = &list[i];
    size_t words = 1;
    *step = 1;
    *next = i + 1;
    for (int k = i + 1; k < n && words < most; k++) {
        if (pauses(list, k, n, &k) > PACE || k == n || list[k].kind != a->kind)
            break;
        const struct ndp_access *b = &list[k];
        if (words == 1 && b->address == a->address)
            *step = 0;
        if (b->address != a->address + (uint32_t)words * *step)
            break;
        words++;
        *next = k + 1;
    }
    return words;
}

/* A pause on the machine's own clock: answers of a register that is nothing,
 * four bytes a word.  All but the first byte wait for the one before it. */
static void pause_for(const struct serial_port *p, struct talk *t,
                      uint64_t edges) {
    size_t words = (edges / (10 * p->clocks) + 5) / 4;
    while (words > 0) {
        size_t now = words < p->longest ? words : p->longest;
        ask(t, READ_SAME, now, OWN_NOTHING, -1);
        words -= now;
    }
}

static void say(const struct serial_port *p, struct talk *t,
                const struct ndp_access *list, int n) {
    for (int i = 0, next; i < n; i = next) {
        uint32_t step;
        next = i + 1;
        if (list[i].kind == NDP_IDLE) {
            uint64_t edges = pauses(list, i, n, &next);
            if (edges > PACE)
                pause_for(p, t, edges);
            continue;
        }
        size_t words = gather(list, i, n, p->longest, &step, &next);
        if (list[i].kind == NDP_READ) {
            ask(t, step ? READ_NEXT : READ_SAME, words, list[i].address, i);
            continue;
        }
        put_command(t, step ? WRITE_NEXT : WRITE_SAME, words, list[i].address);
        for (int k = i; k < next; k++)
            if (list[k].kind == NDP_WRITE)
                put_word(&t->out, list[k].data);
    }
}

static void use(const struct talk *t, struct ndp_access *list) {
    size_t at = 0;
    for (int i = 0; i < t->n; i++) {
        const struct question *q = &t->questions[i];
        struct ndp_access *a = q->first < 0 ? NULL : &list[q->first];
        for (size_t k = 0; k < q->words; k++, at += 4) {
            while (a && a->kind != NDP_READ)
                a++;
            if (a)
                a++->data = get_word(&t->in, at);
        }
    }
}

static void explain(const struct serial_port *p, const struct talk *t,
                    enum heard h, struct text *why) {
    switch (h) {
    case HEARD:
    case STRANGE: /* when it is opened */
        break;
    case SILENT:
    case SHORT:
        text_printf(why,
                    "the line '%s' fell silent, %zu bytes of %zu were answered",
                    p->path, t->in.len, t->expected);
        break;
    case LONG:
        text_printf(why,
                    "the line '%s' is disturbed, more than the %zu bytes came "
                    "that were asked for",
                    p->path, t->expected);
        break;
    case HUNG_UP:
        text_printf(why, "'%s' hung up", p->path);
        break;
    case DISTURBED:
        text_printf(why,
                    "the line '%s' is disturbed, the checksums of its ends "
                    "differ",
                    p->path);
        break;
    }
}

static bool is_pause(const struct ndp_access *list, int n) {
    for (int i = 0; i < n; i++)
        if (list[i].kind != NDP_IDLE)
            return false;
    return true;
}

/* Who waits for the machine asks, pauses, and asks again: nothing but a pause
 * takes a while of the wall's clock too, since the machine runs by itself and a
 * question takes about as long on the line. */
static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    struct serial_port *p = (struct serial_port *)port;
    struct talk t = {0};
    enum heard h = HEARD;
    if (is_pause(list, n))
        poll(NULL, 0, POLL_MS);
    say(p, &t, list, n);
    if (t.out.len) {
        ask(&t, READ_NEXT, 1, OWN_TRANSCRIPT, -1);
        h = exchange(p, &t);
        if (h == HEARD && !agree(p, &t, 0))
            h = DISTURBED;
    }
    if (h == HEARD)
        use(&t, list);
    else
        port->line_failed = true;
    explain(p, &t, h, why);
    talk_free(&t);
    return h == HEARD;
}

/* --- open ----------------------------------------------------------------- */

static const struct rate {
    uint32_t baud;
    speed_t speed;
} rates[] = {
    {9600, B9600},       {19200, B19200},     {38400, B38400},
    {57600, B57600},     {115200, B115200},   {230400, B230400},
    {460800, B460800},   {500000, B500000},   {576000, B576000},
    {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
    {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000},
    {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000},
};

static const struct rate *find_rate(const char *text, struct text *why) {
    size_t n = sizeof rates / sizeof *rates;
    for (size_t i = 0; i < n; i++) {
        char digits[16];
        snprintf(digits, sizeof digits, "%u", (unsigned)rates[i].baud);
        if (strcmp(text, digits) == 0)
            return &rates[i];
    }
    text_printf(why, "no baud rate '%s', expected one of", text);
    for (size_t i = 0; i < n; i++)
        text_printf(why, "%s %u", i ? "," : "", (unsigned)rates[i].baud);
    return NULL;
}

/* PATH or PATH@BAUD; an '@' before anything but a digit belongs to the path. */
static const struct rate *split(const char *what, struct text *path,
                                struct text *why) {
    const char *at = strrchr(what, '@');
    if (at && !(at[1] >= '0' && at[1] <= '9'))
        at = NULL;
    text_addn(path, what, at ? (size_t)(at - what) : strlen(what));
    if (path->len == 0) {
        text_add(why, "no terminal, expected serial:TTY such as "
                      "'serial:/dev/ttyUSB0'");
        return NULL;
    }
    return find_rate(at ? at + 1 : "1000000", why);
}

static bool open_line(struct serial_port *p, struct text *why) {
    p->fd = open(p->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (p->fd < 0) {
        bool busy = errno == EBUSY;
        text_printf(why, "cannot open '%s': %s%s", p->path,
                    busy ? "another program uses it" : strerror(errno),
                    errno == EACCES ? ", is its group (dialout) yours?" : "");
        return false;
    }
    if (tcgetattr(p->fd, &p->before) != 0)
        text_printf(why, "'%s' is no terminal", p->path);
    else if (flock(p->fd, LOCK_EX | LOCK_NB) != 0) /* for root, too */
        text_printf(why, "cannot open '%s': another program uses it", p->path);
    if (why->len == 0) {
        ioctl(p->fd, TIOCEXCL);
        return true;
    }
    close(p->fd);
    return false;
}

/* Eight bits, no parity, one stop bit, and nothing done to any byte. */
static bool make_raw(struct serial_port *p, speed_t speed, struct text *why) {
    struct termios t = p->before, got;
    cfmakeraw(&t);
    t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS | HUPCL);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cc[VMIN] = 1; /* so that a read of nothing is the end */
    t.c_cc[VTIME] = 0;
    cfsetispeed(&t, speed);
    cfsetospeed(&t, speed);
    if (tcsetattr(p->fd, TCSANOW, &t) == 0 && tcgetattr(p->fd, &got) == 0 &&
        cfgetospeed(&got) == speed)
        return true;
    text_printf(why, "'%s' does not go at %u baud", p->path, (unsigned)p->baud);
    return false;
}

/* What comes is thrown away until nothing came for so long. */
static enum heard fall_silent(struct serial_port *p, int ms) {
    int64_t given_up = line_clock_now(&p->clock) + BABBLE_MS, now;
    while ((now = line_clock_now(&p->clock)) < given_up) {
        char buffer[1024];
        struct pollfd f = {p->fd, POLLIN, 0};
        int ready = wait_for(p, &f, now + ms);
        if (ready == 0)
            return HEARD;
        if (ready > 0 && take(p, buffer, sizeof buffer) < 0)
            return HUNG_UP;
    }
    return LONG;
}

/* A break is a framing error, after which the bridge knows of no command.  On a
 * pseudo-terminal there is none: the silence does it, if it is long enough. */
static enum heard resynchronise(struct serial_port *p, int silence) {
    if (ioctl(p->fd, TIOCSBRK) == 0) {
        poll(NULL, 0, BREAK_MS);
        ioctl(p->fd, TIOCCBRK);
    }
    tcflush(p->fd, TCIOFLUSH);
    return fall_silent(p, silence);
}

/* Who is there?  Only a read, in case that it is somebody else's. */
static enum heard ask_id(struct serial_port *p, uint32_t *id) {
    struct talk t = {0};
    ask(&t, READ_NEXT, 1, OWN, -1);
    enum heard h = exchange(p, &t);
    if (t.in.len >= 4)
        *id = get_word(&t.in, 0);
    if (h == HEARD && *id != ID)
        h = STRANGE;
    talk_free(&t);
    return h;
}

/* Reset the device and begin the sums.  The address bits that do not choose a
 * register are different each time, so a late answer to another try is none to
 * this. */
static enum heard begin(struct serial_port *p) {
    struct talk t = {0};
    int64_t from = line_clock_now(&p->clock);
    uint32_t mark = (uint32_t)from & 0xffffff;
    put_command(&t, WRITE_NEXT, 1, OWN_CONTROL);
    put_word(&t.out, RESET);
    size_t begun = t.out.len;
    ask(&t, READ_NEXT, 1, OWN | mark << 2, -1);
    ask(&t, READ_NEXT, 1, OWN_CONTROL, -1);
    ask(&t, READ_NEXT, 1, OWN_TRANSCRIPT, -1);
    enum heard h = exchange(p, &t);
    p->sum = BEGUN;
    if (h == HEARD && (!agree(p, &t, begun) || get_word(&t.in, 0) != ID))
        h = DISTURBED;
    if (h == HEARD) {
        p->clocks = get_word(&t.in, 4) >> 16;
        if (p->clocks < 4) /* it cannot be: the longest pauses then */
            p->clocks = 4;
        int64_t took = line_clock_now(&p->clock) - from;
        p->patience = took > 1000 ? 20000 : 20 * (int)took;
    }
    talk_free(&t);
    return h;
}

static void explain_none(const struct serial_port *p, enum heard h, uint32_t id,
                         struct text *why) {
    const char *path = p->path;
    unsigned baud = p->baud;
    if (h == HUNG_UP)
        text_printf(why, "'%s' hung up", path);
    else if (id == ID)
        text_printf(why, "the line '%s' is too disturbed at %u baud", path,
                    baud);
    else if (h == SILENT)
        text_printf(why,
                    "no answer on '%s' at %u baud; is the bitstream loaded?",
                    path, baud);
    else if (h == STRANGE)
        text_printf(why,
                    "what answers on '%s' at %u baud is no bridge of ndpgen: "
                    "its id is 0x%08x, expected 0x%08x",
                    path, baud, (unsigned)id, (unsigned)ID);
    else
        text_printf(why,
                    "what answers on '%s' at %u baud is no bridge of ndpgen, "
                    "or goes at another baud rate",
                    path, baud);
}

/* Each try waits longer: an adapter, or a simulation, may be slow. */
static bool meet(struct serial_port *p, const struct ndp_serial_times *times,
                 struct text *why) {
    static const struct ndp_serial_times simulation = {2, 20};
    enum heard worst = SILENT;
    uint32_t id = 0;
    if (p->clock.simulated)
        times = &simulation;
    for (int i = 0; i < TRIES; i++) {
        int silence = times->silence << (i < 3 ? i : 3);
        p->patience = times->patience << (i < 2 ? i : 2);
        enum heard h = resynchronise(p, silence);
        if (h == HEARD)
            h = ask_id(p, &id);
        if (h == HEARD)
            h = begin(p);
        if (h == HEARD) {
            if (p->patience < 2 * times->patience)
                p->patience = 2 * times->patience;
            return true;
        }
        if (h == HUNG_UP) {
            worst = h;
            break;
        }
        if (h != SILENT)
            worst = h;
    }
    explain_none(p, worst, id, why);
    return false;
}

/* --- port ----------------------------------------------------------------- */

static void forget(struct serial_port *p) {
    free(p->path);
    free(p);
}

/* What is still to be sent is thrown away: a terminal waits for it else. */
static void close_port(struct ndp_port *port) {
    struct serial_port *p = (struct serial_port *)port;
    tcflush(p->fd, TCIOFLUSH);
    tcsetattr(p->fd, TCSANOW, &p->before);
    ioctl(p->fd, TIOCNXCL);
    close(p->fd);
    forget(p);
}

static const struct ndp_port_class serial_class = {.run = run,
                                                   .close = close_port};

struct ndp_port *ndp_serial_open(const char *what,
                                 const struct ndp_serial_times *times,
                                 struct text *why) {
    static const struct ndp_serial_times board = {60, 250};
    struct text path = {0};
    const struct rate *rate = split(what, &path, why);
    if (!rate) {
        text_free(&path);
        return NULL;
    }
    struct serial_port *p = xcalloc(1, sizeof *p);
    p->base.class = &serial_class;
    p->path = path.data;
    p->baud = rate->baud;
    p->longest = (size_t)(p->baud / 10 * BURST_MS / 1000 - HEADER) / 4;
    if (p->longest > 255)
        p->longest = 255;
    if (!open_line(p, why)) {
        forget(p);
        return NULL;
    }
    line_clock_open(&p->clock, p->fd, p->baud);
    if (!make_raw(p, rate->speed, why) ||
        !meet(p, times ? times : &board, why)) {
        close_port(&p->base);
        return NULL;
    }
    return &p->base;
}
