/* several.h - what the two files of the program share. */
#pragma once

void sort(unsigned *device, int n);
int wrong_of(const unsigned *device, int n, int odd);
