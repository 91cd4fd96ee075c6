#define DEMO_SEED 0x0c0deu
#include "DemoTable.h"

#include "DemoKit.h"

unsigned int DemoCoreMix(unsigned int state, unsigned char byte) {
    return (state >> 8) ^ DemoTable[(state ^ byte) & 1023u];
}
