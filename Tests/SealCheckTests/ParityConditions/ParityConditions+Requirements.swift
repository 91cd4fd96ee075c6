import MachOReader
import SealCheck
import TestSupport
import Testing

/// Requirements: of the code itself, of the seal around nested code, and of whoever asks.
extension ParityConditions {
    static func requirements(_ set: [UInt8]) throws -> BundleBuilder {
        try FieldCases.executable { $0.signature?.requirements = set }
    }

    /// A macOS app whose seal has another requirement, or another hash, for its helper.
    static func helper(requirement: String, cdhash: [UInt8] = [UInt8](repeating: 1, count: 20)) -> BundleBuilder {
        var app = Demo.mac
        app.seal.files2["Helpers/helper"] = ["cdhash": .data(cdhash), "requirement": .string(requirement)]
        return app
    }

    @Test("condition 058: requirement set altered or missing but hashed")
    func condition058() async throws {
        let named = try Self.requirements(RequirementBuilder.set([3: .identifier("com.example.demo")]))
        for (fault, finding): (Fault, String) in [
            (.requirementsFlipped, "requirements-altered"), (.requirementsDropped, "requirements-missing"),
        ] {
            try await Self.expect(
                try FaultCase(fault).build(from: named), "SignatureFailed", architecture: "arm64", ["error \(finding)"])
        }
        try await Self.expect(named, "valid", [])
    }

    @Test("condition 059: requirement set malformed but hash correct")
    func condition059() async throws {
        let whole = RequirementBuilder.set([3: .identifier("com.example.demo")])
        var index = whole
        index[11] = 9
        var expression = whole
        // The length of the identifier, after the index (20), the blob's header (12) and the opcode (4).
        expression[36] = 0x7f
        for malformed in [index, expression, Blob.make(Blob.wrapper, [0, 0, 0, 0])] {
            let report = try await Self.expect(
                try Self.requirements(malformed), "valid", ["warning requirements-malformed"])
            #expect(report.codesign?.satisfiesDesignatedRequirement == false)
        }
        let report = try await Self.expect(try Self.requirements(whole), "valid", [])
        #expect(report.codesign?.satisfiesDesignatedRequirement == true)
    }

    @Test("condition 102: requirement text does not compile")
    func condition102() async throws {
        for text in ["", "cdhash H\"0011\"", "identifier", "always and"] {
            try await Self.expect(
                Self.helper(requirement: text), "ResourcesInvalid", ["error nested-requirement-invalid"])
        }
        try await Self.expect(
            Self.helper(requirement: "always /* spaced */ ;"), "valid", ["warning nested-cdhash-stale"])
    }

    @Test("condition 103: nested cdhash differs from reality, requirement satisfied")
    func condition103() async throws {
        let text = "identifier \"com.example.demo.helper\" and ! anchor apple"
        try await Self.expect(Self.helper(requirement: text), "valid", ["warning nested-cdhash-stale"])
        try await Self.expect(
            Self.helper(requirement: "identifier \"com.example.demo\""), "BadNestedCode",
            ["error nested-requirement-failed"])
        try await Self.expect(Demo.mac, "valid", [])
    }

    @Test("condition 104: nested code re-signed (ad-hoc)")
    func condition104() async throws {
        for place: RawPath in ["Helpers/helper", "Frameworks/libTools.dylib", "PlugIns/Widget.appex"] {
            try await Self.expect(
                try FaultCase(.resigned, at: place, rebuilding: .none).build(from: Demo.mac), "BadNestedCode",
                ["error nested-requirement-failed"])
        }
        // Signed again under an identifier, which is all that the seal asks for.
        var app = Self.helper(requirement: "identifier \"com.example.demo.helper\"")
        try app.updateCode("Helpers/helper") { code in code.eachSlice { $0.signature?.entitlements = ["a": true] } }
        try await Self.expect(app, "valid", ["warning nested-cdhash-stale"])
    }

    @Test("condition 105: nested code unsigned")
    func condition105() async throws {
        for place: RawPath in ["Helpers/helper", "Frameworks/libTools.dylib"] {
            let app = try FaultCase(.neverSigned, at: place, rebuilding: .all).build(from: Demo.mac)
            try await Self.expect(
                app, "Unsigned", architecture: "arm64", subcomponent: "Contents/\(place.text)", ["error unsigned"])
        }
        try await Self.expect(Demo.mac, "valid", [])
    }

    @Test("condition 117: external requirement false")
    func condition117() async throws {
        var app = try FieldCases.entitled(["a": true, "b": false, "list": ["one", "two"], "empty": []])
        app.info["CFBundleVersion"] = "1.10"
        app.info["CFBundleShortVersionString"] = "2.0"
        let sealed = try app.sealed()
        let hash = try #require(try await Verifier().verify(sealed).evaluations.first?.ruling?.cdhash?.hexadecimal)
        for (text, isSatisfied) in [
            ("always", true), ("never", false), ("identifier \"com.example.demo\"", true),
            ("identifier \"com.example.Demo\"", false), ("cdhash H\"\(hash)\"", true),
            ("cdhash H\"000102030405060708090a0b0c0d0e0f10111213\"", false),
            ("! never", true), ("always and never", false), ("always or never", true),
            // Ad-hoc code has no certificates, so whatever asks for one is false, even for their absence.
            ("anchor apple", false), ("anchor apple generic", false), ("anchor trusted", false), ("notarized", false),
            ("legacy", false), ("certificate leaf[subject.OU] absent", false), ("certificate leaf trusted", false),
            ("certificate leaf[field.1.2.3] absent", false), ("certificate leaf[timestamp.1.2.3] absent", true),
            ("certificate leaf[timestamp.1.2.3]", false), ("! anchor apple", true), ("(name)", false),
            // Info.plist.
            ("info[CFBundleIdentifier] = \"com.example.demo\"", true),
            ("info[CFBundleIdentifier] = com.example*", true),
            ("info[CFBundleIdentifier] = *demo", true), ("info[CFBundleIdentifier] ~ example", true),
            ("info[CFBundleIdentifier] = *example", false), ("info[Nothing]", false), ("info[Nothing] absent", true),
            ("info[Nothing] = x", false), ("info[CFBundleIdentifier] absent", false),
            ("info[CFBundleVersion] > \"1.9\"", true), ("info[CFBundleVersion] < \"1.9\"", false),
            ("info[CFBundleVersion] >= \"1.10\"", true), ("info[CFBundleVersion] <= \"1.010\"", true),
            ("info[CFBundleShortVersionString] < \"10\"", true), ("info[CFBundleShortVersionString] > \"2\"", true),
            // Entitlements: false counts as absent for "exists" only, any element of a list will do.
            ("entitlement[a]", true), ("entitlement[b]", false), ("entitlement[b] absent", false),
            ("entitlement[c] absent", true), ("entitlement[list] = two", true), ("entitlement[list] = three", false),
            ("entitlement[empty]", true), ("entitlement[empty] = two", false),
        ] {
            var options = CodesignOptions.deepStrict
            options.requirement = try RequirementExpression(compiling: text.utf8)
            var verifier = Verifier(profile: .codesign)
            verifier.codesign = options
            let report = try await verifier.verify(sealed)
            #expect(report.codesignName == (isSatisfied ? "valid" : "ReqFailed"), "\(text)")
            #expect(report.codesign?.failure?.architecture == (isSatisfied ? nil : "arm64"), "\(text)")
        }
    }

    /// An opcode that nobody may pass over makes the question unanswerable on either side of "and" (spec 9.2).
    @Test("condition 117: an external requirement of the future")
    func condition117Future() async throws {
        let future = RequirementBuilder.raw([0, 0, 0, 200])
        for (made, verdict): (RequirementBuilder, String) in [
            (.and(.never, future), "Unimplemented"), (.or(.always, future), "Unimplemented"),
            (.raw([0x80, 0, 0, 200, 0, 0, 0, 0]), "ReqFailed"),
            (.raw([0x40, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 1]), "valid"), (.platform(0), "valid"),
            (.platform(1), "ReqFailed"), (.infoEquals("CFBundleIdentifier", "com.example.demo"), "valid"),
            (.infoEquals("CFBundleIdentifier", "com.example"), "ReqFailed"),
        ] {
            var options = CodesignOptions.deepStrict
            options.requirement = try RequirementExpression(decoding: Bytes(made.expression))
            try await Self.expect(
                Demo.standard, verdict, architecture: verdict == "valid" ? nil : "arm64", options: options)
        }
    }

    @Test("condition 118: explicit DR in an ad-hoc signature names certificates")
    func condition118() async throws {
        let named = RequirementBuilder.and(.identifier("com.example.demo"), .anchorAppleGeneric)
        let report = try await Self.expect(
            try Self.requirements(RequirementBuilder.set([3: named])), "valid",
            ["warning designated-requirement-unmet"])
        #expect(report.codesign?.satisfiesDesignatedRequirement == false)
        let plain = try await Self.expect(
            try Self.requirements(RequirementBuilder.set([3: .identifier("com.example.demo")])), "valid", [])
        #expect(plain.codesign?.satisfiesDesignatedRequirement == true)
        // Of the other kinds nothing is asked; without a designated one the cdhash is.
        let other = try await Self.expect(
            try Self.requirements(RequirementBuilder.set([1: .anchorApple])), "valid", [])
        #expect(other.codesign?.satisfiesDesignatedRequirement == true)
    }
}
