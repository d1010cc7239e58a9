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
};

static void forget_used(struct pipe_port *p) {
    if (p->at < p->answer.len)
        return;
    text_free(&p->answer);
    p->answer = (struct text){0};
    p->at = 0;
}

/* The next whole line as a number. */
static bool next_value(struct pipe_port *p, uint32_t *value, bool *bad) {
    const char *from = text_str(&p->answer) + p->at;
    const char *end = memchr(from, '\n', p->answer.len - p->at);
    char *rest;
    if (!end)
        return false;
    *value = (uint32_t)strtoul(from, &rest, 16);
    *bad = rest != end;
    p->at = (size_t)(end + 1 - text_str(&p->answer));
    return true;
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
    text_add(why, "the simulation has ended");
    return false;
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
    text_add(why, "the simulation has ended");
    return false;
}

/* Take answers for the reads from *next on. */
static bool use_answers(struct pipe_port *p, struct ndp_access *list, int n,
                        int *next, struct text *why) {
    bool bad = false;
    for (;;) {
        while (*next < n && list[*next].kind != NDP_READ)
            ++*next;
        if (*next == n || !next_value(p, &list[*next].data, &bad))
            break;
        ++*next;
    }
    forget_used(p);
    if (bad)
        text_add(why, "the simulation answers with no number");
    return !bad;
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
        if (f.revents & POLLOUT && !transmit(p, t, &sent, why))
            return false;
        if (!use_answers(p, list, n, &next, why))
            return false;
    }
    return true;
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    struct text t = {0};
    for (int i = 0; i < n; i++)
        say(&t, &list[i]);
    bool ok = exchange((struct pipe_port *)port, &t, list, n, why);
    text_free(&t);
    return ok;
}

/* The child ends when its input does; one that hangs is killed. */
static void close_port(struct ndp_port *port) {
    struct pipe_port *p = (struct pipe_port *)port;
    int status, tries = 0;
    close(p->fd);
    while (waitpid(p->child, &status, WNOHANG) == 0 && tries++ < 100)
        poll(NULL, 0, 10);
    if (tries > 100) {
        kill(p->child, SIGKILL);
        waitpid(p->child, &status, 0);
    }
    text_free(&p->answer);
    free(p);
}

static const struct ndp_port_class pipe_class = {run, close_port};

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
