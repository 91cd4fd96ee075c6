import Foundation
import MachOReader
import Testing

@testable import SealCheck

private let corpusTrees = ProcessInfo.processInfo.environment["SEALCHECK_CORPUS_TREES"]

/// Requirements and entitlements of real signed files, made by Apple's tools and others.
///
/// Run by `make corpus`, which unpacks the corpus and names the folder in `SEALCHECK_CORPUS_TREES`. Elsewhere there is
/// nothing to run on.
@Suite(.enabled(if: corpusTrees != nil)) struct CorpusTests {

    /// Every Mach-O file and, where `bundles` is set, every outermost app in the trees.
    private static func paths(bundles: Bool) -> [String] {
        var found: [String] = []
        for tree in (corpusTrees ?? "").split(separator: ":").map(String.init) {
            var inside: String?
            // In the order of names, so that a bundle comes before what is in it.
            for name in (FileManager.default.subpaths(atPath: tree) ?? []).sorted() {
                let path = "\(tree)/\(name)"
                if bundles {
                    if let inside, path.hasPrefix(inside) { continue }
                    guard path.hasSuffix(".app") else { continue }
                    inside = path + "/"
                    found.append(path)
                } else if let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 8),
                    FileMagic(Array(head)) != .other
                {
                    found.append(path)
                }
            }
        }
        return found
    }

    private static func evaluations(bundles: Bool) async throws -> [(path: String, [CodeEvaluation])] {
        var verifier = Verifier(profile: .integrity)
        verifier.fileOnly = !bundles
        var all: [(path: String, [CodeEvaluation])] = []
        for path in paths(bundles: bundles) { all.append((path, try await verifier.verify(path).evaluations)) }
        return all
    }

    /// Text → blob is the inverse of blob → text on every requirement that somebody has signed, but for the grouping of
    /// "and" and "or", which the text does not tell.
    @Test func requirements() async throws {
        var count = 0
        for (path, evaluations) in try await Self.evaluations(bundles: false) {
            for signature in evaluations.flatMap(\.slices).compactMap(\.signature) {
                guard let blob = signature.components[.requirements] else { continue }
                for entry in try RequirementSet(parsing: blob).entries {
                    guard case .expression(let expression) = entry.requirement.value else {
                        Issue.record("\(path): a requirement that is no expression")
                        continue
                    }
                    count += 1
                    let again = try RequirementExpression(compiling: expression.text.utf8)
                    #expect(again.text == expression.text, "\(path)")
                    #expect(again.leftGrouped == expression.leftGrouped, "\(path): \(expression.text)")
                }
            }
        }
        #expect(count > 0)
    }

    /// What Apple's signer has printed into seals is what is printed here of the blob that it printed.
    @Test func printedRequirements() async throws {
        var (count, entries) = (0, 0)
        for (path, evaluations) in try await Self.evaluations(bundles: true) {
            for outer in evaluations {
                for item in outer.seal.comparison?.scan.nested ?? [] {
                    entries += 1
                    guard let nested = evaluations.first(where: { $0.code.path == item.path }) else { continue }
                    switch nested.designatedRequirement {
                    case .explicit(let requirement):
                        count += 1
                        #expect(requirement.text == item.requirement.lossyText, "\(path): \(item.path)")
                    case .implicit(let expression):
                        count += 1
                        #expect(expression.text == item.requirement.lossyText, "\(path): \(item.path)")
                    case .none, .malformed: continue
                    }
                }
            }
        }
        // Only the wheels have nested entries.
        #expect(count > 0 || entries == 0)
    }

    /// Both forms say the same, and the DER that is made here of the XML is Apple's, byte for byte.
    @Test func entitlements() async throws {
        var count = 0
        for (path, evaluations) in try await Self.evaluations(bundles: false) {
            for signature in evaluations.flatMap(\.slices).compactMap(\.signature) {
                guard let xml = signature.entitlements.xml, let blob = signature.components[.entitlementsDER] else {
                    continue
                }
                count += 1
                #expect(signature.entitlements.derFault == nil, "\(path)")
                #expect(signature.entitlements.differingKeys == [], "\(path)")
                let made = try EntitlementsEncoder.encode(xml)
                #expect(made == Array(blob.array.dropFirst(8)), "\(path)")
            }
        }
        #expect(count > 0)
    }
}

extension RequirementExpression {
    /// The same with every chain of "and", and of "or", grouped from the left.
    fileprivate var leftGrouped: RequirementExpression {
        switch self {
        case .and: Self.chain(conjuncts.map(\.leftGrouped)) { .and($0, $1) }
        case .or: Self.chain(disjuncts.map(\.leftGrouped)) { .or($0, $1) }
        case .not(let operand): .not(operand.leftGrouped)
        default: self
        }
    }

    private static func chain(_ parts: [Self], _ join: (Self, Self) -> Self) -> Self {
        parts.dropFirst().reduce(parts.first ?? .never, join)
    }

    private var conjuncts: [Self] {
        if case .and(let left, let right) = self { left.conjuncts + right.conjuncts } else { [self] }
    }

    private var disjuncts: [Self] {
        if case .or(let left, let right) = self { left.disjuncts + right.disjuncts } else { [self] }
    }
}
