/* Vdut___024root.h - nothing: see Vdut.h beside it. */
