// The main program of DemoMac.app.

#define DEMO_SEED 0x3ac0u
#include "DemoTable.h"

#include "DemoKit.h"

int main(int argc, char **argv) {
    unsigned int state = 0;
    for (int index = 0; index < argc; index++) {
        state ^= DemoKitChecksum(argv[index], 1) ^ DemoTable[index & 1023];
    }
    return state == 0;
}
