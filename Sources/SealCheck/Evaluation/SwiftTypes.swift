import MachOReader

/// The Swift types that a program has for widgets and Live Activities: those of its executable and of the libraries in
/// the app that it loads.
struct SwiftTypes: Sendable {
    /// Whether any of its images holds Swift at all.
    private(set) var isSwift = false
    private(set) var types: [SwiftMetadata.Conformed: Set<String>] = [:]
    /// Why a type may be missing from ``types`` and yet be there; nil when everything was read.
    private(set) var obstacle: String?

    subscript(conformed: SwiftMetadata.Conformed) -> Set<String> { types[conformed] ?? [] }

    /// - Parameter evaluations: everything in the app, among which libraries are looked up.
    init(of program: CodeEvaluation, in evaluations: [CodeEvaluation]) {
        guard let architecture = program.primarySlice?.architectureName else {
            obstacle = "\(program.code.path) has no executable that could be read"
            return
        }
        var pending = [program]
        var seen: Set<Int> = [program.number]
        while let image = pending.popLast() {
            let slice = image.slices.first { $0.architectureName == architecture } ?? image.primarySlice
            guard let slice, let machO = slice.slice.image.value else {
                obstacle = obstacle ?? "\(image.code.path) could not be read"
                continue
            }
            add(slice.slice.swiftMetadata, of: image.code)
            for name in machO.dylibs.compactMap(\.value?.name) {
                guard let library = Self.library(name, in: evaluations), seen.insert(library.number).inserted else {
                    continue
                }
                pending.append(library)
            }
        }
    }

    private mutating func add(_ metadata: Parsed<SwiftMetadata>?, of code: CodeObject) {
        guard let metadata else { return }
        isSwift = true
        switch metadata {
        case .fault(let fault): obstacle = obstacle ?? "\(code.path): \(fault)"
        case .value(let value):
            types.merge(value.types) { $0.union($1) }
            if value.unreadable > 0 {
                obstacle =
                    obstacle ?? "\(code.path): \(value.unreadable) of \(value.conformances) conformances cannot be read"
            }
        }
    }

    /// The library of the app that a load command means. Names are matched by their last part: which of two libraries
    /// of one name a run path leads to is the loader's business.
    private static func library(_ name: String, in evaluations: [CodeEvaluation]) -> CodeEvaluation? {
        guard name.hasPrefix("@"), let last = name.split(separator: "/").last else { return nil }
        return evaluations.first {
            ($0.code.kind == .framework || $0.code.kind == .dylib)
                && $0.code.executable?.lastComponent.elementsEqual(last.utf8) == true
        }
    }
}
