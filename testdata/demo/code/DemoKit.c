#define DEMO_SEED 0x0a11u
#include "DemoTable.h"

#include "DemoKit.h"

unsigned int DemoKitChecksum(const char *bytes, unsigned long count) {
    unsigned int state = DemoTable[count & 1023u];
    for (unsigned long index = 0; index < count; index++) {
        state = DemoCoreMix(state, (unsigned char)bytes[index]);
    }
    return state;
}
