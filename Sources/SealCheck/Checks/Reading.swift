extension Finding.ID {
    static let uncheckedEncryptedEntry = Self("unchecked-encrypted-entry")
    static let uncheckedCompressionMethod = Self("unchecked-compression-method")
    static let uncheckedDamagedEntry = Self("unchecked-damaged-entry")
    static let uncheckedLimit = Self("unchecked-limit")
    static let uncheckedChangedFile = Self("unchecked-changed-file")
    static let uncheckedUnreadableFile = Self("unchecked-unreadable-file")
    static let uncheckedUnreadableFolder = Self("unchecked-unreadable-folder")
}

extension Check {
    /// What could not be read, and therefore not be checked. Never a pass.
    static let reading = Check(.reading) { subject in
        let facts = subject.facts
        var findings: [Finding] = []
        for (position, file) in facts.files.enumerated() {
            guard let fault = file.fault else { continue }
            let path = facts.index.entries[position].path
            guard path.isAtOrBelow(facts.root) else { continue }
            findings.append(Finding.unread(path, fault, code: subject.owner(of: path)))
        }
        for fault in facts.treeFaults {
            guard case .unreadableDirectory(let errno) = fault.kind else { continue }
            let path = BundlePath(bytes: fault.name)
            findings.append(
                Finding(
                    .uncheckedUnreadableFolder, .init(path: path, code: subject.owner(of: path)),
                    "The folder \(path) cannot be listed (\(System.text(ofError: errno)))."))
        }
        return findings
    }
}

extension Check.Subject {
    /// The innermost code object that holds a path.
    func owner(of path: BundlePath) -> BundlePath? {
        facts.code.last { path.isAtOrBelow($0.path) }?.path
    }
}

extension Finding {
    static func unread(_ path: BundlePath, _ fault: ReadFault, code: BundlePath?) -> Finding {
        let about = Subject(path: path, code: code)
        switch fault {
        case .encrypted: return Finding(.uncheckedEncryptedEntry, about, "\(path) is encrypted in the archive.")
        case .method(let method):
            return Finding(
                .uncheckedCompressionMethod, about,
                "\(path) is compressed with method \(method), which is not supported.",
                Evidence(expected: "0 or 8", actual: "\(method)"))
        case .sizeMismatch(let declared):
            return Finding(
                .uncheckedDamagedEntry, about, "\(path) does not have the \(declared) bytes that the archive declares.")
        case .checksumMismatch:
            return Finding(
                .uncheckedDamagedEntry, about, "\(path) does not have the checksum that the archive records.")
        case .damaged(let reason):
            return Finding(.uncheckedDamagedEntry, about, "\(path) cannot be unpacked: \(reason).")
        case .limit(let exceeded):
            return Finding(
                .uncheckedLimit, about,
                "\(path) is beyond what is read: \(exceeded.what), \(exceeded.value) where \(exceeded.limit) is the limit.",
                Evidence(expected: "at most \(exceeded.limit)", actual: "\(exceeded.value)"))
        case .system(let call, let errno):
            return Finding(
                .uncheckedUnreadableFile, about, "\(path) cannot be read (\(call): \(System.text(ofError: errno))).")
        case .changed: return Finding(.uncheckedChangedFile, about, "\(path) changed while it was being read.")
        case .digest(let function):
            return Finding(.uncheckedUnreadableFile, about, "\(path) could not be hashed: OpenSSL has no \(function).")
        case .notAFile: return Finding(.uncheckedUnreadableFile, about, "\(path) cannot be read as a file.")
        }
    }
}

extension Catalogue {
    static let reading: [CatalogueRow] = [
        CatalogueRow(
            .uncheckedEncryptedEntry, .reading, "An archive entry is encrypted and was not checked.",
            why: "Nothing is known of its contents, so nothing vouches for them.",
            fix: "Make the archive without a password."),
        CatalogueRow(
            .uncheckedCompressionMethod, .reading, "An archive entry is compressed in a way that is not supported.",
            why: "Its contents were not read, so nothing vouches for them.",
            fix: "Make the archive with plain deflate (store packages use LZFSE; unpack and zip them anew)."),
        CatalogueRow(
            .uncheckedDamagedEntry, .reading, "An archive entry is damaged and was not checked.",
            why: "An installer will refuse it or install something else than was signed.",
            fix: "Fetch or make the archive again."),
        CatalogueRow(
            .uncheckedLimit, .reading, "Something is larger than sealcheck reads.",
            why: "The bounds protect from archives made to exhaust memory or time; what lies beyond was not checked.",
            fix: "If the input is legitimate, report it: the bound is too low."),
        CatalogueRow(
            .uncheckedChangedFile, .reading, "A file changed while it was being read.",
            why: "What was hashed may never have existed as a whole.",
            fix: "Run again when nothing writes to the bundle any more."),
        CatalogueRow(
            .uncheckedUnreadableFile, .reading, "A file cannot be read and was not checked.",
            why: "Nothing is known of its contents, so nothing vouches for them.",
            fix: "Give the user that runs sealcheck permission to read it."),
        CatalogueRow(
            .uncheckedUnreadableFolder, .reading, apple: .signatureNotVerifiable, "A folder cannot be listed.",
            why: "Whatever it holds was not checked.",
            fix: "Give the user that runs sealcheck permission to read it."),
    ]
}
