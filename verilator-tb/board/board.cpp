// board.cpp - the top of a board in Verilator, driven over the pins of its
// serial line (lib/runtime/simulated.h).  A line on standard input, "N B B
// ...", is N bytes in hex for uart_rx; the board runs until they are on the
// line, and a slice of time at least, and answers with a line of the bytes that
// came on uart_tx.
//
// CLOCKS, clocks of a bit, comes from the command that builds it, as does
// BUTTON_REST, the level of a board's button, which nobody presses.  Registers
// and memories start at random.  The end of the input ends it with 0.

#include "Vboard.h"
#include "verilated.h"

#include <cstdio>
#include <deque>
#include <vector>

namespace {

constexpr int bits = 10;                  // start, eight, stop
constexpr int slice = 16 * bits * CLOCKS; // edges

// One end of the line: gives bits of bytes, and makes bytes of bits.
class line {
  public:
    void send(unsigned char byte) { waiting.push_back(byte); }
    bool is_sending() const { return left > 0 || !waiting.empty(); }

    // What the board's uart_rx sees on the next edge.
    int drive() {
        if (left == 0 && !waiting.empty()) {
            frame = 0x200u | unsigned(waiting.front()) << 1;
            waiting.pop_front();
            left = bits * CLOCKS;
        }
        if (left == 0)
            return 1;
        int at = bits - (left + CLOCKS - 1) / CLOCKS;
        left--;
        return frame >> at & 1;
    }

    // What it shows after an edge; the byte when it is whole, else -1.
    int watch(int level) {
        if (seen < 0) {
            if (level == 0)
                seen = 0, got = 0;
            return -1;
        }
        seen++;
        if (seen % CLOCKS != CLOCKS / 2)
            return -1;
        int at = seen / CLOCKS;
        got |= unsigned(level) << at;
        bool is_frame = !(got & 1);
        if (is_frame && at < bits - 1)
            return -1;
        seen = -1;
        return is_frame && level ? int(got >> 1 & 0xff) : -1;
    }

  private:
    std::deque<unsigned char> waiting;
    unsigned frame = 0, got = 0;
    int left = 0, seen = -1;
};

void edge(Vboard &top) {
    top.clk = 1;
    top.eval();
    top.clk = 0;
    top.eval();
}

} // namespace

int main() {
    Verilated::randReset(2);
    Verilated::randSeed(1);
    Vboard top;
    line host;
    unsigned n = 0, byte = 0;
    top.clk = 0;
    top.uart_rx = 1;
#ifdef BUTTON_REST
    top.button = BUTTON_REST;
#endif
    top.eval();
    while (std::scanf("%x", &n) == 1) {
        for (unsigned i = 0; i < n; i++) {
            if (std::scanf("%x", &byte) != 1)
                return 1;
            host.send(static_cast<unsigned char>(byte));
        }
        for (int i = 0; i < slice || host.is_sending(); i++) {
            top.uart_rx = host.drive();
            edge(top);
            int came = host.watch(top.uart_tx);
            if (came >= 0)
                std::printf("%02x ", came);
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    return 0;
}
