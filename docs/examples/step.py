#!/usr/bin/env python3
"""step.py - a golden machine, stepped beside something else from Python.

    make && LD_LIBRARY_PATH=build python3 docs/examples/step.py [DEVICE]

Loads a kernel of PTX, launches it, and lets the machine's clock pass a hundred
edges at a time, as a simulator of a whole system would.  What is called here is
lib/runtime/ndp.h.
"""
import ctypes
import sys

PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry square(.param .u64 x, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    ld.param.u32 %r5, [n];
    setp.ge.u32 %p1, %r4, %r5;
    @%p1 ret;
    ld.param.u64 %rd1, [x];
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r4, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r1, [%rd4];
    mul.lo.u32 %r1, %r1, %r1;
    st.global.u32 [%rd4], %r1;
    ret;
}
"""


class Argument(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


ndp = ctypes.CDLL("libndp.so")
ndp.ndpGetErrorString.restype = ctypes.c_char_p
device = ctypes.c_void_p()


def call(name, *arguments):
    if getattr(ndp, name)(*arguments) != 0:
        sys.exit(f"{name}: {ndp.ndpGetErrorString(device).decode()}")


def counter(name):
    value = ctypes.c_uint64()
    call("ndpDeviceGetCounter", ctypes.byref(value), device, name.encode())
    return value.value


url = sys.argv[1] if len(sys.argv) > 1 else "golden:plain"
n = ctypes.c_uint32(1000)
x = (ctypes.c_uint32 * n.value)(*range(n.value))
module, kernel, at = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint32()
call("ndpDeviceOpen", ctypes.byref(device), url.encode())
call("ndpModuleLoadData", ctypes.byref(module), device, PTX,
     ctypes.c_size_t(len(PTX)))
call("ndpModuleGetFunction", ctypes.byref(kernel), module, b"square")
call("ndpMemAlloc", ctypes.byref(at), device, ctypes.c_size_t(4 * n.value))
call("ndpMemcpyHtoD", device, at, x, ctypes.c_size_t(4 * n.value))
arguments = (Argument * 2)(
    Argument(ctypes.cast(ctypes.byref(at), ctypes.c_void_p), 4),
    Argument(ctypes.cast(ctypes.byref(n), ctypes.c_void_p), 4))
call("ndpLaunchKernel", kernel, 4, 1, 1, 256, 1, 1, 0, arguments, 2)
running, steps = ctypes.c_int(1), 0
while running.value:
    call("ndpDeviceStep", device, 100, ctypes.byref(running))
    steps += 1
call("ndpMemcpyDtoH", device, x, at, ctypes.c_size_t(4 * n.value))
right = all(v == i * i for i, v in enumerate(x))
print(f"{url}: {'right' if right else 'wrong'}, {steps} steps, "
      f"{counter('cycles')} cycles, {counter('issued')} instructions")
ndp.ndpDeviceClose(device)
sys.exit(not right)
