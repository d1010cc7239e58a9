/* open.c - devices of libndp by URL: the golden and the untimed machine in this
 * process, RTL in a child process, and a board behind a serial line.
 */
#include "exec_engine.h"
#include "golden_port.h"
#include "untimed_port.h"

#include "runtime/runtime.h"
#include "runtime/simulated.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scheme {
    const char *name;
    struct ndp_port *(*open)(const char *what, struct text *why);
    bool is_child; /* what is a folder of RTL */
};

/* scripts/board.sh has filled it: the machine stands behind a serial line. */
static bool is_board(const char *dir) {
    struct text path = {0};
    text_printf(&path, "%s/board.conf", dir);
    bool there = access(text_str(&path), R_OK) == 0;
    text_free(&path);
    return there;
}

/* The RTL may have been emitted anew for another machine after its program was
 * built. */
static ndpResult check_child(ndpDevice d, const char *sim, const char *dir) {
    struct text config = {0}, why = {0};
    uint64_t want, got;
    text_printf(&config, "%s/config.yml", dir);
    ndpResult r = ndp_hash(d, &got);
    if (r == NDP_SUCCESS && !golden_port_hash(text_str(&config), &want, &why))
        r = ndp_fail(d, NDP_ERROR_INVALID_DEVICE, "%s", text_str(&why));
    else if (r == NDP_SUCCESS && want != got)
        r = ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                     "'%s/%s/%s' is of configuration %016" PRIx64
                     ", '%s' of %016" PRIx64
                     ", make it anew with: sh scripts/%s.sh %s %s",
                     dir, sim, is_board(dir) ? "board" : "machine", got,
                     text_str(&config), want,
                     is_board(dir) ? "board_sim" : "machine", sim, dir);
    text_free(&config);
    text_free(&why);
    return r;
}

/* A simulation counts its edges from the reset on, as a golden machine. */
static void note_refresh(struct ndp_port *p, const char *dir) {
    struct text path = {0}, why = {0};
    struct config c;
    text_printf(&path, "%s/config.yml", dir);
    if (p && golden_port_config(text_str(&path), &c, &why))
        p->refresh = golden_port_refresh(&c);
    text_free(&path);
    text_free(&why);
}

/* The program that "sh scripts/machine.sh" builds beside the RTL, or that of a
 * board, which "sh scripts/board_sim.sh" does. */
static struct ndp_port *open_child(const char *sim, const char *dir,
                                   struct text *why) {
    struct text path = {0};
    text_printf(&path, "%s/%s/machine", dir, sim);
    struct ndp_port *p = NULL;
    if (is_board(dir)) {
        p = ndp_simulated_open(sim, dir, why);
    } else if (access(text_str(&path), X_OK) != 0) {
        text_printf(why,
                    "there is no '%s', make it with: sh scripts/machine.sh %s "
                    "%s",
                    text_str(&path), sim, dir);
    } else {
        char *const argv[] = {(char *)(uintptr_t)text_str(&path), NULL};
        p = ndp_pipe_open(argv, why);
        note_refresh(p, dir);
    }
    text_free(&path);
    return p;
}

static struct ndp_port *open_verilator(const char *dir, struct text *why) {
    return open_child("verilator", dir, why);
}

static struct ndp_port *open_icarus(const char *dir, struct text *why) {
    return open_child("icarus", dir, why);
}

static struct ndp_port *open_serial(const char *what, struct text *why) {
    return ndp_serial_open(what, NULL, why);
}

static const struct scheme schemes[] = {
    {"golden", golden_port_open, false}, {"untimed", untimed_port_open, false},
    {"verilator", open_verilator, true}, {"icarus", open_icarus, true},
    {"serial", open_serial, false},      {NULL, NULL, false},
};

static const char *next_scheme(void *ctx, int i) {
    (void)ctx;
    return schemes[i].name;
}

static const struct scheme *find_scheme(const char *url, struct text *why) {
    size_t len = strcspn(url, ":");
    for (const struct scheme *s = schemes; s->name; s++)
        if (strlen(s->name) == len && memcmp(s->name, url, len) == 0 &&
            url[len] == ':')
            return s;
    struct text word = {0};
    text_addn(&word, url, len);
    const char *near = suggest(text_str(&word), next_scheme, NULL);
    text_printf(why,
                "unknown device '%s'%s%s%s, expected golden:PRESET, exec, "
                "untimed:PRESET, verilator:DIR, icarus:DIR or serial:TTY",
                url, near ? ", did you mean '" : "", near ? near : "",
                near ? ":...'" : "");
    text_free(&word);
    return NULL;
}

ndpResult ndpDeviceOpen(ndpDevice *device, const char *url) {
    struct text why = {0};
    *device = calloc(1, sizeof **device);
    if (!*device)
        return NDP_ERROR_OUT_OF_MEMORY;
    if (url && strcmp(url, "exec") == 0)
        return ndp_attach_engine(*device, exec_engine_new());
    const struct scheme *s = find_scheme(url ? url : "", &why);
    const char *what = s ? url + strlen(s->name) + 1 : NULL;
    struct ndp_port *port = s ? s->open(what, &why) : NULL;
    ndpResult r =
        port ? ndp_attach(*device, port)
             : ndp_fail(*device, NDP_ERROR_NO_DEVICE, "%s", text_str(&why));
    if (r == NDP_SUCCESS && s->is_child)
        r = check_child(*device, s->name, what);
    text_free(&why);
    return r;
}

ndpResult ndpDeviceSetFallback(ndpDevice device) {
    if (device->engine)
        return NDP_SUCCESS;
    if (device->taken)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "a fallback is set before any memory is taken");
    return ndp_attach_engine(device, exec_engine_new());
}
