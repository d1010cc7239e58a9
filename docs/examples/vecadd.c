/* vecadd.c - c = a + b on a machine that ndpgen made.
 *
 *     build/ndpcc kernels/vecadd/vecadd.ptx --assemble --registers 16 \
 *         --kernel vecadd_aligned -o vecadd.ndpx
 *     cc -Ilib/runtime docs/examples/vecadd.c build/libgolden.a build/libndp.a \
 *         -lyaml -ljansson -lelf -lm -o vecadd
 *     ./vecadd vecadd.ndpx golden:tiny
 */
#include <ndp.h>

#include <stdio.h>

#define TRY(call)                                                              \
    if ((call) != NDP_SUCCESS)                                                 \
    return fprintf(stderr, "%s\n", ndpGetErrorString(device)), 1

int main(int argc, char **argv) {
    float a[100], b[100], c[100];
    unsigned n = 100;
    ndpDevice device = NULL;
    ndpModule module;
    ndpFunction kernel;
    ndpDevicePtr at[3];

    for (unsigned i = 0; i < n; i++)
        a[i] = (float)i, b[i] = 0.5f * (float)i;
    TRY(ndpDeviceOpen(&device, argc > 2 ? argv[2] : "golden:tiny"));
    TRY(ndpModuleLoad(&module, device, argc > 1 ? argv[1] : "vecadd.ndpx"));
    TRY(ndpModuleGetFunction(&kernel, module, "vecadd_aligned"));
    for (int i = 0; i < 3; i++)
        TRY(ndpMemAlloc(&at[i], device, sizeof a));
    TRY(ndpMemcpyHtoD(device, at[0], a, sizeof a));
    TRY(ndpMemcpyHtoD(device, at[1], b, sizeof b));
    ndpArgument arguments[] = {NDP_ARG(n), NDP_ARG(at[0]), NDP_ARG(at[1]),
                               NDP_ARG(at[2])};
    TRY(ndpLaunchKernel(kernel, 13, 1, 1, 8, 1, 1, 0, arguments, 4));
    TRY(ndpCtxSynchronize(device, 10000));
    TRY(ndpMemcpyDtoH(device, c, at[2], sizeof c));
    printf("c[99] = %g\n", (double)c[99]);
    ndpDeviceClose(device);
    return c[99] == a[99] + b[99] ? 0 : 1;
}
