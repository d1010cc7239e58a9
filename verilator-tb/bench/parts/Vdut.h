/* Vdut.h - for dut_verilator.cpp in the place of Verilator's own: a simulation
 * whose parts are libraries (scripts/parts.sh).
 *
 * A part sees a rise of the clock with the inputs that it was last evaluated
 * with, so these are evaluated before; it needs to see the fall; and what joins
 * it with the rest counts evaluations from zero, so nothing starts at random.
 */
#ifndef NDP_PARTS_VDUT_H
#define NDP_PARTS_VDUT_H

#include "Vparts.h"

class Vdut : public Vparts {
  public:
    struct no_root {
    } *rootp = nullptr; // so the fall is evaluated

    explicit Vdut(VerilatedContext *context) : Vparts(from_zero(context)) {}
    void eval() {
        if (clk) {
            clk = 0;
            Vparts::eval();
            clk = 1;
        }
        Vparts::eval();
    }

  private:
    static VerilatedContext *from_zero(VerilatedContext *context) {
        context->randReset(0);
        return context;
    }
};

#endif
