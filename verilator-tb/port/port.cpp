// port.cpp - the RTL of a machine in Verilator, driven over its register port
// by lines on standard input (lib/runtime/port.h): "w ADDRESS DATA", "r
// ADDRESS", "i EDGES", numbers in hex.  Each r is answered by a line of the
// value.  From "t 1" to "t 0" each pass that retires is a line, too, if the top
// shows it (NDP_RETIRES).
//
// Registers and memories start at random.  An access that is not acknowledged
// ends the program with status 1; the end of the input ends it with 0.

#include "Vmachine.h"
#include "verilated.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {

constexpr int reset_edges = 4;

// A port of Verilator's, as hex digits with all leading zeros.
void print(IData v) {
    std::printf("%08x", v);
}

void print(QData v) {
    std::printf("%016llx", static_cast<unsigned long long>(v));
}

template <std::size_t words> void print(const VlWide<words> &v) {
    for (std::size_t i = words; i-- > 0;)
        std::printf("%08x", v[i]);
}

class machine {
  public:
    machine() {
        top.clk = 0;
        top.rst = 1;
        top.wb_cyc = 0;
        top.wb_stb = 0;
        top.wb_we = 0;
        top.wb_adr = 0;
        top.wb_dat_w = 0;
        top.wb_sel = 15;
        for (int i = 0; i < reset_edges; i++)
            edge();
        top.rst = 0;
    }

    void edge() {
        top.clk = 1;
        top.eval();
        top.clk = 0;
        top.eval();
        edges++;
#ifdef NDP_RETIRES
        if (is_watched && top.core_ret_valid)
            tell();
#endif
    }

    void watch(bool on) {
#ifndef NDP_RETIRES
        std::fprintf(stderr, "this machine does not show what retires\n");
        std::exit(1);
#endif
        is_watched = on;
        edges = 0;
    }

    // One edge serves it, the next takes the acknowledge back.
    uint32_t access(bool write, uint32_t address, uint32_t data) {
        top.wb_cyc = 1;
        top.wb_stb = 1;
        top.wb_we = write;
        top.wb_adr = address;
        top.wb_dat_w = data;
        edge();
        top.wb_cyc = 0;
        top.wb_stb = 0;
        if (!top.wb_ack) {
            std::fprintf(stderr, "no acknowledge at word %x\n", address);
            std::exit(1);
        }
        uint32_t read = top.wb_dat_r;
        edge();
        return read;
    }

  private:
#ifdef NDP_RETIRES
    void tell() {
        std::printf("t %llx %x %x %x %x %x %x ", edges,
                    unsigned(top.core_ret_warp), unsigned(top.core_ret_pc),
                    unsigned(top.core_ret_pass), unsigned(top.core_ret_kind),
                    unsigned(top.core_ret_mask), unsigned(top.core_ret_d));
        print(top.core_ret_value);
        std::printf("\n");
    }
#endif

    Vmachine top;
    bool is_watched = false;
    unsigned long long edges = 0;
};

// Lines of standard input; what was answered goes out before it waits for more.
class input {
  public:
    bool line(std::string &text) {
        std::size_t end;
        while ((end = buffer.find('\n', at)) == std::string::npos) {
            char more[65536];
            std::fflush(stdout);
            ssize_t n = read(0, more, sizeof more);
            if (n <= 0)
                return false;
            buffer.erase(0, at);
            at = 0;
            buffer.append(more, static_cast<std::size_t>(n));
        }
        text.assign(buffer, at, end - at);
        at = end + 1;
        return true;
    }

  private:
    std::string buffer;
    std::size_t at = 0;
};

} // namespace

int main() {
    Verilated::randReset(2);
    Verilated::randSeed(1);
    machine m;
    input in;
    std::string line;
    while (in.line(line)) {
        unsigned a = 0, b = 0;
        char op = 0;
        if (std::sscanf(line.c_str(), "%c %x %x", &op, &a, &b) < 2) {
            std::fprintf(stderr, "not an access: %s\n", line.c_str());
            return 1;
        }
        if (op == 'i')
            for (unsigned n = 0; n < a; n++)
                m.edge();
        else if (op == 'w')
            m.access(true, a, b);
        else if (op == 't')
            m.watch(a != 0);
        else
            std::printf("%x\n", m.access(false, a, 0));
    }
    return 0;
}
