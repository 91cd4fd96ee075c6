import Foundation

@testable import SealCheck

/// The beginning of a 64-bit Mach-O; nothing here looks further.
let machO: [UInt8] = [0xCF, 0xFA, 0xED, 0xFE] + [UInt8](repeating: 0, count: 60)

/// Stands for a property list; reading real ones is another room's work.
func infoPlist(naming executable: String) -> String { "<plist>CFBundleExecutable=\(executable)</plist>" }

/// Reads the executable's name out of ``infoPlist(naming:)``.
func executableName(_ infoPlist: [UInt8]) -> [UInt8]? {
    let text = String(decoding: infoPlist, as: UTF8.self)
    guard let start = text.range(of: "CFBundleExecutable="), let end = text.range(of: "</plist>") else {
        return nil
    }
    return Array(text[start.upperBound..<end.lowerBound].utf8)
}

/// Opens an input by a path that is text.
func openInput(
    _ path: String, fileOnly: Bool = false, limits: Limits = .standard, system: System = .live
) throws(InputProblem) -> Input {
    try Input.open(
        Array(path.utf8), fileOnly: fileOnly, limits: limits, system: system, executableName: executableName)
}
