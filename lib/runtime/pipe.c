/* pipe.c - a machine in a child process (port.h).
 *
 * Accesses go as lines of text, many at a time; only reads are answered.
 * Writing and reading take turns as the pipes let them, so neither side waits
 * for the other with a full pipe.  A child that says nothing for too long is
 * ended.
 */
#include "port.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SILENCE_MS = 60000, CHUNK = 1 << 16 };

/* One socket for both ways: a write to a child that has ended is an error, not
 * a signal. */
struct pipe_port {
    struct ndp_port base;
    pid_t child;
    int fd;
    struct text answer; /* that has come, from at on not yet used */
    size_t at;
    const struct ndp_watcher *watcher;
};

static void forget_used(struct pipe_port *p) {
    if (p->at == 0)
        return;
    p->answer.len -= p->at;
    if (p->answer.len)
        memmove(p->answer.data, p->answer.data + p->at, p->answer.len);
    p->at = 0;
}

/* One of up to 8 hex digits; what Icarus does not know (x, z) counts as 0. */
static uint32_t digits_value(const char *digits, size_t n) {
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned c = (unsigned char)digits[i] | 32u;
        value = value << 4 | (c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                     : 0);
    }
    return value;
}

/* A line "t EDGE WARP PC PASS KIND MASK D VALUES", from behind the t on. */
static bool tell(struct pipe_port *p, const char *from, const char *end) {
    uint64_t field[7];
    uint32_t values[32] = {0};
    char *rest;
    for (int i = 0; i < 7; i++) {
        if (*from++ != ' ')
            return false;
        field[i] = strtoull(from, &rest, 16);
        if (rest == from || rest >= end)
            return false;
        from = rest;
    }
    const char *digits = from + 1;
    for (int i = 0; i < 32 && end > digits; i++) {
        size_t n = end - digits < 8 ? (size_t)(end - digits) : 8;
        end -= n;
        values[i] = digits_value(end, n);
    }
    struct ndp_retired r = {.edge = field[0],
                            .warp = (uint32_t)field[1],
                            .pc = (uint32_t)field[2],
                            .pass = (uint32_t)field[3],
                            .kind = (int)field[4],
                            .mask = (uint32_t)field[5],
                            .d = (uint32_t)field[6],
                            .values = values};
    if (end != digits)
        return false;
    if (p->watcher)
        p->watcher->retired(p->watcher->ctx, &r);
    return true;
}

/* What the child says in place of an answer is its last word. */
static void quote(const char *from, const char *end, struct text *why) {
    text_add(why, "the simulation says '");
    text_addn(why, from, (size_t)(end - from));
    text_add(why, "'");
}

/* The next whole line that is an answer, those before it told.  False: there is
 * none yet, or it is none and why has it. */
static bool next_answer(struct pipe_port *p, struct ndp_access *a,
                        struct text *why) {
    for (;;) {
        const char *from = text_str(&p->answer) + p->at;
        const char *end = memchr(from, '\n', p->answer.len - p->at);
        char *rest;
        if (!end)
            return false;
        p->at = (size_t)(end + 1 - text_str(&p->answer));
        if (*from == 't') {
            if (tell(p, from + 1, end))
                continue;
            quote(from, end, why);
            return false;
        }
        const char *digits = from + (*from == '?');
        if (digits != from)
            a->kind = NDP_UNKNOWN;
        a->data = (uint32_t)strtoul(digits, &rest, 16);
        if (rest != digits && rest == end)
            return true;
        quote(from, end, why);
        return false;
    }
}

/* A child that has closed its end; it may take a moment to go. */
static bool ended(struct pipe_port *p, struct text *why) {
    int status = 0, tries = 0;
    pid_t gone = 0;
    while (p->child > 0 && tries++ < 100 &&
           (gone = waitpid(p->child, &status, WNOHANG)) == 0)
        poll(NULL, 0, 10);
    text_add(why, "the simulation has ended");
    if (gone <= 0)
        return false;
    p->child = 0;
    if (WIFSIGNALED(status))
        text_printf(why, " by signal %d", WTERMSIG(status));
    else
        text_printf(why, " with status %d", WEXITSTATUS(status));
    return false;
}

static bool receive(struct pipe_port *p, struct text *why) {
    char buffer[4096];
    ssize_t n = recv(p->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0) {
        text_addn(&p->answer, buffer, (size_t)n);
        return true;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    return ended(p, why);
}

static bool transmit(struct pipe_port *p, const struct text *t, size_t *sent,
                     struct text *why) {
    size_t left = t->len - *sent;
    ssize_t n = send(p->fd, text_str(t) + *sent, left < CHUNK ? left : CHUNK,
                     MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n >= 0) {
        *sent += (size_t)n;
        return true;
    }
    if (errno == EAGAIN || errno == EINTR)
        return true;
    return ended(p, why);
}

/* Take answers for the reads from *next on. */
static bool use_answers(struct pipe_port *p, struct ndp_access *list, int n,
                        int *next, struct text *why) {
    for (;;) {
        while (*next < n && list[*next].kind != NDP_READ)
            ++*next;
        if (*next == n || !next_answer(p, &list[*next], why))
            break;
        ++*next;
    }
    forget_used(p);
    return why->len == 0;
}

static void say(struct text *t, const struct ndp_access *a) {
    if (a->kind == NDP_IDLE)
        text_printf(t, "i %x\n", (unsigned)a->data);
    else if (a->kind == NDP_READ)
        text_printf(t, "r %x\n", (unsigned)a->address);
    else
        text_printf(t, "w %x %x\n", (unsigned)a->address, (unsigned)a->data);
}

static bool exchange(struct pipe_port *p, const struct text *t,
                     struct ndp_access *list, int n, struct text *why) {
    size_t sent = 0;
    int next = 0;
    if (!use_answers(p, list, n, &next, why))
        return false;
    while (sent < t->len || next < n) {
        struct pollfd f = {p->fd, POLLIN, 0};
        if (sent < t->len)
            f.events |= POLLOUT;
        int ready = poll(&f, 1, SILENCE_MS);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            text_printf(why, "the simulation says nothing for %d s",
                        SILENCE_MS / 1000);
            return false;
        }
        if (f.revents & (POLLIN | POLLHUP | POLLERR) && !receive(p, why))
            return false;
        if (!use_answers(p, list, n, &next, why)) /* before it is gone */
            return false;
        if (f.revents & POLLOUT && !transmit(p, t, &sent, why))
            return false;
    }
    return true;
}

static bool watch(struct ndp_port *port, const struct ndp_watcher *w,
                  struct text *why) {
    struct pipe_port *p = (struct pipe_port *)port;
    struct text t = {0};
    p->watcher = w;
    text_add(&t, w ? "t 1\n" : "t 0\n");
    bool ok = exchange(p, &t, NULL, 0, why);
    text_free(&t);
    return ok;
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    struct text t = {0};
    for (int i = 0; i < n; i++) {
        say(&t, &list[i]);
        port->edges += list[i].kind == NDP_IDLE ? list[i].data : 2;
    }
    bool ok = exchange((struct pipe_port *)port, &t, list, n, why);
    text_free(&t);
    return ok;
}

/* The child ends when its input does; one that hangs is killed. */
static void close_port(struct ndp_port *port) {
    struct pipe_port *p = (struct pipe_port *)port;
    int status, tries = 0;
    close(p->fd);
    while (p->child > 0 && waitpid(p->child, &status, WNOHANG) == 0 &&
           tries++ < 100)
        poll(NULL, 0, 10);
    if (tries > 100) {
        kill(p->child, SIGKILL);
        waitpid(p->child, &status, 0);
    }
    text_free(&p->answer);
    free(p);
}

static const struct ndp_port_class pipe_class = {
    .run = run, .watch = watch, .close = close_port};

static _Noreturn void become(char *const argv[], int fd) {
    dup2(fd, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    execv(argv[0], argv);
    _exit(127);
}

struct ndp_port *ndp_pipe_open(char *const argv[], struct text *why) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        text_printf(why, "cannot start '%s': %s", argv[0], strerror(errno));
        return NULL;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0)
        become(argv, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        text_printf(why, "cannot start '%s': %s", argv[0], strerror(errno));
        return NULL;
    }
    struct pipe_port *p = xcalloc(1, sizeof *p);
    p->base.class = &pipe_class;
    p->child = child;
    p->fd = ends[0];
    return &p->base;
}
