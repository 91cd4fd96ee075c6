extension Catalogue {
    private static let resign = "Undo the change, or seal the bundle again after the last change, from the inside out."

    static let resourceSeal: [CatalogueRow] = [
        CatalogueRow(
            .resourceAdded, .resourceSeal, apple: .badResource, "A file is not in the seal.",
            why: "It was added after sealing. The installer refuses the app, whatever the file is.",
            fix: "Remove the file, or seal the bundle again after the last change, from the inside out."),
        CatalogueRow(
            .resourceAltered, .resourceSeal, apple: .badResource, "A file differs from what the seal recorded.",
            why: "It was changed after sealing. The installer refuses the app.", fix: resign),
        CatalogueRow(
            .resourceMissing, .resourceSeal, apple: .badResource, "A sealed file is missing.",
            why: "It was removed after sealing, or lost by an archiver. The installer refuses the app.",
            fix: "Put it back, or seal the bundle again after the last change, from the inside out."),
        CatalogueRow(
            .resourceSealedButOmitted, .resourceSeal, apple: .badResource,
            "The seal lists a file that its rules leave out.",
            why:
                "The verifier never meets the file on its walk, so the entry counts as missing although the file is there.",
            fix: "Use a signer whose entries follow its own rules."),
        CatalogueRow(
            .resourceBecameSymlink, .resourceSeal, apple: .badResource,
            "A sealed file was replaced by a symbolic link.",
            why: "What the link leads to may have the same contents today and other contents tomorrow.", fix: resign),
        CatalogueRow(
            .symlinkBecameFile, .resourceSeal, apple: .badResource, "A sealed symbolic link is no link any more.",
            why: "An archiver that does not know links replaced it, as a rule.",
            fix: "Pack with a tool that keeps links (zip -y, ditto), from the folder as it was signed."),
        CatalogueRow(
            .symlinkAltered, .resourceSeal, apple: .badResource, "A sealed symbolic link leads elsewhere.",
            why: "The seal records the link's text byte for byte.", fix: resign),
        CatalogueRow(
            .resourceDigestAbsent, .resourceSeal, apple: .badResource,
            "The seal lacks the digest that the signature asks for.",
            why:
                "Each hash type of the CodeDirectories needs its digest in the seal; SHA-1 cannot stand in for another.",
            fix: "Use a signer that writes hash2 beside or instead of hash."),
        CatalogueRow(
            .folderForFile, .resourceSeal, apple: .isDirectory, "A folder stands where the seal records a file.",
            why: "The verifier cannot read it as a file.", fix: resign),
        CatalogueRow(
            .specialFile, .resourceSeal, apple: .resourceNotSupported,
            "The bundle holds something that cannot be sealed.",
            why: "Pipes, sockets and devices have no contents to hash; strict verification refuses them.",
            fix: "Remove it from the bundle."),
        CatalogueRow(
            .dsStoreSymlink, .resourceSeal, apple: .dsStoreSymlink, "A .DS_Store is a symbolic link.",
            why:
                "Verifiers refuse it in every mode: .DS_Store is exempt from sealing, so a link of that name could lead "
                + "anywhere.",
            fix: "Remove it."),
        CatalogueRow(
            .symlinkDangling, .resourceSeal, apple: .noSuchFile, "A sealed symbolic link leads to nothing.",
            why: "Strict verification opens what a link leads to, and gives up when there is nothing.",
            fix: "Remove the link or put its target back, and sign after that."),
        CatalogueRow(
            .symlinkLoop, .resourceSeal, apple: .linkLoop, "Symbolic links lead round in circles.",
            why: "Strict verification opens what a link leads to, and gives up.",
            fix: "Remove the links, and sign after that."),
        CatalogueRow(
            .symlinkOutside, .resourceSeal, apple: .invalidSymlink, "A sealed symbolic link leads out of the bundle.",
            why:
                "What it leads to can change without the seal noticing; strict verification allows only targets inside, "
                + "and in /System and /Library.",
            fix: "Copy the file into the bundle, and sign after that."),
        CatalogueRow(
            .symlinkTargetUnsealed, .resourceSeal, apple: .invalidSymlink,
            "A sealed symbolic link leads to something that no seal covers.",
            why: "What it leads to can change without the seal noticing, so strict verification refuses the link.",
            fix: "Let it lead to something that is sealed, and sign after that."),
        CatalogueRow(
            .sealAltered, .resourceSeal, apple: .resourceDirectoryFailed, "A resource seal was changed after signing.",
            why: "The signature binds CodeResources byte for byte. What it says of the files cannot be trusted now.",
            fix: "Sign the bundle again; no tool may touch _CodeSignature after that."),
        CatalogueRow(
            .sealMissing, .resourceSeal, apple: .resourceDirectoryFailed,
            "The resource seal that was signed is missing.",
            why: "Without it no file of the bundle is covered.",
            fix: "Put _CodeSignature/CodeResources back, or sign the bundle again."),
        CatalogueRow(
            .sealNotBound, .resourceSeal, apple: .resourcesNotFound, "A bundle's signature covers no resource seal.",
            why:
                "The executable was signed as a lone file (by the linker, ldid, or codesign on the file): the bundle's "
                + "files can be anything.",
            fix: "Sign the bundle, not the executable in it."),
        CatalogueRow(
            .sealMalformed, .resourceSeal, apple: .badDictionaryFormat,
            "A resource seal is no property list dictionary.",
            why: "No verifier can read it.", fix: "Sign the bundle again."),
        CatalogueRow(
            .sealIncomplete, .resourceSeal, apple: .resourcesNotFound, "A resource seal lacks its first-version part.",
            why:
                "Verifiers demand “rules” and “files” even where “rules2” and “files2” are right, and count the seal as "
                + "absent without them.",
            fix: "Use a signer that writes both versions."),
        CatalogueRow(
            .sealInconsistent, .resourceSeal, apple: .resourcesInvalid,
            "The parts of a resource seal contradict each other.",
            why: "Verifiers refuse it.", fix: "Sign the bundle again."),
        CatalogueRow(
            .sealEntryInvalid, .resourceSeal, apple: .resourcesInvalid,
            "An entry of a resource seal is of a wrong type.",
            why: "Verifiers give up when they come to it, and nothing after it is checked.",
            fix: "Sign the bundle again; look at the signer that wrote the entry."),
        CatalogueRow(
            .sealRuleInvalid, .resourceSeal, apple: .resourceRulesInvalid, "A rule of a resource seal is invalid.",
            why: "Verifiers refuse the whole seal.", fix: "Sign the bundle again with the default rules."),
        CatalogueRow(
            .sealRulesWeak, .resourceSeal, apple: .weakResourceRules, "The rules of a seal leave out too much.",
            why: "What custom rules omit can be anything; strict verification allows only a few omissions.",
            fix: "Sign the bundle again with the default rules."),
        CatalogueRow(
            .sealVersion1, .resourceSeal, apple: .weakResourceEnvelope, "A seal is of the first version only.",
            why: "Version 1 does not cover links and nested code; strict verification refuses it.",
            fix: "Sign the bundle again with a current signer."),
        CatalogueRow(
            .uncheckedSeal, .resourceSeal, "A seal, or a rule in it, is beyond what sealcheck runs.",
            why: "The bounds protect from seals made to exhaust memory or time; what it says was not checked.",
            fix: "Sign the bundle again with the default rules; report it if the seal is legitimate."),
    ]
}
