import MachOReader

extension Report {
    /// The schema of ``json``; keys may be added under it, never renamed or taken away.
    public static let schema = "sealcheck.report/1"

    /// The report as `verify --format json` prints it. Nothing in it depends on the time or the machine.
    public var json: JSONValue {
        [
            "schema": .string(Self.schema),
            "tool": ["name": .string(ToolVersion.name), "version": .string(ToolVersion.current)],
            "input": ["path": .string(inputPath), "kind": JSONValue(inputKind), "notes": JSONValue(notes)],
            "profile": .string(profile.rawValue),
            "policy": policyDay.map { ["asOf": .string($0.description)] } ?? .null,
            "outcome": .string(outcome.rawValue),
            "exitCode": .integer(Int64(exitCode)),
            "problem": problem.map(\.json) ?? .null,
            "verdict": ["sealed": JSONValue(isSealed), "codesign": codesign.map(\.json) ?? .null],
            "code": .array(evaluations.map(\.json)),
            "findings": .array(findings.map(\.json)),
            "causes": .array(causes.map(\.json)),
            "coverage": .array(coverage.map(\.json)),
            "advice": JSONValue(advice),
            "counts": counts,
        ]
    }

    private var counts: JSONValue {
        [
            "error": .integer(Int64(count(.error))),
            "warning": .integer(Int64(count(.warning))),
            "note": .integer(Int64(count(.note))),
            "allowed": .integer(Int64(allowedCount)),
            "codeObjects": .integer(Int64(evaluations.count)),
            "files": .integer(Int64(fileCount)),
            "bytes": .unsigned(counters.bytesRead),
        ]
    }
}

extension Report.Problem {
    fileprivate var json: JSONValue {
        ["id": .string(id), "message": .string(message), "offset": JSONValue(offset)]
    }
}

extension CodesignVerdict {
    fileprivate var json: JSONValue {
        [
            "valid": JSONValue(isValid),
            "error": failure.map { ["name": .string($0.error.name), "code": .integer(Int64($0.error.code))] } ?? .null,
            "message": JSONValue(failure?.error.message),
            "architecture": JSONValue(failure?.architecture),
            "subcomponent": JSONValue(failure?.subcomponent.map { PathText([$0]).texts.first ?? "" }),
            "trust": "not-checked",
            "gap": JSONValue(gap),
        ]
    }
}

extension CodeEvaluation {
    fileprivate var json: JSONValue {
        .object(
            PathText.members(["path": code.path, "executablePath": code.executable]) + [
                .init("kind", .string(code.kind.rawValue)),
                .init("identifier", JSONValue(identifier)),
                .init(
                    "executable", JSONValue(code.executable.map { String(decoding: $0.lastComponent, as: UTF8.self) })),
                .init("slices", .array(slices.map(\.json))),
                .init("seal", seal.comparison.map { $0.seal.json } ?? .null),
            ])
    }

    /// What the bundle calls itself, else what the signature calls it.
    private var identifier: String? { (code.bundleIdentifier ?? ruling?.identifier)?.lossyText }
}

extension CodeResources {
    /// How much the seal says: entries of both versions, and of the one in force those for nested code and links.
    fileprivate var json: JSONValue {
        func count(_ isWanted: (SealedItem.Content) -> Bool) -> JSONValue {
            .integer(Int64(files.values.count { isWanted($0.content) }))
        }
        return [
            "version": .integer(Int64(version)),
            "files": .integer(Int64(version == 1 ? files.count : filesV1.count)),
            "files2": .integer(Int64(version == 1 ? 0 : files.count)),
            "nested": count { if case .nested = $0 { true } else { false } },
            "symlinks": count { if case .link = $0 { true } else { false } },
        ]
    }
}

extension SliceEvaluation {
    fileprivate var json: JSONValue {
        let directory = ruling?.directory.value
        return [
            "architecture": JSONValue(slice.image.value == nil ? nil : architectureName),
            "platform": JSONValue(slice.image.value?.buildVersion?.platform.name),
            "signature": .string(kind.rawValue),
            "identifier": JSONValue(ruling?.identifier?.lossyText),
            "flags": JSONValue(directory?.flags.hexadecimal),
            "version": JSONValue(directory.map { "0x" + String($0.version, radix: 16) }),
            "cdhash": JSONValue(ruling?.cdhash?.hexadecimal),
            "hashTypes": JSONValue(
                (signature?.directories ?? []).compactMap { $0.directory.value?.hashType }
                    .sorted { $0.rawValue < $1.rawValue }.map(\.name)),
            "pageSize": JSONValue(directory.map { $0.pageSize ?? 0 }),
            "pages": JSONValue(ruling?.pages?.count),
        ]
    }
}

extension Report.Judged {
    fileprivate var json: JSONValue {
        let (subject, evidence) = (finding.subject, finding.evidence)
        return [
            "id": .string(finding.id.rawValue),
            "severity": .string(severity.rawValue),
            "subject": .object(
                PathText.members(["path": subject.path, "code": subject.code]) + [
                    .init("slice", JSONValue(subject.slice)), .init("slot", JSONValue(subject.slot)),
                ]),
            "fingerprint": .string(fingerprint),
            "message": .string(finding.message),
            "evidence": [
                "expected": JSONValue(evidence.expected),
                "actual": JSONValue(evidence.actual),
                "rule": JSONValue(evidence.rule?.lossyText),
                "offset": JSONValue(evidence.offset),
                "pages": evidence.pages.map { .array($0.map { .integer(Int64($0)) }) } ?? .null,
            ],
            "allowed": allowed.map { ["reason": .string($0.reason), "entry": .integer(Int64($0.entry))] } ?? .null,
            "apple": apple.map { ["name": .string($0.name), "code": .integer(Int64($0.code))] } ?? .null,
            "cause": JSONValue(cause),
        ]
    }
}

extension Cause {
    fileprivate var json: JSONValue {
        .object(
            PathText.members(["code": code]) + [
                .init("id", .string(id)), .init("message", .string(message)), .init("fix", .string(fix)),
                .init("findings", .array(findings.map { .integer(Int64($0)) })),
            ])
    }
}

extension Report.Covered {
    fileprivate var json: JSONValue {
        .object(
            PathText.members(["code": code, "sealedBy": sealedBy]) + [
                .init("how", .string(coverage.how.rawValue)),
                .init("complete", .bool(coverage.isComplete)),
                .init("validAlone", .bool(isValidAlone)),
                .init("executable", .string(coverage.executable.rawValue)),
                .init("infoPlist", .string(coverage.infoPlist.rawValue)),
                .init("seal", .string(coverage.seal.rawValue)),
                .init("sealedFiles", .integer(Int64(coverage.sealedFiles))),
            ])
    }
}

extension CatalogueRow {
    /// The row as `explain --format json` prints it.
    public var json: JSONValue {
        [
            "id": .string(id.rawValue),
            "family": .string(family.rawValue),
            "severity": .object(Profile.allCases.map { .init($0.rawValue, .string(severity($0).rawValue)) }),
            "apple": apple.map { ["name": .string($0.name), "code": .integer(Int64($0.code))] } ?? .null,
            "summary": .string(summary),
            "why": .string(why),
            "fix": .string(fix),
        ]
    }
}
