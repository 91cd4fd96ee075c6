/// The scalars that must never reach a reader raw: they are not seen, or they change what is seen around them.
///
/// A name that holds U+202E (right-to-left override) reads backwards from there; one that holds a zero-width space looks
/// like another name; C1 controls are escape sequences to many terminals (U+009B is CSI). JSON is looked at in terminals
/// too, so text and JSON share this one table. It is written out rather than taken from the standard library's Unicode
/// tables: a report is a golden file, and must not change with the toolchain that built the tool.
public enum HiddenScalars {
    /// Whether `scalar` has to be shown as an escape.
    ///
    /// Private use (Apple's logo is U+F8FF) and the emoji presentation selectors U+FE0E and U+FE0F are let through:
    /// ordinary names hold them.
    public static func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 0x7F { return value < 0x20 }
        if value < 0xA0 { return true }
        if value < 0x300 { return value == 0xAD }
        return isHiddenBeyondLatin(value)
    }

    private static func isHiddenBeyondLatin(_ value: UInt32) -> Bool {
        switch value {
        case 0x034F,  // combining grapheme joiner
            0x0600...0x0605, 0x061C, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2,  // Arabic and Syriac format characters
            0x115F...0x1160, 0x3164, 0xFFA0,  // Hangul fillers, which are blank
            0x17B4...0x17B5,  // Khmer inherent vowels, not shown
            0x180B...0x180F,  // Mongolian selectors and vowel separator
            0x200B...0x200F,  // zero-width space and joiners, left-to-right and right-to-left marks
            0x2028...0x202E,  // line and paragraph separators, bidi embeddings and overrides
            0x2060...0x206F,  // word joiner, invisible operators, bidi isolates
            0xFDD0...0xFDEF,  // noncharacters
            0xFE00...0xFE0D,  // variation selectors, the emoji ones apart
            0xFEFF,  // byte order mark
            0xFFF0...0xFFFB,  // unassigned specials, interlinear annotations
            0x110BD, 0x110CD,  // Kaithi number signs
            0x13430...0x1345F,  // Egyptian hieroglyph format controls
            0x1BCA0...0x1BCA3,  // shorthand format controls
            0x1D173...0x1D17A,  // musical format controls
            0xE0000...0xE0FFF:  // tags, variation selectors supplement
            true
        default:
            value & 0xFFFE == 0xFFFE  // the two noncharacters at the end of each plane
        }
    }
}
