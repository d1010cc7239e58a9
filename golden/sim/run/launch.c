/* launch.c - the live stream of a run: launch after launch, loop by loop,
 * with a stack of cursors in place of a coroutine.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

bool run_integer(struct run *r, const struct expr *e, struct place at,
                 const char *what, int64_t *out) {
    struct expr_value v;
    if (!run_eval(r, e, at, r->arrays, &v))
        return false;
    if (!expr_is_int(v)) {
        diag_error(r->d, at, "%s is %g, expected an integer", what,
                   expr_double(v));
        return false;
    }
    *out = expr_int(v);
    return true;
}

/* ---------------------------------------------------------------- launch */

static bool dims_of(struct run *r, const struct run_step *s,
                    struct expr *const e[3], const char *what,
                    uint32_t out[3]) {
    for (int i = 0; i < 3; i++) {
        int64_t n = 1;
        if (e[i] && !run_integer(r, e[i], s->at, what, &n))
            return false;
        if (n < 1 || n > INT32_MAX) {
            diag_error(r->d, s->at,
                       "%s of kernel '%s' is %lld, expected 1 to %d", what,
                       s->kernel->name, (long long)n, INT32_MAX);
            return false;
        }
        out[i] = (uint32_t)n;
    }
    return true;
}

static bool launch(struct run *r, const struct run_step *s) {
    struct exec_launch l = {.kernel = s->kernel};
    int64_t shared = 0;
    if (!dims_of(r, s, s->grid, "grid", l.grid) ||
        !dims_of(r, s, s->block, "block", l.block) ||
        (s->shared && !run_integer(r, s->shared, s->at, "'shared'", &shared)) ||
        !run_make_params(r, s))
        return false;
    if (shared < 0 || shared > INT32_MAX) {
        diag_error(r->d, s->at, "'shared' is %lld bytes", (long long)shared);
        return false;
    }
    l.shared = (uint32_t)shared;
    l.params = r->params;
    if (r->device ? !r->device(r, s, &l, r->device_ctx)
                  : !exec_begin(r->exec, &l, r->d))
        return false;
    r->launched = true;
    r->ctas_begun += (uint64_t)l.grid[0] * l.grid[1] * l.grid[2];
    return true;
}

/* ----------------------------------------------------------------- loops */

static struct run_cursor *push(struct run *r, const struct run_step *steps,
                               int n, const struct run_step *loop) {
    struct run_cursor *c = &r->cursor[r->depth++];
    *c = (struct run_cursor){.steps = steps, .n = n, .loop = loop};
    return c;
}

static bool in_range(const struct run_cursor *c) {
    return c->by > 0 ? c->value <= c->to : c->value >= c->to;
}

static bool enter_for(struct run *r, const struct run_step *s) {
    static const char bound[] = "a number of the loop";
    struct run_cursor *c = push(r, s->steps, s->n_steps, s);
    c->by = 1;
    if (!run_integer(r, s->from, s->at, bound, &c->value) ||
        !run_integer(r, s->to, s->at, bound, &c->to) ||
        (s->by && !run_integer(r, s->by, s->at, bound, &c->by)))
        return false;
    if (c->by == 0) {
        diag_error(r->d, s->at, "the step of a loop is 0");
        return false;
    }
    if (in_range(c))
        r->scalars.v[s->variable] = (struct expr_value){false, c->value, 0};
    else
        r->depth--;
    return true;
}

static void clear_flag(struct run *r, const struct run_step *s) {
    const struct run_buffer *b = &r->buffers[s->buffer];
    memset(b->data, 0, (size_t)element_size(b->type));
}

static bool enter_while(struct run *r, const struct run_step *s) {
    push(r, s->steps, s->n_steps, s)->rounds = 1;
    clear_flag(r, s);
    return true;
}

/* At the end of a body: once more, or leave. */
static bool again(struct run *r, struct run_cursor *c) {
    const struct run_step *s = c->loop;
    int64_t limit;
    c->next = 0;
    if (s->kind == STEP_FOR) {
        if (__builtin_add_overflow(c->value, c->by, &c->value) || !in_range(c))
            r->depth--;
        r->scalars.v[s->variable] = (struct expr_value){false, c->value, 0};
        return true;
    }
    const struct run_buffer *b = &r->buffers[s->buffer];
    struct expr_value flag = element_load(b->type, b->data, 0);
    if (expr_double(flag) == 0) {
        r->depth--;
        return true;
    }
    if (!run_integer(r, s->limit, s->at, "'limit'", &limit))
        return false;
    if ((int64_t)c->rounds++ >= limit) {
        diag_error(r->d, s->at, "more than %lld rounds, '%s' is still not 0",
                   (long long)limit, b->name);
        return false;
    }
    clear_flag(r, s);
    return true;
}

/* Start the next launch: 1 started, 0 there is none, -1 error. */
static int advance(struct run *r) {
    if (!r->launched && r->depth == 0)
        push(r, r->steps, r->n_steps, NULL);
    while (r->depth > 0) {
        struct run_cursor *c = &r->cursor[r->depth - 1];
        bool ok = true;
        if (c->next == c->n) {
            if (!c->loop)
                return 0;
            ok = again(r, c);
        } else {
            const struct run_step *s = &c->steps[c->next++];
            if (s->kind == STEP_LAUNCH)
                return launch(r, s) ? 1 : -1;
            ok = s->kind == STEP_FOR ? enter_for(r, s) : enter_while(r, s);
        }
        if (!ok)
            return -1;
    }
    return 0;
}

static enum stream_result finish(struct run *r, enum exec_state state) {
    r->ended = true;
    r->state = state;
    return state == EXEC_FINISHED ? STREAM_END : STREAM_ERROR;
}

enum stream_result run_next(struct stream *s, struct stream_event *e) {
    struct run *r = (struct run *)(void *)s;
    enum exec_state state = r->launched ? EXEC_FINISHED : EXEC_IDLE;
    if (r->ended)
        return r->state == EXEC_FINISHED ? STREAM_END : STREAM_ERROR;
    if (r->launched)
        state = exec_step(r->exec, e);
    if (state == EXEC_RUNNING)
        return STREAM_EVENT;
    if (state != EXEC_FINISHED && state != EXEC_IDLE)
        return finish(r, state);
    if (r->launched)
        r->ctas_done += exec_ctas_done(r->exec);
    int more = advance(r);
    if (more <= 0)
        return finish(r, more == 0 ? EXEC_FINISHED : EXEC_FAULT);
    e->kind = STREAM_LAUNCH;
    e->launch = exec_launched(r->exec);
    return STREAM_EVENT;
}

void run_all(struct run *r) {
    int more;
    do
        more = advance(r);
    while (more > 0);
    finish(r, more == 0 ? EXEC_FINISHED : EXEC_FAULT);
}
