// The extension of DemoMac.app. Its entry point is NSExtensionMain, from Foundation.

#define DEMO_SEED 0x51d6u
#include "DemoTable.h"

#include "DemoKit.h"

__attribute__((visibility("default"))) unsigned int DemoMacWidgetTint(unsigned char day) {
    return DemoCoreMix(DemoTable[day & 1023u], day);
}
