// Compiled into the app and its widget: the group that the two share, spelled in code, so that a program which rewrites
// identifiers has something to find that it cannot rewrite.

#include "DemoKit.h"

__attribute__((visibility("default"), used)) const char DemoAppGroup[] = "group.com.example.demo";

__attribute__((visibility("default"))) unsigned int DemoGroupChecksum(void) {
    return DemoKitChecksum(DemoAppGroup, sizeof DemoAppGroup - 1);
}
