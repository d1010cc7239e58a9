/* test_serial.c - machines behind a serial line: a bridge of this file's own,
 * written from docs/blocks/uartbone.md, sits in a child process at the other
 * end of a pseudo-terminal, with a golden machine or plain memory behind it.
 * The line drops, doubles and changes bytes by a seed.
 *
 *     test_serial --serve [SEED ONE_IN]
 *
 * serves golden:tiny instead, and prints the terminal's name.  One byte in
 * ONE_IN is disturbed, either way; 0: none. */
#define _DEFAULT_SOURCE /* usleep */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/golden_port.h"
#include "runtime/line_clock.h"
#include "runtime/runtime.h"
#include "tests/common/kernel_image.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum {
    QUEUE = 255,
    CLOCKS = 4,
    WORDS = 64,
    LOG = 4096,
    SEEDS = 64,
    WORKERS = 8
};

/* --- the bridge ----------------------------------------------------------- */

struct plan {
    bool is_memory;                        /* behind it; else golden:tiny */
    uint32_t id;                           /* 0: the right one */
    uint32_t seed, to_bridge, from_bridge; /* one byte in so many is disturbed;
                                              0: none */
    long last;       /* hangs up after so many bytes; 0: never */
    bool mute;       /* says nothing */
    bool garbage;    /* answers, but anything */
    int late;        /* microseconds before an answer */
    int forgets;     /* milliseconds after which half a command is forgotten */
    bool simulated;  /* it tells its time; late ones do not count there */
    long unanswered; /* that many answers come, then none; 0: all */
};

/* What the child tells. */
struct seen {
    long taken, answered; /* bytes */
    int overruns, resets, most_waiting, accesses;
    uint64_t edge[LOG]; /* of each access of the bus */
};

struct bridge {
    struct plan plan;
    struct seen *seen;
    int fd;
    uint8_t queue[QUEUE];
    int waiting;
    uint32_t random[2]; /* to the bridge, from it */
    uint32_t sum, faults;
    uint64_t time;                       /* that it tells, in bytes */
    uint64_t edges, free_at, machine_at; /* free_at: of the transmitter */
    struct ndp_port *machine;
    uint32_t memory[WORDS];
    uint32_t reads; /* of memory */
};

static uint32_t draw(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* What becomes of a byte on its way: none, one or two. */
static int disturb(uint32_t *state, uint32_t one_in, uint8_t *b) {
    if (one_in == 0 || draw(state) % one_in != 0)
        return 1;
    uint32_t what = draw(state);
    if (what % 3 == 0)
        return 0;
    if (what % 3 == 1) {
        b[1] = b[0];
        return 2;
    }
    b[0] ^= (uint8_t)(1u << (what >> 8) % 8);
    return 1;
}

static void stir(struct bridge *b, uint8_t byte) {
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t n = 0; n < 256; n++) {
            uint32_t c = n;
            for (int k = 0; k < 8; k++)
                c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
            table[n] = c;
        }
    b->sum = table[(b->sum ^ byte) & 255] ^ b->sum >> 8;
    b->edges += 9;
}

/* Bytes that have come, as many as fit and want; false: none within ms. */
static bool listen(struct bridge *b, int want, int ms) {
    struct pollfd f = {b->fd, POLLIN, 0};
    uint8_t came[1024];
    if (poll(&f, 1, ms) <= 0)
        return false;
    ssize_t n = read(b->fd, came, (size_t)want);
    if (n <= 0)
        _exit(0); /* nobody will come any more */
    for (ssize_t i = 0; i < n; i++) {
        uint8_t byte[2] = {came[i]};
        int k = disturb(&b->random[0], b->plan.to_bridge, byte);
        for (int j = 0; j < k; j++) {
            if (b->waiting == QUEUE) {
                b->seen->overruns++;
                b->faults |= 2;
                b->waiting = 0;
            }
            b->queue[b->waiting++] = byte[j];
        }
    }
    return true;
}

/* The next byte; -1: it did not come in time. */
static int take(struct bridge *b, bool in_command) {
    for (int ms = 0; b->waiting == 0; ms++) {
        if (in_command && ms > b->plan.forgets) {
            b->faults |= 4;
            return -1;
        }
        if (!listen(b, QUEUE / 2, 1))
            b->edges += 500;
        if (b->plan.simulated)
            line_clock_tell(b->fd, b->time += 100);
    }
    int byte = b->queue[0];
    memmove(b->queue, b->queue + 1, (size_t)--b->waiting);
    if (++b->seen->taken == b->plan.last)
        _exit(0);
    stir(b, (uint8_t)byte);
    return byte;
}

static void answer(struct bridge *b, uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        uint8_t byte[2] = {(uint8_t)(word >> shift)};
        if (b->plan.garbage)
            byte[0] = (uint8_t)draw(&b->random[1]);
        if (b->edges < b->free_at)
            b->edges = b->free_at;
        b->free_at = b->edges + 10 * CLOCKS;
        stir(b, byte[0]);
        b->seen->answered++;
        int n = disturb(&b->random[1], b->plan.from_bridge, byte);
        bool mute = b->plan.mute || (b->plan.unanswered &&
                                     b->seen->answered > b->plan.unanswered);
        if (n && !mute && write(b->fd, byte, (size_t)n) != n)
            _exit(0);
    }
}

static void open_machine(struct bridge *b) {
    struct text why = {0};
    if (b->machine)
        b->machine->class->close(b->machine);
    b->machine = golden_port_open("tiny", &why);
}

/* An access of the bus; a read of memory also tells how many there were. */
static uint32_t access_bus(struct bridge *b, bool write, uint32_t address,
                           uint32_t data) {
    struct text why = {0};
    if (b->seen->accesses < LOG)
        b->seen->edge[b->seen->accesses] = b->edges;
    b->seen->accesses++;
    b->edges += 2;
    if (b->plan.is_memory) {
        uint32_t *word = &b->memory[address % WORDS];
        if (write)
            *word = data;
        return *word + (b->reads += !write) * 1000;
    }
    struct ndp_access list[] = {
        {NDP_IDLE, 0, (uint32_t)(b->edges - b->machine_at)},
        {write ? NDP_WRITE : NDP_READ, address & 0xfff, data}};
    b->machine_at = b->edges;
    b->machine->class->run(b->machine, list, 2, &why);
    text_free(&why);
    return list[1].data;
}

static uint32_t read_own(const struct bridge *b, uint32_t which) {
    return which == 0   ? (b->plan.id ? b->plan.id : 0x4e445001)
           : which == 1 ? b->faults | CLOCKS << 16
           : which == 2 ? b->sum
                        : 0;
}

static void write_own(struct bridge *b, uint32_t which, uint32_t data) {
    if (which != 1)
        return;
    b->faults = 0;
    b->sum = 0xffffffff;
    if (data & 1) {
        b->seen->resets++;
        if (!b->plan.is_memory)
            open_machine(b);
    }
}

/* The answer to a read begins; what the host sent ahead has to wait. */
static void keep(struct bridge *b) {
    if (b->plan.late)
        usleep((useconds_t)b->plan.late);
    while (b->plan.late && listen(b, 1024, 0))
        continue;
    if (b->waiting > b->seen->most_waiting)
        b->seen->most_waiting = b->waiting;
}

static void obey(struct bridge *b) {
    uint32_t head[6], address = 0;
    for (int i = 0; i < 6; i++) {
        int byte = take(b, i > 0);
        if (byte < 0)
            return;
        head[i] = (uint32_t)byte;
        if (i > 1)
            address = address << 8 | head[i];
    }
    uint32_t command = head[0];
    bool writes = command == 1 || command == 3;
    if (command < 1 || command > 4)
        return;
    for (uint32_t n = head[1]; n > 0; n--) {
        uint32_t word = 0;
        for (int i = 0; writes && i < 4; i++) {
            int byte = take(b, true);
            if (byte < 0)
                return;
            word = word << 8 | (uint32_t)byte;
        }
        bool own = address >> 29 & 1;
        if (!writes) {
            if (n == head[1])
                keep(b);
            answer(b, own ? read_own(b, address & 3)
                          : access_bus(b, false, address, 0));
        } else if (own) {
            write_own(b, address & 3, word);
        } else {
            access_bus(b, true, address, word);
        }
        address += command < 3;
    }
}

/* The terminal's name in name; the child keeps an end of its own open, so the
 * host may come and go. */
static int make_terminal(char *name, size_t n) {
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0)
        return -1;
    snprintf(name, n, "%s", ptsname(fd));
    return open(name, O_RDWR | O_NOCTTY) < 0 ? -1 : fd;
}

static void serve(struct bridge *b) {
    b->random[0] = 2 * b->plan.seed + 1;
    b->random[1] = 0x9e3779b9 ^ b->plan.seed;
    b->sum = 0xffffffff;
    if (!b->plan.is_memory)
        open_machine(b);
    for (;;)
        obey(b);
}

static int serve_alone(int argc, char **argv) {
    static struct seen seen;
    char name[64];
    struct bridge b = {.seen = &seen, .plan = {.forgets = 30}};
    if (argc > 3) {
        b.plan.seed = (uint32_t)atoi(argv[2]);
        b.plan.to_bridge = b.plan.from_bridge = (uint32_t)atoi(argv[3]);
    }
    if ((b.fd = make_terminal(name, sizeof name)) < 0)
        return 2;
    puts(name);
    fflush(stdout);
    alarm(120);
    serve(&b);
    return 0;
}

/* --- a line to it --------------------------------------------------------- */

struct line {
    pid_t child;
    char name[64];
    struct seen *seen;
};

static void start(struct line *l, const struct plan *plan) {
    int ready[2];
    l->seen = mmap(NULL, sizeof *l->seen, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(l->seen != MAP_FAILED);
    assert_int_equal(pipe(ready), 0);
    l->child = fork();
    if (l->child == 0) {
        struct bridge b = {.plan = *plan, .seen = l->seen};
        char name[64] = "";
        alarm(60);
        close(ready[0]);
        if (!b.plan.forgets)
            b.plan.forgets = 1000;
        if ((b.fd = make_terminal(name, sizeof name)) >= 0 && plan->simulated)
            line_clock_tell(b.fd, 0);
        if (b.fd < 0 ||
            write(ready[1], name, sizeof name) != (ssize_t)sizeof name)
            _exit(2);
        close(ready[1]);
        serve(&b);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], l->name, sizeof l->name), sizeof l->name);
    close(ready[0]);
}

static void stop(struct line *l) {
    kill(l->child, SIGKILL);
    waitpid(l->child, NULL, 0);
    munmap(l->seen, sizeof *l->seen);
}

/* Quick, so that what is lost is soon told; patient for lines on which nothing
 * should be, whatever else the computer has to do. */
static const struct ndp_serial_times quick = {8, 40}, patient = {8, 250};

static struct ndp_port *open_port(const struct line *l) {
    struct text why = {0};
    struct ndp_port *p = ndp_serial_open(l->name, &patient, &why);
    if (!p)
        fail_msg("%s", text_str(&why));
    return p;
}

static void refused(const char *what, const struct ndp_serial_times *times,
                    const char *says) {
    struct text why = {0};
    assert_null(ndp_serial_open(what, times, &why));
    if (!strstr(text_str(&why), says))
        fail_msg("expected '%s', got '%s'", says, text_str(&why));
    text_free(&why);
}

/* --- accesses ------------------------------------------------------------- */

/* A list of anything, neighbours often; answers as memory and its count of
 * reads would give them. */
static int make_list(struct ndp_access *list, int most, uint32_t *random,
                     uint32_t *memory, uint32_t *reads, uint32_t *want) {
    int n = 1 + (int)(draw(random) % (uint32_t)most);
    uint32_t address = 0, step = 0;
    bool write = false;
    for (int i = 0; i < n; i++) {
        if (draw(random) % 8 == 0) {
            address = draw(random) % WORDS;
            step = draw(random) % 3;
            write = draw(random) % 2;
        }
        if (draw(random) % 6 == 0) {
            uint32_t edges = draw(random) % (draw(random) % 4 ? 40 : 700);
            list[i] = (struct ndp_access){NDP_IDLE, 0, edges};
            continue;
        }
        list[i] = (struct ndp_access){write ? NDP_WRITE : NDP_READ, address,
                                      write ? draw(random) : 0};
        if (write)
            memory[address] = list[i].data;
        else
            want[i] = memory[address] + ++*reads * 1000;
        address = (address + step) % WORDS;
    }
    return n;
}

/* Every access is done once, in order, with at least its pauses between. */
static void test_lists(void **state) {
    (void)state;
    struct plan plan = {.is_memory = true};
    struct line l;
    uint32_t memory[WORDS] = {0}, reads = 0, random = 11;
    struct text why = {0};
    start(&l, &plan);
    struct ndp_port *p = open_port(&l);
    assert_int_equal(l.seen->resets, 1);
    for (int round = 0; round < 200; round++) {
        struct ndp_access list[300];
        uint32_t want[300];
        int n = make_list(list, round % 10 ? 30 : 300, &random, memory, &reads,
                          want);
        l.seen->accesses = 0;
        if (!p->class->run(p, list, n, &why))
            fail_msg("%s", text_str(&why));
        int k = 0;
        uint64_t due = 0;
        for (int i = 0; i < n; i++) {
            if (list[i].kind == NDP_IDLE) {
                due += list[i].data;
                continue;
            }
            if (list[i].kind == NDP_READ)
                assert_int_equal(list[i].data, want[i]);
            if (k > 0) {
                uint64_t passed = l.seen->edge[k] - l.seen->edge[k - 1];
                if (passed < due)
                    fail_msg("%u edges passed of a pause of %u",
                             (unsigned)passed, (unsigned)due);
            }
            k++;
            due = 0;
        }
        assert_int_equal(l.seen->accesses, k);
    }
    assert_int_equal(l.seen->overruns, 0);
    p->class->close(p);
    stop(&l);
}

/* --- what a burst costs, and what goes ahead ------------------------------ */

static void test_bytes(void **state) {
    (void)state;
    struct plan plan = {.is_memory = true, .late = 1000};
    struct line l;
    struct text why = {0};
    struct ndp_access list[1000];
    start(&l, &plan);
    struct ndp_port *p = open_port(&l);
    for (int i = 0; i < 1000; i++)
        list[i] = (struct ndp_access){NDP_WRITE, 5, (uint32_t)i};
    long taken = l.seen->taken, answered = l.seen->answered;
    assert_true(p->class->run(p, list, 1000, &why));
    /* 255 words are the most of a command: 4 of them; one of the checksum */
    assert_int_equal(l.seen->taken - taken, 4000 + 4 * 6 + 6);
    assert_int_equal(l.seen->answered - answered, 4);
    taken = l.seen->taken;
    answered = l.seen->answered;
    for (int i = 0; i < 400; i++)
        list[i] = (struct ndp_access){i % 4 < 2 ? NDP_WRITE : NDP_READ,
                                      i % 4 < 2 ? 5 : 4 + (uint32_t)i % 4, 0};
    assert_true(p->class->run(p, list, 400, &why));
    assert_int_equal(l.seen->taken - taken, 100 * (14 + 6) + 6);
    assert_int_equal(l.seen->answered - answered, 100 * 8 + 4);
    /* no word waits for the one before, and nothing is lost */
    assert_in_range(l.seen->most_waiting, 100, 200);
    assert_int_equal(l.seen->overruns, 0);
    p->class->close(p);
    stop(&l);
}

/* --- a kernel ------------------------------------------------------------- */

enum { THREADS = 32, BLOCK = 8 };

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry mix(.param .u64 p, .param .u32 v)\n{\n"
    ".reg .b64 %rd<4>;\n.reg .b32 %r<8>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\n"
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
    "mad.lo.s32 %r5, %r3, %r4, %r2;\nmul.wide.u32 %rd2, %r5, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r6, [%rd3];\n"
    "mad.lo.s32 %r7, %r6, %r1, %r5;\nst.global.u32 [%rd3], %r7;\nret;\n}\n"
    ".visible .entry stuck()\n{\nL: bra L;\n}\n"
    ".visible .entry odd(.param .u64 p)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1+2];\n"
    "st.global.u32 [%rd1], %r1;\nret;\n}\n";

struct image {
    char *bytes;
    size_t n;
};

static int make_image(void **state) {
    static struct image made;
    made.bytes = kernel_image(ptx, 16, &made.n);
    *state = &made;
    return 0;
}

static int free_image(void **state) {
    free(((struct image *)*state)->bytes);
    return 0;
}

static uint32_t given(int i) {
    return 0x01010101u * (uint32_t)i ^ 0xa5;
}

/* The first call that is wrong ends it. */
static ndpResult calculate(ndpDevice d, const struct image *image,
                           const char *kernel, uint32_t *words) {
    ndpModule module = NULL;
    ndpFunction f;
    ndpDevicePtr at = 0;
    uint32_t v = 77;
    for (int i = 0; i < THREADS; i++)
        words[i] = given(i);
    ndpResult r = ndpModuleLoadData(&module, d, image->bytes, image->n);
    if (r == NDP_SUCCESS)
        r = ndpModuleGetFunction(&f, module, kernel);
    if (r == NDP_SUCCESS)
        r = ndpMemAlloc(&at, d, 4 * THREADS);
    if (r == NDP_SUCCESS)
        r = ndpMemcpyHtoD(d, at, words, 4 * THREADS);
    memset(words, 0, 4 * THREADS);
    ndpArgument arguments[] = {NDP_ARG(at), NDP_ARG(v)};
    unsigned n = strcmp(kernel, "mix") == 0   ? 2
                 : strcmp(kernel, "odd") == 0 ? 1
                                              : 0;
    if (r == NDP_SUCCESS)
        r = ndpLaunchKernel(f, THREADS / BLOCK, 1, 1, BLOCK, 1, 1, 0, arguments,
                            n);
    if (r == NDP_SUCCESS)
        r = ndpCtxSynchronize(d, 300);
    if (r == NDP_SUCCESS)
        r = ndpMemcpyDtoH(d, words, at, 4 * THREADS);
    return r;
}

static bool is_right(const uint32_t *words) {
    for (uint32_t i = 0; i < THREADS; i++)
        if (words[i] != given((int)i) * 77 + i)
            return false;
    return true;
}

static char *url_of(const struct line *l) {
    static char url[80];
    snprintf(url, sizeof url, "serial:%s@1000000", l->name);
    return url;
}

/* As a program does it, by URL. */
static void test_kernel(void **state) {
    struct plan plan = {0};
    struct line l;
    ndpDevice d;
    uint32_t words[THREADS];
    char name[64];
    start(&l, &plan);
    assert_int_equal(ndpDeviceOpen(&d, url_of(&l)), NDP_SUCCESS);
    assert_int_equal(ndpDeviceGetName(name, sizeof name, d), NDP_SUCCESS);
    assert_int_equal(strncmp(name, "ndp_system ", 11), 0);
    long taken = l.seen->taken;
    assert_int_equal(calculate(d, *state, "mix", words), NDP_SUCCESS);
    assert_true(is_right(words));
    assert_true(l.seen->taken - taken < 4000);
    assert_int_equal(ndpDeviceSetTrace(d, stdout), NDP_ERROR_INVALID_DEVICE);
    assert_non_null(strstr(ndpGetErrorString(d), "does not tell what retires"));

    /* waiting is not done by thousands of questions, and ends */
    taken = l.seen->taken;
    ndpDeviceSetWatchdog(d, 0);
    assert_int_equal(calculate(d, *state, "stuck", words),
                     NDP_ERROR_LAUNCH_TIMEOUT);
    assert_true(l.seen->taken - taken < 20000);
    /* a fault of the kernel is none of the line, and the device is still good
     */
    assert_int_equal(calculate(d, *state, "odd", words),
                     NDP_ERROR_LAUNCH_FAILED);
    assert_int_equal(ndpDeviceLineFailed(d), 0);
    assert_int_equal(calculate(d, *state, "mix", words), NDP_SUCCESS);
    assert_true(is_right(words));
    assert_int_equal(ndpDeviceLineFailed(d), 0);
    ndpDeviceClose(d);

    /* opened again it is reset */
    assert_int_equal(ndpDeviceOpen(&d, url_of(&l)), NDP_SUCCESS);
    assert_int_equal(l.seen->resets, 2);
    assert_int_equal(l.seen->overruns, 0);
    ndpDeviceClose(d);
    stop(&l);
}

/* --- a line that is not good ---------------------------------------------- */

struct score {
    int right, lost;
};

/* One attempt, right or lost by the line; anything else is an error. */
static bool attempt(const struct line *l, const struct image *image,
                    struct score *score) {
    struct text why = {0};
    uint32_t words[THREADS];
    struct ndp_port *p = ndp_serial_open(l->name, &quick, &why);
    struct ndp_device *d = xcalloc(1, sizeof *d);
    ndpResult r = p ? ndp_attach(d, p) : NDP_ERROR_DEVICE_LOST;
    if (r == NDP_SUCCESS)
        r = calculate(d, image, "mix", words);
    score->right += r == NDP_SUCCESS;
    score->lost += r != NDP_SUCCESS;
    bool good = r == NDP_SUCCESS ? is_right(words)
                                 : r == NDP_ERROR_DEVICE_LOST &&
                                       (!p || ndpDeviceLineFailed(d));
    if (!good)
        print_error("%s: %s\n", ndpGetErrorName(r), ndpGetErrorString(d));
    ndpDeviceClose(d);
    text_free(&why);
    return good;
}

/* A line of many disturbed bytes is tried twice, others till they are right. */
static bool try_seed(uint32_t seed, const struct image *image,
                     struct score *score) {
    struct plan plan = {.seed = seed, .forgets = 4};
    struct line l;
    uint32_t one_in = seed % 4 == 0 ? 300 : 4000;
    int right = score->right, most = seed % 4 ? 40 : 2;
    bool good = true;
    plan.to_bridge = seed % 3 != 0 ? one_in : 0;
    plan.from_bridge = seed % 3 != 1 ? one_in / 2 : 0;
    start(&l, &plan);
    for (int k = 0; good && k < most && score->right == right; k++)
        good = attempt(&l, image, score);
    stop(&l);
    if (good && seed % 4 && score->right == right)
        print_error("seed %u does not get through\n", (unsigned)seed);
    return good && (seed % 4 == 0 || score->right > right);
}

/* Right or lost, never wrong; and where few bytes are disturbed, right in the
 * end.  It is waiting that takes the time, so workers share the seeds. */
static void test_noise(void **state) {
    struct score all = {0};
    int ends[2];
    bool good = true;
    assert_int_equal(pipe(ends), 0);
    for (uint32_t w = 0; w < WORKERS; w++)
        if (fork() == 0) {
            struct score score = {0};
            for (uint32_t seed = w + 1; good && seed <= SEEDS; seed += WORKERS)
                good = try_seed(seed, *state, &score);
            ssize_t n = write(ends[1], &score, sizeof score);
            _exit(good && n == sizeof score ? 0 : 1);
        }
    for (int w = 0, status; w < WORKERS; w++) {
        struct score score;
        good = wait(&status) > 0 && status == 0 && good;
        assert_int_equal(read(ends[0], &score, sizeof score), sizeof score);
        all.right += score.right;
        all.lost += score.lost;
    }
    close(ends[0]);
    close(ends[1]);
    print_message("%d attempts right, %d lost\n", all.right, all.lost);
    assert_true(good);
    assert_true(all.right >= SEEDS / 2 && all.lost >= SEEDS / 2);
}

/* --- nobody, somebody else, and no more ----------------------------------- */

static void refused_by(const struct plan *plan, const char *says) {
    static const struct ndp_serial_times hasty = {1, 30};
    struct line l;
    start(&l, plan);
    refused(l.name, &hasty, says);
    if (plan->id || plan->garbage) /* a stranger is asked, and left alone */
        assert_int_equal(l.seen->resets, 0);
    stop(&l);
}

static void test_strangers(void **state) {
    (void)state;
    struct plan mute = {.is_memory = true, .mute = true};
    struct plan garbage = {.is_memory = true, .garbage = true};
    struct plan other = {.is_memory = true, .id = 0x12345678};
    struct plan noisy = {.is_memory = true, .unanswered = 4};
    refused_by(&mute, "is the bitstream loaded?");
    refused_by(&garbage, "is no bridge of ndpgen");
    refused_by(&other, "its id is 0x12345678, expected 0x4e445001");
    refused_by(&noisy, "is too disturbed");
    refused("/dev/null", NULL, "'/dev/null' is no terminal");
    refused("/no/where", NULL, "cannot open '/no/where'");
    refused("/dev/null@115201", NULL, "no baud rate '115201', expected one of");
    refused("/dev/null@9600x", NULL, "no baud rate '9600x'");
    refused("/dev/a@b", NULL, "cannot open '/dev/a@b'");
    refused("", NULL, "no terminal");
    refused("@9600", NULL, "no terminal");
}

static void lost(const struct plan *plan, const char *says) {
    struct line l;
    struct text why = {0};
    struct ndp_access list[600];
    for (int i = 0; i < 600; i++)
        list[i] = (struct ndp_access){NDP_READ, 7, 99};
    start(&l, plan);
    struct ndp_port *p = open_port(&l);
    assert_false(p->line_failed);
    assert_false(p->class->run(p, list, 600, &why));
    assert_true(p->line_failed);
    for (int i = 0; i < 600; i++) /* not even those that came */
        assert_int_equal(list[i].data, 99);
    if (!strstr(text_str(&why), says))
        fail_msg("expected '%s', got '%s'", says, text_str(&why));
    text_free(&why);
    p->class->close(p);
    stop(&l);
}

/* The bytes of opening are 28 and 16. */
static void test_lost(void **state) {
    (void)state;
    struct plan gone = {.is_memory = true, .last = 40};
    struct plan quiet = {.is_memory = true, .unanswered = 1000};
    lost(&gone, "hung up");
    lost(&quiet, "fell silent, 984 bytes of 2404 were answered");
}

/* The terminal is ours alone, and afterwards as it was. */
/* A simulation that takes a tenth of a second of the wall's clock for each
 * answer, and next to none of its own: more than a board may. */
static void test_simulated(void **state) {
    (void)state;
    static const struct ndp_serial_times hasty = {8, 10};
    struct plan slow = {.is_memory = true, .late = 100000, .simulated = true};
    struct ndp_access list[] = {{NDP_WRITE, 4, 37}, {NDP_READ, 4, 0}};
    struct text why = {0};
    struct line l;
    start(&l, &slow);
    struct ndp_port *p = ndp_serial_open(l.name, &hasty, &why);
    if (!p)
        fail_msg("%s", text_str(&why));
    assert_true(p->class->run(p, list, 2, &why));
    assert_int_equal(list[1].data, 1037); /* the first read */
    p->class->close(p);
    stop(&l);
    slow.simulated = false;
    start(&l, &slow);
    refused(l.name, &hasty, "");
    stop(&l);
}

/* Time passes there, and no answer comes. */
static void test_simulated_and_mute(void **state) {
    (void)state;
    static const struct plan mute = {.mute = true, .simulated = true};
    static const struct ndp_serial_times patient_by_wall = {8, 100000};
    struct line l;
    start(&l, &mute);
    refused(l.name, &patient_by_wall, "no answer on");
    stop(&l);
}

static void test_terminal(void **state) {
    (void)state;
    struct plan plan = {.is_memory = true};
    struct termios before, now;
    struct line l;
    start(&l, &plan);
    int fd = open(l.name, O_RDWR | O_NOCTTY);
    assert_int_equal(tcgetattr(fd, &before), 0);
    struct ndp_port *p = open_port(&l);
    assert_int_equal(tcgetattr(fd, &now), 0);
    assert_int_equal(now.c_lflag & (ICANON | ECHO | ISIG), 0);
    refused(l.name, &quick, "another program uses it");
    p->class->close(p);
    assert_int_equal(tcgetattr(fd, &now), 0);
    assert_int_equal(now.c_lflag, before.c_lflag);
    assert_int_equal(now.c_iflag, before.c_iflag);
    assert_int_equal(now.c_oflag, before.c_oflag);
    p = open_port(&l);
    p->class->close(p);
    close(fd);
    stop(&l);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--serve") == 0)
        return serve_alone(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_kernel),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_simulated),
        cmocka_unit_test(test_simulated_and_mute),
        cmocka_unit_test(test_terminal),
    };
    return cmocka_run_group_tests(tests, make_image, free_image);
}
