/* lower_call.c - calls that could not be expanded (ptx/inline.h), which the
 * machines lack: each instruction that belongs to one is refused by the name of
 * what is called.
 *
 * Around a call stand stores to the .param variables of its arguments, and
 * loads from those of its results.
 */
#include "lower.h"

#include <string.h>

/* What is called; NULL: what a register says. */
static const struct ptx_function *callee(const struct ptx_instruction *call) {
    for (int i = 0; i < call->n_operands; i++)
        if (call->operands[i]->kind == PTX_OPND_FUNCTION)
            return call->operands[i]->function;
    return NULL;
}

static bool names(const struct ptx_operand *o, const struct ptx_variable *v) {
    bool found = o->kind == PTX_OPND_VARIABLE && o->variable == v;
    for (int i = 0; i < o->n_items && !found; i++)
        found = names(o->items[i], v);
    return found;
}

/* The call that takes v as an argument or leaves a result there, the nearest
 * one before or behind; NULL: none. */
static const struct ptx_instruction *
call_of(const struct lower *l, const struct ptx_variable *v, bool behind) {
    const struct ptx_function *f = l->f;
    int step = behind ? 1 : -1;
    for (const struct ptx_instruction *in = l->in;
         in >= f->instructions && in < f->instructions + f->n_instructions;
         in += step)
        for (int i = 0; in->form->op == PTX_OP_CALL && i < in->n_operands; i++)
            if (names(in->operands[i], v))
                return in;
    return NULL;
}

/* The body's .param variable that an instruction names; NULL: none. */
static const struct ptx_variable *variable_of_call(const struct lower *l) {
    for (int i = 0; i < l->f->n_variables; i++) {
        const struct ptx_variable *v = l->f->variables[i];
        for (int k = 0; v->space == PTX_SPACE_PARAM && k < l->in->n_operands;
             k++)
            if (names(l->in->operands[k], v))
                return v;
    }
    return NULL;
}

static void refuse(struct lower *l, const char *what,
                   const struct ptx_instruction *call) {
    const struct ptx_function *f = callee(call);
    struct text t = {0};
    text_add(&t, what);
    if (f)
        text_printf(&t, "the call of '%s'", f->name);
    else
        text_add(&t, "the call through a register");
    if (call != l->in)
        text_printf(&t, " in line %d", call->line);
    text_add(&t, !f             ? ""
                 : !f->has_body ? ", which has no body in this module"
                                : ", which calls itself or is too long");
    text_add(&t, "; the machines have no calls");
    lower_refuse(l, text_str(&t));
    text_free(&t);
}

bool lower_call(struct lower *l) {
    if (l->in->form->op == PTX_OP_CALL) {
        refuse(l, "", l->in);
        return true;
    }
    const struct ptx_variable *v = variable_of_call(l);
    bool stores = l->in->form->op == PTX_OP_ST;
    const struct ptx_instruction *call = v ? call_of(l, v, stores) : NULL;
    if (!call)
        return false;
    refuse(l, stores ? "an argument of " : "a result of ", call);
    return true;
}
