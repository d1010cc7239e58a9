/* vprintf.cu - printf of kernels that nvcc compiled, on machines: the arguments in
 * local memory become a record as include/ndp_device_print.h has it.
 *
 * The library puts it behind a module that calls vprintf and has none.
 * `sh scripts/ptx.sh vprintf` makes vprintf.ptx of it.
 */
#undef vprintf /* the headers have another one (scripts/ptx.sh) */

enum { WORDS = 8192, INT = 0, LONG = 1, DOUBLE = 3 };

extern "C" __device__ struct { unsigned used, failed, words[WORDS]; } __ndp_print_buffer = {};

static __device__ __forceinline__ bool is_among(char c, const char *of) {
    for (int i = 0; of[i]; i++)
        if (of[i] == c)
            return true;
    return false;
}

extern "C" __device__ __noinline__ int vprintf(const char *format, const char *arguments) {
    unsigned n = 0, *to = nullptr;
    /* the first time they are counted */
    for (int pass = 0; pass < 2; pass++) {
        const char *f = format;
        unsigned at = 0;
        auto take = [&](unsigned kind) {
            unsigned bytes = kind == INT ? 4 : 8;
            at = (at + bytes - 1) & ~(bytes - 1);
            if (pass) {
                int low = *(const int *)(arguments + at);
                int high = kind == INT ? low >> 31 : *(const int *)(arguments + at + 4);
                to[0] = kind;
                to[1] = (unsigned)low;
                to[2] = (unsigned)high;
                to += 3;
            } else {
                n++;
            }
            at += bytes;
        };
        while (char c = *f) {
            f++;
            if (c != '%')
                continue;
            bool is_long = false;
            for (c = *f; is_among(c, "0123456789.-+ #*hljztq"); c = *++f) {
                if (c == '*')
                    take(INT);
                is_long |= is_among(c, "ljztq");
            }
            if (!c)
                break;
            f++;
            if (is_among(c, "fFeEgGaA"))
                take(DOUBLE);
            else if (c != '%')
                take(is_long || is_among(c, "sp") ? LONG : INT);
        }
        if (pass)
            break;
        unsigned words = 3 + 3 * n, place = atomicAdd(&__ndp_print_buffer.used, words);
        if (place + words > WORDS || place + words < place)
            return -1;
        to = __ndp_print_buffer.words + place;
        to[0] = words;
        to[1] = (unsigned)(unsigned long long)format;
        to[2] = (unsigned)((unsigned long long)format >> 32);
        to += 3;
    }
    return (int)n;
}
