# kernel.awk - a PTX file of one kernel with 10 n + 3 instructions, straight-line
# blocks and loops.
#
#   awk -v n=10000 -f kernel.awk

BEGIN {
    print ".version 8.0\n.target sm_70\n.address_size 64"
    print ".visible .entry big(.param .u64 p)\n{"
    print ".reg .pred %p<3>;\n.reg .b32 %r<1000>;\n.reg .f32 %f<1000>;\n.reg .b64 %rd<9>;"
    print "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;"
    for (b = 0; b < n; b++) {
        i = b % 990
        printf "L%d:\n", b
        printf "ld.global.f32 %%f%d, [%%rd2+%d];\n", i, 4 * i
        printf "fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", i + 1, i, i + 2, i + 3
        printf "add.s32 %%r%d, %%r%d, %d;\n", i, i + 1, b
        printf "mul.lo.s32 %%r%d, %%r%d, 3;\n", i + 2, i
        printf "xor.b32 %%r%d, %%r%d, %%r%d;\n", i + 3, i + 2, i
        printf "shl.b32 %%r%d, %%r%d, 2;\n", i + 4, i + 3
        printf "st.global.f32 [%%rd2+%d], %%f%d;\n", 4 * i, i + 1
        printf "add.s64 %%rd2, %%rd2, 4;\n"
        printf "setp.lt.s32 %%p1, %%r%d, 7;\n", i
        printf "@%%p1 bra L%d;\n", b
    }
    print "ret;\n}"
}
