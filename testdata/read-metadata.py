#!/usr/bin/env python3
"""Write down which types of each image conform to the protocols of widgets and Live Activities, as LIEF reads them.

    read-metadata.py [--output FILE] IMAGE...

LIEF interprets the fixups (chained or classic); this script follows Swift's descriptors from there
(swift/docs/ABI/TypeMetadata.rst) with nothing but the addresses that LIEF gives.
"""

import argparse
import json
import struct
from pathlib import Path

import lief

PROTOCOLS = {
    "_$s11ActivityKit0A10AttributesMp": "ActivityKit.ActivityAttributes",
    "_$s10AppIntents18LiveActivityIntentMp": "AppIntents.LiveActivityIntent",
    "_$s7SwiftUI6WidgetMp": "SwiftUI.Widget",
}
# Types of another image, known by the symbols of their descriptors.
FOREIGN = {"_$s7Kitchen4MealVMn": "Meal", "_$s7Kitchen5PlateVMn": "Plate"}
MODULE, EXTENSION, ANONYMOUS = 0, 1, 2


class Image:
    def __init__(self, path):
        self.image = lief.MachO.parse(str(path)).at(0)
        self.bound = {item.address: item.symbol.name for item in self.image.bindings if item.has_symbol}
        self.rebased = {}
        for relocation in self.image.relocations:
            if hasattr(relocation, "target"):  # chained: the word in the file is no address
                target = relocation.target
                if target < self.image.imagebase:
                    target += self.image.imagebase
                self.rebased[relocation.address] = target

    def read(self, form, address):
        size = struct.calcsize(form)
        return struct.unpack(form, bytes(self.image.get_content_from_virtual_address(address, size)))[0]

    def text(self, address):
        result = b""
        while not result.endswith(b"\0"):
            result += bytes(self.image.get_content_from_virtual_address(address + len(result), 1))
        return result[:-1].decode()

    def follow(self, place, low=0):
        """The address, or the symbol, that a relative pointer leads to; `low` bits say: through a pointer."""
        distance = self.read("<i", place)
        target = place + (distance & ~low)
        if not distance & low & 1:
            return target
        if target in self.bound:
            return self.bound[target]
        return self.rebased.get(target) or self.read("<Q", target)

    def name(self, descriptor):
        if isinstance(descriptor, str):
            return FOREIGN[descriptor]
        kind = self.read("<I", descriptor) & 0x1F
        if kind == MODULE:
            return ""
        if kind == EXTENSION:
            extended = self.text_of_mangled(descriptor + 8)
            return extended
        outer = self.name(self.follow(descriptor + 4, low=1))
        if kind == ANONYMOUS:
            return outer
        own = self.text(self.follow(descriptor + 8))
        return f"{outer}.{own}" if outer else own

    def text_of_mangled(self, place):
        """The extended type of an extension: a mangled name that refers to a descriptor (control byte 1 or 2)."""
        name = self.follow(place)
        control = self.read("<B", name)
        target = name + 1 + self.read("<i", name + 1)
        if control == 1:
            return self.name(target)
        assert control == 2, control
        return self.name(self.bound.get(target) or self.rebased.get(target) or self.read("<Q", target))

    def conformances(self):
        found = {name: [] for name in PROTOCOLS.values()}
        section = self.image.get_section("__swift5_proto")
        for index in range(section.size // 4):
            record = self.follow(section.virtual_address + index * 4)
            protocol = self.follow(record, low=1)
            if protocol not in PROTOCOLS:
                continue
            kind = self.read("<I", record + 12) >> 3 & 7
            assert kind in (0, 1), kind
            place = record + 4
            target = place + self.read("<i", place)
            if kind == 1:
                target = self.bound.get(target) or self.rebased.get(target) or self.read("<Q", target)
            found[PROTOCOLS[protocol]].append(self.name(target))
        return {name: sorted(types) for name, types in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path)
    parser.add_argument("image", nargs="+", type=Path)
    options = parser.parse_args()
    text = json.dumps({path.name: Image(path).conformances() for path in options.image}, indent=1, sort_keys=True) + "\n"
    if options.output:
        options.output.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
