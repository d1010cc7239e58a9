// dut_verilator.cpp - the RTL in Verilator, driven by the bench.
//
// Compiled once for each RTL, beside a list dut_ports.inc that the bench has
// printed (--ports): a line DRIVE(name, offset) or SAMPLE(name, offset) for
// each port.  An overload picks the width of the copy between the target's
// structs and the ports of Verilator's class.  Registers and memories start at
// random, so a design that leans on power-up zeros differs.  A waveform is
// written when Verilator was told --trace.

#include "bench.h"

#include <cstring>

#include "Vdut.h"
#include "Vdut___024root.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

template <typename T> void put(T &port, const uint64_t *value) {
    port = static_cast<T>(value[0]);
}
// Words of 32 bits lie in those of 64 in their order if the machine is
// little-endian; a copy of known size is a few moves then.
constexpr bool same_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

template <std::size_t N> void put(VlWide<N> &port, const uint64_t *value) {
    if (same_order)
        std::memcpy(port.data(), value, N * sizeof port[0]);
    else
        for (std::size_t i = 0; i < N; i++)
            port[i] = static_cast<EData>(value[i / 2] >> (i % 2 * 32));
}

template <typename T> void get(uint64_t *value, const T &port) {
    value[0] = port;
}
template <std::size_t N> void get(uint64_t *value, const VlWide<N> &port) {
    if (same_order)
        std::memcpy(value, port.data(), N / 2 * sizeof *value);
    else
        for (std::size_t i = 0; i + 1 < N; i += 2)
            value[i / 2] = port[i] | static_cast<uint64_t>(port[i + 1]) << 32;
    if (N % 2)
        value[N / 2] = port[N - 1];
}

void drive(Vdut &dut, const uint64_t *in) {
#define DRIVE(name, offset) put(dut.name, in + (offset) / sizeof *in);
#define SAMPLE(name, offset)
#include "dut_ports.inc"
#undef DRIVE
#undef SAMPLE
}

void sample(uint64_t *out, const Vdut &dut) {
#define DRIVE(name, offset)
#define SAMPLE(name, offset) get(out + (offset) / sizeof *out, dut.name);
#include "dut_ports.inc"
#undef DRIVE
#undef SAMPLE
}

#if VM_TRACE
class wave {
  public:
    wave(bench *b, Vdut &top) : dut(top), path(bench_wave(b, &from)) {
        if (path)
            dut.trace(&file, 99);
    }
    ~wave() {
        if (file.isOpen())
            file.close();
    }
    // The inputs have changed, the clock has not risen yet.
    void settle(uint64_t cycle) {
        if (!path || cycle < from)
            return;
        if (!file.isOpen())
            file.open(path);
        dut.eval();
        file.dump(10 * cycle);
    }
    void risen(uint64_t cycle) {
        if (file.isOpen())
            file.dump(10 * cycle + 5);
    }

  private:
    Vdut &dut;
    uint64_t from;
    const char *path;
    VerilatedVcdC file;
};
#else
class wave {
  public:
    wave(bench *, Vdut &) {}
    void settle(uint64_t) {}
    void risen(uint64_t) {}
};
#endif

// The clock falls.  Nothing in a block follows that edge, and an evaluation for
// it would only take the same inputs once more.  Verilator knows a rise by what
// the clock was when it looked last; where that has the name it has in version
// 5.006, it is told.  Without the name it has to look.
template <typename Root>
auto told_low(Root &root, int)
    -> decltype(root.__Vtrigrprev__TOP__clk = 0, true) {
    root.__Vtrigrprev__TOP__clk = 0;
    return true;
}
template <typename Root> bool told_low(Root &, long) {
    return false;
}

void fall(Vdut &dut) {
    dut.clk = 0;
    if (VM_TRACE || !told_low(*dut.rootp, 0))
        dut.eval();
}

void run(bench *b, Vdut &dut) {
    wave w(b, dut);
    bool rst;
    uint64_t cycle = 0;
    dut.clk = 0;
    dut.rst = 1;
    dut.eval(); // the first rise is only seen after a low
    do {
        drive(dut, static_cast<const uint64_t *>(bench_inputs(b, &rst)));
        dut.rst = rst;
        w.settle(cycle);
        dut.clk = 1;
        dut.eval();
        w.risen(cycle++);
        sample(static_cast<uint64_t *>(bench_outputs(b)), dut);
        fall(dut);
    } while (bench_step(b));
}

} // namespace

int main(int argc, char **argv) {
    int status;
    bench *b = bench_open(bench_blocks(), argc, argv, &status);
    if (!b)
        return status;
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(static_cast<int>(bench_seed(b) & 0x3fffffff) + 1);
#if VM_TRACE
    context.traceEverOn(true);
#endif
    {
        Vdut dut(&context);
        run(b, dut);
        dut.final();
    }
    return bench_close(b);
}
