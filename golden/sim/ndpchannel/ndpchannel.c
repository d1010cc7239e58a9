/* ndpchannel.c - the program: a host and accelerators in its memory's ranks at
 * the same time, for long runs (Chopim).
 */
#include "channel.h"

int main(int argc, char **argv) {
    return channel_main("ndpchannel", argc, argv);
}
