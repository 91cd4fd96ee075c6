"""Turn an arm64 image with chained fixups into an arm64e one, whose pointers have another form.

No linker that anybody may ship chains arm64e's pointers, and Apple's own are not free. The chains are read as
`DYLD_CHAINED_PTR_64` and written as `DYLD_CHAINED_PTR_ARM64E_USERLAND24` (dyld's `fixup-chains.h`), with every
other pointer to code signed, as the compiler does it for arm64e.
"""

import struct

LC_SEGMENT_64, LC_DYLD_CHAINED_FIXUPS = 0x19, 0x80000034
PTR_64, PTR_ARM64E_USERLAND24 = 2, 12


def chain_arm64e(image):
    data = bytearray(image)
    data[8:12] = bytes([2, 0, 0, 0x80])  # subtype arm64e, pointer authentication ABI 0
    segments, fixups = commands(data)
    (starts,) = struct.unpack_from("<I", data, fixups + 4)
    starts += fixups
    (count,) = struct.unpack_from("<I", data, starts)
    for offset in struct.unpack_from(f"<{count}I", data, starts + 4):
        if offset:
            convert_segment(data, starts + offset, segments)
    return bytes(data)


def commands(data):
    """Segments as (address, file offset), and the file offset of the fixups."""
    (number,) = struct.unpack_from("<I", data, 16)
    segments, fixups, place = [], None, 32
    for _ in range(number):
        command, size = struct.unpack_from("<II", data, place)
        if command == LC_SEGMENT_64:
            address, _, offset, _ = struct.unpack_from("<4Q", data, place + 24)
            segments.append((address, offset))
        elif command == LC_DYLD_CHAINED_FIXUPS:
            (fixups,) = struct.unpack_from("<I", data, place + 8)
        place += size
    return segments, fixups


def convert_segment(data, start, segments):
    page_size, pointer_format = struct.unpack_from("<HH", data, start + 4)
    (segment_offset,) = struct.unpack_from("<Q", data, start + 8)
    assert pointer_format == PTR_64
    struct.pack_into("<H", data, start + 6, PTR_ARM64E_USERLAND24)
    base = min(address for address, _ in segments)
    (file_offset,) = [offset for address, offset in segments if address == base + segment_offset]
    (pages,) = struct.unpack_from("<H", data, start + 20)
    for page, first in enumerate(struct.unpack_from(f"<{pages}H", data, start + 22)):
        place = file_offset + page * page_size + first
        while first != 0xFFFF:
            (pointer,) = struct.unpack_from("<Q", data, place)
            step = (pointer >> 51 & 0xFFF) * 4
            assert step % 8 == 0 and place % 8 == 0
            struct.pack_into("<Q", data, place, convert(pointer, base, step // 8, signed=place // 8 % 2))
            if not step:
                break
            place += step


def convert(pointer, base, step, signed):
    if pointer >> 63:  # bind: ordinal, addend
        ordinal, addend = pointer & 0xFFFFFF, pointer >> 24 & 0xFF
        return ordinal | addend << 32 | step << 51 | 1 << 62
    target, high = (pointer & 0xFFFFFFFFF) - base, pointer >> 36 & 0xFF
    if signed and not high and target < 1 << 32:  # signed rebase: target, diversity, address diversity, key IA
        return target | 0xBEEF << 32 | 1 << 48 | step << 51 | 1 << 63
    return target | high << 43 | step << 51
