#ifndef DEMOKIT_H
#define DEMOKIT_H

unsigned int DemoKitChecksum(const char *bytes, unsigned long count);
unsigned int DemoCoreMix(unsigned int state, unsigned char byte);
unsigned int DemoToolsFold(const char *text);

#endif
