/* transfers.c - see transfers.h. */
#include "transfers.h"

#include "base/array.h"
#include "base/bits.h"
#include "iface/system.h"
#include "isa/isa.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WARPS = 64,
    AT_ONCE = 16,     /* instructions of a warp under way that are shown */
    CODE = 1 << 16,   /* words */
    NAMED = 3,        /* fields in the name of a slice */
    NARROW = 16,      /* bits of such a field, at most */
    OF_WARPS = 10000, /* added to the number of a part's process */
};

/* What a part has at a port: its own output, or what the input is linked to. */
struct port {
    const struct design_port *decl; /* NULL: there is no such port */
    bool is_input;                  /* of the machine */
    size_t offset;                  /* in its inputs or outputs */
    bool is_constant;
    uint64_t constant;
};

struct field {
    const char *name; /* behind the channel's */
    struct port port;
};

struct channel {
    const char *name;
    enum channel_kind kind;
    int process, track;
    struct port valid, ready;
    ARRAY(struct field) fields;
    bool open; /* something is presented, */
    uint64_t since;
};

/* An instruction under way, on its track of the warp. */
struct under_way {
    bool valid;
    uint64_t tag, since;
};

struct warp {
    struct under_way at[AT_ONCE];
    bool named[AT_ONCE];
};

/* A part that issues and commits. */
struct issuer {
    int process;
    int issue, commit; /* channels */
    struct warp warp[WARPS];
};

/* Two transfers of a part that begin and end what a warp does between them: it
 * asks, is away, or is there as a guest. */
struct span_form {
    const char *from, *to;    /* channels; the part gives the second */
    const char *only;         /* field of the first that is not zero, or NULL */
    const char *name, *which; /* and the field that the name ends with */
    const char *tracks;       /* of the part */
};
static const struct span_form span_forms[] = {
    {"ask", "ans", NULL, "asks", NULL, "blocks that leave"},
    {"ans", "release", "offload", "away in stack", "stack",
     "blocks that leave"},
    {"spawn", "over", NULL, "guest at word", "pc", "blocks that come"},
};
enum { SPAN_FORMS = sizeof span_forms / sizeof span_forms[0] };

struct span { /* of a part */
    const struct span_form *form;
    int process;
    struct channel from, to;
    struct under_way warp[WARPS]; /* tag: what the name ends with */
};

struct transfers {
    FILE *f;
    bool any;
    int parts;
    uint64_t last; /* cycle */
    ARRAY(struct channel) channels;
    ARRAY(struct issuer) issuers;
    ARRAY(struct span) spans;
    uint64_t *code; /* by tag; 0: not known */
};

/* --- events --------------------------------------------------------------- */

static void begin(struct transfers *t) {
    fputs(t->any ? ",\n" : "", t->f);
    t->any = true;
}

static void put_name(struct transfers *t, const char *what, int process,
                     int track, const char *name) {
    begin(t);
    fprintf(t->f,
            "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,"
            "\"args\":{\"name\":\"%s\"}}",
            what, process, track, name);
    if (strcmp(what, "thread_name") != 0)
        return;
    begin(t);
    fprintf(t->f,
            "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,"
            "\"tid\":%d,\"args\":{\"sort_index\":%d}}",
            process, track, track);
}

static uint64_t value_of(const struct port *p, const struct values *now) {
    const char *all = p->is_input ? now->in : now->out;
    return p->is_constant ? p->constant : *(const uint64_t *)(all + p->offset);
}

static const struct field *field_of(const struct channel *c, const char *name) {
    for (int i = 0; i < c->fields.n; i++)
        if (strcmp(c->fields.v[i].name, name) == 0)
            return &c->fields.v[i];
    return NULL;
}

static uint64_t field(const struct channel *c, const char *name,
                      const struct values *now) {
    const struct field *f = field_of(c, name);
    return f ? value_of(&f->port, now) : 0;
}

/* "ffma", what the word of a tag is; "tag 17" where it is not known. */
static void print_word(struct transfers *t, uint64_t tag) {
    struct isa_word w;
    uint64_t word = tag < CODE ? t->code[tag] : 0;
    if (word && isa_decode(word, ISA_REGISTERS, &w) == ISA_LEGAL)
        fputs(isa_info(w.op)->text, t->f);
    else
        fprintf(t->f, "tag %" PRIu64, tag);
}

static void print_instruction(struct transfers *t, uint64_t tag) {
    struct isa_word w;
    struct text s = {0};
    uint64_t word = tag < CODE ? t->code[tag] : 0;
    if (!word || isa_decode(word, ISA_REGISTERS, &w) != ISA_LEGAL)
        return;
    isa_print(&w, &s);
    fprintf(t->f, ",\"instruction\":\"%s\"", text_str(&s));
    text_free(&s);
}

static void slice_head(struct transfers *t, int process, int track,
                       uint64_t since, uint64_t end) {
    begin(t);
    fprintf(t->f,
            "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64
            ",\"dur\":%" PRIu64 ",\"name\":\"",
            process, track, since, end - since);
}

/* --- channels ------------------------------------------------------------- */

static void put_transfer(struct transfers *t, const struct channel *c,
                         uint64_t end, const struct values *now) {
    int named = 0;
    slice_head(t, c->process, c->track, c->since, end);
    for (int i = 0; i < c->fields.n && named < NAMED; i++) {
        const struct field *f = &c->fields.v[i];
        if (f->port.decl->width > NARROW)
            continue;
        fputs(named++ ? " " : "", t->f);
        if (strcmp(f->name, "tag") == 0)
            print_word(t, value_of(&f->port, now));
        else
            fprintf(t->f, "%s %" PRIu64, f->name, value_of(&f->port, now));
    }
    fputs(named ? "\",\"args\":{" : "transfer\",\"args\":{", t->f);
    for (int i = 0; i < c->fields.n; i++) {
        const struct field *f = &c->fields.v[i];
        fprintf(t->f, "%s\"%s\":\"0x%" PRIx64 "%s\"", i ? "," : "", f->name,
                value_of(&f->port, now), f->port.decl->width > 64 ? "..." : "");
    }
    fputs("}}", t->f);
}

static bool is_taken(const struct channel *c, const struct values *now) {
    if (!c->ready.decl)
        return true;
    uint64_t ready = value_of(&c->ready, now);
    if (c->kind == TAKES_EACH && c->fields.n)
        ready >>= value_of(&c->fields.v[0].port, now) % 64;
    return ready & 1;
}

static bool step_channel(struct transfers *t, struct channel *c, uint64_t cycle,
                         const struct values *now) {
    if (!(value_of(&c->valid, now) & 1)) {
        c->open = false; /* a reset came between */
        return false;
    }
    if (!c->open)
        c->since = cycle;
    c->open = true;
    if (!is_taken(c, now))
        return false;
    put_transfer(t, c, cycle + 1, now);
    c->open = false;
    return true;
}

/* --- instructions of warps ------------------------------------------------ */

static void put_instruction(struct transfers *t, struct issuer *s,
                            uint64_t warp, int k, uint64_t end,
                            const char *die) {
    struct warp *w = &s->warp[warp];
    const struct under_way *u = &w->at[k];
    int process = s->process + OF_WARPS, track = (int)warp * AT_ONCE + k + 1;
    char name[32];
    if (!w->named[k]) {
        snprintf(name, sizeof name, "warp %" PRIu64, warp);
        put_name(t, "thread_name", process, track, name);
        w->named[k] = true;
    }
    slice_head(t, process, track, u->since, end);
    fputs(die, t->f);
    print_word(t, u->tag);
    fprintf(t->f, "\",\"args\":{\"word\":%" PRIu64, u->tag);
    print_instruction(t, u->tag);
    fputs("}}", t->f);
}

static void step_issuer(struct transfers *t, struct issuer *s, uint64_t cycle,
                        bool issues, bool commits, const struct values *now) {
    const struct channel *issue = &t->channels.v[s->issue];
    const struct channel *commit = &t->channels.v[s->commit];
    if (issues) {
        uint64_t warp = field(issue, "warp", now) % WARPS;
        struct under_way *at = s->warp[warp].at;
        int k = 0;
        while (k < AT_ONCE && at[k].valid)
            k++;
        if (k < AT_ONCE)
            at[k] = (struct under_way){true, field(issue, "tag", now), cycle};
    }
    if (commits) {
        uint64_t warp = field(commit, "warp", now) % WARPS;
        uint64_t tag = field(commit, "tag", now);
        struct under_way *at = s->warp[warp].at;
        int first = -1;
        for (int k = 0; k < AT_ONCE; k++)
            if (at[k].valid && at[k].tag == tag &&
                (first < 0 || at[k].since < at[first].since))
                first = k;
        if (first >= 0) {
            put_instruction(t, s, warp, first, cycle + 1,
                            field(commit, "near", now) ? "near " : "far ");
            at[first].valid = false;
        }
    }
}

/* --- warps that leave and come -------------------------------------------- */

static void put_span(struct transfers *t, const struct span *v, uint64_t warp,
                     uint64_t end) {
    const struct under_way *u = &v->warp[warp];
    slice_head(t, v->process + OF_WARPS, (int)warp + 1, u->since, end);
    fputs(v->form->name, t->f);
    if (v->form->which)
        fprintf(t->f, " %" PRIu64, u->tag);
    fputs("\"}", t->f);
}

static bool is_transfer(const struct channel *c, const struct values *now) {
    return value_of(&c->valid, now) & 1 && is_taken(c, now);
}

static void step_span(struct transfers *t, struct span *v, uint64_t cycle,
                      const struct values *now) {
    const struct span_form *s = v->form;
    if (is_transfer(&v->to, now)) {
        uint64_t warp = field(&v->to, "warp", now) % WARPS;
        if (v->warp[warp].valid)
            put_span(t, v, warp, cycle + 1);
        v->warp[warp].valid = false;
    }
    if (is_transfer(&v->from, now) &&
        (!s->only || field(&v->from, s->only, now))) {
        uint64_t warp = field(&v->from, "warp", now) % WARPS;
        uint64_t tag = s->which ? field(&v->from, s->which, now) : 0;
        v->warp[warp] = (struct under_way){true, tag, cycle};
    }
}

/* Words as they are written into the parts that compute. */
static void learn_code(struct transfers *t, const struct channel *c,
                       const struct values *now) {
    const struct field *tag = field_of(c, "tag"), *word = field_of(c, "word");
    if (!tag || !word || !(value_of(&c->valid, now) & 1))
        return;
    uint64_t at = value_of(&tag->port, now);
    if (at < CODE)
        t->code[at] = value_of(&word->port, now);
}

void transfers_column(struct transfers *t, uint64_t cycle, bool shown,
                      const struct values *now) {
    bool taken[t->channels.n + 1];
    for (int i = 0; i < t->channels.n; i++) {
        learn_code(t, &t->channels.v[i], now);
        taken[i] = shown && step_channel(t, &t->channels.v[i], cycle, now);
    }
    for (int i = 0; i < t->issuers.n && shown; i++) {
        struct issuer *s = &t->issuers.v[i];
        step_issuer(t, s, cycle, taken[s->issue], taken[s->commit], now);
    }
    for (int i = 0; i < t->spans.n && shown; i++)
        step_span(t, &t->spans.v[i], cycle, now);
    if (shown)
        t->last = cycle + 1;
}

/* --- parts ---------------------------------------------------------------- */

/* What is given is shown at its source; issue is no channel of it. */
static bool is_shown(enum channel_kind k) {
    return k == GIVES || k == GIVES_OPEN || k == GIVES_ALL || k == TAKES_EACH;
}

static const char *behind(const char *name, const char *channel) {
    size_t n = strlen(channel);
    return strncmp(name, channel, n) == 0 && name[n] == '_' ? name + n + 1
                                                            : NULL;
}

static struct port port_of(const struct design *d, int part, int n) {
    const struct system_part *p = system_instance(d, part);
    const struct design_port *decl = &p->design->ports[n];
    struct port found = {.decl = decl, .offset = p->out_offset + decl->offset};
    if (decl->dir == PORT_OUT)
        return found;
    const struct system_source *from = system_source(d, part, n);
    if (from->kind == FROM_OUTPUT) {
        p = system_instance(d, from->instance);
        found.offset = p->out_offset + p->design->ports[from->port].offset;
    } else {
        found.is_constant = from->kind == FROM_CONSTANT;
        found.constant = from->value;
        found.is_input = true;
        found.offset = p->in_offset + decl->offset;
    }
    return found;
}

/* The channel whose heading is port n. */
static struct channel channel_at(const struct transfers *t,
                                 const struct design *machine, int part,
                                 int n) {
    const struct design *d = system_instance(machine, part)->design;
    struct channel c = {.name = d->ports[n].name,
                        .kind = d->ports[n].kind,
                        .process = t->parts,
                        .track = n + 1};
    for (int k = n + 1; k < d->n_ports && d->ports[k].dir != PORT_GROUP; k++) {
        const char *name = behind(d->ports[k].name, c.name);
        struct port p = port_of(machine, part, k);
        if (name && strcmp(name, "valid") == 0)
            c.valid = p;
        else if (name && strcmp(name, "ready") == 0)
            c.ready = p;
        else if (name && d->ports[k].width)
            *array_push(&c.fields) = (struct field){name, p};
    }
    return c;
}

static void add_channel(struct transfers *t, const struct design *machine,
                        int part, int n) {
    struct channel c = channel_at(t, machine, part, n);
    bool each = c.ready.decl && c.ready.decl->width > 1;
    if (!c.valid.decl || each != (c.kind == TAKES_EACH)) {
        array_free(&c.fields); /* shown where it is taken */
        return;
    }
    put_name(t, "thread_name", c.process, c.track, c.name);
    *array_push(&t->channels) = c;
}

static const struct channel *channel_of(const struct transfers *t, int process,
                                        const char *name) {
    for (int i = 0; i < t->channels.n; i++) {
        const struct channel *c = &t->channels.v[i];
        if (c->process == process && strcmp(c->name, name) == 0 &&
            field_of(c, "warp") && field_of(c, "tag"))
            return c;
    }
    return NULL;
}

static void add_issuer(struct transfers *t, const char *name) {
    const struct channel *issue = channel_of(t, t->parts, "issue");
    const struct channel *commit = channel_of(t, t->parts, "commit");
    if (!issue || !commit)
        return;
    struct text label = {0};
    *array_push(&t->issuers) =
        (struct issuer){.process = t->parts,
                        .issue = (int)(issue - t->channels.v),
                        .commit = (int)(commit - t->channels.v)};
    text_printf(&label, "%s: instructions", name);
    put_name(t, "process_name", t->parts + OF_WARPS, 0, text_str(&label));
    text_free(&label);
}

static int heading(const struct design *d, const char *name) {
    int n = 0;
    while (n < d->n_ports && (d->ports[n].dir != PORT_GROUP ||
                              strcmp(d->ports[n].name, name) != 0))
        n++;
    return n < d->n_ports ? n : -1;
}

static void free_span(struct span *v) {
    array_free(&v->from.fields);
    array_free(&v->to.fields);
}

/* All of a part are on one track for each warp. */
static void add_spans(struct transfers *t, const struct design *machine,
                      int part) {
    const struct system_part *p = system_instance(machine, part);
    const char *tracks = NULL;
    for (int i = 0; i < SPAN_FORMS; i++) {
        int from = heading(p->design, span_forms[i].from);
        int to = heading(p->design, span_forms[i].to);
        if (from < 0 || to < 0 || !is_shown(p->design->ports[to].kind))
            continue;
        struct span v = {.form = &span_forms[i],
                         .process = t->parts,
                         .from = channel_at(t, machine, part, from),
                         .to = channel_at(t, machine, part, to)};
        if (v.from.valid.decl && v.from.valid.decl->width &&
            v.to.valid.decl->width && field_of(&v.to, "warp")) {
            *array_push(&t->spans) = v;
            tracks = span_forms[i].tracks;
        } else {
            free_span(&v);
        }
    }
    struct text label = {0};
    text_printf(&label, "%s: %s", p->name, tracks ? tracks : "");
    if (tracks)
        put_name(t, "process_name", t->parts + OF_WARPS, 0, text_str(&label));
    for (int warp = 0; warp < WARPS && tracks; warp++) {
        char name[16];
        snprintf(name, sizeof name, "warp %d", warp);
        put_name(t, "thread_name", t->parts + OF_WARPS, warp + 1, name);
    }
    text_free(&label);
}

static void add_part(struct transfers *t, const struct design *machine,
                     int part) {
    const struct system_part *p = system_instance(machine, part);
    put_name(t, "process_name", ++t->parts, 0, p->name);
    for (int n = 0; n + 1 < p->design->n_ports; n++)
        if (p->design->ports[n].dir == PORT_GROUP &&
            is_shown(p->design->ports[n].kind))
            add_channel(t, machine, part, n);
    add_issuer(t, p->name);
    add_spans(t, machine, part);
}

struct transfers *transfers_open(FILE *f, const struct design *d) {
    struct transfers *t = xcalloc(1, sizeof *t);
    t->f = f;
    t->code = xcalloc(CODE, sizeof *t->code);
    fputs("{\"displayTimeUnit\": \"ns\", \"otherData\": {\"a microsecond is\": "
          "\"a cycle\"}, \"traceEvents\": [\n",
          f);
    for (int i = 0; i < system_n(d); i++)
        add_part(t, d, i);
    return t;
}

/* What is under way ends with the last cycle. */
void transfers_close(struct transfers *t) {
    for (int i = 0; i < t->issuers.n; i++)
        for (int warp = 0; warp < WARPS; warp++)
            for (int k = 0; k < AT_ONCE; k++)
                if (t->issuers.v[i].warp[warp].at[k].valid)
                    put_instruction(t, &t->issuers.v[i], (uint64_t)warp, k,
                                    t->last, "");
    for (int i = 0; i < t->spans.n; i++)
        for (uint64_t warp = 0; warp < WARPS; warp++)
            if (t->spans.v[i].warp[warp].valid)
                put_span(t, &t->spans.v[i], warp, t->last);
    fputs("\n]}\n", t->f);
    for (int i = 0; i < t->channels.n; i++)
        array_free(&t->channels.v[i].fields);
    array_free(&t->channels);
    array_free(&t->issuers);
    for (int i = 0; i < t->spans.n; i++)
        free_span(&t->spans.v[i]);
    array_free(&t->spans);
    free(t->code);
    free(t);
}
