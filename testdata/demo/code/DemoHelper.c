// The helper tool of DemoMac.app.

#define DEMO_SEED 0x4e1bu
#include "DemoTable.h"

int main(int argc, char **argv) {
    (void)argv;
    return (int)(DemoTable[argc & 1023] & 1u);
}
