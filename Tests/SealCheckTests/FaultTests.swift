import Foundation
import SealCheck
import Testing
import TestSupport

/// Every fault of TestSupport's table, at every code object, with the seals around it fresh and stale. The whole list of
/// findings is compared, and Apple's answer with it.
struct FaultTests {
    /// What one fault must be found as.
    struct Expectation {
        /// Findings about the object itself.
        var own: [String]
        /// Findings that each seal around it has when it was made before the fault.
        var around: [String]
        /// What Apple's verifier says when the object is the root. Spec 6.5 A: about an object inside a flat app it says
        /// `valid` when the seals around it are fresh, and BadResource when they are stale.
        var apple: String
    }

    static let expectations: [Fault: Expectation] = {
        var table: [Fault: Expectation] = [:]
        func add(
            _ faults: Fault..., own: [String], around: [String] = ["resource-altered"], apple: String
        ) {
            for fault in faults { table[fault] = Expectation(own: own, around: around, apple: apple) }
        }
        add(
            .pageFlipped, .loadCommandFlipped, .loadCommandInserted, .linkeditFlipped, .secondSlicePageFlipped,
            .pageHashFlipped, .lastPagePadded, .primaryPagesStale, .alternatePagesStale, own: ["page-altered"],
            apple: "SignatureFailed")
        add(.dataAppended, own: ["linkedit-not-at-end"], apple: "BadMainExecutable")
        add(.infoPlistEdited, own: ["info-plist-altered"], apple: "InfoPlistFailed")
        add(
            .infoPlistRemoved, own: ["info-plist-absent", "info-plist-missing"], around: ["resource-missing"],
            apple: "InfoPlistFailed")
        add(.resourceAltered, .localizationAltered, own: ["resource-altered"], apple: "BadResource")
        add(.resourceAdded, own: ["resource-added"], around: ["resource-added"], apple: "BadResource")
        add(.resourceRemoved, own: ["resource-missing"], around: ["resource-missing"], apple: "BadResource")
        // The file is moved aside for the link to lead to, so one is added as well.
        add(
            .resourceMadeSymlink, own: ["resource-became-symlink", "resource-added"],
            around: ["resource-became-symlink", "resource-added"], apple: "BadResource")
        // To nothing: what is not there is missed before the text is compared.
        add(
            .symlinkRetargeted, own: ["symlink-altered", "symlink-dangling"],
            around: ["symlink-altered", "symlink-dangling"], apple: "ENOENT")
        add(.symlinkMadeFile, own: ["symlink-became-file"], around: ["symlink-became-file"], apple: "BadResource")
        add(.sealEdited, own: ["seal-altered"], apple: "ResourceDirectoryFailed")
        add(.sealRemoved, own: ["seal-missing"], around: ["resource-missing"], apple: "ResourceDirectoryFailed")
        add(
            .strayInCodeSignature, own: ["signature-folder-stray"], around: ["resource-added"],
            apple: "UnsealedAppRoot")
        add(.executableRemoved, own: ["executable-missing"], around: ["resource-missing"], apple: "Unsigned")
        add(.infoSlotZeroed, own: ["info-plist-not-bound"], apple: "valid")
        add(.sealSlotZeroed, .specialSlotsCut, own: ["seal-not-bound"], apple: "ResourcesNotFound")
        // Neither flag nor message, but an empty CMS slot: never valid, the exact code is a gap (spec 3).
        add(.adhocFlagCleared, own: ["no-adhoc-flag"], apple: "invalid")
        add(.codeLimitShortened, own: ["code-limit-short"], apple: "SignatureInvalid")
        add(.requirementsFlipped, own: ["requirements-altered"], apple: "SignatureFailed")
        add(.requirementsDropped, own: ["requirements-missing"], apple: "SignatureFailed")
        add(.entitlementsFlipped, own: ["entitlements-altered"], apple: "SignatureFailed")
        add(.entitlementsDropped, own: ["entitlements-missing"], apple: "SignatureFailed")
        add(.entitlementsDERFlipped, own: ["entitlements-der-altered"], apple: "SignatureFailed")
        add(.entitlementsDERDropped, own: ["entitlements-der-missing"], apple: "SignatureFailed")
        add(.alternateSpecialSlotStale, own: ["alternate-slot-differs"], apple: "valid")
        add(.signatureStripped, own: ["unsigned"], apple: "Unsigned")
        add(.neverSigned, own: ["unsigned"], around: ["resource-altered", "resource-missing"], apple: "Unsigned")
        add(
            .linkerSigned, own: ["linker-signed-bundle", "info-plist-not-bound", "seal-not-bound"],
            around: ["resource-altered", "resource-missing"], apple: "ResourcesNotFound")
        add(
            .signedAsLoneFile, own: ["info-plist-not-bound", "seal-not-bound"],
            around: ["resource-altered", "resource-missing"], apple: "ResourcesNotFound")
        return table
    }()

    /// Faults whose findings depend on what was signed, added or removed; told one by one below.
    static let ofOrder: Set<Fault> = [.resigned, .sealedBeforeNested, .nestedAdded, .nestedRemoved]

    static func rows(of demo: BundleBuilder) -> [FaultCase] {
        FaultCase.all(in: demo).filter { !ofOrder.contains($0.fault) }
    }

    /// The seals around an object of the demo, by its path.
    static func sealsAround(_ path: RawPath) -> Int {
        path.isRoot ? 0 : path.text.hasPrefix("Frameworks/Kit.framework/") ? 2 : 1
    }

    @Test(arguments: rows(of: Demo.standard) + rows(of: Demo.dual).filter { $0.fault.rawValue.hasSuffix("-stale") })
    func fault(_ row: FaultCase) async throws {
        let demo = row.fault.rawValue.hasSuffix("-stale") ? Demo.dual : Demo.standard
        try await check(row, in: demo)
    }

    @Test(arguments: rows(of: Demo.fat).filter { $0.fault == .secondSlicePageFlipped })
    func secondSlice(_ row: FaultCase) async throws {
        try await check(row, in: Demo.fat)
    }

    private func check(_ row: FaultCase, in demo: BundleBuilder) async throws {
        let expectation = try #require(Self.expectations[row.fault], "no row for \(row.fault.rawValue)")
        let bundle = try row.build(from: demo)
        let report = try await Verifier().verify(bundle)
        try await expectSameOnDisk(report, bundle)
        var own = expectation.own
        // A lone library has neither Info.plist nor seal; never-signed code has no _CodeSignature to lose then.
        let isLibrary = row.path.text.hasSuffix(".dylib")
        var around = expectation.around
        if isLibrary { around.removeAll { $0 == "resource-missing" } }
        // The widget's entitlements lie above the slots that are left.
        if row.fault == .specialSlotsCut, row.path.text.hasSuffix(".appex") {
            own += ["blob-not-covered", "blob-not-covered"]
        }
        // What the app expects of the code in it is missed by the app's own checks.
        switch (row.fault, row.path.text) {
        case (.loadCommandInserted, ""), (.executableRemoved, "Frameworks/Kit.framework"): own.append("dylib-missing")
        case (.infoPlistRemoved, "PlugIns/Widget.appex"): own.append("live-activity-widget-missing")
        default: break
        }
        let isStale = row.rebuild == .none
        if isStale {
            for _ in 0..<Self.sealsAround(row.path) { own += around }
        }
        #expect(report.ids == own.sorted(), "\(row)")
        let apple = row.path.isRoot ? expectation.apple : isStale ? "BadResource" : "valid"
        #expect(report.codesignName == apple, "\(row)")
        let isFault = report.findings.contains { $0.severity == .error }
        #expect(report.outcome == (isFault ? .fail : .pass))
        #expect(report.isSealed == !isFault)
        // Two faults are warnings on their own, and only on their own.
        let isWarning = [.infoSlotZeroed, .alternateSpecialSlotStale].contains(row.fault) && !isStale
        #expect(isFault == !isWarning, "\(row)")
    }

    /// The same bundle as a folder and as an archive must give the same findings, under paths that begin differently.
    private func expectSameOnDisk(_ report: Report, _ bundle: SealedBundle) async throws {
        let folder = try TemporaryFolder()
        let directory = try await Verifier().verify(try bundle.write(to: folder.url).path)
        #expect(directory.keys == report.keys)
        #expect(directory.findings.map(\.fingerprint) == report.findings.map(\.fingerprint))
        #expect(directory.exitCode == report.exitCode)
        let archive = try await Verifier().verify(try bundle.writeIPA(to: folder.url).path)
        #expect(archive.keys.map { $0.replacing(" Payload/", with: " ") } == report.keys)
        #expect(archive.findings.map(\.fingerprint) == report.findings.map(\.fingerprint))
        #expect(archive.exitCode == report.exitCode)
        #expect(archive.codesignName == report.codesignName)
    }

    @Test func everyFaultHasARow() {
        for fault in Fault.allCases where !Self.ofOrder.contains(fault) {
            #expect(Self.expectations[fault] != nil, "\(fault.rawValue)")
        }
    }
}

/// The order of signing: the question that this program exists for.
struct SigningOrderTests {
    private func report(_ fault: Fault, at path: RawPath, in demo: BundleBuilder = Demo.standard) async throws -> Report
    {
        try await Verifier().verify(try FaultCase(fault, at: path, rebuilding: .none).build(from: demo))
    }

    @Test func extensionResignedAfterTheApp() async throws {
        let report = try await report(.resigned, at: "PlugIns/Widget.appex")
        #expect(
            report.keys == [
                "nested-code-resigned Demo.app/PlugIns/Widget.appex",
                "resource-added Demo.app/PlugIns/Widget.appex/resigned.txt",
                "resource-altered Demo.app/PlugIns/Widget.appex/Widget",
                "resource-altered Demo.app/PlugIns/Widget.appex/_CodeSignature/CodeResources",
            ])
        #expect(report.causes.map(\.id) == ["nested-resigned-after-outer"])
        let covered = try #require(report.coverage.first { $0.code == "Demo.app/PlugIns/Widget.appex" })
        #expect(covered.isValidAlone)
        #expect(!covered.coverage.isComplete)
        #expect(covered.coverage.executable == .differs)
        #expect(covered.coverage.seal == .differs)
        #expect(covered.coverage.infoPlist == .sealed)
        #expect(report.codesignName == "BadResource")
    }

    @Test func appSealedBeforeItsExtensionWasSigned() async throws {
        let report = try await report(.sealedBeforeNested, at: "PlugIns/Widget.appex")
        #expect(
            report.keys == [
                "nested-code-signed-late Demo.app/PlugIns/Widget.appex",
                "resource-added Demo.app/PlugIns/Widget.appex/_CodeSignature/CodeResources",
                "resource-altered Demo.app/PlugIns/Widget.appex/Widget",
            ])
        #expect(report.causes.map(\.id) == ["outer-sealed-before-nested"])
        let covered = try #require(report.coverage.first { $0.code == "Demo.app/PlugIns/Widget.appex" })
        #expect(covered.isValidAlone)
        #expect(covered.coverage.seal == .notSealed)
    }

    @Test func extensionAdded() async throws {
        let report = try await Verifier().verify(
            try FaultCase(.nestedAdded, at: .root, rebuilding: .all).build(from: Demo.standard))
        let added: BundlePath = "Demo.app/PlugIns/Added.appex"
        #expect(report.ids == ["nested-code-added"] + Array(repeating: "resource-added", count: 5))
        #expect(report.findings.allSatisfy { $0.finding.subject.path.isAtOrBelow(added) })
        #expect(report.causes.map(\.id) == ["nested-added-after-outer"])
        #expect(report.causes.first?.findings.count == 6)
        let covered = try #require(report.coverage.first { $0.code == added })
        #expect(covered.coverage.how == .none)
        #expect(covered.isValidAlone)
    }

    @Test func extensionRemoved() async throws {
        let report = try await report(.nestedRemoved, at: "PlugIns/Widget.appex")
        let gone: BundlePath = "Demo.app/PlugIns/Widget.appex"
        #expect(Set(report.ids) == ["nested-code-removed", "resource-missing", "live-activity-widget-missing"])
        #expect(report.ids.count { $0 != "resource-missing" } == 2)
        let missing = report.findings.filter { $0.finding.id.rawValue != "live-activity-widget-missing" }
        #expect(missing.allSatisfy { $0.finding.subject.path.isAtOrBelow(gone) })
        // Its localisations are optional: only the rest is missed.
        #expect(!report.keys.contains { $0.contains(".lproj") })
        #expect(report.causes.map(\.id) == ["nested-removed-after-outer"])
        #expect(!report.coverage.contains { $0.code == gone })
    }

    @Test func extensionUnsignedButCovered() async throws {
        let report = try await Verifier().verify(
            try FaultCase(.neverSigned, at: "PlugIns/Widget.appex", rebuilding: .all).build(from: Demo.standard))
        #expect(report.keys == ["unsigned Demo.app/PlugIns/Widget.appex/Widget"])
        // Apple's deep verification of a flat app does not look there (spec 6.5, consequence 2).
        #expect(report.codesignName == "valid")
        let covered = try #require(report.coverage.first { $0.code == "Demo.app/PlugIns/Widget.appex" })
        #expect(covered.coverage.isComplete)
        #expect(!covered.isValidAlone)
    }

    @Test func extensionOnlyLinkerSigned() async throws {
        let report = try await Verifier().verify(
            try FaultCase(.linkerSigned, at: "PlugIns/Widget.appex", rebuilding: .all).build(from: Demo.standard))
        #expect(report.ids == ["info-plist-not-bound", "linker-signed-bundle", "seal-not-bound"])
        #expect(report.causes.map(\.id) == ["linker-signed-only"])
        #expect(report.codesignName == "valid")
    }

    /// In a deep bundle the seal names nested code by cdhash, so Apple's tool sees the new signature too.
    @Test func nestedCodeOfADeepBundleResigned() async throws {
        let report = try await report(.resigned, at: "PlugIns/Widget.appex", in: Demo.mac)
        #expect(report.keys == ["nested-requirement-failed Demo.app/Contents/PlugIns/Widget.appex"])
        #expect(report.causes.map(\.id) == ["nested-resigned-after-outer"])
        #expect(report.codesignName == "BadNestedCode")
    }
}

/// What is no fault, and must not be called one.
struct HarmlessTests {
    @Test(arguments: Harmless.allCases)
    func harmless(_ change: Harmless) async throws {
        let report = try await Verifier().verify(try change.build(from: Demo.standard))
        #expect(report.ids == [])
        #expect(report.isSealed == true)
        #expect(report.outcome == .pass)
        #expect(report.codesignName == "valid")
    }

    @Test(arguments: [Demo.standard, Demo.mac, Demo.fat, Demo.dual])
    func untouched(_ demo: BundleBuilder) async throws {
        let report = try await Verifier().verify(try demo.sealed())
        #expect(report.ids == [])
        #expect(report.isSealed == true)
        #expect(report.codesignName == "valid")
        #expect(report.coverage.allSatisfy { $0.coverage.isComplete && $0.isValidAlone })
        #expect(report.coverage.count == demo.places.count - 1)
        #expect(Set(report.evaluations.map(\.signatureKind)) == [.adhoc])
    }
}
