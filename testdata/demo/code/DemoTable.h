// A table of 1,024 different words (4 KiB), so that more than one page of each image holds something. Include it with
// DEMO_SEED defined.

#ifndef DEMOTABLE_H
#define DEMOTABLE_H

#define DEMO_1(n) ((((n) + DEMO_SEED) * 2654435761u) ^ (((n) * (n) + DEMO_SEED) << 7))
#define DEMO_4(n) DEMO_1(n), DEMO_1((n) + 1u), DEMO_1((n) + 2u), DEMO_1((n) + 3u)
#define DEMO_16(n) DEMO_4(n), DEMO_4((n) + 4u), DEMO_4((n) + 8u), DEMO_4((n) + 12u)
#define DEMO_64(n) DEMO_16(n), DEMO_16((n) + 16u), DEMO_16((n) + 32u), DEMO_16((n) + 48u)
#define DEMO_256(n) DEMO_64(n), DEMO_64((n) + 64u), DEMO_64((n) + 128u), DEMO_64((n) + 192u)

__attribute__((used)) static const unsigned int DemoTable[1024] = {
    DEMO_256(0u), DEMO_256(256u), DEMO_256(512u), DEMO_256(768u)};

#endif
