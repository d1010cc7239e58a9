// dut_verilator.cpp - the RTL in Verilator, driven by the bench.
//
// Compiled once for each block, with DUT_BLOCK naming it and DUT_DEF its file;
// the copies between the block's structs and the ports of Verilator's class
// come from the block's .def through the macros below, and an overload picks
// the width.  Registers and memories start at random, so a design that leans on
// power-up zeros differs. A waveform is written when Verilator was told
// --trace.

#include "bench.h"

#include "Vdut.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

#define DUT_GLUE2(a, b) a##b
#define DUT_GLUE(a, b) DUT_GLUE2(a, b)
#define BLOCK DUT_BLOCK
#define BLOCK_UPPER DUT_UPPER
#define BLOCK_DEF DUT_DEF
extern "C" {
#include "iface/block_types.h"
}
#define BLOCK_DEF DUT_DEF

namespace {

using in_ports = struct DUT_GLUE(DUT_BLOCK, _in);
using out_ports = struct DUT_GLUE(DUT_BLOCK, _out);

// A narrow port; also one that is declared wide and narrow here.
template <typename T> void put(T &port, uint64_t value) {
    port = static_cast<T>(value);
}
template <typename T> void put(T &port, const uint64_t *value) {
    port = static_cast<T>(value[0]);
}
template <std::size_t N> void put(VlWide<N> &port, const uint64_t *value) {
    for (std::size_t i = 0; i < N; i++)
        port[i] = static_cast<EData>(value[i / 2] >> (i % 2 * 32));
}

template <typename T> void get(uint64_t &value, const T &port) {
    value = port;
}
template <typename T> void get(uint64_t *value, const T &port) {
    value[0] = port;
}
template <std::size_t N> void get(uint64_t *value, const VlWide<N> &port) {
    for (std::size_t i = 0; i + 1 < N; i += 2)
        value[i / 2] = port[i] | static_cast<uint64_t>(port[i + 1]) << 32;
    if (N % 2)
        value[N / 2] = port[N - 1];
}

void drive(Vdut &dut, const in_ports &in) {
#define IN(name, width, doc) put(dut.name, in.name);
#define WIDE_IN(name, width, maxbits, doc) put(dut.name, in.name);
#include "iface/expand_all.h"
}

void sample(out_ports &out, const Vdut &dut) {
#define OUT(name, width, doc) get(out.name, dut.name);
#define WIDE_OUT(name, width, maxbits, doc) get(out.name, dut.name);
#include "iface/expand_all.h"
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

void run(bench *b, Vdut &dut) {
    wave w(b, dut);
    bool rst;
    uint64_t cycle = 0;
    dut.clk = 0;
    dut.rst = 1;
    dut.eval(); // the first rise is only seen after a low
    do {
        drive(dut, *static_cast<const in_ports *>(bench_inputs(b, &rst)));
        dut.rst = rst;
        w.settle(cycle);
        dut.clk = 1;
        dut.eval();
        w.risen(cycle++);
        sample(*static_cast<out_ports *>(bench_outputs(b)), dut);
        dut.clk = 0;
        dut.eval();
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
