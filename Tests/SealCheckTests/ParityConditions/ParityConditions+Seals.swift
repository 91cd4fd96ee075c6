import SealCheck
import TestSupport
import Testing

/// The seal itself: whether it is there, whether it can be read, what its rules leave out.
extension ParityConditions {
    /// The demo with an edited seal, which the signature binds.
    static func seal(_ body: (inout SealBuilder) -> Void) -> BundleBuilder {
        var app = Demo.standard
        body(&app.seal)
        return app
    }

    @Test("condition 078: bundle without slot −3")
    func condition078() async throws {
        try await Self.expect(
            try FaultCase(.sealSlotZeroed).build(from: Demo.standard), "ResourcesNotFound", ["error seal-not-bound"])
        var app = Demo.standard
        app.hasSeal = false
        try await Self.expect(app, "ResourcesNotFound", ["error seal-not-bound"])
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 079: CodeResources altered or missing, −3 present")
    func condition079() async throws {
        // No architecture: the seal belongs to the phase of resources.
        try await Self.expect(
            try FaultCase(.sealEdited).build(from: Demo.standard), "ResourceDirectoryFailed", ["error seal-altered"])
        try await Self.expect(
            try FaultCase(.sealRemoved).build(from: Demo.standard), "ResourceDirectoryFailed", ["error seal-missing"])
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 080: CodeResources not a plist dictionary")
    func condition080() async throws {
        for bytes in [Array("no property list".utf8), ([1, 2] as Plist).encoded(), [], ("text" as Plist).encoded()] {
            try await Self.expect(
                Self.seal { $0.editBytes = { $0 = bytes } }, "BadDictionaryFormat", ["error seal-malformed"])
        }
        try await Self.expect(Self.seal { $0.form = .binary }, "valid", [])
    }

    @Test("condition 081: `rules` or `files` missing")
    func condition081() async throws {
        for key in ["rules", "files"] {
            try await Self.expect(
                Self.seal { $0.edit = { $0[key] = nil } }, "ResourcesNotFound", ["error seal-incomplete"])
            try await Self.expect(
                Self.seal { $0.edit = { $0[key] = "text" } }, "ResourcesNotFound", ["error seal-incomplete"])
            try await Self.expect(Self.seal { $0.edit = { $0[key] = [:] } }, "valid", [])
        }
    }

    @Test("condition 082: `files2` present, `rules2` missing or ill-typed")
    func condition082() async throws {
        try await Self.expect(
            Self.seal { $0.edit = { $0["rules2"] = nil } }, "ResourcesInvalid", ["error seal-inconsistent"])
        try await Self.expect(
            Self.seal { $0.edit = { $0["rules2"] = [1] } }, "ResourcesInvalid", ["error seal-inconsistent"])
        try await Self.expect(
            Self.seal { $0.edit = { $0["files2"] = "text" } }, "ResourcesInvalid", ["error seal-inconsistent"])
        // Without `files2` it is a seal of the first version, whatever `rules2` says.
        var old = Self.sha1(Demo.standard)
        old.seal.edit = { $0["files2"] = nil }
        try await Self.expect(old, "valid", nil, options: Self.notStrict)
    }

    @Test("condition 083: only v1 seal")
    func condition083() async throws {
        let weak: Set = ["error seal-rules-weak", "error seal-version-1", "error digest-weak"]
        var flat = Self.sha1(Demo.standard)
        flat.seal.hasV2 = false
        try await Self.expect(flat, "WeakResourceRules", weak)
        try await Self.expect(flat, "valid", weak, options: Self.notStrict)
        // A deep bundle's first version has the rule that is asked for.
        var deep = Self.sha1(Demo.mac)
        deep.seal.hasV2 = false
        try await Self.expect(deep, "WeakResourceEnvelope", nil)
        try await Self.expect(deep, "valid", nil, options: Self.notStrict)
        // Its digests are SHA-1, which no other CodeDirectory can use.
        var mixed = Demo.standard
        mixed.seal.hasV2 = false
        try await Self.expect(mixed, "BadResource", nil, options: Self.notStrict)
    }

    /// A bundle whose own CodeDirectory is SHA-1, as those were that had seals of the first version.
    static func sha1(_ bundle: BundleBuilder) -> BundleBuilder {
        var bundle = bundle
        bundle.executable?.eachSlice { $0.signature = SignatureBuilder([.sha1]) }
        return bundle
    }

    @Test("condition 084: rule of wrong type or bad regex")
    func condition084() async throws {
        func rule(_ pattern: String, _ value: Plist) -> BundleBuilder {
            Self.seal { $0.edit = { $0["rules2"]?[pattern] = value } }
        }
        for (pattern, value): (String, Plist) in [
            ("^x", 1), ("^x", "text"), ("^x", [true]), ("^x", ["weight": "10"]), ("^x", ["omit": 1]),
            ("^x", ["optional": "yes"]), ("^x", ["nested": [:]]), ("^x(", true), ("^x[", ["weight": 20]),
        ] {
            try await Self.expect(
                rule(pattern, value), "ResourceRulesInvalid", ["error seal-rule-invalid"])
        }
        for value: Plist in [true, ["weight": 5], ["weight": .real(5)], ["top": true, "weight": 3], [:]] {
            try await Self.expect(rule("^x", value), "valid", [])
        }
    }

    @Test("condition 085: no `^.*` = true in rules2")
    func condition085() async throws {
        for value: Plist in [["weight": 1], false, ["optional": true]] {
            try await Self.expect(
                Self.seal { $0.edit = { $0["rules2"]?["^.*"] = value } }, "WeakResourceRules", nil)
        }
        let other = Self.seal { seal in
            seal.edit = { list in
                list["rules2"]?["^.*"] = nil
                list["rules2"]?[".*"] = true
            }
        }
        try await Self.expect(other, "WeakResourceRules", ["error seal-rules-weak"])
        try await Self.expect(other, "valid", ["error seal-rules-weak"], options: Self.notStrict)
        try await Self.expect(Demo.standard, "valid", [])
    }

    @Test("condition 086: custom omit rule")
    func condition086() async throws {
        for value: Plist in [false, ["omit": true, "weight": 3000]] {
            let app = Self.seal { $0.edit = { $0["rules2"]?["^nothing-here$"] = value } }
            try await Self.expect(app, "WeakResourceRules", ["error seal-rules-weak"])
            try await Self.expect(app, "valid", ["error seal-rules-weak"], options: Self.notStrict)
        }
        try await Self.expect(
            Self.seal { $0.edit = { $0["rules2"]?["^nothing-here$"] = ["weight": 3000] } }, "valid", [])
    }

    @Test("condition 099: seal with `hash` only (SHA-1), CD SHA-256 only")
    func condition099() async throws {
        try await Self.expect(
            Self.seal { $0.hashes = [.sha1] }, "BadResource", ["error resource-digest-absent"])
        try await Self.expect(Self.seal { $0.hashes = [.sha1, .sha256] }, "valid", [])
        // Neither digest ends the comparison.
        try await Self.expect(
            Self.seal { $0.files2["Assets.car"] = ["hash3": .data([1])] }, "ResourcesInvalid",
            ["error seal-entry-invalid"])
    }

    @Test("condition 100: agile CDs, one of `hash`/`hash2` wrong")
    func condition100() async throws {
        func app(_ hash: UInt8, _ hash2: UInt8) throws -> BundleBuilder {
            var app = Demo.dual
            let bytes = try app.files.bytes("Assets.car")
            var first = Sha.sha1.digest(bytes)
            var second = Sha.sha256.digest(bytes)
            first[0] ^= hash
            second[0] ^= hash2
            app.seal.files2["Assets.car"] = ["hash": .data(first), "hash2": .data(second)]
            return app
        }
        try await Self.expect(try app(0, 0), "valid", [])
        try await Self.expect(try app(1, 0), "BadResource", ["error resource-altered"])
        try await Self.expect(try app(0, 1), "BadResource", ["error resource-altered"])
    }

    @Test("condition 101: seal value of a wrong type, requirement not text")
    func condition101() async throws {
        let digest = Plist.data(Sha.sha256.digest(try Demo.standard.files.bytes("Assets.car")))
        for value: Plist in [
            "text", 1, true, [digest], ["requirement": 1], ["symlink": [1]], ["hash2": digest, "optional": 1],
            ["hash2": "text"], [:],
        ] {
            try await Self.expect(
                Self.seal { $0.files2["Assets.car"] = value }, "ResourcesInvalid", ["error seal-entry-invalid"])
        }
        try await Self.expect(
            Self.seal { $0.files2["Assets.car"] = ["hash2": digest, "optional": true] }, "valid", [])
    }
}
