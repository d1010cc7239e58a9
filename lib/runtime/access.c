/* access.c - registers of the host port, and memory through its window
 * (docs/blocks/host.md).
 */
#include "runtime.h"

#include "blocks/host.h"

enum { BUSY = 1, LOST = 2 };

/* Words at once, and once one was lost, until the gap behind each is long
 * enough.  A memory that wants more than SLOW edges for one is asked after each
 * whether it has come: that is sooner than the longest that one ever takes. */
enum { BATCH = 1024, TRIAL = 16, SLOW = 32, MOST_POLLS = 1 << 16 };

static uint32_t status_address(const struct ndp_device *d, int status) {
    return d->base + (uint32_t)(iface_first_status(&host_iface) + status);
}

/* Memory that nobody has written may be unknown, a register never. */
static bool all_known(const struct ndp_device *d, const struct ndp_access *list,
                      int n, struct text *why) {
    for (int i = 0; i < n; i++)
        if (list[i].kind == NDP_UNKNOWN &&
            list[i].address != status_address(d, HOST_STA_word)) {
            text_printf(why, "register %u reads as unknown",
                        (unsigned)list[i].address);
            return false;
        }
    return true;
}

ndpResult ndp_accesses(ndpDevice d, struct ndp_access *list, int n) {
    struct text why = {0};
    if (!d->port || d->lost)
        return ndp_fail(d, NDP_ERROR_DEVICE_LOST, "the device is lost");
    if (d->port->class->run(d->port, list, n, &why) &&
        all_known(d, list, n, &why))
        return NDP_SUCCESS;
    d->lost = true;
    ndp_fail(d, NDP_ERROR_DEVICE_LOST, "the device is lost: %s",
             text_str(&why));
    text_free(&why);
    return NDP_ERROR_DEVICE_LOST;
}

static struct ndp_access status_read(const struct ndp_device *d, int status) {
    return (struct ndp_access){NDP_READ, status_address(d, status), 0};
}

static struct ndp_access command_write(const struct ndp_device *d, int command,
                                       uint32_t data) {
    return (struct ndp_access){
        NDP_WRITE,
        d->base + (uint32_t)(iface_first_command(&host_iface) + command), data};
}

static struct ndp_access pause_for(uint32_t edges) {
    return (struct ndp_access){NDP_IDLE, 0, edges};
}

ndpResult ndp_status(ndpDevice d, int status, uint32_t *value) {
    struct ndp_access a = status_read(d, status);
    ndpResult r = ndp_accesses(d, &a, 1);
    *value = a.data;
    return r;
}

ndpResult ndp_command(ndpDevice d, int command, uint32_t data) {
    struct ndp_access a = command_write(d, command, data);
    return ndp_accesses(d, &a, 1);
}

ndpResult ndp_commands(ndpDevice d, int command, const uint32_t *data, int n) {
    struct ndp_access list[BATCH];
    ndpResult r = NDP_SUCCESS;
    while (n > 0 && r == NDP_SUCCESS) {
        int now = n < BATCH ? n : BATCH;
        for (int i = 0; i < now; i++)
            list[i] = command_write(d, command, data[i]);
        r = ndp_accesses(d, list, now);
        data += now;
        n -= now;
    }
    return r;
}

/* The window lost a word, or had none yet: leave it more time. */
static void widen(uint32_t *gap) {
    *gap = *gap ? 2 * *gap : 2;
}

/* The last word is where it belongs when the window is no longer busy. */
static ndpResult settle(ndpDevice d) {
    uint32_t window = BUSY;
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < MOST_POLLS && window & BUSY && r == NDP_SUCCESS; i++)
        r = ndp_status(d, HOST_STA_window, &window);
    if (r != NDP_SUCCESS || !(window & BUSY))
        return r;
    d->lost = true;
    return ndp_fail(d, NDP_ERROR_DEVICE_LOST,
                    "the device is lost: its memory does not answer");
}

/* A word, when the one before it is where it belongs. */
static ndpResult write_slowly(ndpDevice d, uint32_t at, const uint32_t *words,
                              size_t n) {
    ndpResult r = settle(d);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_address, at);
    for (size_t i = 0; i < n && r == NDP_SUCCESS; i++) {
        r = ndp_command(d, HOST_COM_write, words[i]);
        if (r == NDP_SUCCESS)
            r = settle(d);
    }
    return r;
}

static ndpResult read_slowly(ndpDevice d, uint32_t at, uint32_t *words,
                             size_t n) {
    ndpResult r = settle(d);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_address, at);
    for (size_t i = 0; i < n && r == NDP_SUCCESS; i++) {
        r = ndp_command(d, HOST_COM_fetch, 0);
        if (r == NDP_SUCCESS)
            r = settle(d);
        if (r == NDP_SUCCESS)
            r = ndp_status(d, HOST_STA_word, &words[i]);
    }
    return r;
}

/* Words written one after another; that none was lost is asked at the end. */
ndpResult ndp_write_words(ndpDevice d, uint32_t at, const uint32_t *words,
                          size_t n) {
    struct ndp_access list[2 * BATCH + 3];
    bool busy = false;
    size_t most = BATCH;
    while (n > 0) {
        if (d->write_gap > SLOW)
            return write_slowly(d, at, words, n);
        size_t now = n < most ? n : most;
        int k = 0;
        list[k++] = command_write(d, HOST_COM_address, at);
        for (size_t i = 0; i < now; i++) {
            list[k++] = command_write(d, HOST_COM_write, words[i]);
            if (d->write_gap)
                list[k++] = pause_for(d->write_gap);
        }
        list[k++] = status_read(d, HOST_STA_window);
        ndpResult r = ndp_accesses(d, list, k);
        if (r == NDP_SUCCESS && list[k - 1].data & LOST) {
            widen(&d->write_gap);
            now = 0;
            most = TRIAL;
        } else {
            most = BATCH;
        }
        if (r != NDP_SUCCESS)
            return r;
        busy = list[k - 1].data & BUSY;
        words += now;
        at += 4 * (uint32_t)now;
        n -= now;
    }
    return busy ? settle(d) : NDP_SUCCESS;
}

/* Each word is asked for, waited for a while, and read with the window's state;
 * what came too late is asked for again. */
ndpResult ndp_read_words(ndpDevice d, uint32_t at, uint32_t *words, size_t n) {
    struct ndp_access list[4 * BATCH + 1];
    size_t most = BATCH;
    while (n > 0) {
        if (d->fetch_gap > SLOW)
            return read_slowly(d, at, words, n);
        size_t now = n < most ? n : most, good = 0;
        int k = 0;
        list[k++] = command_write(d, HOST_COM_address, at);
        for (size_t i = 0; i < now; i++) {
            list[k++] = command_write(d, HOST_COM_fetch, 0);
            list[k++] = pause_for(d->fetch_gap);
            list[k++] = status_read(d, HOST_STA_window);
            list[k++] = status_read(d, HOST_STA_word);
        }
        ndpResult r = ndp_accesses(d, list, k);
        if (r != NDP_SUCCESS)
            return r;
        while (good < now && !(list[4 * good + 3].data & (BUSY | LOST))) {
            words[good] = list[4 * good + 4].data;
            good++;
        }
        most = good < now ? TRIAL : BATCH;
        if (good < now)
            widen(&d->fetch_gap);
        words += good;
        at += 4 * (uint32_t)good;
        n -= good;
    }
    return NDP_SUCCESS;
}
