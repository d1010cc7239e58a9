/* mpu_feed.c - the stream as packets of warps.
 *
 * A core's part: CTAs come one after another as there is room, each is read
 * whole; warp g of a launch goes to a slot of unit g mod 4, which holds its
 * near registers, and stays there to its end.  Slots that may go on take turns,
 * a packet a cycle.  At a barrier a warp waits for those of its CTA that have
 * not ended.  A launch begins when the one before it has drained.
 *
 * What the executor knows a core would have to find out: no branch is waited
 * for.
 */
#include "mpu_state.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool fail(struct mpu *m) {
    m->failed = true;
    return false;
}

/* --- launches ------------------------------------------------------------- */

static int slots(const struct mpu *m) {
    return m->size.WARPS;
}

bool mpu_drained(const struct mpu *m) {
    for (int n = 0; n < slots(m); n++)
        if (m->slot[n].used)
            return false;
    return mpu_memory_idle(m->memory);
}

static int find_kernel(const struct ptx_module *module, const char *name) {
    for (int n = 0; n < module->n_functions; n++)
        if (module->functions[n]->has_body &&
            strcmp(module->functions[n]->name, name) == 0)
            return n;
    BUG("launch of '%s', which the module does not have", name);
}

/* A register keeps its kind between resets, so another kernel begins with one:
 * the unit is idle then, and its table's initialisation takes no time here. */
static void restart(struct mpu *m) {
    memset(&m->in, 0, sizeof m->in);
    golden_cycle(m->dies, true, NULL);
    do
        m->out = golden_cycle(m->dies, false, &m->in);
    while (!m->out->issue_ready);
}

static bool load_kernel(struct mpu *m, const char *name) {
    const struct ptx_module *module = run_module(m->job->run);
    int index = find_kernel(module, name), at = 0, n;
    const struct ptx_function *f = module->functions[index];
    struct arena arena = {0};
    if (f == m->function)
        return true;
    free(m->packets);
    free(m->first);
    m->packets = NULL;
    m->first = xcalloc((size_t)f->n_instructions + 1, sizeof *m->first);
    m->function = f;
    m->function_index = index;
    bool ok = ptx_stream(f, ptx_analyse(&arena, f), m->size.REGS, &m->packets,
                         &n, m->job->diag);
    arena_free(&arena);
    if (!ok)
        return fail(m);
    for (int pc = 0; pc <= f->n_instructions; pc++) {
        while (at < n && m->packets[at].pc < pc)
            at++;
        m->first[pc] = at;
    }
    restart(m);
    return true;
}

static bool begin_launch(struct mpu *m) {
    const struct stream_launch *l = m->event.launch;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    m->warps = (int)((threads + STREAM_LANES - 1) / STREAM_LANES);
    m->next_warp = 0;
    m->result->launches++;
    if (m->warps > slots(m)) {
        diag_error(m->job->diag, (struct place){0},
                   "%s: kernel '%s' has %d warps a CTA, a core holds %d",
                   m->job->path, l->kernel, m->warps, slots(m));
        return fail(m);
    }
    return load_kernel(m, l->kernel);
}

/* --- CTAs ----------------------------------------------------------------- */

/* The next event of the stream into m->event; false: there is none. */
static bool advance(struct mpu *m) {
    if (m->held)
        return true;
    enum stream_result got = stream_next(m->job->stream, &m->event);
    m->held = got == STREAM_EVENT;
    m->over = !m->held; /* an error is the owner's */
    return m->held;
}

static bool reaches_memory(const struct stream_event *e) {
    return e->insn->access != STREAM_NO_ACCESS && e->mask &&
           e->insn->space != PTX_SPACE_LOCAL && stream_in_dram(e->insn->space);
}

static int add_place(struct mpu_slot *s, const struct stream_event *e) {
    struct mpu_place *p = array_push(&s->places);
    *p = (struct mpu_place){.mask = e->mask,
                            .load = e->insn->access != STREAM_STORE,
                            .store = e->insn->access != STREAM_LOAD,
                            .width = (uint8_t)stream_width(e)};
    for (int i = 0; i < MPU_LANES; i++)
        p->byte[i] = e->mask >> i & 1 ? (uint32_t)e->address[i] : 0;
    return s->places.n - 1;
}

static bool add_step(struct mpu *m, struct mpu_slot *s) {
    const struct stream_event *e = &m->event;
    if ((int)e->insn->function != m->function_index) {
        diag_error(m->job->diag, (struct place){0},
                   "%s: kernel '%s' calls a function, expected one without "
                   "calls: registers are placed for each function alone",
                   m->job->path, m->function->name);
        return fail(m);
    }
    if (!e->active)
        return true;
    *array_push(&s->steps) = (struct mpu_step){
        .pc = (uint32_t)e->insn->pc,
        .mask = e->active,
        .place = reaches_memory(e) ? add_place(s, e) : -1,
        .barrier = e->insn->opc == OPC_barrier &&
                   strncmp(e->insn->opcode, "bar.warp", 8) != 0};
    return true;
}

/* Free slots for the warps of a CTA, each of its unit; false: not enough. */
static bool find_slots(const struct mpu *m, int slot_of[]) {
    uint64_t taken = 0;
    for (int w = 0; w < m->warps; w++) {
        int n = (int)((m->next_warp + (uint64_t)w) % MPU_UNITS);
        while (n < slots(m) && (m->slot[n].used || taken >> n & 1))
            n += MPU_UNITS;
        if (n >= slots(m))
            return false;
        taken |= bit(n);
        slot_of[w] = n;
    }
    return true;
}

/* The CTA whose first instruction is held; false: there is no room now. */
static bool take_cta(struct mpu *m) {
    int slot_of[MPU_SLOTS];
    uint32_t cta = m->event.cta;
    if (!find_slots(m, slot_of))
        return false;
    for (int w = 0; w < m->warps; w++) {
        m->slot[slot_of[w]].used = true;
        m->slot[slot_of[w]].group = m->groups;
    }
    m->groups++;
    m->next_warp += (uint64_t)m->warps;
    m->result->ctas++;
    while (advance(m) && m->event.kind == STREAM_INSTRUCTION &&
           m->event.cta == cta) {
        if (!add_step(m, &m->slot[slot_of[m->event.warp]]))
            return false;
        m->held = false;
    }
    return true;
}

/* --- slots ---------------------------------------------------------------- */

static bool has_ended(const struct mpu_slot *s) {
    return s->head == s->steps.n && !s->issued.packet;
}

static bool is_empty(const struct mpu_slot *s) {
    for (int t = 0; t < MPU_TAGS; t++)
        if (s->flight[t].used)
            return false;
    return has_ended(s);
}

static void retire(struct mpu *m) {
    for (int n = 0; n < slots(m); n++) {
        struct mpu_slot *s = &m->slot[n];
        if (!s->used || !is_empty(s))
            continue;
        s->used = s->waits = false;
        s->head = s->steps.n = s->places.n = 0;
    }
}

/* Barriers to which all have come. */
static void release(struct mpu *m) {
    for (int n = 0; n < slots(m); n++) {
        bool all = m->slot[n].used && m->slot[n].waits;
        for (int k = 0; all && k < slots(m); k++)
            all = !m->slot[k].used || m->slot[k].group != m->slot[n].group ||
                  m->slot[k].waits || has_ended(&m->slot[k]);
        for (int k = 0; all && k < slots(m); k++)
            if (m->slot[k].group == m->slot[n].group)
                m->slot[k].waits = false;
    }
}

bool mpu_feed(struct mpu *m) {
    retire(m);
    release(m);
    while (!m->failed && advance(m)) {
        if (m->event.kind == STREAM_INSTRUCTION) {
            if (!take_cta(m))
                break;
        } else if (mpu_drained(m)) {
            m->held = false;
            begin_launch(m);
        } else {
            break;
        }
    }
    return !m->failed;
}

/* --- issue ---------------------------------------------------------------- */

static int free_tag(const struct mpu_slot *s) {
    int t = 0;
    while (t < MPU_TAGS && s->flight[t].used)
        t++;
    return t;
}

/* The next packet of a slot; NULL: none now.  Instructions without one, such
 * as labels, are left behind. */
static const struct nbu_packet *next_packet(struct mpu *m, struct mpu_slot *s) {
    while (s->used && !s->waits && s->head < s->steps.n) {
        const struct mpu_step *step = &s->steps.v[s->head];
        int at = m->first[step->pc] + s->part;
        if (at < m->first[step->pc + 1])
            return &m->packets[at];
        s->head++;
        s->part = s->row = 0;
        s->waits = step->barrier;
    }
    return NULL;
}

static uint64_t encode(const struct mpu *m, const struct nbu_operand *o) {
    const struct nbu_operand_fields f = {o->valid ? o->reg : 0, o->kind,
                                         o->valid};
    uint64_t word;
    record_pack(&golden_design(m->dies)->record[NBU_REC_operand], &f, &word);
    return word;
}

static int rows_of(const struct nbu_operand *o) {
    return !o->valid || o->kind == NBU_PRED ? 0 : o->kind == NBU_PAIR ? 2 : 1;
}

static void present(struct mpu *m, int n, const struct nbu_packet *p) {
    struct mpu_slot *s = &m->slot[n];
    const struct mpu_step *step = &s->steps.v[s->head];
    struct nbu_in *in = &m->in;
    m->turn = n;
    m->result->instructions += s->part == 0;
    s->issued.packet = p;
    s->issued.tag = free_tag(s);
    s->issued.place = step->place;
    s->issued.row = s->row;
    s->row += step->place < 0 ? 0
              : s->places.v[step->place].store
                  ? rows_of(&p->src[1]) + rows_of(&p->src[2])
                  : rows_of(&p->dst);
    in->issue_valid = 1;
    in->issue_warp = (uint64_t)n;
    in->issue_tag = (uint64_t)s->issued.tag;
    in->issue_op = p->op;
    in->issue_hint = p->hint;
    in->issue_mask = step->mask;
    in->issue_dst = encode(m, &p->dst);
    in->issue_src0 = encode(m, &p->src[0]);
    in->issue_src1 = encode(m, &p->src[1]);
    in->issue_src2 = encode(m, &p->src[2]);
    in->issue_guard = encode(m, &p->guard);
    s->part++;
    next_packet(m, s); /* what stands behind the last one */
}

void mpu_issue(struct mpu *m) {
    m->in.issue_valid = 0;
    for (int i = 1; i <= slots(m); i++) {
        int n = (m->turn + i) % slots(m);
        struct mpu_slot *s = &m->slot[n];
        const struct nbu_packet *p = next_packet(m, s);
        if (!p || s->issued.packet || free_tag(s) == MPU_TAGS ||
            !(m->out->issue_ready >> n & 1))
            continue;
        present(m, n, p);
        return;
    }
}

void mpu_feed_free(struct mpu *m) {
    for (int n = 0; n < MPU_SLOTS; n++) {
        array_free(&m->slot[n].steps);
        array_free(&m->slot[n].places);
    }
    free(m->packets);
    free(m->first);
}
