/* simulated.c - see simulated.h.
 *
 * Bytes go to the simulation a slice of its time at a time: what has come from
 * the terminal, at most CHUNK, is told; the simulation runs, and tells what
 * came back.  The slave's side is kept open here, too, so that a host may come
 * and go as it may with a cable.
 */
#define _XOPEN_SOURCE 700
#include "simulated.h"

#include "base/arena.h"
#include "line_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum {
    CHUNK = 64,      /* bytes of a slice */
    SLICE = 16,      /* byte times of one at least (verilator-tb/board/) */
    IDLE = 200,      /* slices without a byte until it takes its time */
    IDLE_MS = 5,     /* between slices then */
    OUTPUT = 1 << 16 /* bytes for the host that nobody has read */
};

struct simulated {
    int master, slave;
    char name[64];
    pid_t child;
    FILE *to, *from;
    struct line_noise noise;
    uint64_t random, passed, errors;
    unsigned idle;
    uint64_t time; /* bytes that could have crossed the line */
};

/* splitmix64 */
static uint64_t next_random(struct simulated *s) {
    uint64_t z = s->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static bool happens(struct simulated *s, uint64_t one_in) {
    if (one_in == 0 || next_random(s) % one_in != 0)
        return false;
    s->errors++;
    return true;
}

/* A byte through the line: what comes out, 0 to 2 bytes. */
static size_t through(struct simulated *s, uint8_t byte, uint8_t *out) {
    size_t n = 0;
    s->passed++;
    if (happens(s, s->noise.lost))
        return 0;
    if (happens(s, s->noise.flipped))
        byte ^= (uint8_t)(1u << next_random(s) % 8);
    out[n++] = byte;
    if (happens(s, s->noise.twice))
        out[n++] = byte;
    return n;
}

/* --- the simulation ------------------------------------------------------- */

static _Noreturn void become(const char *program, int in, int out) {
    char *const argv[] = {(char *)(uintptr_t)program, NULL};
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execv(program, argv);
    _exit(127);
}

static bool start(struct simulated *s, const char *program, struct text *why) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    if (pipe(in) != 0 || pipe(out) != 0 || (s->child = fork()) < 0) {
        text_printf(why, "cannot start '%s': %s", program, strerror(errno));
        return false;
    }
    if (s->child == 0) {
        close(in[1]);
        close(out[0]);
        close(s->master);
        become(program, in[0], out[1]);
    }
    close(in[0]);
    close(out[1]);
    s->to = fdopen(in[1], "w");
    s->from = fdopen(out[0], "r");
    return s->to && s->from;
}

static bool ended(struct simulated *s, struct text *why) {
    int status = 0;
    text_add(why, "the simulation has ended");
    fclose(s->to); /* of one that has not, this is the end */
    s->to = NULL;
    if (waitpid(s->child, &status, 0) == s->child) {
        if (WIFSIGNALED(status))
            text_printf(why, " by signal %d", WTERMSIG(status));
        else
            text_printf(why, " with status %d", WEXITSTATUS(status));
    }
    s->child = 0;
    return false;
}

/* A slice of its time, with n bytes for it; those that came back are put at
 * back, from *n_back on. */
static bool slice(struct simulated *s, const uint8_t *bytes, size_t n,
                  struct text *back, struct text *why) {
    fprintf(s->to, "%x", (unsigned)n);
    for (size_t i = 0; i < n; i++)
        fprintf(s->to, " %x", (unsigned)bytes[i]);
    fputc('\n', s->to);
    if (fflush(s->to) != 0)
        return ended(s, why);
    unsigned value = 0, digits = 0;
    for (int c = getc(s->from); c != '\n'; c = getc(s->from)) {
        if (c == EOF)
            return ended(s, why);
        if (c != ' ') {
            value = value << 4 | (((unsigned)c & 15) + (c > '9' ? 9 : 0));
            digits++;
        }
        if (digits == 2) {
            uint8_t out[2];
            size_t k = through(s, (uint8_t)value, out);
            text_addn(back, (const char *)out, k);
            value = digits = 0;
        }
    }
    return true;
}

/* --- the terminal --------------------------------------------------------- */

/* As a cable: bytes, unchanged, without echo. */
static void make_raw(int fd) {
    struct termios t;
    if (tcgetattr(fd, &t) != 0)
        return;
    t.c_iflag = 0;
    t.c_oflag = 0;
    t.c_lflag = 0;
    t.c_cflag = CS8 | CREAD | CLOCAL;
    tcsetattr(fd, TCSANOW, &t);
}

static bool open_terminal(struct simulated *s, struct text *why) {
    s->master = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name =
        s->master >= 0 && grantpt(s->master) == 0 && unlockpt(s->master) == 0
            ? ptsname(s->master)
            : NULL;
    if (name) {
        snprintf(s->name, sizeof s->name, "%s", name);
        s->slave = open(s->name, O_RDWR | O_NOCTTY);
    }
    if (s->slave < 0) {
        text_printf(why, "cannot open a pseudo-terminal: %s", strerror(errno));
        return false;
    }
    fcntl(s->master, F_SETFD, FD_CLOEXEC);
    fcntl(s->slave, F_SETFD, FD_CLOEXEC);
    fcntl(s->master, F_SETFL, O_NONBLOCK);
    make_raw(s->slave);
    line_clock_tell(s->slave, 0);
    return true;
}

/* What the host has sent, through the line; 0 bytes: nothing. */
static size_t from_host(struct simulated *s, uint8_t *bytes) {
    uint8_t raw[CHUNK];
    ssize_t got = read(s->master, raw, sizeof raw);
    size_t n = 0;
    for (ssize_t i = 0; i < got; i++)
        n += through(s, raw[i], bytes + n);
    return n;
}

/* What the host has not read yet stays; of a host that reads nothing, the rest
 * is lost as on a cable. */
static void to_host(struct simulated *s, struct text *back) {
    ssize_t n = back->len ? write(s->master, back->data, back->len) : 0;
    if (n > 0) {
        back->len -= (size_t)n;
        memmove(back->data, back->data + n, back->len);
    }
    if (back->len > OUTPUT)
        back->len = 0;
}

static bool should_stop(struct simulated *s, int stop) {
    struct pollfd f[2] = {{stop, POLLIN, 0}, {s->master, POLLIN, 0}};
    poll(f, 2, s->idle > IDLE ? IDLE_MS : 0);
    return (stop >= 0 && f[0].revents != 0) ||
           (s->noise.unplug && s->passed >= s->noise.unplug);
}

struct simulated *simulated_open(const char *sim, const char *dir,
                                 const struct line_noise *noise,
                                 struct text *why) {
    struct simulated *s = xcalloc(1, sizeof *s);
    struct text program = {0};
    s->master = s->slave = -1;
    if (noise)
        s->noise = *noise;
    s->random = s->noise.seed;
    text_printf(&program, "%s/%s/board", dir, sim);
    bool ok = false;
    if (access(text_str(&program), X_OK) != 0)
        text_printf(why,
                    "there is no '%s', make it with: sh scripts/board_sim.sh "
                    "%s %s",
                    text_str(&program), sim, dir);
    else
        ok = open_terminal(s, why) && start(s, text_str(&program), why);
    text_free(&program);
    if (ok)
        return s;
    simulated_close(s);
    return NULL;
}

const char *simulated_name(const struct simulated *s) {
    return s->name;
}

uint64_t simulated_errors(const struct simulated *s) {
    return s->errors;
}

bool simulated_serve(struct simulated *s, int stop, struct text *why) {
    struct text back = {0};
    bool ok = true;
    signal(SIGPIPE, SIG_IGN); /* a simulation that ended is an error */
    while (ok && !should_stop(s, stop)) {
        uint8_t bytes[2 * CHUNK];
        size_t n = from_host(s, bytes);
        size_t before = back.len;
        ok = slice(s, bytes, n, &back, why);
        s->idle = n || back.len != before ? 0 : s->idle + 1;
        to_host(s, &back);
        s->time += n > SLICE ? n : SLICE;
        line_clock_tell(s->slave, s->time);
    }
    text_free(&back);
    return ok;
}

void simulated_close(struct simulated *s) {
    if (s->to)
        fclose(s->to);
    if (s->from)
        fclose(s->from);
    if (s->child > 0) {
        kill(s->child, SIGTERM);
        waitpid(s->child, NULL, 0);
    }
    if (s->slave >= 0)
        close(s->slave);
    if (s->master >= 0)
        close(s->master);
    free(s);
}
