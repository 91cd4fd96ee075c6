extension Finding.ID {
    static let archiveAbsoluteName = Self("archive-absolute-name")
    static let archiveClimbingName = Self("archive-climbing-name")
    static let archiveBackslashName = Self("archive-backslash-name")
    static let archiveMalformedName = Self("archive-malformed-name")
    static let archiveDuplicateName = Self("archive-duplicate-name")
    static let archiveRepeatedEntry = Self("archive-repeated-entry")
    static let archiveFileAsFolder = Self("archive-file-as-folder")
    static let archiveTwoNames = Self("archive-two-names")
    static let archiveLocalHeaderDiffers = Self("archive-local-header-differs")
    static let archiveOverlappingEntries = Self("archive-overlapping-entries")
    static let archiveUnlistedEntry = Self("archive-unlisted-entry")
}

extension Check {
    /// Faults of the container that do not keep it from being judged.
    static let archive = Check(.archive) { subject in
        subject.facts.treeFaults.compactMap { fault in
            let about = Finding.Subject(path: BundlePath(bytes: fault.name))
            let name = about.path.lossyText
            switch fault.kind {
            case .absoluteName:
                return Finding(.archiveAbsoluteName, about, "The entry “\(name)” has an absolute name.")
            case .climbingName:
                return Finding(.archiveClimbingName, about, "The entry “\(name)” climbs out of the archive with “..”.")
            case .backslashName:
                return Finding(.archiveBackslashName, about, "The entry “\(name)” has a back-slash in its name.")
            case .malformedName:
                return Finding(.archiveMalformedName, about, "The entry “\(name)” has an empty part in its name.")
            case .duplicateName(sameContents: false):
                return Finding(
                    .archiveDuplicateName, about, "The archive has two entries named “\(name)” with different contents."
                )
            case .duplicateName(sameContents: true):
                return Finding(.archiveRepeatedEntry, about, "The archive has the entry “\(name)” twice.")
            case .fileAsDirectory:
                return Finding(
                    .archiveFileAsFolder, about, "The entry “\(name)” is a file, but other entries lie below it.")
            case .alternativeName(let other):
                return Finding(
                    .archiveTwoNames, about, "The entry “\(name)” has a second name in its Unicode path field.",
                    .init(expected: name, actual: BundlePath(bytes: other).lossyText))
            case .localHeaderDiffers(let field):
                return Finding(
                    .archiveLocalHeaderDiffers, about,
                    "The local header of “\(name)” differs from the archive's directory (\(field.rawValue)).")
            case .overlappingEntries:
                return Finding(.archiveOverlappingEntries, about, "The entry “\(name)” begins inside another one.")
            case .unlistedEntry:
                return Finding(
                    .archiveUnlistedEntry, about,
                    "The archive holds an entry “\(name)” that its directory does not list.")
            case .unreadableDirectory: return nil
            }
        }
    }
}

extension Catalogue {
    static let archive: [CatalogueRow] = [
        CatalogueRow(
            .archiveAbsoluteName, .archive, "An archive entry has an absolute name.",
            why: "An installer either refuses the archive or writes outside of the app.",
            fix: "Make the archive again with names relative to its top, and find out what wrote this one."),
        CatalogueRow(
            .archiveClimbingName, .archive, "An archive entry climbs out of the archive with “..”.",
            why: "An installer either refuses the archive or writes outside of the app.",
            fix: "Make the archive again, and find out what wrote this one."),
        CatalogueRow(
            .archiveBackslashName, .archive, "An archive entry has a back-slash in its name.",
            why:
                "Apple's systems take it for a character of the file's name, not for a separator: the file is not where "
                + "it belongs.",
            fix: "Make the archive with a tool that writes “/” (PowerShell's Compress-Archive does not)."),
        CatalogueRow(
            .archiveMalformedName, .archive, "An archive entry has an empty or “.” part in its name.",
            why: "Readers differ on where such a file ends up.",
            fix: "Make the archive again with plain names."),
        CatalogueRow(
            .archiveDuplicateName, .archive, "Two archive entries have one name and different contents.",
            why: "Readers differ on which of the two counts: what was verified may not be what is installed.",
            fix: "Make the archive anew instead of updating it in place."),
        CatalogueRow(
            .archiveRepeatedEntry, .archive, severity: .warning, "An archive entry is there twice.",
            why: "The two are the same, so every reader sees the same file; some refuse the archive all the same.",
            fix: "Make the archive anew instead of updating it in place."),
        CatalogueRow(
            .archiveFileAsFolder, .archive, "Archive entries lie below one that is a file.",
            why: "No file system can hold both; what an installer makes of it is anybody's guess.",
            fix: "Make the archive again from a folder."),
        CatalogueRow(
            .archiveTwoNames, .archive, "An archive entry has two names.",
            why: "Readers that know the Unicode path field and readers that do not see different files.",
            fix: "Make the archive again with UTF-8 names and without that field."),
        CatalogueRow(
            .archiveLocalHeaderDiffers, .archive, "An archive entry's own header differs from the archive's directory.",
            why:
                "An installer that unpacks while it receives goes by the entry's header, everybody else by the directory: "
                + "what was verified may not be what is installed.",
            fix: "Make the archive again; find out what edited this one."),
        CatalogueRow(
            .archiveOverlappingEntries, .archive, "Archive entries share bytes.",
            why: "No archiver writes such a file; it is the mark of an archive bomb or of an edited archive.",
            fix: "Make the archive again; find out where this one comes from."),
        CatalogueRow(
            .archiveUnlistedEntry, .archive, severity: .warning,
            "An archive holds an entry that its directory does not list.",
            why: "An installer that unpacks while it receives would unpack that entry too; it was not checked.",
            fix: "Make the archive anew instead of updating it in place."),
    ]
}
