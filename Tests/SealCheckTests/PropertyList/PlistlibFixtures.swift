/// Property lists as Python's `plistlib` writes them, each value in both formats.
///
/// Made once with `plistlib.dumps(value, fmt=…, sort_keys=False)` of Python 3.11, in base64. Of the XML only what stands
/// between `<plist version="1.0">` and `</plist>` is kept: the rest is the same in all.
enum PlistlibFixtures {
    struct Fixture: Sendable {
        let name: String
        let xml: String
        let binary: String
    }

    static let all: [Fixture] = [
        Fixture(
            name: "string",
            xml: "PHN0cmluZz5wbGFpbiB0ZXh0PC9zdHJpbmc+Cg==",
            binary: "YnBsaXN0MDBacGxhaW4gdGV4dAgAAAAAAAABAQAAAAAAAAABAAAAAAAAAAAAAAAAAAAAEw=="
        ),
        Fixture(
            name: "markup",
            xml: "PHN0cmluZz4mbHQ7YSBocmVmPSJ4IiZndDsmYW1wO2FtcDsnJmx0Oy9hJmd0Ozwvc3RyaW5nPgo=",
            binary: "YnBsaXN0MDBfEBY8YSBocmVmPSJ4Ij4mYW1wOyc8L2E+CAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAh"
        ),
        Fixture(
            name: "unicode",
            xml: "PHN0cmluZz7DqSBlzIEg8J+YgDwvc3RyaW5nPgo=",
            binary: "YnBsaXN0MDBnAOkAIABlAwEAINg93gAIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABc="
        ),
        Fixture(
            name: "emptyString",
            xml: "PHN0cmluZz48L3N0cmluZz4K",
            binary: "YnBsaXN0MDBQCAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"
        ),
        Fixture(
            name: "true",
            xml: "PHRydWUvPgo=",
            binary: "YnBsaXN0MDAJCAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"
        ),
        Fixture(
            name: "false",
            xml: "PGZhbHNlLz4K",
            binary: "YnBsaXN0MDAICAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"
        ),
        Fixture(
            name: "zero",
            xml: "PGludGVnZXI+MDwvaW50ZWdlcj4K",
            binary: "YnBsaXN0MDAQAAgAAAAAAAABAQAAAAAAAAABAAAAAAAAAAAAAAAAAAAACg=="
        ),
        Fixture(
            name: "one",
            xml: "PGludGVnZXI+MTwvaW50ZWdlcj4K",
            binary: "YnBsaXN0MDAQAQgAAAAAAAABAQAAAAAAAAABAAAAAAAAAAAAAAAAAAAACg=="
        ),
        Fixture(
            name: "minusOne",
            xml: "PGludGVnZXI+LTE8L2ludGVnZXI+Cg==",
            binary: "YnBsaXN0MDAT//////////8IAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "byte",
            xml: "PGludGVnZXI+MjU1PC9pbnRlZ2VyPgo=",
            binary: "YnBsaXN0MDAQ/wgAAAAAAAABAQAAAAAAAAABAAAAAAAAAAAAAAAAAAAACg=="
        ),
        Fixture(
            name: "short",
            xml: "PGludGVnZXI+NjU1MzU8L2ludGVnZXI+Cg==",
            binary: "YnBsaXN0MDAR//8IAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAs="
        ),
        Fixture(
            name: "word",
            xml: "PGludGVnZXI+NDI5NDk2NzI5NTwvaW50ZWdlcj4K",
            binary: "YnBsaXN0MDAS/////wgAAAAAAAABAQAAAAAAAAABAAAAAAAAAAAAAAAAAAAADQ=="
        ),
        Fixture(
            name: "largest",
            xml: "PGludGVnZXI+OTIyMzM3MjAzNjg1NDc3NTgwNzwvaW50ZWdlcj4K",
            binary: "YnBsaXN0MDATf/////////8IAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "smallest",
            xml: "PGludGVnZXI+LTkyMjMzNzIwMzY4NTQ3NzU4MDg8L2ludGVnZXI+Cg==",
            binary: "YnBsaXN0MDATgAAAAAAAAAAIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "unsigned",
            xml: "PGludGVnZXI+MTg0NDY3NDQwNzM3MDk1NTE2MTU8L2ludGVnZXI+Cg==",
            binary: "YnBsaXN0MDAUAAAAAAAAAAD//////////wgAAAAAAAABAQAAAAAAAAABAAAAAAAAAAAAAAAAAAAAGQ=="
        ),
        Fixture(
            name: "unsignedLeast",
            xml: "PGludGVnZXI+OTIyMzM3MjAzNjg1NDc3NTgwODwvaW50ZWdlcj4K",
            binary: "YnBsaXN0MDAUAAAAAAAAAACAAAAAAAAAAAgAAAAAAAABAQAAAAAAAAABAAAAAAAAAAAAAAAAAAAAGQ=="
        ),
        Fixture(
            name: "real",
            xml: "PHJlYWw+MS41PC9yZWFsPgo=",
            binary: "YnBsaXN0MDAjP/gAAAAAAAAIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "negativeReal",
            xml: "PHJlYWw+LTAuMjU8L3JlYWw+Cg==",
            binary: "YnBsaXN0MDAjv9AAAAAAAAAIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "largeReal",
            xml: "PHJlYWw+MWUrMzAwPC9yZWFsPgo=",
            binary: "YnBsaXN0MDAjfjfkPIgAdZwIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "data",
            xml: """
                PGRhdGE+CkFBRUNBd1FGQmdjSUNRb0xEQTBPRHhBUkVoTVVGUllYR0JrYUd4d2RIaDhnSVNJakpDVW1KeWdwS2lz\
                c0xTNHYKPC9kYXRhPgo=
                """,
            binary: """
                YnBsaXN0MDBPEDAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8IAAAAAAAA\
                AQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAADs=
                """
        ),
        Fixture(
            name: "emptyData",
            xml: "PGRhdGE+CjwvZGF0YT4K",
            binary: "YnBsaXN0MDBACAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"
        ),
        Fixture(
            name: "date",
            xml: "PGRhdGU+MjAyMC0wMi0yOVQyMzo1OTo1OFo8L2RhdGU+Cg==",
            binary: "YnBsaXN0MDAzQcIFmT8AAAAIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "farDate",
            xml: "PGRhdGU+NDAwMS0wMS0wMVQwMDowMDowMFo8L2RhdGU+Cg==",
            binary: "YnBsaXN0MDAzQi1jw38AAAAIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "oldDate",
            xml: "PGRhdGU+MTkwMS0xMi0xM1QwMDowMDowMFo8L2RhdGU+Cg==",
            binary: "YnBsaXN0MDAzwedKHZAAAAAIAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAABE="
        ),
        Fixture(
            name: "array",
            xml: """
                PGFycmF5PgoJPGludGVnZXI+MTwvaW50ZWdlcj4KCTxhcnJheT4KCQk8aW50ZWdlcj4yPC9pbnRlZ2VyPgoJCTxh\
                cnJheS8+Cgk8L2FycmF5PgoJPHN0cmluZz54PC9zdHJpbmc+CjwvYXJyYXk+Cg==
                """,
            binary: "YnBsaXN0MDCjAQIFEAGiAwQQAqBReAgMDhETFAAAAAAAAAEBAAAAAAAAAAYAAAAAAAAAAAAAAAAAAAAW"
        ),
        Fixture(
            name: "emptyArray",
            xml: "PGFycmF5Lz4K",
            binary: "YnBsaXN0MDCgCAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"
        ),
        Fixture(
            name: "dictionary",
            xml: """
                PGRpY3Q+Cgk8a2V5Pno8L2tleT4KCTxpbnRlZ2VyPjE8L2ludGVnZXI+Cgk8a2V5PmE8L2tleT4KCTxkaWN0PgoJ\
                CTxrZXk+bTwva2V5PgoJCTx0cnVlLz4KCTwvZGljdD4KCTxrZXk+azwva2V5PgoJPGFycmF5PgoJCTxmYWxzZS8+\
                Cgk8L2FycmF5Pgo8L2RpY3Q+Cg==
                """,
            binary: """
                YnBsaXN0MDDTAQIDBAUIUXpRYVFrEAHRBgdRbQmhCQgIDxETFRcaHB0fAAAAAAAAAQEAAAAAAAAACgAAAAAAAAAA\
                AAAAAAAAACA=
                """
        ),
        Fixture(
            name: "emptyDictionary",
            xml: "PGRpY3QvPgo=",
            binary: "YnBsaXN0MDDQCAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"
        ),
        Fixture(
            name: "longArray",
            xml: """
                PGFycmF5PgoJPGludGVnZXI+MDwvaW50ZWdlcj4KCTxpbnRlZ2VyPjE8L2ludGVnZXI+Cgk8aW50ZWdlcj4yPC9p\
                bnRlZ2VyPgoJPGludGVnZXI+MzwvaW50ZWdlcj4KCTxpbnRlZ2VyPjQ8L2ludGVnZXI+Cgk8aW50ZWdlcj41PC9p\
                bnRlZ2VyPgoJPGludGVnZXI+NjwvaW50ZWdlcj4KCTxpbnRlZ2VyPjc8L2ludGVnZXI+Cgk8aW50ZWdlcj44PC9p\
                bnRlZ2VyPgoJPGludGVnZXI+OTwvaW50ZWdlcj4KCTxpbnRlZ2VyPjEwPC9pbnRlZ2VyPgoJPGludGVnZXI+MTE8\
                L2ludGVnZXI+Cgk8aW50ZWdlcj4xMjwvaW50ZWdlcj4KCTxpbnRlZ2VyPjEzPC9pbnRlZ2VyPgoJPGludGVnZXI+\
                MTQ8L2ludGVnZXI+Cgk8aW50ZWdlcj4xNTwvaW50ZWdlcj4KCTxpbnRlZ2VyPjE2PC9pbnRlZ2VyPgoJPGludGVn\
                ZXI+MTc8L2ludGVnZXI+Cgk8aW50ZWdlcj4xODwvaW50ZWdlcj4KCTxpbnRlZ2VyPjE5PC9pbnRlZ2VyPgo8L2Fy\
                cmF5Pgo=
                """,
            binary: """
                YnBsaXN0MDCvEBQBAgMEBQYHCAkKCwwNDg8QERITFBAAEAEQAhADEAQQBRAGEAcQCBAJEAoQCxAMEA0QDhAPEBAQ\
                ERASEBMIHyEjJScpKy0vMTM1Nzk7PT9BQ0UAAAAAAAABAQAAAAAAAAAVAAAAAAAAAAAAAAAAAAAARw==
                """
        ),
        Fixture(
            name: "longString",
            xml: """
                PHN0cmluZz4wMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3\
                ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\
                NDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5\
                MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1\
                Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODk8L3N0cmluZz4K
                """,
            binary: """
                YnBsaXN0MDBfEQEsMDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\
                NDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5\
                MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1\
                Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAx\
                MjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5AAgAAAAAAAACAQAAAAAAAAAB\
                AAAAAAAAAAAAAAAAAAABOA==
                """
        ),
    ]
}
