#define DEMO_SEED 0x7001u
#include "DemoTable.h"

#include "DemoKit.h"

unsigned int DemoToolsFold(const char *text) {
    unsigned int state = 0;
    while (*text) {
        state = (state << 5) ^ DemoTable[(state ^ (unsigned char)*text++) & 1023u];
    }
    return state;
}
