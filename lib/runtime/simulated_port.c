/* simulated_port.c - a simulated board as a device: a process that serves its
 * terminal, and a serial port that is opened on that (simulated.h).
 */
#include "simulated.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct simulated_port {
    struct ndp_port base;
    struct ndp_port *serial;
    pid_t server;
    int stop; /* it ends when this is closed */
};

/* The server: tells the terminal's name, or what is wrong after a "!". */
static _Noreturn void serve(const char *sim, const char *dir, int tell,
                            int stop) {
    struct text why = {0};
    struct simulated *s = simulated_open(sim, dir, NULL, &why);
    FILE *out = fdopen(tell, "w");
    if (out) {
        fprintf(out, "%s%s\n", s ? "" : "!",
                s ? simulated_name(s) : text_str(&why));
        fclose(out);
    }
    if (s) {
        simulated_serve(s, stop, &why);
        simulated_close(s);
    }
    _exit(0);
}

/* Its line, without the end; false: it begins with "!", or there is none. */
static bool read_name(int fd, char *line, int size) {
    FILE *in = fdopen(fd, "r");
    if (!in || !fgets(line, size, in))
        snprintf(line, (size_t)size, "!the simulation does not start");
    if (in)
        fclose(in);
    line[strcspn(line, "\n")] = '\0';
    return line[0] != '!';
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    struct ndp_port *serial = ((struct simulated_port *)port)->serial;
    bool ok = serial->class->run(serial, list, n, why);
    port->line_failed = serial->line_failed;
    return ok;
}

static void close_port(struct ndp_port *port) {
    struct simulated_port *p = (struct simulated_port *)port;
    if (p->serial)
        p->serial->class->close(p->serial);
    close(p->stop);
    waitpid(p->server, NULL, 0);
    free(p);
}

static const struct ndp_port_class simulated_class = {.run = run,
                                                      .close = close_port};

struct ndp_port *ndp_simulated_open(const char *sim, const char *dir,
                                    struct text *why) {
    int tell[2], stop[2];
    char line[512];
    if (pipe(tell) != 0 || pipe(stop) != 0) {
        text_printf(why, "cannot start a board: %s", strerror(errno));
        return NULL;
    }
    fcntl(stop[1], F_SETFD, FD_CLOEXEC);
    pid_t server = fork();
    if (server == 0) {
        close(tell[0]);
        close(stop[1]);
        serve(sim, dir, tell[1], stop[0]);
    }
    close(tell[1]);
    close(stop[0]);
    struct simulated_port *p = xcalloc(1, sizeof *p);
    p->base.class = &simulated_class;
    p->server = server;
    p->stop = stop[1];
    if (!read_name(tell[0], line, sizeof line))
        text_add(why, line + 1);
    else
        p->serial = ndp_serial_open(line, NULL, why);
    if (p->serial)
        return &p->base;
    close_port(&p->base);
    return NULL;
}
